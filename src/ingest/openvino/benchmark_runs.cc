#include "ingest/openvino/benchmark_runs.h"

#include <algorithm>

#include "base/text.h"
#include "ingest/openvino/benchmark_lines.h"
#include "ingest/openvino/counter_table.h"
#include "ingest/shown_run.h"

namespace planex::ingest::openvino {
namespace {

using base::format;

// What has been found since the run began.
class RunSplitter {
 public:
  // Whether the line begins another run.
  bool begins_another(std::string_view text, BenchmarkRun& run) {
    const bool is_another = begins(text);
    if (is_another) {
      *this = {};
      run = {};
    }
    look(text, run);
    return is_another;
  }

 private:
  // "Performance counts for 0-th infer request", "performance counts:" of programs with one.
  static bool is_first_request(std::string_view text) {
    return (text.find(" 0-th infer request") != text.npos &&
            base::contains_ignoring_case(text, "performance counts ")) ||
           base::lower(text) == "performance counts:";
  }

  bool begins(std::string_view text) const {
    if (text.starts_with(kFirstStep)) return has_step_ || has_throughput_ || !first_layer_.empty();
    if (text.starts_with("Count:")) return has_throughput_;
    if (is_first_request(text)) return has_request_;
    if (!is_after_total_ || has_heading_) return false;
    const auto row = parse_counter_row(text);
    return row && !first_layer_.empty() && row->name != first_layer_;
  }

  void look(std::string_view text, BenchmarkRun& run) {
    if (text.starts_with("[Step ")) has_step_ = true;
    if (base::contains_ignoring_case(text, "performance counts")) has_heading_ = true;
    if (is_first_request(text)) has_request_ = true;
    if (text.starts_with("Total time:") && !first_layer_.empty()) {
      is_after_total_ = true;
      has_heading_ = false;
    } else if (const auto value = value_behind(text, "Throughput:"); value.ends_with(" FPS")) {
      has_throughput_ = true;
      run.throughput = value;
    } else if (const auto median = value_behind(text, "Median:"); median.ends_with(" ms")) {
      if (run.median.empty()) run.median = median;
    } else if (const auto row = parse_counter_row(text)) {
      if (first_layer_.empty()) first_layer_ = row->name;
      is_after_total_ = false;
      run.has_layers = true;
    }
  }

  static std::string_view value_behind(std::string_view text, std::string_view key) {
    return text.starts_with(key) ? base::trimmed(text.substr(key.size())) : std::string_view();
  }

  bool has_step_ = false, has_request_ = false, has_throughput_ = false;
  bool has_heading_ = false, is_after_total_ = false;
  std::string_view first_layer_;
};

}  // namespace

std::vector<BenchmarkRun> find_benchmark_runs(std::string_view text) {
  std::vector<BenchmarkRun> runs(1);
  runs.back().end = text.size();
  RunSplitter splitter;
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    ++number;
    const std::size_t line_end = std::min(text.find('\n', at), text.size());
    BenchmarkRun next = runs.back();
    if (splitter.begins_another(untagged(text.substr(at, line_end - at)), next)) {
      runs.back().end = at;
      next.begin = at;
      next.end = text.size();
      next.first_line = number;
      runs.push_back(next);
    } else {
      runs.back() = next;
    }
    at = line_end + 1;
  }
  return runs;
}

std::size_t default_benchmark_run(const std::vector<BenchmarkRun>& runs) {
  for (std::size_t i = runs.size(); i-- > 0;) {
    if (runs[i].has_layers) return i;
  }
  return runs.size() - 1;
}

void add_benchmark_runs(const std::vector<BenchmarkRun>& runs, std::size_t shown,
                        const Artefact& artefact, model::ModelBuilder& builder) {
  if (runs.size() < 2) return;
  constexpr std::size_t kMaxListed = 200;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (i >= kMaxListed && i != shown) continue;
    const std::string section = format("run {}", i + 1);
    const auto add = [&](std::string_view key, std::string_view value) {
      if (!value.empty()) builder.add_metadata(section, key, value, artefact.path);
    };
    add("line", format("{}", runs[i].first_line));
    if (i == shown) add("shown", "yes");
    add("median ms", runs[i].median.substr(0, runs[i].median.find(' ')));
    add("throughput", runs[i].throughput.substr(0, runs[i].throughput.find(' ')));
  }
  report_shown_run({.count = runs.size(),
                    .shown = shown,
                    .first_line = runs[shown].first_line,
                    .begin = runs[shown].begin},
                   artefact, builder);
}

}  // namespace planex::ingest::openvino
