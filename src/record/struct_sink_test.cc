#include "record/struct_sink.h"

#include <limits>

#include "gtest/gtest.h"

namespace planex::record {
namespace {

struct Part {
  std::string name;
  std::optional<std::int64_t> size;

  template <typename Self, typename Visit>
  static void each_member(Self& self, Visit&& visit) {
    visit("name", self.name);
    visit("size", self.size);
  }
};

struct Whole {
  bool is_new = false;
  double mean = 0;
  std::optional<double> rest;
  std::optional<Part> head;
  std::vector<Part> parts;
  std::vector<std::optional<double>> times;
  std::vector<std::pair<std::string, double>> rates;
  std::vector<std::vector<std::variant<std::monostate, std::int64_t, double, std::string>>> rows;

  template <typename Self, typename Visit>
  static void each_member(Self& self, Visit&& visit) {
    visit("is_new", self.is_new);
    visit("mean", self.mean);
    visit("rest", self.rest);
    visit("head", self.head);
    visit("parts", self.parts);
    visit("times", self.times);
    visit("rates", self.rates);
    visit("rows", self.rows);
  }
};

TEST(StructSink, EveryKindOfMember) {
  Whole whole;
  StructSink sink(slot_of(whole));
  sink.begin_object();
  sink.key("is_new");
  sink.boolean(true);
  sink.key("mean");
  sink.integer(3);
  sink.key("head");
  sink.begin_object();
  sink.key("size");
  sink.integer(7);
  sink.key("name");
  sink.text("conv");
  sink.end_object();
  sink.key("parts");
  sink.begin_list();
  for (const std::string_view name : {"a", "b"}) {
    sink.begin_object();
    sink.key("name");
    sink.text(name);
    sink.end_object();
  }
  sink.end_list();
  sink.key("times");
  sink.begin_list();
  sink.real(1.5);
  sink.null();
  sink.real(std::numeric_limits<double>::infinity());
  sink.end_list();
  sink.key("rates");
  sink.begin_object();
  sink.key("FP16");
  sink.real(2);
  sink.end_object();
  sink.key("rows");
  sink.begin_list();
  sink.begin_list();
  sink.text("x");
  sink.null();
  sink.integer(1);
  sink.end_list();
  sink.end_list();
  sink.end_object();

  EXPECT_TRUE(whole.is_new);
  EXPECT_EQ(whole.mean, 3);
  EXPECT_EQ(whole.rest, std::nullopt);
  ASSERT_TRUE(whole.head);
  EXPECT_EQ(whole.head->name, "conv");
  EXPECT_EQ(whole.head->size, 7);
  ASSERT_EQ(whole.parts.size(), 2);
  EXPECT_EQ(whole.parts[1].name, "b");
  EXPECT_EQ(whole.times, (std::vector<std::optional<double>>{1.5, std::nullopt, std::nullopt}));
  ASSERT_EQ(whole.rates.size(), 1);
  EXPECT_EQ(whole.rates[0].first, "FP16");
  EXPECT_EQ(whole.rates[0].second, 2);
  ASSERT_EQ(whole.rows.size(), 1);
  ASSERT_EQ(whole.rows[0].size(), 3);
  EXPECT_EQ(std::get<std::string>(whole.rows[0][0]), "x");
  EXPECT_EQ(whole.rows[0][1].index(), 0);
}

// A library can report more than the struct of a consumer that was compiled earlier.
TEST(StructSink, LeavesOutWhatTheStructDoesNotHave) {
  Part part;
  StructSink sink(slot_of(part));
  sink.begin_object();
  sink.key("later");
  sink.begin_list();
  sink.begin_object();
  sink.key("name");
  sink.text("wrong");
  sink.end_object();
  sink.end_list();
  sink.key("name");
  sink.text("right");
  sink.key("size");
  sink.text("no number");
  sink.end_object();
  EXPECT_EQ(part.name, "right");
  EXPECT_FALSE(part.size.has_value() && *part.size != 0);
}

}  // namespace
}  // namespace planex::record
