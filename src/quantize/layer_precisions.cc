#include "quantize/layer_precisions.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "onnx/node_names.h"

namespace planex::quantize {
namespace {

using base::format;
using onnx::DataType;
using onnx::Index;

struct TypeName {
  std::string_view name;
  DataType type = DataType::kUndefined;
};
constexpr std::array<TypeName, 5> kTypeNames = {{{"fp32", DataType::kFloat},
                                                 {"fp16", DataType::kFloat16},
                                                 {"bf16", DataType::kBfloat16},
                                                 {"int32", DataType::kInt32},
                                                 {"int8", DataType::kInt8}}};

Failure wrong_item(std::string_view item, std::string_view what) {
  return fail(ErrorCode::kUsage, format("{}: {}", base::quoted(item), what),
              "write NAME:TYPE, or 'NAME':TYPE if the name contains a colon, separated by commas; "
              "TYPE is fp32, fp16, bf16, int32 or int8");
}

Result<LayerPrecision> parse_item(std::string_view item) {
  std::string_view name, types;
  if (const std::size_t quote = item.find('\''); quote != std::string_view::npos) {
    const std::size_t end = item.find('\'', quote + 1);
    const bool is_closed = quote == 0 && end != std::string_view::npos;
    if (!is_closed || item.find('\'', end + 1) != std::string_view::npos) {
      return wrong_item(item, "a quoted name needs an opening and a closing quote");
    }
    name = item.substr(1, end - 1);
    types = item.substr(end + 1);
    if (!types.starts_with(':')) return wrong_item(item, "a colon is missing after the name");
    types.remove_prefix(1);
  } else {
    const std::size_t colon = item.rfind(':');
    if (colon == std::string_view::npos) return wrong_item(item, "it has no type");
    name = item.substr(0, colon);
    types = item.substr(colon + 1);
  }
  if (name.empty()) return wrong_item(item, "it has no name");
  if (std::ranges::count(name, '*') > 1)
    return wrong_item(item,
                      "a name can contain at most one "
                      "'*'");
  LayerPrecision precision{.pattern = std::string(name), .types = {}};
  while (true) {
    const bool is_last = !types.contains('+');
    const std::string_view word = base::take_part(types, '+');
    const auto found = std::ranges::find(kTypeNames, word, &TypeName::name);
    if (found == kTypeNames.end()) {
      return wrong_item(item, format("{} is not a type", base::quoted(word)));
    }
    precision.types.push_back(found->type);
    if (is_last) return precision;
  }
}

bool is_exact(const LayerPrecision& precision) { return !precision.pattern.contains('*'); }

bool fits_pattern(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  const std::string_view head = pattern.substr(0, star), tail = pattern.substr(star + 1);
  return name.size() >= head.size() + tail.size() && name.starts_with(head) && name.ends_with(tail);
}

// Operators that TensorRT turns into constant or shape layers.
bool is_beside_the_data(std::string_view op_type) {
  static constexpr std::array<std::string_view, 4> kBeside = {"Constant", "ConstantOfShape",
                                                              "Shape", "Size"};
  return std::ranges::find(kBeside, op_type) != kBeside.end();
}

// Finds the precision that applies to a node; remembers which ones applied to any node.
class Matcher {
 public:
  explicit Matcher(const std::vector<LayerPrecision>& all) : all_(all) {}

  const LayerPrecision* find(const onnx::Node& node) {
    if (node.name.empty()) return nullptr;
    const LayerPrecision* found = nullptr;
    for (const LayerPrecision& precision : all_) {
      if (is_exact(precision) && precision.pattern == node.name) {
        used_.insert(&precision);
        return &precision;
      }
      if (is_exact(precision) || is_beside_the_data(node.op_type) ||
          !fits_pattern(precision.pattern, node.name)) {
        continue;
      }
      used_.insert(&precision);
      if (found == nullptr) found = &precision;
    }
    return found;
  }

  void add_unmatched(std::vector<std::string>& patterns) const {
    for (const LayerPrecision& precision : all_) {
      if (!used_.contains(&precision)) patterns.push_back(precision.pattern);
    }
  }

 private:
  const std::vector<LayerPrecision>& all_;
  std::set<const LayerPrecision*> used_;
};

// From its comma on, or for its only comma, '*' replaces the part of the name that no pattern can
// express otherwise.
std::string pattern_of(std::string_view name) {
  const auto is_bad = [](char c) { return c == ',' || c == '\'' || c == '*'; };
  const auto first = std::ranges::find_if(name, is_bad);
  if (first == name.end()) return std::string(name);
  std::size_t end = name.size();
  while (!is_bad(name[end - 1])) --end;
  const auto start = static_cast<std::size_t>(first - name.begin());
  return format("{}*{}", name.substr(0, start), name.substr(end));
}

// Quoted for a shell.
std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlain = "_-./:=,+@%";
  const bool is_plain = std::ranges::all_of(text, [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kPlain.contains(c);
  });
  if (is_plain) return std::string(text);
  std::string word = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\' || c == '$' || c == '`') word += '\\';
    word += c;
  }
  return word + "\"";
}

const onnx::Node* find_node(const onnx::Model& model, const onnx::NodeNames& names,
                            std::string_view called) {
  const Index found = names.find(called);
  const Index count = model.graphs.front().nodes.count;
  if (found < count) return &model.nodes[found];
  Index number = 0;
  if (!called.starts_with('#')) return nullptr;
  const auto [end, error] =
      std::from_chars(called.data() + 1, called.data() + called.size(), number);
  if (error != std::errc() || end != called.data() + called.size() || number >= count)
    return nullptr;
  return &model.nodes[number];
}

}  // namespace

Result<std::vector<LayerPrecision>> parse_layer_precisions(std::string_view text) {
  std::vector<LayerPrecision> precisions;
  while (!text.empty()) {
    PLANEX_ASSIGN(LayerPrecision precision, parse_item(base::take_part(text, ',')));
    precisions.push_back(std::move(precision));
  }
  return precisions;
}

MatchedPrecisions match_layer_precisions(const onnx::Model& model,
                                         const std::vector<LayerPrecision>& precisions,
                                         const std::vector<LayerPrecision>& output_types) {
  MatchedPrecisions matched;
  Matcher of_layer(precisions), of_outputs(output_types);
  const onnx::Range nodes = model.graphs.front().nodes;
  for (Index i = 0; i < nodes.count; ++i) {
    const onnx::Node& node = model.nodes[nodes.first + i];
    const LayerPrecision* layer = of_layer.find(node);
    const LayerPrecision* outputs = of_outputs.find(node);
    const LayerPrecision* told = layer == nullptr ? outputs : layer;
    if (told == nullptr) continue;
    const DataType type = told->types.front();
    if (type == DataType::kFloat) matched.kept.push_back(format("#{}", i));
    if (type == DataType::kFloat16) matched.half.push_back(format("#{}", i));
    if (type == DataType::kBfloat16) matched.bfloat16.push_back(format("#{}", i));
    if (type == DataType::kInt8 || type == DataType::kInt32) {
      matched.ignored.emplace_back(node.name);
    }
  }
  of_layer.add_unmatched(matched.unmatched);
  of_outputs.add_unmatched(matched.unmatched);
  return matched;
}

WrittenPrecisions write_layer_precisions(const onnx::Model& model,
                                         const std::vector<std::string>& nodes, DataType type) {
  const auto type_name = std::ranges::find(kTypeNames, type, &TypeName::type)->name;
  const onnx::NodeNames names(model);
  WrittenPrecisions written;
  std::string layers, outputs;
  for (const std::string& called : nodes) {
    const onnx::Node* node = find_node(model, names, called);
    if (node == nullptr || node->name.empty()) {
      written.notes.push_back(
          format("trtexec can't address {}: it has no name, and TensorRT generates one", called));
      continue;
    }
    const std::string pattern = pattern_of(node->name);
    if (pattern != node->name) {
      std::size_t others = 0;
      for (const onnx::Node& other : model.nodes_of(model.graphs.front())) {
        if (&other != node && !is_beside_the_data(other.op_type) &&
            fits_pattern(pattern, other.name)) {
          ++others;
        }
      }
      written.notes.push_back(
          others == 0
              ? format("trtexec allows no comma, quote or star in a name: {} stands for {}",
                       pattern, called)
              : format("trtexec allows no comma, quote or star in a name: {} stands for {}, and "
                       "for {} more",
                       pattern, called, base::counted(others, "node")));
    }
    const std::string name = pattern.contains(':') ? format("'{}'", pattern) : pattern;
    const std::string_view comma = layers.empty() ? "" : ",";
    layers += format("{}{}:{}", comma, name, type_name);
    outputs += format("{}{}:{}", comma, name, type_name);
    for (std::size_t more = 1; more < model.outputs_of(*node).size(); ++more) {
      outputs += format("+{}", type_name);
    }
  }
  if (layers.empty()) return written;
  written.text =
      format("--precisionConstraints=obey {} {}", shell_word("--layerPrecisions=" + layers),
             shell_word("--layerOutputTypes=" + outputs));
  return written;
}

}  // namespace planex::quantize
