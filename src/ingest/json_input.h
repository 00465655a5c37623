// Shared by all JSON readers: opening a document, errors with locations, texts without copies.
//
// simdjson's On-Demand parser walks the document once and never recurses. It checks a value only
// when it is read; values that planex keeps unchanged are checked by check_json_value.
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

// The maximum size that the parser accepts.
inline constexpr std::size_t kMaxJsonBytes = simdjson::SIMDJSON_MAXSIZE_BYTES;

// A text of the document: in place if it has no escapes, otherwise decoded.
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
  // `what` is the kind of file for messages: "a layer file".
  JsonInput(const Artefact& artefact, std::string_view what);

  // Parses the structure. Errors: kBadInput (not JSON, truncated, wrong encoding, empty).
  Result<void> open();
  // The same, but raw control characters inside texts are not an error: a copy of the file with
  // escapes in their place is read, and kept in the builder so that texts can be borrowed from it.
  // Adds the diagnostic `control-characters`. Offsets still refer to the file.
  Result<void> open(model::ModelBuilder& builder);
  // One of several documents in the file. Its brackets must match.
  Result<void> open_part(ByteRange part, model::ModelBuilder& builder);

  simdjson::ondemand::document& document() { return document_; }

  // Says that the artefact's bytes were not a file but a text inside one, at this offset. Locations
  // in it have no offsets of their own in the file.
  void set_inside(std::optional<std::uint64_t> offset) { inside_ = Inside{offset}; }

  // The error "<file>: not <what>: <pointer> is <found>, expected <expected>", at the parser's
  // position.
  Error wrong_value(const std::string& pointer, std::string_view found, std::string_view expected);
  // The same for an error code of the parser.
  Error broken(const std::string& pointer, simdjson::error_code code, std::string_view expected);

  // A description of the value at the parser's position, for a message.
  static std::string found_text(simdjson::ondemand::value& value);

  // The key of a field, in place. Keys with escapes are returned undecoded.
  static std::string_view key_of(simdjson::ondemand::field& field);

  // Whether the key of a field equals this one, as returned by key_of(); it must be shorter than
  // the padding after the text.
  static bool has_key(simdjson::ondemand::field& field, std::string_view key) {
    const char* first = field.key().raw();
    return key.size() < base::Bytes::kPadding && first[key.size()] == '"' &&
           std::memcmp(first, key.data(), key.size()) == 0;
  }

  // The key as a text: in place, or decoded if it has escapes. The field's value is not consumed.
  static simdjson::simdjson_result<JsonText> text_of_key(simdjson::ondemand::field& field);

  // The text of a string value; an error code if it is not a string.
  static simdjson::simdjson_result<JsonText> text_of(simdjson::ondemand::value& value);

  // Any value unchanged; an error code if its brackets do not match. Its content is checked by
  // check_json_value.
  static simdjson::simdjson_result<std::string_view> raw_of(simdjson::ondemand::value& value);

  // An integer, also if it is spelled 8.0 or 8e0.
  static simdjson::error_code integer_of(simdjson::ondemand::value& value, std::int64_t& integer) {
    const auto code = value.get_int64().get(integer);
    return code == simdjson::SUCCESS ? code : odd_integer_of(value, code, integer);
  }

  // A number. Nothing for null, and for NaN or infinity, which are counted for report_oddities.
  simdjson::error_code number_of(simdjson::ondemand::value& value, std::optional<double>& number) {
    const auto code = value.get_double().get(number.emplace());
    return code == simdjson::SUCCESS ? code : odd_number_of(value, code, number);
  }
  // Counts a value that is NaN or infinite. It is in `written`, which points into the parsed text.
  void note_not_a_number(std::string_view written);

  // visit(item, place) -> Result<void>, for each item of a list. Errors: kBadInput, with `expected`
  // if an item is broken; those of visit.
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
  // visit(key, value, place) -> Result<void>, for each field of an object. Keys with escapes are
  // passed undecoded. Errors: kBadInput; those of visit.
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

  // The rest of the parsed bytes from the parser's position.
  std::optional<std::string_view> rest();

  // The offset in the file of the parser's position, if there is one.
  std::optional<std::uint64_t> offset();

  // What follows the document, if it is not only blanks: its offset in the artefact's bytes.
  std::optional<std::size_t> trailing_offset();
  // Adds the diagnostic `trailing-text` if there is such text.
  void report_trailing(model::ModelBuilder& builder);
  bool saw_not_a_number() const { return not_a_number_count_ > 0; }
  // Adds the diagnostic `not-a-number` if there were such numbers.
  void report_not_a_number(model::ModelBuilder& builder);

 private:
  struct Inside {
    std::optional<std::uint64_t> offset;
  };

  // The parser's position in the artefact's bytes.
  std::optional<std::size_t> position();
  // The same for a position in the parsed bytes.
  std::size_t position_of(const char* at) const;
  static simdjson::error_code odd_integer_of(simdjson::ondemand::value& value,
                                             simdjson::error_code code, std::int64_t& integer);
  Result<std::int64_t> odd_integer(simdjson::simdjson_result<simdjson::ondemand::value> entry,
                                   const JsonPlace& place);
  simdjson::error_code odd_number_of(simdjson::ondemand::value& value, simdjson::error_code code,
                                     std::optional<double>& number);
  simdjson::error_code iterate(std::string_view part, std::size_t readable);
  // Replaces `part` by a copy with escapes. False if no copy helps.
  bool escape(ByteRange part, model::ModelBuilder& builder);
  Result<void> open_whole(model::ModelBuilder* builder);
  Error not_json(simdjson::error_code code, std::string_view part);

  const Artefact& artefact_;
  std::string_view what_;
  std::optional<Inside> inside_;
  simdjson::ondemand::parser parser_;
  simdjson::ondemand::document document_;
  // What is being parsed: the artefact's bytes, or an escaped copy of them from copy_first_ on.
  std::string_view parsed_;
  EscapedText copy_;
  std::size_t copy_first_ = 0;
  bool is_part_ = false;
  std::optional<std::size_t> trailing_offset_;
  std::size_t not_a_number_count_ = 0;
  std::optional<std::uint64_t> not_a_number_offset_;
};

}  // namespace planex::ingest
