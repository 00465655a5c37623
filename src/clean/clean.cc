#include "clean/clean.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "onnx/links.h"
#include "onnx/read.h"
#include "onnx/upgrade.h"
#include "onnx/values.h"

namespace planex::clean {
namespace {

// Before this opset, arithmetic broadcast by attributes, and BatchNormalization could be spatial.
constexpr std::int64_t kFirstOpset = 9;
// Each round reads the file that the one before wrote; shapes that became known let passes find
// more. Real models need two or three.
constexpr int kMaxRounds = 8;
constexpr int kMaxTurns = 32;
// By how much folded constants may grow a file: some KiB, or a sixteenth of it.
constexpr std::int64_t kMinRoomBytes = 64 * 1024;
constexpr std::int64_t kRoomShare = 16;

Result<std::vector<const Pass*>> chosen_passes(const CleanOptions& options) {
  const auto all = all_passes();
  std::vector<std::string_view> names;
  for (const Pass& pass : all) names.push_back(pass.id);
  for (const auto* list : {&options.only, &options.skipped}) {
    for (const std::string& name : *list) {
      if (std::ranges::find(names, name) != names.end()) continue;
      return fail(ErrorCode::kUsage, base::format("there is no pass {}", base::quoted(name)),
                  base::format("passes: {}", base::join_words(names)));
    }
  }
  std::vector<const Pass*> passes;
  for (const Pass& pass : all) {
    const bool is_asked = options.only.empty() || contains(options.only, pass.id);
    if (is_asked && !contains(options.skipped, pass.id)) passes.push_back(&pass);
  }
  return passes;
}

std::size_t node_count(const onnx::Model& model) {
  const auto nodes = model.nodes_of(model.graphs.front());
  return static_cast<std::size_t>(std::ranges::count_if(nodes, [](const onnx::Node& node) {
    return node.op_type != "Constant" || !onnx::is_default_domain(node.domain);
  }));
}

// A model and what is derived from its bytes.
struct Reading {
  onnx::Model model;
  onnx::Links links;
  onnx::Values values;

  Reading(onnx::Model read, std::string_view bytes, const base::FileSource& files,
          const std::string& folder)
      : model(std::move(read)), links(model), values(bytes, model, files, folder) {}
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;
};

class Cleaner {
 public:
  Cleaner(std::string_view file, const base::FileSource& files, const std::string& folder,
          std::vector<const Pass*> passes)
      : now_(file), files_(files), folder_(folder), passes_(std::move(passes)) {
    steps_.resize(passes_.size());
  }

  Result<Cleaned> run(const CleanOptions& options) {
    result_.bytes_before = now_.size();
    PLANEX_ASSIGN(onnx::Model model, onnx::read_model(now_));
    result_.opset_before = model.graphs.front().opset;
    result_.nodes_before = node_count(model);
    if (result_.opset_before < kFirstOpset) {
      return fail(ErrorCode::kUnsupported,
                  base::format("the model has opset {}; planex simplifies models from opset {} on",
                               result_.opset_before, kFirstOpset),
                  "export it at a newer opset");
    }
    if (options.opset && *options.opset > result_.opset_before) {
      PLANEX_TRY(raise(std::move(model), *options.opset));
    }
    room_ =
        std::max<std::int64_t>(kMinRoomBytes, static_cast<std::int64_t>(now_.size()) / kRoomShare);
    for (int round = 0; round < kMaxRounds; ++round) {
      PLANEX_ASSIGN(const bool has_changed, run_round());
      if (!has_changed) break;
    }
    PLANEX_ASSIGN(const onnx::Model last, onnx::read_model(now_));
    result_.opset = last.graphs.front().opset;
    result_.nodes = node_count(last);
    for (Step& step : steps_) {
      if (step.count > 0) result_.steps.push_back(std::move(step));
    }
    if (is_changed_) result_.bytes = std::move(text_);
    return std::move(result_);
  }

 private:
  Result<void> raise(onnx::Model model, std::int64_t opset) {
    Reading reading(std::move(model), now_, files_, folder_);
    onnx::Edit edit;
    PLANEX_TRY(onnx::upgrade(reading.model, reading.links, reading.values, opset, edit));
    return take(reading.model, edit);
  }

  Result<void> take(const onnx::Model& model, const onnx::Edit& edit) {
    PLANEX_ASSIGN(std::string changed, onnx::edited(now_, model, edit));
    text_ = std::move(changed);
    now_ = text_;
    is_changed_ = true;
    return {};
  }

  // Runs all passes until none finds anything more.
  Result<bool> run_round() {
    PLANEX_ASSIGN(onnx::Model model, onnx::read_model(now_));
    Reading reading(std::move(model), now_, files_, folder_);
    Draft draft(reading.model, reading.links, reading.values);
    if (!draft.is_sound()) {
      return fail(ErrorCode::kBadInput,
                  "the model's nodes are not in an order in which they can run, or two of them "
                  "write the same tensor",
                  "onnx.checker.check_model says where");
    }
    Work work(draft, room_);
    bool has_changed = false;
    for (int turn = 0; turn < kMaxTurns; ++turn) {
      bool has_turned = false;
      for (std::size_t i = 0; i < passes_.size(); ++i) {
        passes_[i]->run(work);
        std::vector<std::string> told = work.take_told();
        if (told.empty()) continue;
        has_turned = true;
        // What a pass no longer needs is its own doing, not the pass for dead nodes'.
        remove_dead(draft);
        Step& step = steps_[i];
        step.id = passes_[i]->id;
        step.summary = passes_[i]->summary;
        step.effect = passes_[i]->effect;
        step.count += told.size();
        std::ranges::move(told, std::back_inserter(step.nodes));
      }
      if (!has_turned) break;
      has_changed = true;
    }
    if (!has_changed) return false;
    room_ = work.room_bytes;
    onnx::Edit edit;
    draft.write(edit);
    PLANEX_TRY(take(reading.model, edit));
    return true;
  }

  std::string_view now_;
  std::string text_;  // what `now_` points to, once something has changed
  const base::FileSource& files_;
  const std::string& folder_;
  std::vector<const Pass*> passes_;
  std::vector<Step> steps_;  // by pass
  std::int64_t room_ = 0;
  bool is_changed_ = false;
  Cleaned result_;
};

}  // namespace

Result<Cleaned> clean_model(std::string_view file, const base::FileSource& files,
                            const std::string& folder, const CleanOptions& options) {
  PLANEX_ASSIGN(std::vector<const Pass*> passes, chosen_passes(options));
  return Cleaner(file, files, folder, std::move(passes)).run(options);
}

}  // namespace planex::clean
