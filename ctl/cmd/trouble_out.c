// SPDX-License-Identifier: GPL-2.0-or-later
/* trouble_out: see trouble_out.h. */
#include "cmd/trouble_out.h"

#include "cmd/cmd.h"

int trouble_out(const struct trouble *trouble)
{
	cmd_error(trouble->object, trouble->hint, "%s", trouble->reason);
	switch (trouble->kind) {
	case TROUBLE_USAGE:
		return EXIT_USAGE;
	case TROUBLE_REFUSED:
		return EXIT_REFUSED;
	case TROUBLE_MISSING:
		return EXIT_CANNOT_RUN_HERE;
	case TROUBLE_NONE:
	case TROUBLE_FAILED:
		break;
	}
	return EXIT_FSBCTL;
}
