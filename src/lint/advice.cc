#include "lint/advice.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "lint/layer_facts.h"

namespace planex::lint {
namespace {

using base::format;

// Jetson boards have their own tool for clocks.
bool is_jetson(const Context& context) {
  const std::string_view device = metadata(context, "Selected Device");
  for (const std::string_view word : {"Orin", "Xavier", "Tegra", "Jetson", "Thor"}) {
    if (base::contains_ignoring_case(device, word)) return true;
  }
  return false;
}

}  // namespace

Producer producer_of(const Context& context) {
  const std::string_view producer = context.model().text(context.model().engine.producer[0]);
  if (producer == "tensorrt") return Producer::kTensorRt;
  if (producer == "tensorrt-rtx") return Producer::kTensorRtRtx;
  if (producer == "openvino") return Producer::kOpenVino;
  if (producer == "onnxruntime") return Producer::kOnnxRuntime;
  return Producer::kOther;
}

std::string_view runner_of(const Context& context) {
  return producer_of(context) == Producer::kTensorRtRtx ? "tensorrt_rtx" : "trtexec";
}

std::string steady_clock_advice(const Context& context) {
  switch (producer_of(context)) {
    case Producer::kTensorRt:
    case Producer::kTensorRtRtx:
      return is_jetson(context) ? "lock the clocks (sudo jetson_clocks)"
                                : "lock the clocks (nvidia-smi --lock-gpu-clocks)";
    default:
      return "fix the device's frequency (on a CPU: governor \"performance\", no turbo)";
  }
}

std::string warm_up_advice(const Context& context) {
  switch (producer_of(context)) {
    case Producer::kTensorRt:
    case Producer::kTensorRtRtx:
      return format("warm up longer ({} --warmUp, in ms)", runner_of(context));
    default:
      return "run inferences for a second or two before the measured ones";
  }
}

std::string more_inferences_advice(const Context& context) {
  switch (producer_of(context)) {
    case Producer::kTensorRt:
    case Producer::kTensorRtRtx:
      return format(
          "profile at least a hundred inferences ({} --iterations=100, or a longer "
          "--duration)",
          runner_of(context));
    case Producer::kOpenVino:
      return "profile at least a hundred inferences (benchmark_app -niter 100)";
    default:
      return "profile at least a hundred inferences in one session";
  }
}

namespace {

// The engine's own input or output, if only reshapes are between it and the tensor.
TensorId edge_of(const Context& context, TensorId tensor, bool at_input) {
  constexpr std::size_t kMaxSteps = 8;
  for (std::size_t step = 0; step < kMaxSteps; ++step) {
    const auto next = at_input ? context.writers(tensor) : context.readers(tensor);
    if (next.size() != 1) break;
    const LayerId layer = context.layer_of(next[0]);
    if (context.model().layers.role[layer.index()] != model::Role::kNoOp) break;
    const auto ports = at_input ? context.inputs(layer) : context.outputs(layer);
    if (ports.size() != 1) break;
    tensor = context.tensor_of(ports[0]);
  }
  return tensor;
}

// OpenVINO names the copy before a result after both its ends, as it names all tensors after
// layers: "conv_acb_abc_y/sink_port_0" becomes the result y. Empty if the name is not of this form.
std::string result_name(const Context& context, TensorId tensor) {
  constexpr std::string_view kPort = "/sink_port_";
  const model::PlanModel& model = context.model();
  const auto writers = context.writers(tensor);
  if (producer_of(context) != Producer::kOpenVino || writers.size() != 1) return {};
  const auto in = context.inputs(context.layer_of(writers[0]));
  std::string_view name = model.text(model.tensors.name[tensor.index()]);
  const std::size_t port = name.rfind(kPort);
  if (in.empty() || port == std::string_view::npos) return {};
  const std::string_view from = model.text(model.tensors.name[context.tensor_of(in[0]).index()]);
  if (!name.starts_with(from)) return {};
  name = name.substr(from.size(), port - std::min(port, from.size()));
  // "_", then the letters of two layouts, each followed by "_".
  for (std::size_t part = 0; part < 3; ++part) {
    const std::size_t end = name.find('_');
    if (end == std::string_view::npos || (part == 0 && end != 0)) return {};
    name = name.substr(end + 1);
  }
  return name.empty() ? std::string() : base::quoted(name);
}

}  // namespace

std::string edge_advice(const Context& context, TensorId tensor, PortRow port, bool at_input) {
  const std::string form =
      format("{} {}", model::to_string(context.type_of(port)), layout_name(context, port));
  const TensorId edge = edge_of(context, tensor, at_input);
  const std::string named = at_input ? std::string() : result_name(context, edge);
  const std::string what = format("let the caller {} {} as {}", at_input ? "pass" : "read",
                                  named.empty() ? context.name(edge) : named,
                                  form.ends_with(' ') ? form.substr(0, form.size() - 1) : form);
  switch (producer_of(context)) {
    case Producer::kTensorRt:
    case Producer::kTensorRtRtx:
      return format("{} ({} --{}, ITensor::setAllowedFormats)", what, runner_of(context),
                    at_input ? "inputIOFormats" : "outputIOFormats");
    case Producer::kOpenVino:
      return format("{} (PrePostProcessor: {}.tensor())", what, at_input ? "input()" : "output()");
    default:
      return what;
  }
}

bool caller_can_bind(const Context& context, PortRow port) {
  const Producer producer = producer_of(context);
  const model::Layout layout = context.model().ports.layout[port];
  if (producer == Producer::kTensorRt || producer == Producer::kTensorRtRtx) {
    // The builder refuses TensorFormat::kHWC and kDHWC for INT8: it has vectors of channels for it.
    return layout.order != model::Order::kChannelsLast || layout.channel_vector > 1 ||
           !model::is_quantized(context.type_of(port));
  }
  return layout.order == model::Order::kNull ||
         (layout.channel_vector == 1 && layout.order != model::Order::kChannelVectors &&
          layout.order != model::Order::kStrided);
}

bool has_half_kernels(const Context& context) {
  const model::PlanModel& model = context.model();
  const auto any = [&](const auto& holds) {
    for (std::size_t row = 0; row < model.metadata.row_count(); ++row) {
      if (holds(model.text(model.metadata.key[row]), model.text(model.metadata.value[row]))) {
        return true;
      }
    }
    return false;
  };
  switch (producer_of(context)) {
    case Producer::kTensorRt:
    case Producer::kTensorRtRtx:
      return true;
    case Producer::kOnnxRuntime:
      return any([](std::string_view key, std::string_view value) {
        return key == "provider" && !value.starts_with("CPU");
      });
    default:
      return !bfloat16_evidence(context).empty();
  }
}

std::string_view bfloat16_evidence(const Context& context) {
  const model::PlanModel& model = context.model();
  for (std::size_t row = 0; row < model.metadata.row_count(); ++row) {
    const std::string_view key = model.text(model.metadata.key[row]);
    if (key != "RUNTIME_REQUIREMENTS" && key != "isa" && key != "capabilities" &&
        key != "OPTIMIZATION_CAPABILITIES") {
      continue;
    }
    const std::string_view value = model.text(model.metadata.value[row]);
    if (base::contains_ignoring_case(value, "bfloat16") ||
        base::contains_ignoring_case(value, "BF16")) {
      return value;
    }
  }
  return {};
}

std::string as_sentence(std::string phrase) {
  if (!phrase.empty() && phrase[0] >= 'a' && phrase[0] <= 'z') {
    phrase[0] = static_cast<char>(phrase[0] - 'a' + 'A');
  }
  return phrase;
}

}  // namespace planex::lint
