#include "analyze/quantization/quantization.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "analyze/quantization/quantization_source.h"
#include "analyze/reformats/reformats.h"
#include "base/text.h"

namespace planex::analyze {
namespace {

// Casts and moves between weights that are converted to float and the product that reads them.
constexpr int kMaxWeightSteps = 8;

using graph::DataFlow;
using graph::PortRow;
using model::Direction;
using model::DType;
using model::Family;
using model::LayerId;

class QuantizationExplainer {
 public:
  QuantizationExplainer(const model::PlanModel& model, const Reconciliation& time,
                        const ReformatExplanation& reformats)
      : model_(model),
        flow_(model, graph::GeneratedKernels::kMayConvert),
        times_(model, time),
        source_(model),
        reformats_(reformats),
        kind_of_(model.layers.row_count()) {
    for (const ReformatRow& row : reformats_.rows) kind_of_[row.layer.index()] = row.kind;
  }

  QuantizationExplanation run() {
    result_.basis = times_.basis();
    result_.layers_ms = times_.sum_ms();
    find_form();
    find_types();
    add_conversions();
    for (std::size_t row = 0; row < flow_.layer_count(); ++row) {
      const LayerId layer(row);
      if (flow_.works(layer) && flow_.is_matrix_layer(layer)) add_row(layer);
    }
    judge();
    return std::move(result_);
  }

 private:
  bool is_producer(std::string_view producer) const {
    return model_.text(model_.engine.producer[0]) == producer;
  }

  void find_form() {
    std::array<bool, kOperationRoles> seen{};
    if (source_.is_known()) {
      result_.quantizer_count = source_.count(OperationRole::kQuantizer);
      result_.dequantizer_count = source_.count(OperationRole::kDequantizer);
      result_.operator_count = source_.count(OperationRole::kOperator);
      result_.dynamic_count = source_.count(OperationRole::kDynamic);
      for (std::size_t role = 0; role < seen.size(); ++role) {
        seen[role] = source_.count(static_cast<OperationRole>(role)) > 0;
      }
    }
    set_form(seen, QuantizationEvidence::kModel);
    count_named_quantizers();
    if (result_.form == QuantizationForm::kNone) {
      for (std::size_t row = 0; row < model_.sources.row_count(); ++row) {
        seen[static_cast<std::size_t>(role_of_operation(
            model_.text(model_.sources.op_type[row]), model_.text(model_.sources.op_name[row])))] =
            true;
      }
      for (std::size_t row = 0; row < model_.layers.row_count(); ++row) {
        seen[static_cast<std::size_t>(
            role_of_operation({}, model_.text(model_.layers.name[row])))] = true;
        if (model_.text(model_.layers.origin[row]) == "QDQ") {
          seen[static_cast<std::size_t>(OperationRole::kQuantizer)] = true;
        }
      }
      set_form(seen, QuantizationEvidence::kSources);
    }
    if (result_.form != QuantizationForm::kNone) return;
    // Types alone: where the model has no quantizers, TensorRT chose by calibration.
    bool any_data = false, any_weights = false;
    for (std::size_t row = 0; row < flow_.layer_count(); ++row) {
      const LayerId layer(row);
      if (!flow_.works(layer) || !flow_.is_matrix_layer(layer)) continue;
      any_data = any_data || model::is_quantized(input_type(layer));
      any_weights = any_weights || model::is_quantized(weight_type(layer));
    }
    if (any_data) {
      result_.form =
          is_producer("tensorrt") ? QuantizationForm::kCalibrated : QuantizationForm::kPairs;
    } else if (any_weights) {
      result_.form = QuantizationForm::kWeights;
    }
    if (result_.form != QuantizationForm::kNone) result_.evidence = QuantizationEvidence::kTypes;
  }

  void count_named_quantizers() {
    std::unordered_set<std::string_view> names;
    const auto add = [&](std::string_view type, std::string_view name) {
      if (role_of_operation(type, name) == OperationRole::kQuantizer) names.insert(name);
    };
    for (std::size_t row = 0; row < model_.sources.row_count(); ++row) {
      add(model_.text(model_.sources.op_type[row]), model_.text(model_.sources.op_name[row]));
    }
    result_.named_quantizer_count = names.size();
  }

  void find_types() {
    for (std::size_t row = 0; row < flow_.layer_count() && !result_.types_known; ++row) {
      if (!flow_.works(LayerId(row))) continue;
      result_.types_known =
          !model_.layers.precision.is_null(row) || !model_.layers.output_precision.is_null(row);
    }
  }

  void set_form(const std::array<bool, kOperationRoles>& seen, QuantizationEvidence evidence) {
    const auto has = [&](OperationRole role) { return seen[static_cast<std::size_t>(role)]; };
    if (has(OperationRole::kDynamic)) {
      result_.form = QuantizationForm::kDynamic;
    } else if (has(OperationRole::kOperator)) {
      result_.form = QuantizationForm::kOperators;
    } else if (has(OperationRole::kQuantizer)) {
      result_.form = QuantizationForm::kPairs;
    } else if (has(OperationRole::kDequantizer)) {
      result_.form = QuantizationForm::kWeights;
    } else {
      return;
    }
    result_.evidence = evidence;
  }

  DType input_type(LayerId layer) const {
    const auto in = flow_.inputs(layer);
    return in.empty() ? DType::kNull : flow_.type_of(in[0]);
  }

  // The narrowest type among the layer's constants that are weights; where kernels before it
  // convert constants to float, the type of those.
  DType weight_type(LayerId layer) const {
    const model::RowRange ports = model_.ports_of(layer);
    DType type = DType::kNull;
    for (PortRow port = ports.first; port < ports.end(); ++port) {
      if (model_.ports.direction[port] == Direction::kOutput) continue;
      const bool is_weight = model_.ports.direction[port] == Direction::kConstant ||
                             flow_.is_constant(flow_.tensor_of(port));
      if (!is_weight) continue;
      if (type == DType::kNull || model::is_quantized(flow_.type_of(port))) {
        type = flow_.type_of(port);
      }
    }
    return type;
  }

  // A kernel that converts quantized constants to float in each inference, and whose result the
  // layer reads, possibly through casts and moves.
  LayerId weight_dequantizer(LayerId layer) const {
    for (const PortRow port : flow_.inputs(layer)) {
      for (std::uint32_t writer : graph::first_few(flow_.writers(flow_.tensor_of(port)))) {
        for (int step = 0; step < kMaxWeightSteps; ++step) {
          const LayerId from = flow_.layer_of(writer);
          const auto in = flow_.inputs(from);
          if (!flow_.works(from)) break;
          if (in.empty()) {
            if (model::is_quantized(flow_.first_data_type(from)) &&
                model::is_float(flow_.type_of(writer))) {
              return from;
            }
            break;
          }
          const auto before = flow_.writers(flow_.tensor_of(in[0]));
          if (in.size() != 1 || !flow_.is_conversion(from) || before.size() != 1) break;
          writer = before[0];
        }
      }
    }
    return {};
  }

  bool crosses(LayerId conversion) const {
    const auto kind = kind_of_[conversion.index()];
    return kind && (*kind == ConversionKind::kQuantize || *kind == ConversionKind::kDequantize ||
                    *kind == ConversionKind::kRoundTrip);
  }

  // Where the types are not known, names still reveal separate quantizers.
  ConversionKind kind_with_name(const ReformatRow& row) const {
    if (row.kind != ConversionKind::kUnknown) return row.kind;
    switch (role_of_operation(model_.text(model_.layers.type[row.layer.index()]), {})) {
      case OperationRole::kQuantizer:
        return ConversionKind::kQuantize;
      case OperationRole::kDequantizer:
        return ConversionKind::kDequantize;
      default:
        return row.kind;
    }
  }

  void add_conversions() {
    for (const ReformatRow& row : reformats_.rows) {
      LayerTotals* totals = nullptr;
      switch (kind_with_name(row)) {
        case ConversionKind::kQuantize:
          totals = &result_.quantizers;
          break;
        case ConversionKind::kDequantize:
          totals = &result_.dequantizers;
          break;
        case ConversionKind::kRoundTrip:
          totals = &result_.round_trips;
          break;
        default:
          continue;
      }
      times_.add(row.layer, *totals);
      times_.add(row.layer, result_.conversions);
      if (row.verdict == ReformatVerdict::kAvoidable) {
        times_.add(row.layer, result_.avoidable_conversions);
      }
    }
  }

  // What the layer's own sources say about quantization.
  struct SourceFacts {
    bool any_quantizer = false, any_operator = false, any_dynamic = false;
    std::string_view product;            // the name of its product, where the source model has it
    bool data = false, weights = false;  // of its product, as the source model has it
    bool operands_known = false;
  };

  SourceFacts facts_of(LayerId layer) const {
    SourceFacts facts;
    const model::RowRange sources = model_.sources_of(layer);
    for (std::size_t row = sources.first; row < sources.end(); ++row) {
      const std::string_view name = model_.text(model_.sources.op_name[row]);
      OperationRole role = role_of_operation(model_.text(model_.sources.op_type[row]), name);
      if (role == OperationRole::kOther) role = source_.role(name);
      facts.any_quantizer = facts.any_quantizer || role == OperationRole::kQuantizer ||
                            role == OperationRole::kDequantizer;
      facts.any_operator = facts.any_operator || role == OperationRole::kOperator;
      facts.any_dynamic = facts.any_dynamic || role == OperationRole::kDynamic;
      const auto operands = source_.operands(name);
      if (!operands || role != OperationRole::kOther || !is_product(row)) continue;
      facts.product = name;
      facts.operands_known = true;
      facts.data = facts.data || operands->data;
      facts.weights = facts.weights || operands->weights;
    }
    return facts;
  }

  bool is_product(std::size_t source) const {
    const std::string_view type = model_.text(model_.sources.op_type[source]);
    const std::string_view name = model_.text(model_.sources.op_name[source]);
    for (const std::string_view word : {"Conv", "MatMul", "Gemm"}) {
      if ((type.empty() ? name : type).find(word) != std::string_view::npos) return true;
    }
    return type.empty();
  }

  void add_row(LayerId layer) {
    QuantizationRow row;
    row.layer = layer;
    const auto in = flow_.inputs(layer), out = flow_.outputs(layer);
    row.input = input_type(layer);
    row.output = out.empty() ? DType::kNull : flow_.type_of(out[0]);
    row.weights = weight_type(layer);
    const LayerId dequantizer = weight_dequantizer(layer);
    if (!dequantizer.is_null() && !model::is_quantized(row.weights)) {
      row.weights = flow_.first_data_type(dequantizer);
    }
    const DType compute = model_.layers.compute_precision[layer.index()];
    const bool computes_in_float = compute != DType::kNull && model::is_float(compute);
    // DynamicQuantizeMatMul reads floats and quantizes them itself.
    const bool quantizes_itself = is_producer("onnxruntime") && model::is_quantized(compute);
    if ((model::is_quantized(row.input) && !computes_in_float) || quantizes_itself) {
      row.run = model::is_float(row.output) ? QuantizedRun::kWritesFloat : QuantizedRun::kQuantized;
    } else if (model::is_quantized(row.weights)) {
      row.run = QuantizedRun::kWeightsOnly;
    } else if (row.input == DType::kNull && compute == DType::kNull) {
      row.run = QuantizedRun::kUnknown;
    }
    const SourceFacts facts = facts_of(layer);
    row.weight_kernel = dequantizer;
    row.requested = requested(row, facts, in, dequantizer);
    set_reason(row, facts, in, out);
    row.time_ms = times_.of(layer);
    row.share = times_.share(row.time_ms);
    add_beside(row, in, out, dequantizer);
    count(row);
    result_.rows.push_back(row);
  }

  // A conversion from a quantized type stands before it.
  LayerId conversion_before(const std::vector<PortRow>& in) const {
    if (in.empty()) return {};
    for (const graph::Reach& reach : flow_.real_writers(flow_.tensor_of(in[0])).reaches) {
      const LayerId found = dequantizing(reach.conversions);
      if (!found.is_null()) return found;
      // OpenVINO's CPU plugin converts the type, and multiplies by the scale in a later layer.
      if (!is_producer("openvino") || flow_.is_matrix_layer(reach.layer)) continue;
      for (const PortRow scaled : flow_.inputs(reach.layer)) {
        for (const graph::Reach& behind : flow_.real_writers(flow_.tensor_of(scaled)).reaches) {
          const LayerId conversion = dequantizing(behind.conversions);
          if (!conversion.is_null()) return conversion;
        }
      }
    }
    return {};
  }

  LayerId dequantizing(const std::vector<LayerId>& conversions) const {
    for (const LayerId conversion : conversions) {
      if (crosses(conversion) && kind_of_[conversion.index()] != ConversionKind::kQuantize) {
        return conversion;
      }
    }
    return {};
  }

  // What the engine's own rules say; false where none of them is known to apply.
  bool set_rule(QuantizationRow& row, engines::Condition condition) const {
    row.rule = engines::find_engine_rule(model_.text(model_.engine.producer[0]), condition);
    if (row.rule == nullptr || row.rule->because.empty()) {
      row.rule = nullptr;
      return false;
    }
    row.reason = FallbackReason::kEngineRule;
    return true;
  }

  bool is_convolution(LayerId layer) const { return flow_.family(layer) == Family::kConvolution; }

  // Only weights are quantized, and a kernel converts them to float.
  void set_weight_reason(QuantizationRow& row) const {
    if (row.weight_kernel.is_null()) return;  // it reads them as they are stored
    row.cause_layer = row.weight_kernel;
    row.reason = FallbackReason::kWeightsExpanded;
    set_rule(row, is_convolution(row.layer) ? engines::Condition::kConvolutionWeights
                                            : engines::Condition::kProductWeights);
  }

  bool reads_fp8(const QuantizationRow& row, const SourceFacts& facts, LayerId before) const {
    return row.weights == DType::kFp8 || row.input == DType::kFp8 ||
           (!before.is_null() && flow_.first_data_type(before) == DType::kFp8) ||
           source_.quantized_type(source_.data_dequantizer(facts.product)) == DType::kFp8;
  }

  // For a convolution or Gemm with quantized operands in ONNX Runtime: what prevents its fusion
  // with the quantizers around it.
  bool set_unfused_reason(QuantizationRow& row, const SourceFacts& facts,
                          const std::vector<PortRow>& in) {
    if (!is_producer("onnxruntime")) return false;
    const std::string_view type = flow_.type(row.layer);
    const bool is_gemm = type == "Gemm" || type == "FusedGemm";
    if (!is_gemm && !is_convolution(row.layer)) return false;
    if (type == "ConvTranspose") return set_rule(row, engines::Condition::kTransposedConvolution);
    // ONNX Runtime's own fusion of what followed.
    if (type == "FusedConv" || type == "FusedGemm") {
      return set_rule(row, has_summand(in, flow_.outputs(row.layer))
                               ? engines::Condition::kAdditionBehind
                               : engines::Condition::kActivationBehind);
    }
    const auto reader = source_.reader(facts.product);
    const Behind behind = reader ? reader->behind : behind_in_engine(row.layer);
    if (is_gemm && behind != Behind::kQuantizer && behind != Behind::kNothing) {
      return set_rule(row, engines::Condition::kGemmOutput);
    }
    switch (behind) {
      case Behind::kActivation:
        return set_rule(row, engines::Condition::kActivationBehind);
      case Behind::kNormalization:
        return set_rule(row, engines::Condition::kNormalizationBehind);
      case Behind::kAddition:
        return set_rule(row, engines::Condition::kAdditionBehind);
      case Behind::kQuantizer: {
        row.read_type = quantized_before(row.layer, facts);
        row.written_type = quantized_behind(row.layer, reader);
        const bool are_known = row.read_type != DType::kNull && row.written_type != DType::kNull;
        if (are_known && row.read_type != row.written_type) {
          return set_rule(row, engines::Condition::kEqualTypes);
        }
        return has_other_readers(row.layer) && set_rule(row, engines::Condition::kOtherReaders);
      }
      case Behind::kNothing:
        if (!reader && !flow_.is_engine_output(first_output(row.layer))) return false;
        break;
      case Behind::kOther:
        break;
    }
    return set_rule(
        row, is_gemm ? engines::Condition::kGemmOutput : engines::Condition::kQuantizedOutput);
  }

  model::TensorId first_output(LayerId layer) const {
    const auto out = flow_.outputs(layer);
    return out.empty() ? model::TensorId() : flow_.tensor_of(out[0]);
  }

  // An input after the first that has the output's own shape, unlike any weight or bias.
  bool has_summand(const std::vector<PortRow>& in, const std::vector<PortRow>& out) const {
    constexpr std::size_t kWithSum = 4;  // input, weights, bias, summand
    if (in.size() >= kWithSum || out.empty()) return in.size() >= kWithSum;
    const auto dims = flow_.dims_of(out[0]);
    return std::ranges::any_of(in, [&](PortRow port) {
      return port != in[0] && dims.size() > 2 && std::ranges::equal(flow_.dims_of(port), dims);
    });
  }

  // Readers other than the one quantizer after it, or the caller.
  bool has_other_readers(LayerId layer) const {
    const model::TensorId tensor = first_output(layer);
    return !tensor.is_null() &&
           (flow_.readers(tensor).size() > 1 || flow_.is_engine_output(tensor));
  }

  Behind behind_in_engine(LayerId layer) const {
    const model::TensorId tensor = first_output(layer);
    if (tensor.is_null()) return Behind::kNothing;
    Behind behind = Behind::kNothing;
    for (const std::uint32_t reader : graph::first_few(flow_.readers(tensor))) {
      const LayerId next = flow_.layer_of(reader);
      if (kind_of_[next.index()] == ConversionKind::kQuantize) return Behind::kQuantizer;
      if (behind == Behind::kNothing) behind = behind_of_type(flow_.type(next));
    }
    return behind;
  }

  // The type that its input, or its quantizer's output, has in the engine: ONNX Runtime turns some
  // of the model's int8 into uint8. kNull where it is not known.
  DType quantized_before(LayerId layer, const SourceFacts& facts) {
    const auto in = flow_.inputs(layer);
    const LayerId before = conversion_before(in);
    if (!before.is_null()) return flow_.first_data_type(before);
    const LayerId named = layer_named(source_.data_dequantizer(facts.product));
    return named.is_null() ? DType::kNull : flow_.first_data_type(named);
  }

  DType quantized_behind(LayerId layer, const std::optional<QuantizationSource::Reader>& reader) {
    const model::TensorId tensor = first_output(layer);
    if (!tensor.is_null()) {
      for (const std::uint32_t port : graph::first_few(flow_.readers(tensor))) {
        if (const DType type = written_type(flow_.layer_of(port)); model::is_quantized(type)) {
          return type;
        }
      }
    }
    return reader ? written_type(layer_named(reader->name)) : DType::kNull;
  }

  DType written_type(LayerId layer) const {
    if (layer.is_null()) return DType::kNull;
    const auto out = flow_.outputs(layer);
    return out.empty() ? DType::kNull : flow_.type_of(out[0]);
  }

  LayerId layer_named(std::string_view name) {
    if (by_name_.empty()) {
      for (std::size_t row = 0; row < flow_.layer_count(); ++row) {
        by_name_.try_emplace(model_.text(model_.layers.name[row]), LayerId(row));
      }
    }
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? LayerId() : found->second;
  }

  Requested requested(const QuantizationRow& row, const SourceFacts& facts,
                      const std::vector<PortRow>& in, LayerId dequantizer) const {
    if (result_.form == QuantizationForm::kNone) return Requested::kUnknown;
    const bool runs_quantized =
        row.run != QuantizedRun::kFloat && row.run != QuantizedRun::kUnknown;
    if (runs_quantized || !dequantizer.is_null() || facts.any_operator || facts.any_dynamic) {
      return Requested::kYes;
    }
    if (facts.operands_known) return facts.data || facts.weights ? Requested::kYes : Requested::kNo;
    if (facts.any_quantizer || model::is_quantized(row.input) || !conversion_before(in).is_null()) {
      return Requested::kYes;
    }
    // The builder was allowed to quantize all of it.
    if (result_.form == QuantizationForm::kCalibrated) return Requested::kYes;
    return Requested::kUnknown;
  }

  void set_reason(QuantizationRow& row, const SourceFacts& facts, const std::vector<PortRow>& in,
                  const std::vector<PortRow>& out) {
    if (row.requested != Requested::kYes) return;
    const bool is_dynamic = facts.any_dynamic ||
                            flow_.type(row.layer).find("Integer") != std::string_view::npos ||
                            flow_.type(row.layer) == "DynamicQuantizeMatMul";
    if (is_dynamic && is_convolution(row.layer) &&
        set_rule(row, engines::Condition::kDynamicConvolution)) {
      return;
    }
    if (row.run == QuantizedRun::kQuantized) return;
    if (row.run == QuantizedRun::kUnknown) return;  // nor is it known that it fell back
    // Dynamic quantization is float between its products.
    if (row.run == QuantizedRun::kWritesFloat && is_dynamic) return;
    if (row.run == QuantizedRun::kWritesFloat) {
      set_output_reason(row, in, out);
      return;
    }
    if (result_.form == QuantizationForm::kWeights) {
      set_weight_reason(row);
      return;
    }
    const LayerId before = conversion_before(in);
    if (reads_fp8(row, facts, before) && set_rule(row, engines::Condition::kFp8Products)) return;
    if (is_producer("tensorrt-rtx") && is_convolution(row.layer)) {
      set_scale_reason(row, facts);
      return;
    }
    const bool both = facts.operands_known ? facts.data && facts.weights
                                           : !before.is_null() && model::is_quantized(row.weights);
    if (both && set_unfused_reason(row, facts, in)) return;
    if (facts.any_dynamic || result_.form == QuantizationForm::kDynamic) {
      row.reason = FallbackReason::kDynamicScale;
    } else if (!is_producer("onnxruntime") && result_.form == QuantizationForm::kOperators) {
      row.reason = FallbackReason::kOperatorForm;
    } else if (facts.operands_known && facts.data && !facts.weights) {
      row.reason = FallbackReason::kFloatWeights;
    } else if (facts.operands_known && !facts.data) {
      row.reason = FallbackReason::kFloatInput;
    } else if (model::is_quantized(row.input)) {
      row.reason = FallbackReason::kFloatKernel;
    } else if (!before.is_null()) {
      row.reason = FallbackReason::kDequantized;
      row.cause_layer = before;
    } else if (result_.form == QuantizationForm::kCalibrated) {
      row.reason = FallbackReason::kBuilderChose;
    } else {
      row.reason = FallbackReason::kUnknown;
    }
  }

  // Per-channel scale lists prevent TensorRT-RTX from computing a convolution in INT8. Where the
  // model is not known, or has them elsewhere, that is likely but not certain.
  void set_scale_reason(QuantizationRow& row, const SourceFacts& facts) const {
    auto is_list = source_.has_list_scale(facts.product);
    if (is_list != true) {
      const auto any = source_.any_list_scale();
      is_list = any == true ? std::nullopt : any;
    }
    if (is_list == false) {
      row.reason = FallbackReason::kUnknown;
      return;
    }
    if (set_rule(row, engines::Condition::kScaleRank)) row.is_likely = !is_list;
  }

  void set_output_reason(QuantizationRow& row, const std::vector<PortRow>& in,
                         const std::vector<PortRow>& out) const {
    for (std::size_t i = 1; i < in.size(); ++i) {
      if (!model::is_float(flow_.type_of(in[i])) || flow_.is_constant(flow_.tensor_of(in[i]))) {
        continue;
      }
      row.reason = FallbackReason::kFloatResidual;
      const graph::Walk writers = flow_.real_writers(flow_.tensor_of(in[i]));
      if (!writers.reaches.empty()) row.cause_layer = writers.reaches[0].layer;
      return;
    }
    if (out.empty()) return;
    const graph::Walk readers = flow_.real_readers(flow_.tensor_of(out[0]));
    if (readers.reaches.empty()) {
      row.reason = FallbackReason::kOutput;
      return;
    }
    const graph::Reach* reader = &readers.reaches[0];
    for (const graph::Reach& reach : readers.reaches) {
      if (!model::is_quantized(flow_.type_of(reach.port))) {
        reader = &reach;
        break;
      }
    }
    row.cause_layer = reader->layer;
    row.reason = flow_.family(reader->layer) == Family::kPool ? FallbackReason::kFloatPool
                                                              : reason_of_reader(reader->layer);
  }

  // TensorRT-RTX's products write float, and the generated kernel after one scales, adds, activates
  // and quantizes in one pass: nothing is lost there. After the last one, nothing quantizes.
  FallbackReason reason_of_reader(LayerId reader) const {
    if (flow_.is_matrix_layer(reader)) return FallbackReason::kFloatReader;
    bool writes_quantized = false, is_last = true;
    for (const PortRow port : flow_.outputs(reader)) {
      writes_quantized = writes_quantized || model::is_quantized(flow_.type_of(port));
      is_last = is_last && flow_.real_readers(flow_.tensor_of(port)).reaches.empty();
    }
    if (is_last) return FallbackReason::kOutput;
    return writes_quantized && is_producer("tensorrt-rtx") ? FallbackReason::kQuantizedBehind
                                                           : FallbackReason::kFloatReader;
  }

  void add_beside(QuantizationRow& row, const std::vector<PortRow>& in,
                  const std::vector<PortRow>& out, LayerId dequantizer) {
    const auto take = [&](LayerId conversion) {
      if (conversion != dequantizer && !crosses(conversion)) return;
      if (!beside_.insert(conversion.index()).second) return;
      ++row.conversion_count;
      if (const auto time = times_.of(conversion)) {
        row.conversion_ms = row.conversion_ms.value_or(0) + *time;
      }
    };
    const auto take_all = [&](const graph::Walk& walk) {
      for (const graph::Reach& reach : walk.reaches) {
        std::ranges::for_each(reach.conversions, take);
      }
      std::ranges::for_each(walk.edge_conversions, take);
    };
    if (!dequantizer.is_null()) take(dequantizer);
    for (std::size_t i = 0; i < std::min(in.size(), kMaxNeighbours); ++i) {
      take_all(flow_.real_writers(flow_.tensor_of(in[i])));
    }
    for (std::size_t i = 0; i < std::min(out.size(), kMaxNeighbours); ++i) {
      take_all(flow_.real_readers(flow_.tensor_of(out[i])));
    }
  }

  void count(const QuantizationRow& row) {
    times_.add(row.layer, result_.matrix);
    times_.add(row.layer, result_.by_run[static_cast<std::size_t>(row.run)]);
    switch (row.requested) {
      case Requested::kYes:
        times_.add(row.layer, result_.requested);
        break;
      case Requested::kNo:
        times_.add(row.layer, result_.not_requested);
        break;
      case Requested::kUnknown:
        times_.add(row.layer, result_.unknown);
        break;
    }
    const bool is_float = row.run == QuantizedRun::kFloat || row.run == QuantizedRun::kWeightsOnly;
    const bool is_as_requested =
        result_.form == QuantizationForm::kWeights && row.run == QuantizedRun::kWeightsOnly;
    if (row.requested == Requested::kYes && is_float && !is_as_requested) {
      times_.add(row.layer, result_.fell_back);
    }
    if (!row.weight_kernel.is_null() && expanding_.insert(row.weight_kernel.index()).second) {
      times_.add(row.weight_kernel, result_.weight_kernels);
    }
  }

  void judge() {
    const std::size_t unknown =
        result_.by_run[static_cast<std::size_t>(QuantizedRun::kUnknown)].count;
    const bool nothing_is_known = !result_.types_known || unknown == result_.matrix.count;
    if (unknown > 0 ? nothing_is_known || result_.fell_back.count == 0 : !result_.types_known) {
      result_.verdict = QuantizationVerdict::kUnknown;
      return;
    }
    if (result_.form == QuantizationForm::kNone) return;
    const std::size_t quantized =
        result_.by_run[static_cast<std::size_t>(QuantizedRun::kQuantized)].count +
        result_.by_run[static_cast<std::size_t>(QuantizedRun::kWritesFloat)].count;
    if (result_.fell_back.count > 0) {
      result_.verdict =
          quantized == 0 ? QuantizationVerdict::kUndone : QuantizationVerdict::kPartly;
    } else if (result_.form == QuantizationForm::kWeights) {
      result_.verdict = result_.weight_kernels.count > 0 ? QuantizationVerdict::kExpanded
                        : result_.requested.count > 0    ? QuantizationVerdict::kQuantized
                                                         : QuantizationVerdict::kNotAsked;
    } else if (result_.conversions.share.value_or(0) >= kManyConversions) {
      result_.verdict = QuantizationVerdict::kConverts;
    } else if (result_.requested.count > 0) {
      result_.verdict = QuantizationVerdict::kQuantized;
    }
  }

  const model::PlanModel& model_;
  DataFlow flow_;
  LayerTimes times_;
  QuantizationSource source_;
  const ReformatExplanation& reformats_;
  std::vector<std::optional<ConversionKind>> kind_of_;     // by layer
  std::unordered_set<std::size_t> beside_;                 // conversions that a row has
  std::unordered_set<std::size_t> expanding_;              // kernels that convert weights to float
  std::unordered_map<std::string_view, LayerId> by_name_;  // filled by layer_named()
  QuantizationExplanation result_;
};

}  // namespace

QuantizationExplanation explain_quantization(const model::PlanModel& model,
                                             const Reconciliation& time) {
  return explain_quantization(model, time, explain_reformats(model, time));
}

QuantizationExplanation explain_quantization(const model::PlanModel& model,
                                             const Reconciliation& time,
                                             const ReformatExplanation& reformats) {
  return QuantizationExplainer(model, time, reformats).run();
}

}  // namespace planex::analyze
