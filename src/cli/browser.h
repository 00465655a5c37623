// The user's browser.
#pragma once

#include <string>

#include "planex/error.h"

namespace planex::cli {

// Opens an address (http://… or file://…) as the desktop opens links: with xdg-open, or open on
// macOS. Waits for a moment at most; the browser outlives this program.
// Errors: kExternalTool (no desktop, or it failed).
Result<void> open_in_browser(const std::string& address);

// "file:///…" for a path, with any characters in its name.
std::string file_address(const std::string& path);

// A new folder for temporary files that only its user can read. Errors: kIo.
Result<std::string> make_temporary_folder();

}  // namespace planex::cli
