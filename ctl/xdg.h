/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xdg: the folders of fsbctl in its user's home, by the XDG base directory specification.
 * Anything may call it.
 *
 * Under `sudo -E` the variables name folders of the caller's.  His configuration is read there, as
 * far as it is trusted (trusted.h).  What fsbctl writes it writes to root's own home instead, so
 * that root leaves nothing in the home of another user and is not led by links there.
 */
#ifndef FSB_XDG_H
#define FSB_XDG_H

enum xdg {
	XDG_CONFIG, /* $XDG_CONFIG_HOME/fsbctl or ~/.config/fsbctl: read only */
	XDG_DATA, /* $XDG_DATA_HOME/fsbctl or ~/.local/share/fsbctl: runs */
	XDG_STATE, /* $XDG_STATE_HOME/fsbctl or ~/.local/state/fsbctl: settings to be restored */
};

/* Its path, whether or not it exists; malloc'd.  NULL with errno: ENOENT when there is no home. */
char *xdg_folder(enum xdg which);

/* The same of root, without variables of its own: where `sudo fsbctl` has it. */
char *xdg_root_folder(enum xdg which);

#endif /* FSB_XDG_H */
