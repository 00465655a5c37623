#include "clean/clean.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "onnx/bodies.h"
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
// Constants around a body that are copied into its model, to be computed with.
constexpr std::int64_t kMaxBorrowedBytes = 64 * 1024;

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
  std::size_t count = 0;
  for (const onnx::Graph& graph : model.graphs) {
    if (graph.kind == onnx::GraphKind::kFunction) continue;
    count += static_cast<std::size_t>(
        std::ranges::count_if(model.nodes_of(graph), [](const onnx::Node& node) {
          return node.op_type != "Constant" || !onnx::is_default_domain(node.domain);
        }));
  }
  return count;
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
          std::vector<const Pass*> passes, const Draft* around = nullptr)
      : now_(file), files_(files), folder_(folder), passes_(std::move(passes)), around_(around) {
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
    PLANEX_TRY(run_rounds());
    // What is constant around them is known now; what they no longer read can go after them.
    PLANEX_ASSIGN(const bool has_changed, clean_bodies());
    if (has_changed) PLANEX_TRY(run_rounds());
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

  Result<void> run_rounds() {
    for (int round = 0; round < kMaxRounds; ++round) {
      PLANEX_ASSIGN(const bool has_changed, run_round());
      if (!has_changed) break;
    }
    return {};
  }

  void count(std::size_t pass, std::vector<std::string> told) {
    Step& step = steps_[pass];
    step.id = passes_[pass]->id;
    step.summary = passes_[pass]->summary;
    step.effect = passes_[pass]->effect;
    step.count += told.size();
    std::ranges::move(told, std::back_inserter(step.nodes));
  }

  // Each as a model of its own.
  Result<bool> clean_bodies() {
    PLANEX_ASSIGN(onnx::Model model, onnx::read_model(now_));
    if (model.graphs.size() == 1) return false;
    Reading reading(std::move(model), now_, files_, folder_);
    Draft draft(reading.model, reading.links, reading.values, around_);
    onnx::Edit edit;
    for (const NodeId id : draft.nodes()) {
      const onnx::Index node = draft.origin(id);
      for (const onnx::Attribute& attribute :
           reading.model.attributes_of(reading.model.nodes[node])) {
        if (attribute.type != onnx::AttributeType::kGraph) continue;
        PLANEX_ASSIGN(std::string message, cleaned_body(draft, attribute));
        if (message.empty()) continue;
        edit.set_attribute(
            node, {std::string(attribute.name), onnx::CopiedAttribute{std::move(message)}});
      }
    }
    if (edit.is_empty()) return false;
    PLANEX_TRY(take(reading.model, edit));
    return true;
  }

  // The attribute's message; empty where nothing is to be simplified.
  Result<std::string> cleaned_body(Draft& around, const onnx::Attribute& attribute) {
    PLANEX_ASSIGN(std::vector<std::string> names, onnx::names_from_around(now_, attribute));
    std::vector<onnx::NewValue> inputs;
    std::vector<onnx::NewTensor> constants;
    for (const std::string& name : names) {
      const TensorId tensor = around.find(name);
      // Nobody makes it.
      if (tensor == kNone) return std::string();
      if (auto value = around.load(tensor, kMaxBorrowedBytes)) {
        constants.push_back({name, value->type, std::move(value->dims), std::move(value->raw)});
      } else {
        inputs.push_back({name, around.tensor(tensor).type, around.tensor(tensor).shape});
      }
    }
    PLANEX_ASSIGN(const std::string body, onnx::body_model(now_, attribute, inputs, constants));
    Cleaner cleaner(body, files_, folder_, passes_, &around);
    auto cleaned = cleaner.run({});
    // In which nodes can't run: only its own graph can say that of it.
    if (!cleaned && cleaned.error().code == ErrorCode::kBadInput) return std::string();
    if (!cleaned) return fail(cleaned.error());
    if (cleaned->bytes.empty()) return std::string();
    for (std::size_t i = 0; i < passes_.size(); ++i) {
      for (Step& step : cleaned->steps) {
        if (step.id == passes_[i]->id) count(i, std::move(step.nodes));
      }
    }
    return onnx::with_body(attribute, cleaned->bytes, {names.begin(), names.end()});
  }

  // Runs all passes until none finds anything more.
  Result<bool> run_round() {
    PLANEX_ASSIGN(onnx::Model model, onnx::read_model(now_));
    Reading reading(std::move(model), now_, files_, folder_);
    Draft draft(reading.model, reading.links, reading.values, around_);
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
        count(i, std::move(told));
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
  const Draft* around_;
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
