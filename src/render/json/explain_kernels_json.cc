#include "render/json/explain_kernels_json.h"

#include "render/json/explain_json.h"
#include "render/kernel_sentences.h"

namespace planex::render {
namespace {

using analyze::KernelExplanation;
using analyze::KernelTotals;
using analyze::LayerKernels;
using model::PlanModel;

void write_dims(JsonWriter& json, std::string_view key, const model::IntList& column,
                std::size_t row) {
  json.key(key);
  if (column.is_null(row)) {
    json.null();
    return;
  }
  json.begin_array();
  for (const std::int64_t number : column[row]) json.value(number);
  json.end_array();
}

void write_kernel(JsonWriter& json, const PlanModel& model, std::size_t row) {
  const model::KernelsTable& kernels = model.kernels;
  json.begin_object().member("index", kernels.index.get(row));
  json.text_member("name", model.text(kernels.name[row]));
  json.text_member("short_name", model.text(kernels.short_name[row]));
  json.member("stream", kernels.stream.get(row))
      .member("start_us", kernels.start_us.get(row))
      .member("count", kernels.count.get(row))
      .member("median_us", kernels.median_us.get(row))
      .member("mean_us", kernels.mean_us.get(row))
      .member("min_us", kernels.min_us.get(row))
      .member("max_us", kernels.max_us.get(row))
      .member("total_ms", kernels.total_ms.get(row));
  write_dims(json, "grid", kernels.grid, row);
  write_dims(json, "block", kernels.block, row);
  json.member("registers", kernels.registers.get(row))
      .member("shared_bytes", kernels.shared_bytes.get(row))
      .end_object();
}

void write_rows(JsonWriter& json, const PlanModel& model, std::string_view key,
                const std::vector<std::size_t>& rows) {
  json.key(key).begin_array();
  for (const std::size_t row : rows) write_kernel(json, model, row);
  json.end_array();
}

}  // namespace

void write_explain_kernels(JsonWriter& json, const PlanModel& model,
                           const KernelExplanation& explanation) {
  json.begin_object()
      .member("schema", "planex.explain-kernels/1")
      .member("engine", model.text(model.engine.name[0]));
  json.text_member("time_basis", to_string(explanation.basis));
  json.member("are_times_of_kernels", explanation.are_times_of_kernels)
      .member("inferences", explanation.inferences)
      .member("layers_time_ms", explanation.layers_ms)
      .member("kernels_time_ms", explanation.kernels_ms)
      .member("end_to_end_ms", explanation.end_to_end_ms);
  json.key("compared")
      .begin_object()
      .member("layers_time_ms", explanation.compared_layers_ms)
      .member("kernels_time_ms", explanation.compared_kernels_ms)
      .member("difference_ms", explanation.difference_ms)
      .member("difference_share", explanation.difference_share)
      .end_object();
  json.member("layers_with_kernels", explanation.with_kernels)
      .member("layers_without_kernels", explanation.without_kernels)
      .member("layers_without_kernels_ms", explanation.without_kernels_ms)
      .member("launches", explanation.launches);
  json.key("sentences").begin_array();
  for (const std::string& line : kernel_sentences(model, explanation)) json.value(line);
  json.end_array().key("layers").begin_array();
  for (const LayerKernels& of : explanation.layers) {
    json.begin_object();
    write_layer_members(json, model, of.layer);
    json.member("time_ms", of.time_ms)
        .member("kernel_ms", of.kernel_ms)
        .member("difference_ms", of.difference_ms)
        .member("share", of.share);
    write_rows(json, model, "kernels", of.rows);
    json.end_object();
  }
  json.end_array().key("by_kernel").begin_array();
  for (const KernelTotals& kernel : explanation.kernels) {
    json.begin_object();
    json.text_member("name", model.text(kernel.name));
    json.member("launches", kernel.rows)
        .member("layers", kernel.layers)
        .member("time_ms", kernel.time_ms)
        .member("share", kernel.share)
        .end_object();
  }
  json.end_array();
  write_rows(json, model, "between_layers", explanation.between.rows);
  write_rows(json, model, "outside_of_inferences", explanation.elsewhere.rows);
  json.end_object();
}

std::string explain_kernels_json(const PlanModel& model, const KernelExplanation& explanation) {
  JsonWriter json(JsonStyle::kPretty);
  write_explain_kernels(json, model, explanation);
  return json.take() + "\n";
}

}  // namespace planex::render
