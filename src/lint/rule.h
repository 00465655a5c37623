// What a lint rule is: a description of itself and a function from a model to findings.
//
// A rule lives in a file of its own in rules/ and in one line of registry.cc; nothing else knows
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

// Whose engines a rule is about: the rules of one pack are switched on and off together. A rule
// whose pack is not the engine's is "skipped".
enum class Pack : std::uint8_t {
  kGeneric,      // every engine
  kTensorRt,     // TensorRT's, and so TensorRT-RTX's
  kTensorRtRtx,  // TensorRT-RTX's only
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
// Whether a pack is about the engines of a producer, as model.engine.producer names it.
bool applies(Pack pack, std::string_view producer);

// What a rule can't do without. An engine that lacks one of them makes the rule "skipped".
enum class Need : std::uint8_t {
  kTypes,    // element types of the layers' inputs and outputs
  kDims,     // their dimensions
  kTactics,  // names of kernels, or of the implementations behind them
  kTimes,    // times of layers
  kLinks,    // which layer reads what another writes
};

// "kernel names".
std::string_view to_string(Need need);

struct RuleInfo {
  std::string_view id;  // kebab-case, permanent; the file's name with underscores
  Pack pack;
  Severity severity;         // the highest that its findings have
  std::string_view summary;  // when it fires, one sentence
  std::string_view rationale;
  std::string_view fix;
  std::span<const Need> needs;
  std::string_view source;  // where the knowledge is from
  // What a finding shows as its evidence, and what its estimate is made of: one sentence each.
  std::string_view evidence = {};
  std::string_view estimate = {};
  // How far its findings mostly are from the cause: one folds into a finding of lesser depth whose
  // fix saves the same layers. 0: a cause of its own.
  int depth = 0;
  // A command that mends what it finds, where the model has Q/DQ to move.
  std::string_view command = {};
  // What its findings mostly ask for; and the one thing that all findings with the same word ask
  // for, whichever rule they are of.
  ActionKind action = ActionKind::kEdit;
  std::string_view option = {};
  // Where it fires, layer times are no measure of what a fix gains.
  bool discredits_times = false;
};

// Whether its findings are about the measurement and not the engine: no build mends them.
constexpr bool is_about_measurement(const RuleInfo& info);

// Let layers compute in 16-bit floats.
inline constexpr std::string_view kHalfPrecisionOption = "half-precision";
inline constexpr std::string_view kMeasureAgainOption = "measure-again";

constexpr bool is_about_measurement(const RuleInfo& info) {
  return info.option == kMeasureAgainOption;
}

// Of rules about where Q/DQ are.
inline constexpr std::string_view kAdviseCommand = "planex advise MODEL.onnx --apply -o OUT.onnx";

// A part of a layer's measured time that a fix would save.
struct Saving {
  LayerId layer;
  double fraction = 1;  // (0, 1]
};

// What a rule says of one layer. Texts are whole phrases without a full stop at the end.
struct FindingDraft {
  LayerId layer;
  Severity severity = Severity::kWarning;
  std::string message;
  std::string evidence;
  std::string fix;
  // Other layers that the fix changes, whether a saving is known of them or not: findings of
  // greater depth that are about them are symptoms of this one.
  std::vector<LayerId> also_about = {};
  // Tensors on which the fix puts Q/DQ: findings that name the same ones ask for one edit.
  std::vector<model::TensorId> quantized_tensors = {};
  // Where it is not what the rule mostly asks for.
  std::optional<ActionKind> action = {};
  // What the estimate is made of; empty when nothing is known. The runner adds up measured times
  // and divides those of a layer that several findings of one rule name.
  std::vector<Saving> savings;
  // Instead: an estimate that was made elsewhere, in ms per inference. Not divided.
  std::optional<double> stated_ms = {};
  // In words, also when there is no estimate: then why not.
  std::string estimate_method;
};

// Takes a rule's findings.
class FindingSink {
 public:
  void add(FindingDraft draft) { drafts_.push_back(std::move(draft)); }
  // The rule looked at a layer it is about; whether it fires or not.
  void looked_at() { ++looked_at_; }
  // The rule is about this layer but the file does not say enough of it. `reason` is static.
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

// Rules are named by id in registry.cc and defined in rules/, each in a namespace of its own,
// <id>_rule: several files are compiled as one.
#define PLANEX_LINT_RULE(id)                                    \
  namespace planex::lint::rules_by_id {                         \
  extern const Rule id;                                         \
  constinit const Rule id = {id##_rule::kInfo, id##_rule::run}; \
  }

}  // namespace planex::lint
