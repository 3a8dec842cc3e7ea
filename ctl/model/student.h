/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * student: Student's t distribution, for 95 % intervals of few samples.  Pure.
 */
#ifndef FSB_MODEL_STUDENT_H
#define FSB_MODEL_STUDENT_H

/* P(|T| < t) with @freedom degrees of freedom, 1 or more; t >= 0. */
double student_within(double t, unsigned int freedom);

/*
 * The t that 95 % lie within, for an interval of mean +- t x standard error; @freedom is 1 or
 * more, and need not be whole.
 */
double student_95(double freedom);

#endif /* FSB_MODEL_STUDENT_H */
