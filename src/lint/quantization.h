// Where quantized parts of a network meet float ones: what rules about Q/DQ placement share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lint/context.h"

namespace planex::lint {

// What happens to a float output of a layer that computes in a quantized type.
struct FloatOutput {
  PortRow port = 0;
  // The float inputs of the layer itself, besides its first: residuals it adds.
  std::vector<PortRow> residuals;
  // Conversions that lead from the output, or to the residuals, to a quantized type.
  std::vector<LayerId> conversions;
  // Layers that read the float and write a quantized type: an addition with its quantizer.
  std::vector<LayerId> quantizing_readers;
  // Their float inputs that other layers write: the other side of the addition.
  std::vector<PortRow> other_sides;
  // Pooling between the layer and a quantizer.
  std::vector<LayerId> pools;
  // Layers that need the float, and stay.
  std::vector<Reach> float_readers;
  // Something after it is quantized again.
  bool is_requantized = false;
  // No layer inside the engine reads it.
  bool is_head = false;
};

// A kernel that converts quantized constants to float in every inference.
struct WeightKernel {
  LayerId layer;
  PortRow constant = 0;  // the quantized constant
  PortRow out = 0;       // the float that it writes
};
// The only writer of what a port reads, if it is such a kernel; otherwise null.
std::optional<WeightKernel> weight_kernel_before(const Context& context, PortRow input);

// Why a conversion or Q/DQ pair is there: a layer right next to it that the model quantizes and
// that runs in float, because of the engine's own rules.
struct FallbackCause {
  LayerId layer;  // null: the engine has nothing for the type, whatever layer is there
  const engines::EngineRule* rule = nullptr;
  bool is_likely = false;
};
// For a conversion to or from `small` that is between the writers of `before` and the readers of
// `behind`; null if no such layer is known, or if the table has no rule for it.
std::optional<FallbackCause> fallback_beside(const Context& context, TensorId before,
                                             TensorId behind, DType small);
// "because "b0.c1" runs in float: its output is not quantized, …".
std::string because_text(const Context& context, const FallbackCause& cause);

// The float outputs of a convolution or matrix product whose first input is quantized; empty for
// all other layers. Cost: of a few walks, each bounded.
std::vector<FloatOutput> float_outputs(const Context& context, LayerId layer);

// The first quantized tensor that a conversion makes from `tensor`, to share its Q/DQ.
std::optional<TensorId> quantized_copy(const Context& context, TensorId tensor);

// What lets an engine whose builder chose INT8 layers run the others in FP16.
inline constexpr std::string_view kAllowHalfFix =
    "Build with --fp16 in addition to --int8: layers without an INT8 kernel then run in FP16, not "
    "in FP32";

// How such fixes begin.
inline constexpr std::string_view kBuilderChose =
    "The builder chose the types, because the model has no Q/DQ";
// The same for an engine whose builder chose the quantized layers itself (Context::is_calibrated):
// there is no Q/DQ to move.
std::string calibrated_fix(const Context& context, LayerId layer, DType small);

// What to do, as a phrase: names the tensors to quantize and the layers that gain.
std::string placement_fix(const Context& context, LayerId layer, const FloatOutput& output);
// The tensors that placement_fix() puts Q/DQ on: the same edit may fix several layers.
std::vector<TensorId> tensors_to_quantize(const Context& context, const FloatOutput& output);
// Why it is float, as a phrase: ""; "; its residual input ... is FP16".
std::string cause(const Context& context, const FloatOutput& output);
// What follows from it, as facts: names of conversions and their times.
std::string consequences(const Context& context, const FloatOutput& output);

// How to get rid of a layer that quantizes what `in` reads, or dequantizes to what `out` writes:
// names the layer that should write, or read, `small` itself and what prevents that. For tensors
// that have a writer, or a reader, inside the engine.
std::string quantizer_fix(const Context& context, PortRow in, DType small);
std::string dequantizer_fix(const Context& context, PortRow out, DType small);
// The same if `in` is the engine's input.
std::string caller_quantizes_fix(const Context& context, PortRow in, DType small);
// For pooling between a quantized layer and a quantizer, on `tensor`. Only the maximum of quantized
// values is one of them: after an average the quantizer stays, and the pooling absorbs it.
std::string pool_fix(const Context& context, LayerId pool, const std::string& tensor);
// The same for a layer between two float types: the goal is the narrower one, which is an option of
// the build; if the engine has no kernels for it, the wider one in the model.
void add_float_conversion_fix(const Context& context, PortRow in, PortRow out, FindingDraft& draft);

// Names with times: "\"Q_2\" 27.6 µs and \"Q_3\" 18.4 µs".
std::string listed_with_times(const Context& context, std::span<const LayerId> layers);

// What a matrix layer itself saves when it reads and writes the quantized type throughout: judged
// by its twins in the engine, else by its bytes if it is memory-bound. Adds to the savings, and to
// the evidence how they are known. `ports`: its float ports.
void add_own_saving(const Context& context, LayerId layer, std::span<const PortRow> ports, int bits,
                    FindingDraft& draft);
// How that is estimated, as a phrase.
inline constexpr std::string_view kOwnSavingMethod =
    "and the layer's own time beyond that of layers with the same work that write the quantized "
    "type, or its saved bytes if it is memory-bound";
// The same for a layer without weights, by its bytes alone.
void add_traffic_saving(const Context& context, LayerId layer, std::span<const PortRow> ports,
                        int bits, FindingDraft& draft);

// For pooling after the output, which then runs in the small type.
void add_pool_savings(const Context& context, const FloatOutput& output, int bits,
                      FindingDraft& draft);

void append_unique(std::vector<LayerId>& layers, std::span<const LayerId> more);

}  // namespace planex::lint
