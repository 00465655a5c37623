// OpenVINO's names for element types, memory layouts and kernels.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "model/types.h"

namespace planex::ingest::openvino {

// "f32", or "FP32" as in the IR's XML -> FP32. Null for types that the model has no word for:
// string, dynamic, UNSPECIFIED, nf4, u1, ... u4 is INT4, the model's only word for four-bit
// integers.
model::DType parse_type(std::string_view word);

// A oneDNN format tag: letters are axes from the outermost to the innermost; an upper-case axis is
// split, and its blocks follow: aBcd16b.
// https://uxlfoundation.github.io/oneDNN/dev_guide_understanding_memory_formats.html
// The GPU plugin's tags name the axes: bfyx, byxf, b_fs_yx_fsv16.
struct TagFacts {
  model::Layout layout;
  // Any order of whole axes: as many elements in memory as in the tensor.
  bool is_permutation = false;
  // Number of axes; 0 if the tag is not a list of axes.
  std::size_t rank = 0;

  // The GPU plugin gives a vector four axes.
  static constexpr std::size_t kAnyRank = 255;
  bool fits(std::size_t tensor_rank) const {
    return rank == tensor_rank || rank == kAnyRank || tensor_rank == 0;
  }
};
TagFacts parse_tag(std::string_view tag);

// The type in a kernel's name: "brgconv_avx512_amx_i8" -> INT8. I8 means u8 (a quirk of the
// plugin). Null if the name contains none.
model::DType type_of_primitive(std::string_view primitive);

// Whether the kernel's name says that it uses matrix units (AMX), or an instruction set without
// them. Nothing if the name contains no instruction set.
std::optional<bool> uses_matrix_units(std::string_view primitive);

// A kernel's name without instruction set and type: "brgconv_avx512_1x1_f32" -> "brgconv_1x1",
// "jit_uni_f32" -> "jit". Empty for "unknown_f32": there is no kernel.
std::string family_of_primitive(std::string_view primitive);

}  // namespace planex::ingest::openvino
