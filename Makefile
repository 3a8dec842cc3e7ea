# SPDX-License-Identifier: GPL-2.0-or-later
# fsbstat: kernel module, tool and tests.  `make help` lists the targets.

V	?= 0
Q	:= $(if $(filter 1,$(V)),,@)
say	= @$(if $(filter 1,$(V)),:,printf '  %-7s %s\n' '$(1)' '$(2)')

KDIR	?= /lib/modules/$(shell uname -r)/build
PREFIX	?= /usr/local
SBINDIR	?= $(PREFIX)/sbin
MANDIR	?= $(PREFIX)/share/man
DATADIR	?= $(PREFIX)/share/fsbctl
INSTALL	?= install
B	:= build

CC	?= cc
# As pkg-config knows each library, and the Debian package that it is developed with.
LIBRARIES := libnl-genl-3.0=libnl-genl-3-dev jansson=libjansson-dev mount=libmount-dev \
	     blkid=libblkid-dev ncursesw=libncurses-dev libcyaml=libcyaml-dev \
	     yaml-0.1=libyaml-dev sqlite3=libsqlite3-dev gsl=libgsl-dev
PKGS	:= $(foreach library,$(LIBRARIES),$(firstword $(subst =, ,$(library))))
WARN	:= -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
CFLAGS	?= -O2 -g
ALL_CFLAGS = -std=c11 -D_GNU_SOURCE $(WARN) -Iinclude/uapi -Iinclude -Ictl \
	     $(PKG_CFLAGS) $(CFLAGS)
LIBS	= $(PKG_LIBS) -lm
# asked for once, and only where something is compiled
PKG_CFLAGS = $(eval PKG_CFLAGS := $(shell pkg-config --cflags $(PKGS)))$(PKG_CFLAGS)
PKG_LIBS = $(eval PKG_LIBS := $(shell pkg-config --libs $(PKGS)))$(PKG_LIBS)
SAN	:= -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer

CTL_SRC	 := $(sort $(wildcard ctl/*.c ctl/*/*.c))
CTL_OBJ	 := $(CTL_SRC:%.c=$(B)/%.o)
# Unit tests run the same sources with the sanitizers on.
SAN_OBJ	 := $(patsubst %.c,$(B)/san/%.o,$(filter-out ctl/main.c,$(CTL_SRC)))
UNIT_SRC := $(sort $(wildcard tests/unit/test_*.c))
UNIT_BIN := $(UNIT_SRC:tests/unit/%.c=$(B)/unit/%)
# Fuzzers run them as clang instruments them.
FUZZ_CC	 ?= clang-14
FUZZ_SAN := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
FUZZ_OBJ := $(patsubst %.c,$(B)/fuzz/%.o,$(filter-out ctl/main.c,$(CTL_SRC)))
FUZZ_SRC := $(sort $(wildcard tests/fuzz/*.c))
FUZZ_BIN := $(FUZZ_SRC:tests/fuzz/%.c=$(B)/fuzz/bin/%)

.PHONY: all module ctl check check-unit check-fuzz check-terminal check-vm check-debug \
	check-install demo fuzz style sparse \
	install uninstall clean help host-packages

all: module ctl

help:
	@sed -n 's/^#: //p' $(firstword $(MAKEFILE_LIST))

#: all            the module and the tool
#: module         fsbstat.ko for KDIR (default: the running kernel)
#: ctl            build/ctl/fsbctl
#: check          everything below; the last line is the count; HOGS=2: beside two busy processes
#: check-unit     unit tests of the tool, under ASan and UBSan
#: check-fuzz     damaged and hostile input, 20 s each kind
#: fuzz           the same for SECONDS (600) each, or for one kind: make fuzz FUZZ=matrix
#: check-terminal the live view on a terminal
#: check-vm       tests of module and tool in a guest
#: check-install  the text below "Use it" in README, to the letter, on Debian 12 and 13
#: check-debug    the module under a KASAN and lockdep kernel (builds one: 15 min)
#: style          checkpatch, shellcheck and house rules
#: sparse         sparse over the module
#: demo           dbench under three settings on an emulated SATA disk with slow flushes
#: install        into DESTDIR, PREFIX; the module's source for DKMS
#: uninstall      takes that away again, after what DKMS has built of it
#: clean          removes what was built, keeps the guests (build/guest-*)

module:
	$(Q)test -d $(KDIR) || { \
		echo "make: $(KDIR): no kernel headers there;" \
		     "apt install linux-headers-$$(uname -r), or name them with KDIR=" >&2; \
		exit 1; }
	$(Q)$(MAKE) -C $(KDIR) M=$(CURDIR) V=$(V) modules

ctl: $(B)/ctl/fsbctl

# All that is missing in one line, rather than the first header that one file lacks.
libraries:
	@missing=; \
	command -v pkg-config > /dev/null || missing=' pkg-config'; \
	for library in $(LIBRARIES); do \
		pkg-config --exists $${library%=*} 2> /dev/null || \
			missing="$$missing $${library#*=}"; \
	done; \
	[ -z "$$missing" ] || { echo "make: libraries missing; apt install$$missing" >&2; exit 1; }
$(CTL_OBJ) $(SAN_OBJ): | libraries
.PHONY: libraries

$(B)/ctl/fsbctl: $(CTL_OBJ)
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(B)/%.o: %.c
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/san/%.o: %.c
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -O1 $(SAN) -MMD -MP -c -o $@ $<

# An archive: each unit test is linked with what it needs and no more.
$(B)/san/fsbctl.a: $(SAN_OBJ)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(B)/unit/%: $(B)/san/tests/unit/%.o $(B)/san/fsbctl.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SAN) -o $@ $^ $(LIBS) -lcmocka

$(B)/fuzz/%.o: %.c
	$(call say,FUZZ,$@)
	@mkdir -p $(@D)
	$(Q)$(FUZZ_CC) $(ALL_CFLAGS) -O1 $(FUZZ_SAN) -fsanitize=fuzzer-no-link -MMD -MP -c -o $@ $<

$(B)/fuzz/fsbctl.a: $(FUZZ_OBJ)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(B)/fuzz/bin/%: $(B)/fuzz/tests/fuzz/%.o $(B)/fuzz/fsbctl.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(FUZZ_CC) $(FUZZ_SAN) -fsanitize=fuzzer -o $@ $^ $(LIBS)

# Where installed data lies is compiled into one object, anew when it is another place.
$(B)/datadir: FORCE
	@mkdir -p $(@D)
	@echo '$(DATADIR)' | cmp -s - $@ || echo '$(DATADIR)' > $@
FORCE:
.PHONY: FORCE
DATA_DIR_OBJ := $(B)/ctl/bench/data_dir.o $(B)/san/ctl/bench/data_dir.o \
	$(B)/fuzz/ctl/bench/data_dir.o
$(DATA_DIR_OBJ): $(B)/datadir
$(DATA_DIR_OBJ): \
	ALL_CFLAGS += -DFSB_DATADIR='"$(DATADIR)"'

# Programs of the VM tests on top of the tool's own code.
$(B)/prog/%: $(B)/tests/vm/prog/%.o $(filter-out $(B)/ctl/main.o,$(CTL_OBJ))
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# The module's ATA state machine against stand-ins for the kernel's headers.
$(B)/san/tests/unit/test_ata_state.o $(B)/san/tests/unit/test_ata_plain.o: \
	ALL_CFLAGS += -Itests/unit/kernel -Ikmod

.SECONDARY:
-include $(wildcard $(B)/tests/vm/prog/*.d)
-include $(CTL_OBJ:.o=.d) $(SAN_OBJ:.o=.d) $(UNIT_SRC:%.c=$(B)/san/%.d)
-include $(FUZZ_OBJ:.o=.d) $(FUZZ_SRC:%.c=$(B)/fuzz/%.d)

host-packages:
	$(Q)tests/vm/install-host

check: host-packages
	$(Q)tests/check

check-unit: host-packages
	$(Q)tests/check unit

check-fuzz: host-packages
	$(Q)tests/check fuzz

fuzz: host-packages
	$(Q)tests/fuzz/check --seconds $(or $(SECONDS),600) $(FUZZ)

check-terminal: host-packages
	$(Q)tests/check terminal

check-vm: host-packages
	$(Q)tests/check vm

check-install: host-packages
	$(Q)tests/vm/readme-install bookworm trixie

check-debug: host-packages
	$(Q)tests/check debug

style: host-packages
	$(Q)tests/check style

sparse: host-packages
	$(Q)tests/check sparse

# One program per test file; tests/check runs them.
unit-programs: $(UNIT_BIN)
fuzz-programs: $(FUZZ_BIN)
.PHONY: unit-programs fuzz-programs

demo: host-packages
	$(Q)tests/vm/demo

DKMS_NAME = fsbstat
DKMS_VERSION = $(shell sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' dkms.conf)
DKMS_DIR = $(DESTDIR)/usr/src/$(DKMS_NAME)-$(DKMS_VERSION)
DKMS_SRC = Kbuild Makefile dkms.conf include kmod

# Found at run time in DATADIR, or here when run from build/.
DATA = $(sort $(wildcard workloads/* presets/*.yaml filesystems.yaml))

install: ctl
	$(INSTALL) -D -m 0755 $(B)/ctl/fsbctl $(DESTDIR)$(SBINDIR)/fsbctl
	$(INSTALL) -D -m 0644 docs/fsbctl.8 $(DESTDIR)$(MANDIR)/man8/fsbctl.8
	$(INSTALL) -D -m 0644 docs/fsbctl-matrix.5 $(DESTDIR)$(MANDIR)/man5/fsbctl-matrix.5
	set -e; for file in $(DATA); do \
		$(INSTALL) -D -m 0644 $$file $(DESTDIR)$(DATADIR)/$$file; \
	done
	$(INSTALL) -d $(DKMS_DIR)
	tar -c --exclude='*.o' --exclude='.*.cmd' --exclude='probed.*' $(DKMS_SRC) | tar -x -C $(DKMS_DIR)

# What DKMS has built needs the source to be removed, so that comes first.
uninstall:
	@[ -n "$(DESTDIR)" ] || ! command -v dkms > /dev/null || \
		! dkms status -m $(DKMS_NAME) -v $(DKMS_VERSION) | grep -q . || \
		dkms remove -m $(DKMS_NAME) -v $(DKMS_VERSION) --all || { \
			echo "make: DKMS still has the module; nothing was uninstalled; run" \
			     "dkms remove $(DKMS_NAME)/$(DKMS_VERSION) --all" >&2; \
			exit 1; }
	rm -f $(DESTDIR)$(SBINDIR)/fsbctl $(DESTDIR)$(MANDIR)/man8/fsbctl.8 \
		$(DESTDIR)$(MANDIR)/man5/fsbctl-matrix.5
	rm -rf $(addprefix $(DESTDIR)$(DATADIR)/,workloads presets filesystems.yaml)
	-rmdir $(DESTDIR)$(DATADIR)
	rm -rf $(DKMS_DIR)

clean:
	rm -rf $(B)/ctl $(B)/san $(B)/fuzz $(B)/unit $(B)/prog $(B)/tests $(B)/log $(B)/datadir
	rm -f fsbstat.ko fsbstat.o fsbstat.mod fsbstat.mod.c fsbstat.mod.o Module.symvers \
		modules.order .*.cmd kmod/*.o kmod/.*.cmd kmod/*.o.d kmod/compat/probed.h kmod/compat/probed.log \
		kmod/compat/.*.cmd .module-common.o
