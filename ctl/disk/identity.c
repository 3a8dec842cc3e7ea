// SPDX-License-Identifier: GPL-2.0-or-later
/* identity: see identity.h. */
#include "disk/identity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "disk/kfile.h"

#define UDEV_MAX 16384

/* IDENTIFY DEVICE inside the ATA Information page: words are little endian pairs. */
#define PG89_IDENTIFY 60
#define WORD_SERIAL 10
#define WORD_FIRMWARE 23
#define WORD_MODEL 27

/* Copies printable ASCII without white space at the ends; hardware may send anything. */
static void clean(char *dst, size_t size, const char *src, size_t len)
{
	size_t used = 0;

	for (size_t i = 0; i < len && src[i] && used < size - 1; i++) {
		unsigned char c = (unsigned char)src[i];

		if (c < 0x20 || c == 0x7f || (c == ' ' && !used))
			continue;
		dst[used++] = c < 0x7f ? (char)c : '?';
	}
	while (used && dst[used - 1] == ' ')
		used--;
	dst[used] = '\0';
}

static void clean_attribute(char *dst, size_t size, const struct blockdev *dev, const char *name)
{
	char text[256];

	if (!*dst && !kfile_read(text, sizeof(text), "%s/%s", dev->dir, name))
		clean(dst, size, text, sizeof(text));
}

static void clean_words(char *dst, size_t size, const unsigned char *identify, size_t word,
			size_t chars)
{
	char text[64];

	for (size_t i = 0; i < chars; i++)
		text[i] = (char)identify[2 * word + (i ^ 1)];
	clean(dst, size, text, chars);
}

/* The SCSI attributes cut an ATA drive's model and firmware short; this page does not. */
static void read_ata_page(const struct blockdev *dev, struct disk_info *info)
{
	unsigned char page[PG89_IDENTIFY + 512];
	const unsigned char *identify = page + PG89_IDENTIFY;

	if (kfile_bytes(page, sizeof(page), "%s/device/vpd_pg89", dev->dir) != sizeof(page) ||
	    page[1] != 0x89)
		return;
	clean_words(info->serial, sizeof(info->serial), identify, WORD_SERIAL, 20);
	clean_words(info->firmware, sizeof(info->firmware), identify, WORD_FIRMWARE, 8);
	clean_words(info->model, sizeof(info->model), identify, WORD_MODEL, 40);
}

static void read_serial_page(const struct blockdev *dev, struct disk_info *info)
{
	unsigned char page[4 + 252];
	ssize_t n = kfile_bytes(page, sizeof(page), "%s/device/vpd_pg80", dev->dir);
	size_t len;

	if (*info->serial || n < 4 || page[1] != 0x80)
		return;
	len = (size_t)page[2] << 8 | page[3];
	if (len > (size_t)n - 4)
		len = (size_t)n - 4;
	clean(info->serial, sizeof(info->serial), (char *)page + 4, len);
}

static void read_scsi_model(const struct blockdev *dev, struct disk_info *info)
{
	char vendor[32] = "", model[64] = "";

	if (*info->model)
		return;
	clean_attribute(vendor, sizeof(vendor), dev, "device/vendor");
	clean_attribute(model, sizeof(model), dev, "device/model");
	/* The vendor of every ATA drive is "ATA"; some models repeat the vendor. */
	if (!*model || !*vendor || !strcmp(vendor, "ATA") ||
	    !strncmp(model, vendor, strlen(vendor)))
		snprintf(info->model, sizeof(info->model), "%s", model);
	else
		snprintf(info->model, sizeof(info->model), "%s %s", vendor, model);
}

/* "naa.5000c500a1b2c3d4" is written 0x5000c500a1b2c3d4, as udev and by-id do. */
static void read_wwn(const struct blockdev *dev, struct disk_info *info)
{
	char id[sizeof(info->wwn)] = "";

	clean_attribute(id, sizeof(id), dev, "wwid");
	clean_attribute(id, sizeof(id), dev, "device/wwid");
	if (!strncmp(id, "naa.", 4))
		snprintf(info->wwn, sizeof(info->wwn), "0x%s", id + 4);
	else if (strncmp(id, "t10.", 4)) /* vendor, model and serial: no name of its own */
		snprintf(info->wwn, sizeof(info->wwn), "%s", id);
}

/* udev writes what is not plain as \xNN. */
static size_t decode(char *text)
{
	char *to = text;

	for (const char *from = text; *from && *from != '\n'; to++) {
		unsigned int code;

		if (sscanf(from, "\\x%2x", &code) == 1) {
			*to = (char)code;
			from += strnlen(from, 4);
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
	return (size_t)(to - text);
}

static void from_udev(char *dst, size_t size, const char *database, const char *key)
{
	char text[256];
	const char *at;

	at = *dst ? NULL : strstr(database, key);
	if (!at)
		return;
	snprintf(text, sizeof(text), "%.*s", (int)strcspn(at + strlen(key), "\n"),
		 at + strlen(key));
	clean(dst, size, text, decode(text));
}

/* The link there is: by WWN if there is one, else the first. */
static bool is_better(const char *link, const char *best)
{
	bool is_wwn = !strncmp(link, "wwn-", 4), best_is_wwn = !strncmp(best, "wwn-", 4);

	return !*best || (is_wwn != best_is_wwn ? is_wwn : strverscmp(link, best) < 0);
}

/* "../../cciss/c0d0" leads to the device that sysfs calls cciss!c0d0. */
static bool leads_to(const char *link, const char *name)
{
	char path[PATH_MAX], target[256], *at = target;
	ssize_t n;

	if (kfile_path(path, sizeof(path), "/dev/disk/by-id/%s", link))
		return false;
	n = readlink(path, target, sizeof(target) - 1);
	if (n <= 0)
		return false;
	target[n] = '\0';
	while (!strncmp(at, "../", 3))
		at += 3;
	for (char *c = at; *c; c++)
		if (*c == '/')
			*c = '!';
	return !strcmp(at, name);
}

static void take_link(const struct blockdev *dev, struct disk_info *info, const char *link)
{
	char name[sizeof(info->by_id)];

	clean(name, sizeof(name), link, strlen(link));
	if (is_better(name, info->by_id) && leads_to(link, dev->name))
		memcpy(info->by_id, name, sizeof(name));
}

/* Links that are the device's, unless another one that is the same to udev has them. */
static void links_from_udev(const struct blockdev *dev, struct disk_info *info,
			    const char *database)
{
	static const char key[] = "S:disk/by-id/";
	char link[sizeof(info->by_id)];

	for (const char *at = database; at; at = strchr(at, '\n')) {
		at += *at == '\n';
		if (strncmp(at, key, strlen(key)))
			continue;
		at += strlen(key);
		snprintf(link, sizeof(link), "%.*s", (int)strcspn(at, "\n"), at);
		take_link(dev, info, link);
	}
}

/* False when udev has noted nothing of it. */
static bool read_udev(const struct blockdev *dev, struct disk_info *info)
{
	bool noted = false;
	char *database = malloc(UDEV_MAX);

	if (database &&
	    !kfile_read(database, UDEV_MAX, "/run/udev/data/b%u:%u", dev->major, dev->minor)) {
		from_udev(info->serial, sizeof(info->serial), database, "\nE:ID_SERIAL_SHORT=");
		from_udev(info->wwn, sizeof(info->wwn), database, "\nE:ID_WWN_WITH_EXTENSION=");
		from_udev(info->wwn, sizeof(info->wwn), database, "\nE:ID_WWN=");
		from_udev(info->model, sizeof(info->model), database, "\nE:ID_MODEL_ENC=");
		from_udev(info->firmware, sizeof(info->firmware), database, "\nE:ID_REVISION=");
		links_from_udev(dev, info, database);
		noted = true;
	}
	free(database);
	return noted;
}

static void read_by_id(const struct blockdev *dev, struct disk_info *info)
{
	char **names;
	int nr = kfile_names(&names, "/dev/disk/by-id");

	for (int i = 0; i < nr; i++)
		take_link(dev, info, names[i]);
	kfile_names_free(names, nr > 0 ? nr : 0);
}

/* Parallel ATA hangs off libata as well, but its link has no speed. */
static const char *ata_transport(const char *dir, const char *ata)
{
	unsigned int port;
	char speed[32];

	if (sscanf(ata, "/ata%u/", &port) == 1 &&
	    !kfile_read(speed, sizeof(speed), "%.*s/ata%u/link%u/ata_link/link%u/sata_spd",
			(int)(ata - dir), dir, port, port, port) &&
	    !strcmp(speed, "<unknown>"))
		return "ata";
	return "sata";
}

/* Which bus a disk hangs on, told by the devices its directory lies below. */
static void read_transport(const struct blockdev *dev, struct disk_info *info)
{
	static const struct {
		const char *part, *name;
	} buses[] = {
		{ "/usb", "usb" },	 { "/ata", "sata" },	   { "/end_device-", "sas" },
		{ "/rport-", "fc" },	 { "/session", "iscsi" },  { "/nvme", "nvme" },
		{ "/mmc_host/", "mmc" }, { "/block/loop", "loop" }, { "/block/nbd", "nbd" },
		{ "/host", "scsi" },	 { "/virtio", "virtio" }, { "/vbd-", "xen" },
	};

	for (size_t i = 0; i < sizeof(buses) / sizeof(*buses); i++) {
		const char *at = strstr(dev->dir, buses[i].part);

		if (!at)
			continue;
		snprintf(info->transport, sizeof(info->transport), "%s",
			 strcmp(buses[i].name, "sata") ? buses[i].name :
							 ata_transport(dev->dir, at));
		return;
	}
}

void identity_read(const struct blockdev *dev, struct disk_info *info)
{
	read_ata_page(dev, info);
	clean_attribute(info->serial, sizeof(info->serial), dev, "device/serial");
	clean_attribute(info->serial, sizeof(info->serial), dev, "serial");
	read_serial_page(dev, info);
	read_scsi_model(dev, info);
	clean_attribute(info->model, sizeof(info->model), dev, "device/name");
	clean_attribute(info->firmware, sizeof(info->firmware), dev, "device/firmware_rev");
	clean_attribute(info->firmware, sizeof(info->firmware), dev, "device/rev");
	clean_attribute(info->firmware, sizeof(info->firmware), dev, "device/fwrev");
	read_wwn(dev, info);
	/* Looking through all links for each disk would cost by the square of their number. */
	if (!read_udev(dev, info))
		read_by_id(dev, info);
	read_transport(dev, info);
}
