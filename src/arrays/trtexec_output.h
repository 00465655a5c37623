// What trtexec saves of an inference: --exportOutput, a list of tensors with their numbers as text,
// and the raw bindings of --dumpRawBindingsToFile, one file each.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arrays/saved_arrays.h"
#include "planex/error.h"

namespace planex::arrays {

// Whether text is --exportOutput and not a list of Polygraphy's inputs: its first object begins
// with the key "name" and a text.
bool is_trtexec_output(std::string_view text);

// [ { "name" : "y", "dimensions" : "1x1000", "values" : [ 0.1, nan, … ] }, … ]
//
// Types are not recorded: numbers that are all integers become int64, others float32. trtexec
// writes about six digits. `nan`, `inf` and their negative forms, which JSON does not have, are
// read. A tensor whose values are a sentence, as those of data-dependent shape are, is left out,
// with a remark. Errors: kBadInput (with the byte's offset).
Result<SavedArrays> read_trtexec_output(std::string_view text, const std::string& path);

// "<name>.output.<d.d.d>.<type>.raw"; a scalar has no dimensions: "y.output..FP32.raw".
struct RawBindingName {
  std::string tensor;  // letters, digits and _: trtexec puts _ for everything else
  bool is_input = false;
  std::vector<std::int64_t> shape;
  ElementType type = ElementType::kFloat32;
};
// Null where it is not such a name, or the type is not supported (FP8, INT4).
std::optional<RawBindingName> raw_binding_name(std::string_view file_name);
// Errors: kBadInput (the size differs from what the name says).
Result<Array> read_raw_binding(const RawBindingName& name, std::string bytes,
                               const std::string& path);

}  // namespace planex::arrays
