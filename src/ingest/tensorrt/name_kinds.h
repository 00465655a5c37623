// What a TensorRT layer does, as far as its name shows: the only source for profiles, and for
// engines whose layer files contain only names.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "model/builder.h"

namespace planex::ingest::tensorrt {

// A word that family_of() and role_of() know: "Conv" from "a.weight + Conv_9 + Relu_10", "MaxPool"
// from "/backbone/MaxPool", "Reformat" from "Reformatting CopyNode for Input Tensor 0 to fc" and
// from TensorRT 7's "fc input reformatter 0". Empty if the name does not show it: people choose
// names, so only unambiguous words are used.
// The view is into `layer_name` or static.
std::string_view kind_in_name(std::string_view layer_name);

// Copies that TensorRT inserted and named after the layer that they serve.
bool is_copy_name(std::string_view layer_name);

// "{ForeignNode[a...b]}" -> a, b; nothing for other names.
std::optional<std::pair<std::string_view, std::string_view>> foreign_ends(
    std::string_view layer_name);

// Gives layers without a family what their names show: type, family and role. Their raw_type stays
// null, which distinguishes them from layers whose kind the file records. Cost: O(characters of
// names).
void set_kinds_of_names(model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt
