// SPDX-License-Identifier: GPL-2.0-or-later
/* test_ata_taskfile: which kind a command is, for every command code there is. */
#include <fsbstat_ata.h>

#include "unit.h"

/* The low bits of DEVICE are a drive's tag and LBA mode: no part of the answer. */
#define LBA 0x40
#define FUA 0x80

static void test_queued(void **state)
{
	(void)state;
	for (int command = 0; command < 256; command++) {
		enum fsbstat_ata_kind kind = fsbstat_ata_kind((__u8)command, LBA, 1);

		if (command == 0x60)
			assert_int_equal(kind, FSBSTAT_ATA_NCQ_READ);
		else if (command == 0x61)
			assert_int_equal(kind, FSBSTAT_ATA_NCQ_WRITE);
		else /* NON-DATA, SEND, RECEIVE (0x63 to 0x65), and whatever comes */
			assert_int_equal(kind, FSBSTAT_ATA_NCQ_OTHER);
	}
}

static void test_queued_fua(void **state)
{
	(void)state;
	assert_int_equal(fsbstat_ata_kind(0x61, FUA | LBA, 1), FSBSTAT_ATA_NCQ_FUA_WRITE);
	assert_int_equal(fsbstat_ata_kind(0x61, FUA, 1), FSBSTAT_ATA_NCQ_FUA_WRITE);
	assert_int_equal(fsbstat_ata_kind(0x61, 0x7f, 1), FSBSTAT_ATA_NCQ_WRITE);
	/* Reads may carry the bit too (past the drive's cache); they are reads. */
	assert_int_equal(fsbstat_ata_kind(0x60, FUA | LBA, 1), FSBSTAT_ATA_NCQ_READ);
	assert_int_equal(fsbstat_ata_kind(0x64, FUA, 1), FSBSTAT_ATA_NCQ_OTHER);
}

static void test_not_queued(void **state)
{
	static const struct {
		__u8 command;
		enum fsbstat_ata_kind kind;
	} known[] = {
		{ 0xE7, FSBSTAT_ATA_FLUSH }, /* FLUSH CACHE */
		{ 0xEA, FSBSTAT_ATA_FLUSH }, /* FLUSH CACHE EXT */
		{ 0x06, FSBSTAT_ATA_TRIM }, /* DATA SET MANAGEMENT */
		{ 0x3D, FSBSTAT_ATA_FUA_WRITE }, /* WRITE DMA FUA EXT */
		{ 0xCE, FSBSTAT_ATA_FUA_WRITE }, /* WRITE MULTIPLE FUA EXT */
	};

	(void)state;
	for (int command = 0; command < 256; command++) {
		enum fsbstat_ata_kind expected = FSBSTAT_ATA_OTHER;

		for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
			if (known[i].command == command)
				expected = known[i].kind;
		/* READ and WRITE DMA (EXT), PIO, IDENTIFY, SMART, SET FEATURES ... */
		assert_int_equal(fsbstat_ata_kind((__u8)command, LBA, 0), expected);
		assert_int_equal(fsbstat_ata_kind((__u8)command, FUA | LBA, 0), expected);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_queued),
		cmocka_unit_test(test_queued_fua),
		cmocka_unit_test(test_not_queued),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
