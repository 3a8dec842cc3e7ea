# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# debian-tree.sh: trees of Debian packages, and commands run inside one. Sourced by the shell
# scripts of tests/vm after rig/suite.sh and suite_load.
#
# shellcheck disable=SC2154  # what suite_load sets

# Where apt on this machine finds a release or a pocket of one, in whatever format it was told.
# configured_archive RELEASE
configured_archive()
{
	# shellcheck disable=SC2016  # apt expands these
	apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
		awk -v release="$1" '$2 == release && $3 == "main" { print $1; found = 1; exit }
			END { exit !found }'
}

# What is not configured here lies where this machine's own release, or its same pocket, does.
# archive_of RELEASE
archive_of()
{
	local host

	# shellcheck disable=SC1091  # not a file of ours
	host=$(. /etc/os-release && echo "$VERSION_CODENAME")
	configured_archive "$1" || configured_archive "$host${1#"$codename"}"
}

# Lines for apt. The release itself must be had; a pocket that this machine does not know is left
# out and named.
sources()
{
	local pocket uri

	uri=$(archive_of "$codename") ||
		die "$codename: apt on this machine knows no archive for it; add one to its sources"
	echo "deb $uri $codename main"
	for pocket in ${pockets//,/ }; do
		[ "$pocket" != - ] || continue
		if uri=$(archive_of "$pocket"); then
			echo "deb $uri $pocket main"
		else
			echo "$me: $pocket: not among this machine's sources, left out" >&2
		fi
	done
}

# the host's apt settings that decide whether the archive can be reached at all
apt_options()
{
	apt-config dump |
		grep -iE '^Acquire::(Check-|http|Retries|ForceIPv)' |
		sed 's/^/--aptopt=/'
}

# Mounts are made in a namespace of their own, so that removing a tree never meets one. With 6 GiB of
# memory to spare the tree is made there and copied: dpkg waits for the disk after every step.
# in_memory DIRECTORY COMMAND...: the command makes DIRECTORY/root, which it names ROOT
in_memory()
{
	# shellcheck disable=SC2016  # the inner shell expands these
	unshare --mount --propagation private bash -eu -c '
		directory=$1 root=$1/root memory=
		shift
		if [ "$(awk "/^MemAvailable:/ { print \$2 }" /proc/meminfo)" -gt $((6 << 20)) ]; then
			memory=$directory/memory root=$memory/root
			mkdir "$memory"
			mount -t tmpfs -o mode=755,size=4g tree "$memory"
		fi
		"${@/#ROOT/"$root"}"
		[ -z "$memory" ] || {
			cp -a "$root" "$directory/root"
			umount "$memory"
			rmdir "$memory"
		}' bash "$@"
}

# debian_tree DIRECTORY PACKAGE,... [MMDEBSTRAP-OPTION...]: makes DIRECTORY/root
debian_tree()
{
	local directory=$1 packages=$2 options

	shift 2
	mapfile -t options < <(apt_options)
	sources > "$directory/sources.list"
	in_memory "$directory" mmdebstrap --quiet --mode=root --components=main \
		--include="$packages" "${options[@]}" \
		--aptopt='APT::Install-Recommends "false"' \
		"$@" "$codename" ROOT "$directory/sources.list" ||
		die "mmdebstrap failed (see above)"
}

# debian_system DIRECTORY PACKAGE,... [MMDEBSTRAP-OPTION...]: the same, installed, without
# documentation and translations
debian_system()
{
	debian_tree "$1" "$2" --variant=essential \
		--dpkgopt=force-unsafe-io \
		--dpkgopt='path-exclude=/usr/share/doc/*' \
		--dpkgopt='path-exclude=/usr/share/man/*' \
		--dpkgopt='path-exclude=/usr/share/info/*' \
		--dpkgopt='path-exclude=/usr/share/locale/*' \
		--dpkgopt='path-exclude=/usr/share/i18n/*' \
		"${@:3}"
}

# in_tree ROOT LINE [DIRECTORY PLACE]...: runs a shell line inside a tree, each DIRECTORY being
# visible at its PLACE below the tree's empty /tmp. The mounts are made in a namespace of their
# own and go with it, however the caller ends.
in_tree()
{
	local tree_root=$1 line=$2

	shift 2
	# shellcheck disable=SC2016  # the inner shell expands these
	unshare --mount --propagation private sh -eu -c '
		root=$1 line=$2
		shift 2
		mount -t proc proc "$root/proc"
		mount -t tmpfs tmpfs "$root/tmp"
		while [ $# -gt 0 ]; do
			mkdir -p "$root/tmp/$2"
			mount --bind "$1" "$root/tmp/$2"
			shift 2
		done
		exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
			HOME=/tmp sh -eu -c "$line"' sh "$tree_root" "$line" "$@"
}
