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
  return "The records have no figure of the outputs.";
}

std::string whose_loss(const AccuracyExplanation& of) {
  const auto& [simulated, engine] = of.end;
  if (!simulated || !engine) return {};
  if (*simulated - *engine >= analyze::kWideGapDb) {
    return format(
        "Of the loss {} are the engine's: no other scale mends it; it computes otherwise than the "
        "model says.",
        db_text(*simulated - *engine));
  }
  return "The engine computes as the model says: what is lost is the model's, by its scales and "
         "places.";
}

// What the front offers: its chosen point, and the nearest beside it.
std::string front_line(const PlanModel& model, const AccuracyExplanation& of) {
  if (of.front.empty()) return {};
  const model::FrontTable& table = model.front;
  const auto chosen = std::ranges::find_if(
      of.front, [&](std::size_t row) { return table.is_chosen.get(row) == 1; });
  const std::string count = counted(of.front.size(), "model");
  if (chosen == of.front.end()) {
    return format("A search found {} that no other one beats.", count);
  }
  const std::int64_t layers = table.float_layers.get(*chosen).value_or(0);
  return format(
      "A search found {} that no other one beats; the one that was written keeps {} in "
      "float, for {}.",
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
    add(format("The first tensor below {:.0f} dB is that of {}: {} in {}.", analyze::kLowDb,
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
    add(format("Looking at {} changed the engine: {} of another engine, drawn hollow.",
               counted(static_cast<std::size_t>(of.disturbed), "tensor"),
               of.disturbed == 1 ? "its figure is" : "their figures are"));
  }
  if (of.is_of_other_engine) {
    add("The engine's figures are of OpenVINO on the machine of the record, not of this engine; "
        "those of the model's own arithmetic hold for both.");
  }
  if (of.tensors.empty()) {
    add("Tensor by tensor: planex accuracy MODEL QUANTIZED --data DATA -o RUN/accuracy.json");
  }
  return lines;
}

}  // namespace planex::render
