#include "analyze/work/measured_shapes.h"

#include <algorithm>
#include <charconv>

#include "analyze/work/shapes.h"
#include "base/numbers.h"
#include "base/text.h"
#include "trtexec/flags.h"

namespace planex::analyze {
namespace {

using model::PlanModel;

constexpr std::string_view kInferenceOptions = "inference_options";
// As trtexec spells it in different versions.
constexpr std::string_view kInferenceShape = "Input inference shape";

// The first value of an option of the measured run; nothing where it was not given.
std::optional<std::string> run_option(const PlanModel& model, std::string_view name) {
  const model::MetadataTable& table = model.metadata;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    if (model.text(table.section[row]) != "command" || model.text(table.key[row]) != "trtexec") {
      continue;
    }
    const std::vector<std::string> words = trtexec::split_command(model.text(table.value[row]));
    if (auto value = trtexec::option_value(words, name)) return value;
  }
  return std::nullopt;
}

// "input=4x3x64x64" lines of the inference options as "input:4x3x64x64,...".
std::string listed_shapes(const PlanModel& model) {
  const model::MetadataTable& table = model.metadata;
  std::string shapes;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    if (model.text(table.section[row]) != kInferenceOptions ||
        !model.text(table.key[row]).starts_with(kInferenceShape)) {
      continue;
    }
    const std::string_view value = model.text(table.value[row]);
    const std::size_t equals = value.rfind('=');
    if (equals == value.npos || !dims_of_text(value.substr(equals + 1))) continue;
    shapes += base::format("{}{}:{}", shapes.empty() ? "" : ",", value.substr(0, equals),
                           value.substr(equals + 1));
  }
  return shapes;
}

// "4x3x64x64" for a binding in "input:4x3x64x64,mask:4x128", whose names can contain colons.
std::string_view shape_in(std::string_view shapes, std::string_view binding) {
  while (!shapes.empty()) {
    const std::size_t comma = std::min(shapes.find(','), shapes.size());
    const std::string_view entry = shapes.substr(0, comma);
    shapes.remove_prefix(std::min(comma + 1, shapes.size()));
    const std::size_t colon = entry.rfind(':');
    if (colon == entry.npos) continue;
    std::string_view name = entry.substr(0, colon);
    if (name.size() > 1 && name.front() == '\'' && name.back() == '\'') {
      name = name.substr(1, name.size() - 2);
    }
    if (name == binding) return entry.substr(colon + 1);
  }
  return {};
}

// The common first dimension of the dynamic inputs, where it is their only dynamic dimension.
std::optional<std::int64_t> batch_of_inputs(const PlanModel& model) {
  const model::BindingsTable& table = model.bindings;
  std::optional<std::int64_t> batch;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const Dims dims = table.dims[row];
    if (table.direction[row] != model::Direction::kInput || !is_dynamic(dims)) continue;
    if (dims.size() < 2 || dims[0] >= 0 || is_dynamic(dims.subspan(1))) return std::nullopt;
    const auto measured = measured_dims(model, model.text(table.name[row]));
    if (!measured || measured->size() != dims.size()) return std::nullopt;
    if (batch && *batch != measured->front()) return std::nullopt;
    batch = measured->front();
  }
  return batch;
}

}  // namespace

std::optional<std::vector<std::int64_t>> dims_of_text(std::string_view text) {
  constexpr std::size_t kMaxDims = 64;
  std::vector<std::int64_t> dims;
  while (true) {
    const std::size_t end = std::min(text.find('x'), text.size());
    const auto dim = base::number_in<std::int64_t>(text.substr(0, end));
    if (!dim || *dim < 0 || dims.size() == kMaxDims) return std::nullopt;
    dims.push_back(*dim);
    if (end == text.size()) return dims;
    text.remove_prefix(end + 1);
  }
}

std::string measured_shapes(const PlanModel& model) {
  if (auto shapes = run_option(model, "shapes")) return *shapes;
  if (std::string shapes = listed_shapes(model); !shapes.empty()) return shapes;
  const model::BindingsTable& table = model.bindings;
  std::string shapes;
  bool is_whole = true;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    if (table.direction[row] != model::Direction::kInput || !is_dynamic(table.dims[row])) continue;
    const std::string_view name = model.text(table.name[row]);
    const model::MetadataTable& facts = model.metadata;
    std::string_view measured;
    for (std::size_t fact = 0; fact < facts.row_count(); ++fact) {
      if (model.text(facts.section[fact]) == "binding_shapes" &&
          model.text(facts.key[fact]) == name && dims_of_text(model.text(facts.value[fact]))) {
        measured = model.text(facts.value[fact]);
      }
    }
    is_whole = is_whole && !measured.empty();
    shapes += base::format("{}{}:{}", shapes.empty() ? "" : ",", name, measured);
  }
  if (is_whole && !shapes.empty()) return shapes;
  return run_option(model, "optShapes").value_or("");
}

std::optional<std::vector<std::int64_t>> measured_dims(const PlanModel& model,
                                                       std::string_view binding) {
  const model::MetadataTable& table = model.metadata;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    if (model.text(table.section[row]) != "binding_shapes" ||
        model.text(table.key[row]) != binding) {
      continue;
    }
    if (auto dims = dims_of_text(model.text(table.value[row]))) return dims;
  }
  return dims_of_text(shape_in(measured_shapes(model), binding));
}

std::optional<std::int64_t> implicit_batch(const PlanModel& model) {
  const model::MetadataTable& table = model.metadata;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    // "Explicit" for engines whose bindings include the batch.
    if (model.text(table.section[row]) != kInferenceOptions ||
        model.text(table.key[row]) != "Batch") {
      continue;
    }
    const auto batch = base::number_in<std::int64_t>(model.text(table.value[row]));
    if (batch && *batch > 1) return batch;
  }
  return std::nullopt;
}

std::optional<std::int64_t> measured_batch(const PlanModel& model) {
  if (const auto batch = implicit_batch(model)) return batch;
  const model::MetadataTable& table = model.metadata;
  std::optional<std::int64_t> batch;
  bool is_one = true;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    if (model.text(table.section[row]) != "binding_shapes") continue;
    const auto dims = dims_of_text(model.text(table.value[row]));
    if (!dims || dims->size() < 2 || dims->front() <= 0) continue;
    is_one = is_one && (!batch || *batch == dims->front());
    batch = dims->front();
  }
  if (batch && is_one) return batch;
  return batch_of_inputs(model);
}

}  // namespace planex::analyze
