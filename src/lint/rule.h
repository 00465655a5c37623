// What a lint rule is: a description of itself and a function from a model to findings.
//
// A rule lives in a file of its own in rules/ and in one line of CMakeLists.txt; nothing else knows
// it. How to write one: docs/reference/rules.md says what the fields are for,
// rules/slice_changes_type.cc is the shortest example.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/action.h"
#include "model/types.h"

namespace planex::lint {

using model::ActionKind;
using model::LayerId;
using model::Severity;

// Which engines a rule applies to: the rules of one pack are switched on and off together. A rule
// whose pack does not apply to the engine is "skipped".
enum class Pack : std::uint8_t {
  kGeneric,      // every engine
  kTensorRt,     // TensorRT and TensorRT-RTX
  kTensorRtRtx,  // TensorRT-RTX only
  kOpenVino,
  kOnnxRuntime,
};
inline constexpr std::array kPacks = {Pack::kGeneric, Pack::kTensorRt, Pack::kTensorRtRtx,
                                      Pack::kOpenVino, Pack::kOnnxRuntime};

// "tensorrt-rtx".
std::string_view to_string(Pack pack);
// Null where there is no such pack.
std::optional<Pack> parse_pack(std::string_view id);
// "TensorRT-RTX's engines".
std::string_view subject_of(Pack pack);
// Whether a pack applies to the engines of a producer, as model.engine.producer names it.
bool applies(Pack pack, std::string_view producer);

// What a rule can't do without. If an engine lacks one of them, the rule is "skipped".
enum class Need : std::uint8_t {
  kTypes,    // element types of the layers' inputs and outputs
  kDims,     // their dimensions
  kTactics,  // names of kernels, or of their implementations
  kTimes,    // times of layers
  kLinks,    // which layer reads what another writes
};

// "kernel names".
std::string_view to_string(Need need);

struct RuleInfo {
  std::string_view id;  // kebab-case, permanent; the file's name with underscores
  Pack pack;
  Severity severity;         // the highest severity of its findings
  std::string_view summary;  // when it fires, one sentence
  std::string_view rationale;
  std::string_view fix;
  std::span<const Need> needs;
  std::string_view source;  // where the knowledge comes from
  // What a finding shows as its evidence, and how its estimate is made: one sentence each.
  std::string_view evidence = {};
  std::string_view estimate = {};
  // How far its findings usually are from the cause: one folds into a finding of lesser depth whose
  // fix saves the same layers. 0: a cause of its own.
  int depth = 0;
  // A command that fixes what it finds, if the model has Q/DQ to move.
  std::string_view command = {};
  // What its findings usually ask for; and `option`, a word for the one thing that all findings
  // with the same word ask for, whichever rule they come from.
  ActionKind action = ActionKind::kEdit;
  std::string_view option = {};
  // If it fires, layer times do not show what a fix gains.
  bool discredits_times = false;
};

// Whether its findings are about the measurement and not the engine: no build fixes them.
constexpr bool is_about_measurement(const RuleInfo& info);

// Let layers compute in 16-bit floats.
inline constexpr std::string_view kHalfPrecisionOption = "half-precision";
inline constexpr std::string_view kMeasureAgainOption = "measure-again";

constexpr bool is_about_measurement(const RuleInfo& info) {
  return info.option == kMeasureAgainOption;
}

// For rules about where Q/DQ are.
inline constexpr std::string_view kAdviseCommand = "planex advise MODEL.onnx --apply -o OUT.onnx";

// The share of a layer's measured time that a fix would save.
struct Saving {
  LayerId layer;
  double fraction = 1;  // (0, 1]
};

// What a rule says about one layer. Texts are whole phrases without a full stop at the end.
struct FindingDraft {
  LayerId layer;
  Severity severity = Severity::kWarning;
  std::string message;
  std::string evidence;
  std::string fix;
  // Other layers that the fix changes, whether or not their saving is known: findings of greater
  // depth that are about them are symptoms of this one.
  std::vector<LayerId> also_about = {};
  // Tensors on which the fix puts Q/DQ: findings that name the same ones ask for one edit.
  std::vector<model::TensorId> quantized_tensors = {};
  // If it differs from what the rule usually asks for.
  std::optional<ActionKind> action = {};
  // What the estimate is made of; empty when nothing is known. The runner adds up measured times
  // and divides those of a layer that several findings of one rule name.
  std::vector<Saving> savings;
  // Alternatively, an estimate that was made elsewhere, in ms per inference. Not divided.
  std::optional<double> stated_ms = {};
  // In words; if there is no estimate, the reason.
  std::string estimate_method;
};

// Takes a rule's findings.
class FindingSink {
 public:
  void add(FindingDraft draft) { drafts_.push_back(std::move(draft)); }
  // The rule looked at a layer it is about; whether it fires or not.
  void looked_at() { ++looked_at_; }
  // The rule applies to this layer, but the file does not say enough about it. `reason` is static.
  void could_not_judge(std::string_view reason) {
    ++not_judged_;
    not_judged_reason_ = reason;
  }

  std::span<const FindingDraft> drafts() const { return drafts_; }
  std::size_t looked_at_count() const { return looked_at_; }
  std::size_t not_judged_count() const { return not_judged_; }
  std::string_view not_judged_reason() const { return not_judged_reason_; }

 private:
  std::vector<FindingDraft> drafts_;
  std::size_t looked_at_ = 0;
  std::size_t not_judged_ = 0;
  std::string_view not_judged_reason_;
};

class Context;
using RuleFunction = void (*)(const Context& context, FindingSink& sink);

struct Rule {
  RuleInfo info;
  RuleFunction run;
};

// Rules are listed by id in CMakeLists.txt and defined in rules/, each in a namespace of its own,
// <id>_rule: several files are compiled as one.
#define PLANEX_LINT_RULE(id)                                    \
  namespace planex::lint::rules_by_id {                         \
  extern const Rule id;                                         \
  constinit const Rule id = {id##_rule::kInfo, id##_rule::run}; \
  }

}  // namespace planex::lint
