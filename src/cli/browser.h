// The user's browser.
#pragma once

#include <string>

#include "planex/error.h"

namespace planex::cli {

// Has the desktop open an address (http://… or file://…) as it opens links: xdg-open, or open on
// macOS. Waits for a moment at most; the browser outlives this program.
// Errors: kExternalTool (there is no desktop, or it could not).
Result<void> open_in_browser(const std::string& address);

// "file:///…" of a path, whatever is in its name.
std::string file_address(const std::string& path);

// A new folder for temporary files that only its user can look into. Errors: kIo.
Result<std::string> make_temporary_folder();

}  // namespace planex::cli
