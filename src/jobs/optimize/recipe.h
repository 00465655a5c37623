// What `planex optimize` tries: recipes, and who measures them. The search (search.h) knows no more
// of an engine than this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analyze/optimize/outcome.h"
#include "analyze/optimize/predict.h"
#include "analyze/verdict/verdict.h"
#include "planex/error.h"
#include "quantize/front.h"

namespace planex::jobs {

// How an engine is made: from which model, with which words for the engine's own program.
struct Recipe {
  std::string model;
  std::vector<std::string> words;
  // What the commands of the steps so far call the model (by_hand.h); empty: as it is.
  std::string by_hand;
  // The model that this one was quantized from, and its name in the commands: other types are made
  // of it, not of rounded values. Empty: it was not quantized here.
  std::string float_model, float_by_hand;
  // What it was quantized to: "int8", "mixed", "int4", "fp8".
  std::string quantized_to;
};

// The same words for the last model in float.
Recipe float_recipe(const Recipe& recipe);

// One build that was measured.
struct Measured {
  // Without a median where the engine was built and can't run here.
  analyze::MeasuredRun run;
  analyze::EngineBound bound;
  std::size_t layer_count = 0;
  // Of an inference, while others run beside it.
  std::optional<double> latency_ms;
  // Of its weights, and of activations at their peak. Null: not known.
  std::optional<std::int64_t> memory_bytes;
  // How near its layers come to the device's limits, 0 to 1; the whole time of a layer without a
  // bound counts as time that could be gained. Null: limits or times of layers are not known.
  std::optional<double> limit_ratio;
};

class Bench {
 public:
  virtual ~Bench() = default;
  // Builds and measures. `name`: of the run, unlike that of any other. Errors: those of the engine.
  virtual Result<Measured> run(const Recipe& recipe, const std::string& name) = 0;
};

// What a proposal made of the best so far.
struct Made {
  // None: there was nothing to change, as `reason` says.
  std::optional<Recipe> recipe;
  std::string reason;
  // Against the reference, where making it showed this; else the search judges.
  std::optional<quantize::Score> score;
  // What does the same by hand.
  std::string command;
  // What it came to, in a few words; empty: nothing to say.
  std::string said = {};
};

struct Proposal {
  std::string id;    // "clean", "threads=2"
  std::string kind;  // clean, precision, advice, options
  std::string what;  // one sentence
  // Proposals of one group that follow each other go through a tournament if they are many; they
  // leave the model as it is. Empty: it is raced alone.
  std::string group;
  // What it lets most layers compute in; null: it is about no type.
  model::DType computes_in = model::DType::kNull;
  // Results stay the same but for rounding; else a goal must allow that they differ.
  bool keeps_results = true;
  // The model stays as it is: there is nothing to judge.
  bool keeps_model = false;
  // `folder`: of its own, for what it writes.
  std::function<Result<Made>(const Recipe& best, const std::string& folder)> make;
};

// Nothing of it is decided yet.
inline analyze::OptimizeStep step_of(const Proposal& proposal) {
  return {.id = proposal.id, .kind = proposal.kind, .what = proposal.what, .group = proposal.group};
}

class Judge {
 public:
  virtual ~Judge() = default;
  // As the words of the subject make the engine compute. Errors: those of running the models.
  virtual Result<quantize::Score> compare(const std::string& reference, const Recipe& subject) = 0;
};

}  // namespace planex::jobs
