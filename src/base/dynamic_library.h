// A shared library that is loaded while the program runs.
#pragma once

#include <string>

namespace planex::base {

class DynamicLibrary {
 public:
  // `name` as the system's loader takes it: "libzip.so.4". The library stays until the program
  // ends.
  explicit DynamicLibrary(const char* name);

  // Null where the library has no function of this name, or is not there itself.
  void* find(const char* function);
  // Why the first thing that was not found was not, in the loader's words; empty: all was found.
  const std::string& error() const { return error_; }

 private:
  void* handle_ = nullptr;
  std::string error_;
};

}  // namespace planex::base
