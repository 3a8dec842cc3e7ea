// SPDX-License-Identifier: GPL-2.0-or-later
/* filesystem: a table of filesystems, as a user may have one. */
#include "bench/filesystem.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct filesystem_table table = { .nr = 0 };
	struct trouble trouble;

	filesystem_table_read(&table, fuzz_file(data, size), &trouble);
	filesystem_table_free(&table);
	return 0;
}
