#include "base/string_pool.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace planex::base {
namespace {

TEST(StringPool, GivesEqualTextsOneId) {
  StringPool pool;
  const StringId a = pool.intern("Convolution");
  const StringId b = pool.intern("Reformat");
  EXPECT_NE(a, b);
  EXPECT_EQ(pool.intern(std::string("Convolution")), a);
  EXPECT_EQ(pool.view(a), "Convolution");
  EXPECT_EQ(pool.find("Reformat"), b);
  EXPECT_TRUE(pool.find("NoOp").is_null());
  EXPECT_EQ(pool.size(), 2u);
}

TEST(StringPool, HoldsTheEmptyText) {
  StringPool pool;
  EXPECT_TRUE(pool.find("").is_null());
  const StringId empty = pool.intern("");
  EXPECT_FALSE(empty.is_null());
  EXPECT_EQ(pool.view(empty), "");
  EXPECT_EQ(pool.intern(std::string_view{}), empty);
  EXPECT_EQ(pool.view(StringId()), "");  // the null id
}

TEST(StringPool, AddDoesNotLookForEquals) {
  StringPool pool;
  const StringId interned = pool.intern("x");
  const StringId added = pool.add("x");
  EXPECT_NE(interned, added);
  EXPECT_EQ(pool.view(added), "x");
  EXPECT_EQ(pool.find("x"), interned);
  // A text that was only added can't be found.
  pool.add("y");
  EXPECT_TRUE(pool.find("y").is_null());
}

TEST(StringPool, CopiesOrBorrows) {
  StringPool pool;
  std::string text = "changes later";
  const StringId copy = pool.add(text, Lifetime::kCopy);
  const StringId borrowed = pool.add(text, Lifetime::kBorrow);
  EXPECT_NE(pool.view(copy).data(), text.data());
  EXPECT_EQ(pool.view(borrowed).data(), text.data());
  text[0] = 'C';
  EXPECT_EQ(pool.view(copy), "changes later");
  EXPECT_EQ(pool.view(borrowed), "Changes later");
}

TEST(StringPool, KeepsTextsWithZeroBytesApart) {
  StringPool pool;
  const std::string_view a("x\0a", 3), b("x\0b", 3);
  EXPECT_NE(pool.intern(a), pool.intern(b));
  EXPECT_EQ(pool.view(pool.intern(a)), a);
}

TEST(StringPool, ViewsSurviveGrowthOfTableAndBlocks) {
  StringPool pool;
  std::vector<StringId> ids;
  std::vector<std::string_view> views;
  for (int i = 0; i < 20'000; ++i) {
    ids.push_back(pool.intern("text number " + std::to_string(i)));
    views.push_back(pool.view(ids.back()));
    if (i % 5'000 == 0) pool.add(std::string(100'000, 'x'));  // larger than a block
  }
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = "text number " + std::to_string(i);
    const auto at = static_cast<std::size_t>(i);
    ASSERT_EQ(pool.find(text), ids[at]);
    ASSERT_EQ(views[at], text);
    ASSERT_EQ(pool.view(ids[at]).data(), views[at].data());
  }
}

TEST(StringPool, MovesWithItsTexts) {
  StringPool pool;
  const StringId id = pool.intern("moved");
  const char* place = pool.view(id).data();
  const StringPool other = std::move(pool);
  EXPECT_EQ(other.view(id).data(), place);
  EXPECT_EQ(other.find("moved"), id);
}

TEST(StringPool, TakesOverAnother) {
  StringPool pool, other;
  const StringId shared = pool.intern("shared");
  const StringId own = pool.add("twice");
  const StringId others_new = other.intern("new");
  const StringId others_shared = other.intern("shared");
  const StringId others_added = other.add("shared");
  const std::string large(100'000, 'x');
  const StringId others_large = other.intern(large);
  const std::vector<StringId> ids = pool.append(std::move(other));
  ASSERT_EQ(ids.size(), 4u);
  EXPECT_EQ(ids[others_shared.index()], shared);
  // As if they had come here: new ids, in their order.
  EXPECT_EQ(ids[others_new.index()].index(), own.index() + 1);
  EXPECT_EQ(ids[others_added.index()].index(), own.index() + 2);
  EXPECT_EQ(ids[others_large.index()].index(), own.index() + 3);
  EXPECT_EQ(pool.view(ids[others_added.index()]), "shared");
  EXPECT_EQ(pool.view(ids[others_large.index()]), large);
  EXPECT_EQ(pool.find("new"), ids[others_new.index()]);
  const StringId behind = pool.intern("behind");
  EXPECT_EQ(behind.index(), pool.size() - 1);
  EXPECT_EQ(pool.view(own), "twice");
}

TEST(StringPool, FollowsBytesThatMove) {
  StringPool pool;
  const std::string before = "name and type", after = before, elsewhere = "name";
  const StringId early = pool.add(std::string_view(before).substr(0, 4), Lifetime::kBorrow);
  const StringId name = pool.intern(std::string_view(before).substr(0, 4), Lifetime::kBorrow);
  const StringId type = pool.add(std::string_view(before).substr(9), Lifetime::kBorrow);
  const StringId other = pool.add(elsewhere, Lifetime::kBorrow);
  pool.move_borrowed(name.index(), before, after.data());
  EXPECT_EQ(pool.view(early).data(), before.data());
  EXPECT_EQ(pool.view(name).data(), after.data());
  EXPECT_EQ(pool.view(type).data(), after.data() + 9);
  EXPECT_EQ(pool.view(type), "type");
  EXPECT_EQ(pool.view(other).data(), elsewhere.data());
  EXPECT_EQ(pool.find("name"), name);
}

TEST(InternCache, AgreesWithThePool) {
  StringPool pool;
  InternCache cache(pool);
  // More texts than slots, so that they evict one another.
  std::vector<std::string> texts = {""};
  for (int i = 0; i < 2'000; ++i)
    texts.push_back(std::string(1, char('a' + i % 26)) + std::to_string(i));
  for (int round = 0; round < 3; ++round) {
    for (const std::string& text : texts) {
      const StringId id = cache.intern(text, Lifetime::kCopy);
      ASSERT_EQ(pool.view(id), text);
      ASSERT_EQ(pool.find(text), id);
    }
  }
  EXPECT_EQ(pool.size(), texts.size());
}

}  // namespace
}  // namespace planex::base
