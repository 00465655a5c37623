// What a search wrote down of itself, so that the same command goes on from there: in the folder of
// the result, beside the record that users read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyze/optimize/outcome.h"
#include "drive/cancellation.h"
#include "jobs/optimize/recipe.h"
#include "planex/error.h"

namespace planex::jobs {

struct SavedSearch {
  // What was asked for: another request is another search.
  std::string asked;
  std::vector<analyze::OptimizeStep> steps;
  std::vector<std::string> kept;
  double spent_seconds = 0;
  // The best: words for the engine's program, and the model of the folder by its hash; empty: the
  // model as it is.
  std::vector<std::string> words;
  std::string model_sha256;
  std::string quantized_to;  // see Recipe
};

// Errors: those of writing.
Result<void> save_search(const std::string& folder, SavedSearch& search);

// None: nothing was saved there, or what was is no longer true, because the folder's model is
// another one. Errors: kBadInput (a damaged file), kUsage (of another request), those of reading.
Result<std::optional<SavedSearch>> saved_search(const std::string& folder, const std::string& asked,
                                                const drive::Cancellation& cancellation);

}  // namespace planex::jobs
