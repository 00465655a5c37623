#include <array>
#include <map>

#include "base/text.h"
#include "lint/advice.h"
#include "lint/layer_facts.h"

namespace planex::lint::profile_range_wide_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kDims};

constexpr RuleInfo kInfo = {
    .id = "profile-range-wide",
    .pack = Pack::kTensorRt,
    .severity = Severity::kInfo,
    .summary = "an optimization profile lets an input's size vary by a factor of 8 or more",
    .rationale =
        "Kernels are chosen for the profile's optimal shape, and memory is reserved for its "
        "maximum shape. Far from the optimal shape, other kernels would be faster",
    .fix =
        "Give each important range of shapes its own profile, with the most frequent shape as opt",
    .needs = kNeeds,
    .source = "NVIDIA TensorRT Developer Guide, Working with Dynamic Shapes",
    .evidence = "the profile's minimum, optimal and maximum shapes",
    .estimate = "not known: measure at the shapes that matter",
    .action = ActionKind::kOption};

constexpr double kWide = 8;

// The first layer that reads an input of the engine, by the input's name.
std::map<std::string_view, LayerId> first_readers(const Context& context) {
  std::map<std::string_view, LayerId> result;
  const auto& tensors = context.model().tensors;
  for (std::size_t row = 0; row < tensors.row_count(); ++row) {
    const TensorId tensor(row);
    if (!context.is_engine_input(tensor) || context.readers(tensor).empty()) continue;
    result.try_emplace(context.model().text(tensors.name[row]),
                       context.layer_of(context.readers(tensor).front()));
  }
  return result;
}

void run(const Context& context, FindingSink& sink) {
  const auto& profiles = context.model().profiles;
  const auto readers = first_readers(context);
  bool any = false;
  for (std::size_t row = 0; row < profiles.row_count(); ++row) {
    const auto least = element_count(profiles.min_dims[row]);
    const auto greatest = element_count(profiles.max_dims[row]);
    if (profiles.min_dims.is_null(row) || profiles.max_dims.is_null(row) || !least || !greatest) {
      continue;
    }
    any = true;
    sink.looked_at();
    if (!(*least > 0) || *greatest < kWide * *least) continue;
    const std::string_view binding = context.model().text(profiles.binding[row]);
    const auto reader = readers.find(binding);
    FindingDraft draft;
    draft.severity = Severity::kInfo;
    if (reader != readers.end()) draft.layer = reader->second;
    draft.message = format("profile {} lets the size of {} vary by a factor of {:.4g}",
                           profiles.profile_index.get(row).value_or(0), base::quoted(binding, 160),
                           *greatest / *least);
    draft.evidence =
        format("minimum {}, optimal {}, maximum {}", dims_text(profiles.min_dims[row]),
               profiles.opt_dims.is_null(row) ? "not known" : dims_text(profiles.opt_dims[row]),
               dims_text(profiles.max_dims[row]));
    draft.estimate_method = "not known: measure the engine at the shapes that matter";
    draft.fix = format(
        "Measure at {} and {}; where the optimum is far from what you run, move it or add a "
        "profile ({} --profile, --minShapes, --optShapes, --maxShapes)",
        dims_text(profiles.min_dims[row]), dims_text(profiles.max_dims[row]), runner_of(context));
    sink.add(std::move(draft));
  }
  if (!any) sink.could_not_judge("the file does not record the profiles' shapes");
}

}  // namespace
}  // namespace planex::lint::profile_range_wide_rule

PLANEX_LINT_RULE(profile_range_wide)
