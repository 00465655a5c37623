#include "tune/quantize.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "quantize/calibration_cache.h"
#include "quantize/scales.h"
#include "tune/label_scores.h"
#include "tune/whole_cache.h"

namespace planex::tune {
namespace {

using drive::Arithmetic;
using drive::InferenceJob;
using drive::InferenceModel;
using drive::InferencePass;
using quantize::JudgedTensor;
using quantize::Method;
using quantize::MethodOptions;
using quantize::Outcome;
using quantize::QuantizedTensor;

// Compiled at the same time, beside the float one: more take memory, fewer run the float one again.
constexpr std::size_t kModelsAtOnce = 3;

std::string node_name(const onnx::Model& model, onnx::Index node) {
  if (node == onnx::kNoIndex) return {};
  const onnx::Node& found = model.nodes[node];
  if (!found.name.empty()) return std::string(found.name);
  const auto outputs = model.outputs_of(found);
  return base::format("{} ({})", outputs.empty() ? std::string_view() : outputs.front(),
                      found.op_type);
}

class Quantizer {
 public:
  Quantizer(const QuantizeRequest& request, const Workshop& workshop)
      : request_(request), workshop_(workshop) {}

  Result<Outcome> run() {
    PLANEX_ASSIGN(file_, ModelFile::open(request_.model));
    PLANEX_ASSIGN(placement_, quantize::place(file_->model(), file_->links(), request_.placement));
    judged_ = judged_outputs(file_->model(), file_->links());
    PLANEX_TRY(load());
    PLANEX_TRY(observe());
    choose_weight_bits();
    PLANEX_TRY(choose_method());
    PLANEX_TRY(write());
    if (judge_count_ > 0) {
      PLANEX_TRY(judge_engine());
      PLANEX_ASSIGN(result_.labels, label_scores({.model = request_.model,
                                                  .quantized = request_.output,
                                                  .judged = judged_,
                                                  .samples = judge_folder_,
                                                  .first_sample = first_judged_,
                                                  .sample_count = judge_count_},
                                                 workshop_, result_.notes));
    }
    describe();
    return std::move(result_);
  }

 private:
  Result<void> load() {
    PLANEX_ASSIGN(const std::vector<ModelInput> inputs, inputs_of(file_->model()));
    DataRequest wanted = request_.data;
    const bool holds_back = request_.is_judged && !request_.judge_data;
    if (wanted.limit == 0) {
      wanted.limit = request_.calibration_limit + (holds_back ? request_.judge_limit : 0);
    }
    PLANEX_ASSIGN(data_, load_data(wanted, inputs, "samples", workshop_));
    judge_folder_ = data_.folder;
    calibration_count_ = std::min(data_.sample_count, request_.calibration_limit);
    if (request_.judge_data) {
      PLANEX_ASSIGN(const Data judge,
                    load_data(*request_.judge_data, inputs, "judge_samples", workshop_));
      judge_folder_ = judge.folder;
      judge_count_ = std::min(judge.sample_count, request_.judge_limit);
      first_judged_ = 0;
    } else if (holds_back) {
      hold_back();
    }
    result_.notes.insert(result_.notes.end(), data_.notes.begin(), data_.notes.end());
    return {};
  }

  // A quarter of the samples where there are not enough for both.
  void hold_back() {
    constexpr std::size_t kPart = 4;
    if (data_.sample_count <
        calibration_count_ + std::min(request_.judge_limit, data_.sample_count / kPart)) {
      calibration_count_ = data_.sample_count - data_.sample_count / kPart;
    }
    first_judged_ = calibration_count_;
    judge_count_ = std::min(data_.sample_count - calibration_count_, request_.judge_limit);
    if (judge_count_ == 0) {
      result_.notes.push_back(
          base::format("{} are too few to hold some back: the model is not judged, and scales may "
                       "fit these alone",
                       base::counted(data_.sample_count, "sample")));
    }
  }

  Result<drive::InferenceResult> infer(InferenceJob job, const std::string& step) {
    job.threads = workshop_.threads;
    auto result =
        drive::infer(job, workshop_.program, workshop_.progress_of(step), workshop_.cancellation);
    if (result) {
      result_.runtime_version = result->runtime_version;
      result_.isa = result->isa;
      result_.has_vnni = result->has_vnni;
    }
    return result;
  }

  Result<void> observe() {
    InferenceModel model{.id = "float", .path = request_.model};
    InferencePass pass;
    for (const quantize::PlacedTensor& tensor : placement_.tensors) {
      model.taps.emplace_back(tensor.name);
      pass.observed.push_back({model.id, std::string(tensor.name)});
    }
    pass.models.push_back(std::move(model));
    pass.histogram_bins = quantize::kHistogramBins;
    InferenceJob job;
    job.samples = data_.folder;
    job.sample_count = calibration_count_;
    job.passes.push_back(std::move(pass));
    PLANEX_ASSIGN(const drive::InferenceResult seen, infer(std::move(job), "calibrate"));
    std::map<std::string_view, const drive::ObservedTensor*> by_name;
    for (const drive::ObservedTensor& tensor : seen.passes.front().observed) {
      by_name[tensor.tensor.tensor] = &tensor;
    }
    for (const quantize::PlacedTensor& placed : placement_.tensors) {
      const auto found = by_name.find(placed.name);
      if (found == by_name.end()) {
        return fail(
            {.code = ErrorCode::kUnsupported,
             .message = base::format("OpenVINO's reader drops tensor {}, so its range is not seen",
                                     base::quoted(placed.name)),
             .file = request_.model,
             .hint = "Keep the layers that read it in float: --keep NODE"});
      }
      PLANEX_TRY(take(placed, *found->second));
    }
    quantize::choose_encodings(result_.tensors, request_.placement.target);
    return {};
  }

  Result<void> take(const quantize::PlacedTensor& placed, const drive::ObservedTensor& seen) {
    if (seen.nan_count > 0 || seen.inf_count > 0) {
      return fail(
          {.code = ErrorCode::kBadInput,
           .message = base::format(
               "tensor {} of the float model has {} and {} on this data", base::quoted(placed.name),
               base::counted(static_cast<std::size_t>(seen.nan_count), "NaN"),
               base::counted(static_cast<std::size_t>(seen.inf_count), "infinity", "infinities")),
           .file = request_.model,
           .hint = "The data or the model is at fault: no scale can be had of these."});
    }
    QuantizedTensor tensor;
    tensor.tensor = placed.name;
    tensor.min = seen.min;
    tensor.max = seen.max;
    tensor.is_unsigned = placed.is_unsigned;
    tensor.scale_group = placed.scale_group;
    tensor.histogram = {.range = std::max(std::abs(seen.min), std::abs(seen.max)),
                        .counts = seen.histogram,
                        .negative_counts = seen.negative_histogram};
    for (const std::string_view rule : placed.rules) tensor.rules.emplace_back(rule);
    if (tensor.histogram.range == 0) {
      result_.notes.push_back(base::format(
          "tensor {} is 0 in all samples: its scale is 1/127, and the data may not be typical",
          base::quoted(placed.name)));
    }
    result_.tensors.push_back(std::move(tensor));
    return {};
  }

  void choose_weight_bits() {
    const bool saturates =
        request_.placement.target == quantize::Target::kOpenvino && !result_.has_vnni;
    result_.weight_bits = request_.weight_bits != 0 ? request_.weight_bits : saturates ? 7 : 8;
    if (request_.weight_bits == 0 && saturates) {
      result_.notes.push_back(base::format(
          "weights are on 7 bits: this CPU ({}) adds products of 8 bits in 16, which overflow",
          result_.isa));
    }
  }

  Result<std::vector<quantize::WeightScales>> write_model(const MethodOptions& method,
                                                          const std::string& path) {
    onnx::Edit edit;
    quantize::RewriteOptions options =
        quantize::rewrite_options(quantize::choose_scales(result_.tensors, method));
    options.weight_bits = result_.weight_bits;
    options.opset = request_.opset;
    PLANEX_ASSIGN(auto weights, quantize::rewrite(file_->model(), file_->links(), file_->values(),
                                                  placement_, options, edit));
    PLANEX_TRY(file_->write(edit, path));
    return weights;
  }

  Result<void> choose_method() {
    std::vector<MethodOptions> methods = candidates();
    if (request_.method) methods = {*request_.method};
    for (const MethodOptions& method : methods) result_.scores.push_back({.method = method});
    if (judge_count_ > 0) PLANEX_TRY(score());
    if (judge_count_ == 0 && !request_.method) {
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

  // By rows whose largest class is the same where there are classes, then by the least SQNR.
  static bool is_worse(const std::vector<JudgedTensor>& one, const std::vector<JudgedTensor>& two) {
    const auto agreed = [](const std::vector<JudgedTensor>& tensors) {
      std::int64_t count = 0;
      for (const JudgedTensor& tensor : tensors) {
        if (tensor.agreement) count += tensor.agreement->top1_count;
      }
      return count;
    };
    const auto least = [](const std::vector<JudgedTensor>& tensors) {
      double db = std::numeric_limits<double>::infinity();
      for (const JudgedTensor& tensor : tensors) {
        if (tensor.difference.sqnr_db) db = std::min(db, *tensor.difference.sqnr_db);
      }
      return db;
    };
    return std::pair(agreed(one), least(one)) < std::pair(agreed(two), least(two));
  }

  Result<void> score() {
    for (std::size_t first = 0; first < result_.scores.size(); first += kModelsAtOnce) {
      const std::size_t count = std::min(kModelsAtOnce, result_.scores.size() - first);
      InferencePass pass = pass_against_float();
      for (std::size_t place = first; place < first + count; ++place) {
        const std::string path =
            base::join_path(workshop_.folder, base::format("candidate_{}.onnx", place));
        PLANEX_TRY(write_model(result_.scores[place].method, path));
        add_subject(pass, base::format("candidate_{}", place), path, Arithmetic::kSimulated);
      }
      const std::string step = result_.scores.size() == 1
                                   ? std::string("judge")
                                   : base::format("judge {} to {} of {}", first + 1, first + count,
                                                  result_.scores.size());
      PLANEX_ASSIGN(const auto pairs, judge(std::move(pass), step));
      for (std::size_t place = 0; place < count; ++place) {
        const auto start = pairs.begin() + static_cast<std::ptrdiff_t>(place * judged_.size());
        result_.scores[first + place].simulated = {
            start, start + static_cast<std::ptrdiff_t>(judged_.size())};
      }
    }
    return {};
  }

  InferencePass pass_against_float() const {
    InferencePass pass;
    pass.models.push_back({.id = "float", .path = request_.model, .taps = judged_names()});
    pass.has_classes = true;
    return pass;
  }

  void add_subject(InferencePass& pass, const std::string& id, const std::string& path,
                   Arithmetic arithmetic) const {
    pass.models.push_back(
        {.id = id, .path = path, .arithmetic = arithmetic, .taps = judged_names()});
    for (const std::string& tensor : judged_names()) {
      pass.compared.push_back({{"float", tensor}, {id, tensor}});
    }
  }

  std::vector<std::string> judged_names() const {
    std::vector<std::string> names;
    for (const JudgedOutput& output : judged_) names.push_back(output.tensor);
    return names;
  }

  // In the order of the pass's comparisons.
  Result<std::vector<JudgedTensor>> judge(InferencePass pass, const std::string& step) {
    const std::size_t expected = pass.compared.size();
    InferenceJob job;
    job.samples = judge_folder_;
    job.first_sample = first_judged_;
    job.sample_count = judge_count_;
    job.passes.push_back(std::move(pass));
    PLANEX_ASSIGN(const drive::InferenceResult seen, infer(std::move(job), step));
    std::vector<JudgedTensor> tensors;
    for (const drive::ComparedTensor& one : seen.passes.front().compared) {
      tensors.push_back({one.subject.tensor, one.difference, one.agreement});
      const auto judged = std::ranges::find(judged_, one.subject.tensor, &JudgedOutput::tensor);
      if (judged == judged_.end() || !judged->has_classes) tensors.back().agreement.reset();
    }
    if (tensors.size() == expected) return tensors;
    return fail(ErrorCode::kInternal, base::format("planex-openvino compared {} tensors of {}",
                                                   tensors.size(), expected));
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
    quantize::CalibrationCache cache;
    if (request_.is_cache_whole) {
      PLANEX_ASSIGN(cache, whole_cache(*file_, result_.tensors,
                                       {.samples = data_.folder,
                                        .sample_count = calibration_count_,
                                        .method = result_.method},
                                       workshop_, result_.notes));
      return base::write_file_atomically(request_.cache, quantize::write_calibration_cache(cache));
    }
    for (const QuantizedTensor& tensor : result_.tensors) {
      // Signed and without a zero point, whatever the model has.
      constexpr double kLevels = 127;
      cache.entries.push_back({tensor.tensor, static_cast<float>(tensor.threshold / kLevels)});
    }
    return base::write_file_atomically(request_.cache, quantize::write_calibration_cache(cache));
  }

  Result<void> judge_engine() {
    InferencePass pass = pass_against_float();
    add_subject(pass, "engine", request_.output, Arithmetic::kEngine);
    pass.models.push_back({.id = "simulated",
                           .path = request_.output,
                           .arithmetic = Arithmetic::kSimulated,
                           .taps = judged_names()});
    for (const std::string& tensor : judged_names()) {
      pass.compared.push_back({{"simulated", tensor}, {"engine", tensor}});
    }
    PLANEX_ASSIGN(const auto pairs, judge(std::move(pass), "engine"));
    const auto middle = pairs.begin() + static_cast<std::ptrdiff_t>(judged_.size());
    result_.engine = {pairs.begin(), middle};
    result_.engine_to_simulated = {middle, pairs.end()};
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
    result_.calibration_count = calibration_count_;
    result_.judge_count = judge_count_;
    result_.preparation = data_.preparation;
    for (const auto& [path, why] : data_.refused) result_.refused.push_back({path, why});
  }

  const QuantizeRequest& request_;
  const Workshop& workshop_;
  std::unique_ptr<ModelFile> file_;
  quantize::Placement placement_;
  std::vector<JudgedOutput> judged_;
  Data data_;
  std::string judge_folder_;
  std::size_t calibration_count_ = 0, first_judged_ = 0, judge_count_ = 0;
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
