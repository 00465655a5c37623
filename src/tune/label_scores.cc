#include "tune/label_scores.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "arrays/sample_folder.h"
#include "base/try.h"
#include "tune/stored.h"

namespace planex::tune {
namespace {

using quantize::LabelScore;
using quantize::RightAnswers;

// Among this many largest; with fewer classes that is all of them.
constexpr std::size_t kFew = 5;

struct Right {
  RightAnswers first, few;
};

// How many classes come before class `at`: larger, or equal and earlier; NaN is below all.
std::size_t score_rank_of(std::span<const float> row, std::size_t at) {
  const float value = row[at];
  std::size_t rank = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const bool is_number = row[i] == row[i];
    const bool is_larger = value == value ? row[i] > value : is_number;
    const bool is_same = value == value ? row[i] == value : !is_number;
    rank += is_larger || (is_same && i < at) ? 1U : 0U;
  }
  return rank;
}

// Null where a sample has several rows, or another number of classes.
std::optional<Right> right_of(const StoredSamples& stored,
                              const std::vector<std::int64_t>& expected, std::size_t classes) {
  if (stored.count() < expected.size()) return std::nullopt;
  std::int64_t first = 0, few = 0, total = 0;
  for (std::size_t sample = 0; sample < expected.size(); ++sample) {
    const std::vector<float> row = arrays::floats_of(stored.sample(sample));
    if (row.size() != classes) return std::nullopt;
    if (expected[sample] < 0) continue;
    const std::size_t rank = score_rank_of(row, static_cast<std::size_t>(expected[sample]));
    ++total;
    first += rank == 0 ? 1 : 0;
    few += rank < kFew ? 1 : 0;
  }
  if (total == 0) return std::nullopt;
  return Right{quantize::right_answers(first, total), quantize::right_answers(few, total)};
}

}  // namespace

Result<std::vector<std::string>> labels_of(const SampleRange& samples) {
  PLANEX_ASSIGN(const auto reader, arrays::SampleReader::open(samples.folder));
  const std::vector<arrays::SampleSource>& all = reader->index().samples;
  std::vector<std::string> labels;
  for (std::size_t number = samples.first;
       number < std::min(all.size(), samples.first + samples.count); ++number) {
    labels.push_back(all[number].label);
  }
  return labels;
}

bool has_labelled_classes(const std::vector<std::string>& labels,
                          const std::vector<JudgedOutput>& judged) {
  return std::ranges::any_of(labels, [](const std::string& label) { return !label.empty(); }) &&
         std::ranges::any_of(judged, &JudgedOutput::has_classes);
}

Result<std::vector<LabelScore>> label_scores(const drive::PassResult& seen,
                                             const std::vector<JudgedOutput>& judged,
                                             const std::vector<std::string>& labels,
                                             std::vector<std::string>& notes) {
  std::vector<LabelScore> scores;
  if (!has_labelled_classes(labels, judged)) return scores;
  for (const JudgedOutput& output : judged) {
    if (!output.has_classes) continue;
    PLANEX_ASSIGN(const auto original, find_stored(seen, "float", output.tensor));
    PLANEX_ASSIGN(const auto engine, find_stored(seen, "engine", output.tensor));
    PLANEX_ASSIGN(const auto simulated, find_stored(seen, "simulated", output.tensor));
    if (!original || (!engine && !simulated) || original->shape().empty()) continue;
    const auto class_count = static_cast<std::size_t>(original->shape().back());
    if (class_count < 2) continue;
    const auto classes = quantize::classes_of(labels, class_count);
    if (!classes) {
      notes.push_back("labels are not used: " + classes.error().message);
      continue;
    }
    const auto of_float = right_of(*original, *classes, class_count);
    std::optional<Right> of_simulated, of_engine;
    if (simulated) of_simulated = right_of(*simulated, *classes, class_count);
    if (engine) of_engine = right_of(*engine, *classes, class_count);
    if (!of_float || (!of_simulated && !of_engine)) continue;
    LabelScore score{.tensor = output.tensor, .original = of_float->first};
    if (of_simulated) score.simulated = of_simulated->first;
    if (of_engine) score.engine = of_engine->first;
    if (class_count > kFew) {
      score.original_top5 = of_float->few;
      if (of_engine) score.engine_top5 = of_engine->few;
      if (of_simulated) score.simulated_top5 = of_simulated->few;
    }
    scores.push_back(std::move(score));
  }
  return scores;
}

}  // namespace planex::tune
