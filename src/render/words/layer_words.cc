#include "render/words/layer_words.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

#include "base/text.h"
#include "graph/plan_graph.h"
#include "render/words/numbers.h"

namespace planex::render {
namespace {

using model::Direction;
using model::LayerId;

// The numbers of "[3, 3]"; empty where it is anything else.
std::vector<std::int64_t> numbers_in(std::string_view text) {
  constexpr std::size_t kMax = 8;
  std::vector<std::int64_t> numbers;
  if (!text.starts_with('[')) return numbers;
  text.remove_prefix(1);
  while (!text.empty() && numbers.size() < kMax) {
    text.remove_prefix(std::min(text.find_first_not_of(" ,\n\r\t"), text.size()));
    std::int64_t number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    if (parsed.ec != std::errc()) break;
    numbers.push_back(number);
    text.remove_prefix(static_cast<std::size_t>(parsed.ptr - text.data()));
  }
  return numbers;
}

bool are_all(const std::vector<std::int64_t>& numbers, std::int64_t value) {
  return std::ranges::all_of(numbers, [value](std::int64_t number) { return number == value; });
}

// "2", or "2×1" where the sides differ.
std::string sides(const std::vector<std::int64_t>& numbers) {
  return are_all(numbers, numbers.front()) ? base::format("{}", numbers.front())
                                           : dims_text(numbers);
}

// The strings of a JSON list of strings, for a line of words. Escapes are not decoded.
std::vector<std::string> texts_in(std::string_view json, std::size_t limit) {
  std::vector<std::string> texts;
  while (texts.size() < limit) {
    const std::size_t begin = json.find('"');
    if (begin == std::string_view::npos) break;
    const std::size_t end = json.find('"', begin + 1);
    if (end == std::string_view::npos) break;
    texts.emplace_back(json.substr(begin + 1, std::min<std::size_t>(end - begin - 1, 400)));
    json.remove_prefix(end + 1);
  }
  return texts;
}

}  // namespace

LayerWords::LayerWords(const model::PlanModel& model)
    : model_(model),
      kernel_(model.strings.find("Kernel")),
      window_(model.strings.find("WindowSize")),
      stride_(model.strings.find("Stride")),
      groups_(model.strings.find("Groups")),
      activation_(model.strings.find("Activation")),
      operations_(model.strings.find("Operations")) {}

std::string LayerWords::type_line(LayerId layer) const {
  std::string line(model_.text(model_.layers.type[layer.index()]));
  const std::string given = parameters(layer);
  return given.empty() ? line : std::move(line) + " " + given;
}

std::string LayerWords::parameters(LayerId layer) const {
  const model::Family family = model_.layers.family[layer.index()];
  if (family != model::Family::kConvolution && family != model::Family::kPool) return {};
  std::vector<std::int64_t> kernel = numbers_in(model_.attribute(layer, kernel_));
  if (kernel.empty()) kernel = numbers_in(model_.attribute(layer, window_));
  std::string line;
  const auto add = [&](std::string_view sign, std::string_view text) {
    if (!line.empty()) line += ' ';
    line.append(sign).append(text);
  };
  if (!kernel.empty()) add("", dims_text(kernel));
  const std::vector<std::int64_t> stride = numbers_in(model_.attribute(layer, stride_));
  if (!stride.empty() && !are_all(stride, 1)) add("/", sides(stride));
  const std::string_view groups = model_.attribute(layer, groups_);
  if (!groups.empty() && groups != "1" && groups.size() < 8) add("g", groups);
  return line;
}

std::size_t LayerWords::first_port(LayerId layer, Direction direction) const {
  const model::RowRange ports = model_.ports_of(layer);
  for (std::size_t row = ports.first; row < ports.end(); ++row) {
    if (model_.ports.direction[row] == direction) return row;
  }
  return kNoPort;
}

std::size_t LayerWords::input_count(LayerId layer) const {
  const model::RowRange ports = model_.ports_of(layer);
  std::size_t count = 0;
  for (std::size_t row = ports.first; row < ports.end(); ++row) {
    if (model_.ports.direction[row] == Direction::kInput) ++count;
  }
  return count;
}

bool LayerWords::changes_precision(LayerId layer) const {
  const auto in = model_.layers.precision.get(layer.index());
  const auto out = model_.layers.output_precision.get(layer.index());
  return in && out && *in != *out;
}

std::string LayerWords::flow(LayerId layer) const {
  const auto in = model_.layers.precision.get(layer.index());
  const auto out = model_.layers.output_precision.get(layer.index());
  if (!in && !out) return {};
  if (in && out && *in != *out) return base::format("{} → {}", to_string(*in), to_string(*out));
  std::string text(to_string(in ? *in : *out));
  if (model_.layers.family[layer.index()] == model::Family::kReformat) {
    const std::size_t from = first_port(layer, Direction::kInput);
    const std::size_t to = first_port(layer, Direction::kOutput);
    if (from == kNoPort || to == kNoPort) return text;
    const std::string_view before = to_string(model_.ports.layout[from]);
    const std::string_view after = to_string(model_.ports.layout[to]);
    if (!before.empty() && !after.empty() && before != after) {
      text += base::format(" {} → {}", before, after);
    }
    return text;
  }
  const auto computed = model_.layers.compute_precision.get(layer.index());
  if (computed && in && *computed != *in) {
    text += base::format(" computes {}", to_string(*computed));
  }
  return text;
}

bool LayerWords::is_added(LayerId layer, std::uint32_t port) const {
  if (port == graph::kNoRow) return true;
  const model::TensorId tensor = model_.ports.tensor_id[port];
  if (!tensor.is_null() && model_.tensors.role[tensor.index()] == model::TensorRole::kConstant) {
    return false;
  }
  // The first input of a convolution is what it convolves.
  return model_.layers.family[layer.index()] != model::Family::kConvolution ||
         model_.ports.index[port] > 0;
}

bool LayerWords::adds(LayerId layer) const {
  if (input_count(layer) < 2) return false;
  const model::LayersTable& layers = model_.layers;
  const model::Family family = layers.family[layer.index()];
  // A second input of a convolution is what its result is added to.
  if (family == model::Family::kConvolution) return true;
  const auto says_add = [](std::string_view text) {
    return base::contains_ignoring_case(text.substr(0, 400), "add") ||
           base::contains_ignoring_case(text.substr(0, 400), "sum");
  };
  return says_add(model_.text(layers.name[layer.index()])) ||
         says_add(model_.text(layers.type[layer.index()])) ||
         says_add(model_.attribute(layer, operations_));
}

std::vector<std::string> LayerWords::details(LayerId layer, std::size_t limit) const {
  std::vector<std::string> lines = texts_in(model_.attribute(layer, operations_), limit);
  const model::Family family = model_.layers.family[layer.index()];
  if (family == model::Family::kConvolution && adds(layer)) {
    const model::RowRange ports = model_.ports_of(layer);
    for (std::size_t row = ports.first; row < ports.end(); ++row) {
      const bool is_input = model_.ports.direction[row] == Direction::kInput;
      if (is_input && is_added(layer, static_cast<std::uint32_t>(row))) {
        lines.push_back(base::format("Conv(input0) + input{}", model_.ports.index[row]));
      }
    }
  }
  const std::string_view activation = model_.attribute(layer, activation_);
  if (!activation.empty() && activation != "NONE") {
    lines.push_back(base::format("activation {}", activation.substr(0, 80)));
  }
  if (lines.size() > limit) lines.resize(limit);
  return lines;
}

std::vector<std::string> LayerWords::sources(LayerId layer, std::size_t limit) const {
  std::vector<std::string> lines;
  const model::RowRange rows = model_.sources_of(layer);
  for (std::size_t row = rows.first; row < rows.end() && lines.size() < limit; ++row) {
    lines.emplace_back(model_.text(model_.sources.op_name[row]));
  }
  if (rows.count > limit) lines.back() = base::format("and {} more", rows.count - limit + 1);
  return lines;
}

}  // namespace planex::render
