#include "jobs/clean_file.h"

#include <string_view>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"

namespace planex::jobs {
namespace {

Error about_model(Error error, const std::string& model) {
  const bool is_of_model =
      error.code == ErrorCode::kBadInput || error.code == ErrorCode::kUnsupported;
  if (error.file.empty() && is_of_model) error.file = model;
  return error;
}

}  // namespace

Result<clean::CleanOutcome> clean_file(const std::string& model, const std::string& output,
                                       const clean::CleanOptions& options) {
  PLANEX_ASSIGN(const auto bytes, base::disk().read(model, base::Access::kSparse));
  const auto cleaned =
      clean::clean_model(bytes->view(), base::disk(), std::string(base::folder_of(model)), options);
  if (!cleaned) return fail(about_model(cleaned.error(), model));
  const std::string_view written =
      cleaned->bytes.empty() ? bytes->view() : std::string_view(cleaned->bytes);
  PLANEX_ASSIGN(base::FileWriter writer, base::FileWriter::create(output));
  PLANEX_TRY(writer.write(written));
  if (!bytes->is_intact()) return fail(base::changed_error(model));
  PLANEX_TRY(writer.finish());
  clean::CleanOutcome outcome{.model = model,
                              .output = output,
                              .opset_before = cleaned->opset_before,
                              .opset = cleaned->opset,
                              .node_count_before = cleaned->nodes_before,
                              .node_count = cleaned->nodes,
                              .bytes_before = cleaned->bytes_before,
                              .bytes = written.size()};
  for (const clean::Step& step : cleaned->steps) {
    outcome.steps.push_back(
        {std::string(step.id), std::string(step.summary), step.effect, step.count, step.nodes});
  }
  return outcome;
}

std::string note_on_cleaning(const std::string& model) {
  const auto bytes = base::disk().read(model, base::Access::kSparse);
  if (!bytes) return {};
  const auto cleaned =
      clean::clean_model((*bytes)->view(), base::disk(), std::string(base::folder_of(model)), {});
  if (!cleaned || cleaned->nodes >= cleaned->nodes_before) return {};
  // Fewer are not worth another command.
  constexpr std::size_t kMinNodes = 8, kMinPart = 10;
  const std::size_t removed = cleaned->nodes_before - cleaned->nodes;
  if (removed < kMinNodes || removed * kMinPart < cleaned->nodes_before) return {};
  return base::format(
      "simplified, the model has {} nodes instead of {}: what is quantized from that can be "
      "faster: planex clean {} -o model.clean.onnx",
      cleaned->nodes, cleaned->nodes_before, base::shell_word(model));
}

}  // namespace planex::jobs
