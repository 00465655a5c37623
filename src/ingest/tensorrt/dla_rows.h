// Rows of a profile about a DLA: TensorRT's profiler sees what the GPU's side does around the DLA,
// not the DLA's work.
#pragma once

#include <string_view>

#include "model/builder.h"

namespace planex::ingest::tensorrt {

// Types of layers. TensorRT's own files contain the first; rows of a profile have no types, so the
// others are planex's own words.
inline constexpr std::string_view kDlaPart = "DLA";
inline constexpr std::string_view kDlaWait = "DLA wait";          // "X from nvm"
inline constexpr std::string_view kDlaTransfer = "DLA transfer";  // "X to nvm", "X copy finish"

// One of the last two, or empty for any other row.
std::string_view dla_row_type(std::string_view name);

// Sets such a type on a layer that has none.
void set_dla_type(model::LayerId layer, std::string_view type, model::ModelBuilder& builder);

// Classifies the rows of a profile without a layer file: if "X from nvm" is there, so is a DLA, and
// a row "{a,b,c}" or "{ForeignNode[a...b]}" starts one of its parts. O(layers).
void type_dla_rows(model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt
