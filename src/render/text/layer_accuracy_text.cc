#include "render/text/layer_accuracy_text.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/text.h"
#include "render/text/display_width.h"
#include "render/text/grid.h"
#include "render/text/losses_text.h"
#include "render/text/wrap.h"

namespace planex::render {
namespace {

using base::counted;
using base::format;
using quantize::LayerAccuracies;
using quantize::LayerAccuracy;
using quantize::Tap;

using MaybeDifference = std::optional<arrays::Difference> LayerAccuracy::*;

// What is lost without noise is nothing: infinitely many dB.
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
    text_ = format("{} against {}, {}\n", printable(result_.subject), printable(result_.reference),
                   counted(result_.sample_count, "sample"));
    text_ += losses_text(result_.simulated, result_.engine_to_simulated, result_.engine,
                         format("{}, {}", result_.runtime_version, result_.isa), style_);
    if (!result_.layers.empty()) {
      say_first("simulated", &LayerAccuracy::simulated);
      say_first("engine", &LayerAccuracy::engine);
      layers();
      taps();
    }
    for (const std::string& note : result_.notes) line("note: " + printable(note));
    return std::move(text_);
  }

 private:
  void line(const std::string& words) { text_ += wrapped(words, width_, kScreenIndent); }

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

  // Those after which most is lost, and those where the engine and the simulation part most.
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
    if (all_) {
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
    text_ += all_ ? "\nlayer by layer (SQNR to float)\n"
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
    line(
        format("looked at {} tensors of the engine in {}: its outputs stayed bit for bit the same "
               "for {}, not for {}",
               count(Tap::kVerified) + count(Tap::kDisturbed),
               counted(result_.compile_count, "compilation"), count(Tap::kVerified),
               count(Tap::kDisturbed)));
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
