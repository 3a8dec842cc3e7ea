/* SPDX-License-Identifier: GPL-2.0-only */
/* disks_param: the module parameter that names disks to be watched from load on. */
#ifndef FSB_DISKS_PARAM_H
#define FSB_DISKS_PARAM_H

void fsb_disks_param_add(void);

#endif /* FSB_DISKS_PARAM_H */
