// Rows of a profile that are about a DLA: TensorRT's profiler sees what the GPU's side does around
// it, not its work.
#pragma once

#include <string_view>

#include "model/builder.h"

namespace planex::ingest::tensorrt {

// Types of layers. TensorRT's own files have the first; rows of a profile have none, so the others
// are planex's words.
inline constexpr std::string_view kDlaPart = "DLA";
inline constexpr std::string_view kDlaWait = "DLA wait";          // "X from nvm"
inline constexpr std::string_view kDlaTransfer = "DLA transfer";  // "X to nvm", "X copy finish"

// One of the two last, or empty: another row.
std::string_view dla_row_type(std::string_view name);

// Gives such a type to a layer that has none.
void set_dla_type(model::LayerId layer, std::string_view type, model::ModelBuilder& builder);

// Names the rows of a profile without a layer file for what they are: where "X from nvm" is there,
// so is a DLA, and a row "{a,b,c}" or "{ForeignNode[a...b]}" starts one of its parts. O(layers).
void type_dla_rows(model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt
