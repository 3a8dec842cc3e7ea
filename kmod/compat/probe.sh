#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# probe.sh DIR OUT FLAGS...: compiles each DIR/*.c with the kernel's own flags and
# writes "#define FSB_HAVE_<NAME>" for those that compile.  CC comes from Kbuild.
set -eu
dir=$1
out=$2
shift 2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{
	echo '/* SPDX-License-Identifier: GPL-2.0-only */'
	echo '/* Made by probe.sh: what this kernel has. */'
} > "$tmp/probed.h"
for source in "$dir"/*.c; do
	name=$(basename "$source" .c | tr '[:lower:]' '[:upper:]')
	# shellcheck disable=SC2086 # CC may hold a wrapper and its argument
	if $CC "$@" -Werror=incompatible-pointer-types -Wno-error=unused-function \
		-c -o "$tmp/probe.o" "$source" 2> "$tmp/$name.log"; then
		echo "#define FSB_HAVE_$name 1" >> "$tmp/probed.h"
	fi
done
mkdir -p "$(dirname "$out")"
cat "$tmp"/*.log > "${out%.h}.log"	# why the others did not
cp "$tmp/probed.h" "$out"
