#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/text.h"
#include "model/data_table.h"
#include "quantize/placement_rules.h"
#include "render/markdown/table_markdown.h"
#include "render/text/grid.h"
#include "render/text/table_text.h"
#include "render/words/display_width.h"
#include "render/words/wrap.h"
#include "session/answer/format.h"
#include "session/explain/placement/placement_fields.h"
#include "session/explain/topic.h"

namespace planex::session::placement_topic {
namespace {

using base::format;
using quantize::PlacementRule;
using quantize::Target;
using render::Ink;
using render::markdown_text;
using render::painted;
using render::TableStyle;
using render::text_table;
using render::wrapped;
using render::wrapped_hanging;

constexpr std::array<std::pair<Target, std::string_view>, 4> kTargetNames = {
    {{Target::kTensorrt, "TensorRT"},
     {Target::kTensorrtRtx, "TensorRT-RTX"},
     {Target::kOpenvino, "OpenVINO"},
     {Target::kOnnxruntime, "ONNX Runtime"}}};

std::string stances_text(const PlacementRule& rule) {
  std::string text;
  for (const auto& [target, name] : kTargetNames) {
    text += format("{}{}: {}", text.empty() ? "" : ", ", name,
                   quantize::to_string(quantize::stance(rule, target)));
  }
  return text;
}

std::string formats_text(const PlacementRule& rule) {
  std::string text;
  for (const std::string_view name : quantize::formats_of(rule)) {
    text += format("{}{}", text.empty() ? "" : ", ", name);
  }
  return text;
}

std::string one_rule_text(const PlacementRule& rule, const TableStyle& style) {
  const std::size_t width = style.wide ? 0 : static_cast<std::size_t>(std::max(style.width, 0));
  std::string text = wrapped_hanging(
      format("{}  where {}", painted(rule.id, Ink::kStrong, style.color), rule.condition), width, 2,
      2);
  const auto part = [&](std::string_view title, std::string_view content) {
    if (content.empty()) return;
    text += format("\n{}\n", painted(title, Ink::kStrong, style.color));
    text += wrapped(format("{}.", content), width, 2);
  };
  part("What is done", rule.edit);
  part("Who follows it", stances_text(rule));
  part("Formats", formats_text(rule));
  part("Why", rule.why);
  part("Versions", rule.versions);
  part("Source", rule.source);
  return text;
}

std::string placement_rules_text(const PlacementRules& rules, const TableStyle& style) {
  if (rules.rules.size() == 1) return one_rule_text(rules.rules.front(), style);
  model::DataTable table;
  table.columns = {{.name = "rule"}};
  for (const auto& [target, name] : kTargetNames) {
    if (!rules.target || *rules.target == target) {
      table.columns.push_back({.name = std::string(quantize::to_string(target))});
    }
  }
  table.columns.push_back({.name = "formats"});
  table.columns.push_back({.name = "what is done"});
  for (const PlacementRule& rule : rules.rules) {
    std::vector<model::Value> row = {std::string(rule.id)};
    for (const auto& [target, name] : kTargetNames) {
      if (rules.target && *rules.target != target) continue;
      row.emplace_back(std::string(quantize::to_string(quantize::stance(rule, target))));
    }
    row.emplace_back(formats_text(rule));
    row.emplace_back(std::string(rule.edit));
    table.rows.push_back(std::move(row));
  }
  return text_table(table, style) +
         "\nplanex explain placement RULE says where it applies, and why.\n";
}

std::string placement_rules_markdown(const PlacementRules& rules) {
  std::string page =
      "# Placement rules\n\n"
      "<!-- Written by `planex explain placement --format markdown`; edit "
      "src/quantize/placement_rules.cc instead. -->\n\n"
      "Where Q/DQ go in a model, by target. *yes*: the target gains; *no*: it gains nothing, or "
      "refuses; *neutral*: it makes no difference, and is done where another rule asks for it; "
      "*measured*: only where measuring says so, so never done unasked. Ids are permanent. `planex "
      "explain placement RULE` shows one of them.\n\n";
  const auto row = [&](std::string_view first, auto cell) {
    page += format("| {} |", first);
    for (const auto& [target, name] : kTargetNames) page += format(" {} |", cell(target, name));
  };
  row("rule", [](Target, std::string_view name) { return name; });
  page += " formats | what is done |\n|---|---|---|---|---|---|---|\n";
  for (const PlacementRule& rule : rules.rules) {
    row(format("[{0}](#{0})", rule.id), [&](Target target, std::string_view) {
      return quantize::to_string(quantize::stance(rule, target));
    });
    page += format(" {} | {} |\n", formats_text(rule), markdown_text(rule.edit));
  }
  for (const PlacementRule& rule : rules.rules) {
    page += format("\n## {}\n", rule.id);
    const auto part = [&](std::string_view title, std::string_view content) {
      if (!content.empty()) page += format("\n**{}** {}.\n", title, markdown_text(content));
    };
    part("Where", rule.condition);
    part("What is done:", rule.edit);
    part("Who follows it:", stances_text(rule));
    part("Formats:", formats_text(rule));
    part("Why.", rule.why);
    part("Versions:", rule.versions);
    part("Source.", rule.source);
  }
  return page;
}

Failure unknown_rule(std::string_view rule) {
  std::vector<std::string_view> ids;
  for (const quantize::PlacementRule& known : quantize::placement_rules()) ids.push_back(known.id);
  const auto nearest = base::nearest(rule, ids);
  return fail(
      ErrorCode::kUsage, format("no placement rule is called {}", base::quoted(rule)),
      nearest ? format("did you mean {}?", *nearest) : "planex explain placement lists all rules");
}

// One rule, or all if `rule` is empty; only those that the target follows if one is named.
Result<void> look_up(std::string_view rule, const ExplainRequest& request, const Take& take) {
  PlacementRules rules;
  if (const auto& target = request.target) {
    rules.target = quantize::target_of(*target);
    if (!rules.target) {
      return fail(ErrorCode::kUsage, format("no target is called {}", base::quoted(*target)),
                  "the targets are tensorrt, tensorrt-rtx, openvino and onnxruntime");
    }
  }
  if (!rule.empty()) {
    const quantize::PlacementRule* known = quantize::find_placement_rule(rule);
    if (known == nullptr) return unknown_rule(rule);
    rules.rules.push_back(*known);
  } else {
    for (const quantize::PlacementRule& known : quantize::placement_rules()) {
      if (!rules.target || quantize::stance(known, *rules.target) != quantize::Stance::kNo) {
        rules.rules.push_back(known);
      }
    }
  }
  return take(
      {.document = Described(placement_rules_document(), rules),
       .rows = [&] { return record::rows_of(rules.rules, placement_rule_fields()); },
       .markdown = [&] { return placement_rules_markdown(rules); },
       .text = [&](const TableStyle& style) { return placement_rules_text(rules, style); }});
}

constexpr Topic kTopic = {
    .name = "placement",
    .summary = "the rules that place Q/DQ; takes the id of a rule, or nothing, instead of PLAN",
    .document = [] { return record::DocumentInfo(placement_rules_document()); },
    .look_up = look_up,
    .takes_word = true};

}  // namespace
}  // namespace planex::session::placement_topic

PLANEX_TOPIC(placement)
