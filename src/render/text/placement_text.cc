#include "render/text/placement_text.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "model/data_table.h"
#include "render/markdown/table_markdown.h"
#include "render/text/grid.h"
#include "render/words/display_width.h"
#include "render/words/wrap.h"

namespace planex::render {
namespace {

using base::format;
using quantize::PlacementRule;
using quantize::Target;

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

}  // namespace

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

}  // namespace planex::render
