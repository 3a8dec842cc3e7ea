/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * compat: everything that differs between kernels, found by the probes beside this
 * file.  The rest of the module reads like code for one kernel.
 */
#ifndef FSB_COMPAT_H
#define FSB_COMPAT_H

#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/netlink.h>

#include "probed.h"

/* Arguments of the probes of block_rq_issue, block_rq_requeue and block_rq_merge. */
#if defined(FSB_HAVE_RQ_TRACEPOINT_RQ)
#define FSB_RQ_PROBE_ARGS void *data, struct request *rq
#elif defined(FSB_HAVE_RQ_TRACEPOINT_QUEUE_RQ)
#define FSB_RQ_PROBE_ARGS void *data, struct request_queue *q, struct request *rq
#else
#error "block_rq_issue: this kernel's tracepoint takes arguments fsbstat does not know"
#endif

/* The error argument of block_rq_complete; 0 is success in both. */
#if defined(FSB_HAVE_RQ_COMPLETE_STATUS)
#define fsb_rq_error_t blk_status_t
#elif defined(FSB_HAVE_RQ_COMPLETE_ERRNO)
#define fsb_rq_error_t int
#else
#error "block_rq_complete: this kernel's tracepoint takes arguments fsbstat does not know"
#endif

/* Arguments of the bio probes and the queue a bio goes to. */
#if defined(FSB_HAVE_BIO_TRACEPOINT_BIO)
#define FSB_BIO_PROBE_ARGS	 void *data, struct bio *bio
#define FSB_BIO_MERGE_PROBE_ARGS void *data, struct bio *bio
#define fsb_bio_queue(bio)	 bdev_get_queue((bio)->bi_bdev)
#elif defined(FSB_HAVE_BIO_TRACEPOINT_QUEUE_BIO)
#define FSB_BIO_PROBE_ARGS void *data, struct request_queue *q, struct bio *bio
#define FSB_BIO_MERGE_PROBE_ARGS \
	void *data, struct request_queue *q, struct request *rq, struct bio *bio
#define fsb_bio_queue(bio) (q)
#else
#error "block_bio_queue: this kernel's tracepoint takes arguments fsbstat does not know"
#endif

/*
 * An extended ack made by printf.  Kernels before 6.2 keep only a pointer to the text,
 * and read it after the operation has returned: there the text lies in one of a few
 * static buffers, used in turn.
 */
#ifdef NL_SET_ERR_MSG_FMT
#define fsb_extack_printf NL_SET_ERR_MSG_FMT
#else
#define FSB_EXTACK_TEXTS 8
#define fsb_extack_printf(extack, format, ...)	\
	do {	\
		static char text[FSB_EXTACK_TEXTS][128];	\
		static atomic_t turn;	\
		struct netlink_ext_ack *__extack = (extack);	\
		char *__text = text[(u32)atomic_inc_return(&turn) % FSB_EXTACK_TEXTS];	\
	\
		snprintf(__text, sizeof(text[0]), format, ##__VA_ARGS__);	\
		if (__extack)	\
			__extack->_msg = __text;	\
	} while (0)
#endif

/**
 * fsb_bdev_open() - open a block device by number, without asking for its medium
 * @dev: number of the device
 *
 * Context: process context, may sleep.
 * Return: the device, to be given to fsb_bdev_close(), or an ERR_PTR.
 */
static inline struct block_device *fsb_bdev_open(dev_t dev)
{
	return blkdev_get_by_dev(dev, FMODE_READ | FMODE_NDELAY, NULL);
}

/**
 * fsb_bdev_close() - counterpart of fsb_bdev_open()
 * @bdev: the device
 */
static inline void fsb_bdev_close(struct block_device *bdev)
{
	blkdev_put(bdev, FMODE_READ | FMODE_NDELAY);
}

/**
 * fsb_queue_disk_gone() - whether the disk of a queue has been removed
 * @queue: the queue, referenced by the caller
 *
 * A queue can outlive its disk (sd unbound from its SCSI device), so the queue's
 * own flag does not tell.  The gendisk is freed after a grace period (the inode of
 * its first block device), hence the RCU section.
 *
 * Return: true when no request can come any more.
 */
static inline bool fsb_queue_disk_gone(struct request_queue *queue)
{
	struct gendisk *disk;
	bool gone;

	if (blk_queue_dying(queue))
		return true;
	rcu_read_lock();
	disk = READ_ONCE(queue->disk);
	gone = !disk || test_bit(GD_DEAD, &disk->state);
	rcu_read_unlock();
	return gone;
}

#endif /* FSB_COMPAT_H */
