// What rules ask about a model: who writes and reads a tensor (graph/data_flow.h), times, and names
// as messages print them. Built once per run in O(layers + ports).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engines/engine_rules.h"
#include "graph/data_flow.h"
#include "lint/layer_speeds.h"
#include "lint/rule.h"
#include "model/judgements.h"
#include "model/plan_model.h"

namespace planex::lint {

using model::DType;
using model::Family;
using model::TensorId;

using graph::PortRow;
using graph::Reach;
using graph::Through;
using graph::Walk;

class Context : public graph::DataFlow {
 public:
  // `judgements` outlive it; null: nothing was judged.
  explicit Context(const model::PlanModel& model, const model::Judgements* judgements = nullptr);
  // Its members refer to it.
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  // A kernel of Myelin's own: the file calls its type kgen.
  bool is_generated(LayerId layer) const;

  // No layer inside the engine reads what the layer writes: it is a head of the network.
  bool is_head(LayerId layer) const;

  // Median, else mean. Null when not measured.
  std::optional<double> time_ms(LayerId layer) const;
  // The same without profiling overhead, if that is known: what a fix can save.
  std::optional<double> worth_ms(LayerId layer) const;
  // Of all layers; null when none has a time.
  std::optional<double> total_ms() const { return total_ms_; }

  // What `planex explain reformats` says about the layer; null if it says nothing.
  std::optional<model::ReformatJudgement> reformat(LayerId layer) const;
  // Why the layer runs in float although the model quantizes it; null if it does not.
  std::optional<model::FallbackJudgement> fallback(LayerId layer) const;
  // The rule for this engine in the table of engines; null if there is none.
  const engines::EngineRule* engine_rule(engines::Condition condition) const;
  // It is required: no change can remove it.
  bool is_needed(LayerId layer) const;
  // What the summary says about inference times; null if there are none.
  const std::optional<model::TimingJudgement>& timing() const { return judgements_.timing; }
  std::optional<double> end_to_end_ms() const { return judgements_.end_to_end_ms; }
  // Why layer times say nothing about the engine; null if they do, or if there are none.
  std::optional<model::NoMeasure> no_measure() const { return judgements_.no_measure; }

  // TensorRT chose the quantized layers itself, by calibration: the model has no Q/DQ to move.
  bool is_calibrated() const { return is_calibrated_; }

  // What fewer bytes would save.
  const LayerSpeeds& speeds() const { return speeds_; }

  // Texts for messages, quoted and made safe.
  // Name, and the source operations that the name does not show.
  std::string name(LayerId layer) const;
  // The name of model_tensor() and, if that name is not from the model, the operation of the model
  // that produces it: what the user can find there.
  std::string name(TensorId tensor) const;
  // As the engine has it: "fc.weight [1,512,7,7] FP16".
  std::string port_text(PortRow port) const;
  // Whether an operation of the layer adds two tensors.
  bool adds(LayerId layer) const { return addition_of(layer).has_value(); }
  // The addition that is fused into the layer, or the layer itself: "Add_36".
  std::string addition_name(LayerId layer) const;
  // "the addition "Add_36"", or the layer's name where no addition is fused into it.
  std::string reader_name(LayerId layer) const;

 private:
  bool find_calibrated() const;
  std::optional<std::string> addition_of(LayerId layer) const;

  LayerSpeeds speeds_;
  model::Judgements none_;
  const model::Judgements& judgements_;
  bool is_calibrated_ = false;
  std::optional<double> total_ms_;
  // OpenVINO names a tensor after the layer that writes it, and that need not be a name in the
  // model.
  bool names_are_layers_ = false;
};

// Inputs and outputs of a layer, neither empty.
struct Ends {
  std::vector<PortRow> in, out;
};
// The ends of a layer whose first input and output have known types; the sink then counts it as
// looked at. Null if it has no input or no output, or if a type is not known, which is reported to
// the sink.
std::optional<Ends> typed_ends(const Context& context, LayerId layer, FindingSink& sink);

// "36.9 µs": three significant digits.
std::string microseconds(double ms);
// "24.8 µs" of a layer, or "not measured".
std::string time_text(const Context& context, LayerId layer);
// "FP16 -> INT8".
std::string conversion_text(DType from, DType to);
// "one", "one and two", "one, two and 3 more".
std::string listed(std::span<const std::string> items, std::size_t limit = 3);
// Bytes of a port, as an amount to compare: null where unknown.
std::optional<double> port_bytes(const Context& context, PortRow port);

}  // namespace planex::lint
