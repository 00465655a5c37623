// Sorts the user's words for trtexec by the runs that they belong to.
#pragma once

#include <string>
#include <vector>

#include "drive/driver.h"
#include "planex/error.h"
#include "trtexec/flags.h"

namespace planex::drive {

struct TrtexecOptions {
  // "--name" or "--name=value", in the user's order.
  std::vector<std::string> build, times, profile;
  // Nothing is run: the user wants only a build, or nothing else is possible.
  bool is_build_only = false;
  std::vector<std::string> notes;
};

// `version`: of the program. Words may lack their dashes, as in TREx: "fp16", "shapes=x:1x3x8x8".
// Words that planex sets itself are left out, with a note; words that no known release has are
// passed on to all runs.
// Errors: kUsage (a word that this version does not have; a precision or threads that trtexec does
// not support).
Result<TrtexecOptions> sort_trtexec_options(const ProcessRequest& request,
                                            const trtexec::TensorrtVersion& version);

// "8.6.1" as a version; 0.0 if it is not one.
trtexec::TensorrtVersion version_number(std::string_view text);

}  // namespace planex::drive
