#include "base/confined_disk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace planex::base {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;

// served/ is given; secret.txt and other/ are beside it.
class ConfinedDiskTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "planex-confined-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    // The folder for temporary files can itself be a link.
    folder_ = fs::canonical(pattern).string();
    fs::create_directories(folder_ + "/served/run/deep");
    fs::create_directories(folder_ + "/other");
    write("secret.txt", "secret");
    write("other/a.json", "other");
    write("served/a.json", "a");
    write("served/run/b.json", "bb");
    write("served/run/deep/c.json", "ccc");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, std::string_view content) const {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << content;
  }
  std::string at(const std::string& name) const { return folder_ + "/" + name; }
  std::unique_ptr<FileSource> served() const {
    auto disk = confined_disk({at("served")});
    EXPECT_TRUE(disk.has_value());
    return std::move(*disk);
  }
  static bool can_read(const FileSource& disk, const std::string& path) {
    const auto bytes = disk.read(path);
    const auto head = disk.read_head(path, 3);
    EXPECT_EQ(bytes.has_value(), head.has_value()) << path;
    EXPECT_EQ(bytes.has_value(), disk.kind(path) == PathKind::kFile) << path;
    return bytes.has_value();
  }
  std::vector<std::string> names(const FileSource& disk, const std::string& folder) const {
    std::vector<std::string> found;
    const auto entries = disk.list(at(folder));
    if (!entries) return {"(error)"};
    for (const FileEntry& entry : *entries) {
      found.push_back(entry.path.substr(folder_.size() + 1));
    }
    return found;
  }

  std::string folder_;
};

TEST_F(ConfinedDiskTest, ReadsWhatIsBelowAFolder) {
  const auto disk = served();
  EXPECT_EQ((*disk->read(at("served/run/b.json")))->view(), "bb");
  EXPECT_EQ(*disk->read_head(at("served/run/deep/c.json"), 2), "cc");
  EXPECT_EQ(disk->kind(at("served")), PathKind::kFolder);
  EXPECT_THAT(names(*disk, "served"), ElementsAre("served/a.json"));
  EXPECT_THAT(*disk->list_folders(at("served")), ElementsAre(at("served/run")));
  const auto entries = disk->list(at("served"));
  EXPECT_EQ((*entries)[0].size_bytes, 1u);
  EXPECT_GT((*entries)[0].modified_ns.value(), 0);
}

TEST_F(ConfinedDiskTest, NothingOutsideIsThere) {
  const auto disk = served();
  for (const std::string path :
       {"secret.txt", "other/a.json", "served/../secret.txt", "served/run/../../secret.txt",
        "served2", "served/a.json/../../secret.txt"}) {
    EXPECT_FALSE(can_read(*disk, at(path))) << path;
  }
  EXPECT_FALSE(can_read(*disk, "/etc/passwd"));
  EXPECT_EQ(disk->kind(folder_), PathKind::kMissing);
  EXPECT_FALSE(disk->list(folder_).has_value());
  EXPECT_FALSE(disk->list_folders(at("other")).has_value());
  // A neighbour whose name begins the same.
  fs::create_directories(at("served-too"));
  write("served-too/x", "x");
  EXPECT_FALSE(can_read(*disk, at("served-too/x")));
}

TEST_F(ConfinedDiskTest, LinksThatLeaveAreNotFollowed) {
  fs::create_symlink(at("secret.txt"), at("served/out.json"));
  fs::create_symlink("../other", at("served/out"));
  fs::create_symlink("run/b.json", at("served/in.json"));
  fs::create_symlink("run", at("served/latest"));
  fs::create_symlink("out.json", at("served/twice.json"));
  const auto disk = served();
  EXPECT_FALSE(can_read(*disk, at("served/out.json")));
  EXPECT_FALSE(can_read(*disk, at("served/twice.json")));
  EXPECT_FALSE(can_read(*disk, at("served/out/a.json")));
  EXPECT_FALSE(disk->list(at("served/out")).has_value());
  EXPECT_TRUE(can_read(*disk, at("served/in.json")));
  EXPECT_TRUE(can_read(*disk, at("served/latest/b.json")));
  EXPECT_THAT(names(*disk, "served"), ElementsAre("served/a.json", "served/in.json"));
  // Descending visits every folder once.
  EXPECT_THAT(*disk->list_folders(at("served")), ElementsAre(at("served/run")));
}

TEST_F(ConfinedDiskTest, AFolderThatBecameALinkIsJudgedByWhereItLeads) {
  const auto disk = served();
  EXPECT_TRUE(can_read(*disk, at("served/run/b.json")));
  fs::remove_all(at("served/run"));
  fs::create_directory_symlink(at("other"), at("served/run"));
  EXPECT_FALSE(can_read(*disk, at("served/run/a.json")));
}

TEST_F(ConfinedDiskTest, PipesAndDevicesAreNoFiles) {
  ASSERT_EQ(::mkfifo(at("served/pipe").c_str(), 0600), 0);
  const auto disk = served();
  EXPECT_FALSE(can_read(*disk, at("served/pipe")));
  EXPECT_THAT(names(*disk, "served"), ElementsAre("served/a.json"));
  EXPECT_EQ(confined_disk({"/dev/null"}).error().code, ErrorCode::kUsage);
}

TEST_F(ConfinedDiskTest, AFileHasTheFilesBesideIt) {
  const auto disk = confined_disk({at("served/a.json")});
  ASSERT_TRUE(disk.has_value());
  write("served/a.profile.json", "p");
  EXPECT_TRUE(can_read(**disk, at("served/a.json")));
  EXPECT_TRUE(can_read(**disk, at("served/a.profile.json")));
  EXPECT_FALSE(can_read(**disk, at("served/run/b.json")));
  EXPECT_FALSE(can_read(**disk, at("secret.txt")));
}

TEST_F(ConfinedDiskTest, AFileThatIsALinkIsTheOneItLeadsTo) {
  fs::create_symlink(at("other/a.json"), at("served/run/link.json"));
  const auto disk = confined_disk({at("served/run/link.json")});
  ASSERT_TRUE(disk.has_value());
  EXPECT_EQ((*(*disk)->read(at("served/run/link.json")))->view(), "other");
  EXPECT_TRUE(can_read(**disk, at("served/run/b.json")));
  write("other/b.json", "x");
  EXPECT_FALSE(can_read(**disk, at("other/b.json")));
}

TEST_F(ConfinedDiskTest, APlaceMustBeThere) {
  EXPECT_EQ(confined_disk({at("none")}).error().code, ErrorCode::kNotFound);
}

TEST(MemoryFiles, FoldersOfAFolder) {
  MemoryFiles files;
  files.add("a/x", "1");
  files.add("a-b/x", "1");
  files.add("a/c/y", "1");
  files.add("z", "1");
  EXPECT_THAT(*files.list_folders(""), ElementsAre("a", "a-b"));
  EXPECT_THAT(*files.list_folders("a"), ElementsAre("a/c"));
  EXPECT_FALSE(files.list_folders("none").has_value());
}

}  // namespace
}  // namespace planex::base
