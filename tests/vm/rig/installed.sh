#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# installed.sh: runs in the guests of tests/vm/readme-install. The disk with the serial "tree" has a
# Debian with README's packages, "source" is a tar of the sources in which `make` has been run. In
# there: README's lines after that one, `fsbctl check`, `make uninstall`. Prints a line a case.

set -u
here=$(dirname "$(readlink -f "$0")")
# shellcheck source-path=SCRIPTDIR source=readme.sh
. "$here/readme.sh"
readme=$here/../../../README.md
root=/tmp/root
failed=0

by_serial()
{
	local file

	for file in /sys/block/vd*/serial; do
		[ "$(cat "$file")" != "$1" ] || basename "${file%/serial}"
	done
}

set_up()
{
	local fs

	mkdir -p /tmp/image /tmp/layer "$root" &&
	mount -o ro "/dev/$(by_serial tree)" /tmp/image &&
	mount -t tmpfs layer /tmp/layer &&
	mkdir /tmp/layer/upper /tmp/layer/work &&
	mount -t overlay -o lowerdir=/tmp/image,upperdir=/tmp/layer/upper,workdir=/tmp/layer/work \
		root "$root" || return
	for fs in proc sys dev run; do
		mount --rbind "/$fs" "$root/$fs" || return
	done
	mkdir -p "$root/root/fsbstat" "$root/srv" &&
	tar -x -f "/dev/$(by_serial source)" -C "$root/root/fsbstat" &&
	mkfs.ext4 -q -F "$FSB_DISK0" && mount "$FSB_DISK0" "$root/srv" &&
	files > /tmp/before
}

# The files there where `make install` may put any.
files()
{
	find "$root/usr/local" "$root/etc" "$root/var" -xdev -type f | sort
	ls "$root/usr/src" "$root/usr/share" "$root"/lib/modules/*
}

# shellcheck disable=SC2317  # called by case_is
# In the tree, in the sources' folder; status 0 when the line succeeds. Output is in /tmp/out.
in_root()
{
	chroot "$root" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		bash -euc "cd ~/fsbstat; $1" > /tmp/out 2>&1
}

# case_is DESCRIPTION COMMAND...
case_is()
{
	if "${@:2}"; then
		echo "ok - $1"
	else
		failed=1
		sed 's/^/# /' /tmp/out
		echo "not ok - $1"
	fi
}

# Stands for DKMS, which says that it has the module and ends `remove` with STATUS.
# fake_dkms STATUS
fake_dkms()
{
	mkdir -p "$root/usr/local/bin"
	cat > "$root/usr/local/bin/dkms" <<-END
		#!/bin/sh
		echo "\$1" >> /tmp/dkms.log
		[ "\$1" = status ] && echo 'fsbstat/0.1.0, 6.1.0, x86_64: installed' && exit
		[ -d /usr/src/fsbstat-* ] && exit $1
	END
	chmod +x "$root/usr/local/bin/dkms"
}

# shellcheck disable=SC2317
refused()
{
	! in_root 'make uninstall' && grep -q 'dkms remove' /tmp/out &&
		in_root 'ls /usr/src/fsbstat-*/dkms.conf && command -v fsbctl'
}

# shellcheck disable=SC2317
uninstalled()
{
	in_root 'make uninstall' && grep -qx remove "$root/tmp/dkms.log" &&
		rm -r "$root/usr/local/bin/dkms" "$root/tmp/dkms.log" &&
		files | diff /tmp/before - > /tmp/out
}

set_up > /tmp/out 2>&1 || { cat /tmp/out; exit 1; }
while IFS= read -r line; do
	case $line in "apt install "* | make) continue ;; esac
	case_is "$line" in_root "${line/ sda / ${FSB_DISK0#/dev/} }"
	[ "${line#*fsbctl record }" = "$line" ] || sed 's/^/# /' /tmp/out
done < <(readme_commands "$readme")
case_is "fsbctl check" in_root 'fsbctl check'
fake_dkms 1
case_is "make uninstall leaves all there while DKMS keeps the module, and names the command" refused
fake_dkms 0
case_is "make uninstall removes what DKMS has first, then all that make install has brought" uninstalled
rmmod fsbstat
exit "$failed"
