// SPDX-License-Identifier: GPL-2.0-or-later
/* settings_key: what a disk's saved settings are filed under; see settings_state.h. */
#include "disk/settings_state.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "disk/kfile.h"
#include "hash.h"

#define FILE_STEM_MAX 160

void state_key(const struct disk_info *info, char key[STATE_KEY_MAX])
{
	if (*info->wwn && *info->serial)
		snprintf(key, STATE_KEY_MAX, "wwn-%s_%s", info->wwn, info->serial);
	else if (*info->wwn)
		snprintf(key, STATE_KEY_MAX, "wwn-%s", info->wwn);
	else if (*info->serial)
		snprintf(key, STATE_KEY_MAX, "serial-%s_%s", info->model, info->serial);
	else /* the sequence number belongs to this appearance of the disk alone */
		snprintf(key, STATE_KEY_MAX, "name-%s_%lld", info->disk.name,
			 (long long)kfile_number("/sys/dev/block/%u:%u/diskseq", info->disk.major,
						 info->disk.minor));
}

void state_file_name(const char *key, char *buf, size_t size)
{
	char stem[FILE_STEM_MAX + 1];
	bool changed = strlen(key) > FILE_STEM_MAX;
	size_t used = 0;

	for (; key[used] && used < FILE_STEM_MAX; used++) {
		bool plain = isalnum((unsigned char)key[used]) || strchr("-._+", key[used]);

		stem[used] = plain ? key[used] : '_';
		changed |= !plain;
	}
	stem[used] = '\0';
	if (changed)
		snprintf(buf, size, "%s~%016llx.json", stem, (unsigned long long)hash_text(key));
	else
		snprintf(buf, size, "%s.json", stem);
}
