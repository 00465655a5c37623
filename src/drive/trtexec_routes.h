// What trtexec says of itself: its version, and the knobs of TensorRT's build routes.
//
// From 11.1 on, the compiler has some 200 knobs, which no other option of trtexec sets;
// `--setBuildRoute="-a=on -b=2"` gives some of them a value. `--helpBuildRoute` lists them as JSON.
// They change from release to release, so planex knows none by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "drive/cancellation.h"
#include "drive/driver.h"
#include "planex/error.h"
#include "trtexec/flags.h"

namespace planex::drive {

struct BuildKnob {
  std::string name;                 // "-conv_lowering", as it stands in a route
  std::vector<std::string> values;  // "on", "off"
  std::string standard;             // its value where a route does not set it
  std::string help;
};

struct TrtexecFacts {
  trtexec::TensorrtVersion version;  // 0.0: it does not print one
  std::string version_text, tuner_version;
  std::vector<BuildKnob> knobs;
  std::string why_no_knobs;  // a sentence without its full stop; empty: there are some
};

// Runs the program once, with `--helpBuildRoute`; it builds nothing and needs no GPU.
// Errors: kNotFound (no trtexec), kIo, kExternalTool (the launcher), kCancelled.
Result<TrtexecFacts> ask_trtexec(const ProcessRequest& request, const Cancellation& cancellation);

// From what it printed. A knob with one value, or none, is left out: there is nothing to choose.
TrtexecFacts trtexec_facts(std::string_view output);

// Whether this trtexec acts on an option, given without dashes. True where nothing is known of one
// of the two: the program decides.
bool acts_on(const TrtexecFacts& facts, std::string_view option);

// The words of a route in their order; one that names a knob replaces its value.
// "-a=on -b=2", "-b", "1" -> "-a=on -b=1".
std::string route_with(std::string_view route, std::string_view knob, std::string_view value);

}  // namespace planex::drive
