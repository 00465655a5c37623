#include "drive/openvino_driver/stored_tensor.h"

#include <string_view>
#include <utility>

#include "arrays/array.h"
#include "arrays/npy.h"
#include "base/sha256.h"
#include "base/text.h"
#include "base/try.h"
#include "drive/openvino_driver/running_model.h"

namespace planex::drive {
namespace {

std::string shape_words(const ov::Shape& shape) {
  return arrays::shape_text(std::vector<std::int64_t>(shape.begin(), shape.end()));
}

}  // namespace

Result<void> StoredTensorWriter::add(const ov::Tensor& tensor) {
  const ov::element::Type type = tensor.get_element_type();
  const auto own = element_of(type);
  if (!own) {
    return fail(ErrorCode::kUnsupported,
                base::format("a tensor of type {} can't be stored as .npy", type.get_type_name()));
  }
  const bool is_widened = *own == arrays::ElementType::kBfloat16;
  if (!file_) {
    PLANEX_ASSIGN(base::FileWriter file, base::FileWriter::create(path_));
    file_.emplace(std::move(file));
    shape_ = tensor.get_shape();
    std::vector<std::int64_t> all = {static_cast<std::int64_t>(samples_)};
    all.insert(all.end(), shape_.begin(), shape_.end());
    PLANEX_TRY(file_->write(
        arrays::npy_header_text(is_widened ? arrays::ElementType::kFloat32 : *own, all)));
  } else if (shape_ != tensor.get_shape()) {
    return fail(ErrorCode::kUnsupported,
                base::format("a tensor whose shape changes with the samples, from {} to {}, can't "
                             "be stored in one file",
                             shape_words(shape_), shape_words(tensor.get_shape())));
  }
  if (!is_widened) {
    return file_->write({static_cast<const char*>(tensor.data()), tensor.get_byte_size()});
  }
  PLANEX_ASSIGN(const auto values, float_values(tensor, scratch_));
  return file_->write({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

Result<void> StoredTensorWriter::finish() { return file_ ? file_->finish() : Result<void>(); }

std::string stored_name(const std::string& model, const std::string& tensor,
                        std::set<std::string>& taken) {
  const std::string whole = base::format("{}.{}", model, tensor);
  std::string name = whole;
  for (char& letter : name) {
    const bool is_plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                          (letter >= '0' && letter <= '9') || letter == '_' || letter == '-' ||
                          letter == '.';
    if (!is_plain) letter = '_';
  }
  if (name.starts_with('.')) name.front() = '_';
  constexpr std::size_t kMaxBytes = 150, kDigits = 12;
  if (name.size() > kMaxBytes) {
    name =
        base::format("{}-{}", name.substr(0, kMaxBytes), base::sha256_of(whole).substr(0, kDigits));
  }
  std::string free = name + ".npy";
  for (int number = 2; !taken.insert(free).second; ++number) {
    free = base::format("{}-{}.npy", name, number);
  }
  return free;
}

}  // namespace planex::drive
