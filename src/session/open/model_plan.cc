#include "session/open/model_plan.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "analyze/layout_forecast.h"
#include "onnx/links.h"
#include "onnx/model.h"
#include "onnx/read.h"
#include "onnx/values.h"
#include "quantize/advice.h"
#include "quantize/coarse_scales.h"
#include "quantize/existing.h"
#include "quantize/placement.h"
#include "quantize/placement_rules.h"

namespace planex::session {
namespace {

using analyze::ModelPlan;
using analyze::TargetPlan;
using onnx::Index;
using quantize::Target;

std::string path_of_model(const model::PlanModel& model) {
  for (std::size_t row = 0; row < model.files.row_count(); ++row) {
    if (model.text(model.files.kind[row]) == "onnx") {
      return std::string(model.text(model.files.file[row]));
    }
  }
  return {};
}

// Operations on integers, without Q/DQ around them.
bool is_integer_operator(std::string_view type) {
  return type.starts_with("QLinear") || type == "QGemm" || type == "ConvInteger" ||
         type == "MatMulInteger" || type == "MatMulIntegerToFloat";
}

class Planner {
 public:
  Planner(const model::PlanModel& model, const onnx::Model& source, const onnx::Links& links,
          quantize::Existing existing)
      : model_(model), source_(source), links_(links), existing_(std::move(existing)) {}

  ModelPlan run(onnx::Values& values) {
    for (const quantize::CoarseScale& coarse :
         quantize::find_coarse_scales(source_, links_, existing_, values)) {
      plan_.coarse_scales.push_back({.tensor = coarse.tensor,
                                     .part = coarse.part,
                                     .step_count = coarse.step_count,
                                     .sentence = sentence_of(coarse),
                                     .cure = cure_of(coarse)});
    }
    find_quantized();
    count_products();
    for (const Target target :
         {Target::kTensorrt, Target::kTensorrtRtx, Target::kOpenvino, Target::kOnnxruntime}) {
      plan_.targets.push_back(plan_for(target));
      forecast_copies(target, plan_.targets.back());
    }
    return std::move(plan_);
  }

 private:
  void find_quantized() {
    for (const quantize::ExistingWeight& weight : existing_.weights) {
      ++plan_.quantized_weight_count;
      for (const onnx::Reader& reader : weight.readers) with_weight_.insert(reader.node);
    }
    for (const quantize::ExistingPair& pair : existing_.pairs) {
      const bool is_constant = links_.constant(pair.tensor) != onnx::kNoIndex;
      ++(is_constant ? plan_.quantized_weight_count : plan_.pair_count);
      auto& nodes = is_constant ? with_weight_ : with_activation_;
      for (const onnx::Reader& reader : pair.readers) nodes.insert(reader.node);
    }
  }

  // Layers of the model are the nodes of its main graph, in their order.
  void count_products() {
    const model::LayersTable& layers = model_.layers;
    const Index first = source_.graphs.front().nodes.first;
    for (std::size_t row = 0; row < layers.row_count(); ++row) {
      const model::Family family = layers.family[row];
      if (family != model::Family::kConvolution && family != model::Family::kGemm) continue;
      ++plan_.product_count;
      const Index node = first + static_cast<Index>(row);
      const bool is_integer = is_integer_operator(source_.nodes[node].op_type);
      const bool weight = is_integer || with_weight_.contains(node);
      const bool activation = is_integer || with_activation_.contains(node);
      if (weight && activation) ++plan_.quantized_count;
      if (weight != activation) ++plan_.partly_quantized_count;
    }
  }

  void forecast_copies(Target target, TargetPlan& result) const {
    if (target == Target::kTensorrtRtx) {
      const analyze::EdgeCopies copies = analyze::forecast_tensorrt_rtx_copies(model_);
      result.layout_copies_at_inputs = copies.at_inputs;
      result.layout_copies_at_outputs = copies.at_outputs;
    }
    if (target != Target::kOpenvino) return;
    if (const auto copies = analyze::forecast_openvino_copies(model_)) {
      result.layout_copies_at_inputs = copies->at_inputs;
      result.layout_copies_inside = copies->inside;
      result.layout_copies_at_outputs = copies->at_outputs;
    }
  }

  TargetPlan plan_for(Target target) {
    TargetPlan result;
    result.target = std::string(to_string(target));
    quantize::PlacementOptions options{
        .target = target, .kept = {}, .op_types = {}, .only = {}, .ignores_pairs = true};
    auto placement = quantize::place(source_, links_, options);
    if (!placement) return result;
    if (plan_.pair_count + plan_.quantized_weight_count == 0) {
      result.layers = static_cast<std::int64_t>(placement->layers.size());
      result.tensors = static_cast<std::int64_t>(placement->tensors.size());
      return result;
    }
    // The author of the model left these in float, and they stay so (tune/advise.cc does the same).
    for (const Index layer : placement->layers) {
      if (!with_weight_.contains(layer)) options.kept.push_back("#" + std::to_string(layer));
    }
    if (!options.kept.empty() && options.kept.size() < placement->layers.size()) {
      placement = quantize::place(source_, links_, options);
      if (!placement) return result;
    }
    result.edits = static_cast<std::int64_t>(
        quantize::advise(source_, links_, existing_, *placement, target).size());
    return result;
  }

  const model::PlanModel& model_;
  const onnx::Model& source_;
  const onnx::Links& links_;
  quantize::Existing existing_;
  std::unordered_set<Index> with_weight_, with_activation_;  // readers
  ModelPlan plan_;
};

}  // namespace

std::optional<ModelPlan> model_plan(const model::PlanModel& model, const base::FileSource& files) {
  if (!model.is_uncompiled() || model.source_model == nullptr) return std::nullopt;
  const std::string_view bytes = model.source_model->view();
  const auto source = onnx::read_model(bytes);
  if (!source || source->graphs.front().nodes.count != model.layers.row_count()) {
    return std::nullopt;
  }
  const onnx::Links links(*source);
  const std::string path = path_of_model(model);
  onnx::Values values(bytes, *source, files, std::string(base::folder_of(path)));
  auto existing = quantize::read_existing(*source, links, values);
  if (!existing) return std::nullopt;
  return Planner(model, *source, links, *std::move(existing)).run(values);
}

}  // namespace planex::session
