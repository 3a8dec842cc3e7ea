/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * compat: everything that differs between kernels, found by the probes beside this
 * file.  The rest of the module reads like code for one kernel.
 */
#ifndef FSB_COMPAT_H
#define FSB_COMPAT_H

#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/netlink.h>
#include <net/genetlink.h>

#include "probed.h"

#ifndef CONFIG_64BIT
#error "fsbstat needs a 64-bit kernel: counters are read while they are counted up"
#endif

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
#define fsb_bio_dev(bio)	 ((bio)->bi_bdev->bd_dev)
#elif defined(FSB_HAVE_BIO_TRACEPOINT_QUEUE_BIO)
#define FSB_BIO_PROBE_ARGS void *data, struct request_queue *q, struct bio *bio
#define FSB_BIO_MERGE_PROBE_ARGS \
	void *data, struct request_queue *q, struct request *rq, struct bio *bio
#define fsb_bio_queue(bio) (q)
/* The partition is forgotten before the tracepoint: the disk. */
#define fsb_bio_dev(bio) bio_dev(bio)
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

/* The operation of a request or a bio. */
#ifdef FSB_HAVE_ENUM_REQ_OP
#define fsb_req_op_t enum req_op
#else
#define fsb_req_op_t enum req_opf
#endif

/* Arguments of a function for blk_mq_tagset_busy_iter(). */
#ifdef FSB_HAVE_BUSY_ITER_RQ
#define FSB_BUSY_ITER_ARGS struct request *rq, void *data
#else
#define FSB_BUSY_ITER_ARGS struct request *rq, void *data, bool reserved
#endif

/* What an open block device is held by. */
#ifdef FSB_HAVE_BDEV_FILE
#define fsb_open_bdev_t struct file
#else
#define fsb_open_bdev_t struct block_device
#endif

/**
 * fsb_bdev_open() - open a block device by number, without asking for its medium
 * @dev: number of the device
 *
 * Context: process context, may sleep.
 * Return: what to give to fsb_bdev_close(), or an ERR_PTR.
 */
static inline fsb_open_bdev_t *fsb_bdev_open(dev_t dev)
{
#ifdef FSB_HAVE_BDEV_FILE
	return bdev_file_open_by_dev(dev, BLK_OPEN_READ | BLK_OPEN_NDELAY, NULL, NULL);
#else
	return blkdev_get_by_dev(dev, FMODE_READ | FMODE_NDELAY, NULL);
#endif
}

/**
 * fsb_bdev_close() - counterpart of fsb_bdev_open()
 * @open: what that returned
 */
static inline void fsb_bdev_close(fsb_open_bdev_t *open)
{
#ifdef FSB_HAVE_BDEV_FILE
	bdev_fput(open);
#else
	blkdev_put(open, FMODE_READ | FMODE_NDELAY);
#endif
}

/**
 * fsb_bdev_opened() - the block device that has been opened
 * @open: what fsb_bdev_open() returned
 *
 * Return: the device, valid until fsb_bdev_close().
 */
static inline struct block_device *fsb_bdev_opened(fsb_open_bdev_t *open)
{
#ifdef FSB_HAVE_BDEV_FILE
	return file_bdev(open);
#else
	return open;
#endif
}

/**
 * fsb_bdev_of_file() - the block device a file is
 * @file: an open file of any kind
 *
 * The file system of a node does not matter: opening it leads to the inode of the device itself.
 *
 * Return: the device, valid as long as the file is open, or NULL for another kind of file.
 */
static inline struct block_device *fsb_bdev_of_file(struct file *file)
{
	struct inode *inode = file->f_mapping->host;

	if (!S_ISBLK(file_inode(file)->i_mode) || inode->i_sb->s_magic != BDEVFS_MAGIC)
		return NULL;
	return I_BDEV(inode);
}

/**
 * fsb_bdev_lookup() - the number of a block device's node
 * @path: of the node
 * @dev: where to
 *
 * Context: process context, may sleep.
 * Return: 0 or an error.
 */
static inline int fsb_bdev_lookup(const char *path, dev_t *dev)
{
#ifdef FSB_HAVE_LOOKUP_BDEV_DEV
	return lookup_bdev(path, dev);
#else
	struct block_device *bdev = lookup_bdev(path);

	if (IS_ERR(bdev))
		return PTR_ERR(bdev);
	*dev = bdev->bd_dev;
	bdput(bdev);
	return 0;
#endif
}

/**
 * fsb_dump_attrs() - the attributes of the request that began a dump
 * @cb: the dump
 *
 * Return: by type.
 */
static inline struct nlattr **fsb_dump_attrs(struct netlink_callback *cb)
{
#ifdef FSB_HAVE_GENL_INFO_DUMP
	return genl_info_dump(cb)->attrs;
#else
	return genl_dumpit_info(cb)->attrs;
#endif
}

#endif /* FSB_COMPAT_H */
