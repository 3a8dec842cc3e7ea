/* SPDX-License-Identifier: GPL-2.0-or-later */
/* unit: what cmocka.h wants included before it; for every unit test. */
#ifndef FSB_TESTS_UNIT_H
#define FSB_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#endif /* FSB_TESTS_UNIT_H */
