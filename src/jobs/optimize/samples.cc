#include "jobs/optimize/samples.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

#include "arrays/sample_folder.h"
#include "base/random.h"
#include "base/text.h"
#include "base/try.h"
#include "onnx/small_floats.h"

namespace planex::jobs {
namespace {

using arrays::ElementType;

template <typename T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void append_value(std::string& bytes, ElementType type, base::Random& random) {
  switch (type) {
    case ElementType::kFloat32:
      return append(bytes, random.real());
    case ElementType::kFloat64:
      return append(bytes, static_cast<double>(random.real()));
    case ElementType::kFloat16:
      return append(bytes, onnx::to_half(random.real()));
    case ElementType::kBfloat16:
      return append(bytes, onnx::to_bfloat16(random.real()));
    default:
      break;
  }
  // Little-endian, so the first byte is the lowest.
  std::string value(arrays::bytes_per_element(type), '\0');
  value.front() = static_cast<char>(random.bit());
  bytes += value;
}

std::vector<std::int64_t> shape_of(
    const tune::ModelInput& input,
    const std::vector<std::pair<std::string, std::vector<std::int64_t>>>& shapes) {
  const auto given = std::ranges::find(shapes, input.name,
                                       &std::pair<std::string, std::vector<std::int64_t>>::first);
  if (given != shapes.end()) return given->second;
  std::vector<std::int64_t> dims = input.dims;
  for (std::int64_t& dim : dims) dim = std::max<std::int64_t>(dim, 1);
  return dims;
}

}  // namespace

Result<tune::SampleRange> random_samples(
    const std::vector<tune::ModelInput>& inputs,
    const std::vector<std::pair<std::string, std::vector<std::int64_t>>>& shapes,
    const std::string& folder, std::size_t count, std::uint64_t seed) {
  std::vector<arrays::SampleInput> described;
  for (const tune::ModelInput& input : inputs) {
    described.push_back({.name = input.name, .type = input.type, .shape = shape_of(input, shapes)});
  }
  PLANEX_ASSIGN(const auto writer, arrays::SampleWriter::create(folder, described));
  base::Random random(seed);
  for (std::size_t sample = 0; sample < count; ++sample) {
    std::vector<std::string> values;
    for (const arrays::SampleInput& input : described) {
      std::string& bytes = values.emplace_back();
      const std::int64_t elements = arrays::element_count(input.shape).value_or(0);
      for (std::int64_t i = 0; i < elements; ++i) append_value(bytes, input.type, random);
    }
    const std::vector<std::string_view> views(values.begin(), values.end());
    PLANEX_TRY(writer->add({.name = base::format("random#{}", sample)}, views));
  }
  PLANEX_TRY(writer->finish({}));
  return tune::SampleRange{.folder = folder, .first = 0, .count = count};
}

}  // namespace planex::jobs
