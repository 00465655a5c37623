#include "arrays/accuracy.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <utility>

#include "base/text.h"
#include "base/try.h"

namespace planex::arrays {
namespace {

using base::format;

// A tensor over the iterations of a run: null where an iteration does not have it.
struct TensorColumn {
  std::string name;
  std::size_t occurrence = 0;  // among those of its name in an iteration
  std::vector<const Array*> samples;
};

std::vector<TensorColumn> columns_of(const ArrayRun& run) {
  std::vector<TensorColumn> columns;
  std::map<std::pair<std::string_view, std::size_t>, std::size_t> places;
  for (std::size_t i = 0; i < run.iterations.size(); ++i) {
    std::map<std::string_view, std::size_t> seen;
    for (const NamedArray& each : run.iterations[i].arrays) {
      const std::size_t occurrence = seen[each.name]++;
      const auto [place, is_new] = places.try_emplace({each.name, occurrence}, columns.size());
      if (is_new) {
        columns.push_back(
            {each.name, occurrence, std::vector<const Array*>(run.iterations.size(), nullptr)});
      }
      columns[place->second].samples[i] = &each.array;
    }
  }
  return columns;
}

// "y", or "y (2)" of the second of that name.
std::string shown_name(const TensorColumn& column) {
  return column.occurrence == 0 ? column.name
                                : format("{} ({})", column.name, column.occurrence + 1);
}

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// For each column of the reference, the matching one of the subject.
std::vector<std::size_t> pairs_of(const std::vector<TensorColumn>& reference,
                                  const std::vector<TensorColumn>& subject, bool has_file_names) {
  std::map<std::pair<std::string, std::size_t>, std::size_t> exact;
  for (std::size_t i = 0; i < subject.size(); ++i) {
    exact[{subject[i].name, subject[i].occurrence}] = i;
  }
  std::vector<std::size_t> pairs(reference.size(), kNone);
  std::vector<bool> is_taken(subject.size(), false);
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const auto found = exact.find({reference[i].name, reference[i].occurrence});
    if (found == exact.end()) continue;
    pairs[i] = found->second;
    is_taken[found->second] = true;
  }
  if (!has_file_names) return pairs;
  // Only where the match is unambiguous.
  struct Candidates {
    std::vector<std::size_t> reference, subject;
  };
  std::map<std::pair<std::string, std::size_t>, Candidates> alike;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    if (pairs[i] != kNone) continue;
    alike[{file_like(reference[i].name), reference[i].occurrence}].reference.push_back(i);
  }
  for (std::size_t i = 0; i < subject.size(); ++i) {
    if (is_taken[i]) continue;
    alike[{file_like(subject[i].name), subject[i].occurrence}].subject.push_back(i);
  }
  for (const auto& [name, candidates] : alike) {
    if (candidates.reference.size() != 1 || candidates.subject.size() != 1) continue;
    pairs[candidates.reference.front()] = candidates.subject.front();
  }
  return pairs;
}

std::size_t size_of(const Array& array) {
  return array.data.size() / bytes_per_element(array.type);
}

// Rows of both tensors, a few at a time.
void add_rows(const Array& reference, const Array& subject, std::size_t classes,
              Agreement& agreement) {
  constexpr std::size_t kBlockValues = std::size_t{1} << 16;
  const std::size_t rows = std::max<std::size_t>(kBlockValues / classes, 1);
  std::vector<float> reference_values, subject_values;
  for (std::size_t first = 0; first < size_of(reference); first += rows * classes) {
    const std::size_t count = std::min(rows * classes, size_of(reference) - first);
    reference_values.resize(count);
    subject_values.resize(count);
    floats_of(reference, first, reference_values);
    floats_of(subject, first, subject_values);
    add_agreement(reference_values, subject_values, classes, agreement);
  }
}

// Classes along the last axis; 0 where there are no classes.
std::size_t classes_of(const Array& array) {
  const std::int64_t last = array.shape.empty() ? 0 : array.shape.back();
  return last > 1 ? static_cast<std::size_t>(last) : 0;
}

// Whether it differs by more than is allowed.
bool is_beyond(const TensorAccuracy& tensor, double limit_db) {
  const Difference& difference = tensor.difference;
  if (tensor.state != AccuracyState::kCompared) return true;
  if (difference.nonfinite_mismatch_count > 0) return true;
  const auto kept = kept_db(difference);
  return kept ? *kept < limit_db : difference.max_abs.value_or(0) > 0;
}

TensorAccuracy compare_columns(const TensorColumn& reference, const TensorColumn& subject,
                               const AccuracyRequest& request) {
  TensorAccuracy tensor;
  tensor.name = shown_name(reference);
  tensor.subject_name = shown_name(subject);
  DifferenceSums sums(request.tolerance);
  SliceSums slices;
  Agreement agreement;
  std::size_t classes = 0;
  const std::size_t iterations = std::min(reference.samples.size(), subject.samples.size());
  for (std::size_t i = 0; i < iterations; ++i) {
    const Array* const r = reference.samples[i];
    const Array* const s = subject.samples[i];
    if (r == nullptr || s == nullptr) continue;
    if (size_of(*r) != size_of(*s)) tensor.state = AccuracyState::kOtherSize;
    // The shape of the first sample, or of the one that does not fit.
    if (tensor.sample_count == 0 || tensor.state != AccuracyState::kCompared) {
      tensor.reference_shape = shape_text(r->shape);
      tensor.subject_shape = shape_text(s->shape);
      tensor.reference_type = to_string(r->type);
      tensor.subject_type = to_string(s->type);
    }
    if (tensor.state != AccuracyState::kCompared) break;
    ++tensor.sample_count;
    sums.add(*r, *s);
    slices.add(*r, *s);
    if (!request.with_classes || classes_of(*r) != classes_of(*s)) continue;
    classes = classes_of(*r);
    if (classes > 0) add_rows(*r, *s, classes, agreement);
  }
  if (tensor.state == AccuracyState::kCompared) {
    tensor.difference = sums.result();
    tensor.difference.slices = slices.result();
  } else {
    tensor.sample_count = 0;
    agreement = {};
  }
  if (agreement.rows > 0) {
    const auto rows = static_cast<double>(agreement.rows);
    tensor.class_rows = agreement.rows;
    tensor.top1_ratio = static_cast<double>(agreement.top1_count) / rows;
    constexpr std::size_t kFew = 5;
    if (classes > kFew) tensor.top5_ratio = static_cast<double>(agreement.top5_count) / rows;
  }
  if (request.fail_below_db) tensor.is_failed = is_beyond(tensor, *request.fail_below_db);
  return tensor;
}

bool has_common_sample(const TensorColumn& reference, const TensorColumn& subject) {
  const std::size_t iterations = std::min(reference.samples.size(), subject.samples.size());
  for (std::size_t i = 0; i < iterations; ++i) {
    if (reference.samples[i] != nullptr && subject.samples[i] != nullptr) return true;
  }
  return false;
}

std::string names_text(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 5;
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) {
    shown.push_back(base::quoted(names[i]));
  }
  if (names.size() > kMost) shown.push_back(format("{} more", names.size() - kMost));
  const std::vector<std::string_view> words(shown.begin(), shown.end());
  return words.empty() ? "no tensors" : base::join_words(words);
}

}  // namespace

std::string_view to_string(AccuracyState state) {
  static constexpr std::array<std::string_view, 2> kWords = {"compared", "other-size"};
  return kWords[static_cast<std::size_t>(state)];
}

std::int64_t AccuracyReport::failed_count() const {
  return std::ranges::count_if(
      tensors, [](const TensorAccuracy& tensor) { return tensor.is_failed.value_or(false); });
}

std::string file_like(std::string_view name) {
  std::string text(name);
  std::ranges::replace_if(
      text, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return text;
}

Result<std::size_t> run_called(const SavedArrays& saved, const std::string& path,
                               const std::string& runner) {
  std::vector<std::string> names;
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < saved.runs.size(); ++i) {
    const std::string& name = saved.runs[i].runner;
    names.push_back(name);
    if (!runner.empty() && name == runner) return i;
    if (name.contains(runner)) found.push_back(i);
  }
  if (found.size() == 1) return found.front();
  if (saved.runs.empty()) {
    return fail({.code = ErrorCode::kBadInput,
                 .message = "the file has no runs, so it has no tensors",
                 .file = path});
  }
  const std::string there = format("its runners are {}", names_text(names));
  return fail({.code = ErrorCode::kUsage,
               .message = runner.empty() ? format("the file has {} runs; {}", names.size(), there)
                                         : format("{} runners have {} in their names; {}",
                                                  found.empty() ? std::string("no")
                                                                : format("{}", found.size()),
                                                  base::quoted(runner), there),
               .file = path,
               .hint = "--runner NAME chooses one, by its name or a part of it"});
}

Result<AccuracyReport> compare_arrays(const ArrayRun& reference, const ArrayRun& subject,
                                      bool has_file_names, const AccuracyRequest& request) {
  AccuracyReport report;
  report.tolerance = request.tolerance;
  report.fail_below_db = request.fail_below_db;
  const std::vector<TensorColumn> reference_columns = columns_of(reference);
  const std::vector<TensorColumn> subject_columns = columns_of(subject);
  report.reference = {.runner = reference.runner,
                      .iteration_count = reference.iterations.size(),
                      .tensor_count = reference_columns.size()};
  report.subject = {.runner = subject.runner,
                    .iteration_count = subject.iterations.size(),
                    .tensor_count = subject_columns.size()};
  const auto pairs = pairs_of(reference_columns, subject_columns, has_file_names);
  std::vector<bool> is_paired(subject_columns.size(), false);
  for (std::size_t i = 0; i < reference_columns.size(); ++i) {
    const TensorColumn& column = reference_columns[i];
    if (pairs[i] == kNone || !has_common_sample(column, subject_columns[pairs[i]])) {
      report.reference_only.push_back(shown_name(column));
      continue;
    }
    is_paired[pairs[i]] = true;
    report.tensors.push_back(compare_columns(column, subject_columns[pairs[i]], request));
  }
  for (std::size_t i = 0; i < subject_columns.size(); ++i) {
    if (!is_paired[i]) report.subject_only.push_back(shown_name(subject_columns[i]));
  }
  if (report.tensors.empty()) {
    return fail(
        {.code = ErrorCode::kBadInput,
         .message = format("no tensor has the same name in both: the reference has {}, the "
                           "subject {}",
                           names_text(report.reference_only), names_text(report.subject_only)),
         .hint = "tensors are paired by name; in an .npz or a folder of .npy files, the file name "
                 "is the tensor's name"});
  }
  const std::size_t first = reference.iterations.size(), second = subject.iterations.size();
  if (first != second) {
    report.remarks.push_back(
        format("the reference has {}, the subject {}: only what both have was compared",
               base::counted(first, "iteration"), base::counted(second, "iteration")));
  }
  return report;
}

}  // namespace planex::arrays
