#include "render/sentences.h"

#include "base/text.h"
#include "render/text/numbers.h"

namespace planex::render {
namespace {

using analyze::Summary;
using base::counted;
using base::format;

// A share in words that people remember.
std::string share_words(double share) {
  if (share >= 0.45 && share < 0.55) return "Half";
  if (share >= 0.30 && share < 0.37) return "A third";
  if (share >= 0.23 && share < 0.27) return "A quarter";
  if (share >= 0.18 && share < 0.22) return "A fifth";
  return format("{:.0f} %", share * 100);
}

std::optional<Lede> names_only_lede(const model::PlanModel& model, const Summary& summary) {
  if (model.text(model.engine.detail[0]) != "names-only") return std::nullopt;
  Lede result{format("{} and nothing else.",
                     counted(static_cast<std::size_t>(summary.record_count), "layer name")),
              "The engine was built with profiling verbosity layer_names_only, the default: no "
              "types, shapes, precisions or tensors."};
  result.text += summary.time.basis == analyze::TimeBasis::kNone
                     ? " No profile was given, so there are no times."
                     : " The profile gives each layer's time.";
  return result;
}

std::string warnings_clause(const Summary& summary) {
  const std::int64_t warnings = summary.findings.warning + summary.findings.error;
  if (warnings == 0) return {};
  return format(" {} {} how to remove them.",
                counted(static_cast<std::size_t>(warnings), "warning"),
                warnings == 1 ? "says" : "say");
}

std::optional<Lede> reformat_lede(const Summary& summary) {
  constexpr double kWorthSaying = 0.05;
  if (!summary.reformats || summary.reformats->share < kWorthSaying) return std::nullopt;
  const analyze::ReformatLoad& load = *summary.reformats;
  return Lede{format("{} of the layer time converts types or layouts.", share_words(load.share)),
              format("{} of {} are reformats: {} ms, {} of Σ layers.{}", load.count,
                     counted(static_cast<std::size_t>(summary.layer_count), "layer"),
                     ms_text(load.time_ms), percent_text(load.share), warnings_clause(summary))};
}

std::optional<Lede> one_layer_lede(const model::PlanModel& model, const Summary& summary) {
  constexpr double kWorthSaying = 0.25;
  if (summary.top_layers.empty()) return std::nullopt;
  const analyze::LayerFigure& top = summary.top_layers.front();
  const auto share = model.layers.share.get(top.layer.index());
  if (!share || *share < kWorthSaying) return std::nullopt;
  return Lede{format("{} of the layer time is one layer.", share_words(*share)),
              format("{} takes {} ms of {} ms.",
                     base::quoted(model.text(model.layers.name[top.layer.index()]), 120),
                     ms_text(*top.time_ms), ms_text(*top.time_ms / *share))};
}

std::optional<Lede> type_lede(const Summary& summary) {
  if (summary.by_type.empty() || !summary.by_type.front().share) return std::nullopt;
  const analyze::Group& first = summary.by_type.front();
  std::string text = format("{} of type {}: {} of Σ layers.",
                            counted(static_cast<std::size_t>(first.count), "layer"), first.key,
                            percent_text(*first.share));
  if (!summary.by_precision.empty() && summary.by_precision.front().share) {
    const analyze::Group& precision = summary.by_precision.front();
    if (!precision.key.empty()) {
      text +=
          format(" {} of the layer time reads {}.", percent_text(*precision.share), precision.key);
    }
  }
  return Lede{format("{} takes {:.0f} % of the layer time.", first.key, *first.share * 100),
              std::move(text)};
}

}  // namespace

std::optional<Lede> lede(const model::PlanModel& model, const Summary& summary) {
  if (auto result = names_only_lede(model, summary)) return result;
  if (auto result = reformat_lede(summary)) return result;
  if (auto result = one_layer_lede(model, summary)) return result;
  return type_lede(summary);
}

std::string producer_text(const model::PlanModel& model) {
  const std::string_view producer = model.text(model.engine.producer[0]);
  const std::string_view version = model.text(model.engine.producer_version[0]);
  std::string name(producer);
  if (producer == "tensorrt") name = "TensorRT";
  if (producer == "tensorrt-rtx") name = "TensorRT-RTX";
  if (producer == "openvino") name = "OpenVINO";
  if (producer == "onnxruntime") name = "ONNX Runtime";
  return version.empty() ? name + ", version not in the file" : format("{} {}", name, version);
}

std::string precision_flow_text(const model::PlanModel& model, model::LayerId layer) {
  const std::string_view in = to_string(model.layers.precision[layer.index()]);
  const std::string_view out = to_string(model.layers.output_precision[layer.index()]);
  if (in.empty() && out.empty()) return "–";
  if (in == out || out.empty()) return std::string(in);
  return format("{} → {}", in.empty() ? "–" : in, out);
}

}  // namespace planex::render
