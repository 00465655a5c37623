#include "drive/openvino_driver/openvino_error.h"

#include "base/text.h"

namespace planex::drive {

std::string without_source_lines(std::string_view message) {
  std::string result;
  while (!message.empty()) {
    const std::string_view line = base::trimmed(base::take_part(message, '\n'));
    if (line.empty() || line.starts_with("Exception from ")) continue;
    if (!result.empty()) result += '\n';
    // "Check 'x' failed at src/core/src/node.cpp:345:": the check is informative, the location is
    // not.
    const std::size_t at = line.find(" failed at src/");
    if (at != std::string_view::npos) {
      result += line.substr(0, at);
      result += " failed";
      const std::size_t colon = line.find(": ", at);
      if (colon != std::string_view::npos) result += line.substr(colon);
    } else {
      result += line;
    }
  }
  return result;
}

Error error_of(const std::exception& exception) {
  Error error;
  error.code = ErrorCode::kExternalTool;
  error.message = without_source_lines(exception.what());
  return error;
}

}  // namespace planex::drive
