// The machine that planex runs on.
#pragma once

#include <cstdint>
#include <string>

namespace planex::drive {

// Texts are empty if the system does not report them.
struct Host {
  std::string name, system, cpu_model;
  std::int64_t cpu_count = 0;
};

Host this_host();

// A file where planex can keep something for later runs, under XDG_CACHE_HOME or ~/.cache; empty if
// there is no such folder. The folder need not exist.
std::string cache_file(const std::string& name);

// The content of a small file of the system; empty where it can't be read.
std::string system_file(const char* path);

}  // namespace planex::drive
