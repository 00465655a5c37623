#include "ingest/onnxruntime/placement_log_reader.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"
#include "ingest/families.h"
#include "ingest/onnxruntime/placement_lines.h"

namespace planex::ingest::onnxruntime {
namespace {

using base::format;
using model::LayerId;
using model::Severity;

class PlacementReader {
 public:
  PlacementReader(const Artefact& artefact, model::ModelBuilder& builder)
      : artefact_(artefact),
        builder_(builder),
        text_(base::valid_utf8(artefact.bytes->view())),
        log_(read_placement_lines(text_)) {}

  Result<void> read() {
    const bool has_layers = builder_.model().layers.row_count() > 0;
    const bool says_something = !log_.sessions.empty() || !log_.fallbacks.empty() ||
                                !log_.copies.empty() || !log_.not_created.empty();
    if (!says_something && !has_layers) {
      return fail({.code = ErrorCode::kBadInput,
                   .message = "the log does not say which provider runs which node",
                   .file = artefact_.path,
                   .byte_offset = 0,
                   .hint = "set SessionOptions.log_severity_level = 0 so that ONNX Runtime lists "
                           "them"});
    }
    index_layers();
    choose_session();
    if (session_ != nullptr && !has_layers) add_layers();
    if (session_ != nullptr && has_layers) join();
    add_facts();
    report();
    if (!has_layers) set_engine();
    model::FilesTable& files = builder_.model().files;
    files.record_count.set(artefact_.file_row,
                           static_cast<std::int64_t>(session_ == nullptr ? log_.fallbacks.size()
                                                                         : session_->node_count()));
    files.joined_count.set(artefact_.file_row, joined_count_);
    return {};
  }

 private:
  void report(std::string_view code, std::string message, Severity severity = Severity::kWarning,
              std::optional<std::uint64_t> byte_offset = std::nullopt) {
    builder_.add_diagnostic({.code = code,
                             .severity = severity,
                             .message = std::move(message),
                             .file = artefact_.path,
                             .byte_offset = byte_offset});
  }

  void index_layers() {
    const model::PlanModel& model = builder_.model();
    for (std::size_t row = model.layers.row_count(); row-- > 0;) {
      layers_[model.text(model.layers.name[row])].push_back(row);
    }
  }

  std::size_t known_nodes(const PlacedSession& session) const {
    std::size_t count = 0;
    for (const PlacedProvider& provider : session.providers) {
      for (const PlacedNode& node : provider.nodes) count += layers_.contains(node.name) ? 1U : 0U;
    }
    return count;
  }

  void choose_session() {
    std::size_t best = 0;
    for (const PlacedSession& session : log_.sessions) {
      const std::size_t count = layers_.empty() ? session.node_count() : known_nodes(session);
      if (session_ == nullptr || count >= best) {
        session_ = &session;
        best = count;
      }
    }
    if (log_.sessions.size() < 2) return;
    report("several-sessions",
           format("the log contains {} sessions; the one {} is shown", log_.sessions.size(),
                  layers_.empty() ? "with most nodes" : "whose nodes the layers are"));
  }

  void add_layers() {
    model::LayersTable& layers = builder_.model().layers;
    for (const PlacedProvider& provider : session_->providers) {
      const base::StringId on = builder_.strings().intern(provider.name);
      for (const PlacedNode& node : provider.nodes) {
        if (builder_.has_exceeded_limit()) return;
        const base::StringId type = builder_.strings().intern(node.type);
        // A fused node has only a name, a node without a name only a type.
        const LayerId layer = builder_.add_layer(
            builder_.strings().intern(node.name.empty() ? node.type : node.name));
        const std::size_t row = layer.index();
        if (!node.type.empty()) {
          layers.type.set(row, type);
          layers.raw_type.set(row, type);
        }
        layers.role.set(row, role_of(node.type));
        layers.family.set(row, is_fused(node) ? model::Family::kOpaque : family_of(node.type));
        layers.provider.set(row, on);
        if (!node.name.empty()) {
          builder_.add_source(layer, node.name, node.type, model::Evidence::kName);
        }
      }
    }
    joined_count_ = static_cast<std::int64_t>(layers.row_count());
  }

  // A part of the graph that a provider compiled as one: "TRTKernel_graph_main_4711_0".
  static bool is_fused(const PlacedNode& node) {
    return node.type.empty() || node.name.find("ExecutionProvider_") != std::string_view::npos;
  }

  void join() {
    model::LayersTable& layers = builder_.model().layers;
    std::size_t missing = 0, differing = 0;
    std::string_view example;
    for (const PlacedProvider& provider : session_->providers) {
      const base::StringId on = builder_.strings().intern(provider.name);
      for (const PlacedNode& node : provider.nodes) {
        const auto found = layers_.find(node.name);
        // A name that several nodes have identifies none of them.
        if (found == layers_.end() || found->second.size() != 1) {
          if (missing++ == 0) example = node.name.empty() ? node.type : node.name;
          continue;
        }
        ++joined_count_;
        const std::size_t row = found->second.front();
        if (layers.provider.is_null(row)) layers.provider.set(row, on);
        differing += layers.provider[row] != on ? 1U : 0U;
      }
    }
    if (joined_count_ == 0 && session_->node_count() > 0) {
      report("placement-of-another-model",
             format("none of the {} in the log is a layer, for instance {}: the log may belong to "
                    "another model",
                    base::counted(session_->node_count(), "node"), base::quoted(example)));
    } else if (missing > 0) {
      report("placed-node-not-a-layer",
             format("{} of the log, for instance {}, {} found by name among the layers",
                    base::counted(missing, "node"), base::quoted(example),
                    missing == 1 ? "was not" : "were not"),
             Severity::kInfo);
    }
    if (differing > 0) {
      report(
          "placement-differs",
          format("{} on another provider than the log says: it may belong to another session",
                 differing == 1 ? std::string("1 layer ran") : format("{} layers ran", differing)));
    }
  }

  void add_facts() {
    const auto add = [&](std::string_view section, std::string_view key, std::string_view value) {
      builder_.add_metadata(section, key, value, artefact_.path);
    };
    if (session_ != nullptr) {
      for (const PlacedProvider& provider : session_->providers) {
        const auto count =
            provider.stated_count.value_or(static_cast<std::int64_t>(provider.nodes.size()));
        const bool is_known = provider.stated_count || !provider.nodes.empty();
        add("placement", provider.name, is_known ? format("{}", count) : std::string("all"));
      }
    }
    for (const PlacementLog::Copies& copies : log_.copies) {
      add("placement_copies", copies.graph, format("{}", copies.count));
    }
    // In the log's own notation: "Conv (conv_1)".
    for (const Fallback& fallback : log_.fallbacks) {
      add("placement_fallback", format("{} ({})", fallback.type, fallback.node), fallback.reason);
    }
    for (const PlacementLog::Message& message : log_.partitions) {
      add("placement_share", "provider", message.text.substr(0, kMaxMessage));
    }
  }

  void report() {
    for (const PlacementLog::Message& message : log_.not_created) {
      report("provider-not-created",
             format("ONNX Runtime could not load a provider, so its nodes run elsewhere: {}",
                    base::quoted(message.text, kMaxMessage)),
             Severity::kWarning, message.byte_offset);
    }
    if (session_ == nullptr) return;
    for (const PlacedProvider& provider : session_->providers) {
      const auto listed = static_cast<std::int64_t>(provider.nodes.size());
      if (listed == 0 || !provider.stated_count || *provider.stated_count == listed) continue;
      report("placement-incomplete",
             format("the log names {} of the {} nodes on {}", listed, *provider.stated_count,
                    provider.name),
             Severity::kWarning, provider.byte_offset);
    }
  }

  void set_engine() {
    model::EngineTable& engine = builder_.model().engine;
    engine.producer.set(0, builder_.strings().intern("onnxruntime"));
    const bool has_layers = builder_.model().layers.row_count() > 0;
    engine.detail.set(0, builder_.strings().intern(has_layers ? "names-only" : "no-layers"));
  }

  static constexpr std::size_t kMaxMessage = 300;

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  std::string text_;
  PlacementLog log_;
  const PlacedSession* session_ = nullptr;
  std::unordered_map<std::string_view, std::vector<std::size_t>> layers_;  // by name
  std::int64_t joined_count_ = 0;
};

}  // namespace

Confidence sniff_placement_log(std::string_view head) {
  // JSON that quotes such a line is not a log.
  const std::string_view begin = base::trimmed(head).substr(0, 2);
  if (begin.starts_with('{') || begin == "[{" || begin == "[\n" || begin.starts_with('<')) {
    return Confidence::kNo;
  }
  std::size_t prefixed = 0;
  for (std::size_t at = 0; at < head.size();) {
    const std::size_t end = std::min(head.find('\n', at), head.size());
    const std::string_view line = head.substr(at, end - at);
    at = end + 1;
    // Its TensorRT provider passes on TensorRT's own messages: "… log] [… ERROR] 1: …".
    prefixed += has_runtime_prefix(line) && line.find(" log] [") == line.npos ? 1U : 0U;
    const bool lists = line.find("placed on [") != line.npos ||
                       (line.find("Provider: [") != line.npos && line.find("]: [") != line.npos);
    if (lists && line.find("ExecutionProvider]") != line.npos) return Confidence::kSure;
    if (line.find("kernel not found in registries for Op type: ") != line.npos ||
        line.find("Force fallback to CPU execution for node: ") != line.npos ||
        line.find(" Memcpy nodes are added to the graph ") != line.npos) {
      return Confidence::kSure;
    }
  }
  return prefixed > 0 ? Confidence::kMaybe : Confidence::kNo;
}

Result<void> read_placement_log(const Artefact& artefact, model::ModelBuilder& builder) {
  return PlacementReader(artefact, builder).read();
}

}  // namespace planex::ingest::onnxruntime
