#include "render/text/layer_accuracy_text.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/text.h"
#include "render/text/grid.h"
#include "render/text/losses_text.h"
#include "render/words/display_width.h"
#include "render/words/wrap.h"

namespace planex::render {
namespace {

using base::counted;
using base::format;
using quantize::Fault;
using quantize::LayerAccuracies;
using quantize::LayerAccuracy;
using quantize::Tap;

using MaybeDifference = std::optional<arrays::Difference> LayerAccuracy::*;

// Without noise nothing is lost: infinitely many dB.
std::optional<double> db_of(const LayerAccuracy& layer, MaybeDifference which) {
  const auto& difference = layer.*which;
  if (!difference) return std::nullopt;
  if (difference->is_equal) return std::numeric_limits<double>::infinity();
  return difference->sqnr_db;
}

class LayerAccuracyScreen {
 public:
  LayerAccuracyScreen(const LayerAccuracies& result, bool all, double low_db,
                      const TableStyle& style)
      : result_(result),
        all_(all),
        low_db_(low_db),
        style_(style),
        width_(style.wide ? 0 : static_cast<std::size_t>(std::max(style.width, 0))) {}

  std::string render() {
    const bool is_saved = !result_.engine_outputs.empty();
    text_ = format("{} against {}, {}\n",
                   printable(is_saved ? result_.engine_outputs : result_.subject),
                   printable(result_.reference), counted(result_.sample_count, "sample"));
    if (is_saved && result_.subject != result_.reference) {
      line(format("simulated: {}", printable(result_.subject)));
    }
    text_ += losses_text(result_.simulated, result_.engine_to_simulated, result_.engine,
                         is_saved ? format("engine: {}", result_.engine_outputs_format)
                                  : format("{}, {}", result_.runtime_version, result_.isa),
                         style_);
    text_ += scores_text(result_.labels, result_.metrics, style_);
    say_fault();
    if (!result_.layers.empty()) {
      if (!result_.simulated.empty()) say_first("simulated", &LayerAccuracy::simulated);
      say_first("engine", &LayerAccuracy::engine);
      layers();
      if (!is_saved) {
        taps();
        alone();
      }
    }
    if (result_.bisection) bisection(*result_.bisection);
    if (result_.cured) cured(*result_.cured);
    if (result_.extracted) extracted(*result_.extracted);
    for (const std::string& note : result_.notes) line("note: " + printable(note));
    return std::move(text_);
  }

 private:
  void line(const std::string& words) { text_ += wrapped(words, width_, kScreenIndent); }

  void say_fault() {
    switch (result_.fault) {
      case Fault::kModel:
        line(
            "at fault: the model, whose own arithmetic loses this; other scales or more layers in "
            "float fix it");
        break;
      case Fault::kEngine:
        line("at fault: the engine, which deviates from the model; no choice of scales fixes it");
        break;
      case Fault::kBoth:
        line("at fault: both the model's own arithmetic and the engine, which loses even more");
        break;
      case Fault::kNone:
      case Fault::kUnknown:
        break;
    }
  }

  void say_first(std::string_view what, MaybeDifference which) {
    const auto first = std::ranges::find_if(result_.layers, [&](const LayerAccuracy& layer) {
      const auto db = db_of(layer, which);
      return db && *db < low_db_;
    });
    if (first == result_.layers.end()) {
      line(format("{}: no tensor is below {:.0f} dB", what, low_db_));
    } else {
      line(format("{}: the first tensor below {:.0f} dB is {} ({}), {}", what, low_db_,
                  printable(first->tensor), first->op_type, db_text(db_of(*first, which))));
    }
  }

  // Those after which most is lost, and those where the engine and the simulation differ most.
  std::set<std::size_t> worst() const {
    std::vector<std::pair<double, std::size_t>> losses;
    double before = std::numeric_limits<double>::infinity();
    double parted_before = 0;
    for (std::size_t place = 0; place < result_.layers.size(); ++place) {
      const LayerAccuracy& layer = result_.layers[place];
      const auto simulated = db_of(layer, &LayerAccuracy::simulated);
      const auto engine = db_of(layer, &LayerAccuracy::engine);
      if (!simulated || !engine || *simulated > 1e3 || *engine > 1e3) continue;
      const double parted = *simulated - *engine;
      losses.emplace_back(std::max(before - *engine, parted - parted_before), place);
      before = *engine;
      parted_before = parted;
    }
    std::ranges::stable_sort(losses, std::ranges::greater{},
                             &std::pair<double, std::size_t>::first);
    constexpr std::size_t kShown = 12;
    std::set<std::size_t> places;
    for (const auto& [loss, place] : losses) {
      if (places.size() < kShown) places.insert(place);
    }
    return places;
  }

  void layers() {
    std::set<std::size_t> shown;
    if (all_ || !result_.engine_outputs.empty()) {
      for (std::size_t place = 0; place < result_.layers.size(); ++place) shown.insert(place);
    } else {
      shown = worst();
    }
    Grid grid({{.alignment = Alignment::kRight},
               {.alignment = Alignment::kRight},
               {},
               {.elastic = true},
               {}});
    grid.add_row({{"simulated", Ink::kFaint},
                  {"engine", Ink::kFaint},
                  {""},
                  {"tensor", Ink::kFaint},
                  {"made by", Ink::kFaint}});
    for (const std::size_t place : shown) {
      const LayerAccuracy& layer = result_.layers[place];
      const auto cell = [&](MaybeDifference which) {
        const auto& difference = layer.*which;
        return difference ? sqnr_text(*difference) : std::string("–");
      };
      const bool is_disturbed = layer.tap == Tap::kDisturbed;
      grid.add_row({{cell(&LayerAccuracy::simulated)},
                    {cell(&LayerAccuracy::engine)},
                    {is_disturbed                 ? "disturbed"
                     : layer.tap == Tap::kMissing ? "not seen"
                                                  : "",
                     Ink::kWarning},
                    {printable(layer.tensor)},
                    {layer.op_type, Ink::kFaint}});
    }
    text_ += all_ || !result_.engine_outputs.empty()
                 ? "\nlayer by layer (SQNR to float)\n"
                 : format("\nwhere most is lost, of {} (SQNR to float)\n",
                          counted(result_.layers.size(), "tensor"));
    for (const std::string& row : grid.lines(width_, kScreenIndent, style_.color)) {
      text_ += row + "\n";
    }
  }

  void taps() {
    const auto count = [&](Tap tap) {
      return std::ranges::count(result_.layers, tap, &LayerAccuracy::tap);
    };
    line(format(
        "read {} tensors of the engine in {}: its outputs stayed bit-identical for {}, not for {}",
        count(Tap::kVerified) + count(Tap::kDisturbed),
        counted(result_.compile_count, "compilation"), count(Tap::kVerified),
        count(Tap::kDisturbed)));
    const auto moved = std::ranges::count_if(
        result_.layers, [](const LayerAccuracy& layer) { return !layer.seen_tensor.empty(); });
    if (moved > 0) {
      line(
          format("for {}, what an activation or pair after the tensor writes was read, as the "
                 "tensor itself is fused away",
                 moved));
    }
  }

  // What to do about the cause; empty: nothing is known.
  static std::string_view cure_of(quantize::Cause cause) {
    switch (cause) {
      case quantize::Cause::kSaturation:
        return "16-bit sums overflow: weights on 7 bits";
      case quantize::Cause::kSign:
        return "the sign is lost on the way: uint8";
      case quantize::Cause::kBoth:
        return "sums overflow, the sign is lost: 7 bits and uint8";
      case quantize::Cause::kUnknown:
        return "no cure is known: keep it in float";
      case quantize::Cause::kNone:
        break;
    }
    return {};
  }

  void alone() {
    Grid grid({{.alignment = Alignment::kRight},
               {.alignment = Alignment::kRight},
               {},
               {.elastic = true},
               {}});
    grid.add_row({{"simulated", Ink::kFaint},
                  {"engine", Ink::kFaint},
                  {"at fault", Ink::kFaint},
                  {"layer", Ink::kFaint},
                  {"cause and cure", Ink::kFaint}});
    std::size_t count = 0;
    bool is_curable = false;
    for (const LayerAccuracy& layer : result_.layers) {
      if (!layer.alone_simulated || !layer.alone_engine) continue;
      ++count;
      const bool is_engine = layer.fault == Fault::kEngine || layer.fault == Fault::kBoth;
      is_curable |= is_engine && layer.cause != quantize::Cause::kUnknown;
      std::string cure(cure_of(layer.cause));
      if (layer.cured_engine) cure += format(" ({})", sqnr_text(*layer.cured_engine));
      grid.add_row({{sqnr_text(*layer.alone_simulated)},
                    {sqnr_text(*layer.alone_engine)},
                    {layer.fault == Fault::kNone ? "" : std::string(to_string(layer.fault)),
                     is_engine ? Ink::kWarning : Ink::kPlain},
                    {printable(layer.node.empty() ? layer.tensor : layer.node)},
                    {cure, Ink::kFaint}});
    }
    if (count == 0) return;
    text_ += "\nlayers alone, all others in float (SQNR at the outputs)\n";
    for (const std::string& row : grid.lines(width_, kScreenIndent, style_.color)) {
      text_ += row + "\n";
    }
    if (is_curable && !result_.cured) {
      line(
          "--cured FILE writes the model with these cures; planex quantize --weight-bits 7 applies "
          "the first one from the start");
    }
  }

  void bisection(const quantize::Bisection& found) {
    text_ += "\nbisected\n";
    for (const std::string& step : found.steps) line(printable(step));
    const std::string proof = format("in float the worst output goes from {} to {}",
                                     db_text(found.before_db), db_text(found.after_db));
    const std::string of_node = found.node.empty() ? "" : format(" ({})", printable(found.node));
    switch (found.kind) {
      case quantize::Bisection::Kind::kScale:
        line(format(
            "the fault is the scale of {}{}: {:.4g}, where {:.4g} fits{}; {}",
            printable(found.tensor), of_node, found.scale.value_or(0), found.best_scale.value_or(0),
            found.part.empty() ? "" : format(" {}, which it joins", printable(found.part)), proof));
        break;
      case quantize::Bisection::Kind::kWeight:
        line(format("the fault is the weight {}{}; {}", printable(found.tensor), of_node, proof));
        break;
      case quantize::Bisection::Kind::kLayer:
        line(format("no scale or weight is at fault; most is lost in {}; {}", printable(found.node),
                    proof));
        break;
      case quantize::Bisection::Kind::kNone:
        line("nothing was found");
        break;
    }
    line(format("{} in all", counted(found.compile_count, "compilation")));
  }

  void cured(const quantize::CuredModel& model) {
    text_ += "\ncured\n";
    line(format("{}: {} on 7 bits, {} as uint8", printable(model.path),
                counted(model.narrowed.size(), "weight"),
                counted(model.unsigned_tensors.size(), "tensor")));
    line(format("worst output: {} simulated, {} in the engine",
                db_text(quantize::least_db(model.simulated)),
                db_text(quantize::least_db(model.engine))));
  }

  void extracted(const quantize::ExtractedModel& part) {
    text_ += "\nextracted\n";
    const std::string& what = part.node.empty() ? part.tensor : part.node;
    line(format("{}: {} around {}, all else in float; {} the same without Q/DQ",
                printable(part.path), counted(part.node_count, "node"), printable(what),
                printable(part.reference_path)));
    line(format("{}: its inputs and expected outputs, for sample {}", printable(part.data_path),
                printable(part.sample)));
    line(format("its outputs: {} simulated, {} in the engine",
                db_text(quantize::least_db(part.simulated)),
                db_text(quantize::least_db(part.engine))));
    text_ += format("  {}\n", printable(part.command));
  }

  const LayerAccuracies& result_;
  const bool all_;
  const double low_db_;
  const TableStyle& style_;
  const std::size_t width_;
  std::string text_;
};

}  // namespace

std::string layer_accuracy_text(const LayerAccuracies& result, bool all, double low_db,
                                const TableStyle& style) {
  return LayerAccuracyScreen(result, all, low_db, style).render();
}

}  // namespace planex::render
