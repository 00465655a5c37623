// Writes SVG element by element and passes it on in pieces. It takes text, never markup: values are
// escaped on their way, so no name can break out of its place.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "planex/error.h"
#include "render/words/document_sink.h"

namespace planex::render {

// A coordinate with at most two decimals: "12", "12.5", "-0.25".
void append_number(std::string& text, double number);

// Element and attribute names are literals of the program; everything else is escaped. Names and
// texts from files must have gone through visible() before.
class SvgWriter {
 public:
  explicit SvgWriter(const DocumentSink& sink) : sink_(sink) {}

  SvgWriter& open(std::string_view element);
  SvgWriter& attribute(std::string_view name, std::string_view value);
  SvgWriter& attribute(std::string_view name, double number);
  SvgWriter& text(std::string_view words);
  // Closes the element opened last.
  SvgWriter& close();
  // <title>words</title>, unless there are none.
  SvgWriter& title(std::string_view words);
  // Starts a new line in the file, for human readers.
  SvgWriter& new_line();

  // Passes on what has accumulated. After an error nothing more is written.
  Result<void> finish();

 private:
  void end_tag();
  void escape(std::string_view words, bool in_attribute);
  void hand_on();

  const DocumentSink& sink_;
  std::string text_;
  std::vector<std::string_view> elements_;
  bool is_tag_open_ = false;
  Result<void> state_;
};

}  // namespace planex::render
