/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * device_node: the node of a block device, opened only if it is that device's.  Opening a
 * removable disk sends it commands (TEST UNIT READY, and PREVENT MEDIUM REMOVAL of the first
 * opener); opening any other sends none.
 */
#ifndef FSB_DISK_DEVICE_NODE_H
#define FSB_DISK_DEVICE_NODE_H

#include <stdint.h>

/*
 * Opens /dev/NAME, or /dev/block/MAJOR:MINOR where that is missing or another device's; read only
 * and without waiting for a medium.  @name is the kernel's, with '!' for '/'.  Returns a descriptor
 * to be closed by the caller, or -1 with errno: ENODEV when neither is the device's node.
 */
int device_node_open(const char *name, uint32_t major, uint32_t minor);

#endif /* FSB_DISK_DEVICE_NODE_H */
