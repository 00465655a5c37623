// Values of attributes, decoded when asked for.
//
// read_model has checked the lists, so nothing here fails; a value of another type counts as
// missing.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "onnx/model.h"

namespace planex::onnx {

// The attribute of this name, or null.
const Attribute* find_attribute(const Model& model, const Node& node, std::string_view name);

std::optional<std::int64_t> int_of(const Attribute& attribute);
std::optional<float> float_of(const Attribute& attribute);
std::optional<std::string_view> string_of(const Attribute& attribute);

// The first `limit` values.
std::vector<std::int64_t> ints_of(const Attribute& attribute, std::size_t limit);
std::vector<float> floats_of(const Attribute& attribute, std::size_t limit);
std::vector<std::string_view> strings_of(const Attribute& attribute, std::size_t limit);

// Length of a list: ints, floats, strings, tensors, graphs; 1 for anything else.
std::size_t count_of(const Attribute& attribute);

}  // namespace planex::onnx
