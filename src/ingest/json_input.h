// What all JSON readers share: opening a document, errors that say where, texts without copies.
//
// simdjson's On-Demand parser walks the document once and never recurses. It checks a value when it
// is asked for; what planex keeps as written is checked by check_json_value.
#pragma once

#include <simdjson.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/string_pool.h"
#include "base/try.h"
#include "ingest/json_place.h"
#include "ingest/json_text.h"
#include "ingest/json_value.h"
#include "ingest/reader.h"
#include "planex/error.h"

namespace planex::ingest {

// What the parser takes.
inline constexpr std::size_t kMaxJsonBytes = simdjson::SIMDJSON_MAXSIZE_BYTES;

// A text of the document: in place where it has no escapes, else decoded.
struct JsonText {
  std::string_view view;
  base::Lifetime lifetime = base::Lifetime::kBorrow;
};

// Bytes [first, first + size) of a file.
struct ByteRange {
  std::size_t first = 0;
  std::size_t size = 0;
};

class JsonInput {
 public:
  // `what` names the kind of file in messages: "a layer file".
  JsonInput(const Artefact& artefact, std::string_view what);

  // Parses the structure. Errors: kBadInput (not JSON, cut, wrong encoding, empty).
  Result<void> open();
  // The same, but raw control characters inside texts are no error: a copy of the file with escapes
  // in their place is read, and kept in the builder, so that texts may be borrowed from it. Adds
  // the diagnostic `control-characters`. Offsets remain those of the file.
  Result<void> open(model::ModelBuilder& builder);
  // One document of several in the file. Its brackets must match.
  Result<void> open_part(ByteRange part, model::ModelBuilder& builder);

  simdjson::ondemand::document& document() { return document_; }

  // Says that the artefact's bytes were not a file but a text inside of one, at this offset. Places
  // in it have no offsets of their own in the file.
  void set_inside(std::optional<std::uint64_t> offset) { inside_ = Inside{offset}; }

  // The error "<file>: not <what>: <pointer> is <found>, expected <expected>", at the place the
  // parser stands.
  Error wrong_value(const std::string& pointer, std::string_view found, std::string_view expected);
  // The same for an error code of the parser.
  Error broken(const std::string& pointer, simdjson::error_code code, std::string_view expected);

  // What stands at the parser's place, for a message.
  static std::string found_text(simdjson::ondemand::value& value);

  // The key of a field, in place. Keys with escapes are given as written.
  static std::string_view key_of(simdjson::ondemand::field& field);

  // Whether the key of a field is this one, as key_of() gives it; it must be shorter than the
  // padding behind the text.
  static bool has_key(simdjson::ondemand::field& field, std::string_view key) {
    const char* first = field.key().raw();
    return key.size() < base::Bytes::kPadding && first[key.size()] == '"' &&
           std::memcmp(first, key.data(), key.size()) == 0;
  }

  // The key as a text: in place, or decoded where it has escapes. The field's value is not taken.
  static simdjson::simdjson_result<JsonText> text_of_key(simdjson::ondemand::field& field);

  // The text of a string value; an error code where it is none.
  static simdjson::simdjson_result<JsonText> text_of(simdjson::ondemand::value& value);

  // Any value as written; an error code where its brackets do not match. What is between them is
  // for check_json_value.
  static simdjson::simdjson_result<std::string_view> raw_of(simdjson::ondemand::value& value);

  // An integer, also where it is spelled 8.0 or 8e0.
  static simdjson::error_code integer_of(simdjson::ondemand::value& value, std::int64_t& integer) {
    const auto code = value.get_int64().get(integer);
    return code == simdjson::SUCCESS ? code : odd_integer_of(value, code, integer);
  }

  // A number. Nothing where it is null, or NaN or infinite, which is counted for report_oddities.
  simdjson::error_code number_of(simdjson::ondemand::value& value, std::optional<double>& number) {
    const auto code = value.get_double().get(number.emplace());
    return code == simdjson::SUCCESS ? code : odd_number_of(value, code, number);
  }
  // Counts a number that is none. It is in `written`, which points into what is parsed.
  void note_not_a_number(std::string_view written);

  // visit(item, place) -> Result<void>, for each of a list. Errors: kBadInput, with `expected`
  // where an item is broken; those of visit.
  template <typename Visit>
  Result<void> each_item(simdjson::ondemand::array& list, const JsonPlace& place,
                         std::string_view expected, Visit&& visit) {
    std::size_t index = 0;
    for (auto entry : list) {
      const JsonPlace at(place, index++);
      simdjson::ondemand::value item;
      if (const auto code = entry.get(item)) return fail(broken(at.pointer(), code, expected));
      PLANEX_TRY(visit(item, at));
    }
    return {};
  }
  // visit(key, value, place) -> Result<void>, for each of an object. Keys with escapes are given as
  // written. Errors: kBadInput; those of visit.
  template <typename Visit>
  Result<void> each_field(simdjson::ondemand::object& object, const JsonPlace& place,
                          Visit&& visit) {
    for (auto entry : object) {
      simdjson::ondemand::field field;
      if (const auto code = std::move(entry).get(field)) {
        return fail(broken(place.pointer(), code, "a key"));
      }
      const std::string_view key = key_of(field);
      const JsonPlace at(place, key);
      simdjson::ondemand::value value = field.value();
      PLANEX_TRY(visit(key, value, at));
    }
    return {};
  }

  // Appends a list of integers. Errors: kBadInput.
  Result<void> append_integers(simdjson::ondemand::value& value, const JsonPlace& place,
                               std::vector<std::int64_t>& integers);

  // What is left of the parsed bytes from the place the parser stands at.
  std::optional<std::string_view> rest();

  // The offset in the file of the place the parser stands at, if there is one.
  std::optional<std::uint64_t> offset();

  // What follows the document, if anything but blanks: its offset in the artefact's bytes.
  std::optional<std::size_t> trailing_offset();
  // Adds the diagnostic `trailing-text` where there is some.
  void report_trailing(model::ModelBuilder& builder);
  bool saw_not_a_number() const { return not_a_number_count_ > 0; }
  // Adds the diagnostic `not-a-number` where there were such.
  void report_not_a_number(model::ModelBuilder& builder);

 private:
  struct Inside {
    std::optional<std::uint64_t> offset;
  };

  // Where the parser stands in the artefact's bytes.
  std::optional<std::size_t> position();
  // The same of a place in what is parsed.
  std::size_t position_of(const char* at) const;
  static simdjson::error_code odd_integer_of(simdjson::ondemand::value& value,
                                             simdjson::error_code code, std::int64_t& integer);
  Result<std::int64_t> odd_integer(simdjson::simdjson_result<simdjson::ondemand::value> entry,
                                   const JsonPlace& place);
  simdjson::error_code odd_number_of(simdjson::ondemand::value& value, simdjson::error_code code,
                                     std::optional<double>& number);
  simdjson::error_code iterate(std::string_view part, std::size_t readable);
  // Puts a copy with escapes in the place of `part`. False where there is none that helps.
  bool escape(ByteRange part, model::ModelBuilder& builder);
  Result<void> open_whole(model::ModelBuilder* builder);
  Error not_json(simdjson::error_code code, std::string_view part);

  const Artefact& artefact_;
  std::string_view what_;
  std::optional<Inside> inside_;
  simdjson::ondemand::parser parser_;
  simdjson::ondemand::document document_;
  // What is being parsed: the artefact's bytes, or an escaped copy of those from copy_first_ on.
  std::string_view parsed_;
  EscapedText copy_;
  std::size_t copy_first_ = 0;
  bool is_part_ = false;
  std::optional<std::size_t> trailing_offset_;
  std::size_t not_a_number_count_ = 0;
  std::optional<std::uint64_t> not_a_number_offset_;
};

}  // namespace planex::ingest
