#include "render/words/accuracy_sentences.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "render/words/numbers.h"

namespace planex::render {
namespace {

using analyze::AccuracyExplanation;
using base::counted;
using base::format;
using model::PlanModel;

std::string headline(const AccuracyExplanation& of) {
  const auto& [simulated, engine] = of.end;
  if (simulated && engine) {
    return format("The outputs keep {} in the engine; the model's own arithmetic keeps {}.",
                  db_text(engine), db_text(simulated));
  }
  if (simulated) {
    return format("The outputs keep {} in the model's own arithmetic.", db_text(simulated));
  }
  if (engine) return format("The outputs keep {} in the engine.", db_text(engine));
  return "The records contain no figures for the outputs.";
}

std::string whose_loss(const AccuracyExplanation& of) {
  const auto& [simulated, engine] = of.end;
  if (!simulated || !engine) return {};
  if (*simulated - *engine >= analyze::kWideGapDb) {
    return format(
        "{} of the loss comes from the engine, which computes differently from the model; no other "
        "scale fixes that.",
        db_text(*simulated - *engine));
  }
  return "The engine computes what the model says: the loss comes from the model, from its scales "
         "and Q/DQ placement.";
}

// The front of the search: how many models it contains, and which one was chosen.
std::string front_line(const PlanModel& model, const AccuracyExplanation& of) {
  if (of.front.empty()) return {};
  const model::FrontTable& table = model.front;
  const auto chosen = std::ranges::find_if(
      of.front, [&](std::size_t row) { return table.is_chosen.get(row) == 1; });
  const std::string count = counted(of.front.size(), "model");
  if (chosen == of.front.end()) {
    return format("A search found {} that no other model beats.", count);
  }
  const std::int64_t layers = table.float_layers.get(*chosen).value_or(0);
  return format(
      "A search found {} that no other model beats; the one that it wrote keeps {} in float and "
      "reaches {}.",
      count, counted(static_cast<std::size_t>(std::max<std::int64_t>(layers, 0)), "layer"),
      db_text(table.judged_sqnr_db.get(*chosen)));
}

std::string place(const PlanModel& model, std::size_t row) {
  const model::AccuracyTable& table = model.accuracy;
  const base::StringId operation = table.op_name[row];
  return format("{} ({})", model.text(operation.is_null() ? table.tensor[row] : operation),
                model.text(table.op_type[row]));
}

}  // namespace

std::vector<std::string> accuracy_sentences(const PlanModel& model, const AccuracyExplanation& of) {
  const model::AccuracyTable& table = model.accuracy;
  std::vector<std::string> lines = {headline(of)};
  const auto add = [&](std::string line) {
    if (!line.empty()) lines.push_back(std::move(line));
  };
  add(whose_loss(of));
  if (of.first_low) {
    const std::size_t row = *of.first_low;
    const auto engine = table.engine_db.get(row);
    add(format("The first tensor below {:.0f} dB is at {}: {} in {}.", analyze::kLowDb,
               place(model, row), db_text(engine ? engine : table.simulated_db.get(row)),
               engine ? "the engine" : "the model's own arithmetic"));
  } else if (!of.tensors.empty()) {
    add(format("No tensor is below {:.0f} dB.", analyze::kLowDb));
  }
  if (of.widest_gap) {
    const std::size_t row = *of.widest_gap;
    add(
        format("The engine falls furthest behind at {}: {}, where the model's own arithmetic has "
               "{}.",
               place(model, row), db_text(table.engine_db.get(row)),
               db_text(table.simulated_db.get(row))));
  }
  add(front_line(model, of));
  if (of.disturbed > 0) {
    add(format("Reading {} changed the engine: {} from another engine, drawn hollow.",
               counted(static_cast<std::size_t>(of.disturbed), "tensor"),
               of.disturbed == 1 ? "its figure is" : "their figures are"));
  }
  if (of.is_of_other_engine) {
    add("The engine's figures are from OpenVINO on the machine of the record, not from this "
        "engine; the figures of the model's own arithmetic apply to both.");
  }
  if (of.tensors.empty()) {
    add("Tensor by tensor: planex accuracy MODEL QUANTIZED --data DATA -o RUN/accuracy.json");
  }
  return lines;
}

}  // namespace planex::render
