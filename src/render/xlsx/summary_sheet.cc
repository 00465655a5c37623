#include "render/xlsx/summary_sheet.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "model/data_table.h"
#include "render/words/sentences.h"

namespace planex::render {
namespace {

using analyze::Summary;
using analyze::TimeBasis;
using base::format;
using model::Value;

// The name of a figure, its unit, and its value for each engine.
class Figures {
 public:
  Figures(Sheet& sheet, std::size_t engines) : sheet_(sheet), engines_(engines) {}

  void title(std::string_view text) {
    sheet_.text({row_, 0}, text, CellStyle::kTitle);
    row_ += 2;
  }
  void head(const std::vector<std::string>& engines) {
    sheet_.text({row_, 0}, "Figure", CellStyle::kHead);
    sheet_.text({row_, 1}, "Unit", CellStyle::kHead);
    for (std::size_t i = 0; i < engines.size(); ++i) {
      sheet_.text({row_, column(i)}, engines[i], CellStyle::kHead);
    }
    ++row_;
  }
  void heading(std::string_view text) {
    ++row_;
    sheet_.text({row_++, 0}, text, CellStyle::kHeading);
  }
  void note(std::string_view text) { sheet_.text({row_++, 0}, text, CellStyle::kNote); }

  // Left out if no engine has it.
  void add(std::string_view label, std::string_view unit, CellStyle style,
           const std::function<Value(std::size_t engine)>& value_of) {
    std::vector<Value> values;
    for (std::size_t i = 0; i < engines_; ++i) values.push_back(value_of(i));
    const bool any = std::ranges::any_of(
        values, [](const Value& value) { return !std::holds_alternative<std::monostate>(value); });
    if (!any) return;
    sheet_.text({row_, 0}, label);
    if (!unit.empty()) sheet_.text({row_, 1}, unit, CellStyle::kNote);
    for (std::size_t i = 0; i < engines_; ++i) {
      const CellPlace at{row_, column(i)};
      if (const auto* text = std::get_if<std::string>(&values[i])) sheet_.text(at, *text);
      if (const auto* real = std::get_if<double>(&values[i])) sheet_.number(at, *real, style);
      if (const auto* whole = std::get_if<std::int64_t>(&values[i])) {
        sheet_.number(at, static_cast<double>(*whole), style);
      }
    }
    ++row_;
  }

  std::uint32_t row() const { return row_; }

 private:
  static std::uint16_t column(std::size_t engine) { return static_cast<std::uint16_t>(engine + 2); }

  Sheet& sheet_;
  std::size_t engines_;
  std::uint32_t row_ = 0;
};

struct Unit {
  std::string_view word;
  CellStyle style = CellStyle::kGeneral;
};

// The units of TotalRow.
Unit unit_of(std::string_view unit) {
  if (unit == "ms") return {"ms", CellStyle::kMs};
  if (unit == "bytes") return {"bytes", CellStyle::kWhole};
  if (unit == "flops") return {"FLOP", CellStyle::kWhole};
  if (unit == "share") return {"of Σ layers", CellStyle::kPercent};
  if (unit == "ratio") return {"times", CellStyle::kReal};
  if (unit == "per_s") return {"per second", CellStyle::kReal};
  if (unit == "dB") return {"dB", CellStyle::kReal};
  return {"", CellStyle::kWhole};
}

Value text_or_null(std::string_view text) {
  if (text.empty()) return std::monostate{};
  return std::string(text);
}

template <typename T>
Value number_or_null(const std::optional<T>& value) {
  return model::value_of(value);
}

void add_identity(Figures& figures, std::span<const WorkbookEngine> engines) {
  const auto text = [&](std::string_view label, base::StringId (*of)(const model::EngineTable&)) {
    figures.add(label, "", CellStyle::kText, [&](std::size_t i) {
      return text_or_null(engines[i].model->text(of(engines[i].model->engine)));
    });
  };
  text("Engine", [](const model::EngineTable& engine) { return engine.name[0]; });
  figures.add("Made by", "", CellStyle::kText,
              [&](std::size_t i) { return text_or_null(producer_text(*engines[i].model)); });
  text("How the version is known",
       [](const model::EngineTable& engine) { return engine.version_evidence[0]; });
  text("Device", [](const model::EngineTable& engine) { return engine.device[0]; });
  text("Detail", [](const model::EngineTable& engine) { return engine.detail[0]; });
  figures.add("Batch", "", CellStyle::kWhole, [&](std::size_t i) {
    return number_or_null(engines[i].model->engine.batch_size.get(0));
  });
  figures.add("Optimization profile", "", CellStyle::kWhole, [&](std::size_t i) {
    return number_or_null(engines[i].model->engine.profile_index.get(0));
  });
}

void add_times(Figures& figures, std::span<const WorkbookEngine> engines) {
  using Times = analyze::Reconciliation;
  const auto told = [&](std::string_view label, std::string_view unit, CellStyle style,
                        const std::function<Value(const Times&)>& of) {
    figures.add(label, unit, style, [&](std::size_t i) { return of(engines[i].summary->time); });
  };
  const auto end_to_end = [&](std::string_view label,
                              std::optional<double> analyze::EndToEnd::* field) {
    told(label, "ms", CellStyle::kMs, [field](const Times& time) {
      return time.end_to_end ? number_or_null((*time.end_to_end).*field) : Value();
    });
  };
  told("Layer times", "", CellStyle::kText, [](const Times& time) -> Value {
    if (time.basis == TimeBasis::kNone) return std::monostate{};
    return std::string(time.basis == TimeBasis::kMean ? "means" : "medians");
  });
  told("Σ layers, median", "ms", CellStyle::kMs,
       [](const Times& time) { return number_or_null(time.layers_median_ms); });
  told("Σ layers, mean", "ms", CellStyle::kMs,
       [](const Times& time) { return number_or_null(time.layers_mean_ms); });
  told("Layers that do work but have no time", "", CellStyle::kWhole, [](const Times& time) {
    return time.basis == TimeBasis::kNone ? Value() : Value(time.layers_without_time);
  });
  told("End to end: from", "", CellStyle::kText, [](const Times& time) {
    return time.end_to_end
               ? text_or_null(format("{} ({})", time.end_to_end->field, time.end_to_end->source))
               : Value();
  });
  told("End to end: inferences", "", CellStyle::kWhole, [](const Times& time) {
    return time.end_to_end && time.end_to_end->count > 0 ? Value(time.end_to_end->count) : Value();
  });
  end_to_end("End to end, median", &analyze::EndToEnd::median_ms);
  end_to_end("End to end, mean", &analyze::EndToEnd::mean_ms);
  end_to_end("End to end, minimum", &analyze::EndToEnd::min_ms);
  end_to_end("End to end, 90th percentile", &analyze::EndToEnd::p90_ms);
  end_to_end("End to end, 95th percentile", &analyze::EndToEnd::p95_ms);
  end_to_end("End to end, 99th percentile", &analyze::EndToEnd::p99_ms);
  end_to_end("End to end, maximum", &analyze::EndToEnd::max_ms);
  told("Σ layers minus end to end", "ms", CellStyle::kMs,
       [](const Times& time) { return number_or_null(time.gap_ms); });
  told("The same for each layer that does work", "µs", CellStyle::kReal,
       [](const Times& time) { return number_or_null(time.overhead_us_per_layer); });
}

void add_sizes(Figures& figures, std::span<const WorkbookEngine> engines) {
  const auto add = [&](std::string_view label, std::string_view unit,
                       const std::function<Value(const Summary&)>& of) {
    figures.add(label, unit, CellStyle::kWhole,
                [&](std::size_t i) { return of(*engines[i].summary); });
  };
  add("Records of the engine's list", "", [](const Summary& s) { return Value(s.record_count); });
  add("Tensors", "", [](const Summary& s) { return Value(s.tensor_count); });
  add("Multiply-accumulates", "MAC", [](const Summary& s) { return number_or_null(s.macs); });
  add("Bytes moved", "bytes", [](const Summary& s) { return number_or_null(s.footprint_bytes); });
  add("Findings: errors", "", [](const Summary& s) { return Value(s.findings.error); });
  add("Findings: warnings", "", [](const Summary& s) { return Value(s.findings.warning); });
  add("Findings: remarks", "", [](const Summary& s) { return Value(s.findings.info); });
}

void add_totals(Figures& figures, const analyze::Comparison& comparison) {
  const bool is_alone = comparison.engines.size() < 2;
  for (const analyze::TotalRow& row : comparison.totals) {
    // One engine is as fast as itself; the times have a section of their own.
    if (is_alone && row.unit == "ratio") continue;
    if (row.metric == "layers_time_ms" || row.metric == "end_to_end_median_ms") continue;
    if (row.metric == "finding_warning_count" || row.metric == "footprint_bytes") continue;
    const Unit unit = unit_of(row.unit);
    std::string label = row.label;
    if (!label.empty() && label[0] >= 'a' && label[0] <= 'z') {
      label[0] = static_cast<char>(label[0] - 'a' + 'A');
    }
    figures.add(label, unit.word, unit.style,
                [&](std::size_t i) { return number_or_null(row.values[i]); });
  }
}

std::vector<std::string> labels_of(const analyze::Comparison& comparison) {
  std::vector<std::string> labels;
  for (const analyze::ComparedEngine& engine : comparison.engines) labels.push_back(engine.label);
  return labels;
}

void set_widths(Sheet& sheet, std::size_t engines) {
  sheet.set_width(0, 40);
  sheet.set_width(1, 14);
  for (std::size_t i = 0; i < engines; ++i) {
    sheet.set_width(static_cast<std::uint16_t>(i + 2), engines == 1 ? 48 : 24);
  }
}

}  // namespace

void write_summary(Sheet& sheet, std::span<const WorkbookEngine> engines,
                   const analyze::Comparison& comparison, const std::vector<std::string>& notes) {
  set_widths(sheet, engines.size());
  Figures figures(sheet, engines.size());
  figures.title(engines.size() == 1 ? "Engine" : "Engines");
  figures.head(labels_of(comparison));
  add_identity(figures, engines);
  figures.heading("Times of one inference");
  add_times(figures, engines);
  figures.heading("Layers, work and memory");
  add_totals(figures, comparison);
  add_sizes(figures, engines);
  figures.heading("About this workbook");
  figures.note("Shares are of Σ layers: the sum of the times of all layers, measured one by one.");
  figures.note("The heads contain the units. An empty cell is an unknown figure, never zero.");
  for (const std::string& note : notes) figures.note(note);
}

void write_compare(Sheet& sheet, const analyze::Comparison& comparison) {
  const std::size_t count = comparison.engines.size();
  set_widths(sheet, count);
  Figures figures(sheet, count);
  figures.title("Engines side by side");
  figures.head(labels_of(comparison));
  for (const analyze::TotalRow& row : comparison.totals) {
    const Unit unit = unit_of(row.unit);
    figures.add(row.label, unit.word, unit.style,
                [&](std::size_t i) { return number_or_null(row.values[i]); });
  }
  const auto groups = [&](std::string_view title, const std::vector<analyze::GroupRow>& rows) {
    figures.heading(title);
    for (const analyze::GroupRow& row : rows) {
      figures.add(row.key, "ms", CellStyle::kMs, [&](std::size_t i) {
        const bool of_means = comparison.engines[i].basis == TimeBasis::kMean;
        return number_or_null(of_means ? row.mean_ms[i] : row.median_ms[i]);
      });
    }
    for (const analyze::GroupRow& row : rows) {
      figures.add(row.key, "layers", CellStyle::kWhole,
                  [&](std::size_t i) { return number_or_null(row.count[i]); });
    }
  };
  groups("By type", comparison.by_type);
  groups("By precision", comparison.by_precision);
  groups("By output precision", comparison.by_output_precision);
}

}  // namespace planex::render
