#include "session/verbs/requests.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace planex::session {
namespace {

// What a report takes of lint: nothing that writes, and nothing of its text.
bool is_for_report(const Option& option) {
  return !option.how.writes && option.name != "all" && option.name != "waive" &&
         option.name != "reason" && option.name != "rule-seconds";
}

// The page is what a text is elsewhere.
Member report_format(Format& target) {
  static constexpr Word<Format> kWords[] = {{"html", Format::kText}, {"json", Format::kJson}};
  WordMember member;
  for (const auto& [word, value] : kWords) member.words.emplace_back(word);
  member.chosen = target == Format::kJson ? 1 : 0;
  member.choose = [&target](std::size_t word) { target = kWords[word].value; };
  return member;
}

}  // namespace

Options options_of(OpenRequest& request) { return {PLANEX_OPEN_OPTIONS(PLANEX_BIND)}; }
Options options_of(View& request) { return {PLANEX_VIEW_OPTIONS(PLANEX_BIND)}; }
Options options_of(QueryLimits& request) { return {PLANEX_QUERY_LIMITS(PLANEX_BIND)}; }
Options options_of(LayersRequest& request) { return {PLANEX_LAYERS_OPTIONS(PLANEX_BIND)}; }
Options options_of(ExplainRequest& request) { return {PLANEX_EXPLAIN_OPTIONS(PLANEX_BIND)}; }
Options options_of(LintRequest& request) { return {PLANEX_LINT_OPTIONS(PLANEX_BIND)}; }
Options options_of(CompareRequest& request) { return {PLANEX_COMPARE_OPTIONS(PLANEX_BIND)}; }
Options options_of(ListRequest& request) { return {PLANEX_LIST_OPTIONS(PLANEX_BIND)}; }
Options options_of(DrawRequest& request) { return {PLANEX_DRAW_OPTIONS(PLANEX_BIND)}; }
Options options_of(ExportRequest& request) { return {PLANEX_EXPORT_OPTIONS(PLANEX_BIND)}; }

Options options_of(ReportRequest& request) {
  Options options = {{.name = "format",
                      .metavar = "FORMAT",
                      .help = "The page, or its data",
                      .member = report_format(request.format),
                      .how = {.for_programs = true}}};
  for (Option& option : options_of(request.lint)) {
    if (!is_for_report(option)) continue;
    // Waivers are read, and stay as they are.
    option.how.reads = names_file(option);
    option.how.updates_with = {};
    options.push_back(std::move(option));
  }
  for (Option& option : options_of(request.speed)) {
    if (option.how.topic == "speed") options.push_back(std::move(option));
  }
  add(options, {PLANEX_REPORT_OPTIONS(PLANEX_BIND)});
  return options;
}

Options own_options_of(ArchiveRequest& request) { return {PLANEX_ARCHIVE_OPTIONS(PLANEX_BIND)}; }

Options options_of(ArchiveRequest& request) {
  Options options = options_of(request.engine);
  add(options, own_options_of(request));
  return options;
}

}  // namespace planex::session
