# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# suite.sh: where a guest's parts lie and what tests/vm/suites says of it. Sourced by the
# shell scripts of tests/vm, which have set `here` to the folder tests/vm.
#
# shellcheck disable=SC2034,SC2154  # variables of, and for, the scripts that source this file

top=$(readlink -f "$here/../..")
build=$top/build
me=${0##*/}

die()
{
	echo "$me: $*" >&2
	exit 1
}

# suite_load NAME: sets suite, tree, codename, pockets, packages, kernel and the paths of the
# guest NAME
suite_load()
{
	local bootarg

	suite=$1
	read -r tree codename pockets packages kernel bootarg < <(
		awk -v name="$suite" '$1 == name { $1 = ""; print }' "$here/suites") ||
		die "$suite: no such guest; known: $(awk '!/^#/ { printf "%s ", $1 }' "$here/suites")"
	guest=$build/guest-$suite
	root=$build/guest-$tree/root
	out=$build/guest-$suite-out
}

# hash_of FILE... [-- FIND-TEST...]: one hash over the names and contents of all files in and
# below FILE..., which are named from the top of the tree; those that pass the test are left out
hash_of()
{
	local paths=()

	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		paths+=("$1")
		shift
	done
	[ $# -eq 0 ] || shift
	(
		cd "$top" || exit
		find "${paths[@]}" \( -false "$@" \) -prune -o -type f -print0 |
			LC_ALL=C sort -z | xargs -0 -r sha256sum | sha256sum | cut -c1-32
	)
}
