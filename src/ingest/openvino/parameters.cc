#include "ingest/openvino/parameters.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/text.h"

namespace planex::ingest::openvino {
namespace {

using base::Lifetime;
using base::StringId;
using model::Family;
using model::ValueType;

struct Name {
  std::string_view ours;
  std::string_view common;
};
constexpr std::array<Name, 6> kConvolutionNames = {{{"kernel", "Kernel"},
                                                    {"strides", "Stride"},
                                                    {"pads_begin", "PrePadding"},
                                                    {"pads_end", "PostPadding"},
                                                    {"dilations", "Dilation"},
                                                    {"group", "Groups"}}};
constexpr std::array<Name, 6> kPoolingNames = {{{"kernel", "WindowSize"},
                                                {"strides", "Stride"},
                                                {"pads_begin", "PrePadding"},
                                                {"pads_end", "PostPadding"},
                                                {"mode", "PoolingType"},
                                                {"exclude_pad", "AverageCountExcludesPadding"}}};
constexpr std::array<Name, 2> kMatrixNames = {
    {{"transpose_a", "MatrixOpA"}, {"transpose_b", "MatrixOpB"}}};

std::span<const Name> names_of(Family family) {
  switch (family) {
    case Family::kConvolution:
      return kConvolutionNames;
    case Family::kPool:
      return kPoolingNames;
    case Family::kGemm:
      return kMatrixNames;
    default:
      return {};
  }
}

struct Value {
  StringId text;
  ValueType type;
};

// TensorRT writes MAX, TRANSPOSE and 1 where OpenVINO says max, true and true.
Value common_value(std::string_view key, const Parameter& parameter, base::StringPool& strings) {
  const std::string_view text = strings.view(parameter.value);
  if (key == "PoolingType") {
    std::string upper(text);
    for (char& c : upper) {
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    }
    return {strings.intern(upper), parameter.type};
  }
  if (parameter.type != ValueType::kBoolean) return {parameter.value, parameter.type};
  const bool yes = text == "true";
  if (key.starts_with("MatrixOp")) {
    return {strings.intern(yes ? "TRANSPOSE" : "NONE"), ValueType::kString};
  }
  return {strings.intern(yes ? "1" : "0"), ValueType::kNumber};
}

}  // namespace

void add_parameters(std::span<const Parameter> parameters, std::optional<std::int64_t> channels,
                    model::LayerId layer, model::ModelBuilder& builder) {
  base::StringPool& strings = builder.strings();
  const Family family = builder.model().layers.family[layer.index()];
  const auto names = names_of(family);
  for (const Parameter& parameter : parameters) {
    if (parameter.type == ValueType::kJsonNull) continue;
    const auto found = std::ranges::find(names, parameter.key, &Name::ours);
    if (found == names.end()) {
      builder.add_attribute(layer, strings.intern(parameter.key, Lifetime::kBorrow),
                            parameter.value, parameter.type);
      continue;
    }
    const Value value = common_value(found->common, parameter, strings);
    builder.add_attribute(layer, strings.intern(found->common), value.text, value.type);
  }
  if (family == Family::kConvolution && !parameters.empty() && channels) {
    builder.add_attribute(layer, strings.intern("OutMaps"),
                          strings.intern(base::format("{}", *channels)), ValueType::kNumber);
  }
}

}  // namespace planex::ingest::openvino
