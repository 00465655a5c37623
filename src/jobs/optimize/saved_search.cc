#include "jobs/optimize/saved_search.h"

#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "drive/json_description.h"
#include "drive/sha256.h"

namespace planex::analyze {
namespace {

constexpr auto kStateWords = [] {
  std::array<std::string_view, static_cast<std::size_t>(StepState::kNotTried) + 1> words;
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = to_string(static_cast<StepState>(i));
  return words;
};

}  // namespace

// Found by their arguments, so not in the unnamed namespace.
void describe(auto& io, TimedMedian& time) {
  io.optional("median_ms", time.median_ms);
  io.optional("low_ms", time.low_ms);
  io.optional("high_ms", time.high_ms);
  io.field("run_count", time.run_count);
  io.optional("memory_bytes", time.memory_bytes);
}

void describe(auto& io, OptimizeStep& step) {
  io.field("id", step.id);
  io.field("kind", step.kind);
  io.field("what", step.what);
  io.field("basis", step.basis);
  io.field("command", step.command);
  io.optional("group", step.group);
  io.optional("said", step.said);
  static const auto kWords = kStateWords();
  io.word("state", step.state, kWords);
  io.field("reason", step.reason);
  io.optional("change_ratio", step.change_ratio);
  io.optional("low_ratio", step.low_ratio);
  io.optional("high_ratio", step.high_ratio);
  io.field("before", step.before);
  io.field("after", step.after);
  // JSON has no infinity.
  bool is_equal = step.sqnr_db && std::isinf(*step.sqnr_db);
  io.optional("is_equal", is_equal);
  io.optional("predicted_ratio", step.predicted_ratio);
  io.optional("why_not_predicted", step.why_not_predicted);
  io.optional("sqnr_db", step.sqnr_db);
  if (is_equal) step.sqnr_db = std::numeric_limits<double>::infinity();
  io.optional("top1_ratio", step.top1_ratio);
  io.optional("layer_count", step.layer_count);
  io.optional("latency_ms", step.latency_ms);
  io.field("duration_s", step.seconds);
}

}  // namespace planex::analyze

namespace planex::jobs {

void describe(auto& io, SavedSearch& search) {
  io.field("asked", search.asked);
  io.field("steps", search.steps);
  io.field("kept", search.kept);
  io.field("duration_s", search.spent_seconds);
  io.field("words", search.words);
  io.field("model_sha256", search.model_sha256);
  io.optional("quantized_to", search.quantized_to);
}

namespace {

constexpr std::string_view kSchema = "planex.optimize-state/1";

std::string state_file(const std::string& folder) {
  return base::join_path(folder, "optimize.state.json");
}

}  // namespace

Result<void> save_search(const std::string& folder, SavedSearch& search) {
  return base::write_file_atomically(state_file(folder),
                                     drive::described_document(kSchema, search));
}

Result<std::optional<SavedSearch>> saved_search(const std::string& folder, const std::string& asked,
                                                const drive::Cancellation& cancellation) {
  const std::string file = state_file(folder);
  auto bytes = base::disk().read(file, base::Access::kWhole);
  if (!bytes) {
    if (bytes.error().code == ErrorCode::kNotFound) return std::optional<SavedSearch>();
    return fail(bytes.error());
  }
  PLANEX_ASSIGN(SavedSearch search, drive::read_described<SavedSearch>(**bytes, kSchema, file));
  if (search.asked != asked) {
    return fail({.code = ErrorCode::kUsage,
                 .message = "is a search with another model, engine, goal, data or options",
                 .file = file,
                 .hint = "choose another folder with -o, or --fresh to begin again"});
  }
  if (search.model_sha256.empty()) return std::optional(std::move(search));
  auto digest = drive::digest_file(base::join_path(folder, "model.onnx"), cancellation);
  if (!digest && digest.error().code == ErrorCode::kCancelled) return fail(digest.error());
  if (!digest || digest->sha256 != search.model_sha256) return std::optional<SavedSearch>();
  return std::optional(std::move(search));
}

}  // namespace planex::jobs
