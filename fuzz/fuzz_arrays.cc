#include <algorithm>
#include <string>
#include <string_view>

#include "arrays/accuracy.h"
#include "arrays/npy.h"
#include "arrays/npz.h"
#include "arrays/polygraphy.h"
#include "arrays/trtexec_output.h"
#include "base/files.h"
#include "base/text.h"
#include "fuzz_model.h"
#include "fuzz_targets.h"

namespace planex::fuzz {
namespace {

using arrays::Array;
using arrays::SavedArrays;

std::string check_array(const Array& array) {
  const auto count = arrays::element_count(array.shape);
  if (!count) return "a shape without a size";
  const auto bytes = static_cast<std::size_t>(*count) * arrays::bytes_per_element(array.type);
  if (bytes != array.data.size()) return "an array whose data are not of its shape";
  if (arrays::floats_of(array).size() != static_cast<std::size_t>(*count)) {
    return "an array with more or fewer values than elements";
  }
  return {};
}

// Whatever was read is compared with itself: the figures of equal tensors.
std::string check_saved(const SavedArrays& saved) {
  for (const arrays::ArrayRun& run : saved.runs) {
    for (const arrays::Iteration& iteration : run.iterations) {
      for (const arrays::NamedArray& each : iteration.arrays) {
        if (std::string problem = check_array(each.array); !problem.empty()) return problem;
      }
    }
    const auto report =
        arrays::compare_arrays(run, run, true, {.with_classes = true, .fail_below_db = 1000});
    if (!report) continue;  // It has no tensors.
    if (report->failed_count() > 0) return "a tensor is not near itself";
    if (!report->reference_only.empty() || !report->subject_only.empty()) {
      return "a tensor is not in its own run";
    }
    if (!std::ranges::all_of(report->tensors,
                             [](const auto& tensor) { return tensor.difference.is_equal; })) {
      return "a tensor is not equal to itself";
    }
  }
  return {};
}

std::string check_result(const Result<SavedArrays>& saved) {
  return saved ? check_saved(*saved) : check(saved.error());
}

}  // namespace

std::string run_npy(std::string_view input) {
  const auto array = arrays::read_npy(input, "input");
  const auto adopted = arrays::adopt_npy(std::string(input), "input");
  if (array.has_value() != adopted.has_value()) return "one of two readers refuses it";
  if (!array) return check(array.error());
  if (array->data != adopted->data) return "two readers read different data";
  if (std::string problem = check_array(*array); !problem.empty()) return problem;
  const auto again = arrays::read_npy(arrays::npy_text(*array), "again");
  if (!again) return "what was written can't be read: " + again.error().message;
  if (again->type != array->type || again->shape != array->shape || again->data != array->data) {
    return "what was written reads differently";
  }
  return {};
}

std::string run_npz(std::string_view input) {
  const auto saved = arrays::read_npz(input, "input");
  if (std::string problem = check_result(saved); !problem.empty() || !saved) return problem;
  const auto& arrays = saved->runs.front().iterations.front().arrays;
  const auto text = arrays::npz_text(arrays, "again");
  if (!text) return {};  // Names that an archive can't have, or has twice.
  const auto again = arrays::read_npz(*text, "again");
  if (!again) return "what was written can't be read: " + again.error().message;
  if (again->runs.front().iterations.front().arrays.size() != arrays.size()) {
    return "what was written has other arrays";
  }
  return {};
}

std::string run_polygraphy(std::string_view input) {
  return check_result(arrays::read_polygraphy(*base::make_bytes(input), "input"));
}

std::string run_trtexec_output(std::string_view input) {
  (void)arrays::is_trtexec_output(input);
  (void)arrays::raw_binding_name(input);
  return check_result(arrays::read_trtexec_output(input, "input"));
}

}  // namespace planex::fuzz
