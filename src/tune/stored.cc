#include "tune/stored.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "arrays/npy.h"
#include "base/text.h"
#include "base/try.h"

namespace planex::tune {

Result<StoredSamples> StoredSamples::open(const std::string& path) {
  StoredSamples samples;
  PLANEX_ASSIGN(samples.bytes_, base::disk().read(path, base::Access::kSparse));
  const std::string_view bytes = samples.bytes_->view();
  PLANEX_ASSIGN(const arrays::NpyHeader header, arrays::read_npy_header(bytes, path));
  const auto& shape = header.array.shape;
  const auto elements = arrays::element_count(shape);
  const std::size_t element_bytes = arrays::bytes_per_element(header.array.type);
  if (shape.empty() || header.is_fortran_order || header.is_big_endian || !elements ||
      bytes.size() != header.header_bytes + static_cast<std::size_t>(*elements) * element_bytes) {
    return fail({.code = ErrorCode::kBadInput,
                 .message = "not samples of a tensor, as planex-openvino stores them",
                 .file = path});
  }
  samples.header_bytes_ = header.header_bytes;
  samples.type_ = header.array.type;
  samples.count_ = static_cast<std::size_t>(shape.front());
  samples.shape_.assign(shape.begin() + 1, shape.end());
  if (samples.count_ > 0) {
    samples.sample_bytes_ = (bytes.size() - header.header_bytes) / samples.count_;
  }
  return samples;
}

arrays::Array StoredSamples::sample(std::size_t number) const {
  return {.type = type_,
          .shape = shape_,
          .data = std::string(
              bytes_->view().substr(header_bytes_ + number * sample_bytes_, sample_bytes_))};
}

Result<std::optional<StoredSamples>> find_stored(const drive::PassResult& pass,
                                                 std::string_view model, std::string_view tensor) {
  for (const drive::StoredTensor& stored : pass.stored) {
    if (stored.tensor.model != model || stored.tensor.tensor != tensor) continue;
    PLANEX_ASSIGN(StoredSamples samples, StoredSamples::open(stored.path));
    return std::optional(std::move(samples));
  }
  return std::optional<StoredSamples>();
}

std::optional<StoredDifference> difference_of(const StoredSamples& reference,
                                              const StoredSamples& subject, std::size_t limit,
                                              const arrays::Split* split) {
  const auto elements = arrays::element_count(reference.shape());
  if (!elements || elements != arrays::element_count(subject.shape())) return std::nullopt;
  StoredDifference result;
  arrays::DifferenceSums sums;
  arrays::SliceSums slices(split == nullptr ? arrays::Split() : *split);
  const auto& shape = reference.shape();
  const auto classes = static_cast<std::size_t>(shape.empty() ? 0 : shape.back());
  const std::size_t count = std::min({reference.count(), subject.count(), limit});
  for (std::size_t number = 0; number < count; ++number) {
    const std::vector<float> first = arrays::floats_of(reference.sample(number));
    const std::vector<float> second = arrays::floats_of(subject.sample(number));
    sums.add(first, second);
    if (split != nullptr) slices.add(first, second, shape);
    arrays::add_agreement(first, second, classes, result.agreement);
  }
  result.difference = sums.result();
  result.difference.slices = slices.result();
  return result;
}

Result<std::string> make_folder(const std::string& parent, std::string_view name) {
  std::string path = base::join_path(parent, name);
  std::error_code error;
  std::filesystem::remove_all(path, error);
  std::filesystem::create_directories(path, error);
  if (!error) return path;
  return fail({.code = ErrorCode::kIo,
               .message = "cannot make a folder: " + error.message(),
               .file = path});
}

}  // namespace planex::tune
