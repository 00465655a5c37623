// The policy in the heads of pages, for the headers that they are sent with, and the information
// that a served page gets.
#pragma once

#include <string>
#include <string_view>

namespace planex::serve {

// The Content-Security-Policy of a page's own head; one that allows nothing if it has none. As a
// header it also covers what a page can't forbid by itself.
std::string policy_of(std::string_view page);

// A report as it is served: its head has the address of the index, for the link back, and the
// version of what it shows (hexadecimal). It is allowed to ask its server, and nobody else, whether
// that version is still current. The rest is unchanged.
std::string as_served(std::string_view page, std::string_view version);

}  // namespace planex::serve
