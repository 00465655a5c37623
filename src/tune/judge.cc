#include "tune/judge.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "quantize/accuracy.h"

namespace planex::tune {
namespace {

using quantize::JudgedTensor;

std::int64_t agreed_rows(const JudgedTensors& tensors) {
  std::int64_t count = 0;
  for (const JudgedTensor& tensor : tensors) {
    if (tensor.agreement) count += tensor.agreement->top1_count;
  }
  return count;
}

double least_kept_db(const JudgedTensors& tensors) {
  return quantize::least_db(tensors).value_or(std::numeric_limits<double>::infinity());
}

}  // namespace

Result<std::vector<JudgedTensors>> Judge::compare(
    const std::vector<Subject>& subjects,
    const std::vector<std::pair<std::string, std::string>>& pairs, const std::string& step) {
  std::vector<std::string> names;
  for (const JudgedOutput& output : outputs_) names.push_back(output.tensor);
  drive::InferencePass pass;
  pass.has_classes = true;
  pass.models.push_back({.id = "float", .path = path_, .taps = names});
  for (const Subject& subject : subjects) {
    pass.models.push_back(
        {.id = subject.id, .path = subject.path, .arithmetic = subject.arithmetic, .taps = names});
  }
  for (const auto& [reference, subject] : pairs) {
    for (const std::string& name : names) {
      pass.compared.push_back({{reference, name}, {subject, name}});
    }
  }
  add_splits(pass, outputs_);
  PLANEX_ASSIGN(const drive::PassResult seen, runner_.run(std::move(pass), samples_, step));
  if (seen.compared.size() != pairs.size() * names.size()) {
    return fail(ErrorCode::kInternal,
                base::format("planex-openvino compared {} tensors of {}", seen.compared.size(),
                             pairs.size() * names.size()));
  }
  std::vector<JudgedTensors> all(pairs.size());
  for (std::size_t place = 0; place < seen.compared.size(); ++place) {
    const drive::ComparedTensor& one = seen.compared[place];
    JudgedTensor judged{one.subject.tensor, one.difference, one.agreement};
    if (!outputs_[place % names.size()].has_classes) judged.agreement.reset();
    all[place / names.size()].push_back(std::move(judged));
  }
  return all;
}

Result<std::vector<JudgedTensors>> Judge::compare_with_float(const std::vector<Subject>& subjects,
                                                             const std::string& step) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const Subject& subject : subjects) pairs.emplace_back("float", subject.id);
  return compare(subjects, pairs, step);
}

bool is_worse(const JudgedTensors& one, const JudgedTensors& two) {
  return std::pair(agreed_rows(one), least_kept_db(one)) <
         std::pair(agreed_rows(two), least_kept_db(two));
}

}  // namespace planex::tune
