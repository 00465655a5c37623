// A JSON list of objects that differ in nothing but their numbers, as programs print them.
//
// A times file has ten thousand such rows. Comparing what stands between the numbers with the first
// row takes a fraction of what reading each row as JSON takes.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace planex::ingest::tensorrt {

class UniformRows {
 public:
  // Nothing where the text does not begin with a list whose first row is an object of numbers.
  static std::optional<UniformRows> open(std::string_view text);

  // The keys of every row, in their order; one may come twice.
  std::span<const std::string_view> keys() const { return keys_; }

  // About how many rows there are: as if all were as long as the first.
  std::size_t expected_count() const { return text_.size() / row_size_ + 1; }

  // Reads the next row's numbers, one of each key, exactly as strtod would. False at the end, or at
  // a row that is of another form.
  bool next(std::vector<double>& numbers);

  // Whether all of the text was read: to be asked when next() has said no. If not, the rows must be
  // read as JSON, which they need not be.
  bool at_end() const { return at_end_; }

 private:
  explicit UniformRows(std::string_view text) : text_(text) {}
  bool take_form();
  void skip_blanks();

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::string_view> keys_;
  // What stands before each number, from the end of the one before it, and behind the last.
  std::vector<std::string_view> between_;
  std::size_t row_size_ = 1;
  bool at_end_ = false;
};

}  // namespace planex::ingest::tensorrt
