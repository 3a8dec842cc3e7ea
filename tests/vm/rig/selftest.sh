# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# selftest.sh: cases about whole runs, as the host sees them. Sourced by tests/vm/rig-selftest and
# tests/vm/debug-selftest, which have set `here` to the folder tests/vm.
#
# shellcheck disable=SC2154  # `here`

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM HUP
passed=0
failed=0

# case_is DESCRIPTION TEST...
case_is()
{
	local description=$1

	shift
	if "$@"; then
		passed=$((passed + 1))
		echo "ok - $description"
	else
		failed=$((failed + 1))
		echo "not ok - $description"
		sed 's/^/# /' "$scratch/out" "$scratch/err"
	fi
}

# Sets status; the outputs are in $scratch/out and $scratch/err.
# guest [OPTION...] -- COMMAND...
guest()
{
	status=0
	"$here/run" --no-module --no-build "$@" > "$scratch/out" 2> "$scratch/err" || status=$?
}

failed_saying()
{
	[ "$status" -eq 125 ] && grep -q "$1" "$scratch/err"
}

finish()
{
	echo "1..$((passed + failed))"
	[ "$failed" -eq 0 ]
}
