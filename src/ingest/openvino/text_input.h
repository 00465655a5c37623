// A text file of benchmark_app, line by line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ingest/reader.h"

namespace planex::ingest::openvino {

class TextInput {
 public:
  // Invalid UTF-8 is replaced and reported.
  TextInput(const Artefact& artefact, model::ModelBuilder& builder);

  struct Line {
    std::string_view text;  // without its line end: LF or CRLF
    std::uint64_t byte_offset = 0;
  };
  // Nothing after the last line. Views live as long as the input.
  std::optional<Line> next();

  // The whole text, and the part of it from which lines are taken.
  std::string_view text() const { return text_; }
  void only(std::size_t begin, std::size_t end);

 private:
  std::string text_;
  std::size_t at_ = 0, end_ = 0;
};

// The first line that is not blank, without a byte order mark and its line end. For sniffing.
std::string_view first_line(std::string_view text);

}  // namespace planex::ingest::openvino
