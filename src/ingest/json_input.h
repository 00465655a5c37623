// What all JSON readers share: opening a document, errors that say where, texts without copies.
//
// simdjson's On-Demand parser walks the document once and never recurses. It checks a value when it
// is asked for; what planex keeps as written is checked by check_json_value.
#ifndef PLANEX_INGEST_JSON_INPUT_H_
#define PLANEX_INGEST_JSON_INPUT_H_

#include <simdjson.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/string_pool.h"
#include "ingest/reader.h"
#include "planex/error.h"

namespace planex::ingest {

// A text of the document: in place where it has no escapes, else decoded.
struct JsonText {
  std::string_view view;
  base::Lifetime lifetime = base::Lifetime::kBorrow;
};

class JsonInput {
 public:
  // `what` names the kind of file in messages: "a layer file".
  JsonInput(const Artefact& artefact, std::string_view what);

  // Parses the structure. Errors: kBadInput (not JSON, cut, wrong encoding, empty).
  Result<void> open();
  simdjson::ondemand::document& document() { return document_; }

  // The error "<file>: not <what>: <pointer> is <found>, expected <expected>", at the place the
  // parser stands.
  Error wrong_value(const std::string& pointer, std::string_view found, std::string_view expected);
  // The same for an error code of the parser.
  Error broken(const std::string& pointer, simdjson::error_code code, std::string_view expected);

  // What stands at the parser's place, for a message.
  static std::string found_text(simdjson::ondemand::value& value);

  // The key of a field, in place. Keys with escapes are given as written.
  static std::string_view key_of(simdjson::ondemand::field& field);

  // The text of a string value; an error code where it is none.
  static simdjson::simdjson_result<JsonText> text_of(simdjson::ondemand::value& value);

  // Any value as written; an error code where its brackets do not match. What is between them is
  // for check_json_value.
  static simdjson::simdjson_result<std::string_view> raw_of(simdjson::ondemand::value& value);

  // What follows the document, if anything but blanks.
  std::optional<std::size_t> trailing_offset();
  // Adds the diagnostic `trailing-text` where there is some.
  void report_trailing(model::ModelBuilder& builder);

 private:
  std::optional<std::uint64_t> offset();

  const Artefact& artefact_;
  std::string_view what_;
  simdjson::ondemand::parser parser_;
  simdjson::ondemand::document document_;
  std::optional<std::size_t> trailing_offset_;
};

// Whether `text` is one JSON value nested at most kMaxDepth deep. The caller has had simdjson check
// encoding and control characters. No recursion.
inline constexpr int kMaxDepth = 64;
bool check_json_value(std::string_view text);

// Whether `text` is a JSON number.
bool is_json_number(std::string_view text);

// "/Layers/17/Name", built only when something is wrong.
std::string pointer_to(std::string_view key, std::size_t index);
// A key as a pointer token: "I/O Tensors" -> "I~1O Tensors".
std::string pointer_token(std::string_view key);

}  // namespace planex::ingest

#endif  // PLANEX_INGEST_JSON_INPUT_H_
