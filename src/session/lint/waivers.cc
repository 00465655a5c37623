#include "session/lint/waivers.h"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/date.h"
#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "ingest/lint_files.h"
#include "render/json/lint_json.h"

namespace planex::session {
namespace {

using base::format;
using base::quoted;

// The first day of the calendar, on which nothing has expired.
constexpr base::Date kBeforeAll{std::chrono::year(0), std::chrono::January, std::chrono::day(1)};

constexpr std::string_view kNoWaivers = R"({
  "schema": "planex.waivers/1",
  "waivers": []
}
)";

Result<lint::Waivers> parse(const ingest::Artefact& file, base::Date today) {
  PLANEX_ASSIGN(std::vector<ingest::WaiverRecord> records, ingest::read_waivers(file));
  std::vector<lint::Waiver> waivers;
  for (std::size_t i = 0; i < records.size(); ++i) {
    ingest::WaiverRecord& record = records[i];
    lint::Waiver waiver{.rule = std::move(record.rule),
                        .layer = std::move(record.layer),
                        .layer_pattern = std::move(record.layer_regex),
                        .fingerprint = std::move(record.fingerprint),
                        .reason = std::move(record.reason),
                        .by = std::move(record.by)};
    if (!record.expires.empty()) {
      waiver.expires = base::parse_date(record.expires);
      if (!waiver.expires) {
        return fail(
            {.code = ErrorCode::kBadInput,
             .message = format("{} is not a date, such as 2026-10-01", quoted(record.expires)),
             .file = file.path,
             .json_pointer = format("/waivers/{}/expires", i)});
      }
    }
    waivers.push_back(std::move(waiver));
  }
  return lint::Waivers::make(std::move(waivers), today, file.path);
}

// Indents every line except the first.
std::string indented(std::string_view text, std::string_view by) {
  std::string result;
  for (const char c : text) {
    result += c;
    if (c == '\n') result += by;
  }
  return result;
}

}  // namespace

Result<std::shared_ptr<const lint::Waivers>> read_waivers(const std::string& path,
                                                          const std::string& today_text) {
  std::optional<base::Date> today;
  if (!today_text.empty()) {
    today = base::parse_date(today_text);
    if (!today) {
      return fail(ErrorCode::kUsage,
                  format("{} is not a date, such as 2026-10-01", quoted(today_text)));
    }
  }
  PLANEX_ASSIGN(auto bytes, base::disk().read(path));
  PLANEX_ASSIGN(lint::Waivers waivers,
                parse({.path = path, .bytes = std::move(bytes)}, today.value_or(kBeforeAll)));
  return std::make_shared<const lint::Waivers>(std::move(waivers));
}

Result<void> add_waivers(const std::string& path, std::span<const lint::Waiver> waivers) {
  if (waivers.empty()) return {};
  std::shared_ptr<const base::Bytes> bytes = base::make_bytes(kNoWaivers);
  if (base::disk().kind(path) != base::PathKind::kMissing) {
    PLANEX_ASSIGN(bytes, base::disk().read(path));
  }
  const ingest::Artefact file{.path = path, .bytes = bytes};
  PLANEX_ASSIGN(const lint::Waivers before, parse(file, kBeforeAll));
  PLANEX_ASSIGN(const std::size_t end, ingest::end_of_waivers(file));
  std::string_view head = bytes->view().substr(0, end);
  const std::string_view tail = bytes->view().substr(end);
  head = head.substr(0, head.find_last_not_of(" \t\r\n") + 1);
  std::string text(head);
  for (std::size_t i = 0; i < waivers.size(); ++i) {
    if (i > 0 || !before.list().empty()) text += ',';
    text += format("\n    {}", indented(render::waiver_json(waivers[i]), "    "));
  }
  text += format("\n  {}", tail);
  // Report errors in it before writing it.
  PLANEX_TRY(parse({.path = path, .bytes = base::make_bytes(text)}, kBeforeAll));
  return base::write_file_atomically(path, text);
}

}  // namespace planex::session
