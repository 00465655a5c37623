// Aligns two engines and compares the pairs with the truth, for bench/align_part.py.
//
//   align_bench A.graph.json B.graph.json TRUTH.json|- RULE HIDDEN RUNS
//
// RULE is best, exact-shapes or first-shapes. HIDDEN is none, sources, numbers or names (see
// align_truth.h). Prints one JSON object.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>

#include "align_truth.h"
#include "analyze/align/alignment.h"
#include "analyze/complete/complete.h"
#include "base/files.h"
#include "ingest/discover/load.h"

namespace {

namespace analyze = planex::analyze;
namespace model = planex::model;

planex::Result<model::PlanModel> load(const char* path) {
  planex::ingest::LoadRequest request;
  request.path = path;
  auto loaded = planex::ingest::load(request, planex::base::disk());
  if (!loaded) return loaded;
  analyze::complete(*loaded);
  return loaded;
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
  planex::bench::hide(*a, argv[5]);
  planex::bench::hide(*b, argv[5]);
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

  planex::bench::Truth truth;
  const bool is_judged = std::string_view(argv[3]) != "-";
  if (is_judged) truth = planex::bench::read_truth(argv[3], *a, *b);
  const bool lists_wrong = is_judged && std::getenv("ALIGN_BENCH_WRONG") != nullptr;
  const planex::bench::Counts counts = planex::bench::judge(
      alignment, truth, [&](const analyze::Match& match, const planex::bench::LayerPair& pair) {
        if (!lists_wrong) return;
        std::fprintf(stderr, "wrong: %zu %zu by %s\n", static_cast<std::size_t>(pair.first),
                     static_cast<std::size_t>(pair.second),
                     std::string(analyze::to_string(match.by)).c_str());
      });
  std::size_t by[5] = {};
  for (const analyze::Match& match : alignment.matches) ++by[static_cast<std::size_t>(match.by)];
  std::printf(
      "{\"ms\": %.3f, \"cpu_ms\": %.3f, \"layers_a\": %zu, \"layers_b\": %zu, \"truth_pairs\": "
      "%zu, \"found\": %zu, "
      "\"right\": %zu, \"undecided\": %zu, \"wrong\": %zu, \"by\": {\"source\": %zu, \"name\": "
      "%zu, "
      "\"shape\": %zu, \"order\": %zu, \"none\": %zu}}\n",
      min_ms, min_cpu_ms, a->layers.row_count(), b->layers.row_count(), truth.pairs.size(),
      counts.found, counts.right, counts.undecided, counts.wrong, by[0], by[1], by[2], by[3],
      by[4]);
  return 0;
}
