// What the standard library leaves out where there are no threads, for code that locks all the
// same. Included in front of every source (cmake/wasi/toolchain.cmake).
#pragma once

#include <unistd.h>

#include <mutex>

#ifdef _LIBCPP_HAS_NO_THREADS

#undef _POSIX_READER_WRITER_LOCKS

namespace std {  // NOLINT(cert-dcl58-cpp)

class mutex {
 public:
  void lock() {}
  void unlock() {}
  bool try_lock() { return true; }
};
class shared_mutex : public mutex {
 public:
  void lock_shared() {}
  void unlock_shared() {}
};

template <typename... Mutexes>
class scoped_lock {
 public:
  explicit scoped_lock(Mutexes&...) {}
};

template <typename Mutex>
class unique_lock {
 public:
  explicit unique_lock(Mutex&) {}
  void lock() {}
  void unlock() {}
};

// Nobody else could make true what is waited for.
class condition_variable {
 public:
  void notify_one() {}
  void notify_all() {}
  template <typename Lock, typename Predicate>
  void wait(Lock&, Predicate holds) {
    if (!holds()) __builtin_trap();
  }
};

}  // namespace std

#endif
