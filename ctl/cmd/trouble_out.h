/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trouble_out: trouble of bench/ told to a person.  For commands. */
#ifndef FSB_CMD_TROUBLE_OUT_H
#define FSB_CMD_TROUBLE_OUT_H

#include "bench/trouble.h"

/* Prints it, and returns the exit status that goes with it. */
int trouble_out(const struct trouble *trouble);

#endif /* FSB_CMD_TROUBLE_OUT_H */
