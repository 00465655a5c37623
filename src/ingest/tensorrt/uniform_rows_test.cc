#include "ingest/tensorrt/uniform_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

#include "base/text.h"
#include "ingest/discover/load.h"
#include "model/plan_model.h"
#include "support/model_dump.h"

namespace planex::ingest::tensorrt {
namespace {

using testing::ElementsAre;

using Rows = std::vector<std::vector<double>>;

// The rows, or nothing if they have to be read as JSON.
std::optional<Rows> read_rows(std::string_view text) {
  auto rows = UniformRows::open(text);
  if (!rows) return std::nullopt;
  Rows result;
  std::vector<double> numbers;
  while (rows->next(numbers)) result.push_back(numbers);
  if (!rows->at_end()) return std::nullopt;
  return result;
}

TEST(UniformRows, AreReadAsPrinted) {
  const std::string_view text =
      "[\n  { \"a\" : 1.5, \"b\" : 0 }\n, { \"a\" : -2e-3, \"b\" : 7 }\n]\n";
  EXPECT_EQ(read_rows(text), (Rows{{1.5, 0}, {-0.002, 7}}));
  EXPECT_THAT(UniformRows::open(text)->keys(), ElementsAre("a", "b"));
  EXPECT_EQ(read_rows("[{\"a\":1}]"), (Rows{{1}}));
}

TEST(UniformRows, LeaveAllElseToTheParser) {
  for (const std::string_view text : {"",
                                      "[",
                                      "[]",
                                      "[1]",
                                      "{}",
                                      "[{}]",
                                      R"({"a":1})",
                                      R"([{"a":1})",
                                      R"([{"a":1},])",
                                      R"([{"a":1}]x)",
                                      R"([{"a":1},{"b":1}])",
                                      R"([{"a":1},{"a":1 }])",
                                      R"([{"a":1},{"a":null}])",
                                      R"([{"a":1},{"a":"1"}])",
                                      R"([{"a":1},{"a":01}])",
                                      R"([{"a":1},{"a":1.}])",
                                      R"([{"a":1},{"a":.5}])",
                                      R"([{"a":1},{"a":+1}])",
                                      R"([{"a":1},{"a":1e}])",
                                      R"([{"a":1},{"a":1,"b":2}])",
                                      R"([{"a":1},{"a":nan}])",
                                      R"([{"a":1},{"a":1e999}])",
                                      R"([{"a":1},{"a":-}])",
                                      R"([{"a":1} {"a":1}])",
                                      R"([{"\u0061":1}])",
                                      "[{\"\xff\":1}]",
                                      R"([{"a":1},{"a":12345678901234567890}])",
                                      R"([{"a":1},{"a":0.1234567890123456789}])"}) {
    EXPECT_EQ(read_rows(text), std::nullopt) << text;
  }
}

TEST(UniformRows, CutAnywhereAreNotTaken) {
  const std::string text = R"([{"a":1.25,"b":3e-2},{"a":2,"b":4}])";
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_EQ(read_rows(text.substr(0, size)), std::nullopt) << size;
  }
}

TEST(UniformRows, NumbersAreThoseOfStrtod) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100'000; ++i) {
    const auto digits = static_cast<std::int64_t>(random() >> (random() % 64));
    std::string number = std::to_string(digits);
    if (const std::size_t at = random() % 20; at > 0 && at < number.size()) number.insert(at, ".");
    if (random() % 4 == 0) number += base::format("e{}", static_cast<int>(random() % 60) - 30);
    const auto rows = read_rows(base::format("[{{\"a\":{}}}]", number));
    if (!rows) continue;
    const double expected = std::strtod(number.c_str(), nullptr);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(rows->front().front()),
              std::bit_cast<std::uint64_t>(expected))
        << number;
  }
}

// The same rows in another form must give the same table.
TEST(UniformRows, GiveTheSameTimesAsTheParser) {
  const auto load_times = [](std::string times) {
    base::MemoryFiles files;
    files.add("x.graph.json", R"({"Layers": ["a"], "Bindings": []})");
    files.add("x.times.json", times);
    auto model = ingest::load({.path = "x.graph.json"}, files);
    EXPECT_TRUE(model.has_value());
    return std::move(*model);
  };
  const std::string first =
      R"([{"startEnqMs":1,"endEnqMs":2,"startComputeMs":2.5,"endComputeMs":3,"computeMs":0.5,)"
      R"("latencyMs":0.6,"endToEndMs":9})";
  const std::string second =
      R"({"startEnqMs":4,"endEnqMs":5,"startComputeMs":5.5,"endComputeMs":6,"computeMs":0.5,)"
      R"("latencyMs":0.7,"endToEndMs":9})";
  const auto fast = load_times(first + "," + second + "]");
  std::string spaced = second;
  spaced.insert(1, " ");
  const auto slow = load_times(first + "," + spaced + "]");
  EXPECT_EQ(test::dump(fast, {.without_byte_places = true}),
            test::dump(slow, {.without_byte_places = true}));
  EXPECT_EQ(fast.iterations.latency_ms[1], 0.7);
  EXPECT_EQ(fast.iterations.enqueue_ms[1], 1);
  EXPECT_EQ(fast.files.record_count[1], 2);
}

}  // namespace
}  // namespace planex::ingest::tensorrt
