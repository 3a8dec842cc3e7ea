/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The release, shared by module and tool; dkms.conf repeats it. */
#ifndef FSBSTAT_VERSION_H
#define FSBSTAT_VERSION_H

#define FSBSTAT_VERSION "0.1.0"

#endif /* FSBSTAT_VERSION_H */
