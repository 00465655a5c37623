#include "trtexec/refused_option.h"

#include <vector>

#include "base/text.h"
#include "trtexec/flags.h"

namespace planex::trtexec {

using base::format;

std::string refused_option_words(std::string_view option) {
  // For types and calibration: from 11.0 on a network has the types of its model.
  constexpr TensorrtVersion kLastWithTypes = {10, 16};
  const TrtexecFlag* flag = find_flag(option);
  if (flag == nullptr) {
    std::vector<std::string_view> names;
    for (const TrtexecFlag& known : trtexec_flags()) names.push_back(known.name);
    const auto nearest = base::nearest(option, names);
    return format("trtexec does not know --{}; {}", option,
                  nearest ? format("did you mean --{}?", *nearest)
                          : std::string("see trtexec --help of this version"));
  }
  if (flag->last_accepted == kLastWithTypes) {
    return format(
        "--{} was removed in TensorRT 11, where a network has the types of its model; planex cast "
        "--from-trtexec \"COMMAND\" gives the model these types and prints the command without "
        "such options",
        option);
  }
  if (flag->last_accepted) {
    return format("trtexec has --{} only up to TensorRT {}.{}; leave it out", option,
                  flag->last_accepted->major, flag->last_accepted->minor);
  }
  if (flag->first > TensorrtVersion{8, 0}) {
    return format("trtexec has --{} from TensorRT {}.{} on; leave it out, or use a newer version",
                  option, flag->first.major, flag->first.minor);
  }
  return format("this trtexec does not know --{}; see its --help", option);
}

}  // namespace planex::trtexec
