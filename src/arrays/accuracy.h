// Compares the tensors of two sets of saved ones: the part of `planex accuracy` that works on two
// files.
//
// docs/reference/accuracy.md tells users what is compared with what.
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
  // The last axis of each tensor is the classes: count how often the largest ones agree.
  bool with_classes = false;
  // A tensor with a lower SQNR fails. Null: none fails.
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
  std::string name;          // name in the reference
  std::string subject_name;  // where it is spelled differently, as in file names; else the same
  AccuracyState state = AccuracyState::kCompared;
  std::string reference_shape, subject_shape;
  std::string reference_type, subject_type;
  std::int64_t sample_count = 0;
  Difference difference;
  // Rows of classes; null where not requested, or where the tensor has none.
  std::optional<std::int64_t> class_rows;
  std::optional<double> top1_ratio;
  std::optional<double> top5_ratio;  // null for five classes or fewer, where it is always 1
  // Null where no limit was given. A tensor that differs and has no SQNR fails, as does one that
  // was not compared, or has a NaN or infinity on only one side.
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

// As programs turn tensor names into file names: "_" for all but letters and digits.
std::string file_like(std::string_view name);

// The run of a file that `runner` names: its whole name, or a part that no other name contains; if
// `runner` is empty, the only run. Errors: kUsage (no such runner, or several), with the available
// names.
Result<std::size_t> run_called(const SavedArrays& saved, const std::string& path,
                               const std::string& runner);

// Pairs tensors by name, and where a name occurs more than once, by its place among those; never by
// order. Samples are the iterations that both have. Where one side has file names, characters that
// file names must not contain are equal to "_". Errors: kBadInput (no tensor has the same name in
// both). Cost: O(values), no copies of arrays.
Result<AccuracyReport> compare_arrays(const ArrayRun& reference, const ArrayRun& subject,
                                      bool has_file_names, const AccuracyRequest& request);

}  // namespace planex::arrays
