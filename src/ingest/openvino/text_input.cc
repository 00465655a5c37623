#include "ingest/openvino/text_input.h"

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"

namespace planex::ingest::openvino {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

TextInput::TextInput(const Artefact& artefact, model::ModelBuilder& builder)
    : text_(base::valid_utf8(artefact.bytes->view())) {
  if (text_ != artefact.bytes->view()) {
    builder.add_diagnostic(
        {.code = "not-utf8",
         .message =
             "bytes that are not UTF-8 are shown as U+FFFD; names that have them may not match",
         .file = artefact.path});
  }
  only(0, text_.size());
}

void TextInput::only(std::size_t begin, std::size_t end) {
  at_ = begin == 0 && text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : begin;
  end_ = end;
}

std::optional<TextInput::Line> TextInput::next() {
  if (at_ >= end_) return std::nullopt;
  const std::size_t end = std::min(text_.find('\n', at_), end_);
  Line line{std::string_view(text_).substr(at_, end - at_), at_};
  if (line.text.ends_with('\r')) line.text.remove_suffix(1);
  at_ = end + 1;
  return line;
}

std::string_view first_line(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  text = base::trimmed(text);
  return base::trimmed(text.substr(0, text.find('\n')));
}

}  // namespace planex::ingest::openvino
