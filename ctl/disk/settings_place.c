// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * settings_place: whose saved values are, where several disks call themselves the same; see
 * settings_state.h.
 */
#include "disk/settings_state.h"

#include <stdio.h>
#include <string.h>

#include "disk/kfile.h"

enum state_fit state_fits(const struct settings_state *state, const struct disk_info *info)
{
	char boot[sizeof(state->boot)];
	struct disk_place place;

	disk_place(info, &place);
	if (state->place.diskseq >= 0 && state->place.diskseq == place.diskseq &&
	    !kfile_read(boot, sizeof(boot), "/proc/sys/kernel/random/boot_id") &&
	    !strcmp(boot, state->boot))
		return FIT_CERTAIN;
	if (state->place.size && place.size && state->place.size != place.size)
		return FIT_NOT;
	/* A file of an earlier version says neither. */
	if (!*state->place.port || !strcmp(state->place.port, place.port))
		return FIT_PORT;
	return FIT_PERHAPS;
}

int state_disk(const struct settings_state *state, struct disk *disk, char perhaps[DISK_NAME_MAX])
{
	enum state_fit best = FIT_NOT, fit;
	char key[STATE_KEY_MAX];
	struct disk_info info;
	struct disk_set set;
	size_t same = 0; /* that fit as well as the best */

	*perhaps = '\0';
	if (disk_all(&set))
		return -1;
	for (size_t i = 0; i < set.nr; i++) {
		if (disk_describe(&set.disk[i], &info))
			continue;
		state_key(&info, key);
		if (strcmp(key, state->key))
			continue;
		fit = state_fits(state, &info);
		if (fit < best)
			continue;
		same = fit > best ? 1 : same + 1;
		best = fit;
		*disk = set.disk[i];
		memcpy(perhaps, set.disk[i].name, sizeof(set.disk[i].name));
	}
	disk_set_free(&set);
	/* A WWN is no other disk's, so that it may have moved; serial numbers repeat. */
	if (best == FIT_PERHAPS && !strncmp(state->key, "wwn-", 4))
		best = FIT_PORT;
	return same == 1 && best >= FIT_PORT ? 0 : -1;
}
