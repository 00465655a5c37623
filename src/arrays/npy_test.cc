#include "arrays/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace planex::arrays {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string npy_with(std::string header, std::string_view data, char version = 1) {
  std::string text(kNpyMagic);
  text += version;
  text += '\0';
  header += '\n';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) {
    text += static_cast<char>(header.size() >> (8 * i) & 0xFFU);
  }
  return text + header + std::string(data);
}

std::string header_of(std::string_view descr, std::string_view shape,
                      std::string_view fortran = "False") {
  return "{'descr': " + std::string(descr) + ", 'fortran_order': " + std::string(fortran) +
         ", 'shape': " + std::string(shape) + ", }";
}

std::string message_of(const std::string& bytes) {
  const auto array = read_npy(bytes, "a.npy");
  EXPECT_FALSE(array);
  return array ? "" : array.error().message;
}

TEST(Npy, EveryVersionIsRead) {
  for (const char version : {'\1', '\2', '\3'}) {
    const auto array =
        read_npy(npy_with(header_of("'|u1'", "(2, 2)"), "\1\2\3\4", version), "a.npy");
    ASSERT_TRUE(array) << array.error().message;
    EXPECT_EQ(array->type, ElementType::kUint8);
    EXPECT_THAT(array->shape, ElementsAre(2, 2));
    EXPECT_EQ(array->data, "\1\2\3\4");
  }
  EXPECT_THAT(message_of(npy_with(header_of("'|u1'", "(1,)"), "\1", '\4')), HasSubstr("version 4"));
}

TEST(Npy, SpellingsOfPythonAreRead) {
  for (const std::string header :
       {"{\"shape\":(2L,),\"fortran_order\":False,\"descr\":\"<i2\"}",
        "{ 'fortran_order' : False , 'descr' : '<i2' , 'shape' : ( 2 , ) }   "}) {
    const auto array = read_npy(npy_with(header, "abcd"), "a.npy");
    EXPECT_TRUE(array) << array.error().message;
  }
  const auto scalar = read_npy(npy_with(header_of("'<f4'", "()"), "abcd"), "a.npy");
  ASSERT_TRUE(scalar);
  EXPECT_TRUE(scalar->shape.empty());
  const auto empty = read_npy(npy_with(header_of("'<f8'", "(0, 3)"), ""), "a.npy");
  ASSERT_TRUE(empty);
  EXPECT_THAT(empty->shape, ElementsAre(0, 3));
}

TEST(Npy, FortranOrderIsTransposed) {
  // [[0, 1, 2], [3, 4, 5]] column by column.
  const std::string data("\0\3\1\4\2\5", 6);
  const auto array = read_npy(npy_with(header_of("'|i1'", "(2, 3)", "True"), data), "a.npy");
  ASSERT_TRUE(array);
  EXPECT_EQ(array->data, std::string("\0\1\2\3\4\5", 6));
  // Three dimensions, two bytes an element: element (i, j, k) is 100 i + 10 j + k.
  std::string fortran, c;
  for (char k = 0; k < 2; ++k) {
    for (char j = 0; j < 3; ++j) {
      for (char i = 0; i < 2; ++i) fortran += {static_cast<char>(100 * i + 10 * j + k), 7};
    }
  }
  for (char i = 0; i < 2; ++i) {
    for (char j = 0; j < 3; ++j) {
      for (char k = 0; k < 2; ++k) c += {static_cast<char>(100 * i + 10 * j + k), 7};
    }
  }
  EXPECT_EQ(
      adopt_npy(npy_with(header_of("'<i2'", "(2, 3, 2)", "True"), fortran), "a.npy").value().data,
      c);
}

TEST(Npy, BigEndianIsSwapped) {
  const auto array = read_npy(
      npy_with(header_of("'>i4'", "(2,)"), std::string_view("\0\0\0\1\0\0\1\0", 8)), "a.npy");
  ASSERT_TRUE(array);
  EXPECT_THAT(floats_of(*array), ElementsAre(1, 256));
}

TEST(Npy, BfloatIsRead) {
  const auto array =
      read_npy(npy_with(header_of("'|V2'", "(1,)"), std::string_view("\x80\x3f", 2)), "a.npy");
  ASSERT_TRUE(array);
  EXPECT_EQ(array->type, ElementType::kBfloat16);
  EXPECT_THAT(floats_of(*array), ElementsAre(1));
}

TEST(Npy, PicklesAreRefusedWithTheReason) {
  const auto array = read_npy(npy_with(header_of("'|O'", "(1,)"), "\x80\4."), "a.npy");
  ASSERT_FALSE(array);
  EXPECT_EQ(array.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(array.error().message, HasSubstr("runs code"));
}

TEST(Npy, OtherTypesAreRefused) {
  EXPECT_THAT(message_of(npy_with(header_of("'<c8'", "(1,)"), "12345678")), HasSubstr("\"<c8\""));
  EXPECT_THAT(message_of(npy_with(header_of("'<U3'", "(1,)"), "123456789012")),
              HasSubstr("not supported"));
  EXPECT_THAT(message_of(npy_with(header_of("[('a', '<f4')]", "(1,)"), "1234")),
              HasSubstr("named fields"));
}

TEST(Npy, CutFilesAreTold) {
  const std::string whole =
      npy_text({.type = ElementType::kFloat32, .shape = {2}, .data = std::string(8, 'x')});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto array = read_npy(std::string_view(whole).substr(0, size), "a.npy");
    ASSERT_FALSE(array) << size;
    EXPECT_EQ(array.error().file, "a.npy");
    EXPECT_EQ(array.error().code, ErrorCode::kBadInput);
  }
  EXPECT_THAT(message_of(whole.substr(0, whole.size() - 1)),
              HasSubstr("float32 of shape 2 has 8 bytes, the file has 7"));
  EXPECT_THAT(message_of(whole + "x"), HasSubstr("overlong"));
}

TEST(Npy, AbsurdShapesAreRefused) {
  EXPECT_THAT(message_of(npy_with(header_of("'<f8'", "(4611686018427387904,)"), "")),
              HasSubstr("more bytes than any file"));
  EXPECT_THAT(message_of(npy_with(header_of("'<f8'", "(9223372036854775807, 2)"), "")),
              HasSubstr("more bytes than any file"));
  EXPECT_THAT(message_of(npy_with(header_of("'<f8'", "(99999999999999999999,)"), "")),
              HasSubstr("expected a size"));
  EXPECT_THAT(message_of(npy_with(header_of("'<f8'", "(-1,)"), "")), HasSubstr("expected a size"));
  EXPECT_THAT(message_of(npy_with(header_of("'<f8'", "(3)"), "")), HasSubstr("comma"));
  std::string many = "(";
  for (int i = 0; i < 65; ++i) many += "1, ";
  EXPECT_THAT(message_of(npy_with(header_of("'|u1'", many + ")"), "x")), HasSubstr("64"));
}

TEST(Npy, OddHeadersAreRefused) {
  EXPECT_THAT(message_of("PK\3\4"), HasSubstr("not an .npy"));
  EXPECT_THAT(message_of(npy_with("{'descr': '<f4'}", "")), HasSubstr("expected the keys"));
  EXPECT_THAT(message_of(npy_with(header_of("'<f4'", "()") + "x", "1234")),
              HasSubstr("expected nothing after"));
  EXPECT_THAT(message_of(npy_with("{'descr': '<f4', 'x': 1}", "")), HasSubstr("no keys but"));
  EXPECT_THAT(message_of(npy_with("[1]", "")), HasSubstr("dictionary"));
}

// The bytes are those that NumPy 2 writes (numpy.save of the same arrays).
TEST(Npy, WritesAsNumpyDoes) {
  const Array array{
      .type = ElementType::kInt16, .shape = {2, 1}, .data = std::string("\1\0\2\0", 4)};
  const std::string expected = npy_with(
      "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 1), }" + std::string(58, ' '), "");
  const std::string text = npy_text(array);
  EXPECT_EQ(text.size(), 132U);
  EXPECT_EQ(text, expected + array.data);
  EXPECT_EQ(text[text.size() - 5], '\n');
}

TEST(Npy, WhatIsWrittenIsRead) {
  for (int type = 0; type <= static_cast<int>(ElementType::kFloat64); ++type) {
    Array array{.type = static_cast<ElementType>(type), .shape = {3, 1, 2}, .data = {}};
    array.data.assign(6 * bytes_per_element(array.type), '\1');
    const auto again = read_npy(npy_text(array), "a.npy");
    ASSERT_TRUE(again) << to_string(array.type);
    EXPECT_EQ(again->type, array.type);
    EXPECT_EQ(again->shape, array.shape);
    EXPECT_EQ(again->data, array.data);
  }
}

}  // namespace
}  // namespace planex::arrays
