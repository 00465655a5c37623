#include <algorithm>
#include <array>

#include "base/text.h"
#include "lint/advice.h"
#include "lint/layer_facts.h"
#include "lint/quantization.h"

namespace planex::lint::float32_island_rule {
namespace {

using base::format;
using model::Role;

constexpr std::array kNeeds = {Need::kTypes, Need::kDims, Need::kLinks};

constexpr RuleInfo kInfo = {
    .id = "float32-island",
    .pack = Pack::kGeneric,
    .severity = Severity::kWarning,
    .summary =
        "a tensor is converted from FP16 or BF16 to FP32, passes through a few layers other than "
        "matrix products, and is converted back",
    .rationale =
        "The layers between, and the conversions around them, move twice the bytes. Usually a "
        "normalization was exported with casts around it, or the compiler found no FP16 kernel",
    .fix =
        "Remove the Cast operations around the normalization and run it in FP16: TensorRT's own "
        "normalization layer accumulates in FP32 internally. Keep FP32 where accuracy needs it, "
        "and waive the finding. OpenVINO chooses the type of each layer itself: there, use an "
        "operation that has a kernel for the type or that runs inside its neighbor",
    .needs = kNeeds,
    .source =
        "TensorRT 8.6 engine of ControlNet in the test data (Cast around GroupNorm); NVIDIA "
        "TensorRT API, INormalizationLayer::setComputePrecision",
    .evidence = "the conversions into and out of FP32, the layers between, and their times",
    .estimate =
        "measured times of the conversions that only change the type; for the other layers, if "
        "they are memory-bound, the share of their times by which their bytes shrink in 16 bits"};

constexpr int kHalfBits = 16;
constexpr std::size_t kMaxLayers = 16;
constexpr std::size_t kMaxReaders = 64;
constexpr double kWorthAWarning = 0.01;

bool is_half(DType dtype) { return dtype == DType::kFp16 || dtype == DType::kBf16; }

struct Island {
  std::vector<LayerId> layers;  // between the conversions
  std::vector<LayerId> out;     // conversions back
};

// Everything after `start`, a tensor in FP32, up to conversions to 16 bits. Null if it meets a
// matrix product, the engine's output or something too large.
std::optional<Island> find_island(const Context& context, TensorId start) {
  Island island;
  std::vector<TensorId> steps = {start};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto readers = context.readers(steps[i]);
    if (readers.empty() || readers.size() > kMaxReaders || context.is_engine_output(steps[i])) {
      return std::nullopt;
    }
    for (const PortRow port : readers) {
      const LayerId layer = context.layer_of(port);
      const auto out = context.outputs(layer);
      const bool is_noop = context.model().layers.role[layer.index()] == Role::kNoOp;
      if (out.empty() || (!is_noop && !context.works(layer))) return std::nullopt;
      if (!is_noop && context.is_conversion(layer) && is_half(context.type_of(out[0]))) {
        if (std::ranges::find(island.out, layer) == island.out.end()) island.out.push_back(layer);
        continue;
      }
      if (context.is_matrix_layer(layer) || context.type_of(out[0]) != DType::kFp32) {
        return std::nullopt;
      }
      if (!is_noop && std::ranges::find(island.layers, layer) == island.layers.end()) {
        island.layers.push_back(layer);
      }
      for (const PortRow next : out) {
        const TensorId tensor = context.tensor_of(next);
        if (std::ranges::find(steps, tensor) == steps.end()) steps.push_back(tensor);
      }
      if (steps.size() > 2 * kMaxLayers || island.layers.size() > kMaxLayers) return std::nullopt;
    }
  }
  if (island.layers.empty() || island.out.empty()) return std::nullopt;
  return island;
}

// A conversion that only changes the type disappears; one that also changes the layout stays for
// that. It and the other layers save what their FP32 bytes shrink by.
void add_saving(const Context& context, LayerId layer, FindingDraft& draft) {
  const auto in = context.inputs(layer), out = context.outputs(layer);
  const auto& layouts = context.model().ports.layout;
  if (context.is_conversion(layer) && in.size() == 1 && out.size() == 1 &&
      layouts[in[0]] == layouts[out[0]]) {
    draft.savings.push_back({layer});
    return;
  }
  std::vector<PortRow> ports;
  for (const auto& side : {in, out}) {
    for (const PortRow port : side) {
      if (context.type_of(port) == DType::kFp32) ports.push_back(port);
    }
  }
  add_traffic_saving(context, layer, ports, kHalfBits, draft);
}

// Other conversions from 16 bits that lead into it, as for the second input of an addition.
std::vector<LayerId> other_ways_in(const Context& context, LayerId first, const Island& island) {
  std::vector<LayerId> others;
  for (const LayerId layer : island.layers) {
    const auto inputs = context.inputs(layer);
    if (inputs.size() > kMaxReaders) continue;
    for (const PortRow port : inputs) {
      for (const PortRow writer : graph::first_few(context.writers(context.tensor_of(port)))) {
        const LayerId from = context.layer_of(writer);
        const auto in = context.inputs(from);
        if (from != first && context.is_conversion(from) && !in.empty() &&
            is_half(context.type_of(in[0]))) {
          append_unique(others, std::span(&from, 1));
        }
      }
    }
  }
  return others;
}

std::string fix(const Context& context, std::span<const std::string> names, DType half) {
  if (!has_half_kernels(context)) {
    return "The provider computes these layers only in FP32: use the FP32 model, and no conversion "
           "is left";
  }
  // OpenVINO chooses the type of each layer itself: neither a cast in the model nor an option
  // changes it.
  if (producer_of(context) == Producer::kOpenVino) {
    return format(
        "OpenVINO has no {} kernel for {}: write it as an operation that has one or that runs "
        "inside the layer before it (such as HardSwish instead of x times HardSigmoid(x)), or "
        "leave it",
        model::to_string(half), listed(names, 2));
  }
  return format(
      "Let {} run in {}: remove the casts around it, or allow the type for these layers; keep FP32 "
      "if accuracy needs it",
      listed(names, 2), model::to_string(half));
}

void report(const Context& context, LayerId first, const Island& island, FindingSink& sink) {
  std::vector<std::string> names;
  for (const LayerId layer : island.layers) names.push_back(context.name(layer));
  FindingDraft draft;
  draft.layer = first;
  double ms = 0;
  for (const auto& part : {std::vector<LayerId>{first}, other_ways_in(context, first, island),
                           island.layers, island.out}) {
    for (const LayerId layer : part) {
      add_saving(context, layer, draft);
      draft.also_about.push_back(layer);
      ms += context.time_ms(layer).value_or(0);
    }
  }
  const auto in = context.inputs(first);
  draft.severity = ms >= kWorthAWarning * context.total_ms().value_or(0) && ms > 0
                       ? Severity::kWarning
                       : Severity::kInfo;
  draft.message = format("{} in FP32 between conversions from and to {}",
                         base::counted(island.layers.size(), "layer"),
                         model::to_string(context.type_of(in[0])));
  draft.evidence =
      format("{} {}; {}; converted back by {}", context.name(first), time_text(context, first),
             listed_with_times(context, island.layers), listed_with_times(context, island.out));
  if (ms > 0) draft.evidence += format("; together {}", share_text(context, ms));
  draft.estimate_method =
      "measured times of the conversions that only change the type; for the other layers, if they "
      "are memory-bound, the share of their times by which their bytes shrink in 16 bits";
  draft.fix = fix(context, names, context.type_of(in[0]));
  sink.add(std::move(draft));
}

void run(const Context& context, FindingSink& sink) {
  std::vector<bool> known(context.layer_count());
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer)) continue;
    const auto ends = typed_ends(context, layer, sink);
    if (!ends || !context.is_conversion(layer) || ends->out.size() != 1) continue;
    if (!is_half(context.type_of(ends->in[0])) || context.type_of(ends->out[0]) != DType::kFp32) {
      continue;
    }
    const auto island = find_island(context, context.tensor_of(ends->out[0]));
    if (!island || known[island->layers.front().index()]) continue;
    for (const LayerId inside : island->layers) known[inside.index()] = true;
    report(context, layer, *island, sink);
  }
}

}  // namespace
}  // namespace planex::lint::float32_island_rule

PLANEX_LINT_RULE(float32_island)
