// SPDX-License-Identifier: GPL-2.0-or-later
/* student: Student's t distribution, by GSL. */
#include "model/student.h"

#include <math.h>

#include <gsl/gsl_cdf.h>

/* Indistinguishable from the normal distribution from here on. */
#define FREEDOM_MOST 10000

double student_within(double t, unsigned int freedom)
{
	return gsl_cdf_tdist_P(t, freedom) - gsl_cdf_tdist_Q(t, freedom);
}

double student_95(double freedom)
{
	return gsl_cdf_tdist_Pinv(0.975, fmin(freedom, FREEDOM_MOST));
}
