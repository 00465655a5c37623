// Probabilities and quantiles of the distributions that the analyses use, by Boost.Math. Each is
// rounded to 9 digits: C libraries differ in the last bits of their exponential functions, and a
// figure must not tell on which machine it was computed.
#pragma once

namespace planex::analyze {

// 0 < share < 1: which value of a standard normal variable as many are below.
double normal_quantile(double share);
// How likely a standard normal variable is as far from 0 as z, on either side.
double normal_two_sided(double z);
double student_quantile(double freedom, double share);
// The value that F of so many degrees of freedom exceeds with this probability.
double fisher_limit(double freedom, double other_freedom, double probability);
// How likely more than `count` of `trials` succeed that each do with `chance`.
double binomial_more_than(double trials, double chance, double count);
// The largest whole number of successes that no more than `share` of all cases stay below.
double binomial_quantile_down(double trials, double chance, double share);

}  // namespace planex::analyze
