#include "onnx/attributes.h"

#include <algorithm>
#include <bit>

#include "onnx/fields.h"
#include "onnx/wire.h"

namespace planex::onnx {
namespace {

float float_of_bits(std::uint64_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

// Calls take(field) for each field of the attribute until it returns false.
template <typename Take>
void each_field(const Attribute& attribute, Take take) {
  WireReader reader({attribute.body, 0});
  Field next;
  while (reader.next(next) && take(next)) {
  }
}

// Calls take(bits) for each number of the lists `number`, packed or one by one, until it returns
// false.
template <typename Take>
void each_number(const Attribute& attribute, std::uint32_t number, Wire wire, Take take) {
  each_field(attribute, [&](const Field& next) {
    if (next.number != number) return true;
    if (next.wire == wire) return take(next.value);
    if (next.wire != Wire::kBytes) return true;
    if (wire == Wire::kFixed32) {
      for (std::size_t at = 0; at + 4 <= next.span.bytes.size(); at += 4) {
        std::uint32_t bits = 0;
        for (unsigned i = 0; i < 4; ++i) {
          const auto byte = static_cast<std::uint8_t>(next.span.bytes[at + i]);
          bits |= static_cast<std::uint32_t>(byte) << (8 * i);
        }
        if (!take(bits)) return false;
      }
      return true;
    }
    WireReader list(next.span);
    std::uint64_t value = 0;
    while (list.next_varint(value)) {
      if (!take(value)) return false;
    }
    return true;
  });
}

}  // namespace

const Attribute* find_attribute(const Model& model, const Node& node, std::string_view name) {
  const auto attributes = model.attributes_of(node);
  const auto found = std::ranges::find(attributes, name, &Attribute::name);
  return found == attributes.end() ? nullptr : &*found;
}

std::optional<std::int64_t> int_of(const Attribute& attribute) {
  if (attribute.type != AttributeType::kInt || !attribute.reference.empty()) return std::nullopt;
  // A zero may be left out, as it is the field's default.
  std::int64_t value = 0;
  each_field(attribute, [&](const Field& next) {
    if (next.is_varint(field::attribute::kInt)) value = static_cast<std::int64_t>(next.value);
    return true;
  });
  return value;
}

std::optional<float> float_of(const Attribute& attribute) {
  if (attribute.type != AttributeType::kFloat || !attribute.reference.empty()) return std::nullopt;
  float value = 0;
  each_field(attribute, [&](const Field& next) {
    if (next.number == field::attribute::kFloat && next.wire == Wire::kFixed32) {
      value = float_of_bits(next.value);
    }
    return true;
  });
  return value;
}

std::optional<std::string_view> string_of(const Attribute& attribute) {
  if (attribute.type != AttributeType::kString || !attribute.reference.empty()) return std::nullopt;
  std::string_view value;
  each_field(attribute, [&](const Field& next) {
    if (next.is_bytes(field::attribute::kString)) value = next.span.bytes;
    return true;
  });
  return value;
}

std::vector<std::int64_t> ints_of(const Attribute& attribute, std::size_t limit) {
  std::vector<std::int64_t> values;
  if (attribute.type != AttributeType::kInts || limit == 0) return values;
  each_number(attribute, field::attribute::kInts, Wire::kVarint, [&](std::uint64_t value) {
    values.push_back(static_cast<std::int64_t>(value));
    return values.size() < limit;
  });
  return values;
}

std::vector<float> floats_of(const Attribute& attribute, std::size_t limit) {
  std::vector<float> values;
  if (attribute.type != AttributeType::kFloats || limit == 0) return values;
  each_number(attribute, field::attribute::kFloats, Wire::kFixed32, [&](std::uint64_t bits) {
    values.push_back(float_of_bits(bits));
    return values.size() < limit;
  });
  return values;
}

std::vector<std::string_view> strings_of(const Attribute& attribute, std::size_t limit) {
  std::vector<std::string_view> values;
  if (attribute.type != AttributeType::kStrings || limit == 0) return values;
  each_field(attribute, [&](const Field& next) {
    if (next.is_bytes(field::attribute::kStrings)) values.push_back(next.span.bytes);
    return values.size() < limit;
  });
  return values;
}

std::size_t count_of(const Attribute& attribute) {
  std::size_t count = 0;
  const auto count_number = [&](std::uint64_t) {
    ++count;
    return true;
  };
  const auto count_fields = [&](std::uint32_t number) {
    each_field(attribute, [&](const Field& next) {
      if (next.is_bytes(number)) ++count;
      return true;
    });
  };
  namespace f = field::attribute;
  switch (attribute.type) {
    case AttributeType::kInts:
      each_number(attribute, f::kInts, Wire::kVarint, count_number);
      return count;
    case AttributeType::kFloats:
      each_number(attribute, f::kFloats, Wire::kFixed32, count_number);
      return count;
    case AttributeType::kStrings:
      count_fields(f::kStrings);
      return count;
    case AttributeType::kTensors:
      count_fields(f::kTensors);
      return count;
    case AttributeType::kGraphs:
      count_fields(f::kGraphs);
      return count;
    default:
      return 1;
  }
}

}  // namespace planex::onnx
