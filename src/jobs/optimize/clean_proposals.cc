// The graph simplified, as `planex clean` does.
#include <cstdint>
#include <optional>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "jobs/clean_file.h"
#include "jobs/optimize/by_hand.h"
#include "jobs/optimize/proposals.h"
#include "tune/model_file.h"

namespace planex::jobs {
namespace {

// The first in which all activations are operators that engines have; norms by group need 21, which
// older engines refuse.
constexpr std::int64_t kRaisedOpset = 20;

Result<Made> make_clean_at(const Recipe& best, const std::string& folder,
                           std::optional<std::int64_t> opset) {
  PLANEX_TRY(make_folder(folder));
  Recipe recipe = best;
  recipe.model = base::join_path(folder, "model.onnx");
  const auto outcome = clean_file(best.model, recipe.model, {.opset = opset});
  if (!outcome) {
    // An opset before those that the passes know.
    if (outcome.error().code == ErrorCode::kUnsupported) {
      return Made{.reason = outcome.error().message};
    }
    return fail(outcome.error());
  }
  if (outcome->steps.empty()) return Made{.reason = "there is nothing to simplify"};
  PLANEX_TRY(tune::link_data(best.model, folder));
  recipe.by_hand = file_by_hand(model_by_hand(best), "clean");
  std::string command = base::format(
      "planex clean {}{} -o {}", base::shell_word(model_by_hand(best)),
      opset ? base::format(" --opset {}", *opset) : "", base::shell_word(recipe.by_hand));
  return Made{
      .recipe = std::move(recipe),
      .command = std::move(command),
      .said = base::format("{} → {} nodes", outcome->node_count_before, outcome->node_count)};
}

}  // namespace

Result<Made> make_clean(const Recipe& best, const std::string& folder) {
  return make_clean_at(best, folder, {});
}

std::vector<Proposal> clean_proposals(const ProposalNeeds&) {
  return {{.id = "clean",
           .kind = "clean",
           .what = "Simplify the graph: fold constants, cancel transposes, join what was spelled "
                   "out.",
           .make = make_clean},
          {.id = "clean+opset",
           .kind = "clean",
           .what = "Raise the opset, and join what was spelled out into operators that it has.",
           .make = [](const Recipe& best, const std::string& folder) {
             return make_clean_at(best, folder, kRaisedOpset);
           }}};
}

}  // namespace planex::jobs
