#include "serve/engine_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <random>
#include <thread>

#include "base/text.h"
#include "serve/documents.h"

namespace planex::serve {
namespace {

using render::EngineState;
using ::testing::HasSubstr;
using ::testing::Not;

std::string graph(std::string_view name) {
  return base::format(R"({{"Layers": [{{"Name": "{}", "LayerType": "NoOp"}}]}})", name);
}

class EngineListTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::random_device random;
    folder_ = base::format("{}planex-list-{}-{}", ::testing::TempDir(), random(), random());
    ASSERT_TRUE(std::filesystem::create_directories(folder_));
  }
  void TearDown() override {
    list_.reset();
    std::filesystem::remove_all(folder_);
  }

  void write(const std::string& name, std::string_view content) const {
    const std::filesystem::path path = folder_ + "/" + name;
    std::filesystem::create_directories(path.parent_path());
    ASSERT_TRUE(base::write_file_atomically(path, content));
  }

  void start(ListOptions options) {
    if (options.places.empty()) options.places = {folder_};
    options.look_every = std::chrono::milliseconds(5);
    options.rest = std::chrono::milliseconds(0);
    auto list = EngineList::start(std::move(options));
    ASSERT_TRUE(list) << list.error().message;
    list_ = std::move(*list);
  }

  // Waits until this is true for the list.
  void until(const std::function<bool(const std::string&)>& is_true) const {
    while (!is_true(list_->listing()->json)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
  void until_has(const std::string& part) const {
    until([&](const std::string& json) { return json.find(part) != json.npos; });
  }

  // The ids in the order in which they are listed.
  std::vector<std::string> ids() const {
    std::vector<std::string> found;
    const std::string json = list_->listing()->json;
    constexpr std::string_view kKey = "{\"id\":\"";
    const std::size_t end = json.find("\"trends\"");
    for (std::size_t at = json.find(kKey); at < end; at = json.find(kKey, at + 1)) {
      found.push_back(json.substr(at + kKey.size(), 32));
    }
    return found;
  }

  static DroppedFiles dropped(std::string_view layer) {
    DroppedFiles files{.files = std::make_unique<base::MemoryFiles>(), .count = 1};
    const std::string content = graph(layer);
    files.size_bytes = content.size();
    files.files->add("x.graph.json", content);
    return files;
  }

  std::string folder_;
  std::unique_ptr<EngineList> list_;
};

TEST_F(EngineListTest, FollowsItsFiles) {
  write("a/x.graph.json", "{\"Layers\": [");
  start({});
  until_has(R"("state":"failed")");
  ASSERT_EQ(ids().size(), 1U);
  const std::string id = ids()[0];
  const auto broken = list_->find(id);
  ASSERT_TRUE(broken);
  EXPECT_EQ(broken->state, EngineState::kFailed);

  write("a/x.graph.json", graph("whole"));
  until_has(R"("state":"ready")");
  const auto whole = list_->find(id);
  EXPECT_EQ(whole->state, EngineState::kReady);
  EXPECT_NE(whole->stamp, broken->stamp);

  // The same length: only the date shows the change.
  write("a/x.graph.json", graph("zebra"));
  while (list_->find(id)->stamp == whole->stamp || list_->find(id)->state != EngineState::kReady) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }

  // A new file may belong to the engine.
  const std::string before = list_->find(id)->stamp;
  write("a/x.profile.json", R"([{"count": 1}, {"name": "zebra", "timeMs": 2, "averageMs": 2}])");
  while (list_->find(id)->stamp == before) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }

  write("b/x.graph.json", graph("second"));
  until([&](const std::string&) { return ids().size() == 2; });
  std::filesystem::remove_all(folder_ + "/a");
  until([&](const std::string&) { return ids().size() == 1; });
  EXPECT_FALSE(list_->find(id));
}

TEST_F(EngineListTest, VersionsAreOfTheEnginesAndTheirFiles) {
  const EngineToOpen one{.id = "1", .path = "a", .files = nullptr, .stamp = "s"};
  const EngineToOpen two{.id = "2", .path = "b", .files = nullptr, .stamp = "s"};
  EngineToOpen changed = one;
  changed.stamp = "t";
  EXPECT_EQ(version_of({one, two}), version_of({one, two}));
  EXPECT_NE(version_of({one, two}), version_of({two, one}));
  EXPECT_NE(version_of({one}), version_of({one, two}));
  EXPECT_NE(version_of({one}), version_of({changed}));
  EXPECT_EQ(version_of({one}).size(), 32U);
}

TEST_F(EngineListTest, TheOldestDroppedFilesMakeRoom) {
  const std::uint64_t size = dropped("aa").size_bytes;
  start({.max_dropped_bytes = 2 * size});
  const auto first = list_->add_dropped(dropped("aa"));
  const auto second = list_->add_dropped(dropped("bb"));
  ASSERT_TRUE(first && second);
  EXPECT_EQ(list_->add_dropped(dropped("aa")).value(), *first) << "the same files";
  // Requesting the first one makes it the more recent one.
  EXPECT_TRUE(list_->find(first->front()));
  const auto third = list_->add_dropped(dropped("cc"));
  ASSERT_TRUE(third);
  EXPECT_TRUE(list_->find(first->front()));
  EXPECT_FALSE(list_->find(second->front()));
  EXPECT_TRUE(list_->find(third->front()));
}

TEST_F(EngineListTest, DroppedFilesThatNobodyAsksForAreForgotten) {
  start({.keep_dropped = std::chrono::minutes(0)});
  ASSERT_TRUE(list_->add_dropped(dropped("aa")));
  until([&](const std::string&) { return ids().empty(); });
}

TEST_F(EngineListTest, FilesWithoutAnEngineAreRefused) {
  start({});
  DroppedFiles nothing{.files = std::make_unique<base::MemoryFiles>(), .count = 1};
  nothing.files->add("notes.txt", "nothing");
  const auto refused = list_->add_dropped(std::move(nothing));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kBadInput);
}

TEST_F(EngineListTest, PlacesMustBeThere) {
  EXPECT_FALSE(EngineList::start({.places = {folder_ + "/none"}}));
}

// --- What is made of the engines ---

class DocumentsTest : public EngineListTest {
 protected:
  // The only engine, read.
  std::vector<EngineToOpen> engine() const {
    until_has(R"("state":"ready")");
    return {list_->find(ids()[0]).value()};
  }
};

TEST_F(DocumentsTest, AreMadeOnceForOneVersion) {
  write("a/x.graph.json", graph("first"));
  start({});
  Documents documents;
  const auto engines = engine();
  const auto made = documents.document(Document::kData, engines);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(documents.document(Document::kData, engines).value(), *made);
  EXPECT_NE(documents.document(Document::kPage, engines).value(), *made);

  write("a/x.graph.json", graph("zebra"));
  // A file that is being written may contain no engine for a moment.
  auto newer = list_->find(engines[0].id);
  while (!newer || newer->stamp == engines[0].stamp) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    newer = list_->find(engines[0].id);
  }
  const auto reopened = documents.document(Document::kData, {*newer});
  ASSERT_TRUE(reopened);
  EXPECT_THAT(**reopened, HasSubstr("zebra"));
  EXPECT_THAT(**made, Not(HasSubstr("zebra")));
}

TEST_F(DocumentsTest, WhatIsBeingSentHasALimit) {
  write("a/x.graph.json", graph("first"));
  write("b/x.graph.json", graph("second"));
  start({});
  until([&](const std::string& json) {
    return ids().size() == 2 && json.find("waiting") == json.npos;
  });
  const std::vector<EngineToOpen> first = {list_->find(ids()[0]).value()};
  const std::vector<EngineToOpen> second = {list_->find(ids()[1]).value()};
  // Nothing is kept, and a single document already exceeds the limit.
  Documents documents({.max_kept_bytes = 0, .max_sent_bytes = 1});
  auto held = documents.document(Document::kData, first);
  ASSERT_TRUE(held);
  const auto refused = documents.document(Document::kData, second);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kCancelled);
  held->reset();
  EXPECT_TRUE(documents.document(Document::kData, second));
}

TEST_F(DocumentsTest, AnEngineThatCannotBeReadIsAnErrorEachTime) {
  write("a/x.graph.json", "{\"Layers\": [");
  start({});
  until_has(R"("state":"failed")");
  const std::vector<EngineToOpen> broken = {list_->find(ids()[0]).value()};
  Documents documents;
  EXPECT_FALSE(documents.document(Document::kPage, broken));
  EXPECT_FALSE(documents.document(Document::kPage, broken));
  EXPECT_FALSE(documents.query(broken, "select 1", Format::kJson, {}));
}

TEST_F(DocumentsTest, QueriesAnswer) {
  write("a/x.graph.json", graph("first"));
  start({});
  Documents documents;
  const auto engines = engine();
  const auto answer = documents.query(engines, "select name from layers", Format::kCsv, {});
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(*answer, "name\r\nfirst\r\n");
  EXPECT_FALSE(documents.query(engines, "delete from layers", Format::kCsv, {}));
}

}  // namespace
}  // namespace planex::serve
