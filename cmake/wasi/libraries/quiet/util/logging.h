// In place of RE2's own: it writes what should never happen to a std::ostringstream, which brings
// all of iostreams, a fortieth of the core. Nobody reads what a page's core writes there.
#ifndef UTIL_LOGGING_H_
#define UTIL_LOGGING_H_

#include <cassert>
#include <cstdlib>

#include "util/util.h"

namespace planex_quiet {

struct Log {
  template <typename T>
  Log& operator<<(const T&) {
    return *this;
  }
};

// What is wrong beyond repair ends the module.
struct FatalLog : Log {
  ~FatalLog() { abort(); }
};

}  // namespace planex_quiet

#define DCHECK(condition) assert(condition)
#define DCHECK_EQ(a, b) assert((a) == (b))
#define DCHECK_NE(a, b) assert((a) != (b))
#define DCHECK_LE(a, b) assert((a) <= (b))
#define DCHECK_LT(a, b) assert((a) < (b))
#define DCHECK_GE(a, b) assert((a) >= (b))
#define DCHECK_GT(a, b) assert((a) > (b))

#define CHECK(x) \
  if (x) {       \
  } else         \
    planex_quiet::FatalLog()
#define CHECK_LT(x, y) CHECK((x) < (y))
#define CHECK_GT(x, y) CHECK((x) > (y))
#define CHECK_LE(x, y) CHECK((x) <= (y))
#define CHECK_GE(x, y) CHECK((x) >= (y))
#define CHECK_EQ(x, y) CHECK((x) == (y))
#define CHECK_NE(x, y) CHECK((x) != (y))

#define LOG_INFO planex_quiet::Log()
#define LOG_WARNING planex_quiet::Log()
#define LOG_ERROR planex_quiet::Log()
#define LOG_DFATAL planex_quiet::Log()
#define LOG_FATAL planex_quiet::FatalLog()
#define LOG_QFATAL planex_quiet::FatalLog()
#define LOG(severity) LOG_##severity
#define VLOG(x)  \
  if ((x) > 0) { \
  } else         \
    LOG_INFO

#endif  // UTIL_LOGGING_H_
