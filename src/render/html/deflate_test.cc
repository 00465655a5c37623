#include "render/html/deflate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdint>
#include <string>

namespace planex::render {
namespace {

std::string inflated(const std::string& bytes, std::size_t size) {
  std::string text(size + 1, '\0');
  uLongf length = static_cast<uLongf>(text.size());
  const int code =
      uncompress(reinterpret_cast<Bytef*>(text.data()), &length,
                 reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()));
  EXPECT_EQ(code, Z_OK);
  text.resize(length);
  return text;
}

TEST(Deflated, IsWhatWasWrittenWhateverThePieces) {
  std::string text;
  for (std::int64_t i = 0; i < 300000; ++i) text += std::to_string(i * 7919 % 1000003);
  for (const std::size_t piece : {std::size_t{1000}, std::size_t{1} << 18, text.size()}) {
    const auto bytes = deflated([&](const TakePiece& take) {
      for (std::size_t at = 0; at < text.size(); at += piece) {
        take(std::string_view(text).substr(at, piece));
      }
    });
    ASSERT_TRUE(bytes.has_value());
    EXPECT_LT(bytes->size(), text.size());
    EXPECT_EQ(inflated(*bytes, text.size()), text) << piece;
  }
}

TEST(Deflated, OfNothingIsAnEmptyText) {
  const auto bytes = deflated([](const TakePiece&) {});
  ASSERT_TRUE(bytes.has_value());
  EXPECT_EQ(inflated(*bytes, 0), "");
}

}  // namespace
}  // namespace planex::render
