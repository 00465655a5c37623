// `planex schema --verbs`: the verbs that are described once, with their options, for who makes
// something of them: functions of Python, tools of an assistant, forms.
#pragma once

#include <string>

namespace planex::cli {

// planex.verbs/1, as docs/reference/formats.md describes it.
std::string verbs_json();

}  // namespace planex::cli
