#include <algorithm>
#include <array>

#include "base/text.h"
#include "lint/advice.h"
#include "lint/layer_facts.h"
#include "lint/quantization.h"

namespace planex::lint::conversions_in_a_row_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kLinks};

constexpr RuleInfo kInfo = {
    .id = "conversions-in-a-row",
    .pack = Pack::kGeneric,
    .severity = Severity::kWarning,
    .summary = "the only reader of a conversion is another conversion",
    .rationale =
        "Two copies run where one would do: usually a quantizer that was kept as a layer of the "
        "model, and the reformat that the next kernel's layout needs. Compilers merge the two "
        "unless something forces the quantizer to stay separate",
    .fix =
        "Quantize where the tensor is written (a Q/DQ pair on the inputs of all readers, with one "
        "scale), so that the writer does both",
    .needs = kNeeds,
    .source = "Seen in a detector with Q/DQ, TensorRT 8.5.2 on Orin",
    .evidence = "types, shapes and layouts before, between and after the two, and their times",
    .estimate = "the measured time of the shorter of the two: one copy does both",
    .depth = 5};

// The only port that reads a tensor, where there is just one.
std::optional<PortRow> only_reader(const Context& context, TensorId tensor) {
  const auto readers = context.readers(tensor);
  if (readers.size() != 1 || context.is_engine_output(tensor)) return std::nullopt;
  return readers[0];
}

std::string edge_fix(const Context& context, PortRow given, PortRow wanted, bool at_input) {
  const TensorId tensor = context.tensor_of(given);
  const bool is_scaled = model::is_quantized(context.type_of(wanted)) &&
                         context.type_of(given) != context.type_of(wanted);
  if (!is_scaled) return as_sentence(edge_advice(context, tensor, wanted, at_input));
  // Changing only the type would change the results: the scale has to move along.
  const auto layout = model::to_string(context.model().ports.layout[wanted]);
  const std::string in_layout = layout.empty() ? std::string() : format(", in {}", layout);
  if (at_input) {
    return format(
        "Let the caller quantize {} as this quantizer does and pass the quantized tensor{}: the "
        "model then begins with the dequantizer",
        context.name(tensor), in_layout);
  }
  return format(
      "Let the caller read {} as it is{} and dequantize it: the model then ends before the "
      "dequantizer",
      context.name(context.tensor_of(wanted)), in_layout);
}

// One of the two only changes the layout, and on a CPU layouts are internal to the engine: neither
// the model nor the build can request them.
bool is_inner_layout(const Context& context, PortRow in, PortRow between, PortRow out) {
  const Producer producer = producer_of(context);
  const DType type = context.type_of(between);
  return (producer == Producer::kOpenVino || producer == Producer::kOnnxRuntime) &&
         (context.type_of(in) == type || context.type_of(out) == type);
}

// OpenVINO computes an integer product of the model in float, but still gives it the model's
// integer type: the layers are the compiler's, and quantization-undone reports the product.
bool is_integer_product(const Context& context, PortRow between) {
  return producer_of(context) == Producer::kOpenVino && context.type_of(between) == DType::kInt32;
}

// Its reader moves values without computing, and its result is quantized again: ONNX Runtime puts a
// pair after a pooling whose input has one, and runs the pooling on small values only if the two
// have the same type.
std::optional<LayerId> quantized_again_behind(const Context& context, const Walk& readers) {
  if (readers.reaches.size() != 1) return std::nullopt;
  const LayerId reader = readers.reaches[0].layer;
  if (context.family(reader) != Family::kPool) return std::nullopt;
  for (const PortRow port : context.outputs(reader)) {
    for (const Reach& behind : context.real_readers(context.tensor_of(port)).reaches) {
      for (const LayerId conversion : behind.conversions) {
        const auto out = context.outputs(conversion);
        if (!out.empty() && model::is_quantized(context.type_of(out[0]))) return reader;
      }
    }
  }
  return std::nullopt;
}

// ONNX Runtime fuses a pair with its neighbors on both sides, or computes it.
void mend_pair(const Context& context, const Walk& readers, FindingDraft& draft) {
  const auto adds = [&](const Reach& reach) { return context.type(reach.layer) == "Add"; };
  const engines::EngineRule* sums = context.engine_rule(engines::Condition::kSummands);
  const std::string names = names_or(context, readers, "the engine's output");
  if (sums != nullptr && std::ranges::any_of(readers.reaches, adds)) {
    draft.message += format(": {} adds in float, because {}", names, sums->because);
    draft.fix = sums->cure;
    return;
  }
  draft.message += format(": {} in float, so they only round",
                          readers.reaches.empty() ? "the engine's output is" : names + " reads it");
  if (const auto pool = quantized_again_behind(context, readers)) {
    draft.message += ", and its output is quantized again";
    draft.fix = format("Put the Q/DQ pair after {} instead of before it", context.name(*pool));
    return;
  }
  draft.fix = format("Remove the Q/DQ pair before {}: nothing reads the quantized values", names);
}

bool is_pair(const Context& context, PortRow in, PortRow between, PortRow out) {
  return model::is_quantized(context.type_of(between)) && model::is_float(context.type_of(in)) &&
         model::is_float(context.type_of(out));
}

// Says why the two are there and what to do; false if nothing can be done.
bool mend(const Context& context, PortRow in, PortRow between, PortRow out, FindingDraft& draft) {
  // A conversion next to ONNX Runtime's own layouts is not in a row with them in the model.
  const bool is_runtimes_own =
      producer_of(context) == Producer::kOnnxRuntime && is_inner_layout(context, in, between, out);
  if (is_runtimes_own) return false;
  const Walk writers = context.real_writers(context.tensor_of(in));
  const Walk readers = context.real_readers(context.tensor_of(out));
  DType small = DType::kNull;
  for (const PortRow port : {in, between, out}) {
    if (model::is_quantized(context.type_of(port))) small = context.type_of(port);
  }
  const bool is_quantizing = small != DType::kNull;
  if (is_quantizing) {
    if (const auto cause =
            fallback_beside(context, context.tensor_of(in), context.tensor_of(out), small)) {
      draft.message += format(", {}", because_text(context, *cause));
      draft.fix = cause->rule->cure;
      // At an edge of the engine, the other one stays.
      if (writers.reaches.empty() != readers.reaches.empty()) {
        draft.layer = context.layer_of(writers.reaches.empty() ? out : in);
        draft.savings = {{draft.layer}};
        draft.estimate_method = "measured time of the conversion that is removed";
      }
      return true;
    }
  }
  if (is_quantizing && producer_of(context) == Producer::kOnnxRuntime) {
    if (!is_pair(context, in, between, out)) return false;
    mend_pair(context, readers, draft);
    return true;
  }
  const bool at_input = writers.reaches.empty();
  const bool at_output = !at_input && readers.reaches.empty();
  if (at_input || at_output) {
    if (!caller_can_bind(context, at_input ? out : in)) return false;
    draft.severity = Severity::kInfo;
    draft.message += at_input ? "; they are at the engine's input" : "; they are at its output";
    draft.action = ActionKind::kCaller;
    draft.fix = edge_fix(context, at_input ? in : out, at_input ? out : in, at_input);
    return true;
  }
  if (is_inner_layout(context, in, between, out) || is_integer_product(context, between)) {
    return false;
  }
  draft.fix = format("Let {} write what {} reads: {}", names_or(context, writers, ""),
                     names_or(context, readers, ""), context.port_text(out));
  return true;
}

void run(const Context& context, FindingSink& sink) {
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId first(row);
    if (!context.is_conversion(first)) continue;
    const auto ends = typed_ends(context, first, sink);
    if (!ends || ends->out.size() != 1) continue;
    const auto reader = only_reader(context, context.tensor_of(ends->out[0]));
    if (!reader || !context.is_conversion(context.layer_of(*reader))) continue;
    const LayerId second = context.layer_of(*reader);
    const auto second_out = context.outputs(second);
    if (second_out.size() != 1) continue;
    if (context.is_needed(first) && context.is_needed(second)) continue;
    const double first_ms = context.time_ms(first).value_or(0);
    const double second_ms = context.time_ms(second).value_or(0);
    FindingDraft draft;
    draft.layer = first;
    draft.message =
        format("two conversions in a row, {} and {}", context.type(first), context.type(second));
    draft.evidence = format("{} → {}, {} → {}, {}", context.port_text(ends->in[0]),
                            context.port_text(ends->out[0]), time_text(context, first),
                            context.port_text(second_out[0]), time_text(context, second));
    draft.savings = {{first_ms <= second_ms ? first : second}};
    draft.estimate_method = "measured time of the shorter of the two: one copy does both";
    if (!mend(context, ends->in[0], ends->out[0], second_out[0], draft)) continue;
    sink.add(std::move(draft));
  }
}

}  // namespace
}  // namespace planex::lint::conversions_in_a_row_rule

PLANEX_LINT_RULE(conversions_in_a_row)
