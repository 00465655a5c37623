// How far the tensors of one set of saved ones are from those of another: what `planex accuracy`
// tells of two files.
//
// docs/reference/accuracy.md says for users what is compared with what.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arrays/difference.h"
#include "arrays/saved_arrays.h"
#include "planex/error.h"

namespace planex::arrays {

struct AccuracyRequest {
  Tolerance tolerance;
  // The last axis of each tensor is one of classes: how often the largest agree.
  bool with_classes = false;
  // A tensor whose SQNR is less fails. Null: none does.
  std::optional<double> fail_below_db;
};

// What is compared: one run of a file.
struct AccuracySide {
  std::string path;
  std::string format;  // "Polygraphy outputs"
  std::string runner;  // empty where the file has no names of runners
  std::size_t iteration_count = 0;
  std::size_t tensor_count = 0;
};

enum class AccuracyState : std::uint8_t {
  kCompared,
  kOtherSize,  // The two have different numbers of elements; nothing was compared.
};
std::string_view to_string(AccuracyState state);

struct TensorAccuracy {
  std::string name;          // of the reference
  std::string subject_name;  // where it is spelled otherwise: names of files; else the same
  AccuracyState state = AccuracyState::kCompared;
  std::string reference_shape, subject_shape;
  std::string reference_type, subject_type;
  std::int64_t sample_count = 0;
  Difference difference;
  // Rows of classes; null where not asked for, or the tensor has none.
  std::optional<std::int64_t> class_rows;
  std::optional<double> top1_ratio;
  std::optional<double> top5_ratio;  // null of five classes or fewer, where it is always 1
  // Null where no limit was given. What differs and has no SQNR fails, as does what was not
  // compared and a NaN or infinity that only one side has.
  std::optional<bool> is_failed;
};

struct AccuracyReport {
  AccuracySide reference, subject;
  Tolerance tolerance;
  std::optional<double> fail_below_db;
  std::vector<TensorAccuracy> tensors;  // in the reference's order
  std::vector<std::string> reference_only, subject_only;
  std::vector<std::string> remarks;

  std::int64_t failed_count() const;
};

// As programs make names of files from names of tensors: "_" for all but letters and digits.
std::string file_like(std::string_view name);

// The run of a file that `runner` names, all of it or a part of it that no other's name has; of
// nothing the only one. Errors: kUsage (no such runner, or several), with the names there are.
Result<std::size_t> run_called(const SavedArrays& saved, const std::string& path,
                               const std::string& runner);

// Pairs tensors by name, and where a name comes more than once by its place among those; never by
// order. Samples are the iterations that both have. Where one side has names of files, characters
// that files must not have are equal to "_".
// Errors: kBadInput (no tensor has a name in both).
// Cost: O(values), no copies of arrays.
Result<AccuracyReport> compare_arrays(const ArrayRun& reference, const ArrayRun& subject,
                                      bool has_file_names, const AccuracyRequest& request);

}  // namespace planex::arrays
