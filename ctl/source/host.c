// SPDX-License-Identifier: GPL-2.0-or-later
/* host: the machine a recording was made on, see host.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "source/host.h"

/* The value behind "NAME<blanks>:" in a file of such lines; false when there is none. */
static bool file_value(const char *path, const char *name, char *value, size_t size)
{
	FILE *file = fopen(path, "re");
	size_t len = strlen(name);
	bool found = false;
	char line[256];

	if (!file)
		return false;
	while (!found && fgets(line, sizeof(line), file)) {
		const char *at = line + len;

		if (strncmp(line, name, len))
			continue;
		at += strspn(at, " \t");
		if (*at++ != ':')
			continue;
		at += strspn(at, " \t");
		snprintf(value, size, "%.*s", (int)strcspn(at, "\n"), at);
		found = true;
	}
	fclose(file);
	return found;
}

/* A value of /proc/meminfo, which is in KiB. */
static bool memory_value(const char *name, uint64_t *bytes)
{
	char value[64];

	if (!file_value("/proc/meminfo", name, value, sizeof(value)) ||
	    sscanf(value, "%" SCNu64, bytes) != 1)
		return false;
	*bytes *= 1024;
	return true;
}

void host_describe(struct host *host)
{
	struct utsname names;

	memset(host, 0, sizeof(*host));
	if (uname(&names) == 0) {
		snprintf(host->kernel, sizeof(host->kernel), "%s", names.release);
		snprintf(host->machine, sizeof(host->machine), "%s", names.machine);
	}
	if (!file_value("/proc/cpuinfo", "model name", host->cpu, sizeof(host->cpu)))
		host->cpu[0] = '\0';
	host->cpus = sysconf(_SC_NPROCESSORS_ONLN);
	if (!memory_value("MemTotal", &host->memory_bytes))
		host->memory_bytes = 0;
}

int host_dirty(uint64_t *bytes)
{
	uint64_t dirty, writeback;

	if (!memory_value("Dirty", &dirty) || !memory_value("Writeback", &writeback)) {
		errno = ENODATA;
		return -1;
	}
	*bytes = dirty + writeback;
	return 0;
}
