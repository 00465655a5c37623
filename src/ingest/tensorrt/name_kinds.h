// What a TensorRT layer does, as far as its name shows: all there is to know of engines whose layer
// files have names only, and of profiles.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "model/builder.h"

namespace planex::ingest::tensorrt {

// A word that family_of() and role_of() know: "Conv" of "a.weight + Conv_9 + Relu_10", "MaxPool" of
// "/backbone/MaxPool", "Reformat" of "Reformatting CopyNode for Input Tensor 0 to fc" and of
// TensorRT 7's "fc input reformatter 0". Empty where the name does not show it: names are given by
// people, so only words that mean one thing are taken.
// The view is into `layer_name` or static.
std::string_view kind_in_name(std::string_view layer_name);

// Copies that TensorRT put in and called after the layer that they serve.
bool is_copy_name(std::string_view layer_name);

// "{ForeignNode[a...b]}" -> a, b; nothing of other names.
std::optional<std::pair<std::string_view, std::string_view>> foreign_ends(
    std::string_view layer_name);

// Gives layers without a family what their names show: type, family and role. Their raw_type stays
// null, which tells them from those whose kind the file records. Cost: O(characters of names).
void set_kinds_of_names(model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt
