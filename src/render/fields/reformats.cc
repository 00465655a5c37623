#include "render/fields/reformats.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "render/fields/columns.h"
#include "render/fields/common.h"
#include "render/words/explain_names.h"
#include "render/words/reformat_sentences.h"

namespace planex::render {
namespace {

using analyze::ConversionKind;
using analyze::LayerTotals;
using analyze::Neighbour;
using analyze::ReformatExplanation;
using analyze::ReformatGroup;
using analyze::ReformatRow;
using analyze::ReformatsOfWord;
using model::LayerId;
using model::PlanModel;
using model::PortsTable;
using record::Fields;

using ReformatFields = Fields<ReformatRow, PlanModel>;
using ReformatSumFields = Fields<ReformatExplanation>;

struct KindTotals {
  ConversionKind kind;
  const LayerTotals* totals;
};

// Kinds that occur.
std::vector<KindTotals> kinds_of(const ReformatExplanation& explanation) {
  std::vector<KindTotals> kinds;
  for (std::size_t i = 0; i < explanation.by_kind.size(); ++i) {
    const LayerTotals& totals = explanation.by_kind[i];
    if (totals.count > 0) kinds.push_back({static_cast<ConversionKind>(i), &totals});
  }
  return kinds;
}

// With layers in place of rows.
struct GroupWithLayers {
  const ReformatGroup* group;
  std::vector<LayerId> layers;
};

std::vector<GroupWithLayers> groups_of(const ReformatExplanation& explanation) {
  std::vector<GroupWithLayers> groups;
  for (const ReformatGroup& group : explanation.groups) {
    GroupWithLayers& row = groups.emplace_back(&group);
    for (const std::size_t index : group.rows) {
      row.layers.push_back(explanation.rows[index].layer);
    }
  }
  return groups;
}

std::vector<std::string_view> differences(const ReformatRow& row) {
  std::vector<std::string_view> words;
  if (row.type_differs) words.emplace_back("type");
  if (row.layout_differs) words.emplace_back("layout");
  if (row.strides_differ) words.emplace_back("strides");
  return words;
}

std::vector<std::string_view> tensor_names(const ReformatRow& row, const PlanModel& model) {
  std::vector<std::string_view> names;
  for (const model::TensorId tensor : row.tensors) {
    names.push_back(model.text(model.tensors.name[tensor.index()]));
  }
  return names;
}

template <typename Column>
RowFields ports_column(Column PortsTable::* column, std::string_view name) {
  return column_field(column_info("ports", name), &PlanModel::ports, column);
}

// Field of a row of `ports`.
RowFields end_fields() {
  return RowFields("ReformatEnd", "A tensor where a layer reads or writes it.")
      .with(tensor_fields(),
            [](std::size_t port, const PlanModel& model) { return model.ports.tensor_id[port]; })
      .with(ports_column(&PortsTable::dims, "dims"))
      .with(ports_column(&PortsTable::dtype, "dtype"))
      .with(ports_column(&PortsTable::layout, "layout"))
      .with(ports_column(&PortsTable::strides, "strides"))
      .with(ports_column(&PortsTable::raw_format, "raw_format"));
}

Fields<Neighbour, PlanModel> neighbour_fields() {
  const auto port = [](const Neighbour& neighbour) -> const std::size_t& { return neighbour.port; };
  return Fields<Neighbour, PlanModel>("ReformatNeighbor",
                                      "A layer at the other side of a chain of conversions.")
      .with(named_layer_fields(), &Neighbour::layer)
      .with(ports_column(&PortsTable::dtype, "dtype"), port)
      .with(ports_column(&PortsTable::layout, "layout"), port);
}

ReformatFields kind_fields() {
  return ReformatFields("", "")
      .field("kind", "", "What it does.", &ReformatRow::kind)
      .maybe("origin", "", column_info("layers", "origin").description,
             [](const ReformatRow& row, const PlanModel& model) {
               return model.text(model.layers.origin[row.layer.index()]);
             });
}

ReformatFields cost_fields() {
  return ReformatFields("", "")
      .field("time_ms", "ms", "Its time under the basis.", &ReformatRow::time_ms)
      .field("share", "ratio", "Share of the sum of all layer times.", &ReformatRow::share)
      .field("input_bytes", "bytes", "What it reads, without padding.", &ReformatRow::input_bytes)
      .field("output_bytes", "bytes", "What it writes, without padding.",
             &ReformatRow::output_bytes);
}

ReformatFields verdict_fields() {
  const auto said = [](std::string (*text)(const PlanModel&, const ReformatRow&)) {
    return [text](const ReformatRow& row, const PlanModel& model) { return text(model, row); };
  };
  return ReformatFields("", "")
      .field("verdict", "", "Whether it can be removed.", &ReformatRow::verdict)
      .maybe("changed_by", "", "Who can remove it.", &ReformatRow::changed_by)
      .field("reason", "", "Why it is there, and so what would remove it.", &ReformatRow::reason)
      .field("cause", "", "The same in words.", said(reformat_cause))
      .field("advice", "", "What to do.", said(reformat_advice));
}

ReformatFields worth_fields() {
  return ReformatFields("", "")
      .field("worth_ms", "ms", "Its own time where it is avoidable.", &ReformatRow::worth_ms)
      .field("confidence", "",
             "How certain the verdict is: high: engines of both kinds showed it removed; medium: "
             "the rule is known; low: a possibility.",
             &ReformatRow::confidence)
      .field("group", "", "Index into groups.", &ReformatRow::group);
}

ReformatFields reformat_fields() {
  return ReformatFields("ReformatRow", "A layer that only changes type or layout.")
      .with(named_layer_fields(), &ReformatRow::layer)
      .with(kind_fields())
      .object("from", "Its first data input; null where it has none.", end_fields(),
              &ReformatRow::from)
      .object("to", "Its first data output; null where it has none.", end_fields(),
              &ReformatRow::to)
      .maybe("from_dtype", "", "The type that it converts from.", &ReformatRow::from_type)
      .maybe("to_dtype", "", "The type that it converts to.", &ReformatRow::to_type)
      .field("differs", "", "What differs between both ends.", differences)
      .one_of({"type", "layout", "strides"})
      .list("producers", "The layers that write it, before any other conversions.",
            neighbour_fields(), &ReformatRow::producers)
      .list("consumers", "The layers that read it, after any other conversions.",
            neighbour_fields(), &ReformatRow::consumers)
      .field("at_engine_input", "", "Its chain begins at an input of the engine.",
             &ReformatRow::at_engine_input)
      .field("at_engine_output", "", "Its chain ends at an output of the engine.",
             &ReformatRow::at_engine_output)
      .with(cost_fields())
      .with(verdict_fields())
      .maybe("io_format", "", "What to bind, as trtexec names it: int8:chw32.",
             &ReformatRow::io_format)
      .field("cause_layer_id", "", "The layer that the reason is about.", &ReformatRow::cause_layer)
      .field("tensors", "", "Tensors to put Q/DQ on.", tensor_names)
      .with(worth_fields());
}

Fields<GroupWithLayers, PlanModel> reformat_group_fields() {
  return Fields<GroupWithLayers, PlanModel>("ReformatGroup",
                                            "The conversions of one layer's output.")
      .field("tensor", "", "The tensor at the start of the chain; null for weights.",
             [](const GroupWithLayers& row, const PlanModel& model) {
               const model::TensorId root = row.group->root;
               return root.is_null() ? std::nullopt
                                     : std::optional(model.text(model.tensors.name[root.index()]));
             })
      .object("writer", "What writes it; null at the engine's input, and for weights.",
              named_layer_fields(),
              [](const GroupWithLayers& row) { return known(row.group->writer); })
      .field("layer_ids", "", "The conversions.", &GroupWithLayers::layers)
      .never_null()
      .object("totals", "Sums over them.", totals_fields(),
              [](const GroupWithLayers& row) -> const LayerTotals& { return row.group->totals; })
      .field("worth_ms", "ms", "Their own time where they are avoidable.",
             [](const GroupWithLayers& row) { return row.group->worth_ms; });
}

// `word`: the name of the field.
Fields<ReformatsOfWord> word_fields(std::string_view name, std::string_view word,
                                    std::string_view description) {
  return Fields<ReformatsOfWord>(name, "Conversions of one word.")
      .maybe(word, "", description, &ReformatsOfWord::word)
      .object("totals", "Sums over them.", totals_fields(), &ReformatsOfWord::totals);
}

// Of the first neighbor.
std::string_view first_name_of(const std::vector<Neighbour>& neighbours, const PlanModel& model) {
  return neighbours.empty() ? std::string_view()
                            : model.text(model.layers.name[neighbours[0].layer.index()]);
}

// "FP16 NC/32HW32"
ReformatFields ends_fields() {
  return ReformatFields("", "")
      .maybe("tensor", "", "The tensor that it reads first.",
             [](const ReformatRow& row, const PlanModel& model) {
               return row.from
                          ? model.text(model.tensors.name[model.ports.tensor_id[*row.from].index()])
                          : std::string_view();
             })
      .maybe("from", "", "Type and layout that it converts from.",
             [](const ReformatRow& row, const PlanModel& model) {
               return row.from ? end_text(model, *row.from) : std::string(to_string(row.from_type));
             })
      .maybe("to", "", "Type and layout that it converts to.",
             [](const ReformatRow& row, const PlanModel& model) {
               return row.to ? end_text(model, *row.to) : std::string();
             })
      .maybe("producer", "", "The first layer that writes it, before any other conversions.",
             [](const ReformatRow& row, const PlanModel& model) {
               return first_name_of(row.producers, model);
             })
      .maybe("consumer", "", "The first layer that reads it, after any other conversions.",
             [](const ReformatRow& row, const PlanModel& model) {
               return first_name_of(row.consumers, model);
             });
}

}  // namespace

const ReformatFields& reformat_row_fields() {
  static const auto kFields =
      ReformatFields("ReformatTableRow", "A layer that only changes type or layout.")
          .with(layer_fields(), &ReformatRow::layer)
          .with(layer_type_fields(), &ReformatRow::layer)
          .with(kind_fields())
          .with(ends_fields())
          .with(cost_fields())
          .with(verdict_fields())
          .with(worth_fields());
  return kFields;
}

const ReformatSumFields& reformat_totals_fields() {
  const auto totals =
      ReformatSumFields("ReformatTotals", "all = avoidable + needed + unclear.")
          .object("all", "All conversions.", totals_fields(), &ReformatExplanation::all)
          .object("avoidable",
                  "Those that can be removed: avoidable_in_model + avoidable_by_caller.",
                  totals_fields(), &ReformatExplanation::avoidable)
          .object("avoidable_in_model", "Those that disappear if the model changes.",
                  totals_fields(), &ReformatExplanation::by_model)
          .object("avoidable_by_caller", "Those that disappear if the caller binds other formats.",
                  totals_fields(), &ReformatExplanation::by_caller)
          .object("needed", "Those that can't be removed.", totals_fields(),
                  &ReformatExplanation::needed)
          .object("unclear", "Those that the file does not describe well enough.", totals_fields(),
                  &ReformatExplanation::unclear);
  const auto kind =
      Fields<KindTotals>("ReformatKind", "Conversions of one kind.")
          .field("kind", "", "What they do.", &KindTotals::kind)
          .object("totals", "Sums over them.", totals_fields(),
                  [](const KindTotals& of) -> const LayerTotals& { return *of.totals; });
  static const auto kFields =
      ReformatSumFields("ReformatSums", "Sums over conversions.")
          .object("totals", "", totals, std::identity{})
          .list("by_kind", "By what they do; only kinds that occur.", kind, kinds_of)
          .list("by_type", "By the producer's types, most time first.",
                word_fields("ReformatType", "type", "The layer's type, in the producer's terms."),
                &ReformatExplanation::by_type)
          .list(
              "by_origin", "By origin, most time first.",
              word_fields("ReformatOrigin", "origin", column_info("layers", "origin").description),
              &ReformatExplanation::by_origin);
  return kFields;
}

const record::Document<ReformatExplanation, PlanModel>& reformats_document() {
  static const record::Document<ReformatExplanation, PlanModel> kDocument = {
      "planex.explain-reformats/2",
      "Why an engine converts: planex explain reformats --format json",
      Fields<ReformatExplanation, PlanModel>("ExplainReformats", "Why an engine converts.")
          .with(engine_name_fields<ReformatExplanation>())
          .maybe("time_basis", "", "Which times of layers.", &ReformatExplanation::basis)
          .field("layers_time_ms", "ms", "Sum of all layers, to which shares refer.",
                 &ReformatExplanation::layers_ms)
          .field("unknown_count", "count", "Layers for which it is unknown whether they convert.",
                 &ReformatExplanation::unknown_count)
          .with(reformat_totals_fields(), std::identity{})
          .list("groups", "Most time first.", reformat_group_fields(), groups_of)
          .list("reformats", "In execution order.", reformat_fields(), &ReformatExplanation::rows)};
  return kDocument;
}

}  // namespace planex::render
