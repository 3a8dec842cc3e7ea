// SPDX-License-Identifier: GPL-2.0-or-later
/* arithmetic: see arithmetic.h.  By recursive descent. */
#include "bench/arithmetic.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of parentheses, signs and conditions: a file's text does not decide how deep the stack gets. */
#define DEPTH_MAX 64

struct expression {
	const char *at;
	arithmetic_name_fn *name;
	void *arg;
	unsigned int idle; /* above 0: only the form is checked, nothing is evaluated */
	unsigned int depth;
	char *why;
	size_t size;
};

#define TOO_LARGE     "a value does not fit into 64 bits"
#define WRONG(x, ...) (snprintf((x)->why, (x)->size, __VA_ARGS__), -1)

enum operation {
	OR,
	AND,
	EQUAL,
	UNEQUAL,
	NOT_ABOVE,
	NOT_BELOW,
	BELOW,
	ABOVE,
	ADD,
	SUBTRACT,
	MULTIPLY,
	DIVIDE,
	REMAINDER,
	OPERATIONS
};

/* Longer ones before those they begin with; the higher the rank, the tighter it binds. */
static const struct {
	const char *text;
	int rank;
} operations[OPERATIONS] = {
	[OR] = {"||", 1},	[AND] = {"&&", 2},	 [EQUAL] = {"==", 3},
	[UNEQUAL] = {"!=", 3},	[NOT_ABOVE] = {"<=", 4}, [NOT_BELOW] = {">=", 4},
	[BELOW] = {"<", 4},	[ABOVE] = {">", 4},	 [ADD] = {"+", 5},
	[SUBTRACT] = {"-", 5},	[MULTIPLY] = {"*", 6},	 [DIVIDE] = {"/", 6},
	[REMAINDER] = {"%", 6},
};

static int condition(struct expression *x, int64_t *value);

static char peek(struct expression *x)
{
	x->at += strspn(x->at, " \t\n");
	return *x->at;
}

static int unexpected(struct expression *x, const char *expected)
{
	if (!peek(x))
		return WRONG(x, "expected %s at the end", expected);
	return WRONG(x, "expected %s at \"%.20s\"", expected, x->at);
}

/* Digits with or without a sign, to its end; *end is @text when there are none. */
static int read_number(struct expression *x, const char *text, int64_t *value, char **end)
{
	*end = (char *)text;
	if (!isdigit((unsigned char)text[*text == '-']))
		return 0;
	errno = 0;
	*value = strtoll(text, end, 10);
	return errno ? WRONG(x, "%.24s is too large", text) : 0;
}

static int take_number(struct expression *x, int64_t *value)
{
	char *end;

	if (read_number(x, x->at, value, &end))
		return -1;
	if (isalnum((unsigned char)*end) || *end == '_' || *end == '.')
		return WRONG(x, "%.20s is not a whole number", x->at);
	x->at = end;
	return 0;
}

static int take_name(struct expression *x, int64_t *value)
{
	const char *text, *name = x->at;
	size_t len = 0;
	char *end;

	while (isalnum((unsigned char)name[len]) || name[len] == '_')
		len++;
	text = x->name(x->arg, name, len);
	if (!text)
		return WRONG(x, "no parameter is called \"%.*s\"", (int)(len < 64 ? len : 64),
			     name);
	x->at += len;
	if (x->idle)
		return 0;
	if (read_number(x, text, value, &end))
		return -1;
	if (end == text || *end)
		return WRONG(x, "%.*s=%.64s is not a whole number", (int)(len < 64 ? len : 64),
			     name, text);
	return 0;
}

static int take_parenthesis(struct expression *x, int64_t *value)
{
	x->at++;
	if (condition(x, value))
		return -1;
	if (peek(x) != ')')
		return unexpected(x, ")");
	x->at++;
	return 0;
}

static int operand(struct expression *x, int64_t *value)
{
	char c = peek(x);

	*value = 0;
	if (c == '$')
		c = *++x->at;
	else if (isdigit((unsigned char)c))
		return take_number(x, value);
	else if (c == '(')
		return take_parenthesis(x, value);
	if (isalpha((unsigned char)c) || c == '_')
		return take_name(x, value);
	return unexpected(x, "a number, a parameter or (");
}

/* Signs and negations, then an operand. */
static int signed_operand(struct expression *x, int64_t *value)
{
	char sign = peek(x);

	if (sign != '-' && sign != '+' && (sign != '!' || x->at[1] == '='))
		return operand(x, value);
	if (++x->depth > DEPTH_MAX)
		return WRONG(x, "nested too deeply");
	x->at++;
	if (signed_operand(x, value))
		return -1;
	x->depth--;
	if (sign == '!')
		*value = !*value;
	else if (sign == '-' && __builtin_sub_overflow((int64_t)0, *value, value))
		return WRONG(x, TOO_LARGE);
	return 0;
}

static int64_t compare(enum operation how, int64_t left, int64_t right)
{
	switch (how) {
	case OR:
		return left || right;
	case AND:
		return left && right;
	case EQUAL:
		return left == right;
	case UNEQUAL:
		return left != right;
	case NOT_ABOVE:
		return left <= right;
	case NOT_BELOW:
		return left >= right;
	case BELOW:
		return left < right;
	default:
		return left > right;
	}
}

static int carry_out(struct expression *x, enum operation how, int64_t *left, int64_t right)
{
	bool too_large = false;

	if ((how == DIVIDE || how == REMAINDER) && !right)
		return WRONG(x, "division by 0");
	if (how < ADD)
		*left = compare(how, *left, right);
	else if (how == ADD)
		too_large = __builtin_add_overflow(*left, right, left);
	else if (how == SUBTRACT)
		too_large = __builtin_sub_overflow(*left, right, left);
	else if (how == MULTIPLY)
		too_large = __builtin_mul_overflow(*left, right, left);
	else if (right == -1) /* the processor would trap at INT64_MIN / -1 */
		too_large = __builtin_mul_overflow(*left, how == DIVIDE ? -1 : 0, left);
	else
		*left = how == DIVIDE ? *left / right : *left % right;
	return too_large ? WRONG(x, TOO_LARGE) : 0;
}

static enum operation next_operation(struct expression *x)
{
	enum operation i = OR;

	peek(x);
	while (i < OPERATIONS && strncmp(x->at, operations[i].text, strlen(operations[i].text)))
		i++;
	return i;
}

/* Operations of at least this rank; those of one rank from left to right. */
static int binary(struct expression *x, int rank, int64_t *left)
{
	enum operation how;

	if (signed_operand(x, left))
		return -1;
	while ((how = next_operation(x)) < OPERATIONS && operations[how].rank >= rank) {
		bool settled = (how == OR && *left) || (how == AND && !*left);
		int64_t right;

		x->at += strlen(operations[how].text);
		x->idle += settled;
		if (binary(x, operations[how].rank + 1, &right))
			return -1;
		x->idle -= settled;
		if (!x->idle && carry_out(x, how, left, right))
			return -1;
	}
	return 0;
}

/* "a ? b : c", of which one of b and c is evaluated; or a alone. */
static int condition(struct expression *x, int64_t *value)
{
	int64_t first = 0, second = 0;
	bool holds;

	if (++x->depth > DEPTH_MAX)
		return WRONG(x, "nested too deeply");
	if (binary(x, 0, value))
		return -1;
	if (peek(x) == '?') {
		holds = *value;
		x->at++;
		x->idle += !holds;
		if (condition(x, &first))
			return -1;
		x->idle -= !holds;
		if (peek(x) != ':')
			return unexpected(x, ":");
		x->at++;
		x->idle += holds;
		if (condition(x, &second))
			return -1;
		x->idle -= holds;
		*value = holds ? first : second;
	}
	x->depth--;
	return 0;
}

int arithmetic(const char *text, arithmetic_name_fn *name, void *arg, int64_t *value, char *why,
	       size_t size)
{
	struct expression x = {
		.at = text, .name = name, .arg = arg, .idle = !value, .why = why, .size = size};
	int64_t result;

	if (condition(&x, &result))
		return -1;
	if (peek(&x))
		return unexpected(&x, "an operator");
	if (value)
		*value = result;
	return 0;
}
