#include "render/fields/compare.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "render/fields/compare_parts.h"

namespace planex::render {
namespace {

using analyze::ComparedEngine;
using analyze::Comparison;
using analyze::EngineDifference;
using analyze::EngineRow;
using analyze::Femtoseconds;
using analyze::GroupRow;
using analyze::Ledger;
using analyze::LedgerCell;
using analyze::LedgerKind;
using analyze::LedgerRow;
using analyze::TotalRow;
using record::Fields;
using record::Number;

std::vector<Number> numbers(const std::vector<std::optional<double>>& values) {
  std::vector<Number> list;
  list.reserve(values.size());
  for (const std::optional<double>& value : values) list.push_back({value});
  return list;
}

std::vector<std::optional<double>> all_milliseconds(
    const std::vector<std::optional<Femtoseconds>>& times) {
  std::vector<std::optional<double>> list;
  list.reserve(times.size());
  for (const auto& time : times) list.push_back(analyze::milliseconds(time));
  return list;
}

std::string_view better_text(analyze::Better better) {
  switch (better) {
    case analyze::Better::kLower:
      return "lower";
    case analyze::Better::kHigher:
      return "higher";
    case analyze::Better::kNeither:
      break;
  }
  return "none";
}

std::string_view kind_text(LedgerKind kind) {
  switch (kind) {
    case LedgerKind::kOperation:
      return "operation";
    case LedgerKind::kRemainder:
      return "no-operation";
    case LedgerKind::kNoWork:
      break;
  }
  return "no-work";
}

Fields<ComparedEngine> engine_fields() {
  const auto text = [](model::Text model::EngineTable::* column) {
    return [column](const ComparedEngine& engine) {
      return engine.model->text((engine.model->engine.*column)[0]);
    };
  };
  return Fields<ComparedEngine>("ComparedEngine", "One of the engines.")
      .field("name", "", "Its name.", &ComparedEngine::name)
      .field("label", "", "Short and unique here.", &ComparedEngine::label)
      .maybe("producer", "", "What compiled it.", text(&model::EngineTable::producer))
      .maybe("producer_version", "", "Version of the compiler.",
             text(&model::EngineTable::producer_version))
      .maybe("device", "", "What it was built for or measured on.",
             text(&model::EngineTable::device))
      .field("batch_size", "count", "First dimension of its first input, where it is a batch.",
             [](const ComparedEngine& engine) { return engine.model->engine.batch_size.get(0); })
      .maybe("time_basis", "", "Which statistic the times of layers are; null without layer times.",
             &ComparedEngine::basis);
}

Fields<TotalRow> compared_total_fields() {
  return Fields<TotalRow>("ComparedTotal", "One figure for every engine.")
      .field("metric", "", "Permanent id.", &TotalRow::metric)
      .field("label", "", "What it is, in words: a label.", &TotalRow::label)
      .field("unit", "", "Unit of the values; share: 0 to 1; ratio: a factor.", &TotalRow::unit)
      .one_of({"ms", "ratio", "share", "count", "bytes", "flops", "us", "per_s", "dB"})
      .field("better", "", "Which values are better.",
             [](const TotalRow& row) { return better_text(row.better); })
      .one_of({"lower", "higher", "none"})
      .field("values", "", "One value per engine.",
             [](const TotalRow& row) { return numbers(row.values); })
      .field("is_detail", "",
             "For these engines it repeats what other rows say; the terminal leaves it out.",
             &TotalRow::is_detail);
}

// `word`: the name of the field that says what the group is.
Fields<GroupRow> group_row_fields(std::string_view name, std::string_view word,
                                  std::string_view description) {
  const auto list = [](std::vector<std::optional<double>> GroupRow::* of) {
    return [of](const GroupRow& row) { return numbers(row.*of); };
  };
  return Fields<GroupRow>(name, "Layers of each engine, one value per engine.")
      .maybe(word, "", description, &GroupRow::key)
      .maybe("family", "", "What layers of the type do, in terms common to all producers.",
             &GroupRow::family)
      .left_out()
      .field("median_ms", "ms", "Sum of their median times.", list(&GroupRow::median_ms))
      .field("mean_ms", "ms", "Sum of their mean times.", list(&GroupRow::mean_ms))
      .field("count", "count", "How many.", list(&GroupRow::count))
      .field("share", "ratio", "Share of the sum of the engine's layer times.",
             list(&GroupRow::share))
      .field("item_ms", "ms", "Median time, else mean, for one item of the engine's batch.",
             list(&GroupRow::item_ms))
      .field("speed_up", "ratio", "The first engine's time divided by this one's.",
             list(&GroupRow::speed_up));
}

Fields<GroupRow> compared_precision_fields() {
  return group_row_fields("ComparedPrecision", "precision", "The type.");
}

Fields<EngineRow> compared_row_fields() {
  return Fields<EngineRow>("ComparedRow", "Layers of all engines that do the same.")
      .field("layers", "", "The layers of each engine; empty if it has none.", &EngineRow::layers)
      .never_null()
      .field("time_ms", "ms", "Their time in each engine.",
             [](const EngineRow& row) { return all_milliseconds(row.times); });
}

// One value for each engine; null where it does not have the row.
template <typename Get>
auto each_cell(Get get) {
  return [get](const LedgerRow& row) {
    using Value = std::remove_cvref_t<std::invoke_result_t<const Get&, const LedgerCell&>>;
    std::vector<std::optional<Value>> list;
    list.reserve(row.cells.size());
    for (const auto& cell : row.cells) {
      list.push_back(cell ? std::optional<Value>(std::invoke(get, *cell)) : std::nullopt);
    }
    return list;
  };
}

// The same for operations only.
template <typename Get>
auto each_operation(Get get) {
  return [list = each_cell(get)](const LedgerRow& row) {
    return row.kind == LedgerKind::kOperation ? std::optional(list(row)) : std::nullopt;
  };
}

// Whole femtoseconds: they add up to the totals to the last digit, which doubles don't.
Fields<Ledger> ledger_fields() {
  const auto row =
      Fields<LedgerRow>("LedgerRow", "An operation of the source model in each engine.")
          .field("kind", "",
                 "no-operation: layers whose operation is unknown; no-work: records that do no "
                 "work and have a time.",
                 [](const LedgerRow& of) { return kind_text(of.kind); })
          .one_of({"operation", "no-operation", "no-work"})
          .maybe("name", "", "Its name in the first engine that has it.", &LedgerRow::name)
          .maybe("type", "", "Its type.", &LedgerRow::type)
          .maybe("parameter", "",
                 "The weight or bias that the operation follows in the layer's name.",
                 &LedgerRow::parameter)
          .field("time_fs", "fs", "Its time in each engine.", each_cell(&LedgerCell::time))
          .field("reformat_fs", "fs", "Of these, layers that only reformat for the operation.",
                 each_cell(&LedgerCell::reformat_time))
          .field("layers", "count", "Its layers in each engine.",
                 each_cell(&LedgerCell::layer_count))
          .field("spread", "", "How the time of its layers was split; the weakest rule used.",
                 each_operation(&LedgerCell::rule))
          .left_out()
          .field("names", "", "Its name in each engine.", each_operation(&LedgerCell::name))
          .left_out();
  return Fields<Ledger>("ComparedLedger", "The time of each engine by operation.")
      .field("total_fs", "fs",
             "Sum of layer times of each engine; time_fs of all rows add up to it exactly.",
             &Ledger::totals)
      .list("rows", "In the order of the first engine, then what only others have; the rest last.",
            row, &Ledger::rows);
}

}  // namespace

const Fields<Comparison>& comparison_figure_fields() {
  static const auto kFields =
      Fields<Comparison>("ComparisonFigures", "Engines side by side.")
          .list("engines",
                "In the order given; the first is the base. Every list of values below is in this "
                "order.",
                engine_fields(), &Comparison::engines)
          .list("totals", "Figures of the whole engines.", compared_total_fields(),
                &Comparison::totals)
          .list("by_type", "Layers by type.",
                group_row_fields("ComparedType", "type", "Type in the producer's terms."),
                &Comparison::by_type)
          .list("by_precision", "Layers by the type of their first input.",
                compared_precision_fields(), &Comparison::by_precision)
          .list("by_output_precision", "Layers by the type of their first output.",
                compared_precision_fields(), &Comparison::by_output_precision);
  return kFields;
}

const record::Document<Comparison, CompareContext>& compare_document() {
  using CompareFields = Fields<Comparison, CompareContext>;
  const auto difference =
      Fields<EngineDifference, CompareContext>("EngineDifference",
                                               "One engine compared with the first.")
          .field("engine", "", "Position in engines.", &EngineDifference::engine)
          .with(difference_fields());
  static const record::Document<Comparison, CompareContext> kDocument = {
      "planex.compare/2", "Engines side by side: planex compare --format json",
      CompareFields("Compare", "Engines side by side: totals, layers in pairs, operations.")
          .with(comparison_figure_fields(), std::identity{})
          .list("pairs",
                "Layers of the first engine and of each other one that do the same, engine by "
                "engine.",
                pair_fields(),
                [](const Comparison& comparison, const CompareContext& context) {
                  return pair_rows(comparison, *context.selected);
                })
          .list("differences", "Each engine after the first, against the first.", difference,
                &Comparison::differences)
          .list("rows",
                "Layers of all engines that do the same; both lists have one entry for each "
                "engine.",
                compared_row_fields(), &Comparison::rows)
          .object("ledger", "", ledger_fields(), &Comparison::ledger)};
  return kDocument;
}

}  // namespace planex::render
