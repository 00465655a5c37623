#include "base/file_pieces.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace planex::base {
namespace {

namespace fs = std::filesystem;

class Pieces : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "planex-pieces-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    std::ofstream(folder_ + "/a", std::ios::binary) << "0123456789";
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string folder_;
};

TEST_F(Pieces, AreReadWhereTheyAre) {
  const auto file = FilePieces::open(folder_ + "/a");
  ASSERT_TRUE(file);
  EXPECT_EQ((*file)->size_bytes(), 10U);
  std::string piece(3, '\0');
  ASSERT_TRUE((*file)->read(4, piece));
  EXPECT_EQ(piece, "456");
  ASSERT_TRUE((*file)->read(0, piece));
  EXPECT_EQ(piece, "012");
  EXPECT_TRUE((*file)->read(10, {}));
}

TEST_F(Pieces, BeyondTheEndOfTheFileThereIsNone) {
  const auto file = FilePieces::open(folder_ + "/a");
  ASSERT_TRUE(file);
  std::string piece(3, '\0');
  const auto read = (*file)->read(8, piece);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::kIo);
  EXPECT_EQ(read.error().file, folder_ + "/a");
}

TEST_F(Pieces, OnlyFilesHaveThem) {
  EXPECT_EQ(FilePieces::open(folder_).error().code, ErrorCode::kBadInput);
  EXPECT_EQ(FilePieces::open(folder_ + "/none").error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace planex::base
