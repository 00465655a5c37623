// The libFuzzer program of all targets: planex_fuzz --target=NAME [libFuzzer's arguments]. With
// --list it prints the targets.
//
// One program for all: libFuzzer leaves arguments with two dashes alone, and hands them on to the
// processes that it starts for -fork, -merge and -minimize_crash.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "fuzz_targets.h"

namespace {

// libFuzzer gives the two functions below nothing of their own to share.
std::string& chosen_target() {
  static std::string name;
  return name;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  constexpr std::string_view kTarget = "--target=";
  for (const char* word : std::span(*argv, static_cast<std::size_t>(*argc))) {
    const std::string_view argument = word;
    if (argument.starts_with(kTarget)) chosen_target() = argument.substr(kTarget.size());
    if (argument == "--list") {
      for (const std::string_view name : planex::fuzz::target_names()) {
        std::printf("%.*s\n", static_cast<int>(name.size()), name.data());
      }
      std::exit(0);
    }
  }
  if (!planex::fuzz::has_target(chosen_target())) {
    std::fprintf(stderr, "planex_fuzz: --target=NAME is missing or unknown; --list lists them\n");
    std::exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string wrong = planex::fuzz::run_target(
      chosen_target(), std::string_view(reinterpret_cast<const char*>(data), size));
  if (!wrong.empty()) {
    std::fprintf(stderr, "planex_fuzz: %s\n", wrong.c_str());
    std::abort();
  }
  return 0;
}
