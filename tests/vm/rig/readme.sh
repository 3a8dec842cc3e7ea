# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# readme.sh: the commands that README's "Use it" gives. Sourced by tests/vm/readme-install, and in
# its guests by rig/installed.sh.

# readme_commands README: one a line, continued lines joined, without sudo
readme_commands()
{
	sed -n '/^## Use it/,/^```/s/^    //p' "$1" |
		sed -e ':more' -e '/\\$/{N; s/ *\\\n */ /; b more' -e '}' |
		sed -E 's/(^|&& )sudo /\1/'
}

# readme_packages README RELEASE: what its apt line installs for a kernel
readme_packages()
{
	# shellcheck disable=SC2016  # README's words
	readme_commands "$1" | sed -n 's/^apt install //p' | sed "s/\$(uname -r)/$2/"
}
