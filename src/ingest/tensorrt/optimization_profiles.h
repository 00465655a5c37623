// Engines with several optimization profiles list the layers of all of them, one profile after the
// other. This finds out which layer belongs to which.
//
// Names of layers and tensors of the profiles after the first have a mark, " [profile 1]", mostly
// at their end, in Myelin's names before "_myl1_2". Names that Myelin makes up have none; but each
// profile has its own Myelin blocks, and one marked name tells of its whole block. Where no name is
// marked, as in engines that are one block for each profile, the blocks are counted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/builder.h"

namespace planex::ingest::tensorrt {

// "conv1 [profile 12]_myl1_2" -> 12. Nothing where there is no mark, or no number in it.
std::optional<std::int64_t> profile_mark(std::string_view name);

// The name without the mark.
std::string without_profile_mark(std::string_view name);

// "__myl_Move_myl12_0" -> 12: the Myelin block that a kernel belongs to.
std::optional<std::int64_t> myelin_block(std::string_view name);

// What a reader of layers noticed on its way.
struct ProfileHints {
  // Some layer's name has a mark.
  bool saw_mark = false;
  // Profiles that inputs and outputs list shapes for; 0 where they list none.
  std::int64_t listed_count = 0;
};

// To be called when all layers and bindings are known. Sets engine.profile_count and, for engines
// of several profiles, layers.profile_index, the roles of their inputs and outputs, and the tensor
// of each binding; then engine.profile_index, which may hold what the user asked for, is 0 unless
// it was set. Errors: kUsage where the engine has no such profile. Cost: O(layers + ports) for
// engines of several profiles, else O(bindings).
Result<void> assign_profiles(const ProfileHints& hints, const std::string& file,
                             model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt
