// SPDX-License-Identifier: GPL-2.0-or-later
/* phase: processes of fsbctl's own around the window: --prepare, --cleanup, --sync. */
#include <errno.h>
#include <string.h>

#include "message.h"
#include "record/record.h"

int phase_run(struct recording *rec, const char *object, struct child_plan *plan,
	      struct child *child)
{
	int err;

	plan->apart = true;
	plan->events = &rec->events;
	if (window_hold(rec, child, plan)) {
		message_error(object, strerror(errno), "");
		return -1;
	}
	err = child_release(child);
	if (err) {
		message_error(object, strerror(err), "");
		return -1;
	}
	err = window_wait(rec, child, false) == WAIT_CHILD ? 0 : -1;
	/* What it leaves running otherwise may be meant for the runs. */
	if (rec->signals)
		window_end_rest(rec, false);
	return err;
}

int phase_command(struct recording *rec, const char *option, const char *command)
{
	char *argv[4] = { "/bin/sh", "-c", (char *)command, NULL };
	struct child_plan plan = { .argv = argv };
	struct child child;
	char reason[96];

	if (phase_run(rec, option, &plan, &child))
		return -1;
	if (child_code(&child) == 0)
		return 0;
	if (child_signal(&child))
		snprintf(reason, sizeof(reason), "the command was killed by signal %d (%s)",
			 child_signal(&child), strsignal(child_signal(&child)));
	else
		snprintf(reason, sizeof(reason), "the command ended with status %d",
			 child_code(&child));
	message_error(option, reason, "");
	return -1;
}
