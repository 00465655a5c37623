// Loading, completing and summing up inside one process, over the generated engines of
// PLANEX_BENCH_DATA (tools/bench.sh makes them and sets it).
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "analyze/complete/complete.h"
#include "analyze/summary/summary.h"
#include "base/files.h"
#include "ingest/discover/load.h"

namespace planex {
namespace {

// "…/layers-1000": the folder of one engine.
std::string engine_path(std::int64_t layers) {
  const char* folder = std::getenv("PLANEX_BENCH_DATA");
  return base::join_path(folder == nullptr ? "build/bench/data" : folder,
                         "layers-" + std::to_string(layers));
}

// Null, and the benchmark marked as failed, where the engine can't be loaded.
std::optional<model::PlanModel> load(benchmark::State& state) {
  auto model = ingest::load({.path = engine_path(state.range(0))}, base::disk());
  if (model) return std::move(*model);
  state.SkipWithError(model.error().message.c_str());
  return std::nullopt;
}

void BM_Load(benchmark::State& state) {
  for (auto _ : state) {
    auto model = load(state);
    if (!model) break;
    benchmark::DoNotOptimize(*model);
    state.PauseTiming();
    model.reset();
    state.ResumeTiming();
  }
}

void BM_Complete(benchmark::State& state) {
  for (auto _ : state) {
    state.PauseTiming();
    auto model = load(state);
    if (!model) break;
    state.ResumeTiming();
    analyze::complete(*model);
    state.PauseTiming();
    model.reset();
    state.ResumeTiming();
  }
}

void BM_Summarize(benchmark::State& state) {
  auto model = load(state);
  if (!model) return;
  analyze::complete(*model);
  for (auto _ : state) benchmark::DoNotOptimize(analyze::summarize(*model));
}

constexpr std::int64_t kSmall = 1'000, kMedium = 10'000, kLarge = 100'000;
BENCHMARK(BM_Load)->Arg(kSmall)->Arg(kMedium)->Arg(kLarge)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Complete)->Arg(kSmall)->Arg(kMedium)->Arg(kLarge)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Summarize)->Arg(kSmall)->Arg(kMedium)->Arg(kLarge)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace planex

BENCHMARK_MAIN();
