// OpenVINO's exceptions as errors.
#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "planex/error.h"

namespace planex::drive {

// OpenVINO's messages begin with locations in its own source code.
std::string without_source_lines(std::string_view message);

// kExternalTool, in OpenVINO's own words.
Error error_of(const std::exception& exception);

// Returns what `work` returns, or the exception thrown in it as an error. `file` is what it was
// about, or empty.
template <typename Work>
auto caught(const std::string& file, const Work& work) -> decltype(work()) {
  const auto with_file = [&](Error error) {
    error.file = file;
    return fail(std::move(error));
  };
  try {
    return work();
  } catch (const std::exception& exception) {
    return with_file(error_of(exception));
  } catch (...) {
    return fail(ErrorCode::kExternalTool, "OpenVINO threw something that is not an exception");
  }
}

}  // namespace planex::drive
