#include "render/json/record_schema.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "render/fields/documents.h"
#include "render/typescript/record_types.h"

namespace planex::render {
namespace {

using record::Field;
using record::Kind;
using record::Record;
using record::Type;

struct Pan {
  std::string name;
  std::vector<double> depths_mm;
  std::optional<std::vector<std::string>> lids;
};

record::Document<Pan> pan_document() {
  return {"planex.pan/1", "A pan",
          record::Fields<Pan>("PanDocument", "One pan.")
              .maybe("name", "", "Its name.", &Pan::name)
              .object("sizes", "How big it is.",
                      record::Fields<Pan>("PanSizes", "Sizes.")
                          .field("depths_mm", "mm", "At each place.", &Pan::depths_mm)
                          .field("lids", "", "Those that fit.", &Pan::lids),
                      std::identity{})};
}

TEST(RecordSchema, SaysTypesUnitsAndWhatMayBeNull) {
  EXPECT_EQ(json_schema(pan_document()), R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "planex.pan/1",
  "title": "A pan",
  "description": "One pan.",
  "type": "object",
  "required": [
    "schema",
    "name",
    "sizes"
  ],
  "properties": {
    "schema": {
      "const": "planex.pan/1"
    },
    "name": {
      "description": "Its name.",
      "type": [
        "string",
        "null"
      ]
    },
    "sizes": {
      "description": "How big it is.",
      "$ref": "#/$defs/PanSizes"
    }
  },
  "$defs": {
    "PanSizes": {
      "description": "Sizes.",
      "type": "object",
      "required": [
        "depths_mm",
        "lids"
      ],
      "properties": {
        "depths_mm": {
          "description": "At each place.",
          "unit": "mm",
          "type": "array",
          "items": {
            "type": "number"
          }
        },
        "lids": {
          "description": "Those that fit.",
          "type": [
            "array",
            "null"
          ],
          "items": {
            "type": "string"
          }
        }
      }
    }
  }
}
)");
}

TEST(RecordTypes, AreInterfaces) {
  const std::vector<record::DocumentInfo> documents = {pan_document()};
  EXPECT_EQ(typescript_types(documents), R"(// A pan
/** One pan. */
export interface PanDocument {
  readonly schema: 'planex.pan/1';
  /** Its name. */
  readonly name: string | null;
  /** How big it is. */
  readonly sizes: PanSizes;
}

/** Sizes. */
export interface PanSizes {
  /** At each place. */
  readonly depths_mm: readonly number[];
  /** Those that fit. */
  readonly lids: readonly string[] | null;
}

)");
}

TEST(RecordReaders, ReadEachInterface) {
  const std::vector<record::DocumentInfo> documents = {pan_document()};
  const std::string text = typescript_readers(documents);
  EXPECT_NE(text.find("export interface PanSizes {"), text.npos) << text;
  const std::string_view readers = R"(
export const readPanDocument: Reader<PanDocument> = /* @__PURE__ */ r.objectOf(() => ({
  schema: r.oneOf('planex.pan/1'),
  name: r.orNull(r.text),
  sizes: r.later(() => readPanSizes),
}));
export const readPanSizes: Reader<PanSizes> = /* @__PURE__ */ r.objectOf(() => ({
  depths_mm: r.listOf(r.real),
  lids: r.orNull(r.listOf(r.text)),
}));
)";
  EXPECT_NE(text.find(readers), text.npos) << text;
}

// Every record in a document, once for each place.
void visit(const Record& record, const std::function<void(const Record&)>& see) {
  see(record);
  for (const Field& field : record.fields) {
    for (const Type* type = &field.type; type != nullptr; type = type->item.get()) {
      if (type->record) visit(*type->record, see);
    }
  }
}

TEST(DescribedDocuments, NamesAreGivenOnce) {
  std::map<std::string_view, std::vector<std::string_view>> records;
  std::set<std::string_view> ids;
  for (const record::DocumentInfo& document : described_documents()) {
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

TEST(DescribedDocuments, FieldsSayWhatTheyAre) {
  for (const record::DocumentInfo& document : described_documents()) {
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
}  // namespace planex::render
