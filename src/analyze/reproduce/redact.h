// An engine without its names: what can be handed to somebody who may see how fast it is, and not
// what it is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/plan_model.h"

namespace planex::analyze {

// Puts hashes in the place of names, in all texts of the model: of layers, tensors, operations,
// blocks, files, hosts, users, and of whatever is not known to be a word of an engine's own
// (analyze/redact_words.h). Numbers, shapes, types, layouts, kinds and kernels of vendors stay; the
// texts of diagnostics go. Returns what was lost, for people.
//
// A word has the same hash wherever it stands, so what has a name in common still has: a name in a
// fused layer, a scope, a tensor of a layer. Numbers in names stay, unless without them a name
// would be as it was ("Conv_0").
//
// The hash is of `salt` and the word. Without a salt, words can be found by trying: `encoder` is
// hashed to the same by everybody.
// Cost: O(texts).
std::vector<std::string> redact(model::PlanModel& model, std::string_view salt);

// One name, as redact() puts it. For tests.
std::string redacted_name(std::string_view name, std::string_view salt);

}  // namespace planex::analyze
