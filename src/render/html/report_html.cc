#include "render/html/report_html.h"

#include <cstdint>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "render/html/deflate.h"
#include "render/html/template.h"
#include "render/words/display_width.h"
#include "render/words/numbers.h"
#include "render/words/sentences.h"
#include "render/words/sweep_sentences.h"

namespace planex::render {
namespace {

using base::format;

constexpr std::string_view kStaticMark = "<!--PLANEX:STATIC-->";
constexpr std::string_view kDataMark = "<!--PLANEX:DATA-->";

std::string html_escaped(std::string_view text) {
  std::string result;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
        break;
    }
  }
  return result;
}

constexpr std::size_t base64_size(std::size_t bytes) { return (bytes + 2) / 3 * 4; }

void append_base64(std::string& result, std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0;
  };
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::uint32_t group = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    result += kDigits[group >> 18 & 63];
    result += kDigits[group >> 12 & 63];
    result += i + 1 < bytes.size() ? kDigits[group >> 6 & 63] : '=';
    result += i + 2 < bytes.size() ? kDigits[group & 63] : '=';
  }
}

void figure(std::string& html, std::string_view name, std::string_view value) {
  html += format("<div><dt>{}</dt><dd>{}</dd></div>", html_escaped(name), html_escaped(value));
}

std::string heading(std::string_view text) { return format("<h1>{}</h1>", html_escaped(text)); }

// The conclusions of a sweep; below them is one of its engines.
std::string sweep_part(const analyze::Sweep& sweep) {
  std::string html = heading(base::file_name_of(sweep.model));
  html += format("<p>A sweep of {}, {} of them measured.</p>",
                 base::counted(sweep.cells.size(), "cell"), sweep.done_count);
  for (const std::string& sentence : sweep_sentences(sweep)) {
    html += format("<p>{}</p>", html_escaped(sentence));
  }
  return html;
}

// What can be read before any script runs.
std::string static_part(const ReportParts& parts) {
  const ReportEngine& engine = parts.engines.front();
  const std::size_t engine_count = parts.engines.size();
  const analyze::Summary& summary = *engine.summary;
  const std::string_view name = engine.model->text(engine.model->engine.name[0]);
  std::string html = parts.sweep == nullptr ? heading(name) : sweep_part(*parts.sweep);
  if (parts.sweep != nullptr) {
    html +=
        format("<p>The first of its engines in this report: {}.</p>", html_escaped(engine.label));
  } else if (engine_count > 1) {
    html += format("<p>The first of {} engines in this report.</p>", engine_count);
  }
  html += "<dl>";
  figure(html, "Made by", producer_text(*engine.model));
  if (summary.time.end_to_end && summary.time.end_to_end->median_ms) {
    figure(html, "End to end", ms_text(*summary.time.end_to_end->median_ms) + " ms, median");
  }
  const bool medians = summary.time.basis == analyze::TimeBasis::kMedian;
  if (const auto sum = summary.time.layers_ms()) {
    figure(html, "Σ layers", ms_text(*sum) + (medians ? " ms of medians" : " ms of means"));
  }
  figure(html, "Layers", format("{}", summary.layer_count));
  if (summary.flops) figure(html, "Work", flops_text(static_cast<double>(*summary.flops)));
  if (summary.weight_bytes) {
    figure(html, "Weights", bytes_text(static_cast<double>(*summary.weight_bytes)));
  }
  if (summary.activation_bytes) {
    figure(html, "Activation traffic", bytes_text(static_cast<double>(*summary.activation_bytes)));
  }
  const lint::LintReport& lint = *engine.lint;
  figure(html, "Findings",
         format("{} warnings, {} notes", lint.warning_count + lint.error_count, lint.info_count));
  html += "</dl>";
  if (const auto sentence = conclusion(*engine.model, summary)) {
    html += format("<p><strong>{}</strong> {}</p>", html_escaped(sentence->headline),
                   html_escaped(sentence->text));
  }
  return html;
}

// An element that the script reads. The browser neither runs nor shows its content.
void data_element(std::string& html, std::string_view attributes, std::string_view encoding,
                  std::string_view bytes) {
  html += format("<script type=\"application/octet-stream\" {} data-encoding=\"{}\">", attributes,
                 encoding);
  append_base64(html, bytes);
  html += "</script>";
}

constexpr std::string_view kDeflated = "deflate-base64";

// The options as lists of pairs.
void write_options(JsonWriter& json, const CarriedRequest::Options& options) {
  json.begin_array();
  for (const auto& [name, value] : options) {
    json.begin_array().value(name).value(value).end_array();
  }
  json.end_array();
}

Result<std::string> carried_elements(const CarriedRequest& carried) {
  std::string html;
  PLANEX_ASSIGN(const std::string request, deflated([&](const TakePiece& take) {
                  JsonWriter json(take);
                  json.begin_object().key("engines").begin_array();
                  for (const auto& engine : carried.engines) write_options(json, engine);
                  json.end_array().key("report");
                  write_options(json, carried.report);
                  json.end_object();
                  json.finish();
                }));
  data_element(html, "id=\"planex-request\"", kDeflated, request);
  for (const CarriedFile& file : carried.files) {
    Result<void> written;
    PLANEX_ASSIGN(const std::string bytes, deflated([&](const TakePiece& take) {
                    written = file.write([&](std::string_view piece) -> Result<void> {
                      take(piece);
                      return {};
                    });
                  }));
    PLANEX_TRY(written);
    data_element(html, format("class=\"planex-file\" data-name=\"{}\"", html_escaped(file.name)),
                 kDeflated, bytes);
  }
  data_element(html, "id=\"planex-core\"", "xz-base64", report_core());
  return html;
}

}  // namespace

bool has_report_core() { return !report_core().empty(); }

Result<std::string> report_html(const ReportParts& parts) {
  const std::span<const ReportEngine> engines = parts.engines;
  const std::string_view page = report_template();
  const std::size_t static_at = page.find(kStaticMark);
  const std::size_t data_at = page.find(kDataMark);
  if (engines.empty() || static_at == page.npos || data_at == page.npos || data_at < static_at) {
    return fail(ErrorCode::kInternal, "the embedded report page has no placeholder for data");
  }
  PLANEX_ASSIGN(const std::string compressed, deflated([&](const TakePiece& take) {
                  JsonWriter json(take);
                  write_report(json, parts);
                  json.finish();
                }));
  std::string carried;
  if (parts.carried != nullptr && has_report_core()) {
    PLANEX_ASSIGN(carried, carried_elements(*parts.carried));
  }
  const std::string head = static_part(parts);
  std::string html;
  // The data make up most of it: no second copy of them, and of nothing that grows.
  html.reserve(page.size() + head.size() + base64_size(compressed.size()) + carried.size() + 256);
  html += page.substr(0, static_at);
  html += head;
  const std::size_t after_static = static_at + kStaticMark.size();
  html += page.substr(after_static, data_at - after_static);
  data_element(html, "id=\"planex-data\"", kDeflated, compressed);
  html += carried;
  html += page.substr(data_at + kDataMark.size());
  return html;
}

}  // namespace planex::render
