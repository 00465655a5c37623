// Loading an engine and nothing else, as a whole process: discover, read, complete, summarize.
//
//   load_engine PATH [phases]     with `phases`: the time of each on stderr
#include <chrono>
#include <cstdio>
#include <string_view>
#include <utility>

#include "analyze/complete/complete.h"
#include "analyze/summary/summary.h"
#include "base/files.h"
#include "ingest/discover/load.h"

namespace {

class Stopwatch {
 public:
  explicit Stopwatch(bool talks) : talks_(talks) {}
  void lap(const char* phase) {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double, std::milli> took = now - last_;
    if (talks_) std::fprintf(stderr, "%-10s %8.1f ms\n", phase, took.count());
    last_ = now;
  }

 private:
  bool talks_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: load_engine PATH [phases]\n");
    return 2;
  }
  Stopwatch stopwatch(argc > 2 && std::string_view(argv[2]) == "phases");
  auto model = planex::ingest::load({.path = argv[1]}, planex::base::disk());
  if (!model) {
    std::fprintf(stderr, "load_engine: %s\n", model.error().message.c_str());
    return 3;
  }
  stopwatch.lap("load");
  planex::analyze::Reconciliation time = planex::analyze::complete(*model);
  stopwatch.lap("complete");
  const planex::analyze::Summary summary = planex::analyze::summarize(*model, std::move(time));
  stopwatch.lap("summarize");
  std::printf("%lld layers, %zu attributes\n", static_cast<long long>(summary.layer_count),
              model->attributes.row_count());
  return 0;
}
