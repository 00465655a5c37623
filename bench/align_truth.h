// What of an alignment is right, for align_bench.cc and the tests: pairs of engines with the truth
// about them, written by make_engine.py.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "analyze/align/alignment.h"
#include "model/plan_model.h"

namespace planex::bench {

using LayerPair = std::pair<std::uint64_t, std::uint64_t>;

struct Truth {
  std::set<LayerPair> pairs;
  // Pairs within one change, such as a fused layer and one of its parts: neither right nor wrong.
  std::set<LayerPair> undecided;
};

// {"runs": [[a, b, length]], "changes": [{"a": [...], "b": [...]}]}, indices of records.
inline Truth read_truth(const std::string& path, const model::PlanModel& a,
                        const model::PlanModel& b) {
  Truth truth;
  simdjson::dom::parser parser;
  const simdjson::dom::element document = parser.load(path);
  for (const simdjson::dom::element run : document["runs"].get_array()) {
    const std::uint64_t x = run.at(0), y = run.at(1), length = run.at(2);
    for (std::uint64_t step = 0; step < length; ++step) {
      const model::LayerId in_a(x + step), in_b(y + step);
      if (a.does_work(in_a) && b.does_work(in_b)) truth.pairs.emplace(x + step, y + step);
    }
  }
  for (const simdjson::dom::element change : document["changes"].get_array()) {
    for (const std::uint64_t x : change["a"].get_array()) {
      for (const std::uint64_t y : change["b"].get_array()) truth.undecided.emplace(x, y);
    }
  }
  return truth;
}

struct Counts {
  std::size_t right = 0, wrong = 0, undecided = 0, found = 0;
};

template <typename Report>
Counts judge(const analyze::Alignment& alignment, const Truth& truth, Report report_wrong) {
  Counts counts;
  for (const analyze::Match& match : alignment.matches) {
    for (const model::LayerId x : match.a) {
      for (const model::LayerId y : match.b) {
        const LayerPair pair(x.index(), y.index());
        ++counts.found;
        if (truth.pairs.contains(pair)) {
          ++counts.right;
        } else if (truth.undecided.contains(pair)) {
          ++counts.undecided;
        } else {
          ++counts.wrong;
          report_wrong(match, pair);
        }
      }
    }
  }
  return counts;
}

inline Counts judge(const analyze::Alignment& alignment, const Truth& truth) {
  return judge(alignment, truth, [](const analyze::Match&, const LayerPair&) {});
}

// Makes the engine say less: "none" hides nothing; "sources" what layers stem from; "names" that
// and what they are called; "numbers" calls all by numbers that each engine counts up for itself,
// as two exports of one model may.
inline void hide(model::PlanModel& engine, std::string_view what) {
  if (what == "none") return;
  const auto numbered = [&](std::string_view word, std::size_t number) {
    return engine.strings.add(std::string(word) + "_" + std::to_string(number));
  };
  const bool counts = what == "numbers";
  for (std::size_t row = 0; row < engine.sources.row_count(); ++row) {
    const std::string_view name = engine.text(engine.sources.op_name[row]);
    const std::string_view word = name.substr(name.rfind('/') + 1);
    engine.sources.op_name.set(row, counts ? numbered(word, row) : base::StringId());
  }
  for (std::size_t row = 0; row < engine.layers.row_count(); ++row) {
    if (what == "sources") continue;
    engine.layers.name.set(
        row, counts ? numbered(engine.text(engine.layers.type[row]), row) : base::StringId());
  }
}

}  // namespace planex::bench
