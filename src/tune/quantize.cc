#include "tune/quantize.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "quantize/accuracy.h"
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
using quantize::NumberFormat;
using quantize::Outcome;
using quantize::QuantizedTensor;

// How many models are compiled at the same time, in addition to the float one: more need more
// memory, fewer run the float one more often.
constexpr std::size_t kModelsAtOnce = 3;

constexpr int kNarrow = 7;

// What depends on the weights' bits, besides the tensors' scales.
struct BitsTried {
  int weight_bits = 8;
  MethodOptions method;
  std::vector<quantize::MethodScore> scores;
  JudgedTensors engine, engine_to_simulated;
};

class Quantizer {
 public:
  Quantizer(const QuantizeRequest& request, const Workshop& workshop)
      : request_(request), workshop_(workshop), runner_(workshop) {}

  Result<Outcome> run() {
    PLANEX_ASSIGN(file_, ModelFile::open(request_.model));
    PLANEX_ASSIGN(placement_, quantize::place(file_->model(), file_->links(), request_.placement));
    PLANEX_TRY(load_samples());
    judge_ = std::make_unique<Judge>(*file_, split_.judge, runner_);
    if (!is_weights_only()) PLANEX_TRY(calibrate());
    PLANEX_TRY(choose_weight_bits());
    PLANEX_TRY(write_calibration());
    if (is_judged()) {
      PLANEX_ASSIGN(Scores scores, score_models({.model = request_.model,
                                                 .quantized = request_.output,
                                                 .judged = judge_->outputs(),
                                                 .samples = split_.judge,
                                                 .metrics = request_.metrics,
                                                 .has_engine = has_engine()},
                                                runner_, result_.notes));
      result_.labels = std::move(scores.labels);
      result_.metrics = std::move(scores.metrics);
    }
    describe();
    return std::move(result_);
  }

 private:
  NumberFormat format() const { return request_.placement.format; }
  bool is_judged() const { return split_.judge.count > 0; }
  // Activations have no scales, so there is nothing to calibrate.
  bool is_weights_only() const { return format() == NumberFormat::kInt4; }
  // OpenVINO reads FP8 but computes it in a way of its own, unlike any other compiler.
  bool has_engine() const { return format() != NumberFormat::kFp8; }

  Result<void> load_samples() {
    SplitRequest samples = request_.samples;
    if (is_weights_only()) {
      samples.calibration_limit = 0;
      if (samples.judge_data) samples.data = *std::exchange(samples.judge_data, std::nullopt);
      if (samples.data.path.empty()) {
        result_.notes.emplace_back("the model is not judged: no data was given");
        return {};
      }
    }
    PLANEX_ASSIGN(const std::vector<ModelInput> inputs, inputs_of(file_->model()));
    PLANEX_ASSIGN(split_, load_split(samples, inputs, workshop_));
    result_.notes = split_.notes;
    return {};
  }

  Result<void> calibrate() {
    std::vector<std::string> names;
    for (const quantize::PlacedTensor& tensor : placement_.tensors) names.emplace_back(tensor.name);
    Observations seen;
    PLANEX_TRY(observe(*file_, names, split_.calibration, runner_, seen));
    PLANEX_ASSIGN(result_.tensors, calibrated(*file_, placement_, request_.placement.target,
                                              format(), seen, result_.notes));
    return {};
  }

  // 8 bits, where the engine computes what they say; else the better of the two.
  Result<void> choose_weight_bits() {
    if (format() != NumberFormat::kInt8) {
      result_.weight_bits = is_weights_only() ? 4 : 8;
      return try_bits();
    }
    const bool is_open = request_.weight_bits == 0 && saturates(request_.placement.target, runner_);
    if (request_.weight_bits != 0) result_.weight_bits = request_.weight_bits;
    if (is_open && !is_judged()) result_.weight_bits = kNarrow;
    PLANEX_TRY(try_bits());
    if (is_open && is_judged()) {
      const auto& own = chosen_score().simulated;
      if (!quantize::least_db(own) || quantize::is_engine_faithful(own, result_.engine)) return {};
      BitsTried wide = tried();
      result_.weight_bits = kNarrow;
      PLANEX_TRY(try_bits());
      if (is_worse(result_.engine, wide.engine)) {
        restore(std::move(wide));
        return write();
      }
    }
    if (is_open) result_.notes.push_back(saturation_note(runner_));
    return {};
  }

  // With the present number of bits of the weights.
  Result<void> try_bits() {
    result_.scores.clear();
    PLANEX_TRY(choose_method());
    PLANEX_TRY(write());
    return is_judged() && has_engine() ? judge_engine() : Result<void>();
  }

  const quantize::MethodScore& chosen_score() const {
    return *std::ranges::find_if(result_.scores, &quantize::MethodScore::is_chosen);
  }

  BitsTried tried() const {
    return {result_.weight_bits, result_.method, result_.scores, result_.engine,
            result_.engine_to_simulated};
  }

  void restore(BitsTried tried) {
    result_.weight_bits = tried.weight_bits;
    result_.method = tried.method;
    result_.scores = std::move(tried.scores);
    result_.engine = std::move(tried.engine);
    result_.engine_to_simulated = std::move(tried.engine_to_simulated);
  }

  Result<std::vector<quantize::WeightScales>> write_model(const MethodOptions& method,
                                                          const std::string& path) {
    quantize::RewriteOptions options =
        quantize::rewrite_options(quantize::choose_scales(result_.tensors, method));
    options.format = format();
    options.weight_bits = result_.weight_bits;
    options.opset = request_.opset;
    return write_quantized(*file_, placement_, options, path);
  }

  Result<void> choose_method() {
    std::vector<MethodOptions> methods = candidates(format());
    if (request_.method) methods = {*request_.method};
    for (const MethodOptions& method : methods) result_.scores.push_back({.method = method});
    if (is_judged()) PLANEX_TRY(score());
    if (!is_judged() && methods.size() > 1) {
      result_.scores.resize(1);
      result_.notes.push_back("no samples to choose a method by: took " +
                              quantize::to_string(methods.front()));
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
    return {};
  }

  Result<void> write_calibration() {
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
          {.rule = request_.placement.target == quantize::Target::kOnnxruntime
                       ? "unsigned-throughout"
                       : "unsigned-activations",
           .tensor = tensor.tensor,
           .is_applied = true,
           .why = tensor.min >= 0
                      ? std::string("no value in it is below 0")
                      : base::format("its range is {:.4g} to {:.4g}", tensor.min, tensor.max)});
    }
  }

  void describe() {
    const onnx::Model& model = file_->model();
    result_.model = request_.model;
    result_.output = request_.output;
    result_.cache = request_.cache;
    result_.target = request_.placement.target;
    result_.format = format();
    if (is_weights_only() && request_.placement.block_size > 0) {
      result_.block_size = request_.placement.block_size;
    }
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

std::vector<MethodOptions> candidates(NumberFormat format) {
  // Weights have the scale of the largest.
  if (format == NumberFormat::kInt4) return {{.method = Method::kMinMax}};
  // Small values keep their precision in FP8 whatever the scale, so clipping the largest gains
  // little; kl counts levels of equal width.
  if (format == NumberFormat::kFp8) {
    return {{.method = Method::kMinMax},
            {.method = Method::kMse},
            {.method = Method::kPercentile, .percentile = 99.999},
            {.method = Method::kPercentile, .percentile = 99.99}};
  }
  return {{.method = Method::kMse},
          {.method = Method::kPercentile, .percentile = 99.99},
          {.method = Method::kPercentile, .percentile = 99.999},
          {.method = Method::kPercentile, .percentile = 99.9},
          {.method = Method::kMinMax},
          {.method = Method::kKl}};
}

Result<quantize::Outcome> quantize_model(const QuantizeRequest& request, const Workshop& workshop) {
  auto outcome = Quantizer(request, workshop).run();
  return outcome ? std::move(outcome)
                 : fail(about_model(std::move(outcome).error(), request.model));
}

std::string note_on_float_rest(const quantize::Outcome& outcome) {
  using quantize::Target;
  if (outcome.target != Target::kTensorrt && outcome.target != Target::kTensorrtRtx) return {};
  constexpr std::string_view kSuffix = ".onnx";
  const std::string written = outcome.output == "-" ? "model.onnx" : outcome.output;
  std::string_view stem = written;
  if (stem.ends_with(kSuffix)) stem.remove_suffix(kSuffix.size());
  const std::string cast = base::format("planex cast {} --to fp16 -o {}", base::shell_word(written),
                                        base::shell_word(base::format("{}.fp16.onnx", stem)));
  const std::string_view rest =
      "operations without Q/DQ run in FP32 in the engine, unless the model is also made FP16:";
  // A strongly typed engine has the model's types, and does not accept --fp16.
  const bool has_flag =
      outcome.target == Target::kTensorrt && outcome.format == NumberFormat::kInt8;
  if (!has_flag) return base::format("{} {}", rest, cast);
  return base::format(
      "{} trtexec --onnx={} --int8 --fp16 (TensorRT 8 to 10), or {} (which TensorRT "
      "11 needs)",
      rest, base::shell_word(written), cast);
}

}  // namespace planex::tune
