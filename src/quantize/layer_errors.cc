#include "quantize/layer_errors.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace planex::quantize {
namespace {

// A model with NaN; sums of it stay finite.
constexpr double kMaxNoise = 1e30;

}  // namespace

LayerErrors LayerErrors::of_powers(std::span<const double> noise) {
  LayerErrors errors(noise.size());
  const std::size_t width = noise.size() + 1;
  std::vector<double> products(width * width);
  for (std::size_t layer = 0; layer < noise.size(); ++layer) {
    products[layer * width + layer] = noise[layer];
  }
  errors.add_output(std::move(products));
  return errors;
}

void LayerErrors::add_output(std::vector<double> products) {
  for (double& product : products) {
    product = std::isnan(product) ? kMaxNoise : std::clamp(product, -kMaxNoise, kMaxNoise);
  }
  outputs_.push_back(std::move(products));
}

double LayerErrors::alone(std::size_t layer) const {
  double worst = 0;
  for (std::size_t output = 0; output < outputs_.size(); ++output) {
    worst = std::max(worst, product(output, layer, layer));
  }
  return worst;
}

double LayerErrors::noise(const LayerSet& kept) const {
  double worst = 0;
  for (std::size_t output = 0; output < outputs_.size(); ++output) {
    double sum = 0;
    for (std::size_t row = 0; row <= layer_count_; ++row) {
      if (std::ranges::binary_search(kept, row)) continue;
      for (std::size_t column = 0; column <= layer_count_; ++column) {
        if (!std::ranges::binary_search(kept, column)) sum += product(output, row, column);
      }
    }
    worst = std::max(worst, sum);
  }
  return worst;
}

LayerErrors LayerErrors::powers() const {
  LayerErrors errors = *this;
  const std::size_t width = layer_count_ + 1;
  for (std::vector<double>& products : errors.outputs_) {
    for (std::size_t place = 0; place < products.size(); ++place) {
      if (place / width != place % width) products[place] = 0;
    }
  }
  return errors;
}

// For each output: its noise, and the product of each layer's error with the sum of all that are in
// INT8.
struct LayerErrors::Sums {
  Sums(const LayerErrors& all, bool is_in_int8)
      : errors(all),
        noises(all.outputs_.size()),
        with_sum(all.outputs_.size(), std::vector<double>(all.layer_count_ + 1)) {
    const std::size_t rest = errors.layer_count_;
    for (std::size_t output = 0; output < noises.size(); ++output) {
      for (std::size_t row = 0; row <= rest; ++row) {
        for (std::size_t column = is_in_int8 ? 0 : rest; column <= rest; ++column) {
          with_sum[output][row] += errors.product(output, row, column);
        }
        if (is_in_int8 || row == rest) noises[output] += with_sum[output][row];
      }
    }
  }

  // One figure for all outputs once a layer's error is added (1) or taken away (-1), as a share of
  // `unit`: nearly the worst, but it also tells whether the second worst falls.
  double with(std::uint32_t layer, double sign, double unit) const {
    double sum = 0;
    for (std::size_t output = 0; output < noises.size(); ++output) {
      sum += power(noises[output] + 2 * sign * with_sum[output][layer] +
                       errors.product(output, layer, layer),
                   unit);
    }
    return std::pow(sum, 1 / kPower);
  }
  double now(double unit) const {
    double sum = 0;
    for (const double noise : noises) sum += power(noise, unit);
    return std::pow(sum, 1 / kPower);
  }

  void take(std::uint32_t layer, double sign) {
    for (std::size_t output = 0; output < noises.size(); ++output) {
      noises[output] += 2 * sign * with_sum[output][layer] + errors.product(output, layer, layer);
      for (std::size_t row = 0; row < with_sum[output].size(); ++row) {
        with_sum[output][row] += sign * errors.product(output, row, layer);
      }
    }
  }

  static double power(double noise, double unit) {
    return std::pow(std::max(noise, 0.0) / unit, kPower);
  }

  static constexpr double kPower = 8;
  const LayerErrors& errors;
  std::vector<double> noises;
  std::vector<std::vector<double>> with_sum;
};

// Layer after layer is put to float, or to INT8: the one that gains most, or loses least.
std::vector<std::uint32_t> LayerErrors::greedy_order(std::span<const double> costs,
                                                     bool is_to_float) const {
  std::vector<std::uint32_t> left, order;
  for (std::uint32_t layer = 0; layer < layer_count_; ++layer) left.push_back(layer);
  Sums sums(*this, is_to_float);
  const double sign = is_to_float ? -1 : 1;
  const double unit = std::max(noise({}), std::numeric_limits<double>::min());
  while (!left.empty()) {
    const double now = sums.now(unit);
    std::size_t best = 0;
    double best_key = 0;
    for (std::size_t place = 0; place < left.size(); ++place) {
      const double cost = costs[left[place]];
      const double gain = now - sums.with(left[place], sign, unit);
      // Of layers that go to float those count that gain much for their cost, of those that go to
      // INT8 those that lose little. Otherwise cost does not make up for it.
      double key = gain;
      if (is_to_float == (gain > 0)) key = cost == 0 ? gain * kMaxNoise : gain / cost;
      if (place > 0 && !(key > best_key)) continue;
      best = place;
      best_key = key;
    }
    sums.take(left[best], sign);
    order.push_back(left[best]);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
  }
  return order;
}

std::vector<std::uint32_t> LayerErrors::order(std::span<const double> costs) const {
  return greedy_order(costs, true);
}

std::vector<std::uint32_t> LayerErrors::order_back(std::span<const double> costs) const {
  std::vector<std::uint32_t> order = greedy_order(costs, false);
  std::ranges::reverse(order);
  return order;
}

}  // namespace planex::quantize
