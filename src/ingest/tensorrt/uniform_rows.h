// A JSON list of objects that differ only in their numbers, as programs print them.
//
// A times file has ten thousand such rows. Comparing the text between the numbers with the first
// row takes a fraction of the time for reading each row as JSON.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace planex::ingest::tensorrt {

class UniformRows {
 public:
  // Nothing if the text does not begin with a list whose first row is an object of numbers.
  static std::optional<UniformRows> open(std::string_view text);

  // The keys of every row, in their order; a key may be repeated.
  std::span<const std::string_view> keys() const { return keys_; }

  // The approximate number of rows: as if all were as long as the first.
  std::size_t expected_count() const { return text_.size() / row_size_ + 1; }

  // Reads the next row's numbers, one per key, exactly as strtod would. False at the end, or at a
  // row with another form.
  bool next(std::vector<double>& numbers);

  // Whether all of the text was read: call when next() has returned false. If not, the rows must be
  // read as JSON, which they may not even be.
  bool at_end() const { return at_end_; }

 private:
  explicit UniformRows(std::string_view text) : text_(text) {}
  bool take_form();
  void skip_blanks();

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::string_view> keys_;
  // The text before each number, from the end of the previous one, and after the last.
  std::vector<std::string_view> between_;
  std::size_t row_size_ = 1;
  bool at_end_ = false;
};

}  // namespace planex::ingest::tensorrt
