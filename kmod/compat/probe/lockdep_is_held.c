// SPDX-License-Identifier: GPL-2.0-only
/* lockdep_is_held() is there without CONFIG_LOCKDEP too: since 5.11. */
#include <linux/mutex.h>

int fsb_check(struct mutex *lock);
int fsb_check(struct mutex *lock)
{
	return lockdep_is_held(lock);
}
