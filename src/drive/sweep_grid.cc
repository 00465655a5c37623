#include "drive/sweep_grid.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "drive/sha256.h"
#include "onnx/read.h"

namespace planex::drive {
namespace {

using base::format;

constexpr std::string_view kShapeAxis = "shape:";
// A folder's name can have 255 bytes; people read fewer.
constexpr std::size_t kMaxIdBytes = 100;
constexpr std::size_t kIdHashDigits = 8;

// What a name maps to on each engine: words with {} for the value.
struct EngineOption {
  std::string_view axis, engine, word;
};
constexpr std::array kEngineOptions = {
    EngineOption{"isa", "openvino", "--isa={}"},
    EngineOption{"streams", "openvino", "--streams={}"},
    EngineOption{"streams", "trtexec", "--infStreams={}"},
    EngineOption{"compute_capability", "tensorrt-rtx", "--target={}"},
};

Failure usage(std::string message, std::string hint = {}) {
  return fail(ErrorCode::kUsage, std::move(message), std::move(hint));
}

// OpenVINO's own properties are in capitals; options of planex's program are not.
bool is_property(std::string_view name) {
  return std::ranges::all_of(
      name, [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
}

Result<std::string> option_word(const std::string& engine, const std::string& name,
                                const std::string& value) {
  bool is_known = false;
  std::string engines;
  for (const EngineOption& option : kEngineOptions) {
    if (option.axis != name) continue;
    is_known = true;
    engines += format("{}{}", engines.empty() ? "" : " and ", option.engine);
    if (option.engine != engine) continue;
    std::string word(option.word);
    return word.replace(word.find("{}"), 2, value);
  }
  if (is_known) {
    return usage(format("{} has no {}; available with {}", engine, base::quoted(name), engines),
                 "You can also vary an option of the engine by its own name.");
  }
  if (engine == "openvino" && is_property(name)) return format("--config={}={}", name, value);
  if (value == "on") return format("--{}", name);
  if (value == "off") return std::string();
  return format("--{}={}", name, value);
}

std::string_view input_of(std::string_view shape) { return shape.substr(0, shape.rfind('=')); }

void set_shape(std::vector<std::string>& shapes, std::string_view input, std::string_view dims) {
  std::erase_if(shapes, [&](const std::string& shape) { return input_of(shape) == input; });
  shapes.push_back(format("{}={}", input, dims));
}

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == text.npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// What a sweep over the batch needs to know about the model.
struct ModelInput {
  std::string name;
  std::vector<std::optional<std::int64_t>> dims;
};

Result<std::vector<ModelInput>> model_inputs(const std::string& model) {
  auto bytes = base::disk().read(model, base::Access::kSparse);
  if (!bytes) {
    Error error = std::move(bytes).error();
    error.hint =
        "To vary the batch, planex must be able to read the model here; otherwise vary "
        "shape:INPUT.";
    return fail(std::move(error));
  }
  auto source = onnx::read_model((*bytes)->view());
  if (source && !(*bytes)->is_intact()) source = fail(base::changed_error(model));
  if (!source) {
    Error error = std::move(source).error();
    error.file = model;
    return fail(std::move(error));
  }
  std::vector<ModelInput> inputs;
  if (source->graphs.empty()) return inputs;
  const onnx::Graph& graph = source->graphs.front();
  std::set<std::string_view> constants;
  for (std::size_t i = 0; i < graph.initializers.count; ++i) {
    constants.insert(source->tensors[graph.initializers.first + i].name);
  }
  for (std::size_t i = 0; i < graph.values.count; ++i) {
    const onnx::Value& value = source->values[graph.values.first + i];
    if (value.role != onnx::ValueRole::kInput || constants.contains(value.name)) continue;
    ModelInput input{.name = std::string(value.name), .dims = {}};
    for (std::size_t d = 0; d < value.dims.count; ++d) {
      const onnx::Dim& dim = source->value_dims[value.dims.first + d];
      input.dims.push_back(dim.value >= 0 ? std::optional(dim.value) : std::nullopt);
    }
    inputs.push_back(std::move(input));
  }
  return inputs;
}

Result<void> set_batch(std::span<const ModelInput> inputs, const std::string& batch,
                       std::vector<std::string>& shapes) {
  std::uint32_t number = 0;
  const auto [end, code] = std::from_chars(batch.data(), batch.data() + batch.size(), number);
  if (code != std::errc() || end != batch.data() + batch.size() || number == 0) {
    return usage(
        format("{} is not a batch size, expected a positive whole number", base::quoted(batch)));
  }
  // If some inputs have a dynamic first dimension, the first dimension of the others is not the
  // batch.
  const bool has_dynamic = std::ranges::any_of(
      inputs, [](const ModelInput& input) { return !input.dims.empty() && !input.dims.front(); });
  for (const ModelInput& input : inputs) {
    const auto given = std::ranges::find(
        shapes, input.name, [](const std::string& shape) { return std::string(input_of(shape)); });
    if (given != shapes.end()) {
      const std::string dims = given->substr(given->rfind('=') + 1);
      const std::size_t cross = dims.find('x');
      set_shape(shapes, input.name,
                cross == dims.npos ? batch : format("{}{}", batch, dims.substr(cross)));
      continue;
    }
    if (input.dims.empty() || (has_dynamic && input.dims.front())) continue;
    std::string dims = batch;
    for (std::size_t d = 1; d < input.dims.size(); ++d) {
      if (!input.dims[d]) {
        return usage(
            format("dimension {} of the input {} is also dynamic", d, base::quoted(input.name)),
            format("Give its shape: --shape {}=…; the batch replaces its first dimension.",
                   input.name));
      }
      dims += format("x{}", *input.dims[d]);
    }
    set_shape(shapes, input.name, dims);
  }
  return {};
}

// Values that decide how others are written come first.
int rank_of(const GridAxis& axis) {
  if (axis.name == "engine") return 0;
  if (axis.name.starts_with(kShapeAxis)) return 1;
  return axis.name == "batch" ? 2 : 3;
}

Result<void> apply(const GridAxis& axis, const std::string& value,
                   std::span<const ModelInput> inputs, ProcessRequest& request) {
  if (axis.name == "engine") {
    request.engine = value;
  } else if (axis.name == "precision") {
    request.precision = value;
  } else if (axis.name == "threads") {
    request.threads = value;
  } else if (axis.name == "batch") {
    return set_batch(inputs, value, request.shapes);
  } else if (axis.name.starts_with(kShapeAxis)) {
    const std::string_view names = std::string_view(axis.name).substr(kShapeAxis.size());
    for (const std::string_view input : parts_of(names, '+')) {
      set_shape(request.shapes, input, value);
    }
  } else {
    PLANEX_ASSIGN(std::string word, option_word(request.engine, axis.name, value));
    if (!word.empty()) request.flags.push_back(std::move(word));
  }
  return {};
}

std::string folder_name(std::span<const GridAxis> axes, std::span<const std::string> values) {
  std::string name;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    std::string_view axis = axes[i].name;
    if (axis.starts_with(kShapeAxis)) axis.remove_prefix(kShapeAxis.size());
    name += format("{}{}-{}", i == 0 ? "" : "_", axis, values[i]);
  }
  const std::string hash = sha256_of(name).substr(0, kIdHashDigits);
  for (char& c : name) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
    if (!is_plain) c = '-';
  }
  if (name.empty()) return "cell";
  if (name.size() <= kMaxIdBytes && name.front() != '.') return name;
  name.resize(std::min(name.size(), kMaxIdBytes - kIdHashDigits - 1));
  return format("x{}-{}", name, hash);
}

Result<std::size_t> check(std::span<const GridAxis> axes) {
  std::set<std::string_view> names;
  std::size_t cells = 1;
  for (const GridAxis& axis : axes) {
    if (!names.insert(axis.name).second) return usage(format("{} is varied twice", axis.name));
    std::set<std::string_view> values;
    for (const std::string& value : axis.values) {
      if (!values.insert(value).second) {
        return usage(format("{}: {} is listed twice", axis.name, base::quoted(value)));
      }
    }
    cells *= axis.values.size();
    if (cells > kMaxCells) return usage(format("more than {} cells", kMaxCells));
  }
  return cells;
}

}  // namespace

Result<GridAxis> parse_axis(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos || equals == 0) {
    return usage(format("{} is not NAME=VALUE,VALUE", base::quoted(text)),
                 "such as --vary batch=1,2,4 or --vary precision=f32,bf16");
  }
  GridAxis axis{.name = std::string(text.substr(0, equals)), .values = {}};
  while (axis.name.starts_with('-')) axis.name.erase(0, 1);
  for (const std::string_view value : parts_of(text.substr(equals + 1), ',')) {
    if (value.empty()) {
      return usage(format("{}: a value is empty", base::quoted(text)),
                   "Vary a switch of the engine as NAME=on,off.");
    }
    axis.values.emplace_back(value);
  }
  if (axis.name.empty() || axis.name == kShapeAxis) {
    return usage(format("{} does not say what to vary", base::quoted(text)));
  }
  if (axis.name == "shape") {
    return usage("shape: needs the name of an input",
                 "such as --vary shape:input=1x3x224x224,1x3x256x256");
  }
  return axis;
}

Result<std::vector<GridCell>> grid_cells(const ProcessRequest& base,
                                         std::span<const GridAxis> axes) {
  PLANEX_ASSIGN(const std::size_t count, check(axes));
  std::vector<ModelInput> inputs;
  if (std::ranges::find(axes, "batch", &GridAxis::name) != axes.end()) {
    PLANEX_ASSIGN(inputs, model_inputs(base.model));
  }
  std::vector<std::size_t> order(axes.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return rank_of(axes[i]); });

  std::vector<GridCell> cells;
  std::set<std::string> ids;
  for (std::size_t number = 0; number < count; ++number) {
    GridCell cell{.id = {}, .values = std::vector<std::string>(axes.size()), .request = base};
    std::size_t rest = number;
    for (std::size_t axis = axes.size(); axis-- > 0;) {
      const auto& values = axes[axis].values;
      cell.values[axis] = values[rest % values.size()];
      rest /= values.size();
    }
    for (const std::size_t axis : order) {
      PLANEX_TRY(apply(axes[axis], cell.values[axis], inputs, cell.request));
    }
    cell.id = folder_name(axes, cell.values);
    if (!ids.insert(cell.id).second) {
      cell.id = format("{}-{}", cell.id, number);
      ids.insert(cell.id);
    }
    cells.push_back(std::move(cell));
  }
  return cells;
}

}  // namespace planex::drive
