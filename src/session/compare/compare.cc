#include "session/compare/compare.h"

#include <algorithm>

#include "analyze/compare/select.h"
#include "base/text.h"
#include "base/try.h"
#include "render/csv/table_csv.h"
#include "render/fields/compare.h"
#include "render/json/record_json.h"
#include "render/junit/compare_junit.h"
#include "render/markdown/table_markdown.h"
#include "render/tables/compare_tables.h"
#include "render/text/compare_changes.h"
#include "render/text/compare_ledger.h"
#include "render/text/compare_markdown.h"
#include "render/text/compare_text.h"
#include "render/text/table_text.h"
#include "session/answer/format.h"

namespace planex::session {
namespace {

using analyze::Comparison;
using base::format;
using render::Names;

Result<render::SelectedPairs> select(const Comparison& comparison, const CompareRequest& request) {
  render::SelectedPairs selected;
  for (const analyze::EngineDifference& difference : comparison.differences) {
    PLANEX_ASSIGN(
        std::vector<std::size_t> pairs,
        analyze::select_pairs(difference.layers, *comparison.engines.front().model,
                              *comparison.engines[difference.engine].model, request.only));
    selected.push_back(std::move(pairs));
  }
  return selected;
}

model::DataTable rows_of(const Comparison& comparison, const CompareRequest& request,
                         const render::SelectedPairs& selected) {
  switch (request.section) {
    case CompareSection::kPairs:
      return render::pairs_table(comparison, selected, Names::kFull,
                                 render::PairColumns::kBothSides);
    case CompareSection::kLedger:
      return render::ledger_table(comparison);
    case CompareSection::kSummaries:
      return render::summaries_table(comparison, request.transpose
                                                     ? render::Orientation::kEnginesDown
                                                     : render::Orientation::kEnginesAcross);
    case CompareSection::kOverview:
    case CompareSection::kPair:
      break;
  }
  return render::totals_table(comparison);
}

class Document {
 public:
  Document(const Comparison& comparison, const CompareRequest& request, const View& view)
      : comparison_(comparison),
        request_(request),
        view_(view),
        style_(style_of(view)),
        options_{.all = request.all, .threshold_ratio = request.threshold_ratio} {}

  Result<std::string> write() {
    PLANEX_ASSIGN(selected_, select(comparison_, request_));
    if (view_.format == Format::kJson) {
      const render::LayerNames names(comparison_, Names::kShort);
      return render::json_document(render::compare_document(), comparison_,
                                   {&comparison_, &names, &selected_});
    }
    if (view_.format == Format::kJunit) return render::compare_junit(comparison_);
    switch (request_.section) {
      case CompareSection::kOverview:
        return overview();
      case CompareSection::kPairs:
        return pairs();
      case CompareSection::kPair:
        return pair();
      case CompareSection::kLedger:
        if (view_.format == Format::kText) {
          return render::ledger_text(comparison_, options_, style_);
        }
        return table(render::ledger_table(comparison_));
      case CompareSection::kSummaries:
        break;
    }
    return table(render::summaries_table(comparison_, request_.transpose
                                                          ? render::Orientation::kEnginesDown
                                                          : render::Orientation::kEnginesAcross));
  }

 private:
  std::string table(const model::DataTable& of) const {
    if (view_.format == Format::kCsv) return render::csv_table(of);
    if (view_.format == Format::kMarkdown) return render::markdown_table(of);
    return render::text_table(of, style_);
  }

  std::string overview() const {
    if (view_.format == Format::kCsv) return render::csv_table(render::totals_table(comparison_));
    if (view_.format == Format::kMarkdown) return render::compare_markdown(comparison_, options_);
    return render::compare_text(comparison_, options_, style_);
  }

  std::string pairs() const {
    if (view_.format != Format::kText) {
      const bool is_csv = view_.format == Format::kCsv;
      return table(render::pairs_table(
          comparison_, selected_, is_csv ? Names::kFull : Names::kShort,
          is_csv ? render::PairColumns::kBothSides : render::PairColumns::kDifferences));
    }
    // Pairs belong to two engines; with more engines, layers are shown in rows, unless pairs are
    // requested.
    if (comparison_.differences.size() > 1 && request_.only.empty()) {
      return render::rows_text(comparison_, style_);
    }
    std::string text;
    for (std::size_t i = 0; i < selected_.size(); ++i) {
      if (i > 0) text += "\n";
      text += render::pairs_text(comparison_, comparison_.differences[i], selected_[i], options_,
                                 style_);
    }
    return text;
  }

  Result<std::string> pair() const {
    if (view_.format != Format::kText) {
      return fail(ErrorCode::kUsage, "a single pair can be written as text only",
                  "--format json has the details of all pairs");
    }
    if (request_.engine == 0 || request_.engine > comparison_.differences.size()) {
      return fail(ErrorCode::kUsage,
                  format("there is no engine {} to compare with the first", request_.engine));
    }
    const analyze::EngineDifference& difference = comparison_.differences[request_.engine - 1];
    const std::size_t count = difference.layers.pairs.size();
    if (request_.pair >= count) {
      return fail(ErrorCode::kUsage,
                  format("there is no pair {}; there are {}, counted from 0", request_.pair, count),
                  "planex compare … --pairs lists them");
    }
    return render::pair_details_text(comparison_, difference, request_.pair, style_);
  }

  const Comparison& comparison_;
  const CompareRequest& request_;
  const View& view_;
  render::TableStyle style_;
  render::CompareTextOptions options_;
  render::SelectedPairs selected_;
};

}  // namespace

analyze::CompareOptions to_options(const CompareRequest& request) {
  analyze::CompareOptions options;
  switch (request.match) {
    case MatchRule::kBest:
      options.rule = analyze::AlignRule::kBest;
      break;
    case MatchRule::kExactShapes:
      options.rule = analyze::AlignRule::kExactShapes;
      break;
    case MatchRule::kFirstShapes:
      options.rule = analyze::AlignRule::kFirstShapes;
      break;
  }
  options.gate.fail_above_ratio = request.fail_above_ratio;
  options.gate.fail_when_unclear = request.fail_when_unclear;
  options.gate.assumed_run_spread_ratio = request.run_spread_ratio;
  return options;
}

Result<void> compare(const Comparison& comparison, const CompareRequest& request,
                     const Take& take) {
  if (request.section == CompareSection::kPair) {
    return fail(ErrorCode::kUsage, "a single pair has no rows",
                "use the section pairs, which has the rows of all");
  }
  PLANEX_ASSIGN(const render::SelectedPairs selected, select(comparison, request));
  const render::LayerNames names(comparison, Names::kShort);
  const render::CompareContext context{&comparison, &names, &selected};
  return take({.document = {render::compare_document(), comparison, context},
               .rows = [&] { return rows_of(comparison, request, selected); }});
}

Result<CompareResult> compare(const Comparison& comparison, const CompareRequest& request,
                              const View& view) {
  CompareResult result;
  PLANEX_ASSIGN(result.document, Document(comparison, request, view).write());
  result.regressed = std::ranges::any_of(
      comparison.differences, [](const auto& difference) { return difference.verdict.fails; });
  return result;
}

}  // namespace planex::session
