// An engine with several optimization profiles lists the layers of all of them, one profile after
// another. This determines which layer belongs to which.
//
// Names of layers and tensors of the profiles after the first have a mark, " [profile 1]", mostly
// at their end, in Myelin's names before "_myl1_2". Names that Myelin makes up have none; but each
// profile has its own Myelin blocks, and one marked name identifies its whole block. If no name is
// marked, as in engines with one block per profile, the blocks are counted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/builder.h"

namespace planex::ingest::tensorrt {

// "conv1 [profile 12]_myl1_2" -> 12. Nothing if there is no mark, or no number in it.
std::optional<std::int64_t> profile_mark(std::string_view name);

// "__myl_Move_myl12_0" -> 12: the Myelin block that a kernel belongs to.
std::optional<std::int64_t> myelin_block(std::string_view name);

// What a reader of layers noticed while reading.
struct ProfileHints {
  // Some layer's name has a mark.
  bool saw_mark = false;
  // Number of profiles for which inputs and outputs list shapes; 0 if they list none.
  std::int64_t listed_count = 0;
};

// Call when all layers and bindings are known. Sets engine.profile_count and, for engines with
// several profiles, layers.profile_index, the roles of their inputs and outputs, and the tensor of
// each binding; then engine.profile_index, which may contain the user's request, is 0 unless it was
// set. Errors: kUsage if the engine has no such profile. Cost: O(layers + ports) for engines with
// several profiles, otherwise O(bindings).
Result<void> assign_profiles(const ProfileHints& hints, const std::string& file,
                             model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt
