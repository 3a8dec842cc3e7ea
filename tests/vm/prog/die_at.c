// SPDX-License-Identifier: GPL-2.0-or-later
// build: -shared -fPIC
/*
 * die_at: to be preloaded: kills the process with SIGKILL just before its Nth call that
 * could leave something behind (write, fsync, rename, unlink, ioctl, mkdir, flock, open
 * for writing, mount), N being $DIE_AT; what is done to a terminal is not counted. With each
 * N in turn a program is killed at every step.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static void count(void)
{
	static long calls;
	const char *at = getenv("DIE_AT");

	if (at && ++calls == atol(at))
		kill(getpid(), SIGKILL);
}

#define REAL(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *buf, size_t len)
{
	if (fd > STDERR_FILENO)
		count();
	return REAL(write)(fd, buf, len);
}

int fsync(int fd)
{
	count();
	return REAL(fsync)(fd);
}

int rename(const char *from, const char *to)
{
	count();
	return REAL(rename)(from, to);
}

int unlink(const char *path)
{
	count();
	return REAL(unlink)(path);
}

int mkdir(const char *path, mode_t mode)
{
	count();
	return REAL(mkdir)(path, mode);
}

int flock(int fd, int how)
{
	count();
	return ((int (*)(int, int))dlsym(RTLD_NEXT, "flock"))(fd, how);
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	if (_IOC_TYPE(request) != 'T')
		count();
	return ((int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl"))(fd, request, arg);
}

int mount(const char *source, const char *target, const char *type, unsigned long flags,
	  const void *data)
{
	count();
	return REAL(mount)(source, target, type, flags, data);
}

static int open_any(const char *name, const char *path, int flags, mode_t mode)
{
	if (flags & (O_WRONLY | O_RDWR | O_CREAT))
		count();
	return ((int (*)(const char *, int, ...))dlsym(RTLD_NEXT, name))(path, flags, mode);
}

int open(const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = va_arg(args, mode_t);
	va_end(args);
	return open_any("open", path, flags, mode);
}
