#include "render/fields/blocks.h"

#include <algorithm>
#include <functional>

#include "base/text.h"
#include "render/fields/common.h"
#include "render/words/display_width.h"

namespace planex::render {
namespace {

using analyze::AttentionBlock;
using analyze::Blocks;
using analyze::OpaqueBlock;
using analyze::OutlierInstance;
using analyze::RepeatedBlock;
using base::format;
using model::PlanModel;
using record::Fields;

constexpr std::size_t kMaxNameCells = 40;

std::string outliers_text(const RepeatedBlock& block) {
  std::string text;
  for (const OutlierInstance& turn : block.outliers) {
    text += (text.empty() ? "outliers: " : ", ") + turn.name;
  }
  return text;
}

BlockRow row_of(const RepeatedBlock& block) {
  return {.kind = "repeated",
          .name = block.name,
          .is_nested = block.is_nested,
          .instance_count = block.instance_count,
          .layer_count = block.layer_count,
          .time_ms = block.time_ms,
          .share = block.share,
          .instance_min_ms = block.instance_min_ms,
          .instance_median_ms = block.instance_median_ms,
          .instance_max_ms = block.instance_max_ms,
          .spread = block.spread,
          .evidence = outliers_text(block)};
}

Fields<Blocks> total_fields() {
  return Fields<Blocks>("BlocksTotal", "Sums over all layers that do work.")
      .field("layer_count", "count", "Layers that do work.", &Blocks::layer_count)
      .field("layers_in_blocks", "count", "Layers in repeated blocks.", &Blocks::layers_in_blocks)
      .field("rest_count", "count", "Other layers.", &Blocks::rest_count)
      .field("layers_time_ms", "ms", "Σ layers: time_ms + others_ms.", &Blocks::layers_ms)
      .field("others_ms", "ms", "Time of records that do no work and have a time.",
             &Blocks::others_ms)
      .field("time_ms", "ms", "Time of layers that do work.", &Blocks::time_ms)
      .field("in_blocks_ms", "ms", "Time of layers in repeated blocks.", &Blocks::in_blocks_ms)
      .field("rest_ms", "ms", "Time of other layers.", &Blocks::rest_ms)
      .field("attention_ms", "ms", "Time of attention, in repeated blocks or not.",
             &Blocks::attention_ms)
      .field("opaque_ms", "ms", "Time of opaque layers, in repeated blocks or not.",
             &Blocks::opaque_ms);
}

// Times of one instance, over all instances of a block.
template <typename T>
Fields<T> instance_fields() {
  return Fields<T>("", "")
      .field("instance_min_ms", "ms", "Time of the fastest instance.", &T::instance_min_ms)
      .field("instance_median_ms", "ms", "Median time of an instance.", &T::instance_median_ms)
      .field("instance_max_ms", "ms", "Time of the slowest instance.", &T::instance_max_ms)
      .field("spread", "ratio", "(slowest - fastest) / median instance.", &T::spread);
}

template <typename T>
Fields<T> time_fields() {
  return Fields<T>("", "")
      .field("time_ms", "ms", "Sum of its layers' times under the basis.", &T::time_ms)
      .field("share", "ratio", "Share of Σ layers.", &T::share);
}

Fields<RepeatedBlock> repeated_fields() {
  const auto outlier =
      Fields<OutlierInstance>("BlockOutlier", "An instance that stands out.")
          .field("name", "", "Name of the instance.", &OutlierInstance::name)
          .field("time_ms", "ms", "Its time.", &OutlierInstance::time_ms)
          .field("ratio", "ratio", "Its time divided by that of the median instance.",
                 &OutlierInstance::ratio)
          .field("has_other_shape", "",
                 "Its types, precisions or edges differ from those of most instances.",
                 &OutlierInstance::has_other_shape);
  return Fields<RepeatedBlock>("RepeatedBlock", "A part of the engine that repeats.")
      .field("name", "", "Name of the series.", &RepeatedBlock::name)
      .field("path", "", "Path of the series in the hierarchy.", &RepeatedBlock::path)
      .field("is_nested", "",
             "It is inside another series of the list, whose times include its own.",
             &RepeatedBlock::is_nested)
      .field("instance_count", "count", "Number of instances.", &RepeatedBlock::instance_count)
      .field("layer_count", "count", "Layers of all instances.", &RepeatedBlock::layer_count)
      .with(time_fields<RepeatedBlock>())
      .with(instance_fields<RepeatedBlock>())
      .list("outliers", "Instances that stand out.", outlier, &RepeatedBlock::outliers);
}

Fields<AttentionBlock> attention_fields() {
  return Fields<AttentionBlock>("AttentionBlock", "Layers that compute attention.")
      .field("layer_ids", "", "Its layers in execution order.", &AttentionBlock::layers)
      .never_null()
      .field("evidence", "",
             "How it is known: kernel: by the name of the layer, its type or its kernel; sources: "
             "by the operations of one layer; graph: by a chain of layers.",
             &AttentionBlock::evidence)
      .field("evidence_text", "", "What was recognized: a word of the name, or the chain.",
             &AttentionBlock::evidence_text)
      .with(time_fields<AttentionBlock>());
}

Fields<OpaqueBlock, PlanModel> opaque_fields() {
  const auto part = Fields<OpaqueBlock::Part>("OpaquePart", "Operations of one type in a layer.")
                        .field("type", "", "Type of the operations.", &OpaqueBlock::Part::type)
                        .field("count", "count", "How many.", &OpaqueBlock::Part::count);
  return Fields<OpaqueBlock, PlanModel>(
             "OpaqueBlock", "A layer that hides others, or was generated from several operations.")
      .with(layer_fields(), &OpaqueBlock::layer)
      .with(time_fields<OpaqueBlock>(), std::identity{})
      .field("operation_count", "count", "Operations of the source model in it.",
             &OpaqueBlock::operation_count)
      .maybe("first", "",
             "The first node of the stretch that it hides, if its name shows only the ends.",
             &OpaqueBlock::first)
      .maybe("last", "", "The last node of that stretch.", &OpaqueBlock::last)
      .list("parts", "Its operations by type, the most frequent first.", part, &OpaqueBlock::parts);
}

}  // namespace

std::string parts_text(const OpaqueBlock& block) {
  constexpr std::size_t kMax = 6;
  if (!block.first.empty()) {
    return format("from {} to {}, the nodes between them unknown",
                  elide_middle(printable(block.first), kMaxNameCells),
                  elide_middle(printable(block.last), kMaxNameCells));
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(kMax, block.parts.size()); ++i) {
    const OpaqueBlock::Part& part = block.parts[i];
    text += format("{}{}{}", text.empty() ? "" : ", ", printable(part.type),
                   part.count > 1 ? format(" × {}", part.count) : "");
  }
  if (block.parts.size() > kMax) text += format(", … {} more", block.parts.size() - kMax);
  return text;
}

std::vector<BlockRow> block_rows(const PlanModel& model, const Blocks& blocks) {
  const auto name = [&](model::LayerId layer) {
    return std::string(model.text(model.layers.name[layer.index()]));
  };
  std::vector<BlockRow> rows;
  for (const RepeatedBlock& block : blocks.repeated) rows.push_back(row_of(block));
  rows.push_back({.kind = "rest", .layer_count = blocks.rest_count, .time_ms = blocks.rest_ms});
  for (const AttentionBlock& block : blocks.attention) {
    rows.push_back({.kind = "attention",
                    .name = name(block.layers.front()),
                    .layer_count = static_cast<std::int64_t>(block.layers.size()),
                    .time_ms = block.time_ms,
                    .share = block.share,
                    .evidence = format("{}: {}", to_string(block.evidence), block.evidence_text)});
  }
  for (const OpaqueBlock& block : blocks.opaque) {
    rows.push_back({.kind = "opaque",
                    .name = name(block.layer),
                    .layer_count = 1,
                    .time_ms = block.time_ms,
                    .share = block.share,
                    .evidence = parts_text(block)});
  }
  return rows;
}

const Fields<BlockRow>& block_row_fields() {
  static const auto kFields =
      Fields<BlockRow>("BlockRow", "A block of any kind, or the rest.")
          .field("kind", "", "Kind of the block.", &BlockRow::kind)
          .one_of({"repeated", "rest", "attention", "opaque"})
          .field("name", "", "Name of the series, or of the first layer.", &BlockRow::name)
          .field("nested", "", "It is inside another series of the list.", &BlockRow::is_nested)
          .field("turns", "count", "Number of instances.", &BlockRow::instance_count)
          .field("layers", "count", "Its layers.", &BlockRow::layer_count)
          .with(time_fields<BlockRow>())
          .with(instance_fields<BlockRow>())
          .maybe("evidence", "", "Outliers, how attention is known, or what operations are in it.",
                 &BlockRow::evidence);
  return kFields;
}

const Fields<Blocks>& blocks_head_fields() {
  static const auto kFields =
      Fields<Blocks>("BlocksHead", "Sums, and what repeats.")
          .maybe("basis", "", "Which times of layers.", &Blocks::basis)
          .object("total",
                  "time_ms = in_blocks_ms + rest_ms; in_blocks_ms covers repeated blocks that are "
                  "not nested.",
                  total_fields(), std::identity{})
          .list("repeated", "In execution order, a series before the series inside it.",
                repeated_fields(), &Blocks::repeated);
  return kFields;
}

const record::Document<Blocks, PlanModel>& blocks_document() {
  static const record::Document<Blocks, PlanModel> kDocument = {
      "planex.explain-blocks/2", "Blocks: planex explain blocks --format json",
      Fields<Blocks, PlanModel>("ExplainBlocks", "What an engine is made of, block by block.")
          .with(engine_name_fields<Blocks>())
          .with(blocks_head_fields(), std::identity{})
          .list("attention", "In execution order.", attention_fields(), &Blocks::attention)
          .list("opaque", "By time, descending.", opaque_fields(), &Blocks::opaque)};
  return kDocument;
}

}  // namespace planex::render
