#include "jobs/optimize/output_judge.h"

#include <memory>
#include <vector>

#include "base/text.h"
#include "base/try.h"
#include "tune/judge.h"
#include "tune/measurements.h"
#include "tune/model_file.h"

namespace planex::jobs {
namespace {

// Errors: kExternalTool (outputs that can't be compared).
Result<tune::JudgedTensors> judged_tensors(const std::vector<drive::ComparedTensor>& tensors,
                                           const std::vector<tune::JudgedOutput>& outputs) {
  tune::JudgedTensors judged;
  for (std::size_t place = 0; place < tensors.size(); ++place) {
    const drive::ComparedTensor& tensor = tensors[place];
    if (!tensor.mismatch.empty()) {
      return fail(ErrorCode::kExternalTool,
                  base::format("output {} has another shape: {}",
                               base::quoted(tensor.subject.tensor), tensor.mismatch));
    }
    quantize::JudgedTensor& one =
        judged.emplace_back(tensor.subject.tensor, tensor.difference, tensor.agreement);
    if (!outputs[place].has_classes) one.agreement.reset();
  }
  return judged;
}

}  // namespace

Result<quantize::Score> OutputJudge::compare(const std::string& reference,
                                             const std::string& subject) {
  PLANEX_ASSIGN(const auto file, tune::ModelFile::open(reference));
  const std::vector<tune::JudgedOutput> outputs =
      tune::judged_outputs(file->model(), file->links());
  drive::InferencePass pass;
  pass.has_classes = true;
  pass.models = {{.id = "reference", .path = reference},
                 {.id = "subject", .path = subject, .arithmetic = arithmetic_}};
  for (const tune::JudgedOutput& output : outputs) {
    pass.compared.push_back({{"reference", output.output}, {"subject", output.output}});
  }
  PLANEX_ASSIGN(const drive::PassResult seen, runner_.run(std::move(pass), samples_, "judge"));
  PLANEX_ASSIGN(const tune::JudgedTensors judged, judged_tensors(seen.compared, outputs));
  return tune::score_of(judged);
}

}  // namespace planex::jobs
