// Aligns two engines and compares the pairs with the truth, for bench/align_part.py.
//
//   align_bench A.graph.json B.graph.json TRUTH.json|- RULE HIDDEN RUNS
//
// RULE is best, exact-shapes or first-shapes. HIDDEN is none, sources (as if the engines did not
// tell what they stem from) or names (nor what their layers are called). Prints one JSON object.
// TRUTH.json says which records are which: {"runs": [[a, b, length]], "changes": [{"a", "b",
// "matched"}]}. A pair within one change (a fused layer and one of its parts) is neither right nor
// wrong.
#include <simdjson.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyze/align/alignment.h"
#include "analyze/complete.h"
#include "base/files.h"
#include "ingest/load.h"

namespace {

namespace analyze = planex::analyze;
namespace model = planex::model;
using Pair = std::pair<std::uint64_t, std::uint64_t>;

struct Truth {
  std::set<Pair> pairs, undecided;
};

Truth read_truth(const char* path, const model::PlanModel& a, const model::PlanModel& b) {
  Truth truth;
  simdjson::dom::parser parser;
  const simdjson::dom::element document = parser.load(path);
  const auto add = [&](std::uint64_t x, std::uint64_t y) {
    const model::LayerId in_a(x), in_b(y);
    if (a.does_work(in_a) && b.does_work(in_b)) truth.pairs.emplace(x, y);
  };
  for (const simdjson::dom::element run : document["runs"].get_array()) {
    const std::uint64_t x = run.at(0), y = run.at(1), length = run.at(2);
    for (std::uint64_t step = 0; step < length; ++step) add(x + step, y + step);
  }
  for (const simdjson::dom::element change : document["changes"].get_array()) {
    for (const std::uint64_t x : change["a"].get_array()) {
      for (const std::uint64_t y : change["b"].get_array()) truth.undecided.emplace(x, y);
    }
    simdjson::dom::array matched;
    if (change["matched"].get_array().get(matched) == simdjson::SUCCESS) {
      add(matched.at(0).get_uint64(), matched.at(1).get_uint64());
    }
  }
  return truth;
}

planex::Result<model::PlanModel> load(const char* path) {
  planex::ingest::LoadRequest request;
  request.path = path;
  auto loaded = planex::ingest::load(request, planex::base::disk());
  if (!loaded) return loaded;
  analyze::complete(*loaded);
  return loaded;
}

void hide(model::PlanModel& engine, std::string_view what) {
  if (what == "none") return;
  for (std::size_t row = 0; row < engine.sources.row_count(); ++row) {
    engine.sources.op_name.set(row, planex::base::StringId());
  }
  for (std::size_t row = 0; row < engine.layers.row_count(); ++row) {
    // A converting layer is called after its operation.
    engine.layers.name.set(row,
                           what == "names" ? planex::base::StringId() : engine.layers.name[row]);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 7) {
    std::fprintf(stderr, "usage: align_bench A B TRUTH RULE HIDDEN RUNS\n");
    return 2;
  }
  auto a = load(argv[1]), b = load(argv[2]);
  if (!a || !b) {
    std::fprintf(stderr, "align_bench: %s\n", (a ? b : a).error().message.c_str());
    return 3;
  }
  const std::string_view rule_name = argv[4];
  const analyze::AlignRule rule = rule_name == "exact-shapes"   ? analyze::AlignRule::kExactShapes
                                  : rule_name == "first-shapes" ? analyze::AlignRule::kFirstShapes
                                                                : analyze::AlignRule::kBest;
  hide(*a, argv[5]);
  hide(*b, argv[5]);
  double min_ms = 0, min_cpu_ms = 0;
  analyze::Alignment alignment;
  for (int run = 0; run < std::max(1, std::atoi(argv[6])); ++run) {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t cpu_start = std::clock();
    alignment = analyze::align(*a, *b, rule);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    const double cpu_ms = 1e3 * static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC;
    min_ms = run == 0 ? took.count() : std::min(min_ms, took.count());
    min_cpu_ms = run == 0 ? cpu_ms : std::min(min_cpu_ms, cpu_ms);
  }

  Truth truth;
  const bool is_judged = std::string_view(argv[3]) != "-";
  if (is_judged) truth = read_truth(argv[3], *a, *b);
  std::size_t found = 0, right = 0, undecided = 0;
  std::size_t by[5] = {};
  for (const analyze::Match& match : alignment.matches) {
    ++by[static_cast<std::size_t>(match.by)];
    for (const model::LayerId x : match.a) {
      for (const model::LayerId y : match.b) {
        const Pair pair(x.index(), y.index());
        ++found;
        if (truth.pairs.contains(pair)) {
          ++right;
        } else if (truth.undecided.contains(pair)) {
          ++undecided;
        } else if (is_judged && std::getenv("ALIGN_BENCH_WRONG") != nullptr) {
          std::fprintf(stderr, "wrong: %zu %zu by %s\n", x.index(), y.index(),
                       std::string(analyze::to_string(match.by)).c_str());
        }
      }
    }
  }
  std::printf(
      "{\"ms\": %.3f, \"cpu_ms\": %.3f, \"layers_a\": %zu, \"layers_b\": %zu, \"truth_pairs\": "
      "%zu, \"found\": %zu, "
      "\"right\": %zu, \"undecided\": %zu, \"wrong\": %zu, \"by\": {\"source\": %zu, \"name\": "
      "%zu, "
      "\"shape\": %zu, \"order\": %zu, \"none\": %zu}}\n",
      min_ms, min_cpu_ms, a->layers.row_count(), b->layers.row_count(), truth.pairs.size(), found,
      right, undecided, found - right - undecided, by[0], by[1], by[2], by[3], by[4]);
  return 0;
}
