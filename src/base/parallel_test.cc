#include "base/parallel.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace planex::base {
namespace {

TEST(RunBoth, HasDoneBothWhenItReturns) {
  int first = 0, second = 0;
  run_both([&] { first = 1; }, [&] { second = 2; });
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 2);
}

TEST(RunBoth, HandsOnWhatEitherThrows) {
  EXPECT_THROW(run_both([] { throw std::runtime_error("first"); }, [] {}), std::runtime_error);
  EXPECT_THROW(run_both([] {}, [] { throw std::runtime_error("second"); }), std::runtime_error);
}

}  // namespace
}  // namespace planex::base
