// One record of the inspector's text form, split into its fields:
//
//   Name: a, LayerType: gemm, Inputs: [ { Name: x, Dimensions: [4,16] }], StreamId: 0, Metadata: m
//
// Nothing is quoted, and names can contain commas, brackets, quotes and line breaks, so a field
// ends where the next known key can be: a name at LayerType, Location, Dimensions or IOMode, a list
// at its closing bracket, Metadata at the end of the record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace planex::ingest::tensorrt {

struct RecordField {
  std::string_view key;
  // Unchanged, without surrounding blanks.
  std::string_view value;
  // If the value is a list of objects: those of RecordLine::objects_of.
  std::size_t first_object = 0;
  std::size_t object_count = 0;
};

struct RecordObject {
  std::size_t first_field = 0;
  std::size_t field_count = 0;
};

// Reusable; views point into the text. O(size), no recursion.
class RecordLine {
 public:
  // False if the text breaks off or is not a record: the fields before that position are kept.
  bool split(std::string_view text);

  std::span<const RecordField> fields() const { return fields_; }
  std::span<const RecordObject> objects_of(const RecordField& field) const {
    return std::span(objects_).subspan(field.first_object, field.object_count);
  }
  std::span<const RecordField> fields_of(const RecordObject& object) const {
    return std::span(object_fields_).subspan(object.first_field, object.field_count);
  }
  // The value of a field of the record; null view if it has none.
  std::string_view value_of(std::string_view key) const;

  // After a failure: the position in the text, and what was expected there.
  std::size_t broken_at() const { return broken_at_; }
  std::string_view expected() const { return expected_; }

 private:
  bool read_key(RecordField& field);
  bool read_name(std::string_view& value);
  bool read_metadata(std::string_view& value);
  bool read_list(std::string_view& value);
  bool read_objects(RecordField& field);
  void read_word(std::string_view& value, bool in_object);
  bool key_at(std::size_t at) const;
  std::size_t next_key(std::size_t from) const;
  bool fail_at(std::size_t at, std::string_view expected);
  void skip_blanks();
  bool at(char c) const { return at_ < text_.size() && text_[at_] == c; }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<RecordField> fields_;
  std::vector<RecordObject> objects_;
  std::vector<RecordField> object_fields_;
  std::size_t broken_at_ = 0;
  std::string_view expected_;
};

// The integers of "[1,-1,28]"; "[]" has none. False if it is not such a list.
bool read_integers(std::string_view text, std::vector<std::int64_t>& values);

}  // namespace planex::ingest::tensorrt
