#include "base/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace planex::base {
namespace {

namespace fs = std::filesystem;

class DiskTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "planex-files-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override {
    std::error_code ignored;
    fs::permissions(folder_, fs::perms::owner_all, ignored);
    fs::remove_all(folder_, ignored);
  }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::string write(const std::string& name, std::string_view content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }
  static std::string slurp(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
  }
  std::size_t file_count() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }

  std::string folder_;
};

void expect_padding(std::string_view view) {
  for (std::size_t i = 0; i < Bytes::kPadding; ++i) {
    ASSERT_EQ(view.data()[view.size() + i], '\0') << i;
  }
}

TEST(MakeBytes, IsFollowedByZeros) {
  for (const std::string& text : {std::string(), std::string("x"), std::string(100'000, 'y')}) {
    const auto bytes = make_bytes(text);
    EXPECT_EQ(bytes->view(), text);
    expect_padding(bytes->view());
  }
}

TEST_F(DiskTest, ReadsFilesOfAllSizesWithPadding) {
  // From 4 MiB on, files are mapped; a file that ends with a page has no zeros of its own after it.
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  constexpr std::size_t kMapped = 4 << 20;
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, page - 1, page, page + 1, kMapped - 1, kMapped, kMapped + 1,
        kMapped + page, 2 * kMapped + page - 1}) {
    std::string content(size, 'x');
    for (std::size_t i = 0; i < size; i += 97) content[i] = static_cast<char>('a' + i % 26);
    const auto bytes = disk().read(write("f", content));
    ASSERT_TRUE(bytes) << size;
    EXPECT_EQ((*bytes)->view(), content) << size;
    expect_padding((*bytes)->view());
  }
}

TEST_F(DiskTest, AMappedFileOutlivesItsName) {
  const std::string content(5 << 20, 'z');
  const std::string file = write("f", content);
  const auto bytes = disk().read(file);
  ASSERT_TRUE(bytes);
  fs::remove(file);
  EXPECT_EQ((*bytes)->view(), content);
}

TEST_F(DiskTest, AMappedFileThatIsShortenedReadsAsZeros) {
  survive_shortened_files();
  const std::string file = write("large", std::string(std::size_t{5} << 20, 'x'));
  for (const Access access : {Access::kWhole, Access::kSparse}) {
    const auto bytes = disk().read(file, access);
    ASSERT_TRUE(bytes);
    EXPECT_TRUE((*bytes)->is_intact());
    fs::resize_file(file, 5000);
    const std::string_view view = (*bytes)->view();
    EXPECT_EQ(view[4999], 'x');
    EXPECT_EQ(view[view.size() - 1], '\0');
    EXPECT_EQ(view[100'000], '\0');
    EXPECT_FALSE((*bytes)->is_intact());
    EXPECT_TRUE(has_a_file_changed());
    write("large", std::string(std::size_t{5} << 20, 'x'));
  }
}

TEST_F(DiskTest, AMappedFileThatIsWrittenAgainIsNotIntact) {
  const std::string file = write("large", std::string(std::size_t{5} << 20, 'x'));
  const auto bytes = disk().read(file);
  ASSERT_TRUE(bytes);
  std::ofstream(file, std::ios::binary | std::ios::app) << "one more line";
  EXPECT_TRUE((*bytes)->is_intact()) << "it only grew";
  const auto again = disk().read(file);
  fs::last_write_time(file, fs::last_write_time(file) + std::chrono::seconds(2));
  EXPECT_FALSE((*again)->is_intact());
  EXPECT_EQ(changed_error(file).code, ErrorCode::kIo);
}

TEST_F(DiskTest, RefusesDevices) {
  for (const std::string device : {"/dev/zero", "/dev/null"}) {
    EXPECT_EQ(disk().read(device).error().message, "is a device, expected a file");
    EXPECT_EQ(disk().read_head(device, 10).error().message, "is a device, expected a file");
  }
}

TEST_F(DiskTest, ListsFolders) {
  fs::create_directories(path("b/deeper"));
  fs::create_directory(path("a"));
  fs::create_directory_symlink(path("a"), path("link"));
  write("file", "");
  EXPECT_EQ(disk().list_folders(folder_), (std::vector<std::string>{path("a"), path("b")}));
  EXPECT_FALSE(disk().list_folders(path("none")));
}

TEST_F(DiskTest, WritesWhereALinkLeads) {
  fs::create_directory(path("deep"));
  write("deep/real", "old");
  fs::create_symlink("deep/real", path("link"));
  fs::create_symlink(path("link"), path("second"));
  fs::create_symlink("new", path("to-nothing"));
  ASSERT_TRUE(write_file_atomically(path("second"), "content"));
  ASSERT_TRUE(write_file_atomically(path("to-nothing"), "more"));
  EXPECT_EQ(slurp(path("deep/real")), "content");
  EXPECT_EQ(slurp(path("new")), "more");
  for (const std::string name : {"link", "second", "to-nothing"}) {
    EXPECT_TRUE(fs::is_symlink(path(name))) << name;
  }
}

TEST_F(DiskTest, KeepsThePermissionsOfWhatIsReplaced) {
  const std::string file = write("private", "old");
  ASSERT_EQ(::chmod(file.c_str(), 0600), 0);
  ASSERT_TRUE(write_file_atomically(file, "new"));
  struct stat info{};
  ASSERT_EQ(::stat(file.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0600U);
}

TEST_F(DiskTest, WritesAllFilesOfASetOrNone) {
  {
    std::vector<FileWriter> files;
    for (const std::string name : {"a", "b"}) {
      auto file = FileWriter::create(path(name));
      ASSERT_TRUE(file);
      ASSERT_TRUE(file->write(name));
      files.push_back(std::move(*file));
    }
    EXPECT_FALSE(fs::exists(path("a")));
    ASSERT_TRUE(FileWriter::finish_all(files));
  }
  EXPECT_EQ(slurp(path("b")), "b");
  EXPECT_EQ(file_count(), 2U);
}

TEST_F(DiskTest, ASignalLeavesNothingBehind) {
  auto file = FileWriter::create(path("a"));
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->write("half"));
  EXPECT_EQ(file_count(), 1U);
  remove_temporary_files();
  EXPECT_EQ(file_count(), 0U);
}

TEST_F(DiskTest, SaysWhichFileCanNotBeRead) {
  const auto missing = disk().read(path("none"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(missing.error().file, path("none"));
  EXPECT_NE(missing.error().message.find("No such file"), std::string::npos);

  const auto folder = disk().read(folder_);
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(folder.error().message, "is a folder, expected a file");

  const auto head = disk().read_head(path("none"), 10);
  ASSERT_FALSE(head);
  EXPECT_EQ(head.error().file, path("none"));
}

TEST_F(DiskTest, ReadsTheHead) {
  const std::string file = write("f", "0123456789");
  EXPECT_EQ(disk().read_head(file, 4), "0123");
  EXPECT_EQ(disk().read_head(file, 10), "0123456789");
  EXPECT_EQ(disk().read_head(file, 1000), "0123456789");
  EXPECT_EQ(disk().read_head(file, 0), "");
  const std::string large(200'000, 'x');
  EXPECT_EQ(disk().read_head(write("g", large), 150'000), large.substr(0, 150'000));
}

TEST_F(DiskTest, ReadsAPipeToItsEnd) {
  const std::string fifo = path("pipe");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(disk().kind(fifo), PathKind::kOther);
  const std::string content(300'000, 'p');  // more than a pipe holds
  std::thread writer([&] { std::ofstream(fifo, std::ios::binary) << content; });
  const auto bytes = disk().read(fifo);
  writer.join();
  ASSERT_TRUE(bytes);
  EXPECT_EQ((*bytes)->view(), content);
}

TEST_F(DiskTest, KnowsKindsOfPaths) {
  EXPECT_EQ(disk().kind(folder_), PathKind::kFolder);
  EXPECT_EQ(disk().kind(write("f", "")), PathKind::kFile);
  EXPECT_EQ(disk().kind(path("none")), PathKind::kMissing);
  EXPECT_EQ(disk().kind("/dev/null"), PathKind::kOther);
}

TEST_F(DiskTest, ListsRegularFilesSorted) {
  write("b", "22");
  write("a", "1");
  write("C", "");
  fs::create_directory(path("sub"));
  fs::create_symlink("missing", path("broken-link"));
  const auto entries = disk().list(folder_);
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 3u);
  EXPECT_EQ((*entries)[0].path, path("C"));
  EXPECT_EQ((*entries)[1].path, path("a"));
  EXPECT_EQ((*entries)[1].size_bytes, 1u);
  EXPECT_EQ((*entries)[2].path, path("b"));
  EXPECT_EQ((*entries)[2].size_bytes, 2u);
  const auto missing = disk().list(path("none"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(missing.error().file, path("none"));
}

TEST_F(DiskTest, WritesAtomically) {
  const std::string file = path("out");
  ASSERT_TRUE(write_file_atomically(file, "first"));
  EXPECT_EQ(slurp(file), "first");
  ASSERT_TRUE(write_file_atomically(file, ""));
  EXPECT_EQ(slurp(file), "");
  const std::string large(5 << 20, 'w');
  ASSERT_TRUE(write_file_atomically(file, large));
  EXPECT_EQ(slurp(file), large);
  EXPECT_EQ(file_count(), 1u);  // nothing temporary is left
  // The temporary name must not exceed the maximum length of the name itself.
  EXPECT_TRUE(write_file_atomically(path(std::string(255, 'n')), "x"));
}

TEST_F(DiskTest, WritesPieceByPiece) {
  const std::string file = write("out", "old");
  {
    auto writer = FileWriter::create(file);
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->write("one "));
    ASSERT_TRUE(writer->write(""));
    ASSERT_TRUE(writer->write("two"));
    EXPECT_EQ(slurp(file), "old") << "until it is finished";
    FileWriter moved = std::move(*writer);
    ASSERT_TRUE(moved.finish());
  }
  EXPECT_EQ(slurp(file), "one two");
  {
    auto given_up = FileWriter::create(file);
    ASSERT_TRUE(given_up);
    ASSERT_TRUE(given_up->write("half"));
  }
  EXPECT_EQ(slurp(file), "one two");
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(DiskTest, AFailedWriteLeavesNothingBehind) {
  const auto no_folder = write_file_atomically(path("none/out"), "x");
  ASSERT_FALSE(no_folder);
  EXPECT_EQ(no_folder.error().code, ErrorCode::kIo);
  EXPECT_EQ(no_folder.error().file, path("none/out"));
  EXPECT_EQ(file_count(), 0u);

  fs::create_directory(path("folder"));
  const auto is_folder = write_file_atomically(path("folder"), "x");
  ASSERT_FALSE(is_folder);
  EXPECT_EQ(is_folder.error().code, ErrorCode::kIo);
  EXPECT_EQ(file_count(), 1u);

  // A full disk: the write itself fails, and the device is not unlinked.
  const auto full = write_file_atomically("/dev/full", "x");
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().code, ErrorCode::kIo);
  EXPECT_EQ(full.error().file, "/dev/full");
  EXPECT_TRUE(fs::exists("/dev/full"));
}

TEST_F(DiskTest, WritesToADeviceInPlace) {
  EXPECT_TRUE(write_file_atomically("/dev/null", "x"));
  EXPECT_EQ(disk().kind("/dev/null"), PathKind::kOther);
}

TEST_F(DiskTest, KeepsTheOldFileWhenTheNewOneFails) {
  const std::string file = write("out", "old");
  // Only the process of another user can be prevented from writing by permissions.
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_FALSE(write_file_atomically(file, "new"));
  EXPECT_EQ(slurp(file), "old");
}

TEST(Bytes, AdoptedTextIsPadded) {
  for (const std::size_t size : {0u, 1u, 15u, 16u, 64u, 4096u}) {
    const auto bytes = adopt_bytes(std::string(size, 'x'));
    EXPECT_EQ(bytes->view(), std::string(size, 'x'));
    for (std::size_t i = 0; i < Bytes::kPadding; ++i) EXPECT_EQ(bytes->view().data()[size + i], 0);
  }
}

TEST(MemoryFiles, BehavesLikeADisk) {
  MemoryFiles files;
  files.add("dir/a.json", "{}");
  files.add("dir/b.json", "[1]");
  files.add("dir/sub/c.json", "");
  files.add("top.json", "t");
  EXPECT_EQ(files.kind("dir"), PathKind::kFolder);
  EXPECT_EQ(files.kind("dir/sub"), PathKind::kFolder);
  EXPECT_EQ(files.kind("dir/a.json"), PathKind::kFile);
  EXPECT_EQ(files.kind("di"), PathKind::kMissing);
  EXPECT_EQ(files.kind("dir/a"), PathKind::kMissing);
  EXPECT_EQ(files.kind(""), PathKind::kFolder);
  EXPECT_EQ(files.kind("."), PathKind::kFolder);

  const auto entries = files.list("dir");
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 2u);
  EXPECT_EQ((*entries)[1].path, "dir/b.json");
  EXPECT_EQ((*entries)[1].size_bytes, 3u);
  EXPECT_EQ(files.list("")->size(), 1u);
  const auto missing_folder = files.list("none");
  ASSERT_FALSE(missing_folder);
  EXPECT_EQ(missing_folder.error().code, ErrorCode::kNotFound);

  const auto bytes = files.read("dir/b.json");
  ASSERT_TRUE(bytes);
  EXPECT_EQ((*bytes)->view(), "[1]");
  expect_padding((*bytes)->view());
  EXPECT_EQ(files.read_head("dir/b.json", 2), "[1");
  const auto missing = files.read("dir/none");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(missing.error().file, "dir/none");

  files.add("top.json", "replaced");
  EXPECT_EQ((*files.read("top.json"))->view(), "replaced");
}

TEST(Paths, SplitAndJoin) {
  EXPECT_EQ(folder_of("dir/sub/name.ext"), "dir/sub");
  EXPECT_EQ(folder_of("name.ext"), "");
  EXPECT_EQ(folder_of("/name"), "/");
  EXPECT_EQ(folder_of("dir/"), "dir");
  EXPECT_EQ(file_name_of("dir/sub/name.ext"), "name.ext");
  EXPECT_EQ(file_name_of("name"), "name");
  EXPECT_EQ(file_name_of("dir/"), "");
  EXPECT_EQ(join_path("dir", "name"), "dir/name");
  EXPECT_EQ(join_path("dir/", "name"), "dir/name");
  EXPECT_EQ(join_path("/", "name"), "/name");
  EXPECT_EQ(join_path("", "name"), "name");
}

}  // namespace
}  // namespace planex::base
