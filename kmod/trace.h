/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace: the module's own trace events, fsbstat:request and fsbstat:drain, for perf,
 * trace-cmd and bpftrace; request.c and ata.c emit them.
 *
 * An event is emitted after the counters' lock was dropped, from a copy made under it:
 * what listens may take locks of its own.  With nobody listening it costs a no-op.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM fsbstat

#if !defined(FSB_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define FSB_TRACE_H

#include <linux/tracepoint.h>

#include "ata_state.h"
#include "shard.h"

/* Listed for the tools: they know the numbers, not the names. */
TRACE_DEFINE_ENUM(FSBSTAT_CLASS_READ);
TRACE_DEFINE_ENUM(FSBSTAT_CLASS_WRITE);
TRACE_DEFINE_ENUM(FSBSTAT_CLASS_FUA_WRITE);
TRACE_DEFINE_ENUM(FSBSTAT_CLASS_FLUSH);
TRACE_DEFINE_ENUM(FSBSTAT_CLASS_DISCARD);
TRACE_DEFINE_ENUM(FSBSTAT_CLASS_WRITE_ZEROES);
TRACE_DEFINE_ENUM(FSBSTAT_CLASS_OTHER);
TRACE_DEFINE_ENUM(FSBSTAT_ATA_FLUSH);
TRACE_DEFINE_ENUM(FSBSTAT_ATA_TRIM);
TRACE_DEFINE_ENUM(FSBSTAT_ATA_FUA_WRITE);
TRACE_DEFINE_ENUM(FSBSTAT_ATA_OTHER);

/* A request has ended: once for each that the module counts. */
TRACE_EVENT(request, TP_PROTO(dev_t dev, const struct fsb_ended *ended), TP_ARGS(dev, ended),
	    TP_STRUCT__entry(__field(dev_t, dev)
			     __field(u64, sector)
			     __field(u64, queue_ns)
			     __field(u64, device_ns)
			     __field(u32, bytes)
			     __field(u32, depth)
			     __field(u32, hw_queue)
			     __field(u32, tag)
			     __field(u8, class)
			     __field(u8, error)),
	    TP_fast_assign(__entry->dev = dev;
			   __entry->sector = ended->sector;
			   __entry->queue_ns = ended->queue_ns;
			   __entry->device_ns = ended->device_ns;
			   __entry->bytes = ended->bytes;
			   __entry->depth = ended->depth;
			   __entry->hw_queue = ended->hw_queue;
			   __entry->tag = ended->tag;
			   __entry->class = ended->class;
			   __entry->error = ended->error;),
	    TP_printk("%d,%d %s sector %llu bytes %u queue_ns %llu device_ns %llu depth %u hw_queue %u tag %u error %u",
		      MAJOR(__entry->dev), MINOR(__entry->dev),
		      __print_symbolic(__entry->class,
				       { FSBSTAT_CLASS_READ, "read" },
				       { FSBSTAT_CLASS_WRITE, "write" },
				       { FSBSTAT_CLASS_FUA_WRITE, "fua_write" },
				       { FSBSTAT_CLASS_FLUSH, "flush" },
				       { FSBSTAT_CLASS_DISCARD, "discard" },
				       { FSBSTAT_CLASS_WRITE_ZEROES, "write_zeroes" },
				       { FSBSTAT_CLASS_OTHER, "other" }),
		      __entry->sector, __entry->bytes, __entry->queue_ns, __entry->device_ns,
		      __entry->depth, __entry->hw_queue, __entry->tag, __entry->error)
);

/* A command that had drained the queue has ended: once for each drain. */
TRACE_EVENT(drain, TP_PROTO(dev_t dev, const struct fsb_ata_drain *drain), TP_ARGS(dev, drain),
	    TP_STRUCT__entry(__field(dev_t, dev)
			     __field(u64, wait_ns)
			     __field(u64, turnaround_ns)
			     __field(u64, alone_ns)
			     __field(u32, before_x100)
			     __field(u8, kind)
			     __field(u8, error)),
	    TP_fast_assign(__entry->dev = dev;
			   __entry->wait_ns = drain->wait_ns;
			   __entry->turnaround_ns = drain->turnaround_ns;
			   __entry->alone_ns = drain->alone_ns;
			   __entry->before_x100 = (drain->before * 100) >> 8;
			   __entry->kind = drain->kind;
			   __entry->error = drain->error;),
	    TP_printk("%d,%d %s wait_ns %llu turnaround_ns %llu alone_ns %llu before %u.%02u error %u",
		      MAJOR(__entry->dev), MINOR(__entry->dev),
		      __print_symbolic(__entry->kind,
				       { FSBSTAT_ATA_FLUSH, "flush" },
				       { FSBSTAT_ATA_TRIM, "trim" },
				       { FSBSTAT_ATA_FUA_WRITE, "fua" },
				       { FSBSTAT_ATA_OTHER, "other" }),
		      __entry->wait_ns, __entry->turnaround_ns, __entry->alone_ns,
		      __entry->before_x100 / 100, __entry->before_x100 % 100, __entry->error)
);

#endif /* FSB_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
