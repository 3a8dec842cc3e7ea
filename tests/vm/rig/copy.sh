# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# copy.sh: a copy of the sources to build in. Sourced by the shell scripts of tests/vm after
# suite.sh and suite_load.
#
# shellcheck disable=SC2154  # top, build, guest, suite, tree: suite_load sets them

# copy_sources DIRECTORY: the same paths as in the tree, deleted ones deleted; what was built in the
# copy stays. A new copy begins with what was built for the guest whose tree it shares. Sets src.
copy_sources()
{
	src=$1
	mkdir -p "$src/build"
	if [ "$(cat "$src/build/guest-stamp" 2>/dev/null)" != "$(cat "$guest/stamp")" ]; then
		rm -rf "$src"	# another compiler, another kernel: nothing of it can be kept
		mkdir -p "$src/build"
		# what the same compiler has made of the tool
		[ "$tree" = "$suite" ] || [ ! -d "$build/guest-$tree-src/build/ctl" ] ||
			cp -a "$build/guest-$tree-src/build" "$src/"
		cp "$guest/stamp" "$src/build/guest-stamp"
	fi
	rsync -a --delete --exclude=/.git --exclude=/build \
		--exclude='*.o' --exclude='*.ko' --exclude='*.mod' --exclude='*.mod.c' \
		--exclude='*.cmd' --exclude='*.o.d' --exclude=Module.symvers \
		--exclude=modules.order --exclude=probed.h --exclude=__pycache__ \
		"$top/" "$src/"
}

