// Q/DQ where the engine wants them, as `planex advise --apply` does.
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "jobs/optimize/by_hand.h"
#include "jobs/optimize/proposals.h"
#include "quantize/advise_outcome.h"
#include "tune/advise.h"

namespace planex::jobs {
namespace {

Result<Made> make_advised(const ProposalNeeds& needs, const Recipe& best,
                          const std::string& folder) {
  PLANEX_TRY(make_folder(folder));
  Recipe recipe = best;
  recipe.model = base::join_path(folder, "model.onnx");
  tune::AdviseRequest request{.model = best.model, .target = *needs.target, .output = recipe.model};
  if (needs.data->is_given()) {
    PLANEX_ASSIGN(request.data, data_request(*needs.data));
    request.data->limit = 0;
  }
  auto outcome =
      tune::advise_model(request, needs.shop == nullptr ? nullptr : &needs.shop->workshop());
  if (!outcome) {
    // A float model has no Q/DQ to move.
    if (outcome.error().code == ErrorCode::kUnsupported) {
      return Made{.reason = outcome.error().message};
    }
    return fail(outcome.error());
  }
  if (outcome->output.empty() || outcome->advice.empty()) {
    return Made{.reason = "its Q/DQ are where this engine wants them"};
  }
  recipe.by_hand = file_by_hand(model_by_hand(best), "advised");
  std::string command = base::format(
      "planex advise {} --target {} --apply{} -o {}", base::shell_word(model_by_hand(best)),
      to_string(*needs.target), needs.data->is_given() ? data_by_hand(*needs.data) : std::string(),
      base::shell_word(recipe.by_hand));
  return Made{.recipe = std::move(recipe),
              .command = std::move(command),
              .said = base::counted(outcome->advice.size(), "change")};
}

}  // namespace

std::vector<Proposal> advice_proposals(const ProposalNeeds& needs) {
  if (!needs.target) return {};
  return {{.id = "advice",
           .kind = "advice",
           .what = "Move, add and remove Q/DQ as the engine's rules say.",
           .keeps_results = false,
           .make = [&needs](const Recipe& best, const std::string& folder) {
             return make_advised(needs, best, folder);
           }}};
}

}  // namespace planex::jobs
