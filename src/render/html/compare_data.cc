#include "render/html/compare_data.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/compare/side_facts.h"
#include "analyze/complete/complete_accuracy.h"
#include "render/fields/compare.h"
#include "render/html/columns.h"
#include "render/html/report_fields.h"
#include "render/html/string_table.h"
#include "render/json/record_json.h"
#include "render/words/compare_words.h"

namespace planex::render {
namespace {

using analyze::ChangeKind;
using analyze::Comparison;
using analyze::EngineDifference;
using analyze::Femtoseconds;
using analyze::LayerPair;
using model::LayerId;

constexpr std::int64_t kNoEntry = -1;
constexpr Femtoseconds kNanosecond = 1'000'000;

template <typename Enum>
std::int64_t number_of(Enum value) {
  return static_cast<std::int64_t>(value);
}

// The longest step of 1, 10, 100, … femtoseconds that all times are multiples of: what is measured
// in nanoseconds need not be written with six zeros.
class Tick {
 public:
  void add(const std::optional<Femtoseconds>& time) {
    while (time && *time % fs_ != 0) fs_ /= 10;
  }
  Femtoseconds fs() const { return fs_; }
  std::optional<std::int64_t> ticks(const std::optional<Femtoseconds>& time) const {
    return time ? std::optional(*time / fs_) : std::nullopt;
  }

 private:
  Femtoseconds fs_ = 1'000'000'000'000;
};

std::optional<std::int64_t> nanoseconds(const std::optional<double>& ms) {
  constexpr double kMax = 1e9;  // ms; intervals of times that are within kLongestMs
  if (!ms || !(std::fabs(*ms) <= kMax)) return std::nullopt;
  return std::llround(*ms * 1e6);
}

std::optional<std::int64_t> thousandths(const std::optional<double>& db) {
  constexpr double kMost = 1e6, kThousandths = 1e3;
  if (!db || !(std::fabs(*db) <= kMost)) return std::nullopt;
  return std::llround(*db * kThousandths);
}

// Ports that describe the layers of one side, as positions in the side's own list and among a
// layer's ports: mostly the first.
struct SidePlaces {
  std::int64_t principal = 0, first = 0, last = 0, input = 0, output = 0;
};

class Side {
 public:
  using Layers = std::vector<LayerId> LayerPair::*;

  Side(const model::PlanModel& model, Layers layers, const std::vector<LayerPair>& pairs)
      : model_(model), layers_(layers), reader_(model) {
    for (const LayerPair& pair : pairs) places_.push_back(places(pair.*layers));
  }

  void write(JsonWriter& json, std::string_view key, const std::vector<LayerPair>& pairs) const {
    json.key(key).begin_object();
    write_column(json, "count", pairs, 1, [&](const LayerPair& pair) {
      return static_cast<std::int64_t>((pair.*layers_).size());
    });
    std::vector<LayerId> all;
    for (const LayerPair& pair : pairs) std::ranges::copy(pair.*layers_, std::back_inserter(all));
    // Never usual: there is no layer kNoEntry.
    write_column(json, "layers", all, kNoEntry,
                 [](LayerId layer) { return static_cast<std::int64_t>(layer.index()); });
    const auto place = [&](std::string_view name, std::int64_t SidePlaces::* of) {
      write_column(json, name, places_, 0, [&](const SidePlaces& places) { return places.*of; });
    };
    place("principal", &SidePlaces::principal);
    place("first", &SidePlaces::first);
    place("last", &SidePlaces::last);
    place("input", &SidePlaces::input);
    place("output", &SidePlaces::output);
    json.end_object();
  }

 private:
  SidePlaces places(const std::vector<LayerId>& layers) const {
    const analyze::SideFacts facts = reader_.facts(layers);
    const auto in_list = [&](LayerId layer) {
      return layers.empty() ? 0 : std::ranges::find(layers, layer) - layers.begin();
    };
    return {.principal = in_list(facts.principal),
            .first = in_list(facts.first),
            .last = in_list(facts.last),
            .input = among_ports(facts.first, facts.input_port, model::Direction::kInput),
            .output = among_ports(facts.last, facts.output_port, model::Direction::kOutput)};
  }

  // kNoEntry where the layer has none.
  std::int64_t among_ports(LayerId layer, const std::optional<std::size_t>& port,
                           model::Direction direction) const {
    if (layer.is_null()) return 0;
    if (!port) return kNoEntry;
    std::int64_t before = 0;
    for (std::size_t row = model_.ports_of(layer).first; row < *port; ++row) {
      if (model_.ports.direction[row] == direction) ++before;
    }
    return before;
  }

  const model::PlanModel& model_;
  Layers layers_;
  analyze::SideReader reader_;
  std::vector<SidePlaces> places_;
};

std::int64_t mask_of(const std::vector<ChangeKind>& changes) {
  std::int64_t mask = 0;
  for (const ChangeKind kind : changes) mask |= std::int64_t{1} << number_of(kind);
  return mask;
}

void write_pairs(JsonWriter& json, const Comparison& comparison,
                 const EngineDifference& difference) {
  const std::vector<LayerPair>& pairs = difference.layers.pairs;
  Tick tick;
  for (const LayerPair& pair : pairs) {
    tick.add(pair.a_time);
    tick.add(pair.b_time);
  }
  json.key("pairs").begin_object().member("count", pairs.size()).member("tick_fs", tick.fs());
  Side(*comparison.engines[difference.base].model, &LayerPair::a, pairs).write(json, "a", pairs);
  Side(*comparison.engines[difference.engine].model, &LayerPair::b, pairs).write(json, "b", pairs);
  const auto column = [&](std::string_view name, std::int64_t usual, const auto& value) {
    write_column(json, name, pairs, usual, value);
  };
  const auto measures = [&](std::string_view name, const auto& value) {
    write_measures(json, name, pairs, value);
  };
  column("match", kNoEntry, [](const LayerPair& pair) { return number_of(pair.by); });
  column("certainty", 100,
         [](const LayerPair& pair) { return std::int64_t{std::llround(pair.certainty * 100)}; });
  column("cause", kNoEntry, [](const LayerPair& pair) { return number_of(pair.cause); });
  column("changes", 0, [](const LayerPair& pair) { return mask_of(pair.changes); });
  measures("a_time", [&](const LayerPair& pair) { return tick.ticks(pair.a_time); });
  measures("b_time", [&](const LayerPair& pair) { return tick.ticks(pair.b_time); });
  column("incomplete", 0, [](const LayerPair& pair) { return std::int64_t{!pair.delta}; });
  column("exceeds_noise", kNoEntry,
         [](const LayerPair& pair) { return number_of(pair.noise.changed); });
  column("noise", kNoEntry, [](const LayerPair& pair) { return number_of(pair.noise.source); });
  measures("low_ns", [](const LayerPair& pair) { return nanoseconds(pair.noise.low_ms); });
  measures("high_ns", [](const LayerPair& pair) { return nanoseconds(pair.noise.high_ms); });
  const model::PlanModel& a = *comparison.engines[difference.base].model;
  const model::PlanModel& b = *comparison.engines[difference.engine].model;
  if (analyze::have_accuracy(a, b)) {
    using Figure = std::optional<double> analyze::EndAccuracy::*;
    const auto loss = [&](std::string_view name, const model::PlanModel& model,
                          std::vector<LayerId> LayerPair::* layers, Figure figure) {
      measures(name, [&](const LayerPair& pair) {
        return thousandths(analyze::accuracy_of(model, pair.*layers).*figure);
      });
    };
    loss("a_simulated_mdb", a, &LayerPair::a, &analyze::EndAccuracy::simulated_db);
    loss("b_simulated_mdb", b, &LayerPair::b, &analyze::EndAccuracy::simulated_db);
    loss("a_engine_mdb", a, &LayerPair::a, &analyze::EndAccuracy::engine_db);
    loss("b_engine_mdb", b, &LayerPair::b, &analyze::EndAccuracy::engine_db);
  }
  json.end_object();
}

class EnginePairWriter {
 public:
  EnginePairWriter(JsonWriter& json, const ReportComparison& of)
      : json_(json), comparison_(*of.comparison), names_(comparison_, Names::kShort) {
    for (const EngineDifference& difference : comparison_.differences) all_.push_back(&difference);
    for (const EngineDifference& difference : of.engine_pairs) all_.push_back(&difference);
  }

  void write() {
    json_.key("engine_pairs").begin_array();
    for (const EngineDifference* forth : all_) {
      const EngineDifference* back = find(forth->engine, forth->base);
      if (forth->base >= forth->engine || back == nullptr) continue;
      json_.begin_object().member("a", forth->base).member("b", forth->engine);
      json_.key("directions").begin_array();
      write_way(*forth);
      write_way(*back);
      json_.end_array();
      write_pairs(json_, comparison_, *forth);
      json_.end_object();
    }
    json_.end_array();
  }

 private:
  const EngineDifference* find(std::size_t base, std::size_t engine) const {
    const auto found = std::ranges::find_if(all_, [&](const EngineDifference* difference) {
      return difference->base == base && difference->engine == engine;
    });
    return found == all_.end() ? nullptr : *found;
  }

  void write_way(const EngineDifference& difference) {
    json_.begin_object();
    write_members(json_, difference_fields(), difference, CompareContext{&comparison_, &names_});
    json_.end_object();
  }

  JsonWriter& json_;
  const Comparison& comparison_;
  LayerNames names_;
  std::vector<const EngineDifference*> all_;
};

class LedgerWriter {
 public:
  LedgerWriter(JsonWriter& json, const analyze::Ledger& ledger, StringTable& strings)
      : json_(json), ledger_(ledger), strings_(strings) {}

  void write() {
    json_.key("ledger").begin_object().member("count", ledger_.rows.size());
    json_.key("total_fs").begin_array();
    for (const auto& total : ledger_.totals) json_.value(total);
    json_.end_array();
    column("kind", 0, [](const analyze::LedgerRow& row) { return number_of(row.kind); });
    column("name", kNoEntry, [&](const analyze::LedgerRow& row) { return text(row.name); });
    column("type", kNoEntry, [&](const analyze::LedgerRow& row) { return text(row.type); });
    column("parameter", kNoEntry,
           [&](const analyze::LedgerRow& row) { return text(row.parameter); });
    json_.key("engines").begin_array();
    for (std::size_t engine = 0; engine < ledger_.totals.size(); ++engine) write_engine(engine);
    json_.end_array().end_object();
  }

 private:
  template <typename Value>
  void column(std::string_view name, std::int64_t usual, const Value& value) {
    write_column(json_, name, ledger_.rows, usual, value);
  }

  std::int64_t text(std::string_view text) {
    return text.empty() ? kNoEntry : static_cast<std::int64_t>(strings_.index_of(text));
  }

  void write_engine(std::size_t engine) {
    using analyze::LedgerCell;
    const auto cells = [&](std::string_view name, std::int64_t usual, const auto& value) {
      column(name, usual, [&](const analyze::LedgerRow& row) {
        const auto& cell = row.cells[engine];
        return cell ? value(row, *cell) : usual;
      });
    };
    // Most times are whole nanoseconds; what was split among several operations is not.
    const auto times = [&](std::string_view name, std::string_view rest, const auto& value) {
      const auto part = [&](std::string_view part_name, auto&& of) {
        write_measures(json_, part_name, ledger_.rows, [&](const analyze::LedgerRow& row) {
          const auto& cell = row.cells[engine];
          const std::optional<Femtoseconds> time = cell ? value(*cell) : std::nullopt;
          return time ? of(*time) : std::nullopt;
        });
      };
      part(name, [](Femtoseconds time) { return std::optional(time / kNanosecond); });
      part(rest, [](Femtoseconds time) {
        return time % kNanosecond == 0 ? std::nullopt : std::optional(time % kNanosecond);
      });
    };
    json_.begin_object();
    // 0: the engine does not have it.
    column("layers", 1, [&](const analyze::LedgerRow& row) {
      const auto& cell = row.cells[engine];
      return cell ? cell->layer_count : 0;
    });
    times("time_ns", "time_fs", [](const LedgerCell& cell) { return cell.time; });
    times("reformats_ns", "reformats_fs", [](const LedgerCell& cell) {
      return cell.reformat_time == 0 ? std::nullopt : std::optional(cell.reformat_time);
    });
    cells("spread", number_of(analyze::ShareRule::kSole),
          [](const analyze::LedgerRow&, const LedgerCell& cell) { return number_of(cell.rule); });
    cells("name", kNoEntry, [&](const analyze::LedgerRow& row, const LedgerCell& cell) {
      return cell.name == row.name ? kNoEntry : text(cell.name);
    });
    json_.end_object();
  }

  JsonWriter& json_;
  const analyze::Ledger& ledger_;
  StringTable& strings_;
};

}  // namespace

void write_compare_data(JsonWriter& json, const ReportComparison& of) {
  const Comparison& comparison = *of.comparison;
  json.begin_object();
  write_members(json, report_comparison_head_fields(), comparison);
  EnginePairWriter(json, of).write();
  StringTable strings;
  LedgerWriter(json, comparison.ledger, strings).write();
  strings.write(json);
  write_members(json, report_comparison_tail_fields(), comparison);
  json.end_object();
}

}  // namespace planex::render
