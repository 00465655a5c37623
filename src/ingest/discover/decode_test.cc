// Packed files, byte-order marks, UTF-16 and raw control characters.
#include "ingest/discover/decode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "ingest/discover/load.h"
#include "support/model_dump.h"
#include "support/test_data.h"

namespace planex::ingest {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kUnicodeGraph =
    R"({"Layers": [{"Name": "caf\u00e9 é 🙂", "LayerType": "NoOp", "Inputs": [], "Outputs": []}]})";

std::string packed(std::string_view text) {
  constexpr int kGzip = 16;
  z_stream stream{};
  EXPECT_EQ(::deflateInit2(&stream, 9, Z_DEFLATED, kGzip + MAX_WBITS, 9, Z_DEFAULT_STRATEGY), Z_OK);
  std::string result(::deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  EXPECT_EQ(::deflate(&stream, Z_FINISH), Z_STREAM_END);
  result.resize(result.size() - stream.avail_out);
  ::deflateEnd(&stream);
  return result;
}

enum class Order { kLittle, kBig };

std::string utf16(std::u16string_view text, Order order) {
  std::string result;
  for (const char16_t unit : text) {
    const char low = static_cast<char>(unit & 0xFF), high = static_cast<char>(unit >> 8);
    result += order == Order::kLittle ? low : high;
    result += order == Order::kLittle ? high : low;
  }
  return result;
}

struct Plain {
  std::string text;
  std::vector<std::string> codes;
};

Plain decoded(std::string_view bytes) {
  auto result = decode(base::make_bytes(bytes), "x");
  if (!result) {
    ADD_FAILURE() << test::to_text(result.error());
    return {};
  }
  // The JSON parser reads in whole vectors.
  const char* end = result->bytes->view().data() + result->bytes->view().size();
  EXPECT_EQ(std::string(end, base::Bytes::kPadding), std::string(base::Bytes::kPadding, '\0'));
  Plain got{.text = std::string(result->bytes->view())};
  for (const model::DiagnosticFacts& fact : result->diagnostics) {
    EXPECT_EQ(fact.file, "x");
    got.codes.emplace_back(fact.code);
  }
  // The head says the same as the whole.
  EXPECT_EQ(decode_head(std::string(bytes), 1 << 20, "x"), got.text);
  return got;
}

TEST(Decode, LeavesTextAlone) {
  for (const std::string_view text : {"", "a", "{}", "\xff", "bad \xff utf-8", "\x1f\x8b",
                                      "\xef\xbb", "ab\0cd\0", "\0\0\0\0\0\0"}) {
    const auto bytes = base::make_bytes(text);
    const auto result = decode(bytes, "x");
    ASSERT_TRUE(result);
    EXPECT_EQ(result->bytes, bytes) << "no copy";
    EXPECT_THAT(result->diagnostics, IsEmpty());
  }
  // Neither a model nor an engine is text of any kind.
  const std::string_view onnx("\x08\x0a\x12\x07pytorch\x1a\x05\x32\x2e\x36\x2e\x30", 18);
  EXPECT_EQ(decoded(onnx).text, onnx);
}

TEST(Decode, ByteOrderMark) {
  const Plain result = decoded("\xef\xbb\xbf{}");
  EXPECT_EQ(result.text, "{}");
  EXPECT_THAT(result.codes, ElementsAre("byte-order-mark"));
}

TEST(Decode, Utf16WithAndWithoutMark) {
  constexpr std::u16string_view kText =
      u"{\"n\": \"é ☃ 🙂\"} and more text to look at, ASCII alone";
  constexpr std::string_view kUtf8 = "{\"n\": \"é ☃ 🙂\"} and more text to look at, ASCII alone";
  for (const Order order : {Order::kLittle, Order::kBig}) {
    const Plain marked = decoded(utf16(u"\ufeff", order) + utf16(kText, order));
    EXPECT_EQ(marked.text, kUtf8);
    EXPECT_THAT(marked.codes, ElementsAre("utf-16"));
    const Plain bare = decoded(utf16(u"[09/01/2024-10:00:00] [I] TensorRT", order));
    EXPECT_EQ(bare.text, "[09/01/2024-10:00:00] [I] TensorRT");
    EXPECT_THAT(bare.codes, ElementsAre("utf-16"));
  }
}

TEST(Decode, HalfCharactersOfUtf16) {
  for (const Order order : {Order::kLittle, Order::kBig}) {
    const std::u16string lone = {u'\xfeff',        u'a', char16_t{0xDC00}, u'b',
                                 char16_t{0xD800}, u'c', char16_t{0xD83D}};
    const Plain result = decoded(utf16(lone, order));
    EXPECT_EQ(result.text,
              "a\xef\xbf\xbd"
              "b\xef\xbf\xbd"
              "c\xef\xbf\xbd");
    EXPECT_THAT(result.codes, ElementsAre("utf-16", "utf-16-damaged"));
    const Plain odd = decoded(utf16(u"\ufeffab", order) + "x");
    EXPECT_EQ(odd.text, "ab\xef\xbf\xbd");
    EXPECT_THAT(odd.codes, ElementsAre("utf-16", "utf-16-damaged"));
  }
}

TEST(Decode, Gzip) {
  const Plain one = decoded(packed("some text"));
  EXPECT_EQ(one.text, "some text");
  EXPECT_THAT(one.codes, ElementsAre("compressed"));
  EXPECT_EQ(decoded(packed("a") + packed("") + packed("b")).text, "ab") << "members of one file";
  EXPECT_EQ(decoded(packed("")).text, "");
  EXPECT_EQ(decoded(packed("text") + std::string(512, '\0')).text, "text") << "padded by tar";
  const Plain both = decoded(packed(utf16(u"\ufeffnames", Order::kLittle)));
  EXPECT_EQ(both.text, "names");
  EXPECT_THAT(both.codes, ElementsAre("compressed", "utf-16"));
  EXPECT_EQ(decoded(packed(packed("inner"))).text, packed("inner")) << "once";
}

TEST(Decode, HeadOfGzip) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += base::format("line {}\n", i);
  const std::string whole = packed(text);
  const std::string head = decode_head(whole.substr(0, 1000), 64, "x").value_or("");
  EXPECT_EQ(head, text.substr(0, 64));
  EXPECT_GT(decode_head(whole.substr(0, 1000), 1 << 20, "x").value_or("").size(), 500u);
}

TEST(Decode, GzipCutAtEveryByte) {
  std::string text(kUnicodeGraph);
  for (int i = 0; i < 100; ++i) text += base::format("{}", i * i);
  const std::string whole = packed(text);
  for (std::size_t length = 3; length < whole.size(); ++length) {
    const auto result = decode(base::make_bytes(whole.substr(0, length)), "x.gz");
    ASSERT_FALSE(result) << length;
    EXPECT_EQ(result.error().code, ErrorCode::kBadInput);
    EXPECT_EQ(result.error().message, "the gzip file is truncated");
    EXPECT_EQ(result.error().file, "x.gz");
  }
}

TEST(Decode, GzipWithEveryByteFlipped) {
  const std::string whole = packed(kUnicodeGraph);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int bit : {0, 3, 7}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      const auto result = decode(base::make_bytes(damaged), "x.gz");
      static_cast<void>(decode_head(damaged, 100, "x"));
      // A flag of the header may have no effect; anything else is detected by the checksum.
      if (!result) {
        EXPECT_EQ(result.error().code, ErrorCode::kBadInput);
      } else if (result->diagnostics.size() == 1) {
        EXPECT_EQ(result->bytes->view(), kUnicodeGraph);
      }
    }
  }
}

TEST(Decode, GzipBomb) {
  // 1 GB of zeros in 1 MB.
  z_stream stream{};
  ASSERT_EQ(::deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY), Z_OK);
  std::string bomb(2 << 20, '\0');
  stream.next_out = reinterpret_cast<Bytef*>(bomb.data());
  stream.avail_out = static_cast<uInt>(bomb.size());
  std::string zeros(1 << 20, '\0');
  for (int i = 0; i < 128; ++i) {
    stream.next_in = reinterpret_cast<Bytef*>(zeros.data());
    stream.avail_in = static_cast<uInt>(zeros.size());
    ASSERT_EQ(::deflate(&stream, i == 127 ? Z_FINISH : Z_NO_FLUSH), i == 127 ? Z_STREAM_END : Z_OK);
  }
  bomb.resize(bomb.size() - stream.avail_out);
  ::deflateEnd(&stream);
  const auto result = decode(base::make_bytes(bomb), "x.gz");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kBadInput);
  EXPECT_THAT(result.error().message, HasSubstr("too large when unpacked"));
  EXPECT_THAT(result.error().hint, HasSubstr("gunzip"));
}

TEST(Decode, TooMuch) {
  EXPECT_EQ(too_much(1, 1 << 20), "") << "small files may be dense";
  EXPECT_EQ(too_much(1 << 20, std::uint64_t{100} << 20), "");
  EXPECT_NE(too_much(1 << 10, std::uint64_t{100} << 20), "");
  EXPECT_NE(too_much(std::uint64_t{1} << 40, kMaxFileBytes + 1), "");
}

TEST(Decode, AnyBytesAtAll) {
  for (const std::string_view start :
       {"\xff\xfe", "\xfe\xff", "\xef\xbb\xbf", "\x1f\x8b\x08", "a"}) {
    std::string bytes(start);
    for (unsigned i = 0; i < 300; ++i) {
      bytes += static_cast<char>(i * 167 + (i >> 3));
      const auto result = decode(base::make_bytes(bytes), "x");
      static_cast<void>(decode_head(bytes, 16, "x"));
      if (result) {
        EXPECT_GE(result->bytes->view().size() + 3, bytes.size() / 2);
      }
    }
  }
}

// --- In an engine ---

TEST(DecodedEngine, IsTheSameInEveryEncoding) {
  PLANEX_NEED_TEST_DATA(data);
  const std::string folder = data + "/engines/mobilenetv2-trt10.1-fp16";
  const std::string graph = test::read_text(folder + "/trt_engine_info.json");
  const std::string profile = test::read_text(folder + "/trt_layer_latency.json");
  const auto load_as = [&](std::string_view ending, auto encode) {
    base::MemoryFiles files;
    files.add(base::format("e/x.graph.json{}", ending), encode(graph));
    files.add(base::format("e/x.profile.json{}", ending), encode(profile));
    const model::PlanModel model = test::must(test::load_completed({.path = "e"}, files));
    const std::string text = test::dump(model);
    return text.substr(0, text.find("\nfiles: "));
  };
  const std::string plain = load_as("", [](const std::string& text) { return text; });
  EXPECT_TRUE(load_as(".gz", [](const std::string& text) { return packed(text); }) == plain);
  EXPECT_TRUE(load_as("", [](const std::string& text) { return "\xef\xbb\xbf" + text; }) == plain);
  const auto wide = [](Order order, bool has_mark) {
    return [=](const std::string& text) {
      std::u16string units = has_mark ? u"\ufeff" : u"";
      units.append(text.begin(), text.end());  // ASCII
      return utf16(units, order);
    };
  };
  EXPECT_TRUE(load_as("", wide(Order::kLittle, true)) == plain);
  EXPECT_TRUE(load_as("", wide(Order::kBig, false)) == plain);
}

TEST(Decode, ColorCodesOfLines) {
  const Plain log = decoded("\x1b[0;32m[I] built\x1b[0m in 3 s\n\x1b[1m[W]\x1b[m odd\n");
  EXPECT_EQ(log.text, "[I] built in 3 s\n[W] odd\n");
  EXPECT_THAT(log.codes, ElementsAre("color-codes"));
  EXPECT_EQ(decoded("[I] \x1b[31mred\x1b[0m\n").text, "[I] red\n");
  EXPECT_EQ(decoded(packed("a \x1b[31mred")).text, "a red");
  // Other codes are not colors; names in JSON and XML, and binary data, stay unchanged.
  for (const std::string_view kept :
       {"a\x1b[2Jb", "{\"a\x1b[31m\": 1}", "[\"\x1b[31m\"]", "[{\"\x1b[31m\": 1}]",
        "<a>\x1b[31m</a>", "\x08\x12\x1b[31m", "\x1b[", "\x1b[31"}) {
    EXPECT_EQ(decoded(kept).text, kept);
    EXPECT_THAT(decoded(kept).codes, IsEmpty());
  }
}

TEST(DecodedEngine, ErrorsSayThatTheTextWasDecoded) {
  const auto model = test::load_completed(
      {.path = "x.json.gz"},
      test::memory_files({{"x.json.gz", packed(R"({"Layers": [{"Name": 3}]})")}}));
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().json_pointer, "/Layers/0/Name");
  EXPECT_THAT(model.error().context, HasSubstr("decoded text"));
}

TEST(DecodedEngine, RawControlCharacters) {
  // As written by TensorRT 8.6: the separators between the parts of Metadata are not escaped.
  constexpr std::string_view kRaw =
      "{\"Layers\": [{\"Name\": \"a\x1e\", \"LayerType\": \"NoOp\", \"Metadata\": "
      "\"[ONNX Layer: x]\x1f[ONNX Layer: y]\"}]}";
  constexpr std::string_view kEscaped =
      R"({"Layers": [{"Name": "a\u001e", "LayerType": "NoOp", "Metadata": )"
      R"("[ONNX Layer: x]\u001f[ONNX Layer: y]"}]})";
  const auto load = [](std::string_view text) {
    return test::must(
        test::load_completed({.path = "x.json"}, test::memory_files({{"x.json", text}})));
  };
  const model::PlanModel raw = load(kRaw), escaped = load(kEscaped);
  EXPECT_EQ(raw.text(raw.layers.name[0]), "a\x1e");
  EXPECT_EQ(raw.text(raw.attributes.value[0]), escaped.text(escaped.attributes.value[0]));
  EXPECT_EQ(raw.sources.row_count(), escaped.sources.row_count());
  EXPECT_THAT(test::diagnostic_codes(raw), testing::Contains("control-characters"));
  EXPECT_EQ(raw.files.row_count(), 1u) << "read a second time, but once in the tables";
}

TEST(DecodedEngine, RawControlCharactersInADamagedFile) {
  const auto model = test::load_completed(
      {.path = "x.json"},
      test::memory_files({{"x.json", "{\"Layers\": [{\"Name\": \"a\x1e\", 3}]}"}}));
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().message, HasSubstr("broken JSON"));
}

}  // namespace
}  // namespace planex::ingest
