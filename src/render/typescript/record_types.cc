#include "render/typescript/record_types.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace planex::render {
namespace {

using base::format;
using record::Field;
using record::Kind;
using record::Record;
using record::Type;

// A table as the report writes it.
constexpr std::string_view kTable =
    R"(/** Rows as columns; a column without any value is left out. */
export interface ColumnTable<Row> {
  readonly row_count: number;
  readonly columns: {
    readonly [Name in keyof Row]?: {
      readonly type: string;
      readonly unit: string;
      readonly values: readonly unknown[];
    };
  };
}

)";

// Left out because no page uses them. If a page starts to, the TypeScript compiler reports it:
// remove the entry then.
constexpr LeftOut kLeftOut[] = {
    {"Report"},
    {"ReportExplain"},
    {"ReportEnginePair"},
    {"ReportEngine", "timing", true},
    {"ReportEngine", "explain", true},
    {"ReportComparison", "engine_pairs", true},
    {"ReportExplain", "blocks"},
    {"Summary", "steady_state"},
    {"Summary", "top_layers"},
    {"Summary", "reformats"},
    {"Time", "other_records"},
    {"ReportLint", "counts"},
    {"ReportLint", "suppressed_counts"},
    {"ReportLint", "baseline"},
    {"ReportLint", "estimate_band"},
    {"SteadyState", "levels"},
    {"SteadyState", "drift"},
    {"SteadyState", "modes"},
    {"SteadyState", "spikes"},
    {"SteadyState", "clocks"},
    {"SteadyState", "series"},
    {"MachineState", "figures"},
    {"MachineState", "throttled"},
    {"MachineState", "series"},
    {"Timing", "engine"},
    {"Timing", "histogram"},
    {"ReportReformats", "by_type"},
    {"Verdict", "gate"},
    {"ReportDirection", "settings"},
    {"Engines", "generator"},
};

const LeftOut* left_out(std::string_view record, std::string_view field = {}) {
  const auto is_it = [&](const LeftOut& one) { return one.record == record && one.field == field; };
  const auto found = std::ranges::find_if(kLeftOut, is_it);
  return found == std::ranges::end(kLeftOut) ? nullptr : found;
}

// The line length of generated readers.
constexpr std::size_t kReaderColumns = 100;

// A declaration and its comment: on one line if both fit.
std::string documented(std::string_view indent, std::string_view comment, std::string_view code) {
  if (comment.empty()) return format("{}{}\n", indent, code);
  const std::string line = format("{}/** {} */ {}\n", indent, comment, code);
  if (line.size() - 1 <= kReaderColumns) return line;
  return format("{}/** {} */\n{}{}\n", indent, comment, indent, code);
}

// A document, or a record in one. Their fields are the same except for the document's own id.
struct Interface {
  const Record* record = nullptr;
  std::string_view id, title;
};

class Types {
 public:
  explicit Types(std::span<const record::DocumentInfo> documents) {
    for (const record::DocumentInfo& document : documents) {
      interfaces_.push_back({document.record.get(), document.id, document.title});
    }
    // Each record adds the ones inside it.
    for (std::size_t i = 0; i < interfaces_.size(); ++i) text_ += interface_of(interfaces_[i]);
    if (has_tables_) text_ = std::string(kTable) + text_;
  }

  const std::string& text() const { return text_; }

 private:
  std::string interface_of(const Interface& of) {
    const Record& record = *of.record;
    std::string text = of.title.empty() ? "" : format("// {}\n", of.title);
    text += format("/** {} */\nexport interface {} {{\n", record.description, record.name);
    if (!of.id.empty()) text += format("  readonly schema: '{}';\n", of.id);
    for (const Field& field : record.fields) {
      if (!field.description.empty()) text += format("  /** {} */\n", field.description);
      text += format("  readonly {}{}: {};\n", field.name, field.may_be_missing() ? "?" : "",
                     type_of(field.type, field.is_left_out));
    }
    return text + "}\n\n";
  }

  std::string type_of(const Type& type, bool is_left_out = false) {
    const std::string name = not_null(type);
    return type.nullable && !is_left_out ? name + " | null" : name;
  }

  std::string not_null(const Type& type) {
    switch (type.kind) {
      case Kind::kBool:
        return "boolean";
      case Kind::kInteger:
      case Kind::kReal:
        return "number";
      case Kind::kText:
        return words_of(type);
      case Kind::kScalar:
        return "number | string";
      case Kind::kList:
        return list_of(*type.item);
      case Kind::kMap:
        return format("Readonly<Record<string, {}>>", type_of(*type.item));
      case Kind::kRecord:
        return name_of(type.record.get());
      case Kind::kColumns:
        return columns_of(*type.record);
      case Kind::kTable:
        has_tables_ = true;
        return format("ColumnTable<{}>", name_of(type.record.get()));
      case Kind::kPacked:
        break;
    }
    return "unknown";
  }

  static std::string words_of(const Type& type) {
    std::string text;
    for (const std::string& word : type.words) {
      text += format("{}'{}'", text.empty() ? "" : " | ", word);
    }
    return text.empty() ? "string" : text;
  }

  std::string list_of(const Type& item) {
    const std::string name = type_of(item);
    const bool is_simple = !name.contains('|') && !name.starts_with("readonly");
    return is_simple ? format("readonly {}[]", name) : format("readonly ({})[]", name);
  }

  std::string columns_of(const Record& record) {
    std::string text = "{";
    for (const Field& field : record.fields) {
      text += format(" readonly {}: {};", field.name, list_of(field.type));
    }
    return text + " }";
  }

  std::string name_of(const Record* record) {
    const auto is_it = [&](const Interface& known) { return known.record->name == record->name; };
    if (std::ranges::none_of(interfaces_, is_it)) interfaces_.push_back({.record = record});
    return std::string(record->name);
  }

  std::vector<Interface> interfaces_;
  std::string text_;
  bool has_tables_ = false;
};

// What reads each document and record (web/src/model/reader.ts), and the type of what is read. Each
// comes after the ones inside it: records are made from finished ones, so there are no circles.
class Readers {
 public:
  explicit Readers(std::span<const record::DocumentInfo> documents) : documents_(documents) {
    for (const record::DocumentInfo& document : documents) add(*document.record);
  }

  const std::string& text() const { return text_; }

 private:
  void add(const Record& record) {
    if (!known_.insert(record.name).second) return;
    // A document that is also part of another is read as by itself.
    const auto name_of = [](const record::DocumentInfo& document) { return document.record->name; };
    const auto document = std::ranges::find(documents_, record.name, name_of);
    Interface of = {.record = &record};
    if (document != documents_.end()) {
      of = {.record = document->record.get(), .id = document->id, .title = document->title};
    }
    text_ += declaration_of(of);
  }

  // Adds those of records inside. Empty: the record has none.
  std::string declaration_of(const Interface& of) {
    const Record& record = *of.record;
    std::string text = of.title.empty() ? "\n" : format("\n// {}\n", of.title);
    const std::string type = format("export type {0} = r.ReadType<typeof read{0}>;", record.name);
    text += documented("", record.description, type);
    text += format("export const read{} = r.objectOf({{\n", record.name);
    if (!of.id.empty()) text += format("  schema: r.oneOf('{}'),\n", of.id);
    for (const Field& field : record.fields) {
      const LeftOut* out = left_out(record.name, field.name);
      if (out != nullptr && !out->is_read_alone) continue;
      std::string reader = reader_of(field.type, field.is_left_out);
      if (out != nullptr) continue;
      if (field.may_be_missing()) reader = format("r.optional({})", reader);
      text += documented("  ", field.description, format("{}: {},", field.name, reader));
    }
    return left_out(record.name) != nullptr ? "" : text + "});\n";
  }

  std::string reader_of(const Type& type, bool is_left_out = false) {
    const std::string reader = not_null(type);
    return type.nullable && !is_left_out ? format("r.orNull({})", reader) : reader;
  }

  std::string not_null(const Type& type) {
    switch (type.kind) {
      case Kind::kBool:
        return "r.truth";
      case Kind::kInteger:
        return "r.integer";
      case Kind::kReal:
        return "r.real";
      case Kind::kText:
        return words_of(type);
      case Kind::kScalar:
        return "r.scalar";
      case Kind::kList:
        return format("r.listOf({})", reader_of(*type.item));
      case Kind::kMap:
        return format("r.mapOf({})", reader_of(*type.item));
      case Kind::kRecord:
        add(*type.record);
        return format("read{}", type.record->name);
      case Kind::kColumns:
        return columns_of(*type.record);
      case Kind::kTable:
        return "r.table";
      case Kind::kPacked:
        break;
    }
    return "r.anything";
  }

  static std::string words_of(const Type& type) {
    std::string words;
    for (const std::string& word : type.words) {
      words += format("{}'{}'", words.empty() ? "" : ", ", word);
    }
    return words.empty() ? "r.text" : format("r.oneOf({})", words);
  }

  std::string columns_of(const Record& record) {
    std::string fields;
    for (const Field& field : record.fields) {
      fields += format("{}{}: r.listOf({})", fields.empty() ? "" : ", ", field.name,
                       reader_of(field.type));
    }
    return format("r.objectOf({{ {} }})", fields);
  }

  std::span<const record::DocumentInfo> documents_;
  std::set<std::string_view> known_;
  std::string text_;
};

}  // namespace

std::span<const LeftOut> left_out_of_pages() { return kLeftOut; }

std::string typescript_types(std::span<const record::DocumentInfo> documents) {
  return Types(documents).text();
}

std::string typescript_readers(std::span<const record::DocumentInfo> documents) {
  return "// Generated by `planex schema --types page` from the descriptions of results: do not "
         "edit.\n\n"
         "import * as r from './reader.ts';\n" +
         Readers(documents).text();
}

}  // namespace planex::render
