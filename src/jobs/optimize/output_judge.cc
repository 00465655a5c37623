#include "jobs/optimize/output_judge.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "arrays/difference.h"
#include "base/text.h"
#include "base/try.h"
#include "tune/model_file.h"

namespace planex::jobs {
namespace {

// Errors: kExternalTool (outputs that can't be compared).
Result<Closeness> compared_closeness(const std::vector<drive::ComparedTensor>& tensors,
                                     const std::vector<tune::JudgedOutput>& outputs) {
  Closeness closeness{.sqnr_db = std::numeric_limits<double>::infinity()};
  std::int64_t rows = 0, agreed = 0;
  for (std::size_t place = 0; place < tensors.size(); ++place) {
    const drive::ComparedTensor& tensor = tensors[place];
    if (!tensor.mismatch.empty()) {
      return fail(ErrorCode::kExternalTool,
                  base::format("output {} has another shape: {}",
                               base::quoted(tensor.subject.tensor), tensor.mismatch));
    }
    // A tensor of zeros has no signal to lose.
    if (const auto kept_db = arrays::kept_db(tensor.difference)) {
      closeness.sqnr_db = std::min(closeness.sqnr_db, *kept_db);
    }
    if (tensor.agreement && outputs[place].has_classes) {
      rows += tensor.agreement->rows;
      agreed += tensor.agreement->top1_count;
    }
  }
  if (rows > 0) closeness.top1_ratio = static_cast<double>(agreed) / static_cast<double>(rows);
  return closeness;
}

}  // namespace

Result<Closeness> OutputJudge::compare(const std::string& reference, const std::string& subject) {
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
  return compared_closeness(seen.compared, outputs);
}

}  // namespace planex::jobs
