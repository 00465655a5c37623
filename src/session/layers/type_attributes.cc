#include "session/layers/type_attributes.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/find.h"

namespace planex::session {
namespace {

using Keys = std::span<const std::string_view>;

constexpr std::array<std::string_view, 12> kConvolution = {"Groups",
                                                           "OutMaps",
                                                           "Stride",
                                                           "Kernel",
                                                           "PrePadding",
                                                           "PostPadding",
                                                           "HasBias",
                                                           "Activation",
                                                           "HasReLU",
                                                           "Dilation",
                                                           "NbPointWiseExpressionOperations",
                                                           "PointWiseExpressionOperations"};
constexpr std::array<std::string_view, 6> kPointWise = {
    "NbOperations", "NbInputArgs", "Operations", "NbInstructions", "NbInputs", "Instructions"};
constexpr std::array<std::string_view, 1> kReformat = {"Origin"};
constexpr std::array<std::string_view, 4> kPooling = {"PoolingType", "WindowSize", "PaddingMode",
                                                      "Stride"};
constexpr std::array<std::string_view, 6> kScale = {"Mode",  "Shift",      "Scale",
                                                    "Power", "Activation", "ChannelAxis"};
constexpr std::array<std::string_view, 3> kShuffle = {"FirstTranspose", "SecondTranspose",
                                                      "Reshape"};
constexpr std::array<std::string_view, 3> kResize = {"ResizeMode", "ResizeScales", "NNRounding"};
constexpr std::array<std::string_view, 4> kSlice = {"Start", "Stride", "Size", "Mode"};

struct TypeKeys {
  std::string_view type;
  Keys keys;
};
constexpr std::array<TypeKeys, 9> kTypes = {{{"Convolution", kConvolution},
                                             {"Deconvolution", kConvolution},
                                             {"PointWise", kPointWise},
                                             {"Reformat", kReformat},
                                             {"Pooling", kPooling},
                                             {"Scale", kScale},
                                             {"Shuffle", kShuffle},
                                             {"Resize", kResize},
                                             {"Slice", kSlice}}};

// Shown by columns of the table, or the same for all.
constexpr std::array<std::string_view, 3> kElsewhere = {"Metadata", "TacticValue", "PaddingMode"};

}  // namespace

std::vector<std::string_view> attribute_keys(const model::PlanModel& model, std::string_view type) {
  // Keys are interned, so ids tell them apart.
  std::vector<base::StringId> ids;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    if (model.text(model.layers.type[row]) != type) continue;
    const model::RowRange attributes = model.attributes_of(model::LayerId(row));
    for (std::size_t i = attributes.first; i < attributes.end(); ++i) {
      const base::StringId key = model.attributes.key[i];
      if (std::ranges::find(ids, key) == ids.end()) ids.push_back(key);
    }
  }
  std::vector<std::string_view> present;
  for (const base::StringId id : ids) present.push_back(model.text(id));
  const TypeKeys* known = base::find(kTypes, type, &TypeKeys::type);
  std::vector<std::string_view> chosen;
  if (known != nullptr) {
    for (const std::string_view key : known->keys) {
      if (std::ranges::find(present, key) != present.end()) chosen.push_back(key);
    }
  }
  if (!chosen.empty()) return chosen;
  for (const std::string_view key : present) {
    const bool elsewhere = std::ranges::find(kElsewhere, key) != kElsewhere.end();
    if (!elsewhere && chosen.size() < kMaxAttributes) chosen.push_back(key);
  }
  return chosen;
}

}  // namespace planex::session
