#include "base/parallel.h"

#include <exception>
#include <optional>
#include <system_error>
#include <thread>

namespace planex::base {
namespace {

std::optional<std::jthread> started(const std::function<void()>& task) {
  try {
    return std::jthread(task);
  } catch (const std::system_error&) {
    return std::nullopt;
  }
}

}  // namespace

bool can_run_both() { return std::thread::hardware_concurrency() > 1; }

void run_both(const std::function<void()>& first, const std::function<void()>& second) {
  // An exception that ends a thread ends the program, unless it is caught there.
  std::exception_ptr failure;
  std::optional<std::jthread> other;
  if (can_run_both()) {
    other = started([&] {
      try {
        second();
      } catch (...) {
        failure = std::current_exception();
      }
    });
  }
  first();
  if (!other) {
    second();
    return;
  }
  other->join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace planex::base
