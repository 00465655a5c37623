#include "session/explain/explain_tactics.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "analyze/explain/tactics.h"
#include "base/text.h"
#include "base/try.h"
#include "render/fields/tactics.h"
#include "render/text/explain_tactics_text.h"
#include "session/answer/format.h"

namespace planex::session {
namespace {

using analyze::LayerTactics;

// Keeps the layer of this name or id; if none matches, the layers whose names contain the text.
Result<void> keep_layers(const model::PlanModel& model, const std::string& wanted,
                         std::vector<LayerTactics>& layers) {
  std::size_t id = 0;
  const char* end = wanted.data() + wanted.size();
  const auto parsed = std::from_chars(wanted.data(), end, id);
  const bool is_id = parsed.ec == std::errc() && parsed.ptr == end;
  const auto is_it = [&](const LayerTactics& layer) {
    return model.text(layer.name) == wanted ||
           (is_id && !layer.layer.is_null() && layer.layer.index() == id);
  };
  const bool is_exact = std::ranges::any_of(layers, is_it);
  std::vector<LayerTactics> kept;
  for (LayerTactics& layer : layers) {
    const bool has_text = model.text(layer.name).find(wanted) != std::string_view::npos;
    if (is_exact ? is_it(layer) : has_text) kept.push_back(std::move(layer));
  }
  layers = std::move(kept);
  if (!layers.empty()) return {};
  return fail({.code = ErrorCode::kUsage,
               .message = base::format("--layer {}: the log has no tactics for such a layer",
                                       base::quoted(wanted)),
               .hint = "`planex explain tactics PLAN --all` lists the layers"});
}

}  // namespace

Result<void> explain_tactics(const EngineToExplain& engine, const ExplainRequest& request,
                             const Take& take) {
  const model::PlanModel& model = engine.model;
  analyze::TacticExplanation explanation = analyze::explain_tactics(model);
  if (request.layer) PLANEX_TRY(keep_layers(model, *request.layer, explanation.layers));
  return take(
      {.document = {render::tactics_document(), explanation, model},
       .rows =
           [&] { return record::rows_of(explanation.layers, render::tactic_row_fields(), model); },
       .screen =
           [&](const render::ScreenSize& size) {
             return render::tactics_screen(model, explanation, request.layer.has_value(), size);
           },
       .all = request.all});
}

}  // namespace planex::session
