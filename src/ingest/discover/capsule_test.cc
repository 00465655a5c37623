#include "ingest/discover/capsule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "archive/zip_writer.h"
#include "base/sha256.h"
#include "base/text.h"
#include "ingest/discover/archive.h"
#include "ingest/discover/discover.h"
#include "ingest/discover/load.h"
#include "support/test_data.h"

namespace planex::ingest {
namespace {

using archive::zip_text;
using archive::ZipMember;
using model::MemberState;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kPlan =
    R"({"schema":"planex.plan/1","layers":[{"name":"a","median_ms":2.0},{"name":"b"}]})";

std::string list_of(std::string_view plan, std::string_view more = {}) {
  return base::format(
      R"({{"schema":"planex.capsule/1","engine":"mine","is_name_given":true{},"files":[)"
      R"({{"file":"a.plan.json","kind":"planex-plan","evidence":"the only layer file here",)"
      R"("is_engine":true,"size_bytes":{},"sha256":"{}"}}]}})",
      more, plan.size(), base::sha256_of(plan));
}

std::string zipped(const std::vector<std::pair<std::string, std::string>>& files) {
  std::vector<ZipMember> members;
  for (const auto& [name, text] : files) members.push_back({name, base::make_bytes(text)});
  auto zip = zip_text(members, "x.planex");
  EXPECT_TRUE(zip) << zip.error().message;
  return zip ? *zip : std::string();
}

base::MemoryFiles capsule(std::string_view list, std::string_view plan = kPlan) {
  base::MemoryFiles files;
  files.add("x.planex",
            zipped({{"capsule.json", std::string(list)}, {"a.plan.json", std::string(plan)}}));
  return files;
}

TEST(Capsule, OpensAsItsListSays) {
  const base::MemoryFiles files = capsule(list_of(kPlan));
  const auto model = load({.path = "x.planex"}, files);
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(model->layers.row_count(), 2u);
  EXPECT_EQ(model->text(model->engine.name[0]), "mine");
  EXPECT_EQ(model->text(model->files.evidence[0]), "the only layer file here");
  EXPECT_THAT(*engine_paths("x.planex", files), ElementsAre("x.planex"));
  // A file in it is a file.
  EXPECT_TRUE(load({.path = "x.planex/a.plan.json"}, files));
  const auto check = check_capsule("x.planex", files);
  ASSERT_TRUE(check);
  EXPECT_TRUE(check->is_intact());
  EXPECT_EQ(check->engine, "mine");
}

TEST(Capsule, AlteredMember) {
  std::string other(kPlan);
  other[other.find("2.0")] = '3';
  const base::MemoryFiles files = capsule(list_of(kPlan), other);
  const auto model = load({.path = "x.planex"}, files);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::kBadInput);
  EXPECT_EQ(model.error().file, "x.planex/a.plan.json");
  EXPECT_THAT(model.error().context, HasSubstr(base::sha256_of(other)));
  const auto check = check_capsule("x.planex", files);
  ASSERT_TRUE(check);
  EXPECT_EQ(check->members[0].state, MemberState::kAltered);
}

TEST(Capsule, KindOfALaterVersion) {
  std::string list = list_of(kPlan);
  list.replace(list.find("planex-plan"), 11, "planex-next");
  const auto model = load({.path = "x.planex"}, capsule(list));
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(model.error().message, HasSubstr("planex-next"));
}

TEST(Capsule, WrongLists) {
  const auto error = [](std::string_view text) {
    const auto list = read_capsule_list(base::make_bytes(text), "c.json");
    return list ? std::string("none") : list.error().json_pointer + ": " + list.error().message;
  };
  EXPECT_THAT(error("{}"), HasSubstr("schema"));
  EXPECT_THAT(error(R"({"schema":"planex.capsule/2"})"), HasSubstr("planex.capsule"));
  EXPECT_THAT(error(R"({"schema":"planex.capsule/1","files":3})"), HasSubstr("/files: "));
  EXPECT_THAT(error(R"({"schema":"planex.capsule/1","files":[]})"), HasSubstr("expected 1"));
  EXPECT_THAT(error(R"({"schema":"planex.capsule/1","files":[{"file":"a"}]})"),
              HasSubstr("/files/0: "));
  EXPECT_THAT(error(R"({"schema":"planex.capsule/1","run":"x"})"), HasSubstr("/run: "));
}

// A list that does not belong to a capsule is a file like any other.
TEST(Capsule, ListOfAnotherKind) {
  const auto model = load({.path = "x.planex"}, capsule(R"({"schema":"other/1"})"));
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_FALSE(check_capsule("x.planex", capsule(R"({"schema":"other/1"})")));
}

// It is read like any archive, with a note that its integrity can't be checked.
TEST(Capsule, WithoutItsListSaysSo) {
  for (const std::string_view list : {"", "xxxx", R"({"a":1})"}) {
    base::MemoryFiles files;
    std::vector<std::pair<std::string, std::string>> members = {
        {"a.plan.json", std::string(kPlan)}};
    if (!list.empty()) members.emplace_back("capsule.json", list);
    files.add("x.planex", zipped(members));
    files.add("x.zip", zipped(members));
    const auto has_remark = [&](const std::string& path) {
      const auto model = load({.path = path}, files);
      EXPECT_TRUE(model) << model.error().message;
      for (std::size_t row = 0; model && row < model->diagnostics.row_count(); ++row) {
        if (model->text(model->diagnostics.code[row]) == "capsule-without-list") return true;
      }
      return false;
    };
    EXPECT_TRUE(has_remark("x.planex")) << list;
    EXPECT_FALSE(has_remark("x.zip")) << list;
  }
}

TEST(Capsule, DamagedListsAreErrorsOrRead) {
  const std::string whole = list_of(kPlan, R"(,"profile_index":0,"run":null)");
  std::mt19937 random(7);
  std::size_t read_count = 0;
  for (int round = 0; round < 2'000; ++round) {
    std::string list = whole;
    const auto place = [&] { return random() % list.size(); };
    switch (random() % 4) {
      case 0:
        list[place()] = static_cast<char>(random() % 256);
        break;
      case 1:
        list.resize(place());
        break;
      case 2:
        list.insert(place(), "99999999999999999999");
        break;
      default:
        list.insert(place(), list.substr(place(), 40));
        break;
    }
    const base::MemoryFiles files = capsule(list);
    const auto model = load({.path = "x.planex"}, files);
    read_count += model ? 1 : 0;
    if (!model) {
      EXPECT_FALSE(model.error().message.empty()) << list;
      EXPECT_NE(model.error().code, ErrorCode::kInternal) << list;
    }
    const auto check = check_capsule("x.planex", files);
    EXPECT_TRUE(check || check.error().code != ErrorCode::kInternal) << list;
  }
  EXPECT_GT(read_count, 0u);
}

TEST(ZipWriter, SameBytesAndReadBack) {
  const std::string zeros(1 << 20, '\0');
  const std::vector<std::pair<std::string, std::string>> files = {
      {"b.txt", "b"}, {"a/\xc3\xa9.txt", zeros}, {"empty", ""}};
  const std::string zip = zipped(files);
  EXPECT_EQ(zipped(files), zip);
  EXPECT_LT(zip.size(), 5'000u);
  const auto archive = ArchiveFiles::open(base::make_bytes(zip), "x.zip");
  ASSERT_TRUE(archive);
  EXPECT_EQ((*archive)->member_count(), 3u);
  for (const auto& [name, text] : files) {
    const auto bytes = (*archive)->read("x.zip/" + name);
    ASSERT_TRUE(bytes) << name;
    EXPECT_TRUE((*bytes)->view() == text) << name;
  }
  // Two files of one name are a mistake of the caller.
  const ZipMember twice{"a", base::make_bytes("x")};
  EXPECT_FALSE(zip_text(std::vector<ZipMember>{twice, twice}, "x.zip"));
}

}  // namespace
}  // namespace planex::ingest
