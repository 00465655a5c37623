// A shared library that is loaded while the program runs.
#pragma once

#include <string>

namespace planex::base {

class DynamicLibrary {
 public:
  // `name` in the form that the system's loader expects: "libzip.so.4". The library stays loaded
  // until the program ends.
  explicit DynamicLibrary(const char* name);

  // Null where the library has no function with this name, or is missing.
  void* find(const char* function);
  // Why the first missing thing was not found, in the loader's words; empty: all was found.
  const std::string& error() const { return error_; }

 private:
  void* handle_ = nullptr;
  std::string error_;
};

}  // namespace planex::base
