#include "ingest/discover/run_units.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/text.h"

namespace planex::ingest {
namespace {

using base::format;

// Two medians of the same run: the log's and that of its own times. Both are about the same
// samples, but one may skip some that the other has.
constexpr double kSameMedian = 0.1;
// Σ layers of one engine over its inference time: profiling slows a small engine down, and a
// pipelined one is faster than its layers.
constexpr double kMinSum = 1.0 / 3, kMaxSum = 3;
// How far these ratios differ between several runs of one engine.
constexpr double kSumsApart = 1.5;

// The time of a document divided by that of a run; null if one is unknown.
std::optional<double> ratio_to_run(const RunDocument& document,
                                   const std::optional<double>& run_ms) {
  if (!document.time_ms || !run_ms || *run_ms <= 0 || *document.time_ms <= 0) return std::nullopt;
  return *document.time_ms / *run_ms;
}

bool part_agrees(Part part, double ratio) {
  if (part == Part::kTimes) return std::abs(ratio - 1) <= kSameMedian;
  return ratio >= kMinSum && ratio <= kMaxSum;
}

// Whether all documents can belong to their runs; documents and runs without a time are ignored.
bool all_agree(const UnitFile& file, std::span<const std::size_t> runs_of,
               const MeasuredRuns& runs) {
  double least = 0, greatest = 0;
  for (std::size_t i = 0; i < file.documents.size(); ++i) {
    const auto ratio = ratio_to_run(file.documents[i], runs.runs[runs_of[i]].median_ms);
    if (!ratio) continue;
    if (!part_agrees(file.part, *ratio)) return false;
    least = least == 0 ? *ratio : std::min(least, *ratio);
    greatest = std::max(greatest, *ratio);
  }
  return least == 0 || greatest <= least * kSumsApart;
}

// The documents sorted by time, each with the run of the same rank; empty if a time is missing or
// two are so close that the order means nothing.
std::vector<std::size_t> ranked(const UnitFile& file, std::span<const std::size_t> candidates,
                                const MeasuredRuns& runs) {
  constexpr double kApart = 1.05;
  const auto order_of = [](std::size_t count, auto time_of) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, time_of);
    for (std::size_t i = 1; i < count; ++i) {
      if (time_of(order[i]) < time_of(order[i - 1]) * kApart) return std::vector<std::size_t>();
    }
    return order;
  };
  const std::size_t count = file.documents.size();
  const auto document_ms = [&](std::size_t i) { return file.documents[i].time_ms.value_or(0); };
  const auto run_ms = [&](std::size_t i) { return runs.runs[candidates[i]].median_ms.value_or(0); };
  for (std::size_t i = 0; i < count; ++i) {
    if (document_ms(i) <= 0 || run_ms(i) <= 0) return {};
  }
  const std::vector<std::size_t> documents = order_of(count, document_ms);
  const std::vector<std::size_t> by_time = order_of(count, run_ms);
  if (documents.size() != count || by_time.size() != count) return {};
  std::vector<std::size_t> runs_of(count);
  for (std::size_t i = 0; i < count; ++i) runs_of[documents[i]] = candidates[by_time[i]];
  return runs_of;
}

// The runs that wrote such a file, otherwise all that measured.
std::vector<std::size_t> writers(Part part, const MeasuredRuns& runs) {
  std::vector<std::size_t> found, measured;
  for (std::size_t i = 0; i < runs.runs.size(); ++i) {
    const MeasuredRun& run = runs.runs[i];
    if (part == Part::kProfile ? run.exports_profile : run.exports_times) found.push_back(i);
    if (run.median_ms) measured.push_back(i);
  }
  return found.empty() ? measured : found;
}

// The only document whose time fits the run, and fits no other run as well.
std::optional<std::size_t> only_fitting(const UnitFile& file, std::size_t shown,
                                        const MeasuredRuns& runs) {
  const auto fits = [&](const RunDocument& document, std::size_t run) {
    const auto ratio = ratio_to_run(document, runs.runs[run].median_ms);
    // A sum of layers fits many runs roughly: it has to be closer.
    return ratio && std::abs(*ratio - 1) <= (file.part == Part::kTimes ? kSameMedian : 0.3);
  };
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < file.documents.size(); ++i) {
    if (!fits(file.documents[i], shown)) continue;
    if (found) return std::nullopt;
    found = i;
  }
  if (!found) return std::nullopt;
  for (std::size_t run = 0; run < runs.runs.size(); ++run) {
    if (run != shown && fits(file.documents[*found], run)) return std::nullopt;
  }
  return found;
}

// A file that was not appended to may belong to any run: what contradicts the one shown, or empty.
std::string contradiction(const UnitFile& file, std::size_t shown, const MeasuredRuns& runs) {
  const auto ratio = ratio_to_run(file.documents[0], runs.runs[shown].median_ms);
  if (!ratio) return {};
  std::optional<std::size_t> closest;
  double least = std::abs(std::log(*ratio));
  for (std::size_t run = 0; run < runs.runs.size(); ++run) {
    const auto other = ratio_to_run(file.documents[0], runs.runs[run].median_ms);
    if (run == shown || !other || !part_agrees(file.part, *other)) continue;
    if (std::abs(std::log(*other)) < least) {
      least = std::abs(std::log(*other));
      closest = run;
    }
  }
  // A sum of layers far from the inference time may still belong to it, unless it fits another run.
  const bool is_close = file.part == Part::kProfile && part_agrees(file.part, *ratio) &&
                        (!closest || std::abs(*ratio - 1) <= 0.5);
  if (is_close || (file.part == Part::kTimes && part_agrees(file.part, *ratio))) return {};
  return format(
      "{} {:.6g} ms, but run {} of the log has {:.6g} ms{}",
      file.part == Part::kTimes ? "its inferences have a median of" : "its layers add up to",
      *file.documents[0].time_ms, shown + 1, *runs.runs[shown].median_ms,
      closest ? format("; run {} has {:.6g} ms, and --run {} shows both", *closest + 1,
                       *runs.runs[*closest].median_ms, *closest + 1)
              : std::string());
}

void pair_with_log(UnitFile& file, std::size_t shown, const MeasuredRuns& runs) {
  const std::size_t count = file.documents.size();
  const std::vector<std::size_t> candidates = writers(file.part, runs);
  const auto take = [&](std::span<const std::size_t> runs_of, std::string_view how) {
    const auto found = std::ranges::find(runs_of, shown);
    file.document.reset();
    if (found == runs_of.end()) {
      file.reason = format("run {} of the log wrote none of its {} documents", shown + 1, count);
      return;
    }
    file.document = static_cast<std::size_t>(found - runs_of.begin());
    file.reason =
        format("document {} of {}, from run {} {}", *file.document + 1, count, shown + 1, how);
  };
  if (count == 1) {
    file.reason = contradiction(file, shown, runs);
    file.document = file.reason.empty() ? std::optional<std::size_t>(0) : std::nullopt;
    return;
  }
  if (candidates.size() == count) {
    if (all_agree(file, candidates, runs)) return take(candidates, "by their order");
    const std::vector<std::size_t> by_time = ranked(file, candidates, runs);
    if (!by_time.empty() && all_agree(file, by_time, runs)) return take(by_time, "by its time");
  }
  file.document = only_fitting(file, shown, runs);
  file.reason =
      file.document
          ? format("document {} of {}, from run {} by its time", *file.document + 1, count,
                   shown + 1)
          : format(
                "it has {} documents and the log {}: which one belongs to run {} can't be "
                "determined",
                count, base::counted(runs.runs.size(), "run"), shown + 1);
}

// Without a log: files with the same number of documents come from the same runs.
Result<void> pair_without_log(std::optional<std::int64_t> asked, std::span<UnitFile> files) {
  std::size_t most = 1;
  for (const UnitFile& file : files) most = std::max(most, file.documents.size());
  if (asked && (*asked < 1 || static_cast<std::size_t>(*asked) > most)) {
    return fail(
        {.code = ErrorCode::kUsage,
         .message = format("--run {}: the files have {}", *asked, base::counted(most, "run")),
         .hint = "runs are counted from 1, in the order of a file's documents"});
  }
  const std::size_t shown = asked ? static_cast<std::size_t>(*asked) - 1 : most - 1;
  std::optional<double> shown_ms;
  for (UnitFile& file : files) {
    if (file.documents.size() != most || most == 1) continue;
    file.document = shown;
    file.reason = format("document {} of {}{}", shown + 1, most,
                         asked ? "" : ", the last; --run N shows another");
    const auto ms = file.documents[shown].time_ms;
    if (ms && (!shown_ms || file.part == Part::kTimes)) shown_ms = ms;
  }
  for (UnitFile& file : files) {
    if (file.documents.size() == most) continue;
    const MeasuredRuns run{.runs = {{.median_ms = shown_ms}}};
    file.document = only_fitting(file, 0, run);
    if (file.document) {
      file.reason =
          format("document {} of {}, by its time", *file.document + 1, file.documents.size());
    } else {
      file.reason = format(
          "it has {} and another file {}: which one belongs to run {} can't be "
          "determined",
          base::counted(file.documents.size(), "document"), most, shown + 1);
    }
  }
  return {};
}

}  // namespace

Result<void> pair_documents(const MeasuredRuns& runs, std::optional<std::int64_t> asked,
                            std::span<UnitFile> files) {
  if (runs.runs.empty()) return pair_without_log(asked, files);
  const std::size_t shown =
      asked && *asked >= 1 ? static_cast<std::size_t>(*asked) - 1 : runs.shown;
  // The log's reader reports what is wrong with the number.
  if (shown >= runs.runs.size()) return {};
  for (UnitFile& file : files) {
    if (runs.runs.size() > 1 || file.documents.size() > 1) pair_with_log(file, shown, runs);
  }
  return {};
}

}  // namespace planex::ingest
