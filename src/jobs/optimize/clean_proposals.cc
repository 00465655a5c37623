// The graph simplified, as `planex clean` does.
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "drive/model_files.h"
#include "jobs/clean_file.h"
#include "jobs/optimize/proposals.h"

namespace planex::jobs {
namespace {

namespace fs = std::filesystem;

// External data where the changed model looks for it.
Result<void> link_data(const std::string& model, const std::string& folder) {
  const fs::path from = fs::absolute(fs::path(model).parent_path());
  for (const std::string& name : drive::model_data_files(model)) {
    const fs::path target = fs::path(folder) / name;
    std::error_code error;
    fs::create_directories(target.parent_path(), error);
    fs::create_hard_link(from / name, target, error);
    if (error) fs::copy_file(from / name, target, error);
    if (error) {
      return fail({.code = ErrorCode::kIo,
                   .message = "can't copy the model's external data: " + error.message(),
                   .file = target.string()});
    }
  }
  return {};
}

}  // namespace

Result<Made> make_clean(const Recipe& best, const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  Recipe recipe = best;
  recipe.model = base::join_path(folder, "model.onnx");
  const auto outcome = clean_file(best.model, recipe.model, {});
  if (!outcome) {
    // An opset before those that the passes know.
    if (outcome.error().code == ErrorCode::kUnsupported) {
      return Made{.reason = outcome.error().message};
    }
    return fail(outcome.error());
  }
  if (outcome->steps.empty()) return Made{.reason = "there is nothing to simplify"};
  PLANEX_TRY(link_data(best.model, folder));
  return Made{
      .recipe = std::move(recipe),
      .command = base::format("planex clean {} -o model.clean.onnx", base::shell_word(best.model))};
}

std::vector<Proposal> clean_proposals(const ProposalNeeds&) {
  return {{.id = "clean",
           .kind = "clean",
           .what = "Simplify the graph: fold constants, cancel transposes, join what was spelled "
                   "out.",
           .make = make_clean}};
}

}  // namespace planex::jobs
