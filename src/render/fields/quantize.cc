#include "render/fields/quantize.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "render/fields/accuracy.h"

namespace planex::render {
namespace {

using quantize::Decision;
using quantize::JudgedTensor;
using quantize::LabelScore;
using quantize::MethodScore;
using quantize::MetricScore;
using quantize::Outcome;
using quantize::QuantizedTensor;
using quantize::RefusedSample;
using quantize::RightAnswers;
using quantize::WeightScales;
using record::Fields;

std::optional<double> ratio(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

// Neighbours together, so that 128 bins are left of the 2048 that scales are chosen by: enough to
// see the distribution of the values, and a sixteenth of the file.
std::vector<std::int64_t> shown_bins(const quantize::Histogram& histogram) {
  constexpr std::size_t kShownBins = 128;
  const std::size_t step = (histogram.counts.size() + kShownBins - 1) / kShownBins;
  std::vector<std::int64_t> bins;
  for (std::size_t at = 0; at < histogram.counts.size(); ++at) {
    if (at % step == 0) bins.push_back(0);
    bins.back() += static_cast<std::int64_t>(histogram.counts[at]);
  }
  return bins;
}

Fields<MethodScore> score_fields() {
  return Fields<MethodScore>("MethodScore", "A way to choose scales, judged on held-back samples.")
      .field("method", "", "minmax, percentile:P, kl or mse.",
             [](const MethodScore& score) { return to_string(score.method); })
      .field("is_chosen", "", "The model was written with it.", &MethodScore::is_chosen)
      .list("simulated", "The float model against the quantized one's own arithmetic.",
            judged_fields(), &MethodScore::simulated);
}

Fields<WeightScales> weight_fields() {
  return Fields<WeightScales>("QuantizedWeight", "A weight on 8, 7 or 4 bits.")
      .field("weight", "", "The tensor.", &WeightScales::weight)
      .field("channel_count", "count", "Number of scales: one per channel, or block.",
             [](const WeightScales& weight) { return weight.scales.size(); })
      .field("sqnr_db", "dB", "SQNR of the weight itself.", &WeightScales::sqnr_db);
}

Fields<Decision> decision_fields() {
  return Fields<Decision>("PlacementDecision", "A rule that was, or was not, applied at a place.")
      .field("rule", "", "Its id: planex explain placement.", &Decision::rule)
      .maybe("node", "", "The node.", &Decision::node)
      .maybe("tensor", "", "The tensor.", &Decision::tensor)
      .field("is_applied", "", "It was applied.", &Decision::is_applied)
      .field("why", "", "Why, or why not.", &Decision::why);
}

Fields<RightAnswers> right_fields() {
  return Fields<RightAnswers>("RightAnswers", "Samples whose largest class matches the label.")
      .field("right", "count", "Samples with the right class.", &RightAnswers::right)
      .field("total", "count", "All samples that have a label.", &RightAnswers::total)
      .field("low", "ratio", "Lower end of the 95 % score interval (Wilson) of that share.",
             &RightAnswers::low)
      .field("high", "ratio", "Upper end of that interval.", &RightAnswers::high);
}

}  // namespace

const Fields<LabelScore>& label_fields() {
  static const auto kFields =
      Fields<LabelScore>("LabelScore", "The models against the labels of the samples.")
          .field("tensor", "", "The tensor with the classes.", &LabelScore::tensor)
          .object("original", "The float model.", right_fields(), &LabelScore::original)
          .object("simulated",
                  "The quantized model's own arithmetic; null: there is no quantized model.",
                  right_fields(), &LabelScore::simulated)
          .object("engine",
                  "The engine that is built from it; null for FP8, which OpenVINO does not run.",
                  right_fields(), &LabelScore::engine)
          .object("original_top5",
                  "The label's class is among the float model's five largest; null: five classes "
                  "or fewer.",
                  right_fields(), &LabelScore::original_top5)
          .object("simulated_top5", "The same for the quantized model's own arithmetic.",
                  right_fields(), &LabelScore::simulated_top5)
          .object("engine_top5", "The same for the engine.", right_fields(),
                  &LabelScore::engine_top5);
  return kFields;
}

const Fields<MetricScore>& metric_fields() {
  static const auto kFields =
      Fields<MetricScore>("MetricScore", "A value from the user's own program: --metric.")
          .field("name", "", "The name that the program prints, or the program's own name.",
                 &MetricScore::name)
          .field("original", "", "The float model against itself.", &MetricScore::original)
          .field("simulated", "", "The float model against the quantized one's own arithmetic.",
                 &MetricScore::simulated)
          .field("engine", "", "The float model against the engine.", &MetricScore::engine);
  return kFields;
}

const Fields<JudgedTensor>& judged_fields() {
  static const auto kFields =
      Fields<JudgedTensor>("JudgedTensor", "How far a result is from another.")
          .field("tensor", "", "The tensor.", &JudgedTensor::tensor)
          .field("sqnr_db", "dB",
                 "Signal to quantization noise: 10 log10(sum r^2 / sum (s - r)^2). null: no "
                 "signal, or "
                 "no noise.",
                 [](const JudgedTensor& one) { return one.difference.sqnr_db; })
          .field("cosine", "", "Cosine of the angle between the two.",
                 [](const JudgedTensor& one) { return one.difference.cosine; })
          .field("max_abs", "", "Largest |s - r|.",
                 [](const JudgedTensor& one) { return one.difference.max_abs; })
          .field("is_equal", "", "Bit for bit the same.",
                 [](const JudgedTensor& one) { return one.difference.is_equal; })
          .field("nan_count", "count", "NaN in the subject.",
                 [](const JudgedTensor& one) { return one.difference.subject_nan_count; })
          .field("inf_count", "count", "Infinities in the subject.",
                 [](const JudgedTensor& one) { return one.difference.subject_inf_count; })
          .field("row_count", "count", "Rows of classes; null: the tensor has no classes.",
                 [](const JudgedTensor& one) {
                   return one.agreement ? std::optional(one.agreement->rows) : std::nullopt;
                 })
          .field("top1_ratio", "ratio", "Rows whose largest class is the same.",
                 [](const JudgedTensor& one) {
                   return one.agreement ? ratio(one.agreement->top1_count, one.agreement->rows)
                                        : std::nullopt;
                 })
          .field("top5_ratio", "ratio",
                 "Rows whose largest class is among the subject's five largest.",
                 [](const JudgedTensor& one) {
                   return one.agreement ? ratio(one.agreement->top5_count, one.agreement->rows)
                                        : std::nullopt;
                 })
          .with(sliced_fields(), &JudgedTensor::difference);
  return kFields;
}

const Fields<RefusedSample>& refused_fields() {
  static const auto kFields = Fields<RefusedSample>("RefusedSample", "A file rejected as a sample.")
                                  .field("file", "", "Its path.", &RefusedSample::path)
                                  .field("why", "", "What is wrong with it.", &RefusedSample::why);
  return kFields;
}

const Fields<QuantizedTensor>& quantized_tensor_fields() {
  static const auto kFields =
      Fields<QuantizedTensor>("QuantizedTensor", "A tensor with a Q/DQ pair.")
          .field("tensor", "", "Its name.", &QuantizedTensor::tensor)
          .maybe("node", "", "The node that writes it; null: an input, or the node has no name.",
                 &QuantizedTensor::node)
          .field("min", "", "Smallest value seen.", &QuantizedTensor::min)
          .field("max", "", "Largest value seen.", &QuantizedTensor::max)
          .field("threshold", "", "Largest magnitude that the scale covers.",
                 &QuantizedTensor::threshold)
          .field("scale", "",
                 "One quantization step: for int8 threshold / 127; for FP8 threshold / 448; for "
                 "uint8 with another zero point than 128 the range within the threshold / 255.",
                 [](const QuantizedTensor& tensor) { return static_cast<double>(tensor.scale); })
          .field("dtype", "", "What it becomes: INT8, UINT8 or FP8.",
                 [](const QuantizedTensor& tensor) -> std::string_view {
                   if (tensor.encoding == quantize::Encoding::kFloat8) return "FP8";
                   return tensor.is_unsigned ? "UINT8" : "INT8";
                 })
          .field("is_unsigned", "", "uint8, else int8; null: FP8.",
                 [](const QuantizedTensor& tensor) -> std::optional<bool> {
                   if (tensor.encoding == quantize::Encoding::kFloat8) return std::nullopt;
                   return tensor.is_unsigned;
                 })
          .field("zero_point", "", "The integer for 0; always 0 for int8 and FP8.",
                 [](const QuantizedTensor& tensor) { return int{tensor.zero_point}; })
          .field("scale_group", "", "Tensors of one number share their scale.",
                 &QuantizedTensor::scale_group)
          .field("clipped_ratio", "ratio", "Share of the values beyond the threshold.",
                 [](const QuantizedTensor& tensor) { return tensor.judgement.clipped_ratio; })
          .field("sqnr_db", "dB", "SQNR of the tensor itself, from its histogram.",
                 [](const QuantizedTensor& tensor) { return tensor.judgement.sqnr_db; })
          .field("rules", "", "Why it has a pair: planex explain placement.",
                 &QuantizedTensor::rules)
          .field("histogram_max", "", "Largest magnitude seen: where the last bin ends.",
                 [](const QuantizedTensor& tensor) { return tensor.histogram.range; })
          .field("histogram", "count",
                 "Values in bins of equal width over their magnitude, from 0 to histogram_max.",
                 [](const QuantizedTensor& tensor) { return shown_bins(tensor.histogram); });
  return kFields;
}

const record::Document<Outcome>& quantize_document() {
  static const record::Document<Outcome> kDocument = {
      "planex.quantize/1", "A model that was quantized: planex quantize --format json",
      Fields<Outcome>("Quantize", "How a model was quantized, and what it cost.")
          .field("model", "", "The float model.", &Outcome::model)
          .field("output", "", "The quantized model.", &Outcome::output)
          .maybe("output_sha256", "",
                 "Its SHA-256, to tell whether a record belongs to the model beside it.",
                 &Outcome::output_sha256)
          .maybe("cache", "", "The TensorRT calibration cache.", &Outcome::cache)
          .field("target", "", "The compiler that it is for.", &Outcome::target)
          .field("type", "",
                 "What is quantized, and to what: int8 and fp8 weights and activations, int4 "
                 "weights only.",
                 [](const Outcome& outcome) { return quantize::to_string(outcome.format); })
          .field("method", "", "How scales were chosen.",
                 [](const Outcome& outcome) { return to_string(outcome.method); })
          .field("weight_bits", "", "Bits of the weights.", &Outcome::weight_bits)
          .field("block_size", "count",
                 "For int4: number of values that are summed up and share a scale; null: one scale "
                 "per channel.",
                 &Outcome::block_size)
          .field("calibration_count", "count", "Samples that ranges were measured on.",
                 &Outcome::calibration_count)
          .field("judge_count", "count", "Samples that were held back to judge on.",
                 &Outcome::judge_count)
          .field("preparation", "", "How pictures were prepared; empty: arrays.",
                 &Outcome::preparation)
          .field("layers", "", "Nodes whose weights are quantized.", &Outcome::layers)
          .list("scores", "Each way to choose scales.", score_fields(), &Outcome::scores)
          .list("engine",
                "The float model against the engine that is built from the quantized one; empty "
                "for fp8, which OpenVINO does not run.",
                judged_fields(), &Outcome::engine)
          .list("engine_to_simulated",
                "The quantized model's own arithmetic against the engine: the engine's loss.",
                judged_fields(), &Outcome::engine_to_simulated)
          .list("labels",
                "Results against the labels of the samples; empty: no labels, or no classes.",
                label_fields(), &Outcome::labels)
          .list("metrics", "Results of the user's own programs.", metric_fields(),
                &Outcome::metrics)
          .maybe("runtime_version", "", "The OpenVINO that ran the models.",
                 &Outcome::runtime_version)
          .maybe("isa", "", "Instructions of the processor that they ran on.", &Outcome::isa)
          .list("tensors", "Tensors with a Q/DQ pair.", quantized_tensor_fields(),
                &Outcome::tensors)
          .list("weights", "Quantized weights.", weight_fields(), &Outcome::weights)
          .list("decisions", "Where rules were applied, and where not.", decision_fields(),
                &Outcome::decisions)
          .list("refused", "Files rejected as samples.", refused_fields(), &Outcome::refused)
          .field("notes", "", "What the user should know.", &Outcome::notes)};
  return kDocument;
}

}  // namespace planex::render
