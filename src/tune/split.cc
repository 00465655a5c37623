#include "tune/split.h"

#include <algorithm>

#include "base/text.h"
#include "base/try.h"

namespace planex::tune {
namespace {

// Out of this many samples.
std::size_t held_back_of(std::size_t all, const SplitRequest& request) {
  constexpr std::size_t kPart = 4;
  const std::size_t calibration = std::min(all, request.calibration_limit);
  if (all < calibration + std::min(request.judge_limit, all / kPart)) return all / kPart;
  return std::min(all - calibration, request.judge_limit);
}

void hold_back(const SplitRequest& request, Split& split) {
  const std::size_t all = split.data.sample_count;
  const std::size_t others = all - split.data.held_back_count;
  split.calibration.count = std::min(others, request.calibration_limit);
  split.judge = {.folder = split.data.folder, .first = others, .count = split.data.held_back_count};
  if (split.judge.count > 0) {
    split.notes.push_back(
        split.data.block_count == 1
            ? std::string("judged on the last samples of the data, which were not used for "
                          "calibration")
            : base::format("judged on samples that were not used for calibration: the ends of {} "
                           "blocks of the data",
                           split.data.block_count));
    return;
  }
  split.notes.push_back(base::format(
      "too few samples ({}) to hold some back: the model is not judged, and scales may fit only "
      "these samples",
      all));
}

}  // namespace

Result<Split> load_split(const SplitRequest& request, const std::vector<ModelInput>& inputs,
                         const Workshop& workshop) {
  Split split;
  DataRequest wanted = request.data;
  const bool holds_back = request.is_judged && !request.judge_data;
  if (wanted.limit == 0) {
    wanted.limit = request.calibration_limit + (holds_back ? request.judge_limit : 0);
  }
  if (holds_back) {
    wanted.held_back = [&](std::size_t all) { return held_back_of(all, request); };
  }
  PLANEX_ASSIGN(split.data, load_data(wanted, inputs, "samples", workshop));
  split.calibration = {.folder = split.data.folder,
                       .count = std::min(split.data.sample_count, request.calibration_limit)};
  if (request.judge_data) {
    PLANEX_ASSIGN(const Data judge,
                  load_data(*request.judge_data, inputs, "judge_samples", workshop));
    split.judge = {.folder = judge.folder,
                   .count = std::min(judge.sample_count, request.judge_limit)};
  } else if (holds_back) {
    hold_back(request, split);
  }
  split.notes.insert(split.notes.end(), split.data.notes.begin(), split.data.notes.end());
  return split;
}

}  // namespace planex::tune
