// SPDX-License-Identifier: GPL-2.0-only
/* ata_std_sched_eh and ata_port_freeze exist: since 6.0. */
#include <linux/libata.h>
#include <trace/events/libata.h>

static void probe(void *data, struct ata_port *ap)
{
}

void fsb_check(void);
void fsb_check(void)
{
	check_trace_callback_type_ata_std_sched_eh(probe);
	check_trace_callback_type_ata_port_freeze(probe);
}
