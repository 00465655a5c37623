#include <dlfcn.h>

#include "base/dynamic_library.h"

namespace planex::base {
namespace {

std::string loader_error() {
  const char* const text = ::dlerror();
  return text == nullptr ? "no reason given" : text;
}

}  // namespace

DynamicLibrary::DynamicLibrary(const char* name) : handle_(::dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) error_ = loader_error();
}

void* DynamicLibrary::find(const char* function) {
  if (handle_ == nullptr) return nullptr;
  void* const found = ::dlsym(handle_, function);
  if (found == nullptr && error_.empty()) error_ = loader_error();
  return found;
}

}  // namespace planex::base
