// Probabilities and quantiles of the distributions that the analyses use, by Boost.Math. Each is
// rounded to 9 digits: C libraries differ in the last bits of their exponential functions, and a
// figure must not depend on the machine that computed it.
#pragma once

namespace planex::analyze {

// 0 < share < 1: the value that this share of a standard normal distribution is below.
double normal_quantile(double share);
// Probability that a standard normal variable is at least as far from 0 as z, on either side.
double normal_two_sided(double z);
double student_quantile(double freedom, double share);
// The value that F with these degrees of freedom exceeds with this probability.
double fisher_limit(double freedom, double other_freedom, double probability);
// Probability that more than `count` of `trials` succeed, each with probability `chance`.
double binomial_more_than(double trials, double chance, double count);
// The largest number of successes that at most `share` of all cases stay below.
double binomial_quantile_down(double trials, double chance, double share);

}  // namespace planex::analyze
