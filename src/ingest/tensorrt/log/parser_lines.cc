#include "ingest/tensorrt/log/parser_lines.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/text.h"
#include "ingest/tensorrt/format.h"
#include "ingest/tensorrt/log/log_message.h"

namespace planex::ingest::tensorrt {
namespace {

using base::format;
using base::Lifetime;
using model::Direction;
using model::Severity;

constexpr std::string_view kNode = "Parsing node: ";
constexpr std::string_view kInputs = " inputs: ";
constexpr std::string_view kOutputs = " outputs: ";
constexpr std::string_view kInitializer = "Importing initializer: ";
constexpr std::string_view kKernel = "Using kernel: ";
constexpr std::string_view kOptimizer = "graph optimizer";
// Limit for subgraphs within subgraphs; beyond it, the outermost are forgotten.
constexpr std::size_t kDeepestSubgraph = 64;
constexpr std::size_t kLongestPath = 1024;
// Limit for optimizer steps and nodes of attention patterns that are kept per engine.
constexpr std::size_t kMaxSteps = 10'000;

// Operations that contain subgraphs.
bool has_subgraph(std::string_view type) {
  constexpr std::array<std::string_view, 4> kTypes = {"If", "Loop", "Scan", "SequenceMap"};
  return std::ranges::find(kTypes, type) != kTypes.end();
}

// The numbers of "(3, 3)" after `key` in the parameters of a convolution.
std::optional<std::vector<std::int64_t>> numbers_after(std::string_view text,
                                                       std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == text.npos) return std::nullopt;
  text.remove_prefix(at + key.size());
  const bool list = text.starts_with('(');
  if (list) text.remove_prefix(1);
  std::vector<std::int64_t> values;
  for (;;) {
    std::int64_t value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    if (parsed.ec != std::errc()) return std::nullopt;
    values.push_back(value);
    text.remove_prefix(static_cast<std::size_t>(parsed.ptr - text.data()));
    if (!list || text.starts_with(')')) return values;
    if (!text.starts_with(", ")) return std::nullopt;
    text.remove_prefix(2);
  }
}

std::string json_list(const std::vector<std::int64_t>& values) {
  return format("[{}]", fmt::join(values, ","));
}

// TensorRT's parameters under ONNX's names. TensorRT computes a convolution with one spatial
// dimension as one with two; `spatial_rank` truncates its lists (0: unknown).
std::string parameters_json(std::string_view text, std::size_t spatial_rank) {
  std::string json;
  const auto add = [&](std::string_view key, const std::string& value) {
    json += format("{}\"{}\":{}", json.empty() ? "{" : ",", key, value);
  };
  const auto cut = [&](std::vector<std::int64_t> values) {
    if (spatial_rank > 0 && values.size() > spatial_rank) values.resize(spatial_rank);
    return values;
  };
  if (const auto kernel = numbers_after(text, "kernel: "))
    add("kernel_shape", json_list(cut(*kernel)));
  if (const auto strides = numbers_after(text, "strides: "))
    add("strides", json_list(cut(*strides)));
  auto before = numbers_after(text, "prepadding: ");
  const auto after = numbers_after(text, "postpadding: ");
  if (before && after && before->size() == after->size()) {
    auto pads = cut(*before);
    const auto ends = cut(*after);
    pads.insert(pads.end(), ends.begin(), ends.end());
    add("pads", json_list(pads));
  }
  if (const auto dilations = numbers_after(text, "dilations: ")) {
    add("dilations", json_list(cut(*dilations)));
  }
  if (const auto groups = numbers_after(text, "nbGroups: ")) {
    add("group", format("{}", groups->front()));
  }
  if (const auto outputs = numbers_after(text, "numOutputs: ")) {
    add("num_outputs", format("{}", outputs->front()));
  }
  return json.empty() ? json : json + "}";
}

struct NodePort {
  std::string_view tensor;
  std::vector<std::int64_t> dims;
  bool dims_known = false;
  std::string_view type;
  std::size_t size = 0;  // of its text
};

// "[x -> (1, 3, 64, 64)[FLOAT]]" at the start of the text; nothing if it is something else.
std::optional<NodePort> read_port(std::string_view text) {
  constexpr std::string_view kLeftOut = "[optional input, not set]";
  NodePort port;
  if (text.starts_with(kLeftOut)) {
    port.size = kLeftOut.size();
    return port;
  }
  constexpr std::string_view kPortArrow = " -> (";
  const std::size_t arrow = text.find(kPortArrow);
  if (!text.starts_with('[') || arrow == text.npos) return std::nullopt;
  port.tensor = text.substr(1, arrow - 1);
  const std::size_t dims_first = arrow + kPortArrow.size();
  const std::size_t dims_end = text.find(")[", dims_first);
  const std::size_t end = dims_end == text.npos ? text.npos : text.find("]]", dims_end);
  if (end == text.npos) return std::nullopt;
  port.type = text.substr(dims_end + 2, end - dims_end - 2);
  port.size = end + 2;
  std::string_view dims = text.substr(dims_first, dims_end - dims_first);
  port.dims_known = true;
  while (!dims.empty()) {
    std::int64_t value = 0;
    const auto parsed = std::from_chars(dims.data(), dims.data() + dims.size(), value);
    if (parsed.ec != std::errc()) {
      port.dims_known = false;
      break;
    }
    port.dims.push_back(std::max<std::int64_t>(value, -1));
    dims.remove_prefix(static_cast<std::size_t>(parsed.ptr - dims.data()));
    if (dims.starts_with(", ")) dims.remove_prefix(2);
  }
  port.dims_known = port.dims_known && port.dims.size() < model::IntList::kNullLength;
  return port;
}

// Spatial dimensions of a convolution: those of its first input without batch and channels.
std::size_t spatial_rank_of(std::string_view inputs) {
  const auto port = read_port(inputs);
  return port && port->dims_known && port->dims.size() > 2 ? port->dims.size() - 2 : 0;
}

}  // namespace

void ParserLines::start_model() {
  nodes_.clear();
  open_.clear();
  initializers_.clear();
}

std::string_view ParserLines::take_message(const LogLine& line) {
  const std::size_t end = end_of_message(log_, line);
  taken_until_ = end;
  return message_text(log_, line, end);
}

base::StringId ParserLines::innermost_path() const {
  return open_.empty() ? base::StringId() : open_.back().path;
}

bool ParserLines::take_node(const LogLine& line) {
  // "name [Op]": the name can contain brackets, the type can't.
  const std::string_view text = base::trimmed(take_message(line).substr(kNode.size()));
  const std::size_t open = text.rfind(" [");
  if (open == text.npos || !text.ends_with(']')) {
    report_broken(text);
    return true;
  }
  // A node without a subgraph that has listed no outputs won't list any later.
  while (!open_.empty() && open_.back().path.is_null()) open_.pop_back();
  if (open_.size() >= kDeepestSubgraph) open_.erase(open_.begin());
  const base::StringId around = innermost_path();
  nodes_.push_back({.name = text.substr(0, open),
                    .type = text.substr(open + 2, text.size() - open - 3),
                    .subgraph = around});
  const Node& node = nodes_.back();
  OpenNode opened{.index = nodes_.size() - 1};
  if (has_subgraph(node.type)) {
    base::StringPool& strings = builder_.strings();
    const std::string_view outer = strings.view(around);
    std::string path = outer.empty() ? std::string(node.name) : format("{}/{}", outer, node.name);
    // The end of a path that is too long is more informative.
    if (path.size() > kLongestPath) path.erase(0, path.size() - kLongestPath);
    opened.path = strings.intern(path);
  }
  open_.push_back(opened);
  return true;
}

// "name [Op] inputs: [x -> (1, 3)[FLOAT]], " and the same with outputs, of an open node.
bool ParserLines::take_ports(const LogLine& line) {
  for (std::size_t depth = open_.size(); depth-- > 0;) {
    Node& node = nodes_[open_[depth].index];
    // A name with a line break that starts on this line and ends on another.
    const std::string_view name_start = node.name.substr(0, node.name.find('\n'));
    if (!line.text.starts_with(name_start)) continue;
    const std::size_t end = end_of_message(log_, line);
    std::string_view rest = message_text(log_, line, end);
    if (!rest.starts_with(node.name)) continue;
    rest.remove_prefix(node.name.size());
    if (!rest.starts_with(" [") || !rest.substr(2).starts_with(node.type)) continue;
    rest.remove_prefix(2 + node.type.size());
    if (!rest.starts_with(']')) continue;
    rest.remove_prefix(1);
    // A trailing blank may have been removed from the line.
    const auto after = [&](std::string_view word) -> std::optional<std::string_view> {
      if (rest.starts_with(word)) return rest.substr(word.size());
      if (rest == base::trimmed(word) || rest == word.substr(0, word.size() - 1)) {
        return std::string_view{};
      }
      return std::nullopt;
    };
    if (const auto inputs = after(kInputs)) {
      node.inputs = *inputs;
    } else if (const auto outputs = after(kOutputs)) {
      node.outputs = *outputs;
      open_.resize(depth);
    } else {
      continue;
    }
    taken_until_ = end;
    return true;
  }
  return false;
}

void ParserLines::add_step(std::string_view key, std::string_view value) {
  if (steps_.size() < kMaxSteps) steps_.push_back({key, value});
}

// "Original: 13 layers", "After vertical fusions: 1 layers".
bool ParserLines::take_step(const LogLine& line) {
  const std::string_view text = base::trimmed(line.text);
  const std::size_t colon = text.rfind(": ");
  if (colon == text.npos || !text.ends_with(" layers")) return false;
  const std::string_view key = text.substr(0, colon);
  if (key == "Original") steps_.clear();
  add_step(key, text.substr(colon + 2));
  return true;
}

// "Found enc.0/attn/QK to be part of self-attention pattern."
bool ParserLines::take_attention(const LogLine& line) {
  constexpr std::string_view kFound = "Found ";
  constexpr std::string_view kPart = " to be part of ";
  if (!line.text.starts_with(kFound)) return false;
  const std::size_t end = end_of_message(log_, line);
  std::string_view text = base::trimmed(message_text(log_, line, end));
  const std::size_t part = text.rfind(kPart);
  if (part == text.npos || part < kFound.size()) return false;
  taken_until_ = end;
  const std::string_view name = text.substr(kFound.size(), part - kFound.size());
  std::string_view pattern = text.substr(part + kPart.size());
  if (pattern.ends_with('.')) pattern.remove_suffix(1);
  add_step(pattern, name);
  return true;
}

bool ParserLines::wants(std::string_view text) {
  if (text.empty()) return false;
  switch (text.front()) {
    case 'P':
      return text.starts_with(kNode);
    case 'I':
      return text.starts_with(kInitializer);
    case 'S':
      return text.starts_with("Searching for input: ") ||
             text.starts_with("Static check for parsing node: ");
    case 'U':
      return text.starts_with(kKernel);
    case 'O':
      return text.starts_with("Original: ");
    case 'A':
      return text.starts_with("After ");
    case 'F':
      return text.starts_with("Found ");
    default:
      return false;
  }
}

bool ParserLines::take(const LogLine& line) {
  if (line.byte_offset < taken_until_) return true;
  const std::string_view text = line.text;
  // Lines that start a model have a lower verbosity and are not consumed: other readers need them
  // too.
  if (text.starts_with("ONNX IR version:")) {
    if (!nodes_.empty()) ++model_count_;
    start_model();
    return false;
  }
  if (line.severity != LogSeverity::kVerbose || text.empty()) return false;
  if (!open_.empty() && take_ports(line)) return true;
  if (!wants(text)) return false;
  switch (text.front()) {
    case 'P':
      return take_node(line);
    case 'I':
      initializers_.insert(base::trimmed(take_message(line).substr(kInitializer.size())));
      return true;
    case 'S':
      // Repeated, with shapes, where the node's inputs are listed.
      take_message(line);
      return true;
    case 'U':
      if (open_.empty()) return false;
      nodes_[open_.back().index].parameters =
          text.substr(kKernel.size() - std::string_view("kernel: ").size());
      return true;
    case 'O':
      open_.clear();  // the model is parsed
      return take_step(line);
    case 'A':
      return take_step(line);
    default:
      return take_attention(line);
  }
}

void ParserLines::report_broken(std::string_view at) {
  builder_.add_diagnostic(
      {.code = "log-line-broken",
       .message = "a line of the ONNX parser breaks off or is not understood; its information "
                  "about a node of the source model is missing",
       .file = artefact_.path,
       .byte_offset = static_cast<std::uint64_t>(at.data() - log_.data())});
}

void ParserLines::add_ports(model::OperationId operation, Direction direction,
                            std::string_view text) {
  std::string_view rest = base::trimmed(text);
  while (!rest.empty()) {
    const auto port = read_port(rest);
    if (!port) {
      report_broken(rest);
      return;
    }
    model::ModelBuilder::OperationPortFacts facts{.tensor = port->tensor,
                                                  .dims = port->dims,
                                                  .dims_known = port->dims_known,
                                                  .dtype = parse_type(port->type)};
    if (direction == Direction::kInput && port->dims_known &&
        initializers_.contains(port->tensor)) {
      facts.stored_bytes = model::data_bytes(port->dims, facts.dtype);
    }
    builder_.add_operation_port(operation, direction, facts, Lifetime::kBorrow);
    rest.remove_prefix(port->size);
    if (rest.starts_with(',')) rest.remove_prefix(1);
    if (rest.starts_with(' ')) rest.remove_prefix(1);
  }
}

void ParserLines::add_node(const Node& node) {
  const std::string parameters = parameters_json(node.parameters, spatial_rank_of(node.inputs));
  const model::OperationId operation =
      builder_.add_operation({.name = node.name,
                              .type = node.type,
                              .subgraph = builder_.strings().view(node.subgraph),
                              .parameters = parameters},
                             Lifetime::kBorrow);
  add_ports(operation, Direction::kInput, node.inputs);
  add_ports(operation, Direction::kOutput, node.outputs);
}

Result<void> ParserLines::finish() {
  for (const Step& step : steps_) {
    builder_.add_metadata(kOptimizer, step.key, step.value, artefact_.path);
  }
  // Another log, or the model itself, has already provided everything.
  if (builder_.model().operations.row_count() > 0) return {};
  for (const Node& node : nodes_) add_node(node);
  if (model_count_ > 0) {
    builder_.add_diagnostic({.code = "several-models",
                             .severity = Severity::kInfo,
                             .message = "the log parses more than one source model; the operations "
                                        "of the last are shown",
                             .file = artefact_.path});
  }
  return {};
}

}  // namespace planex::ingest::tensorrt
