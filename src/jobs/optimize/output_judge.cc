#include "jobs/optimize/output_judge.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/try.h"
#include "tune/judge.h"
#include "tune/measurements.h"
#include "tune/model_file.h"

namespace planex::jobs {
namespace {

// What the words of OpenVINO's program say of the type that it computes in.
std::vector<std::pair<std::string, std::string>> config_of(const std::vector<std::string>& words,
                                                           const std::vector<std::string>& more) {
  std::vector<std::pair<std::string, std::string>> config;
  for (const auto* list : {&words, &more}) {
    const auto option = std::ranges::find(*list, "--precision");
    if (option == list->end() || option + 1 == list->end()) continue;
    config = {{"INFERENCE_PRECISION_HINT", *(option + 1)}};
  }
  return config;
}

// Errors: kExternalTool (outputs that can't be compared).
Result<tune::JudgedTensors> judged_tensors(const std::vector<drive::ComparedTensor>& tensors,
                                           const std::vector<tune::JudgedOutput>& outputs) {
  tune::JudgedTensors judged;
  for (const tune::JudgedOutput& output : outputs) {
    auto seen = std::ranges::find(tensors, output.tensor,
                                  [](const auto& one) { return one.subject.tensor; });
    if (seen == tensors.end()) {
      seen = std::ranges::find(tensors, output.output,
                               [](const auto& one) { return one.subject.tensor; });
    }
    if (seen == tensors.end()) {
      return fail(ErrorCode::kExternalTool,
                  base::format("output {} was not compared", base::quoted(output.output)));
    }
    if (!seen->mismatch.empty()) {
      return fail(ErrorCode::kExternalTool,
                  base::format("output {} has another shape: {}", base::quoted(output.output),
                               seen->mismatch));
    }
    judged.emplace_back(seen->subject.tensor, seen->difference, seen->agreement);
    if (!output.has_classes) judged.back().agreement.reset();
  }
  return judged;
}

}  // namespace

Result<quantize::Score> OutputJudge::compare(const std::string& reference, const Recipe& subject) {
  PLANEX_ASSIGN(const auto file, tune::ModelFile::open(reference));
  PLANEX_ASSIGN(const auto other, tune::ModelFile::open(subject.model));
  const std::vector<tune::JudgedOutput> outputs =
      tune::judged_outputs(file->model(), file->links(), runner_.workshop().judges_as_returned);
  drive::InferencePass pass;
  pass.has_classes = true;
  pass.models = {{.id = "reference", .path = reference},
                 {.id = "subject",
                  .path = subject.model,
                  .arithmetic = arithmetic_,
                  .config = config_of(words_, subject.words)}};
  for (const tune::JudgedOutput& output : outputs) {
    const bool is_in_both = other->links().find(output.tensor) != nullptr;
    // Both: OpenVINO's reader drops some tensors.
    if (is_in_both && output.tensor != output.output) {
      pass.compared.push_back({{"reference", output.tensor}, {"subject", output.tensor}});
    }
    pass.compared.push_back({{"reference", output.output}, {"subject", output.output}});
  }
  tune::add_splits(pass, outputs);
  PLANEX_ASSIGN(const drive::PassResult seen, runner_.run(std::move(pass), samples_, "judge"));
  PLANEX_ASSIGN(const tune::JudgedTensors judged, judged_tensors(seen.compared, outputs));
  return tune::score_of(judged);
}

}  // namespace planex::jobs
