#include "tune/search.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "onnx/node_names.h"
#include "quantize/layer_errors.h"
#include "quantize/layer_precisions.h"
#include "quantize/prefix_search.h"
#include "tune/calibrate.h"
#include "tune/judge.h"
#include "tune/layer_costs.h"
#include "tune/layer_effects.h"
#include "tune/measurements.h"
#include "tune/runner.h"
#include "tune/scores.h"
#include "tune/split.h"

namespace planex::tune {
namespace {

using base::counted;
using base::format;
using quantize::CostAxis;
using quantize::FrontPoint;
using quantize::Goal;
using quantize::LayerSet;
using quantize::MethodOptions;
using quantize::PrefixSearch;
using quantize::Score;
using quantize::SearchLayer;
using quantize::SearchOutcome;
using quantize::SearchPoint;

class LayerSearch {
 public:
  LayerSearch(const SearchRequest& request, const Workshop& workshop)
      : request_(request), workshop_(workshop), runner_(workshop) {}

  Result<SearchOutcome> run() {
    PLANEX_TRY(check_limits());
    PLANEX_TRY(open());
    PLANEX_TRY(calibrate());
    PLANEX_TRY(choose_method());
    PLANEX_TRY(list_layers());
    PLANEX_TRY(rank());
    PLANEX_TRY(search());
    PLANEX_TRY(write());
    PLANEX_TRY(judge_written());
    describe();
    return std::move(result_);
  }

 private:
  Goal::Kind kind() const { return request_.goal ? request_.goal->kind : Goal::Kind::kSqnr; }

  Result<void> check_limits() const {
    if (request_.most_macs_ratio && request_.axis != CostAxis::kMacs) {
      return fail(ErrorCode::kUsage, "a limit on the share of MACs needs MACs as the cost",
                  "--float-share 5% --cost macs");
    }
    if (request_.goal || request_.most_layers || request_.most_macs_ratio) return {};
    return fail(ErrorCode::kUsage, "a search needs a goal, or a limit on what may be in float",
                "--goal 20dB, --goal top1=99%, --float-layers 4, --float-share 5%");
  }

  Result<void> open() {
    const QuantizeRequest& wanted = request_.quantize;
    PLANEX_ASSIGN(file_, ModelFile::open(wanted.model));
    PLANEX_ASSIGN(placement_, quantize::place(file_->model(), file_->links(), wanted.placement));
    if (placement_.layers.size() < 2) {
      return fail({.code = ErrorCode::kUnsupported,
                   .message = "it has only one layer that can be in INT8, so there is nothing to "
                              "choose",
                   .file = wanted.model,
                   .hint = "planex quantize shows what INT8 costs for it"});
    }
    const onnx::NodeNames names(file_->model());
    for (const onnx::Index layer : placement_.layers) {
      refs_.push_back(quantize::word_of_node(names, layer));
    }
    PLANEX_ASSIGN(const std::vector<ModelInput> inputs, inputs_of(file_->model()));
    PLANEX_ASSIGN(split_, load_split(wanted.samples, inputs, workshop_));
    result_.notes = split_.notes;
    if (split_.judge.count == 0) {
      return fail({.code = ErrorCode::kBadInput,
                   .message = format("too few samples ({}): some have to be held back to search on",
                                     split_.data.sample_count),
                   .file = wanted.samples.data.path,
                   .hint = "provide 16 or more, or others with --judge PATH"});
    }
    SampleRange few = split_.judge;
    few.count = std::min(few.count, std::max<std::size_t>(request_.search_limit, 1));
    few_ = std::make_unique<Judge>(*file_, few, runner_);
    all_ = std::make_unique<Judge>(*file_, split_.judge, runner_);
    return {};
  }

  std::vector<std::string> refs_of(const LayerSet& layers) const {
    std::vector<std::string> refs;
    for (const std::uint32_t layer : layers) refs.push_back(refs_[layer]);
    return refs;
  }

  Result<void> calibrate() {
    models_ = std::make_unique<Measurements>(*file_, request_.quantize, split_, runner_);
    PLANEX_TRY(models_->observe_all(placement_, refs_));
    const bool is_short = saturates(request_.quantize.placement.target, runner_);
    const int asked = request_.quantize.weight_bits;
    result_.weight_bits = asked != 0 ? asked : is_short ? 7 : 8;
    if (asked == 0 && is_short) result_.notes.push_back(saturation_note(runner_));
    models_->set_weight_bits(result_.weight_bits);
    PLANEX_ASSIGN(const bool is_of_others, models_->open_state(request_.state));
    if (is_of_others) {
      result_.notes.push_back(
          format("{} was made with a different model, data, options or OpenVINO version; starting "
                 "over",
                 request_.state));
    }
    return {};
  }

  // As `planex quantize` does, on the samples that were held back.
  Result<void> choose_method() {
    if (request_.quantize.method) {
      result_.method = *request_.quantize.method;
      return {};
    }
    const std::vector<MethodOptions> methods = candidates(request_.quantize.placement.format);
    std::vector<Variant> variants;
    for (const MethodOptions& method : methods) variants.push_back({.method = method});
    PLANEX_ASSIGN(const auto scores, models_->measure(variants, *all_, "scales"));
    std::size_t best = 0;
    for (std::size_t place = 1; place < scores.size(); ++place) {
      const auto key = [](const Score& score) {
        return std::pair(score.top1_count, score.sqnr_db);
      };
      if (key(scores[best]) < key(scores[place])) best = place;
    }
    result_.method = methods[best];
    return {};
  }

  Result<void> list_layers() {
    PLANEX_ASSIGN(const std::vector<LayerCost> costs,
                  layer_costs(*file_, placement_, few_->samples(), runner_));
    std::int64_t all_macs = 0;
    for (const LayerCost& cost : costs) all_macs += cost.macs.value_or(0);
    std::size_t timed = 0, counted_macs = 0;
    for (std::size_t place = 0; place < costs.size(); ++place) {
      const onnx::Node& node = file_->model().nodes[placement_.layers[place]];
      SearchLayer layer{.node = refs_[place],
                        .op_type = std::string(node.op_type),
                        .macs = costs[place].macs,
                        .weight_bytes = costs[place].weight_bytes};
      if (layer.macs && all_macs > 0) {
        layer.macs_ratio = static_cast<double>(*layer.macs) / static_cast<double>(all_macs);
        ++counted_macs;
      }
      const auto ms = request_.node_ms.find(refs_[place]);
      if (ms != request_.node_ms.end()) {
        layer.ms = ms->second;
        ++timed;
      }
      result_.layers.push_back(std::move(layer));
    }
    return check_figures(counted_macs, timed);
  }

  Result<void> check_figures(std::size_t counted_macs, std::size_t timed) {
    const std::size_t all = result_.layers.size();
    if ((request_.axis == CostAxis::kMacs || request_.most_macs_ratio) && counted_macs < all) {
      return fail(
          {.code = ErrorCode::kUnsupported,
           .message = format("OpenVINO reports no shape for {} of {}, so its MACs are unknown",
                             counted(all - counted_macs, "layer"), all),
           .file = file_->path(),
           .hint = "limit them with --float-layers, and use --cost layers or bytes"});
    }
    if (request_.axis == CostAxis::kMs && timed == 0) {
      return fail(ErrorCode::kUsage, "no layer has a time, so time can't be the cost",
                  "use --timed RUN with a run of this model in float that has times");
    }
    if (!request_.node_ms.empty() && timed < all) {
      result_.notes.push_back(format(
          "the engine has times of {} of {}: the others were fused into neighbors and count as 0 "
          "ms",
          timed, counted(all, "layer")));
    }
    return {};
  }

  double cost_on_axis(const SearchLayer& layer, CostAxis axis) const {
    switch (axis) {
      case CostAxis::kLayers:
        return 1;
      case CostAxis::kMacs:
        return layer.macs_ratio.value_or(0);
      case CostAxis::kBytes:
        return static_cast<double>(layer.weight_bytes);
      case CostAxis::kMs:
        return layer.ms.value_or(0);
    }
    return 0;
  }

  // What each layer loses alone, and how such losses add up.
  Result<void> rank() {
    PLANEX_ASSIGN(const auto scores, models_->measure({{.method = result_.method}}, *few_, "all"));
    result_.all_int8 = scores.front();
    if (kind() == Goal::Kind::kTop1 && scores.front().row_count == 0) {
      return fail({.code = ErrorCode::kUsage,
                   .message = "no output of the model has classes, so there is no top-1",
                   .file = file_->path(),
                   .hint = "give the goal in dB: --goal 20dB"});
    }
    EffectsRequest request{.quantized = base::join_path(workshop_.folder, "all_int8.onnx"),
                           .layers = placement_.layers,
                           .outputs = few_->outputs(),
                           .samples = few_->samples()};
    for (const SearchLayer& layer : result_.layers) request.macs += layer.macs.value_or(0);
    PLANEX_TRY(models_->write({.method = result_.method}, request.quantized, {}));
    auto effects = layer_effects(*file_, request, runner_);
    if (!effects && effects.error().code != ErrorCode::kUnsupported) return fail(effects.error());
    if (!effects) {
      result_.notes.push_back(
          format("each layer alone is a model of its own, which takes longer: {}",
                 effects.error().message));
      return rank_one_by_one();
    }
    result_.notes.push_back(
        format("what layers lose alone was measured on {} in one model whose layers are switched",
               counted(effects->sample_count, "sample")));
    errors_ = std::move(effects->errors);
    for (std::size_t place = 0; place < refs_.size(); ++place) {
      result_.layers[place].alone = effects->alone[place];
    }
    return {};
  }

  Result<void> rank_one_by_one() {
    std::vector<Variant> variants;
    for (const std::string& ref : refs_) {
      variants.push_back({.method = result_.method, .only = {ref}});
    }
    PLANEX_ASSIGN(const auto scores, models_->measure(variants, *few_, "layers alone"));
    std::vector<double> noises;
    for (std::size_t place = 0; place < refs_.size(); ++place) {
      result_.layers[place].alone = scores[place];
      noises.push_back(quantize::noise_ratio(scores[place]));
    }
    errors_ = quantize::LayerErrors::of_powers(noises);
    return {};
  }

  Result<void> search() {
    std::vector<double> costs;
    for (const SearchLayer& layer : result_.layers) {
      costs.push_back(cost_on_axis(layer, request_.axis));
    }
    quantize::SearchLimits limits{.goal = request_.goal};
    if (request_.most_layers) limits.most_layers = *request_.most_layers;
    if (request_.most_macs_ratio) limits.most_cost = *request_.most_macs_ratio;
    PrefixSearch search(errors_, std::move(costs), result_.all_int8, limits);
    points_.push_back({.score = result_.all_int8});
    bool is_raised = false;
    while (true) {
      PLANEX_ASSIGN(const bool has_moved, climb(search));
      if (is_time_up()) return judge_best();
      PLANEX_TRY(judge_front());
      if (!request_.goal) return {};
      PLANEX_ASSIGN(const auto judged,
                    models_->measure({{.method = result_.method, .kept = refs_of(search.kept())}},
                                     *all_, "on all samples"));
      const Score& score = judged.front();
      if (quantize::is_reached(*request_.goal, score) || (is_raised && !has_moved)) return {};
      // The goal may be reached on the few samples, but not on all: continue from here with the
      // difference.
      constexpr double kMinStepDb = 0.25;
      const double missing_db = request_.goal->kind == Goal::Kind::kSqnr
                                    ? request_.goal->least - score.sqnr_db
                                    : kMinStepDb;
      search.set_goal({.least = search.score().sqnr_db + std::max(missing_db, kMinStepDb)});
      is_raised = true;
    }
  }

  // Runs to the end of the search's goal; returns whether it took a step.
  Result<bool> climb(PrefixSearch& search) {
    bool has_moved = false;
    while (true) {
      const std::vector<LayerSet> sets = search.next();
      if (sets.empty() || is_time_up()) return has_moved;
      std::vector<Variant> variants;
      for (const LayerSet& set : sets) {
        variants.push_back({.method = result_.method, .kept = refs_of(set)});
      }
      PLANEX_ASSIGN(const auto scores,
                    models_->measure(variants, *few_, format("step {}", result_.path.size() + 1)));
      for (std::size_t place = 0; place < sets.size(); ++place) {
        points_.push_back(
            {.kept = sets[place], .cost = search.cost_of(sets[place]), .score = scores[place]});
      }
      const auto taken = search.report(scores);
      if (!taken) continue;
      has_moved = true;
      result_.path.push_back(point_of(sets[*taken], scores[*taken]));
    }
  }

  bool is_time_up() const {
    return request_.until && std::chrono::steady_clock::now() >= *request_.until;
  }

  // Of what was measured, the cheapest model that reaches the goal, else the closest; alone.
  Result<void> judge_best() {
    result_.notes.emplace_back("the search stopped early, as its time was used up");
    const std::vector<std::size_t> front = quantize::front_of(points_, kind());
    const auto reaches = [&](std::size_t place) {
      return request_.goal && quantize::is_reached(*request_.goal, points_[place].score);
    };
    const auto first = std::ranges::find_if(front, reaches);
    points_ = {points_[first == front.end() ? front.back() : *first]};
    return judge_front();
  }

  // The points that no other point beats, judged again on all samples.
  Result<void> judge_front() {
    const std::vector<std::size_t> front = quantize::front_of(points_, kind());
    std::vector<Variant> variants;
    for (const std::size_t place : front) {
      variants.push_back({.method = result_.method, .kept = refs_of(points_[place].kept)});
    }
    PLANEX_ASSIGN(const auto scores, models_->measure(variants, *all_, "front on all samples"));
    std::vector<FrontPoint> again;
    for (std::size_t place = 0; place < front.size(); ++place) {
      again.push_back(points_[front[place]]);
      again.back().score = scores[place];
    }
    judged_.clear();
    result_.front.clear();
    for (const std::size_t place : quantize::front_of(again, kind())) {
      judged_.push_back(again[place]);
      SearchPoint point = point_of(again[place].kept, points_[front[place]].score);
      point.judged = again[place].score;
      result_.front.push_back(std::move(point));
    }
    return {};
  }

  // The cheapest of the front that reaches the goal. The front is never empty; its last is the
  // best.
  std::optional<std::size_t> choose() const {
    if (!request_.goal) return judged_.size() - 1;
    for (std::size_t place = 0; place < judged_.size(); ++place) {
      if (quantize::is_reached(*request_.goal, judged_[place].score)) return place;
    }
    return std::nullopt;
  }

  SearchPoint point_of(const LayerSet& layers, const Score& score) const {
    SearchPoint point{.kept = refs_of(layers), .macs_ratio = 0, .score = score};
    if (!request_.node_ms.empty()) point.ms = 0;
    for (const std::uint32_t place : layers) {
      const SearchLayer& layer = result_.layers[place];
      point.weight_bytes += layer.weight_bytes;
      if (point.macs_ratio && layer.macs_ratio) {
        *point.macs_ratio += *layer.macs_ratio;
      } else {
        point.macs_ratio.reset();
      }
      if (point.ms) *point.ms += layer.ms.value_or(0);
    }
    return point;
  }

  Result<void> write() {
    const std::optional<std::size_t> reached = choose();
    const std::size_t chosen = reached.value_or(judged_.size() - 1);
    result_.is_reached = request_.goal.has_value() && reached.has_value();
    result_.front[chosen].is_chosen = true;
    for (const std::uint32_t layer : judged_[chosen].kept) result_.layers[layer].is_kept = true;
    result_.kept = request_.quantize.placement.kept;
    for (const std::string& ref : refs_of(judged_[chosen].kept)) result_.kept.push_back(ref);
    PLANEX_TRY(write_points());
    return models_->write({.method = result_.method, .kept = refs_of(judged_[chosen].kept)},
                          request_.quantize.output, request_.quantize.cache);
  }

  Result<void> write_points() {
    if (request_.points_folder.empty()) return {};
    for (std::size_t place = 0; place < judged_.size(); ++place) {
      SearchPoint& point = result_.front[place];
      point.path = base::join_path(request_.points_folder, format("point_{}.onnx", place));
      PLANEX_TRY(models_->write({.method = result_.method, .kept = refs_of(judged_[place].kept)},
                                point.path, {}));
    }
    return {};
  }

  Result<void> judge_written() {
    const std::string& path = request_.quantize.output;
    const std::vector<Subject> subjects = {
        {.id = "engine", .path = path, .arithmetic = drive::Arithmetic::kEngine},
        {.id = "simulated", .path = path}};
    PLANEX_ASSIGN(
        auto judged,
        all_->compare(subjects,
                      {{"float", "simulated"}, {"float", "engine"}, {"simulated", "engine"}},
                      "engine"));
    result_.simulated = std::move(judged[0]);
    result_.engine = std::move(judged[1]);
    result_.engine_to_simulated = std::move(judged[2]);
    PLANEX_ASSIGN(Scores scores, score_models({.model = request_.quantize.model,
                                               .quantized = path,
                                               .judged = all_->outputs(),
                                               .samples = split_.judge,
                                               .metrics = request_.quantize.metrics},
                                              runner_, result_.notes));
    result_.labels = std::move(scores.labels);
    result_.metrics = std::move(scores.metrics);
    return {};
  }

  void describe() {
    const QuantizeRequest& wanted = request_.quantize;
    result_.model = wanted.model;
    result_.output = wanted.output;
    result_.cache = wanted.cache;
    result_.state = request_.state;
    result_.target = wanted.placement.target;
    result_.goal = request_.goal;
    result_.most_layers = request_.most_layers;
    result_.most_macs_ratio = request_.most_macs_ratio;
    result_.axis = request_.axis;
    result_.calibration_count = split_.calibration.count;
    result_.search_count = few_->samples().count;
    result_.judge_count = split_.judge.count;
    result_.measured_count = models_->measured_count();
    result_.known_count = models_->known_count();
    result_.preparation = split_.data.preparation;
    for (const auto& [path, why] : split_.data.refused) result_.refused.push_back({path, why});
    result_.runtime_version = runner_.runtime_version();
    result_.isa = runner_.isa();
    if (request_.goal && !result_.is_reached) {
      result_.notes.push_back(
          format("no model on the path of the search reaches {}: the closest "
                 "one was written",
                 to_string(*request_.goal)));
    }
    auto precisions =
        quantize::write_layer_precisions(file_->model(), result_.kept, request_.kept_type);
    result_.precision_options = std::move(precisions.text);
    result_.notes.insert(result_.notes.end(), precisions.notes.begin(), precisions.notes.end());
  }

  const SearchRequest& request_;
  const Workshop& workshop_;
  Runner runner_;
  std::unique_ptr<ModelFile> file_;
  quantize::Placement placement_;  // with all layers in INT8
  std::vector<std::string> refs_;  // of Placement::layers
  Split split_;
  std::unique_ptr<Judge> few_, all_;
  std::unique_ptr<Measurements> models_;
  quantize::LayerErrors errors_{0};
  std::vector<FrontPoint> points_;  // all measured models, on the few samples
  std::vector<FrontPoint> judged_;  // the front on all samples: result_.front
  SearchOutcome result_;
};

}  // namespace

Result<SearchOutcome> search_layers(const SearchRequest& request, const Workshop& workshop) {
  auto outcome = LayerSearch(request, workshop).run();
  return outcome ? std::move(outcome)
                 : fail(about_model(std::move(outcome).error(), request.quantize.model));
}

}  // namespace planex::tune
