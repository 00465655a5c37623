// Walks the records of a JSON document: objects, lists and their values, with errors that name the
// location. For readers whose files are too small for every branch to matter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/try.h"
#include "ingest/json_input.h"

namespace planex::ingest {

// A JSON value without the blanks between its tokens.
std::string compact_json(std::string_view json);

// How a document identifies itself: "schema": "planex.times/1".
struct Schema {
  std::string_view name;  // "planex.times"
  int version = 1;        // the newest that the reader knows
  std::string_view what;  // for messages: "a times file"
  std::string_view hint = "such a file comes from `planex process MODEL -o DIR`";
};

// kSure if `head` has a key "schema" with this name, in any version.
Confidence sniff_schema(std::string_view head, const Schema& schema);

class JsonRecords {
 public:
  JsonRecords(const Artefact& artefact, const Schema& schema)
      : artefact_(artefact), schema_(schema), input_(artefact, schema.what) {}

  JsonInput& input() { return input_; }

  // Opens the document, an object, and calls visit(key, value, place) for each field. Errors:
  // kBadInput.
  template <typename Visit>
  Result<void> read_root(Visit visit) {
    PLANEX_TRY(input_.open());
    simdjson::ondemand::object root;
    if (const auto code = input_.document().get_object().get(root)) {
      return fail(input_.broken("", code, "an object"));
    }
    return input_.each_field(root, JsonPlace(), visit);
  }

  // The same for a document with a "schema", which is checked but not visited.
  template <typename Visit>
  Result<void> read_document(Visit visit) {
    bool has_schema = false;
    PLANEX_TRY(
        read_root([&](std::string_view key, auto& value, const JsonPlace& at) -> Result<void> {
          if (key != "schema") return visit(key, value, at);
          has_schema = true;
          return check_schema(value, at);
        }));
    if (!has_schema) return fail(no_schema());
    return {};
  }

  // visit(key, value, place) -> Result<void>. Keys with escapes are given as written.
  template <typename Visit>
  Result<void> each_field(simdjson::ondemand::value& value, const JsonPlace& place,
                          std::string_view expected, Visit visit) {
    simdjson::ondemand::object object;
    if (const auto code = value.get_object().get(object)) {
      return fail(error_at(value, place, code, expected));
    }
    return input_.each_field(object, place, visit);
  }

  // visit(item, place) -> Result<void>.
  template <typename Visit>
  Result<void> each_item(simdjson::ondemand::value& value, const JsonPlace& place,
                         std::string_view expected, Visit visit) {
    simdjson::ondemand::array list;
    if (const auto code = value.get_array().get(list)) {
      return fail(error_at(value, place, code, expected));
    }
    return input_.each_item(list, place, "a value", visit);
  }

  // The same, and `written` is the list unchanged; its items are checked by the code that reads
  // them.
  template <typename Visit>
  Result<void> each_item(simdjson::ondemand::value& value, const JsonPlace& place,
                         std::string_view expected, std::string_view& written, Visit visit) {
    simdjson::ondemand::array list;
    auto code = value.get_array().get(list);
    if (code) return fail(error_at(value, place, code, expected));
    code = list.raw_json().get(written);
    bool is_empty = false;
    if (!code) code = list.reset().get(is_empty);
    if (code) return fail(input_.broken(place.pointer(), code, expected));
    if (!check_json_value(written)) return fail(not_json(written, place));
    return input_.each_item(list, place, "a value", visit);
  }

  static bool is_null(simdjson::ondemand::value& value);
  static bool is_text(simdjson::ondemand::value& value);

  Result<JsonText> text(simdjson::ondemand::value& value, const JsonPlace& place);
  Result<bool> boolean(simdjson::ondemand::value& value, const JsonPlace& place);
  // Nothing if the value is null.
  Result<std::optional<std::int64_t>> integer(simdjson::ondemand::value& value,
                                              const JsonPlace& place);
  Result<std::optional<double>> number(simdjson::ondemand::value& value, const JsonPlace& place);
  // Any value unchanged, after checking that it is JSON.
  Result<std::string_view> raw(simdjson::ondemand::value& value, const JsonPlace& place);
  // The content of a text, anything else unchanged.
  Result<JsonText> written(simdjson::ondemand::value& value, const JsonPlace& place);

  Error error_at(simdjson::ondemand::value& value, const JsonPlace& place,
                 simdjson::error_code code, std::string_view expected);

 private:
  Result<void> check_schema(simdjson::ondemand::value& value, const JsonPlace& place);
  Error no_schema() const;
  Error not_json(std::string_view text, const JsonPlace& place);

  const Artefact& artefact_;
  Schema schema_;
  JsonInput input_;
};

}  // namespace planex::ingest
