#include "tune/preparation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tune/data.h"

namespace planex::tune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ModelInput input_of(std::vector<std::int64_t> dims) {
  return {.name = "x", .dims = std::move(dims), .has_shape = true};
}

TEST(Preparation, TakesFromTheModelWhatIsNotSaid) {
  const auto plain = parse_preparation("", input_of({-1, 3, 48, 320}));
  ASSERT_TRUE(plain) << plain.error().message;
  EXPECT_THAT(describe(*plain), ElementsAre("resize=48x320", "fit=stretch", "fill=0", "color=rgb",
                                            "layout=nchw", "mean=0", "scale=0.00392156862745098"));
  const auto last = parse_preparation("", input_of({1, 32, 32, 1}));
  ASSERT_TRUE(last);
  EXPECT_EQ(last->layout, drive::Preparation::Layout::kNhwc);
  EXPECT_EQ(last->color, drive::Preparation::Color::kGray);
}

TEST(Preparation, ReadsWordsInTheirOrder) {
  const auto read = parse_preparation("imagenet, resize=8x16,fit=crop,color=bgr,std=2:4:5",
                                      input_of({1, 3, -1, -1}));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->height, 8);
  EXPECT_EQ(read->width, 16);
  EXPECT_EQ(read->fit, drive::Preparation::Fit::kCrop);
  EXPECT_THAT(read->mean, ElementsAre(123.675, 116.28, 103.53));
  EXPECT_THAT(read->scale, ElementsAre(0.5, 0.25, 0.2));
  const auto ratio = parse_preparation("scale=1/255,resize=7", input_of({1, 3, -1, -1}));
  ASSERT_TRUE(ratio);
  EXPECT_DOUBLE_EQ(ratio->scale.front(), 1.0 / 255);
  EXPECT_EQ(ratio->width, 7);
}

TEST(Preparation, SaysWhatIsWrong) {
  const auto message = [](std::string_view text, std::vector<std::int64_t> dims) {
    const auto read = parse_preparation(text, input_of(std::move(dims)));
    return read ? std::string("read") : read.error().message + " | " + read.error().hint;
  };
  EXPECT_THAT(message("resise=4x4", {1, 3, 4, 4}), HasSubstr("Did you mean resize?"));
  EXPECT_THAT(message("imagnet", {1, 3, 4, 4}), HasSubstr("Did you mean imagenet?"));
  EXPECT_THAT(message("fit=paad", {1, 3, 4, 4}), HasSubstr("Did you mean pad?"));
  EXPECT_THAT(message("mean=1:2", {1, 3, 4, 4}), HasSubstr("expected 1 or 3"));
  EXPECT_THAT(message("mean=a", {1, 3, 4, 4}), HasSubstr("not a number"));
  EXPECT_THAT(message("std=0", {1, 3, 4, 4}), HasSubstr("std is 0"));
  EXPECT_THAT(message("resize=0x4", {1, 3, 4, 4}), HasSubstr("not a size"));
  EXPECT_THAT(message("resize=99999999x4", {1, 3, 4, 4}), HasSubstr("not a size"));
  EXPECT_THAT(message("", {1, 3, -1, -1}), HasSubstr("resize=HEIGHTxWIDTH"));
  EXPECT_THAT(message("", {1, 128}), HasSubstr("four dimensions"));
}

TEST(Preparation, FitsTheModelOrNot) {
  const auto prepared = parse_preparation("resize=8x8", input_of({1, 3, 8, 8}));
  ASSERT_TRUE(prepared);
  EXPECT_TRUE(sample_shape(*prepared, input_of({-1, 3, 8, -1})));
  const auto other = sample_shape(*prepared, input_of({1, 3, 8, 9}));
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("1x3x8x9"));
}

TEST(Shuffled, IsAPermutationThatTheSeedDecides) {
  std::vector<std::size_t> order = shuffled(100, 1);
  EXPECT_EQ(order, shuffled(100, 1));
  EXPECT_NE(order, shuffled(100, 2));
  // The same on every machine, permanently: samples are chosen by it.
  EXPECT_THAT(shuffled(5, 1), ElementsAre(2, 1, 4, 3, 0));
  std::ranges::sort(order);
  for (std::size_t place = 0; place < order.size(); ++place) EXPECT_EQ(order[place], place);
  EXPECT_TRUE(shuffled(0, 1).empty());
}

}  // namespace
}  // namespace planex::tune
