#include "session/export/export_graph.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyze/compare/operation_times.h"
#include "base/text.h"
#include "base/try.h"
#include "graph/plan_graph.h"
#include "onnx/node_names.h"
#include "onnx/read.h"
#include "render/json/node_data_json.h"
#include "render/onnx/annotated_model.h"
#include "render/onnx/explorer_ids.h"
#include "render/onnx/onnx_graph.h"
#include "render/words/palette.h"

namespace planex::session {
namespace {

using analyze::Femtoseconds;
using analyze::OperationTimes;
using base::format;
using model::PlanModel;

struct SourceModel {
  std::string_view bytes;
  onnx::Model model;
  OperationTimes times;  // by node
};

// Nodes without names, by the names that the producer gives them. The reader of the model found
// these out, and listed its nodes under them, in their order.
std::unordered_map<std::string_view, std::uint32_t> told_names(const PlanModel& plan,
                                                               const onnx::Model& model) {
  std::unordered_map<std::string_view, std::uint32_t> told;
  const model::OperationsTable& operations = plan.operations;
  if (operations.row_count() != model.nodes.size())
    return told;  // nodes of another file are among them
  for (std::uint32_t row = 0; row < operations.row_count(); ++row) {
    const onnx::Node& node = model.nodes[row];
    const std::string_view name = plan.text(operations.name[row]);
    if (!node.name.empty() || name.empty()) continue;
    if (plan.text(operations.type[row]) == node.op_type) told.try_emplace(name, row);
  }
  return told;
}

// Null: layers were requested, or only layers exist.
Result<std::unique_ptr<SourceModel>> source_model(const EngineToExport& engine,
                                                  const ExportRequest& request,
                                                  analyze::TimeBasis basis) {
  if (request.nodes == ExportNodes::kLayers) return nullptr;
  if (engine.model.source_model == nullptr) {
    if (request.nodes == ExportNodes::kBest) return nullptr;
    return fail(ErrorCode::kUsage, "the ONNX model of this engine is missing",
                "name it with --model FILE, or use --nodes layers, which needs none");
  }
  auto source = std::make_unique<SourceModel>();
  source->bytes = engine.model.source_model->view();
  PLANEX_ASSIGN(source->model, onnx::read_model(source->bytes));
  const onnx::NodeNames names(source->model);
  const auto told = told_names(engine.model, source->model);
  const auto node_of = [&](std::string_view name) -> std::optional<std::uint32_t> {
    const onnx::Index node = names.find(name);
    if (node != onnx::kNoIndex) return node;
    const auto found = told.find(name);
    return found == told.end() ? std::nullopt : std::optional(found->second);
  };
  source->times =
      analyze::operation_times(engine.model, basis, source->model.nodes.size(), node_of);
  const bool is_related = std::ranges::any_of(source->times.of_operation,
                                              [](const auto& list) { return !list.empty(); });
  if (is_related) return source;
  if (request.nodes == ExportNodes::kBest) return nullptr;
  return fail(ErrorCode::kUsage, "no layer of this engine comes from a node of its ONNX model",
              "name another with --model FILE, or use --nodes layers, which needs none");
}

graph::PlanGraph layer_graph(const PlanModel& plan) {
  return graph::build_plan_graph(plan, {.view = graph::View::kExecution});
}

Failure no_layers() { return fail(ErrorCode::kUsage, "nothing to export: no layers are known"); }

std::string_view precision_colour(model::DType type) {
  return render::Palette(render::Theme::kLight, render::PaletteName::kPlanex).precision(type);
}

// The value of a node, from the layers that compute it.
class Values {
 public:
  Values(const PlanModel& plan, ExportValue wanted, std::optional<Femtoseconds> total)
      : plan_(plan), wanted_(wanted), total_(total) {}

  // `part` and `whole` are times; `first` is the layer that determines the precision.
  std::optional<render::NodeDatum> datum(std::string id, std::optional<Femtoseconds> part,
                                         std::optional<Femtoseconds> whole,
                                         model::LayerId first) const {
    switch (wanted_) {
      case ExportValue::kTime:
        return number(std::move(id), analyze::milliseconds(part));
      case ExportValue::kLayerTime:
        return number(std::move(id), analyze::milliseconds(whole));
      case ExportValue::kShare:
        if (!part || total_.value_or(0) <= 0) return std::nullopt;
        return number(std::move(id),
                      static_cast<double>(*part) / static_cast<double>(*total_) * 100);
      case ExportValue::kPrecision:
        break;
    }
    const model::DType type = plan_.layers.precision[first.index()];
    if (type == model::DType::kNull) return std::nullopt;
    return render::NodeDatum{std::move(id), std::string(to_string(type)), precision_colour(type)};
  }

  std::string name(std::string_view engine, analyze::TimeBasis basis) const {
    const std::string_view time = basis == analyze::TimeBasis::kMean ? "mean" : "median";
    switch (wanted_) {
      case ExportValue::kTime:
        return format("{} ms, {}", time, engine);
      case ExportValue::kLayerTime:
        return format("{} ms of whole layers, {}", time, engine);
      case ExportValue::kShare:
        return format("% of layer time ({}s), {}", time, engine);
      case ExportValue::kPrecision:
        break;
    }
    return format("precision, {}", engine);
  }

 private:
  static std::optional<render::NodeDatum> number(std::string id, std::optional<double> value) {
    if (!value) return std::nullopt;
    return render::NodeDatum{std::move(id), *value, {}};
  }

  const PlanModel& plan_;
  ExportValue wanted_;
  std::optional<Femtoseconds> total_;
};

class Graphs {
 public:
  void add(const std::string& graph, std::optional<render::NodeDatum> datum) {
    if (!datum) return;
    auto found = std::ranges::find(graphs_, graph, &render::NodeDataGraph::id);
    if (found == graphs_.end()) found = graphs_.insert(found, {.id = graph, .nodes = {}});
    found->nodes.push_back(std::move(*datum));
  }
  std::vector<render::NodeDataGraph> take() { return std::move(graphs_); }

 private:
  std::vector<render::NodeDataGraph> graphs_;  // few: the main one, loops, functions
};

// The most important layer of a node: the slowest; among equals, the first.
model::LayerId main_layer(const OperationTimes& times, std::size_t node) {
  const auto& layers = times.of_operation[node];
  return std::ranges::max(layers, {},
                          [&](const analyze::OperationLayer& of) {
                            return times.layers.of_layer[of.layer.index()].value_or(-1);
                          })
      .layer;
}

std::vector<render::NodeDataGraph> data_of_operations(const SourceModel& source,
                                                      const Values& values) {
  Graphs graphs;
  const std::vector<render::ExplorerId> ids = render::explorer_ids(source.model);
  for (std::size_t node = 0; node < ids.size(); ++node) {
    if (source.times.of_operation[node].empty()) continue;
    graphs.add(ids[node].graph,
               values.datum(ids[node].node, source.times.part[node], source.times.whole[node],
                            main_layer(source.times, node)));
  }
  return graphs.take();
}

std::vector<render::NodeDataGraph> data_of_layers(const PlanModel& plan,
                                                  const graph::PlanGraph& graph,
                                                  const analyze::ExactTimes& times,
                                                  const Values& values) {
  Graphs graphs;
  const std::string graph_name = render::onnx_graph_name(plan);
  const std::vector<std::string> names = render::onnx_node_names(plan, graph);
  for (std::size_t node = 0; node < names.size(); ++node) {
    const model::LayerId layer = graph.nodes[node].layer;
    if (graph.nodes[node].kind != graph::NodeKind::kLayer || names[node].empty()) continue;
    const auto time = times.of_layer[layer.index()];
    graphs.add(graph_name, values.datum(names[node], time, time, layer));
  }
  return graphs.take();
}

}  // namespace

Result<void> export_onnx(const EngineToExport& engine, const ExportRequest& request,
                         analyze::TimeBasis basis, const DocumentSink& write) {
  PLANEX_ASSIGN(const auto source, source_model(engine, request, basis));
  if (source != nullptr) {
    return render::write_annotated({.file = source->bytes,
                                    .source = &source->model,
                                    .plan = &engine.model,
                                    .times = &source->times},
                                   write);
  }
  const graph::PlanGraph graph = layer_graph(engine.model);
  if (graph.nodes.empty()) return no_layers();
  return render::write_onnx(engine.model, graph, write);
}

Result<void> export_node_data(const EngineToExport& engine, const ExportRequest& request,
                              analyze::TimeBasis basis, const DocumentSink& write) {
  PLANEX_ASSIGN(const auto source, source_model(engine, request, basis));
  const analyze::ExactTimes times = analyze::exact_times(engine.model, basis);
  const Values values(engine.model, request.value, times.total);
  render::NodeData data{
      .name = values.name(engine.model.text(engine.model.engine.name[0]), basis),
      .sums_mislead = source != nullptr && request.value == ExportValue::kLayerTime};
  if (source != nullptr) {
    data.graphs = data_of_operations(*source, values);
  } else {
    const graph::PlanGraph graph = layer_graph(engine.model);
    if (graph.nodes.empty()) return no_layers();
    data.graphs = data_of_layers(engine.model, graph, times, values);
  }
  if (data.graphs.empty()) {
    const bool is_time = request.value != ExportValue::kPrecision;
    return fail(
        ErrorCode::kUsage,
        is_time ? "no layer has a time, so there are no values to show on a graph"
                : "no layer records its precision",
        is_time ? "use --value precision; planex doctor PLAN says how to get the times" : "");
  }
  return render::write_node_data(data, write);
}

}  // namespace planex::session
