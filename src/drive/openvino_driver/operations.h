// What the model as read says about its convolutions, matrix products and poolings, and the
// compiled model no longer says.
#pragma once

#include <cstdint>
#include <map>
#include <openvino/core/model.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "drive/openvino_driver/source_tags.h"

namespace planex::drive {

enum class OperationKind : std::uint8_t {
  kConvolution,
  kDeconvolution,
  kMatMul,
  kPooling,
  kFakeQuantize
};

using ParameterValue = std::variant<std::int64_t, bool, std::string, std::vector<std::int64_t>>;
using Parameters = std::vector<std::pair<std::string, ParameterValue>>;

struct Operation {
  OperationKind kind;
  Parameters parameters;
  // Multiply-accumulates: 0 if the kind has none, nothing if shapes are dynamic.
  std::optional<std::int64_t> macs;
  // The sources of the operations that follow it, nearest first, as long as each has a single
  // reader.
  std::vector<SourceIndex> readers;
};

// By source; a source can become several operations.
using OperationTable = std::multimap<SourceIndex, Operation>;

OperationTable collect_operations(const ov::Model& model, const SourceTable& sources);

// The product of all, or nothing if one is negative (dynamic) or the product overflows.
std::optional<std::int64_t> product(const std::vector<std::int64_t>& dims);

// The product of the dimensions from `first` on; nothing if there are fewer.
std::optional<std::int64_t> product_from(const std::vector<std::int64_t>& dims, std::size_t first);

// Nothing if a factor is unknown or the product overflows.
std::optional<std::int64_t> checked_product(std::optional<std::int64_t> a,
                                            std::optional<std::int64_t> b);

// -1 is dynamic. Nothing if even the rank is dynamic.
std::optional<std::vector<std::int64_t>> dims_of(const ov::PartialShape& shape);

}  // namespace planex::drive
