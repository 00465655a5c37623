// What identifies a finding from one build to the next.
//
// Layer ids, the order of layers and the numbers that compilers and exporters put into names change
// with every build; a waiver or a baseline with such names would be valid for one build. So a
// finding is identified by its rule and by the source operations of its layer, without the numbers.
// A layer without sources (a conversion that the compiler inserted) is identified by its own name
// without numbers and by what is before and after it. Equals are counted in execution order.
// docs/design/0028-lint-as-an-instrument.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/data_flow.h"
#include "lint/rule.h"

namespace planex::lint {

// A name without the numbers that a tool counted: digits after '_', after "Layer* " and after
// TensorRT's "mye" and "myl". "layer1.0.conv2 + Conv_34" -> "layer1.0.conv2 + Conv_".
std::string without_numbers(std::string_view name);

// Of all layers of a model. Cost: O(sources · log + layers), once. Refers to the data flow.
class LayerKeys {
 public:
  explicit LayerKeys(const graph::DataFlow& flow);

  // A null layer stands for the engine.
  std::uint64_t key(LayerId layer) const;

 private:
  const graph::DataFlow& flow_;
  std::vector<std::uint64_t> keys_;
};

// The fingerprints of one rule's findings, asked for in the order of layers.
class RuleFingerprints {
 public:
  RuleFingerprints(std::string_view rule, const LayerKeys& keys) : rule_(rule), keys_(keys) {}

  // 16 hexadecimal digits.
  std::string next(LayerId layer);

 private:
  std::string_view rule_;
  const LayerKeys& keys_;
  std::unordered_map<std::uint64_t, std::size_t> seen_;
  bool is_known_ = false;
  LayerId last_;
  std::uint64_t key_ = 0;
};

}  // namespace planex::lint
