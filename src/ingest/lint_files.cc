#include "ingest/lint_files.h"

#include <array>
#include <span>

#include "base/text.h"
#include "base/try.h"
#include "ingest/json_record.h"

namespace planex::ingest {
namespace {

namespace ondemand = simdjson::ondemand;
using base::format;

constexpr Schema kWaivers = {.name = "planex.waivers",
                             .version = 1,
                             .what = "a file of waivers",
                             .hint = "docs/how-to/use-in-ci.md has an example"};
constexpr Schema kBaseline = {.name = "planex.baseline",
                              .version = 1,
                              .what = "a baseline",
                              .hint = "create one with planex lint PLAN --write-baseline FILE"};
constexpr Schema kRules = {.name = "planex.rules",
                           .version = 1,
                           .what = "a file of rules",
                           .hint = "docs/how-to/write-a-rule.md has an example"};

// A key of a record and the text it fills.
template <typename Record>
struct TextField {
  std::string_view key;
  std::string Record::* text;
  bool is_required = false;
};

// Reads objects whose values are texts.
class TextRecords {
 public:
  TextRecords(const Artefact& artefact, const Schema& schema)
      : artefact_(artefact), schema_(schema), json_(artefact, schema) {}

  JsonRecords& json() { return json_; }

  Failure no_such_key(std::string_view key, const JsonPlace& place,
                      std::span<const std::string_view> known) {
    const auto near = base::nearest(key, known);
    Error error{.code = ErrorCode::kBadInput,
                .message = format("not {}: missing key {}{}", schema_.what, base::quoted(key),
                                  near ? format("; did you mean \"{}\"?", *near) : ""),
                .file = artefact_.path,
                .json_pointer = place.pointer(),
                .byte_offset = json_.input().offset()};
    error.hint = format("keys: {}", base::join_words(known));
    return fail(std::move(error));
  }

  template <typename Record, std::size_t N>
  Result<Record> read(ondemand::value& value, const JsonPlace& place,
                      const std::array<TextField<Record>, N>& fields) {
    Record record;
    std::array<std::string_view, N> keys;
    std::array<bool, N> found{};
    for (std::size_t i = 0; i < N; ++i) keys[i] = fields[i].key;
    PLANEX_TRY(json_.each_field(
        value, place, "an object",
        [&](std::string_view key, ondemand::value& member, const JsonPlace& at) -> Result<void> {
          for (std::size_t i = 0; i < N; ++i) {
            if (fields[i].key != key) continue;
            if (found[i]) return twice(key, at);
            found[i] = true;
            if (JsonRecords::is_null(member)) return {};
            return read_text(member, at, record.*fields[i].text);
          }
          return no_such_key(key, at, keys);
        }));
    for (std::size_t i = 0; i < N; ++i) {
      if (!fields[i].is_required || !(record.*fields[i].text).empty()) continue;
      return fail({.code = ErrorCode::kBadInput,
                   .message = format("not {}: {} has no \"{}\"", schema_.what, place.pointer(),
                                     fields[i].key),
                   .file = artefact_.path,
                   .json_pointer = place.pointer(),
                   .hint = std::string(schema_.hint)});
    }
    return record;
  }

  // A list of such objects.
  template <typename Record, std::size_t N>
  Result<void> read_list(ondemand::value& value, const JsonPlace& place,
                         const std::array<TextField<Record>, N>& fields,
                         std::vector<Record>& records) {
    return json_.each_item(value, place, "a list",
                           [&](ondemand::value& item, const JsonPlace& at) -> Result<void> {
                             PLANEX_ASSIGN(Record record, read(item, at, fields));
                             records.push_back(std::move(record));
                             return {};
                           });
  }

 private:
  Failure twice(std::string_view key, const JsonPlace& place) {
    return fail({.code = ErrorCode::kBadInput,
                 .message = format("not {}: duplicate key {}", schema_.what, base::quoted(key)),
                 .file = artefact_.path,
                 .json_pointer = place.pointer(),
                 .byte_offset = json_.input().offset()});
  }

  // A text, or a list of lines: JSON has no multi-line strings.
  Result<void> read_text(ondemand::value& value, const JsonPlace& place, std::string& text) {
    if (!value.raw_json_token().starts_with('[')) {
      PLANEX_ASSIGN(const JsonText found, json_.text(value, place));
      text = found.view;
      return {};
    }
    return json_.each_item(value, place, "a text, or a list of lines",
                           [&](ondemand::value& line, const JsonPlace& at) -> Result<void> {
                             PLANEX_ASSIGN(const JsonText found, json_.text(line, at));
                             if (!text.empty()) text += '\n';
                             text += found.view;
                             return {};
                           });
  }

  const Artefact& artefact_;
  const Schema& schema_;
  JsonRecords json_;
};

// A key "$schema" is allowed: it tells editors where the JSON Schema is.
constexpr std::string_view kSchemaKey = "$schema";

}  // namespace

Result<std::vector<WaiverRecord>> read_waivers(const Artefact& artefact) {
  using Field = TextField<WaiverRecord>;
  constexpr std::array<Field, 7> kFields = {{{"rule", &WaiverRecord::rule},
                                             {"layer", &WaiverRecord::layer},
                                             {"layer_regex", &WaiverRecord::layer_regex},
                                             {"fingerprint", &WaiverRecord::fingerprint},
                                             {"reason", &WaiverRecord::reason, true},
                                             {"by", &WaiverRecord::by},
                                             {"expires", &WaiverRecord::expires}}};
  constexpr std::array<std::string_view, 1> kKeys = {"waivers"};
  std::vector<WaiverRecord> records;
  TextRecords file(artefact, kWaivers);
  PLANEX_TRY(file.json().read_document(
      [&](std::string_view key, ondemand::value& value, const JsonPlace& place) -> Result<void> {
        if (key == "waivers") return file.read_list(value, place, kFields, records);
        if (key == kSchemaKey) return {};
        return file.no_such_key(key, place, kKeys);
      }));
  return records;
}

Result<std::size_t> end_of_waivers(const Artefact& artefact) {
  JsonRecords json(artefact, kWaivers);
  std::string_view list;
  PLANEX_TRY(json.read_document(
      [&](std::string_view key, ondemand::value& value, const JsonPlace& place) -> Result<void> {
        if (key != "waivers") return {};
        return json.each_item(value, place, "a list", list,
                              [](auto&, const JsonPlace&) -> Result<void> { return {}; });
      }));
  const std::size_t bracket = list.rfind(']');
  if (bracket == list.npos) {
    return fail({.code = ErrorCode::kBadInput,
                 .message = format("not {}: there is no list \"waivers\"", kWaivers.what),
                 .file = artefact.path,
                 .hint = std::string(kWaivers.hint)});
  }
  return static_cast<std::size_t>(list.data() - artefact.bytes->view().data()) + bracket;
}

Result<BaselineFile> read_baseline(const Artefact& artefact) {
  using Field = TextField<BaselineRecord>;
  constexpr std::array<Field, 4> kFields = {{{"rule", &BaselineRecord::rule, true},
                                             {"fingerprint", &BaselineRecord::fingerprint, true},
                                             {"layer", &BaselineRecord::layer},
                                             {"message", &BaselineRecord::message}}};
  constexpr std::array<std::string_view, 4> kKeys = {"engine", "written", "reason", "findings"};
  BaselineFile baseline;
  TextRecords file(artefact, kBaseline);
  PLANEX_TRY(file.json().read_document(
      [&](std::string_view key, ondemand::value& value, const JsonPlace& place) -> Result<void> {
        if (key == "findings") return file.read_list(value, place, kFields, baseline.findings);
        if (key == "reason") {
          PLANEX_ASSIGN(const JsonText text, file.json().text(value, place));
          baseline.reason = text.view;
          return {};
        }
        if (key == "engine" || key == "written" || key == kSchemaKey) return {};
        return file.no_such_key(key, place, kKeys);
      }));
  return baseline;
}

Result<std::vector<RuleRecord>> read_rules(const Artefact& artefact) {
  using Field = TextField<RuleRecord>;
  constexpr std::array<Field, 9> kFields = {{{"id", &RuleRecord::id, true},
                                             {"pack", &RuleRecord::pack},
                                             {"severity", &RuleRecord::severity, true},
                                             {"summary", &RuleRecord::summary, true},
                                             {"rationale", &RuleRecord::rationale},
                                             {"fix", &RuleRecord::fix, true},
                                             {"source", &RuleRecord::source},
                                             {"sql", &RuleRecord::sql, true},
                                             {"message", &RuleRecord::message, true}}};
  constexpr std::array<std::string_view, 1> kKeys = {"rules"};
  std::vector<RuleRecord> records;
  TextRecords file(artefact, kRules);
  PLANEX_TRY(file.json().read_document(
      [&](std::string_view key, ondemand::value& value, const JsonPlace& place) -> Result<void> {
        if (key == "rules") return file.read_list(value, place, kFields, records);
        if (key == kSchemaKey) return {};
        return file.no_such_key(key, place, kKeys);
      }));
  return records;
}

}  // namespace planex::ingest
