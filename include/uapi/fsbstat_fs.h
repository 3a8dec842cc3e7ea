/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * Attributes of filesystems and of those who use them.  Part of fsbstat.h, which says
 * how they travel.
 */
#ifndef _UAPI_FSBSTAT_FS_H
#define _UAPI_FSBSTAT_FS_H

/**
 * enum fsbstat_fs_all_attr - what could not be counted for a superblock
 * @FSBSTAT_A_FS_ALL_UNSPEC: never used
 * @FSBSTAT_A_FS_ALL_PAD: alignment of 64-bit values
 * @FSBSTAT_A_FS_ALL_MISSED: u64, calls that went unseen for want of a free probe
 *	instance
 * @FSBSTAT_A_FS_ALL_LOST: u64, calls on superblocks beyond those there is room for
 * @FSBSTAT_A_FS_ALL_SINCE: u64, since when all is counted without a gap, ns; 0: it is not
 */
enum fsbstat_fs_all_attr {
	FSBSTAT_A_FS_ALL_UNSPEC,
	FSBSTAT_A_FS_ALL_PAD,
	FSBSTAT_A_FS_ALL_MISSED,
	FSBSTAT_A_FS_ALL_LOST,
	FSBSTAT_A_FS_ALL_SINCE,
};

#define FSBSTAT_A_FS_ALL_MAX FSBSTAT_A_FS_ALL_SINCE

/**
 * enum fsbstat_fs_attr - one superblock, since it was first seen
 * @FSBSTAT_A_FS_UNSPEC: never used
 * @FSBSTAT_A_FS_PAD: alignment of 64-bit values
 * @FSBSTAT_A_FS_MAJOR: u32, of s_dev: the block device, or a number that
 *	/proc/self/mountinfo shows (btrfs)
 * @FSBSTAT_A_FS_MINOR: u32
 * @FSBSTAT_A_FS_TYPE: string, name of the filesystem
 * @FSBSTAT_A_FS_FSYNCS: u64, calls of its fsync operation: fsync, fdatasync, msync,
 *	writes with O_SYNC; those under way too
 * @FSBSTAT_A_FS_ERRORS: u64, calls that returned an error
 * @FSBSTAT_A_FS_COMMITS: u64, commits of its jbd2 journal
 * @FSBSTAT_A_FS_LATENCY: nest of &enum fsbstat_hist_attr without QUEUE, CLASS and
 *	KIND: entry to return of the calls that have returned
 */
enum fsbstat_fs_attr {
	FSBSTAT_A_FS_UNSPEC,
	FSBSTAT_A_FS_PAD,
	FSBSTAT_A_FS_MAJOR,
	FSBSTAT_A_FS_MINOR,
	FSBSTAT_A_FS_TYPE,
	FSBSTAT_A_FS_FSYNCS,
	FSBSTAT_A_FS_ERRORS,
	FSBSTAT_A_FS_COMMITS,
	FSBSTAT_A_FS_LATENCY,
};

#define FSBSTAT_A_FS_MAX FSBSTAT_A_FS_LATENCY

/* Bytes of a task's name, with the 0 at its end. */
#define FSBSTAT_COMM_LEN 16U

/**
 * enum fsbstat_owner_attr - a task group that submitted bios or called fsync
 * @FSBSTAT_A_OWNER_UNSPEC: never used
 * @FSBSTAT_A_OWNER_PAD: alignment of 64-bit values
 * @FSBSTAT_A_OWNER_OTHER: flag, everything the table had no room for
 * @FSBSTAT_A_OWNER_TGID: u32, process number in the initial pid namespace
 * @FSBSTAT_A_OWNER_COMM: string, name of the task
 * @FSBSTAT_A_OWNER_MAJOR: u32, for bios of the partition they were sent to, for
 *	fsync of the superblock (s_dev)
 * @FSBSTAT_A_OWNER_MINOR: u32
 * @FSBSTAT_A_OWNER_BIO: nest of &enum fsbstat_bio_attr; merges have no owner and are 0
 * @FSBSTAT_A_OWNER_FSYNCS: u64, calls
 */
enum fsbstat_owner_attr {
	FSBSTAT_A_OWNER_UNSPEC,
	FSBSTAT_A_OWNER_PAD,
	FSBSTAT_A_OWNER_OTHER,
	FSBSTAT_A_OWNER_TGID,
	FSBSTAT_A_OWNER_COMM,
	FSBSTAT_A_OWNER_MAJOR,
	FSBSTAT_A_OWNER_MINOR,
	FSBSTAT_A_OWNER_BIO,
	FSBSTAT_A_OWNER_FSYNCS,
};

#define FSBSTAT_A_OWNER_MAX FSBSTAT_A_OWNER_FSYNCS

#endif /* _UAPI_FSBSTAT_FS_H */
