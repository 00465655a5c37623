// What the C and C++ libraries leave to their host.
//
// Exceptions are none here: what throws ends the module, and says why.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <typeinfo>

extern "C" {

void* __cxa_allocate_exception(std::size_t bytes) { return std::malloc(bytes); }

void __cxa_free_exception(void* exception) { std::free(exception); }

[[noreturn]] void __cxa_throw(void*, std::type_info* type, void (*)(void*)) {
  std::fprintf(stderr, "planex: threw %s\n", type == nullptr ? "" : type->name());
  std::abort();
}

[[noreturn]] void __cxa_rethrow() { std::abort(); }

// libzip sets permissions of files that it writes; a host has none.
int chmod(const char*, unsigned) {
  errno = ENOTSUP;
  return -1;
}

}  // extern "C"
