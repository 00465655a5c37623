// The runs of benchmark_app in one text: a script appends to one log, or people paste the output of
// two runs.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "ingest/reader.h"

namespace planex::ingest::openvino {

struct BenchmarkRun {
  std::size_t begin = 0, end = 0;  // bytes of the text
  std::size_t first_line = 1;
  bool has_layers = false;
  std::string_view median, throughput;  // "13.51 ms", "1731.29 FPS"; empty if there is none
};

// At least one. A new run begins with a first step after later ones, with a count of iterations
// after a throughput, with a second table of the first infer request, and, without headings, with a
// table whose first layer is a different one.
// Cost: O(size).
std::vector<BenchmarkRun> find_benchmark_runs(std::string_view text);

// The one that is shown by default: the last of those with layers, otherwise the last.
std::size_t default_benchmark_run(const std::vector<BenchmarkRun>& runs);

// Adds what `planex doctor` lists about them, and the diagnostic `several-runs`; nothing for one
// run.
void add_benchmark_runs(const std::vector<BenchmarkRun>& runs, std::size_t shown,
                        const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::openvino
