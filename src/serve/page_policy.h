// What pages say in their heads, for the headers they are sent with, and what a page that is served
// is told.
#pragma once

#include <string>
#include <string_view>

namespace planex::serve {

// The Content-Security-Policy of a page's own head; one that allows nothing where it has none. As a
// header it also holds for what a page can't forbid by itself.
std::string policy_of(std::string_view page);

// A report as it is served: its head has the address of the index, for the link that leads back
// there, and the version of what it shows (hexadecimal); and it may ask its server, and nobody
// else, whether that is still the one. Everything else of it is as it was.
std::string as_served(std::string_view page, std::string_view version);

}  // namespace planex::serve
