#include "analyze/timing/distributions.h"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

#include "base/numbers.h"

namespace planex::analyze {
namespace {

namespace math = boost::math;
namespace policies = boost::math::policies;

// A long double differs between processors.
using InDouble = policies::policy<policies::promote_double<false>>;
using InDoubleDown = policies::policy<policies::promote_double<false>,
                                      policies::discrete_quantile<policies::integer_round_down>>;

double rounded(double value) {
  constexpr int kDigits = 9;
  return base::rounded_to_digits(value, kDigits);
}

}  // namespace

double normal_quantile(double share) {
  return rounded(math::quantile(math::normal_distribution<double, InDouble>(), share));
}

double normal_two_sided(double z) {
  const math::normal_distribution<double, InDouble> normal;
  return rounded(2 * math::cdf(math::complement(normal, z)));
}

double student_quantile(double freedom, double share) {
  return rounded(math::quantile(math::students_t_distribution<double, InDouble>(freedom), share));
}

double fisher_limit(double freedom, double other_freedom, double probability) {
  const math::fisher_f_distribution<double, InDouble> fisher(freedom, other_freedom);
  return rounded(math::quantile(math::complement(fisher, probability)));
}

double binomial_more_than(double trials, double chance, double count) {
  const math::binomial_distribution<double, InDouble> binomial(trials, chance);
  return rounded(math::cdf(math::complement(binomial, count)));
}

double binomial_quantile_down(double trials, double chance, double share) {
  return math::quantile(math::binomial_distribution<double, InDoubleDown>(trials, chance), share);
}

}  // namespace planex::analyze
