#include "ingest/openvino/exec_graph.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "base/utf8.h"
#include "ingest/openvino/numbers.h"

namespace planex::ingest::openvino {
namespace {

using base::format;
using model::Severity;

// Limit for keys below <rt_info>; real ones nest two levels deep. Everything else is looked up at
// its fixed place, and pugixml neither parses nor frees by recursion, so a deeply nested file does
// no harm.
constexpr std::size_t kMaxInfoDepth = 16;
constexpr std::size_t kLongestInfoKey = 256;

constexpr std::string_view kExecutionGraph = "an execution graph";
constexpr std::string_view kHint =
    "benchmark_app -m MODEL -pc -exec_graph_path exec_graph.xml writes an execution graph";

// The file's text, which pugixml parses in place: names and values are parts of it.
class ParsedText final : public base::Bytes {
 public:
  explicit ParsedText(std::string text) : text_(std::move(text)) {}
  std::string_view view() const override { return text_; }
  std::string& text() { return text_; }

 private:
  std::string text_;
};

class GraphParser {
 public:
  GraphParser(const Artefact& artefact, model::ModelBuilder& builder)
      : artefact_(artefact), builder_(builder) {}

  Result<ExecGraph> parse() {
    PLANEX_TRY(open());
    const pugi::xml_node root = document_.document_element();
    if (std::string_view(root.name()) != "net") {
      return fail(error(format("not {}: the root is <{}>, expected <net>", kExecutionGraph,
                               std::string_view(root.name()).substr(0, 40)),
                        root, kHint));
    }
    graph_.name = root.attribute("name").value();
    const pugi::xml_node layers = root.child("layers");
    if (!layers)
      return fail(error(format("not {}: it has no <layers>", kExecutionGraph), root, kHint));
    for (const pugi::xml_node layer : layers.children("layer")) PLANEX_TRY(read_layer(layer));
    if (!has_runtime_facts_ && !graph_.layers.empty()) {
      return fail(error(
          "a model (OpenVINO IR), not an execution graph: none of its layers has an execOrder",
          root, kHint));
    }
    read_edges(root.child("edges"));
    read_info(root.child("rt_info"));
    return std::move(graph_);
  }

 private:
  Result<void> open() {
    const std::string_view bytes = artefact_.bytes->view();
    if (bytes.size() > kMaxGraphBytes) {
      return fail({.code = ErrorCode::kUnsupported,
                   .message = format("has {} bytes; the limit for graphs is {} MiB", bytes.size(),
                                     kMaxGraphBytes >> 20),
                   .file = artefact_.path});
    }
    auto kept = std::make_shared<ParsedText>(base::valid_utf8(bytes));
    if (kept->view() != bytes) {
      report("not-utf8",
             "bytes that are not UTF-8 are shown as U+FFFD; names that have them may not match",
             {});
    }
    // Storing text in its element saves a node for each dimension.
    const unsigned options = pugi::parse_default | pugi::parse_embed_pcdata;
    std::string& text = kept->text();
    const pugi::xml_parse_result parsed =
        document_.load_buffer_inplace(text.data(), text.size(), options, pugi::encoding_utf8);
    builder_.keep(std::move(kept));
    if (parsed) return {};
    return fail(
        {.code = ErrorCode::kBadInput,
         .message = format("not {}: broken XML: {}", kExecutionGraph, parsed.description()),
         .file = artefact_.path,
         .byte_offset = static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(parsed.offset, 0)),
         .hint = "the file may be truncated; write it again"});
  }

  static std::uint64_t offset_of(const pugi::xml_node& node) {
    return static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0));
  }

  Error error(std::string message, const pugi::xml_node& node, std::string_view hint = {}) const {
    return {.code = ErrorCode::kBadInput,
            .message = std::move(message),
            .file = artefact_.path,
            .byte_offset = offset_of(node),
            .hint = std::string(hint)};
  }

  void report(std::string_view code, std::string message, const pugi::xml_node& node,
              Severity severity = Severity::kWarning) {
    builder_.add_diagnostic({.code = code,
                             .severity = severity,
                             .message = std::move(message),
                             .file = artefact_.path,
                             .byte_offset = node ? std::optional(offset_of(node)) : std::nullopt});
  }

  Result<void> read_layer(const pugi::xml_node& node) {
    ExecGraph::Layer layer{.name = node.attribute("name").value(),
                           .type = node.attribute("type").value(),
                           .first_attribute = graph_.attributes.size(),
                           .first_port = graph_.ports.size(),
                           .byte_offset = offset_of(node)};
    const std::string_view id_text = node.attribute("id").value();
    const auto id = parse_integer(id_text);
    if (!id) {
      return fail(
          error(format("not {}: the id of layer {} is {}, expected an integer", kExecutionGraph,
                       base::quoted(layer.name), base::quoted(id_text, 40)),
                node));
    }
    layer.id = *id;
    const auto index = static_cast<std::uint32_t>(graph_.layers.size());
    if (!index_of_id_.emplace(layer.id, index).second) {
      return fail(
          error(format("not {}: two layers have the id {}", kExecutionGraph, layer.id), node));
    }
    for (const pugi::xml_node data : node.children("data")) {
      for (const pugi::xml_attribute& attribute : data.attributes()) {
        graph_.attributes.push_back({attribute.name(), attribute.value()});
      }
    }
    layer.attribute_count = graph_.attributes.size() - layer.first_attribute;
    read_ports(node.child("input"));
    layer.input_count = graph_.ports.size() - layer.first_port;
    read_ports(node.child("output"));
    layer.output_count = graph_.ports.size() - layer.first_port - layer.input_count;
    graph_.layers.push_back(layer);
    has_runtime_facts_ = has_runtime_facts_ || !graph_.attribute(layer, "execOrder").empty() ||
                         !graph_.attribute(layer, "execTimeMcs").empty();
    return {};
  }

  void read_ports(const pugi::xml_node& side) {
    for (const pugi::xml_node node : side.children("port")) {
      ExecGraph::Port port{.precision = node.attribute("precision").value(),
                           .first_dim = graph_.dims.size()};
      const auto id = parse_integer(node.attribute("id").value());
      // No edge can name it.
      port.id = id.value_or(-1);
      if (!id) report("port-without-id", "the port has no number; no edge leads to it", node);
      for (const pugi::xml_node item : node.children("dim")) {
        const auto dim = parse_integer(item.child_value());
        if (!dim || *dim < -1) {
          report("unknown-dimension",
                 format("the dimension {} is not a size; the tensor's size is unknown",
                        base::quoted(item.child_value(), 40)),
                 item);
          port.has_dims = false;
          break;
        }
        graph_.dims.push_back(*dim);
      }
      port.dim_count = graph_.dims.size() - port.first_dim;
      if (port.dim_count >= model::IntList::kNullLength) port.has_dims = false;
      graph_.ports.push_back(port);
    }
  }

  // --- Edges ---

  // The layer's port with this number, or kNone. Numbers are mostly positions.
  std::uint32_t port_of(std::uint32_t layer_index, std::int64_t id) {
    const ExecGraph::Layer& layer = graph_.layers[layer_index];
    const auto count = static_cast<std::int64_t>(layer.input_count + layer.output_count);
    if (id >= 0 && id < count) {
      const std::size_t guess = layer.first_port + static_cast<std::size_t>(id);
      if (graph_.ports[guess].id == id) return static_cast<std::uint32_t>(guess);
    }
    if (!are_ports_indexed_) index_ports();
    const auto found = odd_ports_.find({layer_index, id});
    return found == odd_ports_.end() ? ExecGraph::kNone : found->second;
  }

  void index_ports() {
    for (std::uint32_t index = 0; index < graph_.layers.size(); ++index) {
      const ExecGraph::Layer& layer = graph_.layers[index];
      const std::size_t end = layer.first_port + layer.input_count + layer.output_count;
      for (std::size_t port = layer.first_port; port < end; ++port) {
        odd_ports_.emplace(std::pair(index, graph_.ports[port].id),
                           static_cast<std::uint32_t>(port));
      }
    }
    are_ports_indexed_ = true;
  }

  struct End {
    std::uint32_t layer = ExecGraph::kNone, port = ExecGraph::kNone;
  };
  End end_of(const pugi::xml_node& edge, const char* layer_key, const char* port_key) {
    const auto id = parse_integer(edge.attribute(layer_key).value());
    const auto port = parse_integer(edge.attribute(port_key).value());
    const auto found = id ? index_of_id_.find(*id) : index_of_id_.end();
    if (found == index_of_id_.end() || !port) return {};
    return {found->second, port_of(found->second, *port)};
  }

  bool is_input(const End& end) const {
    const ExecGraph::Layer& layer = graph_.layers[end.layer];
    return end.port - layer.first_port < layer.input_count;
  }

  void read_edges(const pugi::xml_node& edges) {
    for (const pugi::xml_node edge : edges.children("edge")) {
      const End from = end_of(edge, "from-layer", "from-port");
      const End to = end_of(edge, "to-layer", "to-port");
      if (from.port == ExecGraph::kNone || to.port == ExecGraph::kNone || is_input(from) ||
          !is_input(to)) {
        report("edge-without-end",
               format("the edge from {}:{} to {}:{} doesn't lead from an output to an input of the "
                      "graph; it was left out",
                      edge.attribute("from-layer").value(), edge.attribute("from-port").value(),
                      edge.attribute("to-layer").value(), edge.attribute("to-port").value()),
               edge);
        continue;
      }
      ExecGraph::Port& input = graph_.ports[to.port];
      if (input.source_port != ExecGraph::kNone) {
        report("second-edge", "a second edge leads to this input; it was left out", edge);
        continue;
      }
      input.source_port = from.port;
      input.source_layer = from.layer;
      ++graph_.ports[from.port].reader_count;
    }
  }

  // --- The whole graph ---

  // In document order, with a stack of parents instead of recursion.
  void read_info(const pugi::xml_node& root) {
    std::vector<std::string> keys;
    pugi::xml_node node = root.first_child();
    while (node && node != root) {
      const std::string key =
          keys.empty() ? std::string(node.name()) : format("{}.{}", keys.back(), node.name());
      for (const pugi::xml_attribute& attribute : node.attributes()) {
        const std::string_view name = attribute.name();
        if (key.size() + name.size() > kLongestInfoKey) break;
        graph_.info.emplace_back(name == "value" ? key : format("{}.{}", key, name),
                                 attribute.value());
      }
      if (node.first_child() && keys.size() + 1 < kMaxInfoDepth && key.size() < kLongestInfoKey) {
        keys.push_back(key);
        node = node.first_child();
        continue;
      }
      while (node != root && !node.next_sibling()) {
        node = node.parent();
        if (!keys.empty()) keys.pop_back();
      }
      if (node != root) node = node.next_sibling();
    }
  }

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  pugi::xml_document document_;
  ExecGraph graph_;
  bool has_runtime_facts_ = false;
  // Ordered: in a hostile file all ids could share one bucket of a hash table.
  std::map<std::int64_t, std::uint32_t> index_of_id_;
  // Made when a port's number is not its position.
  bool are_ports_indexed_ = false;
  std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> odd_ports_;
};

}  // namespace

std::string_view ExecGraph::attribute(const Layer& layer, std::string_view key) const {
  const auto own = std::span(attributes).subspan(layer.first_attribute, layer.attribute_count);
  const auto found = std::ranges::find(own, key, &Attribute::key);
  return found == own.end() ? std::string_view{} : found->value;
}

Result<ExecGraph> parse_exec_graph(const Artefact& artefact, model::ModelBuilder& builder) {
  return GraphParser(artefact, builder).parse();
}

}  // namespace planex::ingest::openvino
