#include <string>
#include <string_view>
#include <utility>

#include "base/date.h"
#include "base/text.h"
#include "fuzz_targets.h"
#include "ingest/lint_files.h"
#include "lint/waivers.h"
#include "session/lint/user_rules.h"

namespace planex::fuzz {
namespace {

ingest::Artefact artefact(std::string_view input) {
  return {.path = "input", .bytes = base::make_bytes(input)};
}

// An error says what is wrong, and where.
std::string check_lint_error(const Error& error) {
  if (error.message.empty()) return "an error without a message";
  if (error.file != "input") return "an error that does not name the file";
  if (error.code == ErrorCode::kInternal) return "a bug: " + error.message;
  return {};
}

}  // namespace

std::string run_waivers(std::string_view input) {
  const auto baseline = ingest::read_baseline(artefact(input));
  if (!baseline) {
    if (std::string problem = check_lint_error(baseline.error()); !problem.empty()) return problem;
  }
  auto records = ingest::read_waivers(artefact(input));
  if (!records) return check_lint_error(records.error());
  std::vector<lint::Waiver> waivers;
  for (ingest::WaiverRecord& record : *records) {
    waivers.push_back({.rule = std::move(record.rule),
                       .layer = std::move(record.layer),
                       .layer_pattern = std::move(record.layer_regex),
                       .fingerprint = std::move(record.fingerprint),
                       .reason = std::move(record.reason),
                       .by = std::move(record.by),
                       .expires = base::parse_date(record.expires)});
  }
  const auto made =
      lint::Waivers::make(std::move(waivers), *base::parse_date("2026-10-01"), "input");
  if (!made) return check_lint_error(made.error());
  // Each waiver without a pattern that is in force matches what it names.
  std::vector<std::size_t> counts(made->list().size());
  for (std::size_t i = 0; i < made->list().size(); ++i) {
    const lint::Waiver& waiver = made->list()[i];
    const auto match = made->match(waiver.rule, waiver.layer, waiver.fingerprint, counts);
    if (!waiver.layer_pattern.empty() || made->is_expired(i)) continue;
    if (!match || counts[i] == 0) return base::format("waiver {} does not match itself", i);
  }
  return {};
}

std::string run_rules(std::string_view input) {
  const auto file = session::check_user_rules(artefact(input));
  return file ? std::string() : check_lint_error(file.error());
}

}  // namespace planex::fuzz
