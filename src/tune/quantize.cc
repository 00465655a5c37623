#include "tune/quantize.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "quantize/calibration_cache.h"
#include "quantize/scales.h"
#include "tune/calibrate.h"
#include "tune/judge.h"
#include "tune/runner.h"
#include "tune/scores.h"
#include "tune/split.h"
#include "tune/whole_cache.h"

namespace planex::tune {
namespace {

using drive::Arithmetic;
using quantize::Method;
using quantize::MethodOptions;
using quantize::Outcome;
using quantize::QuantizedTensor;

// Compiled at the same time, beside the float one: more take memory, fewer run the float one again.
constexpr std::size_t kModelsAtOnce = 3;

class Quantizer {
 public:
  Quantizer(const QuantizeRequest& request, const Workshop& workshop)
      : request_(request), workshop_(workshop), runner_(workshop) {}

  Result<Outcome> run() {
    PLANEX_ASSIGN(file_, ModelFile::open(request_.model));
    PLANEX_ASSIGN(placement_, quantize::place(file_->model(), file_->links(), request_.placement));
    PLANEX_ASSIGN(const std::vector<ModelInput> inputs, inputs_of(file_->model()));
    PLANEX_ASSIGN(split_, load_split(request_.samples, inputs, workshop_));
    result_.notes = split_.notes;
    judge_ = std::make_unique<Judge>(*file_, split_.judge, runner_);
    PLANEX_TRY(calibrate());
    choose_weight_bits();
    PLANEX_TRY(choose_method());
    PLANEX_TRY(write());
    if (is_judged()) {
      PLANEX_TRY(judge_engine());
      PLANEX_ASSIGN(Scores scores, score_models({.model = request_.model,
                                                 .quantized = request_.output,
                                                 .judged = judge_->outputs(),
                                                 .samples = split_.judge,
                                                 .metrics = request_.metrics},
                                                runner_, result_.notes));
      result_.labels = std::move(scores.labels);
      result_.metrics = std::move(scores.metrics);
    }
    describe();
    return std::move(result_);
  }

 private:
  bool is_judged() const { return split_.judge.count > 0; }

  Result<void> calibrate() {
    std::vector<std::string> names;
    for (const quantize::PlacedTensor& tensor : placement_.tensors) names.emplace_back(tensor.name);
    Observations seen;
    PLANEX_TRY(observe(*file_, names, split_.calibration, runner_, seen));
    PLANEX_ASSIGN(result_.tensors,
                  calibrated(*file_, placement_, request_.placement.target, seen, result_.notes));
    return {};
  }

  void choose_weight_bits() {
    const bool is_short = saturates(request_.placement.target, runner_);
    result_.weight_bits = request_.weight_bits != 0 ? request_.weight_bits : is_short ? 7 : 8;
    if (request_.weight_bits == 0 && is_short) result_.notes.push_back(saturation_note(runner_));
  }

  Result<std::vector<quantize::WeightScales>> write_model(const MethodOptions& method,
                                                          const std::string& path) {
    quantize::RewriteOptions options =
        quantize::rewrite_options(quantize::choose_scales(result_.tensors, method));
    options.weight_bits = result_.weight_bits;
    options.opset = request_.opset;
    return write_quantized(*file_, placement_, options, path);
  }

  Result<void> choose_method() {
    std::vector<MethodOptions> methods = candidates();
    if (request_.method) methods = {*request_.method};
    for (const MethodOptions& method : methods) result_.scores.push_back({.method = method});
    if (is_judged()) PLANEX_TRY(score());
    if (!is_judged() && !request_.method) {
      result_.scores = {{.method = MethodOptions{}}};
      result_.notes.push_back("no samples to choose a method by: took " +
                              quantize::to_string(MethodOptions{}));
    }
    const auto best = std::ranges::max_element(
        result_.scores,
        [](const auto& one, const auto& two) { return is_worse(one.simulated, two.simulated); });
    best->is_chosen = true;
    result_.method = best->method;
    return {};
  }

  Result<void> score() {
    for (std::size_t first = 0; first < result_.scores.size(); first += kModelsAtOnce) {
      const std::size_t count = std::min(kModelsAtOnce, result_.scores.size() - first);
      std::vector<Subject> subjects;
      for (std::size_t place = first; place < first + count; ++place) {
        const std::string id = base::format("candidate_{}", place);
        const std::string path = base::join_path(workshop_.folder, id + ".onnx");
        PLANEX_TRY(write_model(result_.scores[place].method, path));
        subjects.push_back({.id = id, .path = path});
      }
      const std::string step = result_.scores.size() == 1
                                   ? std::string("judge")
                                   : base::format("judge {} to {} of {}", first + 1, first + count,
                                                  result_.scores.size());
      PLANEX_ASSIGN(auto judged, judge_->compare_with_float(subjects, step));
      for (std::size_t place = 0; place < count; ++place) {
        result_.scores[first + place].simulated = std::move(judged[place]);
      }
    }
    return {};
  }

  Result<void> write() {
    const auto chosen = quantize::choose_scales(result_.tensors, result_.method);
    for (std::size_t place = 0; place < chosen.size(); ++place) {
      QuantizedTensor& tensor = result_.tensors[place];
      tensor.threshold = chosen[place].threshold;
      tensor.scale = chosen[place].scale;
      tensor.is_unsigned = chosen[place].zero_point.is_unsigned;
      tensor.zero_point = chosen[place].zero_point.value;
      tensor.judgement = quantize::judge(tensor.histogram, chosen[place].levels);
    }
    PLANEX_ASSIGN(result_.weights, write_model(result_.method, request_.output));
    if (request_.cache.empty()) return {};
    if (!request_.is_cache_whole) return write_cache(result_.tensors, request_.cache);
    PLANEX_ASSIGN(const quantize::CalibrationCache cache,
                  whole_cache(*file_, result_.tensors, split_.calibration, result_.method, runner_,
                              result_.notes));
    return base::write_file_atomically(request_.cache, quantize::write_calibration_cache(cache));
  }

  Result<void> judge_engine() {
    const std::vector<Subject> subjects = {
        {.id = "engine", .path = request_.output, .arithmetic = Arithmetic::kEngine},
        {.id = "simulated", .path = request_.output, .arithmetic = Arithmetic::kSimulated}};
    PLANEX_ASSIGN(
        auto judged,
        judge_->compare(subjects, {{"float", "engine"}, {"simulated", "engine"}}, "engine"));
    result_.engine = std::move(judged[0]);
    result_.engine_to_simulated = std::move(judged[1]);
    return {};
  }

  void describe_encodings() {
    for (const QuantizedTensor& tensor : result_.tensors) {
      if (tensor.encoding != quantize::Encoding::kShifted) continue;
      result_.decisions.push_back(
          {.rule = "unsigned-activations",
           .tensor = tensor.tensor,
           .is_applied = true,
           .why = tensor.min >= 0
                      ? std::string("nothing in it is below 0")
                      : base::format("it reaches from {:.4g} to {:.4g}", tensor.min, tensor.max)});
    }
  }

  void describe() {
    const onnx::Model& model = file_->model();
    result_.model = request_.model;
    result_.output = request_.output;
    result_.cache = request_.cache;
    result_.target = request_.placement.target;
    for (const onnx::Index layer : placement_.layers)
      result_.layers.push_back(node_name(model, layer));
    for (const quantize::PlacementDecision& one : placement_.decisions) {
      result_.decisions.push_back({std::string(one.rule), node_name(model, one.node),
                                   std::string(one.tensor), one.is_applied, one.why});
    }
    describe_encodings();
    result_.calibration_count = split_.calibration.count;
    result_.judge_count = split_.judge.count;
    result_.preparation = split_.data.preparation;
    for (const auto& [path, why] : split_.data.refused) result_.refused.push_back({path, why});
    result_.runtime_version = runner_.runtime_version();
    result_.isa = runner_.isa();
    result_.has_vnni = runner_.has_vnni();
  }

  const QuantizeRequest& request_;
  const Workshop& workshop_;
  Runner runner_;
  std::unique_ptr<ModelFile> file_;
  quantize::Placement placement_;
  Split split_;
  std::unique_ptr<Judge> judge_;
  Outcome result_;
};

}  // namespace

std::vector<MethodOptions> candidates() {
  return {{.method = Method::kMse},
          {.method = Method::kPercentile, .percentile = 99.99},
          {.method = Method::kPercentile, .percentile = 99.999},
          {.method = Method::kPercentile, .percentile = 99.9},
          {.method = Method::kMinMax},
          {.method = Method::kKl}};
}

Result<quantize::Outcome> quantize_model(const QuantizeRequest& request, const Workshop& workshop) {
  return Quantizer(request, workshop).run();
}

}  // namespace planex::tune
