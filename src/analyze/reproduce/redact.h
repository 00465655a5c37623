// Removes the names from an engine: the result can be shared with people who may see how fast it
// is, but not what it is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/plan_model.h"

namespace planex::analyze {

// Replaces names by hashes in all texts of the model: names of layers, tensors, operations, blocks,
// files, hosts, users, and everything not known to be an engine's own word
// (analyze/redact_words.h). Numbers, shapes, types, layouts, kinds and vendors' kernels are kept;
// the texts of diagnostics are removed. Returns what was lost, for people.
//
// A word has the same hash everywhere, so things that share a name still share it: a name in a
// fused layer, a scope, a tensor of a layer. Numbers in names are kept, unless the name would then
// be unchanged ("Conv_0").
//
// The hash covers `salt` and the word. Without a salt, words can be guessed by trial: `encoder` has
// the same hash for everyone. Cost: O(texts).
std::vector<std::string> redact(model::PlanModel& model, std::string_view salt);

// One name, as redact() hashes it. For tests.
std::string redacted_name(std::string_view name, std::string_view salt);

}  // namespace planex::analyze
