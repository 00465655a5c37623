#include "session/open/measured_engine.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "analyze/summary/headline.h"
#include "analyze/work/operation_kinds.h"
#include "base/text.h"
#include "base/try.h"
#include "engines/engine_rules.h"
#include "graph/data_flow.h"
#include "lint/run.h"
#include "model/judgements.h"
#include "model/types.h"

namespace planex::session {
namespace {

using graph::DataFlow;
using graph::PortRow;
using model::LayerId;
using quantize::MeasuredLayer;

// If the median time of a layer exceeds its minimum by this factor, something else used the
// processor, and the time of the layer itself is shorter.
constexpr double kUndisturbed = 1.5;

std::optional<double> undisturbed_ms(std::optional<double> time_ms, std::optional<double> median_ms,
                                     std::optional<double> min_ms) {
  if (!time_ms || !median_ms || !min_ms || *min_ms <= 0) return time_ms;
  return *median_ms > kUndisturbed * *min_ms ? *time_ms * *min_ms / *median_ms : time_ms;
}

// Rules with findings on a layer, only those whose cause advice fixes.
std::map<std::size_t, std::vector<std::string>> findings_by_layer(const Engine& engine) {
  std::map<std::size_t, std::vector<std::string>> by_layer;
  for (const lint::Finding& finding : engine.lint.findings) {
    const lint::Rule* rule = lint::find_rule(finding.rule);
    if (rule == nullptr || rule->info.command.empty() || finding.layer.is_null()) continue;
    auto& rules = by_layer[finding.layer.index()];
    if (std::ranges::find(rules, finding.rule) == rules.end()) rules.emplace_back(finding.rule);
  }
  return by_layer;
}

class LayerReader {
 public:
  explicit LayerReader(const Engine& engine)
      : model_(engine.model),
        flow_(engine.model, graph::GeneratedKernels::kMayConvert),
        findings_(findings_by_layer(engine)) {}

  MeasuredLayer layer(LayerId id) const {
    const model::LayersTable& layers = model_.layers;
    const std::size_t row = id.index();
    MeasuredLayer layer;
    layer.name = model_.text(layers.name[row]);
    const model::RowRange sources = model_.sources_of(id);
    for (std::size_t at = sources.first; at < sources.end(); ++at) {
      layer.nodes.emplace_back(model_.text(model_.sources.op_name[at]));
    }
    const auto corrected = layers.corrected_ms.get(row);
    layer.time_ms = undisturbed_ms(corrected ? corrected : model_.time_ms(id),
                                   layers.median_ms.get(row), layers.min_ms.get(row));
    layer.least_ms = layers.min_ms.get(row);
    layer.is_conversion = flow_.is_conversion(id);
    layer.is_product = flow_.is_matrix_layer(id);
    layer.is_pointwise = is_pointwise(id);
    layer.reads_quantized = model::is_quantized(flow_.first_data_type(id));
    const std::vector<PortRow> outputs = flow_.outputs(id);
    layer.writes_float = !outputs.empty() && model::is_float(flow_.type_of(outputs.front()));
    sum_floats(flow_.inputs(id), layer.float_read_bytes, layer.float_read_values);
    sum_floats(outputs, layer.float_written_bytes, layer.float_written_values);
    layer.written_bytes = layers.output_bytes.get(row).value_or(0);
    layer.moved_bytes = layers.footprint_bytes.get(row);
    layer.macs = layers.macs.get(row);
    if (const auto found = findings_.find(row); found != findings_.end()) {
      layer.findings = found->second;
    }
    return layer;
  }

 private:
  // OpenVINO's subgraphs are opaque; their source operations decide.
  bool is_pointwise(LayerId id) const {
    if (flow_.family(id) == model::Family::kPointwise) return true;
    const model::RowRange sources = model_.sources_of(id);
    for (std::size_t at = sources.first; at < sources.end(); ++at) {
      const std::string_view type = model_.text(model_.sources.op_type[at]);
      if (type == "QuantizeLinear" || type == "DequantizeLinear") continue;
      if (analyze::operation_kind({}, type) != analyze::OperationKind::kPointwise) return false;
    }
    return sources.count > 0 && flow_.family(id) == model::Family::kOpaque;
  }

  void sum_floats(const std::vector<PortRow>& ports, std::int64_t& bytes,
                  std::int64_t& values) const {
    constexpr int kBitsPerByte = 8;
    for (const PortRow port : ports) {
      const model::DType type = flow_.type_of(port);
      const auto size = model_.ports.data_bytes.get(port);
      const auto bits = model::bits_per_element(type);
      if (!model::is_float(type) || !size || !bits || *bits < kBitsPerByte) continue;
      bytes += *size;
      values += *size * kBitsPerByte / *bits;
    }
  }

  const model::PlanModel& model_;
  DataFlow flow_;
  std::map<std::size_t, std::vector<std::string>> findings_;
};

}  // namespace

quantize::MeasuredEngine measured_engine(const Engine& engine) {
  const LayerReader reader(engine);
  quantize::MeasuredEngine measured;
  measured.path = engine.request.path;
  measured.producer = engine.model.text(engine.model.engine.producer[0]);
  for (std::size_t row = 0; row < engine.model.layers.row_count(); ++row) {
    const LayerId id(row);
    if (engine.model.does_work(id)) measured.layers.push_back(reader.layer(id));
  }
  const engines::EngineRule* output =
      engines::find_engine_rule(measured.producer, engines::Condition::kQuantizedOutput);
  // A rule without a cure means that it does not matter.
  measured.fuses_between_pairs = output != nullptr && !output->cure.empty();
  measured.products_quantize =
      output != nullptr &&
      engines::find_engine_rule(measured.producer, engines::Condition::kWrittenType) == nullptr;
  const auto& end_to_end = engine.summary.time.end_to_end;
  if (end_to_end) {
    measured.end_to_end_ms = end_to_end->median_ms;
    measured.undisturbed_ms =
        undisturbed_ms(end_to_end->median_ms, end_to_end->median_ms, end_to_end->min_ms);
  }
  if (const auto reason = analyze::no_measure(engine.model, engine.summary.time)) {
    measured.untimed_reason = base::format("the layer times do not represent the engine: they {}",
                                           model::words_of(*reason));
    for (quantize::MeasuredLayer& layer : measured.layers) {
      layer.time_ms.reset();
      layer.least_ms.reset();
    }
    if (*reason == model::NoMeasure::kFirstInference) {
      measured.end_to_end_ms.reset();
      measured.undisturbed_ms.reset();
    }
  }
  return measured;
}

Result<quantize::MeasuredEngine> open_measured_engine(const OpenRequest& request) {
  PLANEX_ASSIGN(const Engine engine, open_engine(request, base::disk()));
  return measured_engine(engine);
}

}  // namespace planex::session
