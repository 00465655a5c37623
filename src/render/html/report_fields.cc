#include "render/html/report_fields.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "planex/version.h"
#include "render/fields/compare.h"
#include "render/fields/engine_accuracy.h"
#include "render/fields/memory.h"
#include "render/fields/optimize.h"
#include "render/fields/report_explain.h"
#include "render/fields/summary.h"
#include "render/fields/sweep.h"
#include "render/fields/tactics.h"
#include "render/tables/compare_tables.h"

namespace planex::render {
namespace {

using analyze::Comparison;
using analyze::EngineDifference;
using model::PlanModel;
using record::Bound;
using record::Fields;
using record::Kind;
using record::Type;

using Context = ReportEngineContext;

Type packed() { return {.kind = Kind::kPacked}; }

Type list_of(Type item) {
  return {.kind = Kind::kList, .item = std::make_shared<const Type>(std::move(item))};
}

template <typename T, typename SubContext>
Type record_type(const Fields<T, SubContext>& of) {
  return {.kind = Kind::kRecord, .record = of.shared()};
}

Type or_null(Type type) {
  type.nullable = true;
  return type;
}

Type texts() { return list_of({.kind = Kind::kText}); }

const Fields<analyze::RepeatCommand>& report_command_fields() {
  using analyze::RepeatCommand;
  static const auto kFields =
      Fields<RepeatCommand>("ReportCommand", "How the engine was built, or can be built again.")
          .field(
              "origin", "",
              "recorded: a log or a manifest contains the command line; options: a file contains "
              "the program's options; made: planex wrote it from what the files record.",
              &RepeatCommand::origin)
          .field("what", "", "A phrase.", &RepeatCommand::what)
          .field("command", "", "One line for a shell.", &RepeatCommand::command)
          .maybe("file", "", "Where it is recorded; null: made.", &RepeatCommand::file);
  return kFields;
}

const Fields<LeftOutFile>& report_left_out_fields() {
  static const auto kFields =
      Fields<LeftOutFile>("LeftOutFile", "A file found beside those that were read.")
          .field("file", "", "Its path.", &LeftOutFile::file)
          .maybe("kind", "", "What it was recognized as.", &LeftOutFile::kind)
          .field("size_bytes", "bytes", "Its size.", &LeftOutFile::size_bytes)
          .maybe("reason", "", "Why it was left out.", &LeftOutFile::reason);
  return kFields;
}

const Fields<SolvedElsewhere>& report_elsewhere_fields() {
  static const auto kFields =
      Fields<SolvedElsewhere>("SolvedElsewhere",
                              "A finding that another engine does not have in the same place.")
          .field("finding", "", "Position in this engine's `findings`.", &SolvedElsewhere::finding)
          .field("engine", "", "Position of the other engine.", &SolvedElsewhere::engine)
          .field("here", "", "Ids of the layers of the place in this engine.",
                 &SolvedElsewhere::here)
          .never_null()
          .field("there", "", "Ids of its layers in the other one; may be empty.",
                 &SolvedElsewhere::there)
          .never_null()
          .field("here_ms", "ms", "Sum of their times here.", &SolvedElsewhere::here_ms)
          .field("there_ms", "ms", "Sum of their times there.", &SolvedElsewhere::there_ms)
          .field("delta_ms", "ms", "there_ms - here_ms.", &SolvedElsewhere::delta_ms);
  return kFields;
}

const ReportEngineFields& report_explain_fields() {
  // A topic: a result of the engine's analyses.
  const auto of = [](const auto EngineAnalyses::* result) {
    return [result](const ReportEngine& engine) {
      return Bound{&(engine.analyses->*result), engine.model};
    };
  };
  static const auto kFields =
      ReportEngineFields("ReportExplain", "The figures of `planex explain`, one member per topic.")
          .object("memory", "What fills its memory.", part_fields(memory_document()),
                  of(&EngineAnalyses::memory))
          .object("precision", "Where types change.", part_fields(report_precision_document()),
                  of(&EngineAnalyses::precision))
          .object("reformats", "Why it converts.", part_fields(report_reformats_document()),
                  of(&EngineAnalyses::reformats))
          .object("speed", "How close layers come to the device's limits.",
                  part_fields(report_speed_document()), of(&EngineAnalyses::speed))
          .object("blocks", "What repeats.", part_fields(report_blocks_document()),
                  of(&EngineAnalyses::blocks))
          .object("pointwise", "What pointwise layers compute.",
                  part_fields(report_pointwise_document()), of(&EngineAnalyses::pointwise))
          .object("windows", "Windows of convolutions.", part_fields(report_windows_document()),
                  of(&EngineAnalyses::windows))
          .object("tactics", "What the builder tried; null without a log that records it.",
                  part_fields(tactics_document()),
                  [](const ReportEngine& engine) {
                    const auto& tactics = engine.analyses->tactics;
                    using TacticsOf = Bound<analyze::TacticExplanation, model::PlanModel>;
                    return tactics ? std::optional(TacticsOf{&*tactics, engine.model})
                                   : std::nullopt;
                  })
          .object("accuracy", "What quantizing lost; null without a record of it.",
                  part_fields(report_accuracy_document()), [](const ReportEngine& engine) {
                    const auto& accuracy = engine.analyses->accuracy;
                    using AccuracyOf = Bound<analyze::AccuracyExplanation, model::PlanModel>;
                    return accuracy ? std::optional(AccuracyOf{&*accuracy, engine.model})
                                    : std::nullopt;
                  });
  return kFields;
}

Fields<Comparison> report_words_fields() {
  // All words of an enumeration: what numbers in columns stand for.
  const auto words = []<typename Enum>(Enum last) {
    return [last](const Comparison&) {
      std::vector<std::string_view> list;
      for (int i = 0; i <= static_cast<int>(last); ++i) {
        list.push_back(to_string(static_cast<Enum>(i)));
      }
      return list;
    };
  };
  return Fields<Comparison>("ReportWords", "The words that numbers in columns stand for.")
      .field("match", "", "How layers were matched.", words(analyze::MatchBy::kUnmatched))
      .field("change", "", "What changed, one bit per change.", words(analyze::ChangeKind::kTime))
      .field("cause", "", "Causes.", words(analyze::Cause::kNoWork))
      .field("noise", "", "How the noise is known.", words(analyze::NoiseSource::kNoTime))
      .field("spread", "", "How a layer's time was split.", words(analyze::ShareRule::kSole));
}

// What each engine is, and how it was built and run: section, key, and a text or null per engine.
std::vector<std::vector<std::optional<std::string>>> report_summary_rows(
    const Comparison& comparison) {
  std::vector<std::vector<std::optional<std::string>>> rows;
  for (const auto& row : summaries_table(comparison, Orientation::kEnginesAcross).rows) {
    rows.emplace_back();
    for (const model::Value& value : row) {
      const auto* text = std::get_if<std::string>(&value);
      rows.back().push_back(text == nullptr ? std::nullopt : std::optional(*text));
    }
  }
  return rows;
}

const Fields<EngineDifference, CompareContext>& report_direction_fields() {
  static const auto kFields = Fields<EngineDifference, CompareContext>(
                                  "ReportDirection", "One engine compared with another.")
                                  .with(difference_fields());
  return kFields;
}

Fields<Comparison> report_comparison_fields() {
  const auto pair =
      Fields<Comparison>("ReportEnginePair", "Two engines, and their layers in pairs.")
          .described("a", "Position of the first engine.", {.kind = Kind::kInteger})
          .described("b", "Position of the second engine.", {.kind = Kind::kInteger})
          .described("directions", "The second against the first, and the other way round.",
                     list_of(record_type(report_direction_fields())))
          .described("pairs", "Layers in pairs, as columns.", packed());
  return Fields<Comparison>("ReportComparison", "Engines side by side.")
      .with(report_comparison_head_fields())
      .described("engine_pairs", "Any two engines.", list_of(record_type(pair)))
      .described("ledger", "Time by operation of the source model, as columns.", packed())
      .described("strings", "Texts of the ledger.", texts())
      .with(report_comparison_tail_fields());
}

ReportEngineFields report_engine_fields() {
  return ReportEngineFields("ReportEngine", "An engine.")
      .with(report_engine_head_fields())
      .described("tables", "Tables of the model, by name.", packed())
      .described("graph", "Its graphs.", packed())
      .with(report_engine_tail_fields())
      .described("strings", "Its texts; tables refer to them by their places.", texts());
}

}  // namespace

const Fields<ReportParts>& report_head_fields() {
  const auto generator =
      Fields<ReportParts>("ReportGenerator", "What wrote the report.")
          .field("name", "", "planex.", [](const ReportParts&) { return "planex"; })
          .field("version", "", "Its version.", [](const ReportParts&) { return PLANEX_VERSION; })
          .maybe("command", "", "The command that makes the report again.", &ReportParts::command);
  static const auto kFields = Fields<ReportParts>("ReportHead", "A report.")
                                  .object("generator", "", generator, std::identity{})
                                  .object("sweep", "The grid that the engines belong to.",
                                          part_fields(sweep_document()), &ReportParts::sweep);
  return kFields;
}

const ReportEngineFields& report_engine_head_fields() {
  static const auto kFields =
      ReportEngineFields("", "")
          .field("label", "", "Its name among others; short and unique.", &ReportEngine::label)
          .maybe("path", "", "What the user named.",
                 [](const ReportEngine& engine) -> const auto& { return engine.origin->path; })
          .list("commands", "How it was built, and can be built again.", report_command_fields(),
                [](const ReportEngine& engine) -> const auto& { return engine.origin->commands; })
          .list("left_out", "Files found beside it.", report_left_out_fields(),
                [](const ReportEngine& engine) -> const auto& { return engine.origin->left_out; })
          .object("summary", "", part_fields(summary_document()),
                  [](const ReportEngine& engine) { return Bound{engine.summary, engine.model}; });
  return kFields;
}

const ReportEngineFields& report_engine_tail_fields() {
  const auto lint = [](const ReportEngine&, const Context& of) {
    return Bound{&of.lint, &of.lint};
  };
  static const auto kFields =
      ReportEngineFields("", "")
          .with(lint_list_fields(), lint)
          .object("lint", "Everything except single findings and rules.",
                  Fields<LintResult, LintResult>("ReportLint", "Sums over findings.")
                      .with(lint_total_fields()),
                  lint)
          .list("elsewhere", "Findings that other engines don't have.", report_elsewhere_fields(),
                &ReportEngine::elsewhere)
          .object(
              "timing", "", part_fields(timing_document()),
              [](const ReportEngine&, const Context& of) { return Bound{&of.timing, &of.timing}; })
          .object("explain", "", report_explain_fields(), std::identity{})
          .where([](const ReportEngine& engine) { return engine.analyses->is_complete; });
  return kFields;
}

const Fields<Comparison>& report_comparison_head_fields() {
  static const auto kFields =
      Fields<Comparison>("", "")
          .with(comparison_figure_fields())
          .field("threshold_ratio", "ratio", "The ratio from which a speed-up is coloured.",
                 [](const Comparison&) { return CompareTextOptions{}.threshold_ratio; })
          .object("words", "", report_words_fields(), std::identity{});
  return kFields;
}

const Fields<Comparison>& report_comparison_tail_fields() {
  static const auto kFields = Fields<Comparison>("", "").field(
      "summaries", "", "Section, key, and one text per engine.", report_summary_rows);
  return kFields;
}

const record::Document<ReportParts>& report_document() {
  static const record::Document<ReportParts> kDocument = {
      "planex.report/2", "The report's data: planex report --format json",
      Fields<ReportParts>("Report", "What the report's page shows.")
          .with(report_head_fields())
          .described("engines", "The first is shown first.",
                     list_of(record_type(report_engine_fields())))
          .described("comparison", "Null with one engine.",
                     or_null(record_type(report_comparison_fields())))
          .described("optimize", "How the engines came about; null: not by planex optimize.",
                     or_null(record_type(part_fields(optimize_document()))))};
  return kDocument;
}

}  // namespace planex::render
