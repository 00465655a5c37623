#include "tune/scores.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "arrays/npz.h"
#include "arrays/sample_folder.h"
#include "arrays/sample_sources.h"
#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "drive/metric_program.h"
#include "tune/label_scores.h"
#include "tune/stored.h"

namespace planex::tune {
namespace {

using drive::Arithmetic;
using quantize::MetricScore;

struct ScoredModel {
  std::string_view id;
  Arithmetic arithmetic;
  std::optional<double> MetricScore::* score;
};
constexpr std::array<ScoredModel, 3> kModels = {
    {{"float", Arithmetic::kFloat, &MetricScore::original},
     {"simulated", Arithmetic::kSimulated, &MetricScore::simulated},
     {"engine", Arithmetic::kEngine, &MetricScore::engine}}};

// One program for all models. A value that a later call does not print stays null.
class Metric {
 public:
  Metric(std::vector<std::string> words, Runner& runner)
      : words_(std::move(words)), runner_(runner) {}

  Result<void> add(const ScoredModel& model, const std::string& reference,
                   const std::string& subject) {
    PLANEX_ASSIGN(const std::vector<drive::MetricValue> values,
                  drive::run_metric(words_, reference, subject, runner_.workshop().cancellation));
    for (const drive::MetricValue& value : values) {
      auto found = std::ranges::find(scores_, value.name, &MetricScore::name);
      if (found == scores_.end()) {
        found = scores_.insert(scores_.end(), MetricScore{.name = value.name});
      }
      (*found).*model.score = value.value;
    }
    return {};
  }

  const std::vector<MetricScore>& scores() const { return scores_; }

 private:
  std::vector<std::string> words_;
  Runner& runner_;
  std::vector<MetricScore> scores_;
};

// The .npz of a model's own outputs; null where it stored none of them.
Result<std::optional<std::string>> archive_of(const drive::PassResult& seen,
                                              const ScoreRequest& request, std::string_view model,
                                              const std::string& folder) {
  std::vector<arrays::NpyFile> files;
  for (const JudgedOutput& output : request.judged) {
    for (const drive::StoredTensor& stored : seen.stored) {
      if (stored.tensor.model != model || stored.tensor.tensor != output.output) continue;
      files.push_back({output.output, stored.path});
      break;
    }
  }
  if (files.empty()) return std::optional<std::string>();
  std::string path = base::join_path(folder, base::format("{}.npz", model));
  PLANEX_TRY(arrays::write_npz(files, path));
  return std::optional(std::move(path));
}

Result<std::vector<MetricScore>> metric_scores(const drive::PassResult& seen,
                                               const ScoreRequest& request, Runner& runner) {
  std::vector<MetricScore> all;
  PLANEX_ASSIGN(const std::string folder, make_folder(runner.workshop().folder, "metric"));
  PLANEX_ASSIGN(const auto reader, arrays::SampleReader::open(request.samples.folder));
  const std::span<const arrays::SampleSource> sources = reader->index().samples;
  const auto some = sources.subspan(std::min(request.samples.first, sources.size()));
  PLANEX_TRY(arrays::write_sources(some.first(std::min(request.samples.count, some.size())),
                                   base::join_path(folder, "samples.json")));
  std::array<std::optional<std::string>, kModels.size()> archives;
  for (std::size_t place = 0; place < kModels.size(); ++place) {
    PLANEX_ASSIGN(archives[place], archive_of(seen, request, kModels[place].id, folder));
  }
  if (!archives.front()) return all;
  double done = 0;
  for (const std::string& text : request.metrics) {
    Metric metric(drive::metric_words(text), runner);
    if (runner.workshop().progress) runner.workshop().progress("metric", done);
    done += 1.0 / static_cast<double>(request.metrics.size());
    for (std::size_t place = 0; place < kModels.size(); ++place) {
      if (!archives[place]) continue;
      PLANEX_TRY(metric.add(kModels[place], *archives.front(), *archives[place]));
    }
    all.insert(all.end(), metric.scores().begin(), metric.scores().end());
  }
  return all;
}

}  // namespace

Result<std::vector<std::string>> tensors_to_score(const ScoreRequest& request) {
  std::vector<std::string> tensors;
  const auto add = [&](const std::string& tensor) {
    if (std::ranges::find(tensors, tensor) == tensors.end()) tensors.push_back(tensor);
  };
  PLANEX_ASSIGN(const std::vector<std::string> labels, labels_of(request.samples));
  const bool has_labels = has_labelled_classes(labels, request.judged);
  for (const JudgedOutput& output : request.judged) {
    if (has_labels && output.has_classes) add(output.tensor);
    if (!request.metrics.empty()) add(output.output);
  }
  return tensors;
}

Result<Scores> score_stored(const drive::PassResult& seen, const ScoreRequest& request,
                            Runner& runner, std::vector<std::string>& notes) {
  Scores scores;
  PLANEX_ASSIGN(const std::vector<std::string> labels, labels_of(request.samples));
  PLANEX_ASSIGN(scores.labels, label_scores(seen, request.judged, labels, notes));
  if (!request.metrics.empty()) {
    PLANEX_ASSIGN(scores.metrics, metric_scores(seen, request, runner));
  }
  return scores;
}

Result<Scores> score_models(const ScoreRequest& request, Runner& runner,
                            std::vector<std::string>& notes) {
  PLANEX_ASSIGN(const std::vector<std::string> tensors, tensors_to_score(request));
  if (tensors.empty()) return Scores();
  drive::InferencePass pass;
  for (const ScoredModel& model : kModels) {
    if (model.arithmetic == Arithmetic::kEngine && !request.has_engine) continue;
    const bool is_float = model.arithmetic == Arithmetic::kFloat;
    pass.models.push_back({.id = std::string(model.id),
                           .path = is_float ? request.model : request.quantized,
                           .arithmetic = model.arithmetic,
                           .taps = {},
                           .config = {}});
    // Judged tensors were tapped while they were judged: the engine is that same one.
    for (const JudgedOutput& output : request.judged)
      pass.models.back().taps.push_back(output.tensor);
    for (const std::string& tensor : tensors) {
      pass.stored.push_back({std::string(model.id), tensor});
    }
  }
  drive::InferenceJob job;
  job.samples = request.samples.folder;
  job.first_sample = request.samples.first;
  job.sample_count = request.samples.count;
  PLANEX_ASSIGN(job.output_dir, make_folder(runner.workshop().folder, "results"));
  job.passes.push_back(std::move(pass));
  const bool has_metrics = !request.metrics.empty();
  PLANEX_ASSIGN(const drive::InferenceResult seen,
                runner.run(std::move(job), has_metrics ? "results" : "labels"));
  return score_stored(seen.passes.front(), request, runner, notes);
}

}  // namespace planex::tune
