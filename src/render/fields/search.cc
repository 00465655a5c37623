#include "render/fields/search.h"

#include <optional>
#include <string>

#include "base/numbers.h"
#include "render/fields/quantize.h"

namespace planex::render {
namespace {

using quantize::Score;
using quantize::SearchLayer;
using quantize::SearchOutcome;
using quantize::SearchPoint;
using record::Fields;

// Null where nothing differs, or where NaN or infinity is new.
std::optional<double> finite_db(const Score& score) { return base::finite(score.sqnr_db); }

Fields<SearchPoint> search_point_fields() {
  return Fields<SearchPoint>("SearchPoint",
                             "A model with some layers in float, all others in INT8.")
      .field("kept", "", "Its layers in float, in addition to those that were requested.",
             &SearchPoint::kept)
      .field("float_layers", "count", "Number of these layers.",
             [](const SearchPoint& point) { return point.kept.size(); })
      .field("macs_ratio", "ratio",
             "Their share of the MACs of all layers that can be in INT8; null: unknown.",
             &SearchPoint::macs_ratio)
      .field("weight_bytes", "bytes", "Size of their weights, in float.",
             &SearchPoint::weight_bytes)
      .field("ms", "ms", "Their mean time in the engine that was given; null: none was.",
             &SearchPoint::ms)
      .field("median_ms", "ms",
             "Median time of an inference of the whole model; null: it was not timed.",
             &SearchPoint::median_ms)
      .field("median_low_ms", "ms", "95 % confidence interval of that median: from.",
             &SearchPoint::median_low_ms)
      .field("median_high_ms", "ms", "95 % confidence interval of that median: to.",
             &SearchPoint::median_high_ms)
      .field("sqnr_db", "dB",
             "SQNR to the float model's outputs, simulated, on the samples of the search; the "
             "lowest of the outputs. null: nothing differs, or one has NaN or infinity.",
             [](const SearchPoint& point) { return finite_db(point.score); })
      .field("top1_ratio", "ratio", "Rows whose largest class is the same, on these samples.",
             [](const SearchPoint& point) { return point.score.top1_ratio(); })
      .field("judged_sqnr_db", "dB",
             "The same on all samples that were held back; null: not on the front.",
             [](const SearchPoint& point) {
               return point.judged ? finite_db(*point.judged) : std::nullopt;
             })
      .field("judged_top1_ratio", "ratio", "Rows whose largest class is the same, on all of them.",
             [](const SearchPoint& point) {
               return point.judged ? point.judged->top1_ratio() : std::nullopt;
             })
      .field("is_chosen", "", "The model was written in this form.", &SearchPoint::is_chosen);
}

}  // namespace

const Fields<SearchLayer>& search_layer_fields() {
  static const auto kFields =
      Fields<SearchLayer>("SearchLayer", "A layer that can be in INT8, and its effect alone.")
          .field("node", "", "Its name, or its number: #17.", &SearchLayer::node)
          .field("op_type", "", "The operator.", &SearchLayer::op_type)
          .field("alone_db", "dB",
                 "SQNR of the model with this layer alone in INT8, simulated. null: nothing "
                 "differs, or an output has NaN or infinity.",
                 [](const SearchLayer& layer) { return finite_db(layer.alone); })
          .field("alone_top1_ratio", "ratio", "Rows whose largest class is then the same.",
                 [](const SearchLayer& layer) { return layer.alone.top1_ratio(); })
          .field("macs", "count", "Multiply-accumulates for one sample; null: unknown.",
                 &SearchLayer::macs)
          .field("macs_ratio", "ratio", "Share of the multiply-accumulates of all these layers.",
                 &SearchLayer::macs_ratio)
          .field("weight_bytes", "bytes", "Size of its weights, in float.",
                 &SearchLayer::weight_bytes)
          .field("ms", "ms", "Its mean time in the engine that was given.", &SearchLayer::ms)
          .field("is_kept", "", "It is in float in the written model.", &SearchLayer::is_kept);
  return kFields;
}

const record::Document<SearchOutcome>& search_document() {
  static const record::Document<SearchOutcome> kDocument = {
      "planex.search/1", "Which layers stay in float: planex search --format json",
      Fields<SearchOutcome>("Search", "Which layers of a quantized model stay in float, and why.")
          .field("model", "", "The float model.", &SearchOutcome::model)
          .field("output", "", "The quantized model.", &SearchOutcome::output)
          .maybe("output_sha256", "",
                 "Its SHA-256, to tell whether a record belongs to the model beside it.",
                 &SearchOutcome::output_sha256)
          .maybe("cache", "", "The TensorRT calibration cache.", &SearchOutcome::cache)
          .field("target", "", "The compiler that it is for.", &SearchOutcome::target)
          .field("method", "", "How scales were chosen.",
                 [](const SearchOutcome& outcome) { return to_string(outcome.method); })
          .field("weight_bits", "", "Bits of the weights.", &SearchOutcome::weight_bits)
          .maybe("goal", "", "Such as 20 dB or top1=99%.",
                 [](const SearchOutcome& outcome) {
                   return outcome.goal ? to_string(*outcome.goal) : std::string();
                 })
          .field("is_reached", "", "The written model reaches the goal on all samples.",
                 &SearchOutcome::is_reached)
          .field("most_layers", "count", "Layers that may be in float; null: no limit.",
                 &SearchOutcome::most_layers)
          .field("most_macs_ratio", "ratio", "Their share of the MACs, at most; null: no limit.",
                 &SearchOutcome::most_macs_ratio)
          .field("cost", "", "What a layer in float costs on the front.",
                 [](const SearchOutcome& outcome) { return to_string(outcome.axis); })
          .one_of({"layers", "macs", "bytes", "ms"})
          .field("calibration_count", "count", "Samples that ranges were measured on.",
                 &SearchOutcome::calibration_count)
          .field("search_count", "count", "Held-back samples that were searched on.",
                 &SearchOutcome::search_count)
          .field("judge_count", "count", "All held-back samples, which the front was judged on.",
                 &SearchOutcome::judge_count)
          .field("run_count", "count",
                 "Timed runs of each point of the front, alternating; 0: none was timed.",
                 &SearchOutcome::run_count)
          .field("all_int8_db", "dB", "SQNR with no layer in float, on the samples of the search.",
                 [](const SearchOutcome& outcome) { return finite_db(outcome.all_int8); })
          .field("kept", "",
                 "Nodes in float in the written model: those requested, then those found.",
                 &SearchOutcome::kept)
          .list("front", "Models that no other model beats, by cost.", search_point_fields(),
                &SearchOutcome::front)
          .list("path", "The search, step by step.", search_point_fields(), &SearchOutcome::path)
          .list("layers", "In the graph's order.", search_layer_fields(), &SearchOutcome::layers)
          .list("simulated", "The float model against the written one's own arithmetic.",
                judged_fields(), &SearchOutcome::simulated)
          .list("engine", "The float model against the engine that is built from the written one.",
                judged_fields(), &SearchOutcome::engine)
          .list("engine_to_simulated",
                "The written model's own arithmetic against the engine: the engine's loss.",
                judged_fields(), &SearchOutcome::engine_to_simulated)
          .list("labels",
                "Results against the labels of the samples; empty: no labels, or no classes.",
                label_fields(), &SearchOutcome::labels)
          .list("metrics", "Results of the user's own programs.", metric_fields(),
                &SearchOutcome::metrics)
          .maybe("trtexec_options", "",
                 "Options of trtexec up to 10.16, for the float model with the calibration cache.",
                 &SearchOutcome::precision_options)
          .field("preparation", "", "How pictures were prepared; empty: arrays.",
                 &SearchOutcome::preparation)
          .maybe("runtime_version", "", "The OpenVINO that ran the models.",
                 &SearchOutcome::runtime_version)
          .maybe("isa", "", "Instructions of the processor that they ran on.", &SearchOutcome::isa)
          .list("refused", "Files rejected as samples.", refused_fields(), &SearchOutcome::refused)
          .field("notes", "", "What the user should know.", &SearchOutcome::notes)};
  return kDocument;
}

}  // namespace planex::render
