// Tensors stored by an inference job, read back one sample at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arrays/array.h"
#include "arrays/difference.h"
#include "base/files.h"
#include "drive/inference.h"
#include "planex/error.h"

namespace planex::tune {

// A file of drive::StoredTensor: the first axis is the samples.
class StoredSamples {
 public:
  StoredSamples() = default;
  // Errors: kNotFound, kIo, kBadInput (not an .npy of samples); file is set.
  static Result<StoredSamples> open(const std::string& path);

  std::size_t count() const { return count_; }
  arrays::ElementType type() const { return type_; }
  const std::vector<std::int64_t>& shape() const { return shape_; }  // shape of one sample
  // A copy of one sample, which must exist.
  arrays::Array sample(std::size_t number) const;

 private:
  std::shared_ptr<const base::Bytes> bytes_;
  std::size_t header_bytes_ = 0, sample_bytes_ = 0, count_ = 0;
  arrays::ElementType type_ = arrays::ElementType::kFloat32;
  std::vector<std::int64_t> shape_;
};

// The tensor of a model in a pass; null where it was not stored, because the model has no such
// tensor.
Result<std::optional<StoredSamples>> find_stored(const drive::PassResult& pass,
                                                 std::string_view model, std::string_view tensor);

struct StoredDifference {
  arrays::Difference difference;
  arrays::Agreement agreement;  // along the last axis of the reference
};

// For the samples that both have, at most the first `limit`; compared as planex-openvino does. Null
// where their sizes differ. With `split` also in slices. Memory: one sample of each.
std::optional<StoredDifference> difference_of(
    const StoredSamples& reference, const StoredSamples& subject,
    std::size_t limit = std::numeric_limits<std::size_t>::max(),
    const arrays::Split* split = nullptr);

// An empty folder inside the workshop's. Errors: kIo; file is set.
Result<std::string> make_folder(const std::string& parent, std::string_view name);

}  // namespace planex::tune
