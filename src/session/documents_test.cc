#include "session/documents.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace planex::session {
namespace {

using record::Field;
using record::Kind;
using record::Record;
using record::Type;

// Every record in a document, once for each place.
void visit(const Record& record, const std::function<void(const Record&)>& see) {
  see(record);
  for (const Field& field : record.fields) {
    for (const Type* type = &field.type; type != nullptr; type = type->item.get()) {
      if (type->record) visit(*type->record, see);
    }
  }
}

TEST(AllDocuments, NamesAreGivenOnce) {
  std::map<std::string_view, std::vector<std::string_view>> records;
  std::set<std::string_view> ids;
  for (const record::DocumentInfo& document : all_documents()) {
    EXPECT_TRUE(ids.insert(document.id).second) << document.id;
    visit(*document.record, [&](const Record& record) {
      std::vector<std::string_view> names;
      std::set<std::string_view> distinct;
      for (const Field& field : record.fields) {
        names.push_back(field.name);
        EXPECT_TRUE(distinct.insert(field.name).second) << record.name << "." << field.name;
      }
      EXPECT_FALSE(record.name.empty()) << document.id;
      // A document as a part of another has its own schema.
      if (names.front() == "schema") names.erase(names.begin());
      const auto [known, is_new] = records.emplace(record.name, names);
      EXPECT_EQ(known->second, names) << record.name << " is two things";
    });
  }
}

TEST(AllDocuments, FieldsSayWhatTheyAre) {
  for (const record::DocumentInfo& document : all_documents()) {
    visit(*document.record, [&](const Record& record) {
      EXPECT_TRUE(record.description.ends_with('.')) << record.name;
      for (const Field& field : record.fields) {
        const std::string place = std::string(record.name) + "." + std::string(field.name);
        const bool is_object = field.type.kind == Kind::kRecord;
        EXPECT_TRUE(field.description.ends_with('.') || (is_object && field.description.empty()))
            << place;
        // Units are in names, too; those that begin so are a truth or a count.
        const bool is_other = field.name.starts_with("is_") || field.name.contains("without_");
        const auto has_unit = [&](std::string_view ending, std::string_view unit) {
          if (field.name.ends_with(ending) && !is_other) {
            EXPECT_EQ(field.unit, unit) << place;
          }
        };
        has_unit("_ms", "ms");
        has_unit("_us", "us");
        has_unit("_bytes", "bytes");
        has_unit("_ratio", "ratio");
        has_unit("_count", "count");
      }
    });
  }
}

}  // namespace
}  // namespace planex::session
