// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * student: with a whole number of degrees of freedom the distribution is a finite sum in
 * the angle atan(t / sqrt(freedom)), so it needs neither a table nor an approximation.
 */
#include "model/student.h"

#include <math.h>

double student_within(double t, unsigned int freedom)
{
	double angle = atan(t / sqrt(freedom)), cosine = cos(angle), square = cosine * cosine;
	double term, sum;
	unsigned int k;

	/* The terms have the factors k / (k + 1), from 2 / 3 or 1 / 2 on. */
	if (freedom % 2) {
		term = freedom > 1 ? cosine : 0;
		for (sum = term, k = 2; k + 3 <= freedom; k += 2) {
			term *= square * k / (k + 1);
			sum += term;
		}
		return 2 / M_PI * (angle + sin(angle) * sum);
	}
	for (term = 1, sum = 1, k = 1; k + 3 <= freedom; k += 2) {
		term *= square * k / (k + 1);
		sum += term;
	}
	return sin(angle) * sum;
}

double student_95(unsigned int freedom)
{
	double low = 1.9, high = 12.8; /* the limits of many and of one */
	int step;

	/* Indistinguishable from the normal distribution from here on. */
	if (freedom > 10000)
		freedom = 10000;
	for (step = 0; step < 50; step++) {
		double middle = (low + high) / 2;

		if (student_within(middle, freedom) < 0.95)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}
