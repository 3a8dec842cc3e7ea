// SPDX-License-Identifier: GPL-2.0-or-later
/* number: locale-free texts of numbers, see number.h.  Integer conversions only. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "out/number.h"

const char *number_count(struct number *number, uint64_t value)
{
	char digits[24];
	size_t len, i, used = 0;

	snprintf(digits, sizeof(digits), "%" PRIu64, value);
	len = strlen(digits);
	for (i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			number->text[used++] = ' ';
		number->text[used++] = digits[i];
	}
	number->text[used] = '\0';
	return number->text;
}

const char *number_decimal(struct number *number, double value, unsigned int digits)
{
	uint64_t scale = 1, scaled;
	unsigned int i;

	for (i = 0; i < digits; i++)
		scale *= 10;
	if (!isfinite(value) || fabs(value) * (double)scale >= 1e18) {
		snprintf(number->text, sizeof(number->text), "n/a");
		return number->text;
	}
	scaled = (uint64_t)llround(fabs(value) * (double)scale);
	if (digits)
		snprintf(number->text, sizeof(number->text), "%s%" PRIu64 ".%0*" PRIu64,
			 value < 0 && scaled ? "-" : "", scaled / scale, (int)digits,
			 scaled % scale);
	else
		snprintf(number->text, sizeof(number->text), "%s%" PRIu64,
			 value < 0 && scaled ? "-" : "", scaled);
	return number->text;
}

static const char *bound(struct number *number, double fraction, unsigned int digits)
{
	return isinf(fraction) ? "inf" : number_decimal(number, 100 * fraction, digits);
}

const char *number_interval(struct number *number, double low, double high, unsigned int digits)
{
	struct number from, to;

	snprintf(number->text, sizeof(number->text), "[%.17s, %.17s]", bound(&from, low, digits),
		 bound(&to, high, digits));
	return number->text;
}

const char *number_ms(struct number *number, double ns)
{
	double ms = ns / 1e6;

	return number_decimal(number, ms, ms < 0.9995 ? 3 : ms < 9.995 ? 2 : ms < 999.95 ? 1 : 0);
}

const char *number_rate(struct number *number, double value)
{
	return number_decimal(number, value, value < 9999.95 ? 1 : 0);
}

const char *number_mb(struct number *number, double bytes)
{
	double mb = bytes / 1e6;

	return number_decimal(number, mb, mb > 0 && mb < 0.0995 ? 3 : mb < 999999.5 ? 1 : 0);
}

const char *number_bytes(struct number *number, uint64_t bytes)
{
	static const char *const units[] = { "kB", "MB", "GB", "TB", "PB", "EB" };
	double value = (double)bytes;
	size_t unit = 0, len;

	if (bytes < 1000) {
		snprintf(number->text, sizeof(number->text), "%" PRIu64 " B", bytes);
		return number->text;
	}
	for (value /= 1000; value >= 999.5 && unit < 5; unit++)
		value /= 1000;
	number_decimal(number, value, value < 99.95 ? 1 : 0);
	len = strlen(number->text);
	snprintf(number->text + len, sizeof(number->text) - len, " %s", units[unit]);
	return number->text;
}
