#include "analyze/explain/windows.h"

#include <limits>
#include <string>
#include <unordered_map>
#include <utility>

#include "analyze/work/operation_kinds.h"
#include "analyze/work/operation_parameters.h"
#include "analyze/work/work.h"

namespace planex::analyze {
namespace {

using model::Family;
using model::LayerId;
using model::PlanModel;

constexpr std::size_t kAmbiguous = std::numeric_limits<std::size_t>::max();

class WindowReader {
 public:
  explicit WindowReader(const PlanModel& model) : model_(model), work_(model) {
    const auto& operations = model.operations;
    by_name_.reserve(operations.row_count());
    for (std::size_t row = 0; row < operations.row_count(); ++row) {
      const auto [found, is_new] = by_name_.emplace(model.text(operations.name[row]), row);
      if (!is_new) found->second = kAmbiguous;
    }
  }

  std::optional<ConvolutionWindow> of(LayerId layer) const {
    ConvolutionWindow window;
    window.layer = layer;
    if (auto parameters = work_.convolution_parameters(layer)) {
      set(window, std::move(*parameters));
      return window;
    }
    const auto weights = work_.convolution_of_weights(layer);
    if (const auto operation = convolution_of(layer)) {
      read_operation(*operation, window);
      if (window.kernel.empty() && weights) window.kernel = weights->kernel;
      if (!window.kernel.empty()) {
        window.evidence = WindowEvidence::kOperation;
        return window;
      }
    }
    if (!weights) return std::nullopt;
    set(window, *weights);
    window.evidence = WindowEvidence::kWeights;
    return window;
  }

 private:
  static void set(ConvolutionWindow& window, ConvolutionParameters parameters) {
    window.kernel = std::move(parameters.kernel);
    window.stride = std::move(parameters.stride);
    window.dilation = std::move(parameters.dilation);
    window.groups = parameters.groups;
  }

  // Its row, where the layer stems from one convolution; nothing where it stems from several or
  // from something unknown.
  std::optional<std::size_t> convolution_of(LayerId layer) const {
    std::optional<std::size_t> found;
    const model::RowRange sources = model_.sources_of(layer);
    for (std::size_t row = sources.first; row < sources.end(); ++row) {
      const auto entry = by_name_.find(model_.text(model_.sources.op_name[row]));
      if (entry == by_name_.end() || entry->second == kAmbiguous) return std::nullopt;
      const std::size_t operation = entry->second;
      const std::string_view type = model_.text(model_.operations.type[operation]);
      const std::string_view domain = model_.text(model_.operations.domain[operation]);
      if (operation_kind(domain, type) != OperationKind::kProduct) continue;
      if (found && *found != operation) return std::nullopt;
      found = operation;
    }
    if (!found) return std::nullopt;
    const std::string_view type = model_.text(model_.operations.type[*found]);
    return type.find("Conv") != std::string_view::npos ? found : std::nullopt;
  }

  // An attribute that an operator leaves out has ONNX's default value.
  void read_operation(std::size_t row, ConvolutionWindow& window) const {
    const OperationParameters parameters(model_.text(model_.operations.parameters[row]));
    window.groups = parameters.integer("group").value_or(1);
    if (auto kernel = parameters.integers("kernel_shape")) window.kernel = std::move(*kernel);
    const std::size_t rank = window.kernel.size();
    const auto listed = [&](std::string_view key) {
      return parameters.integers(key).value_or(std::vector<std::int64_t>(rank, 1));
    };
    window.stride = listed("strides");
    window.dilation = listed("dilations");
  }

  const PlanModel& model_;
  const WorkReader work_;
  std::unordered_map<std::string_view, std::size_t> by_name_;
};

}  // namespace

std::string_view to_string(WindowEvidence evidence) {
  switch (evidence) {
    case WindowEvidence::kParameters:
      return "parameters";
    case WindowEvidence::kOperation:
      return "operation";
    case WindowEvidence::kWeights:
      break;
  }
  return "weights";
}

std::vector<ConvolutionWindow> convolution_windows(const PlanModel& model) {
  const WindowReader reader(model);
  std::vector<ConvolutionWindow> windows;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    const LayerId layer(row);
    if (model.layers.family[row] != Family::kConvolution || !model.does_work(layer)) continue;
    if (auto window = reader.of(layer)) windows.push_back(std::move(*window));
  }
  return windows;
}

}  // namespace planex::analyze
