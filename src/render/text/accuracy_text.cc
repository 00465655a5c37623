#include "render/text/accuracy_text.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "render/markdown/table_markdown.h"
#include "render/text/grid.h"
#include "render/text/slice_text.h"
#include "render/words/display_width.h"
#include "render/words/numbers.h"
#include "render/words/wrap.h"

namespace planex::render {
namespace {

using arrays::AccuracyReport;
using arrays::AccuracySide;
using arrays::AccuracyState;
using arrays::Difference;
using arrays::TensorAccuracy;
using base::format;

// Errors of one table may be 1e-9 and 1e3.
std::string number_text(const std::optional<double>& value) {
  return value ? format("{:.3g}", *value) : "–";
}
std::string plain_db_text(const std::optional<double>& value) {
  return value ? format("{:.2f}", *value) : "–";
}
std::string cosine_text(const std::optional<double>& value) {
  return value ? format("{:.6f}", *value) : "–";
}
bool has_nonfinite(const Difference& difference) {
  return difference.reference_nan_count + difference.reference_inf_count +
             difference.subject_nan_count + difference.subject_inf_count >
         0;
}

std::string side_text(const AccuracySide& side) {
  std::string text = format("{} ({}", side.path, side.format);
  if (!side.runner.empty()) text += format(", {}", side.runner);
  return text + format(", {}, {})", base::counted(side.iteration_count, "iteration"),
                       base::counted(side.tensor_count, "tensor"));
}

// "float32", or "float32, float16" where the two differ.
std::string both(const std::string& reference, const std::string& subject) {
  return reference == subject ? reference : format("{}, {}", reference, subject);
}

// What matters more than any figure, in sentences: NaN and infinities first.
std::vector<std::string> sentences_of(const AccuracyReport& report) {
  std::vector<std::string> sentences;
  for (const TensorAccuracy& tensor : report.tensors) {
    const Difference& difference = tensor.difference;
    if (!has_nonfinite(difference)) continue;
    sentences.push_back(format(
        "{}: {} NaN and {} infinite in the subject, {} and {} in the reference; {} not the same.",
        tensor.name, difference.subject_nan_count, difference.subject_inf_count,
        difference.reference_nan_count, difference.reference_inf_count,
        base::counted(static_cast<std::size_t>(difference.nonfinite_mismatch_count), "value is",
                      "values are")));
  }
  for (const TensorAccuracy& tensor : report.tensors) {
    std::string sentence = worst_slice_sentence(tensor.name, tensor.difference);
    if (!sentence.empty()) sentences.push_back(std::move(sentence));
  }
  for (const TensorAccuracy& tensor : report.tensors) {
    if (tensor.state == AccuracyState::kCompared) continue;
    sentences.push_back(
        format("{} was not compared: its shape is {} in the subject, {} in the "
               "reference.",
               tensor.name, tensor.subject_shape, tensor.reference_shape));
  }
  const auto only = [&](const std::vector<std::string>& names, std::string_view where) {
    if (names.empty()) return;
    constexpr std::size_t kMost = 8;
    std::vector<std::string_view> shown(
        names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kMost)));
    const std::string more = format("{} more", names.size() - shown.size());
    if (names.size() > kMost) shown.push_back(more);
    sentences.push_back(format("Only in the {}: {}.", where, base::join_words(shown)));
  };
  only(report.reference_only, "reference");
  only(report.subject_only, "subject");
  for (const std::string& remark : report.remarks) {
    sentences.push_back(format("Note: {}.", remark));
  }
  return sentences;
}

std::string judged_text(const AccuracyReport& report) {
  if (!report.fail_below_db) return {};
  const std::int64_t failed = report.failed_count();
  return format("{} of {} below {} dB.", failed, base::counted(report.tensors.size(), "tensor"),
                *report.fail_below_db);
}

// Heads and rows of the table; the first three columns are texts.
constexpr std::size_t kTextColumns = 3;

struct AccuracyTable {
  std::vector<std::string> heads;
  std::vector<std::vector<std::string>> rows;
};

AccuracyTable table_of_report(const AccuracyReport& report) {
  const bool has_classes = std::ranges::any_of(
      report.tensors, [](const TensorAccuracy& tensor) { return tensor.class_rows.has_value(); });
  const bool has_slices = std::ranges::any_of(
      report.tensors, [](const TensorAccuracy& one) { return !one.difference.slices.empty(); });
  AccuracyTable table{.heads = {"tensor", "shape", "type", "SQNR dB", "cosine", "max abs",
                                "mean abs", "max rel", "outside"},
                      .rows = {}};
  if (has_slices) table.heads.emplace_back("worst part dB");
  if (has_classes) table.heads.insert(table.heads.end(), {"top-1", "top-5"});
  for (const TensorAccuracy& tensor : report.tensors) {
    const Difference& difference = tensor.difference;
    const bool is_compared = tensor.state == AccuracyState::kCompared;
    std::vector<std::string> row = {
        tensor.name,
        both(tensor.reference_shape, tensor.subject_shape),
        both(tensor.reference_type, tensor.subject_type),
        is_compared && difference.is_equal ? "equal" : plain_db_text(difference.sqnr_db),
        cosine_text(difference.cosine),
        number_text(difference.max_abs),
        number_text(difference.mean_abs),
        number_text(difference.max_rel),
        or_dash(difference.outside_ratio, percent_text)};
    if (has_slices) {
      const arrays::Slice* const worst = arrays::worst_slice(difference.slices);
      row.push_back(worst == nullptr  ? "–"
                    : worst->is_equal ? "equal"
                                      : plain_db_text(worst->sqnr_db));
    }
    if (has_classes) {
      row.push_back(or_dash(tensor.top1_ratio, percent_text));
      row.push_back(or_dash(tensor.top5_ratio, percent_text));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

std::string accuracy_text(const AccuracyReport& report, const TableStyle& style) {
  const std::size_t width = style.wide ? 0 : static_cast<std::size_t>(std::max(style.width, 0));
  std::string text;
  text += wrapped_hanging(format("reference  {}", printable(side_text(report.reference))), width, 0,
                          11);
  text +=
      wrapped_hanging(format("subject    {}", printable(side_text(report.subject))), width, 0, 11);
  const std::vector<std::string> sentences = sentences_of(report);
  if (!sentences.empty()) text += "\n";
  for (const std::string& sentence : sentences) {
    text += wrapped(printable(sentence), width, kScreenIndent);
  }
  const AccuracyTable table = table_of_report(report);
  std::vector<GridColumn> columns(table.heads.size(), {Alignment::kRight});
  for (std::size_t i = 0; i < kTextColumns; ++i) columns[i] = {Alignment::kLeft, i == 0};
  Grid grid(std::move(columns));
  std::vector<GridCell> heads;
  for (const std::string& head : table.heads) heads.push_back({head, Ink::kStrong});
  grid.add_row(std::move(heads));
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const bool is_failed = report.tensors[i].is_failed.value_or(false);
    std::vector<GridCell> cells;
    for (const std::string& cell : table.rows[i]) {
      cells.push_back({printable(cell), is_failed ? Ink::kError : Ink::kPlain});
    }
    grid.add_row(std::move(cells));
  }
  text += "\n";
  for (const std::string& line : grid.lines(width, kScreenIndent, style.color)) text += line + "\n";
  text += "\n" + wrapped(format("outside: beyond {} + {} * |reference|", report.tolerance.absolute,
                                report.tolerance.relative),
                         width, kScreenIndent);
  if (const std::string verdict = judged_text(report); !verdict.empty()) {
    text += wrapped(verdict, width, kScreenIndent);
  }
  return text;
}

std::string accuracy_markdown(const AccuracyReport& report) {
  std::string text =
      format("### Accuracy\n\n- reference: {}\n- subject: {}\n",
             markdown_text(side_text(report.reference)), markdown_text(side_text(report.subject)));
  for (const std::string& sentence : sentences_of(report)) {
    text += format("- {}\n", markdown_text(sentence));
  }
  if (const std::string verdict = judged_text(report); !verdict.empty()) {
    text += format("- {}\n", markdown_text(verdict));
  }
  text += "\n|";
  const AccuracyTable table = table_of_report(report);
  for (const std::string& head : table.heads) text += format(" {} |", head);
  text += "\n|";
  for (std::size_t i = 0; i < table.heads.size(); ++i) {
    text += i < kTextColumns ? " :-- |" : " --: |";
  }
  text += "\n";
  for (const std::vector<std::string>& row : table.rows) {
    text += "|";
    for (const std::string& cell : row) text += format(" {} |", markdown_text(cell));
    text += "\n";
  }
  return text;
}

}  // namespace planex::render
