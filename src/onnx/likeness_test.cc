#include "onnx/likeness.h"

#include <gtest/gtest.h>

#include <string>

#include "onnx/test_message.h"
#include "support/test_data.h"

namespace planex::onnx {
namespace {

TEST(Likeness, Models) {
  const std::string file = model_message(node_field("Conv", {"x", "w"}, "y", "conv"));
  EXPECT_EQ(likeness(file), Likeness::kStrong);
  // Cut anywhere, as the head of a file is, it never looks like something else.
  for (std::size_t size = 1; size < file.size(); ++size) {
    const Likeness found = likeness(std::string_view(file).substr(0, size));
    EXPECT_TRUE(size <= 12 || found != Likeness::kNone) << size;
  }
  // Without any node in view.
  EXPECT_EQ(likeness(varint_field(1, 8) + bytes_field(2, "pytorch")), Likeness::kSome);
}

TEST(Likeness, OtherFiles) {
  EXPECT_EQ(likeness(""), Likeness::kNone);
  EXPECT_EQ(likeness("{\"Layers\": []}"), Likeness::kNone);
  EXPECT_EQ(likeness("\n\nhello"), Likeness::kNone);
  EXPECT_EQ(likeness("ftrt\x01\x00\x00\x00"), Likeness::kNone) << "a TensorRT plan";
  EXPECT_EQ(likeness(std::string_view("\x7f"
                                      "ELF\x02\x01\x01\x00",
                                      8)),
            Likeness::kNone);
  EXPECT_EQ(likeness("PK\x03\x04"), Likeness::kNone);
  EXPECT_EQ(likeness(std::string(64, '\0')), Likeness::kNone);
  // TensorFlow's SavedModel: a version, then a message where ONNX has text.
  EXPECT_EQ(likeness(varint_field(1, 1) + bytes_field(2, bytes_field(1, bytes_field(2, "\x01")))),
            Likeness::kNone);
  // Its GraphDef: nodes from the first byte on.
  EXPECT_EQ(likeness(bytes_field(1, bytes_field(1, "x") + bytes_field(2, "Placeholder"))),
            Likeness::kNone);
  // Core ML: a version, then a description.
  EXPECT_EQ(likeness(varint_field(1, 4) + bytes_field(2, bytes_field(1, bytes_field(1, "in")))),
            Likeness::kNone);
}

TEST(Likeness, RealFiles) {
  PLANEX_NEED_TEST_DATA(data);
  for (const std::string& path : test::files_below(data, {""})) {
    const std::string head = test::read_text(path).substr(0, 65536);
    const bool is_model = path.ends_with(".onnx");
    EXPECT_EQ(likeness(head), is_model ? Likeness::kStrong : Likeness::kNone) << path;
  }
}

}  // namespace
}  // namespace planex::onnx
