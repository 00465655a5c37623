#include <cstddef>
#include <string>
#include <string_view>

#include "fuzz_model.h"
#include "fuzz_targets.h"
#include "ingest/discover/decode.h"
#include "ingest/json_text.h"

namespace planex::fuzz {

std::string run_decode(std::string_view input) {
  constexpr std::size_t kHead = 4096;
  const auto head = ingest::decode_head(std::string(input), kHead, "input");
  if (head && head->size() > kHead) return "the head is longer than asked for";
  const auto decoded = ingest::decode(base::make_bytes(input), "input");
  if (!decoded) return check(decoded.error());
  if (!head) return "the head of a file that can be read can't be";
  const std::string_view text = decoded->bytes->view();
  // Color codes are looked for in what is there, and a head may be cut inside one.
  if (text.substr(0, kHead) != *head && head->find('\x1b') == head->npos &&
      input.find("\x1b[") == input.npos) {
    return "the head is not the start of the text";
  }
  if (text.data()[text.size()] != '\0') return "the text is not padded";
  (void)ingest::describe_content(text);
  if (ingest::document_end(text).value_or(0) > text.size()) return "a value ends behind the text";
  if (ingest::valid_utf8_prefix(text) > text.size()) return "more valid text than there is";
  const auto escaped = ingest::escape_control_characters(text);
  if (!escaped) return {};
  if (ingest::control_inside_text(escaped->text) != escaped->text.size()) {
    return "an escaped text still has control characters";
  }
  if (escaped->original(escaped->text.size()) != text.size()) {
    return "the end of the escaped text is not that of the text";
  }
  return {};
}

}  // namespace planex::fuzz
