#include "analyze/explain/accuracy.h"

#include <charconv>

namespace planex::analyze {
namespace {

using model::PlanModel;

// Records about the whole model: accuracy's own takes precedence over quantize's, and that over a
// search's.
class Facts {
 public:
  explicit Facts(const PlanModel& model) : model_(model) {}

  std::string_view text(std::string_view key) const {
    for (const std::string_view section : {"accuracy", "quantize", "search"}) {
      const std::string_view value = of(section, key);
      if (!value.empty()) return value;
    }
    return {};
  }

  std::optional<std::int64_t> number(std::string_view key) const {
    const std::string_view digits = text(key);
    std::int64_t value = 0;
    const char* end = digits.data() + digits.size();
    const auto parsed = std::from_chars(digits.data(), end, value);
    if (digits.empty() || parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
    return value;
  }

 private:
  std::string_view of(std::string_view section, std::string_view key) const {
    const model::MetadataTable& table = model_.metadata;
    for (std::size_t row = 0; row < table.row_count(); ++row) {
      if (model_.text(table.section[row]) == section && model_.text(table.key[row]) == key) {
        return model_.text(table.value[row]);
      }
    }
    return {};
  }

  const PlanModel& model_;
};

std::vector<std::size_t> all_rows(std::size_t count) {
  std::vector<std::size_t> rows(count);
  for (std::size_t row = 0; row < count; ++row) rows[row] = row;
  return rows;
}

void find_places(const PlanModel& model, AccuracyExplanation& result) {
  const model::AccuracyTable& table = model.accuracy;
  double widest_db = kWideGapDb;
  for (const std::size_t row : result.tensors) {
    const std::string_view tap = model.text(table.tap[row]);
    if (tap == "verified") ++result.verified;
    if (tap == "disturbed") ++result.disturbed;
    if (table.layer_id.is_null(row)) ++result.unmapped;
    const auto simulated = table.simulated_db.get(row), engine = table.engine_db.get(row);
    const auto shown = engine ? engine : simulated;
    if (!result.first_low && shown && *shown < kLowDb) result.first_low = row;
    if (simulated && engine && tap == "verified" && *simulated - *engine >= widest_db) {
      widest_db = *simulated - *engine;
      result.widest_gap = row;
    }
  }
}

}  // namespace

bool has_accuracy(const PlanModel& model) {
  return model.accuracy.row_count() + model.calibration.row_count() +
             model.accuracy_outputs.row_count() + model.front.row_count() >
         0;
}

AccuracyExplanation explain_accuracy(const PlanModel& model) {
  const Facts facts(model);
  AccuracyExplanation result{
      .end = end_accuracy(model),
      .tensors = all_rows(model.accuracy.row_count()),
      .calibration = all_rows(model.calibration.row_count()),
      .outputs = all_rows(model.accuracy_outputs.row_count()),
      .front = all_rows(model.front.row_count()),
      .maps = all_rows(model.difference_maps.row_count()),
      .goal = facts.text("goal"),
      .cost = facts.text("cost"),
      .method = facts.text("method"),
      .target = facts.text("target"),
      .isa = facts.text("isa"),
      .runtime_version = facts.text("runtime_version"),
      .reference = facts.text("reference"),
      .subject = facts.text("subject"),
      .weight_bits = facts.number("weight_bits"),
      .calibration_count = facts.number("calibration_count"),
      .judge_count = facts.number("judge_count"),
      .sample_count = facts.number("sample_count"),
  };
  find_places(model, result);
  result.is_of_other_engine = model.text(model.engine.producer[0]) != "openvino";
  return result;
}

}  // namespace planex::analyze
