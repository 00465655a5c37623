#include "tune/advise.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "engines/engine_rules.h"
#include "onnx/node_names.h"
#include "quantize/advice.h"
#include "quantize/existing.h"
#include "quantize/placement.h"
#include "tune/calibrate.h"
#include "tune/model_file.h"
#include "tune/runner.h"

namespace planex::tune {
namespace {

using base::counted;
using base::format;
using onnx::Index;
using onnx::kNoIndex;
using quantize::Advice;
using quantize::AdvisedLayer;
using quantize::AdviseOutcome;
using quantize::Gain;
using quantize::GainRange;
using quantize::Placement;
using quantize::PlacementOptions;
using quantize::ScaleSource;

using Scales = std::map<std::string, float, std::less<>>;

std::string number_of(Index node) { return format("#{}", node); }

class Adviser {
 public:
  Adviser(const AdviseRequest& request, const Workshop* workshop)
      : request_(request), workshop_(workshop) {}

  Result<AdviseOutcome> run() {
    PLANEX_ASSIGN(file_, ModelFile::open(request_.model));
    names_ = std::make_unique<onnx::NodeNames>(file_->model());
    PLANEX_ASSIGN(existing_,
                  quantize::read_existing(file_->model(), file_->links(), file_->values()));
    find_int8_layers();
    PLANEX_TRY(place());
    advice_ = quantize::advise(file_->model(), file_->links(), existing_, wanted_, request_.target);
    describe();
    if (request_.engine) PLANEX_TRY(add_gains());
    if (!request_.what_if.empty()) PLANEX_TRY(add_what_if());
    if (!request_.output.empty()) PLANEX_TRY(apply());
    add_notes();
    return std::move(result_);
  }

 private:
  // Layers whose weight is quantized: by a DQ of integers, or by a pair after the float weight.
  void find_int8_layers() {
    for (const quantize::ExistingWeight& weight : existing_.weights) {
      // An INT32 bias is not one of them.
      if (file_->model().tensors[weight.tensor].type == onnx::DataType::kInt32) continue;
      ++result_.weight_count;
      for (const onnx::Reader& reader : weight.readers) int8_layers_.insert(reader.node);
    }
    for (const quantize::ExistingPair& pair : existing_.pairs) {
      if (file_->links().constant(pair.tensor) == kNoIndex) {
        ++result_.pair_count;
        continue;
      }
      ++constant_pair_count_;
      for (const onnx::Reader& reader : pair.readers) int8_layers_.insert(reader.node);
    }
    result_.weight_count += constant_pair_count_;
  }

  bool has_pairs() const { return result_.pair_count + result_.weight_count > 0; }

  // Layers with float weights stay in float where others are quantized: the model's author left
  // them so.
  Result<void> place() {
    PlacementOptions options{
        .target = request_.target, .kept = {}, .op_types = {}, .only = {}, .ignores_pairs = true};
    PLANEX_ASSIGN(wanted_, quantize::place(file_->model(), file_->links(), options));
    if (int8_layers_.empty()) return {};
    for (const Index layer : wanted_.layers) {
      if (int8_layers_.contains(layer)) continue;
      options.kept.push_back(number_of(layer));
      float_layers_.push_back(layer);
    }
    if (float_layers_.empty()) return {};
    // No layer is left: all quantized ones are layers that the target wants in float.
    if (float_layers_.size() == wanted_.layers.size()) {
      float_layers_.clear();
      return {};
    }
    PLANEX_ASSIGN(wanted_, quantize::place(file_->model(), file_->links(), options));
    return {};
  }

  std::string name_of(Index node) const {
    const std::string_view name = node == kNoIndex ? std::string_view() : names_->name_of(node);
    return node == kNoIndex || !name.empty() ? std::string(name) : number_of(node);
  }

  void describe() {
    result_.model = request_.model;
    result_.target = request_.target;
    result_.coarse_scales =
        quantize::find_coarse_scales(file_->model(), file_->links(), existing_, file_->values());
    for (const Advice& one : advice_) {
      quantize::AdviceRow row;
      row.action = one.action;
      row.rule = one.rule;
      row.tensor = one.tensor;
      row.node = name_of(one.node);
      for (const onnx::Reader& reader : one.readers) {
        std::string name = name_of(reader.node);
        if (std::ranges::find(row.readers, name) == row.readers.end()) {
          row.readers.push_back(std::move(name));
        }
      }
      row.sentence = one.sentence;
      row.edit = quantize::edit_text(file_->model(), existing_, one);
      row.scale_source = one.scale;
      row.gain.reason = "no engine was named: --timed RUN";
      result_.advice.push_back(std::move(row));
    }
    result_.gain.reason = "no engine was named: --timed RUN";
  }

  static GainRange range_of(const Gain& gain) {
    return {.low_ms = gain.low_ms, .high_ms = gain.high_ms, .reason = gain.reason};
  }

  std::vector<AdvisedLayer> layers_of(const Gain& gain) const {
    std::vector<AdvisedLayer> layers;
    for (const quantize::LayerGain& one : gain.layers) {
      const quantize::MeasuredLayer& layer = request_.engine->layers[one.layer];
      layers.push_back({.layer = layer.name,
                        .effect = one.effect,
                        .time_ms = layer.time_ms,
                        .low_ms = one.low_ms,
                        .high_ms = one.high_ms,
                        .findings = layer.findings});
    }
    return layers;
  }

  Result<void> add_gains() {
    const quantize::MeasuredEngine& engine = *request_.engine;
    result_.engine = engine.path;
    result_.producer = engine.producer;
    PLANEX_TRY(check_engine());
    gains_ = std::make_unique<quantize::Gains>(file_->model(), file_->links(), existing_, engine,
                                               advice_);
    for (std::size_t place = 0; place < advice_.size(); ++place) {
      const Gain gain = gains_->of(place);
      quantize::AdviceRow& row = result_.advice[place];
      row.gain = range_of(gain);
      for (const std::size_t needed : gain.needs) row.needs.push_back(result_.advice[needed].edit);
      row.layers = layers_of(gain);
      for (const AdvisedLayer& layer : row.layers) {
        for (const std::string& finding : layer.findings) {
          if (std::ranges::find(row.findings, finding) == row.findings.end()) {
            row.findings.push_back(finding);
          }
        }
      }
    }
    result_.as_measured = quantize::figures_of(engine);
    const quantize::Forecast forecast = gains_->of_all();
    result_.gain = range_of(forecast.gain);
    result_.forecast = quantize::EngineFigures{.layer_count = forecast.layer_count,
                                               .float_layer_count = forecast.float_layer_count,
                                               .written_bytes = forecast.written_bytes,
                                               .latency_ms = {},
                                               .layers_ms = {}};
    return {};
  }

  // Most layers of an engine of this model stem from nodes that it has.
  Result<void> check_engine() const {
    std::size_t named = 0, known = 0;
    for (const quantize::MeasuredLayer& layer : request_.engine->layers) {
      if (layer.nodes.empty()) continue;
      ++named;
      known += std::ranges::any_of(
          layer.nodes, [&](const std::string& node) { return names_->find(node) != kNoIndex; });
    }
    if (named > 0 && 2 * known >= named) return {};
    return fail({.code = ErrorCode::kBadInput,
                 .message = named == 0
                                ? std::string("its layers name no nodes of a model")
                                : format("{} of its {} stem from nodes that {} does not have",
                                         named - known, counted(named, "layer"), request_.model),
                 .file = request_.engine->path,
                 .hint = "--timed needs a run of this very model: planex process MODEL -o run/"});
  }

  // --- What if

  Result<void> add_what_if() {
    if (!gains_) {
      return fail(ErrorCode::kUsage, "--what-if needs a measured engine",
                  "planex advise MODEL.onnx --timed run/ --what-if NODE");
    }
    std::set<Index> block;
    quantize::WhatIfRow row;
    for (const std::string& name : request_.what_if) {
      const auto node = quantize::named_node(file_->model(), *names_, name);
      if (!node) {
        Error error = node.error();
        error.file = request_.model;
        return fail(std::move(error));
      }
      if (block.insert(*node).second) row.nodes.push_back(name_of(*node));
    }
    const quantize::Gains::WhatIf found = gains_->what_if(block);
    row.gain = range_of(found.gain);
    row.converted = found.converted;
    row.conversion_ms = found.conversion_ms;
    row.layers = layers_of(found.gain);
    result_.what_if.push_back(std::move(row));
    return {};
  }

  // --- Applying

  Result<void> apply() {
    if (!has_pairs()) {
      return fail({.code = ErrorCode::kUnsupported,
                   .message = "a model without Q/DQ has none to move",
                   .file = request_.model,
                   .hint = "planex quantize MODEL.onnx --data DIR -o OUT.onnx places them"});
    }
    Scales scales;
    if (request_.data) {
      PLANEX_ASSIGN(scales, calibrated());
    }
    onnx::Edit edit;
    std::vector<Advice> possible;
    for (std::size_t place = 0; place < advice_.size(); ++place) {
      const Advice& one = advice_[place];
      if (one.scale == ScaleSource::kFromData) {
        const auto found = scales.find(one.tensor);
        if (found == scales.end()) continue;
        result_.advice[place].scale = found->second;
      }
      result_.advice[place].is_applied = true;
      possible.push_back(one);
    }
    PLANEX_ASSIGN(result_.applied_count,
                  quantize::apply_advice(file_->model(), file_->links(), existing_, possible,
                                         scales, file_->values(), edit));
    if (result_.applied_count < possible.size()) {
      result_.notes.push_back(format("{} not applied: the scale to copy is computed, not stored",
                                     counted(possible.size() - result_.applied_count,
                                             "piece of advice was", "pieces of advice were")));
    }
    PLANEX_TRY(file_->write(edit, request_.output));
    result_.output = request_.output;
    return {};
  }

  // For tensors without a scale: the largest of those that share one.
  Result<Scales> calibrated() {
    std::vector<std::string> names;
    for (const Advice& one : advice_) {
      if (one.scale == ScaleSource::kFromData) names.emplace_back(one.tensor);
    }
    if (names.empty()) return Scales();
    PLANEX_ASSIGN(const std::vector<ModelInput> inputs, inputs_of(file_->model()));
    DataRequest data = *request_.data;
    data.limit = request_.sample_limit;
    PLANEX_ASSIGN(const Data samples, load_data(data, inputs, "samples", *workshop_));
    result_.calibration_count = samples.sample_count;
    result_.notes.insert(result_.notes.end(), samples.notes.begin(), samples.notes.end());
    Runner runner(*workshop_);
    Observations seen;
    PLANEX_TRY(observe(*file_, names, {.folder = samples.folder, .count = samples.sample_count},
                       runner, seen, drive::Arithmetic::kSimulated));
    std::map<std::string_view, std::uint32_t> groups;
    for (const quantize::PlacedTensor& tensor : wanted_.tensors) {
      groups[tensor.name] = tensor.scale_group;
    }
    std::map<std::uint32_t, double> largest;
    for (const std::string& name : names) {
      PLANEX_ASSIGN(const drive::ObservedTensor* tensor,
                    finite_tensor(*file_, name, seen,
                                  "Omit --data: advice that needs no new scale is applied even "
                                  "so"));
      const quantize::Histogram histogram = histogram_of(*tensor);
      if (histogram.range == 0) result_.notes.push_back(zero_note(name));
      double& shared = largest[groups.at(name)];
      shared = std::max(shared, quantize::threshold(histogram, request_.method));
    }
    Scales scales;
    for (const std::string& name : names) {
      scales[name] = quantize::signed_scale(largest.at(groups.at(name)));
    }
    return scales;
  }

  // ONNX Runtime does not fuse these into the layer, and no pair can be moved over them.
  std::size_t unfolded_count() const {
    std::size_t count = 0;
    for (const Index layer : int8_layers_) {
      const auto outputs = file_->model().outputs_of(file_->model().nodes[layer]);
      const onnx::Link* made = outputs.empty() ? nullptr : file_->links().find(outputs.front());
      if (made == nullptr) continue;
      count += std::ranges::any_of(made->readers, [&](const onnx::Reader& reader) {
        return file_->model().nodes[reader.node].op_type == "BatchNormalization";
      });
    }
    return count;
  }

  void add_notes() {
    if (const std::size_t count = unfolded_count();
        count > 0 && request_.target == quantize::Target::kOnnxruntime) {
      const engines::EngineRule& rule =
          *engines::find_engine_rule("onnxruntime", engines::Condition::kNormalizationBehind);
      result_.notes.push_back(
          format("{} after quantized layers: ONNX Runtime computes {} in float, with conversions "
                 "around. {}",
                 counted(count, "BatchNormalization"), count == 1 ? "it" : "them", rule.cure));
    }
    if (!has_pairs()) {
      result_.notes.emplace_back(
          "the model has no Q/DQ: planex quantize places and calibrates them all");
    }
    if (!float_layers_.empty()) {
      result_.notes.push_back(
          format("{} with float weights, such as {}, stay as they are; --what-if estimates what "
                 "INT8 would gain",
                 counted(float_layers_.size(), "layer"), name_of(float_layers_.front())));
    }
    const auto waiting = static_cast<std::size_t>(
        std::ranges::count_if(result_.advice, [](const quantize::AdviceRow& row) {
          return row.scale_source == ScaleSource::kFromData && !row.scale;
        }));
    if (!result_.output.empty() && waiting > 0) {
      result_.notes.push_back(format(
          "{} because a scale is missing: --data calibrates it",
          counted(waiting, "piece of advice was left out", "pieces of advice were left out")));
    }
    if (request_.engine && !request_.engine->producer.empty() &&
        request_.engine->producer != to_string(request_.target)) {
      result_.notes.push_back(
          format("the engine is from {}, but the advice is for {}: its times say little about that "
                 "target",
                 request_.engine->producer, to_string(request_.target)));
    }
  }

  const AdviseRequest& request_;
  const Workshop* workshop_;
  std::unique_ptr<ModelFile> file_;
  std::unique_ptr<onnx::NodeNames> names_;
  quantize::Existing existing_;
  std::set<Index> int8_layers_;
  std::size_t constant_pair_count_ = 0;
  Placement wanted_;
  std::vector<Index> float_layers_;
  std::vector<Advice> advice_;
  std::unique_ptr<quantize::Gains> gains_;
  AdviseOutcome result_;
};

}  // namespace

Result<AdviseOutcome> advise_model(const AdviseRequest& request, const Workshop* workshop) {
  auto outcome = Adviser(request, workshop).run();
  return outcome ? std::move(outcome)
                 : fail(about_model(std::move(outcome).error(), request.model));
}

}  // namespace planex::tune
