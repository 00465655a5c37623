#include <algorithm>
#include <string_view>
#include <vector>

#include "analyze/explain/blocks.h"
#include "base/text.h"
#include "graph/hierarchy.h"
#include "graph/plan_graph.h"
#include "model/data_table.h"
#include "model/plan_model.h"
#include "render/fields/blocks.h"
#include "render/tables/record_table.h"
#include "render/text/grid.h"
#include "render/text/screen.h"
#include "render/words/display_width.h"
#include "render/words/layer_names.h"
#include "render/words/numbers.h"
#include "render/words/sentences.h"
#include "session/answer/format.h"
#include "session/explain/topic.h"

namespace planex::session::blocks_topic {
namespace {

using analyze::AttentionBlock;
using analyze::Blocks;
using analyze::OpaqueBlock;
using analyze::OutlierInstance;
using analyze::RepeatedBlock;
using base::counted;
using base::format;
using base::ms_text;
using base::percent_text;
using base::printable;
using model::PlanModel;
using render::Alignment;
using render::block_row_fields;
using render::block_rows;
using render::blocks_document;
using render::Grid;
using render::Ink;
using render::layer_name;
using render::or_dash;
using render::parts_text;
using render::plus_others_text;
using render::Screen;
using render::ScreenSize;
using render::ShownIn;
using render::table_of;

constexpr std::size_t kMaxBlockRows = 10;
constexpr std::size_t kMaxListedBlocks = 30;

std::string odd_text(const OutlierInstance& turn) {
  std::string text = printable(turn.name);
  if (turn.time_ms) text += format(" takes {} ms", ms_text(*turn.time_ms));
  if (turn.ratio) text += format(", {:.2f} × the median instance", *turn.ratio);
  if (turn.has_other_shape) text += ", and its layers differ from those of the others";
  return text;
}

std::vector<std::string> block_sum_sentences(const Blocks& blocks) {
  std::vector<std::string> lines;
  if (blocks.layers_ms) {
    lines.push_back(
        format("Σ layers {} ms = {} ms in repeated blocks ({} of {} layers) + {} ms in "
               "the rest{}",
               ms_text(*blocks.layers_ms), ms_text(blocks.in_blocks_ms.value_or(0)),
               blocks.layers_in_blocks, blocks.layer_count, ms_text(blocks.rest_ms.value_or(0)),
               plus_others_text(blocks.others_ms)));
  } else {
    lines.push_back(format("{} of {} layers are in repeated blocks; no layer has a time",
                           blocks.layers_in_blocks, blocks.layer_count));
  }
  if (!blocks.attention.empty()) {
    lines.push_back(format("{} that compute attention{}", counted(blocks.attention.size(), "block"),
                           blocks.attention_ms ? format(": {} ms, anywhere in the engine",
                                                        ms_text(*blocks.attention_ms))
                                               : ""));
  }
  if (!blocks.opaque.empty()) {
    lines.push_back(format(
        "{} that hide others or were generated from several operations{}",
        counted(blocks.opaque.size(), "layer"),
        blocks.opaque_ms ? format(": {} ms, anywhere in the engine", ms_text(*blocks.opaque_ms))
                         : ""));
  }
  return lines;
}

Grid repeated_grid(const Blocks& blocks) {
  Grid grid({{Alignment::kLeft, true},
             {Alignment::kRight},
             {Alignment::kRight},
             {Alignment::kRight},
             {Alignment::kRight},
             {Alignment::kRight},
             {Alignment::kRight}});
  grid.add_row({{"repeated", Ink::kFaint},
                {"turns", Ink::kFaint},
                {"layers", Ink::kFaint},
                {"ms", Ink::kFaint},
                {"share", Ink::kFaint},
                {"instance: min median max", Ink::kFaint},
                {"spread", Ink::kFaint}});
  for (const RepeatedBlock& block : blocks.repeated) {
    const std::string turns =
        block.instance_median_ms
            ? format("{} {} {}", ms_text(*block.instance_min_ms),
                     ms_text(*block.instance_median_ms), ms_text(*block.instance_max_ms))
            : "–";
    grid.add_row({{(block.is_nested ? "  in it: " : "") + printable(block.name)},
                  {format("{}", block.instance_count)},
                  {format("{}", block.layer_count)},
                  {or_dash(block.time_ms, ms_text)},
                  {or_dash(block.share, percent_text)},
                  {turns},
                  {or_dash(block.spread, percent_text)}});
  }
  return grid;
}

Grid attention_grid(const PlanModel& model, const Blocks& blocks, std::size_t count) {
  Grid grid({{Alignment::kLeft, true}, {Alignment::kRight}, {Alignment::kRight}, {}});
  grid.add_row({{"attention", Ink::kFaint},
                {"layers", Ink::kFaint},
                {"ms", Ink::kFaint},
                {"known by", Ink::kFaint}});
  for (const AttentionBlock& block : blocks.attention) {
    if (count-- == 0) break;
    grid.add_row({{layer_name(model, block.layers.front())},
                  {format("{}", block.layers.size())},
                  {or_dash(block.time_ms, ms_text)},
                  {format("{}: {}", to_string(block.evidence), block.evidence_text)}});
  }
  return grid;
}

Grid opaque_grid(const PlanModel& model, const Blocks& blocks, std::size_t count) {
  Grid grid({{Alignment::kLeft, true},
             {Alignment::kRight},
             {Alignment::kRight},
             {Alignment::kLeft, false, true}});
  grid.add_row({{"opaque", Ink::kFaint},
                {"ms", Ink::kFaint},
                {"share", Ink::kFaint},
                {"operations in it", Ink::kFaint}});
  for (const OpaqueBlock& block : blocks.opaque) {
    if (count-- == 0) break;
    const std::string parts = parts_text(block);
    grid.add_row({{layer_name(model, block.layer)},
                  {or_dash(block.time_ms, ms_text)},
                  {or_dash(block.share, percent_text)},
                  {parts.empty() ? "not recorded" : parts}});
  }
  return grid;
}

Screen screen_of(const PlanModel& model, const Blocks& blocks, const ScreenSize& size) {
  Screen screen = Screen::titled("blocks", model.text(model.engine.name[0]));
  for (const std::string& line : block_sum_sentences(blocks)) screen.say(line);
  if (blocks.repeated.empty()) {
    screen.add_gap();
    screen.say("no part of the engine repeats", ShownIn::kText);
  } else {
    screen.show(repeated_grid(blocks));
  }
  for (const RepeatedBlock& block : blocks.repeated) {
    const std::size_t count = block.outliers.size();
    const std::size_t shown = size.of(count, kMaxBlockRows);
    for (std::size_t i = 0; i < count; ++i) {
      screen.say("outlier: " + odd_text(block.outliers[i]),
                 i < shown ? ShownIn::kBoth : ShownIn::kMarkdown);
    }
    if (shown < count) screen.say(format("… {} more: --all", count - shown), ShownIn::kText);
  }
  if (const std::size_t count = blocks.attention.size(); count > 0) {
    const std::size_t shown = size.of(count, kMaxBlockRows);
    screen.show(attention_grid(model, blocks, shown), count, shown);
  }
  if (const std::size_t count = blocks.opaque.size(); count > 0) {
    const std::size_t shown = size.of(count, kMaxBlockRows);
    screen.show(opaque_grid(model, blocks, shown), count, shown);
  }
  model::DataTable table = table_of(block_rows(model, blocks), block_row_fields());
  const std::size_t shown = size.of(table.rows.size(), kMaxListedBlocks);
  screen.list_rows(std::move(table), shown);
  return screen;
}

Result<void> explain(const EngineToExplain& engine, const ExplainRequest& request,
                     const Take& take) {
  const graph::PlanGraph graph = graph::build_plan_graph(engine.model, {});
  const graph::GroupTree tree = graph::build_groups(engine.model, graph);
  const analyze::Blocks blocks =
      analyze::find_blocks(engine.model, graph, tree, engine.summary.time);
  return take(
      {.document = {blocks_document(), blocks, engine.model},
       .rows =
           [&] { return record::rows_of(block_rows(engine.model, blocks), block_row_fields()); },
       .screen = [&](const ScreenSize& size) { return screen_of(engine.model, blocks, size); },
       .all = request.all});
}

constexpr Topic kTopic = {.name = "blocks",
                          .summary = "what repeats",
                          .document = [] { return record::DocumentInfo(blocks_document()); },
                          .explain = explain};

}  // namespace
}  // namespace planex::session::blocks_topic

PLANEX_TOPIC(blocks)
