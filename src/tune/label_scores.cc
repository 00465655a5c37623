#include "tune/label_scores.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>

#include "arrays/npy.h"
#include "arrays/sample_folder.h"
#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "drive/inference.h"

namespace planex::tune {
namespace {

using drive::Arithmetic;
using quantize::LabelScore;

constexpr std::array<std::string_view, 3> kModels = {"float", "simulated", "engine"};

drive::InferenceJob job_of(const LabelledRun& run, const std::string& folder) {
  drive::InferencePass pass;
  constexpr std::array kArithmetics = {Arithmetic::kFloat, Arithmetic::kSimulated,
                                       Arithmetic::kEngine};
  const std::size_t count = run.has_engine ? kModels.size() : kModels.size() - 1;
  for (std::size_t place = 0; place < count; ++place) {
    drive::InferenceModel model{.id = std::string(kModels[place]),
                                .path = place == 0 ? run.model : run.quantized,
                                .arithmetic = kArithmetics[place]};
    for (const JudgedOutput& output : run.judged) {
      model.taps.push_back(output.tensor);
      if (output.has_classes) pass.stored.push_back({model.id, output.tensor});
    }
    pass.models.push_back(std::move(model));
  }
  drive::InferenceJob job;
  job.samples = run.samples;
  job.first_sample = run.first_sample;
  job.sample_count = run.sample_count;
  job.output_dir = folder;
  job.passes.push_back(std::move(pass));
  return job;
}

// Where each sample's largest value is; NaN is below all. Null where a sample has several rows.
std::optional<std::vector<std::int64_t>> answers_of(const arrays::Array& array) {
  if (array.shape.size() < 2) return std::nullopt;
  const auto classes = static_cast<std::size_t>(array.shape.back());
  const auto samples = static_cast<std::size_t>(array.shape.front());
  const std::vector<float> values = arrays::floats_of(array);
  if (classes < 2 || values.size() != samples * classes) return std::nullopt;
  std::vector<std::int64_t> answers;
  for (std::size_t sample = 0; sample < samples; ++sample) {
    const std::span row = std::span(values).subspan(sample * classes, classes);
    // A comparison with NaN is false.
    const auto largest = std::ranges::max_element(
        row, [](float one, float two) { return one < two || (one != one && two == two); });
    answers.push_back(largest - row.begin());
  }
  return answers;
}

Result<std::vector<std::string>> labels_of(const std::string& folder) {
  PLANEX_ASSIGN(const auto reader, arrays::SampleReader::open(folder));
  std::vector<std::string> labels;
  for (const arrays::SampleSource& source : reader->index().samples) {
    labels.push_back(source.label);
  }
  return labels;
}

}  // namespace

Result<std::vector<LabelScore>> label_scores(const LabelledRun& run, Runner& runner,
                                             std::vector<std::string>& notes) {
  PLANEX_ASSIGN(const std::vector<std::string> labels, labels_of(run.samples));
  const auto judged = std::span(labels).subspan(
      std::min(run.first_sample, labels.size()),
      std::min(run.sample_count, labels.size() - std::min(run.first_sample, labels.size())));
  const bool has_labels =
      std::ranges::any_of(judged, [](const std::string& label) { return !label.empty(); });
  if (!has_labels || std::ranges::none_of(run.judged, &JudgedOutput::has_classes)) {
    return std::vector<LabelScore>();
  }
  const std::string folder = base::join_path(runner.workshop().folder, "labelled");
  std::error_code error;
  std::filesystem::create_directory(folder, error);
  if (error) {
    return fail({.code = ErrorCode::kIo,
                 .message = "cannot make a folder: " + error.message(),
                 .file = folder});
  }
  PLANEX_ASSIGN(const drive::InferenceResult seen, runner.run(job_of(run, folder), "labels"));
  std::vector<LabelScore> scores;
  for (const JudgedOutput& output : run.judged) {
    if (!output.has_classes) continue;
    LabelScore score{.tensor = output.tensor, .original = {}, .simulated = {}, .engine = {}};
    if (run.has_engine) score.engine.emplace();
    bool is_scored = true;
    for (const drive::StoredTensor& stored : seen.passes.front().stored) {
      if (stored.tensor.tensor != output.tensor) continue;
      PLANEX_ASSIGN(const auto bytes, base::disk().read(stored.path));
      PLANEX_ASSIGN(const arrays::Array array, arrays::read_npy(bytes->view(), stored.path));
      const auto answers = answers_of(array);
      if (!answers || answers->size() != judged.size()) {
        is_scored = false;
        break;
      }
      const auto classes =
          quantize::classes_of(labels, static_cast<std::size_t>(array.shape.back()));
      if (!classes) {
        notes.push_back("labels are not used: " + classes.error().message);
        is_scored = false;
        break;
      }
      std::int64_t right = 0, total = 0;
      for (std::size_t sample = 0; sample < answers->size(); ++sample) {
        const std::int64_t expected = (*classes)[run.first_sample + sample];
        if (expected < 0) continue;
        ++total;
        if ((*answers)[sample] == expected) ++right;
      }
      quantize::RightAnswers& of = stored.tensor.model == kModels[0]   ? score.original
                                   : stored.tensor.model == kModels[1] ? score.simulated
                                                                       : *score.engine;
      of = quantize::right_answers(right, total);
    }
    if (is_scored && score.simulated.total > 0) scores.push_back(std::move(score));
  }
  return scores;
}

}  // namespace planex::tune
