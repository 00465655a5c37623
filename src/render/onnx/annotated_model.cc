#include "render/onnx/annotated_model.h"

#include <algorithm>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"
#include "onnx/fields.h"
#include "onnx/metadata.h"
#include "render/words/column_format.h"
#include "render/words/exact_time_text.h"

namespace planex::render {
namespace {

using analyze::Femtoseconds;
using analyze::OperationLayer;
using analyze::TimeBasis;
using base::format;
using model::DType;
using protozero::pbf_writer;
namespace field = onnx::field;

constexpr std::string_view kPrefix = "planex.";

// Entries of a message's metadata, one after the other.
class Entries {
 public:
  Entries(std::uint32_t number, std::string prefix) : number_(number), prefix_(std::move(prefix)) {}

  void set_prefix(std::string prefix) { prefix_ = std::move(prefix); }
  // Nothing if the value is empty: unknown values are left out.
  void add(std::string_view key, std::string_view value) {
    if (value.empty()) return;
    std::string entry;
    pbf_writer writer(entry);
    writer.add_string(field::entry::kKey, prefix_ + std::string(key));
    writer.add_string(field::entry::kValue, base::valid_utf8(value));
    pbf_writer(fields_).add_message(number_, entry);
  }
  void add_time(std::string_view key, std::optional<Femtoseconds> time) {
    if (time) add(key, milliseconds_text(*time));
  }
  std::string take() { return std::move(fields_); }

 private:
  std::uint32_t number_;
  std::string prefix_, fields_;
};

class Annotator {
 public:
  explicit Annotator(const AnnotatedModel& model)
      : model_(model), plan_(*model.plan), times_(*model.times) {}

  std::vector<onnx::AddedMetadata> added() const {
    std::vector<onnx::AddedMetadata> added = {{onnx::kModelOffset, about_the_model()}};
    for (std::size_t node = 0; node < model_.source->nodes.size(); ++node) {
      if (times_.of_operation[node].empty()) continue;
      added.push_back({model_.source->nodes[node].byte_offset, about_node(node)});
    }
    std::ranges::sort(added, {}, &onnx::AddedMetadata::byte_offset);
    return added;
  }

 private:
  // "median_ms" and the like.
  std::string_view time_key() const {
    return times_.basis == TimeBasis::kMean ? "mean_ms" : "median_ms";
  }

  std::string about_the_model() const {
    Entries entries(field::model::kMetadata, std::string(kPrefix));
    const model::EngineTable& engine = plan_.engine;
    entries.add("engine", plan_.text(engine.name[0]));
    entries.add("producer", plan_.text(engine.producer[0]));
    entries.add("producer_version", plan_.text(engine.producer_version[0]));
    entries.add("device", plan_.text(engine.device[0]));
    if (times_.on_operations) {
      entries.add("basis", times_.basis == TimeBasis::kMean ? "mean" : "median");
      entries.add_time("layers_ms", times_.layers.total);
      entries.add_time("nodes_ms", times_.on_operations);
      entries.add_time("elsewhere_ms", times_.elsewhere);
    }
    entries.add("layers_elsewhere", format("{}", times_.layers_elsewhere));
    return entries.take();
  }

  std::string about_node(std::size_t node) const {
    Entries entries(field::node::kMetadata, std::string(kPrefix));
    const auto& layers = times_.of_operation[node];
    entries.add_time("node_ms", times_.part[node]);
    if (layers.size() > 1) entries.add("layer_count", format("{}", layers.size()));
    for (std::size_t i = 0; i < layers.size(); ++i) {
      if (i > 0) entries.set_prefix(format("{}{}.", kPrefix, i + 1));
      add_layer(layers[i], layers.size() > 1, entries);
    }
    return entries.take();
  }

  // `is_one_of_several`: node_ms includes other layers.
  void add_layer(const OperationLayer& of, bool is_one_of_several, Entries& entries) const {
    const model::LayersTable& layers = plan_.layers;
    const std::size_t row = of.layer.index();
    const auto type = [&](const model::Column<DType>& column) {
      return column.is_null(row) ? std::string_view() : to_string(column[row]);
    };
    entries.add("layer", plan_.text(layers.name[row]));
    entries.add("layer_id", format("{}", row));
    // If a time appears on several nodes, that must be said next to it.
    entries.add("layer_nodes", format("{} of {}", of.position, of.count));
    entries.add_time(time_key(), times_.layers.of_layer[row]);
    if (!layers.share.is_null(row)) entries.add("share", shortest(layers.share[row]));
    if (is_one_of_several) entries.add_time("part_ms", of.part);
    if (of.rule && of.count > 1) entries.add("part_by", to_string(*of.rule));
    if (of.is_reformat_for_it) entries.add("reformat", "for this node");
    entries.add("type", plan_.text(layers.type[row]));
    entries.add("precision", type(layers.precision));
    entries.add("output_precision", type(layers.output_precision));
    entries.add("compute_precision", type(layers.compute_precision));
    entries.add("tactic", plan_.text(layers.tactic[row]));
    if (!layers.io_bytes.is_null(row)) entries.add("io_bytes", format("{}", layers.io_bytes[row]));
    if (!layers.weight_bytes.is_null(row)) {
      entries.add("weight_bytes", format("{}", layers.weight_bytes[row]));
    }
  }

  const AnnotatedModel& model_;
  const model::PlanModel& plan_;
  const analyze::OperationTimes& times_;
};

}  // namespace

Result<void> write_annotated(const AnnotatedModel& model, const DocumentSink& sink) {
  const std::vector<onnx::AddedMetadata> added = Annotator(model).added();
  return onnx::write_with_metadata(model.file, added, kPrefix, sink);
}

}  // namespace planex::render
