#include "ingest/olive/footprint_reader.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "ingest/json_record.h"

namespace planex::ingest::olive {
namespace {

namespace ondemand = simdjson::ondemand;
using base::format;

constexpr std::string_view kHint =
    "planex reads footprints of Olive 0.3 to 0.13: footprint.json in the output folder of `olive "
    "run`";
constexpr Schema kFootprint = {.what = "a footprint of Olive", .hint = kHint};

// Each model becomes some twenty rows of metadata.
constexpr std::size_t kMaxModels = 20'000;

constexpr std::string_view kOldConfig = "model_config", kNewConfig = "model_config_data";

struct MetricFacts {
  std::optional<double> priority;
  std::optional<bool> is_higher_better;
};

struct Node {
  std::string id, parent, pass, file, onnx_file;
  std::map<std::string, std::string> settings, metrics;
  std::optional<double> start, end;
  std::optional<bool> are_goals_met;
  bool is_on_front = false, has_failed = false;
};

class FootprintReader {
 public:
  FootprintReader(const Artefact& artefact, model::ModelBuilder& builder)
      : artefact_(artefact), builder_(builder), json_(artefact, kFootprint) {}

  Result<void> run() {
    if (const auto other = file_read_before()) {
      builder_.add_diagnostic(
          {.code = "olive-footprint-left-out",
           .severity = model::Severity::kInfo,
           .message = format("the file was left out: one footprint is read, {}; name this one to "
                             "see it",
                             *other),
           .file = artefact_.path});
      return {};
    }
    PLANEX_TRY(
        json_.read_root([this](std::string_view key, ondemand::value& value,
                               const JsonPlace& place) { return read_node(key, value, place); }));
    json_.input().report_not_a_number(builder_);
    json_.input().report_trailing(builder_);
    if (nodes_.empty()) return fail(refused(ErrorCode::kBadInput, "it lists no models", ""));
    add_rows();
    return {};
  }

 private:
  // Olive writes the front of a search beside it, and a file for each accelerator.
  std::optional<std::string> file_read_before() const {
    const model::MetadataTable& metadata = builder_.model().metadata;
    for (std::size_t row = 0; row < metadata.row_count(); ++row) {
      if (builder_.strings().view(metadata.section[row]) != "olive") continue;
      return std::string(base::file_name_of(builder_.strings().view(metadata.file[row])));
    }
    return std::nullopt;
  }

  Error refused(ErrorCode code, std::string_view why, std::string pointer) const {
    return {.code = code,
            .message = format("not {} that planex reads: {}", kFootprint.what, why),
            .file = artefact_.path,
            .json_pointer = std::move(pointer),
            .hint = std::string(kHint)};
  }

  Result<void> read_node(std::string_view key, ondemand::value& value, const JsonPlace& place) {
    if (nodes_.size() >= kMaxModels) {
      return fail(model::too_many("models of a search", kMaxModels, artefact_.path));
    }
    Node node;
    bool has_config = false, has_parent = false, has_start = false;
    PLANEX_TRY(json_.each_field(
        value, place, "an object for each model",
        [&](std::string_view field, ondemand::value& item, const JsonPlace& at) -> Result<void> {
          has_parent = has_parent || field == "parent_model_id";
          has_start = has_start || field == "start_time";
          if (field == kOldConfig || field == kNewConfig) {
            has_config = true;
            config_key_ = field == kNewConfig ? kNewConfig : kOldConfig;
            return read_config(item, at, node);
          }
          return read_field(field, item, at, node);
        }));
    if (!has_parent || !has_start || !has_config) {
      const std::string_view missing = !has_parent  ? "parent_model_id"
                                       : !has_start ? "start_time"
                                                    : kNewConfig;
      return fail(refused(ErrorCode::kUnsupported,
                          format("a model has no {}, which Olive 0.3 to 0.13 write", missing),
                          place.pointer()));
    }
    if (node.id.empty()) node.id = key;
    nodes_.push_back(std::move(node));
    return {};
  }

  Result<void> read_field(std::string_view key, ondemand::value& value, const JsonPlace& at,
                          Node& node) {
    if (JsonRecords::is_null(value)) return {};
    if (key == "model_id") return set_text(value, at, node.id);
    if (key == "parent_model_id") return set_text(value, at, node.parent);
    if (key == "from_pass") return set_text(value, at, node.pass);
    if (key == "pass_run_config") return read_settings(value, at, node);
    if (key == "metrics") return read_metrics(value, at, node);
    if (key == "is_pareto_frontier") return set_flag(value, at, node.is_on_front);
    if (key == "start_time") return set_number(value, at, node.start);
    if (key == "end_time") return set_number(value, at, node.end);
    return skip(value, at);
  }

  Result<void> read_config(ondemand::value& value, const JsonPlace& place, Node& node) {
    if (JsonRecords::is_null(value)) return {};
    return json_.each_field(
        value, place, "the configuration of a model",
        [&](std::string_view key, ondemand::value& item, const JsonPlace& at) -> Result<void> {
          if (key == "is_pruned") return set_flag(item, at, node.has_failed);
          if (key != "config" || JsonRecords::is_null(item)) return skip(item, at);
          return json_.each_field(
              item, at, "an object",
              [&](std::string_view name, ondemand::value& one, const JsonPlace& below) {
                if (name == "model_path") return set_path(one, below, node.file);
                if (name == "onnx_file_name") return set_path(one, below, node.onnx_file);
                return skip(one, below);
              });
        });
  }

  // Settings that are not set say nothing.
  Result<void> read_settings(ondemand::value& value, const JsonPlace& place, Node& node) {
    return json_.each_field(
        value, place, "the settings of a pass",
        [&](std::string_view key, ondemand::value& item, const JsonPlace& at) -> Result<void> {
          if (JsonRecords::is_null(item)) return {};
          const bool is_text = JsonRecords::is_text(item);
          PLANEX_ASSIGN(const JsonText text, json_.written(item, at));
          // A list as any other spelling of it.
          node.settings.insert_or_assign(
              std::string(key), is_text ? std::string(text.view) : compact_json(text.view));
          return {};
        });
  }

  Result<void> read_metrics(ondemand::value& value, const JsonPlace& place, Node& node) {
    return json_.each_field(
        value, place, "the metrics of a model",
        [&](std::string_view key, ondemand::value& item, const JsonPlace& at) -> Result<void> {
          if (JsonRecords::is_null(item)) return {};
          if (key == "if_goals_met") {
            bool are_met = false;
            PLANEX_TRY(set_flag(item, at, are_met));
            node.are_goals_met = are_met;
            return {};
          }
          if (key != "value") return skip(item, at);
          return json_.each_field(
              item, at, "metrics by name",
              [&](std::string_view name, ondemand::value& metric, const JsonPlace& below) {
                return read_metric(name, metric, below, node);
              });
        });
  }

  Result<void> read_metric(std::string_view name, ondemand::value& value, const JsonPlace& place,
                           Node& node) {
    ondemand::json_type type{};
    if (value.type().get(type) == simdjson::SUCCESS && type == ondemand::json_type::number) {
      return fail(refused(ErrorCode::kUnsupported,
                          "a metric is a number, and Olive 0.3 to 0.13 write an object",
                          place.pointer()));
    }
    MetricFacts& facts = metrics_[std::string(name)];
    return json_.each_field(
        value, place, "a metric with its value",
        [&](std::string_view key, ondemand::value& item, const JsonPlace& at) -> Result<void> {
          if (JsonRecords::is_null(item)) return {};
          if (key == "value") {
            std::optional<double> number;
            PLANEX_TRY(set_number(item, at, number));
            if (number) node.metrics.insert_or_assign(std::string(name), format("{}", *number));
            return {};
          }
          if (key == "priority") return set_number(item, at, facts.priority);
          if (key == "higher_is_better") {
            bool is_better = false;
            PLANEX_TRY(set_flag(item, at, is_better));
            facts.is_higher_better = is_better;
            return {};
          }
          return skip(item, at);
        });
  }

  Result<void> set_text(ondemand::value& value, const JsonPlace& at, std::string& target) {
    PLANEX_ASSIGN(const JsonText text, json_.text(value, at));
    target = text.view;
    return {};
  }
  // Older files can have an object in the place of a path.
  Result<void> set_path(ondemand::value& value, const JsonPlace& at, std::string& target) {
    return JsonRecords::is_text(value) ? set_text(value, at, target) : skip(value, at);
  }
  Result<void> set_flag(ondemand::value& value, const JsonPlace& at, bool& target) {
    PLANEX_ASSIGN(target, json_.boolean(value, at));
    return {};
  }
  Result<void> set_number(ondemand::value& value, const JsonPlace& at,
                          std::optional<double>& target) {
    // Python writes NaN and Infinity, too: such figures are not known.
    if (const auto code = json_.input().number_of(value, target)) {
      return fail(json_.error_at(value, at, code, "a number"));
    }
    return {};
  }
  Result<void> skip(ondemand::value& value, const JsonPlace& at) {
    PLANEX_TRY(json_.raw(value, at));
    return {};
  }

  void add(std::string_view section, std::string_view key, std::string_view value) {
    if (!value.empty()) builder_.add_metadata(section, key, value, artefact_.path);
  }

  void add_rows() {
    // In the order in which they were made, whatever that of the keys is.
    std::ranges::stable_sort(nodes_, {}, [](const Node& node) {
      return std::tuple(!node.parent.empty(), node.start.value_or(0), std::string_view(node.id));
    });
    add("olive", "models", format("{}", nodes_.size()));
    for (const auto& [name, facts] : metrics_) {
      const std::string section = format("olive metric {}", name);
      if (facts.priority) add(section, "priority", format("{}", *facts.priority));
      if (facts.is_higher_better) {
        add(section, "better", *facts.is_higher_better ? "higher" : "lower");
      }
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      add_node(format("olive candidate {}", i), nodes_[i]);
    }
    model::PlanModel& model = builder_.model();
    model.files.record_count.set(artefact_.file_row, static_cast<std::int64_t>(nodes_.size()));
    model::EngineTable& engine = model.engine;
    if (!engine.producer.is_null(0)) return;
    engine.producer.set(0, builder_.strings().intern("olive"));
    const bool is_new = config_key_ == kNewConfig;
    engine.producer_version.set(0, builder_.strings().intern(is_new ? "0.12+" : "before 0.12"));
    engine.version_evidence.set(0, builder_.strings().intern(format(
                                       "the configuration of a model is called {}", config_key_)));
  }

  void add_node(const std::string& section, const Node& node) {
    add(section, "model", node.id);
    add(section, "parent", node.parent);
    add(section, "pass", node.pass);
    const bool is_folder = !node.onnx_file.empty() && !node.file.ends_with(".onnx");
    add(section, "file", is_folder ? format("{}/{}", node.file, node.onnx_file) : node.file);
    if (node.has_failed) add(section, "failed", "yes");
    if (node.is_on_front) add(section, "front", "yes");
    if (node.are_goals_met) add(section, "goals met", *node.are_goals_met ? "yes" : "no");
    // The input model is not made, and has zeros here.
    if (node.start && node.end && *node.start > 0 && *node.end >= *node.start) {
      add(section, "seconds", format("{:.3f}", *node.end - *node.start));
    }
    for (const auto& [name, value] : node.metrics) add(section, format("metric {}", name), value);
    for (const auto& [name, value] : node.settings) add(section, format("set {}", name), value);
  }

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  JsonRecords json_;
  std::vector<Node> nodes_;
  std::map<std::string, MetricFacts> metrics_;
  std::string_view config_key_;
};

}  // namespace

Confidence sniff_footprint(std::string_view head) {
  if (!base::trimmed(head).starts_with('{')) return Confidence::kNo;
  for (const std::string_view key :
       {"\"parent_model_id\"", "\"from_pass\"", "\"pass_run_config\""}) {
    if (head.find(key) == head.npos) return Confidence::kNo;
  }
  return Confidence::kSure;
}

Result<void> read_footprint(const Artefact& artefact, model::ModelBuilder& builder) {
  return FootprintReader(artefact, builder).run();
}

}  // namespace planex::ingest::olive
