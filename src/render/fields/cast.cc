#include "render/fields/cast.h"

#include "render/fields/quantize.h"

namespace planex::render {
namespace {

using quantize::CastKept;
using quantize::CastOption;
using quantize::CastOutcome;
using quantize::CastTensor;
using quantize::CastTry;
using record::Fields;

Fields<CastTensor> cast_tensor_fields() {
  return Fields<CastTensor>("CastTensor", "A float tensor of the model, as measured on the data.")
      .field("tensor", "", "Its name.", &CastTensor::tensor)
      .field("min", "", "Smallest finite value seen.", &CastTensor::min)
      .field("max", "", "Largest finite value seen.", &CastTensor::max)
      .field("limit_ratio", "ratio",
             "Largest magnitude divided by the part of the type's range that may be used; above 1 "
             "the nodes around it stay in float.",
             &CastTensor::limit_ratio)
      .field("is_small", "", "It has the small type now.", &CastTensor::is_small)
      .field("sqnr_db", "dB",
             "Against the float model, in the cast model's own arithmetic; null: not compared, or "
             "no noise.",
             [](const CastTensor& tensor) {
               return tensor.simulated ? tensor.simulated->sqnr_db : std::nullopt;
             });
}

Fields<CastTry> try_fields() {
  return Fields<CastTry>("CastTry", "Nodes that were kept in float for the sake of the outputs.")
      .field("nodes", "", "Their names.", &CastTry::nodes)
      .field("worst_db", "dB",
             "SQNR of the worst output with them in float; null: NaN, infinities or no noise.",
             &CastTry::worst_db)
      .field("is_taken", "", "It helped, and they stay in float.", &CastTry::is_taken);
}

Fields<CastOption> option_fields() {
  return Fields<CastOption>("MigratedOption", "An option of the older trtexec command.")
      .field("option", "", "The option as it was given.", &CastOption::option)
      .field("change", "",
             "kept; replaced: another option does the same; removed: TensorRT 11 does it anyway, "
             "or the model says it now; lost: nothing in TensorRT 11 does it.",
             &CastOption::change)
      .maybe("now", "", "What replaces it.", &CastOption::now)
      .maybe("why", "", "Why.", &CastOption::why);
}

}  // namespace

const Fields<CastKept>& cast_kept_fields() {
  static const auto kFields =
      Fields<CastKept>("CastKept", "A node that works on floats and stays in float.")
          .field("node", "", "Its name, or that of its first output.", &CastKept::node)
          .field("op_type", "", "Its operator.", &CastKept::op_type)
          .field("rule", "",
                 "asked, not-asked, no-small-form, subgraph, weight-range, weight-precision, "
                 "value-range, value-precision, sizes, island, loss.",
                 &CastKept::rule)
          .field("why", "", "The reason, in a sentence.", &CastKept::why);
  return kFields;
}

const record::Document<CastOutcome>& cast_document() {
  static const record::Document<CastOutcome> kDocument = {
      "planex.cast/1", "A model that was cast: planex cast --format json",
      Fields<CastOutcome>("Cast", "How a model was cast to a small float type, and what it cost.")
          .field("model", "", "The float model.", &CastOutcome::model)
          .maybe("output", "", "The cast model; left out: the model stays as it is.",
                 &CastOutcome::output)
          .field("type", "", "fp16 or bf16; null: the command requested none.",
                 [](const CastOutcome& outcome) -> std::optional<std::string_view> {
                   if (!outcome.type) return std::nullopt;
                   return quantize::short_name(*outcome.type);
                 })
          .field("margin", "ratio", "Share of the type's range that values may use.",
                 &CastOutcome::margin)
          .field("opset_before", "", "Opset of the model.", &CastOutcome::opset_before)
          .field("opset", "", "Opset of the cast model.", &CastOutcome::opset)
          .field("small_node_count", "count", "Nodes that compute in the small type.",
                 &CastOutcome::small_nodes)
          .field("added_cast_count", "count", "Cast nodes that were added.",
                 [](const CastOutcome& outcome) { return outcome.counts.added_casts; })
          .field("converted_tensor_count", "count", "Constants that were converted.",
                 [](const CastOutcome& outcome) { return outcome.counts.converted_tensors; })
          .field("saved_bytes", "bytes", "Bytes that the constants shrink by.",
                 [](const CastOutcome& outcome) { return outcome.counts.saved_bytes; })
          .field("small_io", "", "Inputs and outputs that changed their type.",
                 &CastOutcome::small_io)
          .list("kept", "Nodes that stay in float.", cast_kept_fields(), &CastOutcome::kept)
          .field("sample_count", "count",
                 "Samples that ranges were measured on; 0: none were given.",
                 &CastOutcome::sample_count)
          .field("judge_count", "count", "Samples that the cast model was judged on.",
                 &CastOutcome::judge_count)
          .field("preparation", "", "How pictures were prepared; empty: arrays.",
                 &CastOutcome::preparation)
          .list("simulated",
                "The float model against the cast one's own arithmetic: each node computes in "
                "float32, and its result is rounded to its type.",
                judged_fields(), &CastOutcome::simulated)
          .field("keep_below_db", "dB",
                 "SQNR that each output was required to have; null: not requested.",
                 &CastOutcome::keep_below_db)
          .list("tries", "Nodes that were kept in float for the sake of the outputs.", try_fields(),
                &CastOutcome::tries)
          .list("tensors", "Float tensors of the model, as measured on the data.",
                cast_tensor_fields(), &CastOutcome::tensors)
          .maybe("runtime_version", "", "The OpenVINO that ran the models.",
                 &CastOutcome::runtime_version)
          .maybe("isa", "", "Instructions of the processor that they ran on.", &CastOutcome::isa)
          .list("refused", "Files rejected as samples.", refused_fields(), &CastOutcome::refused)
          .maybe("old_command", "", "The older trtexec command.", &CastOutcome::old_command)
          .maybe("new_command", "", "The same command for TensorRT 11.", &CastOutcome::new_command)
          .list("options", "What happened to its options.", option_fields(), &CastOutcome::options)
          .field("notes", "", "What the user should know.", &CastOutcome::notes)};
  return kDocument;
}

}  // namespace planex::render
