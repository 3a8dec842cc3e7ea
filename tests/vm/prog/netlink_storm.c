// SPDX-License-Identifier: GPL-2.0-or-later
// build: -Iinclude/uapi
/*
 * netlink_storm MESSAGES SEED: sends the module that many messages, most of them wrong in some way,
 * over sockets that come and go, and says as one JSON object what came of it: how many were sent,
 * how often each error was the answer (errors), which commands did well (done).  Half of the
 * messages are sent by one process, the others by a second one and, a tenth of all, by one without
 * privileges.  The disks are those there at the time.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/genetlink.h>
#include <linux/netlink.h>

#include <fsbstat.h>

#define SOCKETS	   48
#define BATCH	   96
#define ROOM	   262144
#define DISKS_MAX  64
#define ERRORS	   140
#define COMMANDS   32
#define OPENED_MAX 16
#define LOOK_EVERY 64 /* batches: which disks there are */

struct counts {
	unsigned long sent, batches, sockets, interrupted;
	unsigned long errors[ERRORS]; /* answers by error number; 0: acknowledged */
	unsigned long done[COMMANDS]; /* messages of replies by command */
};

struct disk {
	uint32_t major, minor;
};

struct sender {
	struct counts *counts;
	uint64_t random;
	uint16_t family;
	int socket[SOCKETS];
	struct disk disk[DISKS_MAX];
	unsigned int nr_disks;
	int opened[OPENED_MAX];
	unsigned int nr_opened;
	uint32_t sequence;
	char out[ROOM];
	size_t used, last; /* where the last message begins */
};

static void die(const char *what)
{
	perror(what);
	exit(1);
}

/* Xorshift: the same seed sends the same. */
static uint32_t draw(struct sender *sender, uint32_t below)
{
	sender->random ^= sender->random << 13;
	sender->random ^= sender->random >> 7;
	sender->random ^= sender->random << 17;
	return (uint32_t)(sender->random >> 32) % below;
}

static bool chance(struct sender *sender, uint32_t of)
{
	return !draw(sender, of);
}

/* --- attributes --- */

static void put(struct sender *sender, unsigned int type, const void *data, size_t len)
{
	struct nlattr attr = { .nla_len = (uint16_t)(NLA_HDRLEN + len),
			       .nla_type = (uint16_t)type };

	memcpy(sender->out + sender->used, &attr, sizeof(attr));
	memcpy(sender->out + sender->used + NLA_HDRLEN, data, len);
	memset(sender->out + sender->used + NLA_HDRLEN + len, 0, NLA_ALIGN(len) - len);
	sender->used += NLA_HDRLEN + NLA_ALIGN(len);
}

static uint32_t odd_number(struct sender *sender)
{
	static const uint32_t odd[] = { 0,	1,	 2,	   0x7f,       0xff,	 0xfff,
					0x1000, 0xfffff, 0x100000, 0x7fffffff, 1U << 31, ~0U };

	return chance(sender, 3) ? (uint32_t)sender->random :
				   odd[draw(sender, sizeof(odd) / sizeof(odd[0]))];
}

/* A value of another size or type than the attribute has, or a nest. */
static void put_odd(struct sender *sender, unsigned int type)
{
	static const uint16_t sizes[] = { 0, 1, 2, 3, 4, 5, 8, 12, 64, 255 };
	unsigned char bytes[256];
	uint32_t number = odd_number(sender);
	size_t len = sizes[draw(sender, sizeof(sizes) / sizeof(sizes[0]))];

	memset(bytes, (int)draw(sender, 256), sizeof(bytes));
	memcpy(bytes, &number, sizeof(number));
	if (chance(sender, 4))
		type = draw(sender, FSBSTAT_A_MAX + 4);
	if (chance(sender, 8))
		type |= chance(sender, 2) ? NLA_F_NESTED : NLA_F_NET_BYTEORDER;
	if (chance(sender, 8)) {
		struct nlattr inner = { .nla_len = (uint16_t)draw(sender, 24),
					.nla_type = (uint16_t)draw(sender, 40) };

		memcpy(bytes, &inner, sizeof(inner));
	}
	put(sender, type, bytes, len);
}

/* A disk that is there, one that was, or a number. */
static struct disk pick_disk(struct sender *sender)
{
	if (sender->nr_disks && !chance(sender, 12))
		return sender->disk[draw(sender, sender->nr_disks)];
	return (struct disk){ draw(sender, 300), draw(sender, 64) };
}

/* One of a disk that is there or was, of another file, or a number. */
static uint32_t pick_descriptor(struct sender *sender)
{
	if (sender->nr_opened && !chance(sender, 12))
		return (uint32_t)sender->opened[draw(sender, sender->nr_opened)];
	return chance(sender, 2) ? draw(sender, 64) : odd_number(sender);
}

/* What the command takes, or nearly. */
static void put_attributes(struct sender *sender, unsigned int command, bool odd)
{
	const uint32_t abi = odd && chance(sender, 8) ? odd_number(sender) : FSBSTAT_ABI;
	const struct disk disk = pick_disk(sender);
	const uint8_t cache = (uint8_t)draw(sender, FSBSTAT_WRITE_CACHE_MAX + (odd ? 2U : 1U));
	bool whole = command == FSBSTAT_CMD_MODULE_GET || command == FSBSTAT_CMD_FS_GET ||
		     command == FSBSTAT_CMD_CALLERS_GET;
	bool adds = command == FSBSTAT_CMD_DISK_ADD;
	const uint32_t fd = pick_descriptor(sender);

	if (!odd || !chance(sender, 12))
		put(sender, FSBSTAT_A_ABI, &abi, sizeof(abi));
	if (adds && (!odd || !chance(sender, 12)))
		put(sender, FSBSTAT_A_FD, &fd, sizeof(fd));
	if (!adds && !whole && (!odd || !chance(sender, 12)))
		put(sender, FSBSTAT_A_MAJOR, &disk.major, sizeof(disk.major));
	if (!adds && !whole && (!odd || !chance(sender, 12)))
		put(sender, FSBSTAT_A_MINOR, &disk.minor, sizeof(disk.minor));
	if ((adds || command == FSBSTAT_CMD_DISK_DEL) && chance(sender, 4))
		put(sender, FSBSTAT_A_PERMANENT, "", 0);
	if (command == FSBSTAT_CMD_DISK_SET)
		put(sender, FSBSTAT_A_WRITE_CACHE, &cache, sizeof(cache));
	while (odd && chance(sender, 3))
		put_odd(sender, FSBSTAT_A_ABI + draw(sender, FSBSTAT_A_MAX));
}

/* --- messages --- */

/*
 * Adding and removing costs the most, a snapshot somewhat less; the rest is quick.  All of them
 * come often enough to meet one another.  A socket has one dump at a time, so there are few.
 */
static unsigned int pick_command(struct sender *sender)
{
	static const uint8_t often[] = { FSBSTAT_CMD_MODULE_GET, FSBSTAT_CMD_DISK_GET,
					 FSBSTAT_CMD_DISK_SET };
	static const uint8_t dumps[] = { FSBSTAT_CMD_FS_GET, FSBSTAT_CMD_CALLERS_GET,
					 FSBSTAT_CMD_OWNERS_GET, FSBSTAT_CMD_DISK_GET,
					 FSBSTAT_CMD_SNAPSHOT_GET };
	uint32_t dice = draw(sender, 256);

	if (dice < 2)
		return FSBSTAT_CMD_DISK_ADD;
	if (dice < 5)
		return FSBSTAT_CMD_DISK_DEL;
	if (dice < 12)
		return dumps[draw(sender, sizeof(dumps))];
	if (dice < 20)
		return draw(sender, 256);
	return often[draw(sender, sizeof(often))];
}

static uint16_t pick_flags(struct sender *sender, unsigned int command, bool odd)
{
	bool dump = command == FSBSTAT_CMD_SNAPSHOT_GET || command == FSBSTAT_CMD_FS_GET ||
		    command == FSBSTAT_CMD_OWNERS_GET || command == FSBSTAT_CMD_CALLERS_GET ||
		    (command == FSBSTAT_CMD_DISK_GET && chance(sender, 32));

	if (odd && chance(sender, 8))
		return (uint16_t)(NLM_F_REQUEST | draw(sender, 65536));
	return (uint16_t)(NLM_F_REQUEST | (dump ? NLM_F_DUMP : NLM_F_ACK));
}

static void put_message(struct sender *sender)
{
	unsigned int command = pick_command(sender);
	size_t from = sender->used;
	bool odd = chance(sender, 2);
	struct nlmsghdr head = { .nlmsg_type = sender->family,
				 .nlmsg_flags = pick_flags(sender, command, odd),
				 .nlmsg_seq = ++sender->sequence };
	struct genlmsghdr genl = { .cmd = (uint8_t)command, .version = FSBSTAT_GENL_VERSION };

	if (odd && chance(sender, 16))
		genl.version = (uint8_t)draw(sender, 256);
	sender->used += NLMSG_HDRLEN;
	memcpy(sender->out + sender->used, &genl, sizeof(genl));
	sender->used += GENL_HDRLEN;
	put_attributes(sender, command, odd);
	head.nlmsg_len = (uint32_t)(sender->used - from);
	memcpy(sender->out + from, &head, sizeof(head));
	sender->last = from;
	sender->counts->sent++;
}

/*
 * Lengths that are not those of what is there: of an attribute, of the message.  Done to the last
 * message of a batch alone, since the kernel would not find those behind it.
 */
static void damage(struct sender *sender)
{
	struct nlmsghdr *head = (struct nlmsghdr *)(sender->out + sender->last);
	size_t first = sender->last + NLMSG_HDRLEN + GENL_HDRLEN;
	uint16_t len = (uint16_t)(chance(sender, 2) ? draw(sender, 12) : draw(sender, 65536));

	if (chance(sender, 2) && sender->used > first)
		memcpy(sender->out + first, &len, sizeof(len));
	else if (chance(sender, 2))
		head->nlmsg_len = NLMSG_HDRLEN + draw(sender, head->nlmsg_len);
	else
		head->nlmsg_len += draw(sender, 64);
}

/* --- sockets --- */

static int open_socket(struct sender *sender)
{
	struct sockaddr_nl address = { .nl_family = AF_NETLINK };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	const int on = 1, little = 4096;

	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)))
		die("socket");
	if (chance(sender, 2))
		setsockopt(fd, SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof(on));
	if (chance(sender, 2))
		setsockopt(fd, SOL_NETLINK, NETLINK_CAP_ACK, &on, sizeof(on));
	if (chance(sender, 4))
		setsockopt(fd, SOL_NETLINK, NETLINK_GET_STRICT_CHK, &on, sizeof(on));
	if (chance(sender, 4))
		setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &little, sizeof(little));
	sender->counts->sockets++;
	return fd;
}

static void take(struct sender *sender, const char *bytes, ssize_t got)
{
	const struct nlmsghdr *head = (const struct nlmsghdr *)bytes;
	size_t left = got > 0 ? (size_t)got : 0;

	for (; NLMSG_OK(head, left); head = NLMSG_NEXT(head, left)) {
		if (head->nlmsg_flags & NLM_F_DUMP_INTR)
			sender->counts->interrupted++;
		if (head->nlmsg_type == NLMSG_ERROR || head->nlmsg_type == NLMSG_DONE) {
			int err = -*(const int *)NLMSG_DATA(head);

			if (err >= 0 && err < ERRORS)
				sender->counts->errors[err]++;
		} else if (head->nlmsg_type == sender->family) {
			const struct genlmsghdr *genl = NLMSG_DATA(head);

			if (genl->cmd < COMMANDS)
				sender->counts->done[genl->cmd]++;
		}
	}
}

/* At most @most datagrams; a dump goes on by being read. */
static void receive(struct sender *sender, int fd, unsigned int most)
{
	static char bytes[1 << 18];
	ssize_t got;

	while (most--) {
		got = recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT);
		if (got < 0 && errno == ENOBUFS)
			continue;
		if (got < 0)
			return;
		take(sender, bytes, got);
	}
}

static void batch(struct sender *sender)
{
	int *fd = &sender->socket[draw(sender, SOCKETS)];
	unsigned int nr = 1 + draw(sender, BATCH);

	if (*fd < 0)
		*fd = open_socket(sender);
	sender->used = 0;
	while (nr--)
		put_message(sender);
	if (chance(sender, 2))
		damage(sender);
	/* What the kernel refuses to take (a full buffer) is an answer too. */
	if (send(*fd, sender->out, sender->used, MSG_DONTWAIT) < 0)
		sender->counts->errors[errno < ERRORS ? errno : 0]++;
	sender->counts->batches++;
	switch (draw(sender, 16)) {
	case 0: /* its references go with it, and a dump in the middle */
		close(*fd);
		*fd = -1;
		break;
	case 1: /* nothing is read */
		break;
	case 2: /* the dump stays in the middle */
		receive(sender, *fd, 1 + draw(sender, 4));
		break;
	default:
		receive(sender, *fd, 10000);
		break;
	}
}

/* --- */

/* Opens the node of a device of sysfs; some stay open when the disk goes. */
static void open_node(struct sender *sender, const char *number)
{
	char link[300], target[300], path[300];
	ssize_t len;
	int fd;

	if (sender->nr_opened == OPENED_MAX || chance(sender, 3))
		return;
	snprintf(link, sizeof(link), "/sys/dev/block/%s", number);
	len = readlink(link, target, sizeof(target) - 1);
	if (len < 0)
		return;
	target[len] = '\0';
	snprintf(path, sizeof(path), "/dev/%s", strrchr(target, '/') + 1);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0)
		sender->opened[sender->nr_opened++] = fd;
}

static void look_for_disks(struct sender *sender)
{
	DIR *dir = opendir("/sys/dev/block");
	const struct dirent *entry;
	struct disk disk;

	if (!dir)
		die("/sys/dev/block");
	sender->nr_disks = 0;
	while (sender->nr_opened)
		close(sender->opened[--sender->nr_opened]);
	while ((entry = readdir(dir)) && sender->nr_disks < DISKS_MAX) {
		if (sscanf(entry->d_name, "%u:%u", &disk.major, &disk.minor) != 2)
			continue;
		sender->disk[sender->nr_disks++] = disk;
		open_node(sender, entry->d_name);
	}
	closedir(dir);
}

static uint16_t find_family(struct sender *sender)
{
	struct {
		struct nlmsghdr head;
		struct genlmsghdr genl;
		struct nlattr attr;
		char name[8];
	} ask = { { sizeof(ask), GENL_ID_CTRL, NLM_F_REQUEST, 1, 0 },
		  { CTRL_CMD_GETFAMILY, 1, 0 },
		  { NLA_HDRLEN + sizeof(FSBSTAT_GENL_NAME), CTRL_ATTR_FAMILY_NAME },
		  FSBSTAT_GENL_NAME };
	char bytes[8192];
	int fd = open_socket(sender);
	const struct nlattr *attr;
	ssize_t got, at = NLMSG_HDRLEN + GENL_HDRLEN;

	if (send(fd, &ask, sizeof(ask), 0) < 0)
		die("send");
	got = recv(fd, bytes, sizeof(bytes), 0);
	close(fd);
	for (; at + NLA_HDRLEN + 2 <= got; at += NLA_ALIGN(attr->nla_len)) {
		attr = (const struct nlattr *)(bytes + at);
		if (attr->nla_type == CTRL_ATTR_FAMILY_ID)
			return *(const uint16_t *)(bytes + at + NLA_HDRLEN);
		if (attr->nla_len < NLA_HDRLEN)
			break;
	}
	fprintf(stderr, "netlink_storm: fsbstat is not loaded\n");
	exit(1);
}

/* Ends without closing anything: what it held has to go by itself. */
static void storm(struct counts *counts, unsigned long messages, uint64_t seed)
{
	static struct sender sender;

	sender.counts = counts;
	sender.random = seed * 0x9e3779b97f4a7c15ULL + 1;
	sender.family = find_family(&sender);
	for (int i = 0; i < SOCKETS; i++)
		sender.socket[i] = -1;
	while (counts->sent < messages) {
		if (!(counts->batches % LOOK_EVERY))
			look_for_disks(&sender);
		batch(&sender);
	}
	_exit(0);
}

static void print(const struct counts *all)
{
	const char *comma = "";

	printf("{\"sent\": %lu, \"batches\": %lu, \"sockets\": %lu, \"interrupted\": %lu, ",
	       all->sent, all->batches, all->sockets, all->interrupted);
	printf("\"errors\": {");
	for (int i = 0; i < ERRORS; i++) {
		if (!all->errors[i])
			continue;
		printf("%s\"%d\": %lu", comma, i, all->errors[i]);
		comma = ", ";
	}
	printf("}, \"done\": {");
	comma = "";
	for (int i = 0; i < COMMANDS; i++) {
		if (!all->done[i])
			continue;
		printf("%s\"%d\": %lu", comma, i, all->done[i]);
		comma = ", ";
	}
	printf("}}\n");
}

static void add(struct counts *all, const struct counts *one)
{
	const unsigned long *from = (const unsigned long *)one;
	unsigned long *to = (unsigned long *)all;

	for (size_t i = 0; i < sizeof(*all) / sizeof(*to); i++)
		to[i] += from[i];
}

enum { FIRST, SECOND, UNPRIVILEGED, SENDERS };

int main(int argc, char **argv)
{
	struct counts *counts, all = { .sent = 0 };
	unsigned long messages;
	int status, bad = 0;

	if (argc != 3) {
		fprintf(stderr, "usage: netlink_storm MESSAGES SEED\n");
		return 2;
	}
	messages = strtoul(argv[1], NULL, 10);
	counts = mmap(NULL, SENDERS * sizeof(*counts), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (counts == MAP_FAILED)
		die("mmap");
	for (unsigned int i = 0; i < SENDERS; i++) {
		static const unsigned int tenths[] = { 5, 4, 1 };
		pid_t pid = fork();

		if (pid < 0)
			die("fork");
		if (pid)
			continue;
		if (i == UNPRIVILEGED && (setgid(65534) || setuid(65534)))
			die("setuid");
		storm(&counts[i], messages * tenths[i] / 10, strtoul(argv[2], NULL, 10) + i);
	}
	while (wait(&status) > 0)
		bad |= status;
	for (unsigned int i = 0; i < SENDERS; i++)
		add(&all, &counts[i]);
	print(&all);
	return bad ? 1 : 0;
}
