#include "arrow/column_builder.h"

#include <memory>

#include "base/utf8.h"

namespace planex::arrow {
namespace {

constexpr std::size_t kBitsPerByte = 8;

void append_bit(std::vector<std::uint8_t>& bits, std::int64_t position, bool value) {
  const auto place = static_cast<std::size_t>(position) % kBitsPerByte;
  if (place == 0) bits.push_back(0);
  if (value) bits.back() = static_cast<std::uint8_t>(bits.back() | (1U << place));
}

// The numbers or characters of a vector or string, kept alive by it.
template <typename Values>
Buffer own(Values&& values) {
  auto owner = std::make_shared<const Values>(std::forward<Values>(values));
  return Buffer(owner, owner->data());
}

}  // namespace

void ValidityBuilder::push_bit(bool is_known) {
  if (bits_.empty()) {
    // All values before it were known.
    bits_.assign(static_cast<std::size_t>(size_) / kBitsPerByte, 0xFF);
    if (const auto rest = static_cast<std::size_t>(size_) % kBitsPerByte; rest != 0) {
      bits_.push_back(static_cast<std::uint8_t>((1U << rest) - 1));
    }
  }
  append_bit(bits_, size_, is_known);
  if (!is_known) ++null_count_;
}

void ValidityBuilder::finish(Column& column) && {
  column.null_count = null_count_;
  if (null_count_ > 0) column.validity = own(std::move(bits_));
}

ColumnBuilder::ColumnBuilder(const ColumnAbout& about, Kind kind, std::size_t rows)
    : column_{.name = std::string(about.name),
              .unit = std::string(about.unit),
              .description = std::string(about.description),
              .kind = kind} {
  if (kind == Kind::kInt64) numbers_.reserve(rows);
  if (kind == Kind::kDouble) reals_.reserve(rows);
  if (kind != Kind::kText && kind != Kind::kInt64List) return;
  offsets_.reserve(rows + 1);
  offsets_.push_back(0);
}

void ColumnBuilder::push_null() {
  switch (column_.kind) {
    case Kind::kBool:
      append_bit(bits_, size_, false);
      break;
    case Kind::kInt64:
      numbers_.push_back(0);
      break;
    case Kind::kDouble:
      reals_.push_back(0);
      break;
    case Kind::kText:
    case Kind::kInt64List:
      offsets_.push_back(offsets_.back());
      break;
  }
  validity_.push(false);
  ++size_;
}

void ColumnBuilder::push(bool value) {
  append_bit(bits_, size_, value);
  validity_.push(true);
  ++size_;
}

void ColumnBuilder::push(std::int64_t value) {
  numbers_.push_back(value);
  validity_.push(true);
  ++size_;
}

void ColumnBuilder::push(double value) {
  reals_.push_back(value);
  validity_.push(true);
  ++size_;
}

void ColumnBuilder::push(std::string_view value) {
  if (base::is_valid_utf8(value)) {
    text_ += value;
  } else {
    text_ += base::valid_utf8(value);
  }
  offsets_.push_back(static_cast<std::int64_t>(text_.size()));
  validity_.push(true);
  ++size_;
}

void ColumnBuilder::push(std::span<const std::int64_t> value) {
  numbers_.insert(numbers_.end(), value.begin(), value.end());
  offsets_.push_back(static_cast<std::int64_t>(numbers_.size()));
  validity_.push(true);
  ++size_;
}

Column ColumnBuilder::finish() {
  std::move(validity_).finish(column_);
  switch (column_.kind) {
    case Kind::kBool:
      column_.values = own(std::move(bits_));
      break;
    case Kind::kInt64:
      column_.values = own(std::move(numbers_));
      break;
    case Kind::kDouble:
      column_.values = own(std::move(reals_));
      break;
    case Kind::kText:
      column_.values = own(std::move(text_));
      column_.offsets = own(std::move(offsets_));
      break;
    case Kind::kInt64List:
      column_.number_count = static_cast<std::int64_t>(numbers_.size());
      column_.values = own(std::move(numbers_));
      column_.offsets = own(std::move(offsets_));
      break;
  }
  return std::move(column_);
}

}  // namespace planex::arrow
