/* SPDX-License-Identifier: GPL-2.0-or-later */
/* module_events: what the module announces to its multicast group.  For watched.c. */
#ifndef FSB_SOURCE_MODULE_EVENTS_H
#define FSB_SOURCE_MODULE_EVENTS_H

#include "source/source.h"

struct module_events;

/* NULL when the group cannot be joined; the others take NULL. */
struct module_events *module_events_open(void);
void module_events_close(struct module_events *events);
/* For poll(), -1: nothing will ever come. */
int module_events_fd(const struct module_events *events);
/* 1 and an event, 0: none now. */
int module_events_next(struct module_events *events, struct source_event *event);

#endif /* FSB_SOURCE_MODULE_EVENTS_H */
