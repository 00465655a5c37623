#include "render/typescript/record_types.h"

#include <algorithm>
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

class Types {
 public:
  std::string of(std::span<const record::DocumentInfo> documents) {
    std::string text;
    for (const record::DocumentInfo& document : documents) {
      text += format("// {}\n", document.title);
      text += interface_of(*document.record, format("  readonly schema: '{}';\n", document.id));
    }
    // Each record adds those that it has inside.
    for (std::size_t i = 0; i < records_.size(); ++i) text += interface_of(*records_[i], "");
    return text;
  }

 private:
  std::string interface_of(const Record& record, std::string_view first) {
    std::string text =
        format("/** {} */\nexport interface {} {{\n{}", record.description, record.name, first);
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
    const auto is_it = [&](const Record* known) { return known->name == record->name; };
    if (std::ranges::none_of(records_, is_it)) records_.push_back(record);
    return std::string(record->name);
  }

  std::vector<const Record*> records_;
};

}  // namespace

std::string typescript_types(std::span<const record::DocumentInfo> documents) {
  return Types().of(documents);
}

}  // namespace planex::render
