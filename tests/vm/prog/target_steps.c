// SPDX-License-Identifier: GPL-2.0-or-later
// build: tool
/*
 * target_steps: the tool's own code for the disk of an experiment, step by step, for the tests in
 * tests/vm/t:
 *
 *	target_steps find OPTIONS
 *	target_steps is OPTIONS WORD...
 *	target_steps make OPTIONS FILESYSTEM...
 *	target_steps die OPTIONS FILESYSTEM
 *	target_steps claimed OPTIONS -- COMMAND...
 *	target_steps trim|fill OPTIONS
 *
 * OPTIONS: [-o OFFSET] [-s SIZE] [-d STORE] [-S] DISK, or -f IMAGE -F SIZE in place of DISK;
 * sizes are bytes, -S says that disk-wide settings change.  Prints one line of JSON for each step
 * and stops with status 1 at the first that is refused or fails.  `make` makes, mounts on
 * /tmp/target, fills, unmounts; `die` ends with a kill -9 while it is mounted; `claimed` runs the
 * command between claim and recheck with NODE in its environment.
 */
#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/filesystem.h"
#include "bench/target.h"

#define AT "/tmp/target"
#define FILE_BYTES (3 * 1024 * 1024)

static struct trouble trouble;
static struct filesystem_table table;

static void print(json_t *object)
{
	char *text = json_dumps(object, JSON_COMPACT);

	puts(text ? text : "{}");
	fflush(stdout);
	free(text);
	json_decref(object);
}

static int report(const char *step, int ret)
{
	static const char *const kinds[] = { "none", "usage", "refused", "missing", "failed" };
	json_t *object = json_pack("{s:s, s:b}", "step", step, "ok", !ret);

	if (ret) {
		json_object_set_new(object, "kind", json_string(kinds[trouble.kind]));
		json_object_set_new(object, "object", json_string(trouble.object));
		json_object_set_new(object, "reason", json_string(trouble.reason));
		json_object_set_new(object, "hint", json_string(trouble.hint));
	}
	print(object);
	return ret;
}

static int find(struct target *target, const struct target_options *options)
{
	int ret = target_find(target, options, &trouble);

	if (ret)
		return report("find", ret);
	print(json_pack("{s:s, s:b, s:s, s:s, s:s, s:s, s:I, s:I}", "step", "find", "ok", 1, "now",
			target->now, "others", target->others, "id", target_id(target), "partition",
			target->device.partition, "offset", (json_int_t)target->offset, "size",
			(json_int_t)target->size));
	return 0;
}

static int write_file(void)
{
	FILE *file = fopen(AT "/data", "we");
	char block[4096];
	int ret = file ? 0 : -1;

	for (size_t i = 0; i < FILE_BYTES / sizeof(block) && !ret; i++) {
		memset(block, (int)i, sizeof(block));
		ret = fwrite(block, sizeof(block), 1, file) == 1 ? 0 : -1;
	}
	if (file && (fflush(file) || fsync(fileno(file)) || fclose(file)))
		ret = -1;
	if (ret)
		trouble_set(&trouble, TROUBLE_FAILED, AT, "", "%s", strerror(errno));
	return ret;
}

static int mount_it(const struct target *target, const struct filesystem *fs, bool *mounted)
{
	struct filesystem_wish wish = { .mount = "", .barrier = UNKNOWN, .kernel = "" };
	struct filesystem_mount_plan plan;
	struct filesystem_verdict verdict;
	char *effective;

	if (report("plan", filesystem_plan_mount(fs, &wish, &plan, &trouble)) ||
	    report("mount", filesystem_mount(fs, target->node, plan.options, AT, &trouble)))
		return -1;
	*mounted = true;
	effective = filesystem_effective(AT);
	if (!effective)
		return -1;
	filesystem_options_hold(fs, plan.options, effective, &verdict);
	print(json_pack("{s:s, s:b, s:s, s:s, s:s}", "step", "options", "ok", 1, "fs", fs->name,
			"effective", effective, "difference", verdict.difference));
	free(effective);
	return report("write", write_file());
}

static int make_one(const struct target *target, const char *name, bool die)
{
	const struct filesystem *fs = filesystem_find(&table, name);
	uint64_t bytes = target_make_bytes(target);
	bool mounted = false;
	struct utsname host;
	char *output = NULL;
	int ret;

	if (!fs || uname(&host))
		return -1;
	if (filesystem_usable(fs, host.release, &trouble)) {
		report("usable", -1);
		return 0;
	}
	ret = report("recheck", target_recheck(target, &trouble));
	if (!ret)
		ret = report("make", filesystem_make(fs, target->node, bytes, "", &output,
						     &trouble));
	if (ret && output)
		fputs(output, stderr);
	free(output);
	if (!ret)
		ret = mount_it(target, fs, &mounted);
	if (die)
		raise(SIGKILL);
	if (mounted && report("unmount", filesystem_unmount(AT, &trouble)))
		ret = -1;
	return ret;
}

static int make(struct target *target, char *const *names, bool die)
{
	int ret = report("claim", target_claim(target, &trouble));

	if ((mkdir(AT, 0755) && errno != EEXIST) ||
	    report("table", filesystem_table_load(&table, &trouble)))
		ret = -1;
	for (; *names && !ret; names++)
		ret = make_one(target, *names, die);
	filesystem_table_free(&table);
	return ret;
}

static int claimed(struct target *target, char *const *command)
{
	int status;
	pid_t pid;

	if (report("claim", target_claim(target, &trouble)) || setenv("NODE", target->node, 1))
		return -1;
	pid = fork();
	if (!pid) {
		execvp(command[0], command);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || status)
		return -1;
	return report("recheck", target_recheck(target, &trouble));
}

static int write_range(struct target *target, bool trim)
{
	if (report("claim", target_claim(target, &trouble)))
		return -1;
	return trim ? report("trim", target_trim(target, &trouble)) :
		      report("fill", target_fill(target, NULL, NULL, &trouble));
}

static int run(const char *step, const struct target_options *options, char *const *words)
{
	struct target target;
	int ret = find(&target, options);

	if (!ret && !strcmp(step, "is"))
		for (; *words; words++)
			print(json_pack("{s:s, s:b}", "step", *words, "ok",
					target_is(&target, *words)));
	else if (!ret && (!strcmp(step, "make") || !strcmp(step, "die")))
		ret = make(&target, words, !strcmp(step, "die"));
	else if (!ret && !strcmp(step, "claimed"))
		ret = claimed(&target, words);
	else if (!ret && (!strcmp(step, "trim") || !strcmp(step, "fill")))
		ret = write_range(&target, !strcmp(step, "trim"));
	else if (!ret && strcmp(step, "find"))
		ret = -1;
	target_release(&target);
	return ret;
}

int main(int argc, char *argv[])
{
	struct target_options options = { .disk = NULL };
	int option;

	if (argc < 2)
		return 2;
	optind = 2;
	while ((option = getopt(argc, argv, "+o:s:d:Sf:F:")) != -1) {
		if (option == 'o')
			options.offset = strtoull(optarg, NULL, 10);
		else if (option == 's')
			options.size = strtoull(optarg, NULL, 10);
		else if (option == 'd')
			options.store = optarg;
		else if (option == 'S')
			options.settings = true;
		else if (option == 'f')
			options.file = optarg;
		else if (option == 'F')
			options.file_size = strtoull(optarg, NULL, 10);
		else
			return 2;
	}
	if (!options.file && optind < argc)
		options.disk = argv[optind++];
	if (optind < argc && !strcmp(argv[optind], "--"))
		optind++;
	return run(argv[1], &options, argv + optind) ? 1 : 0;
}
