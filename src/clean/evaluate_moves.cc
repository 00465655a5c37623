#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string_view>
#include <utility>

#include "clean/evaluate.h"

namespace planex::clean {
namespace {

using onnx::DataType;
using Constants = std::optional<std::vector<Constant>>;
using Inputs = std::span<const std::optional<Constant>>;

// Bytes of one element; 0 where elements are no whole bytes.
std::size_t width_of(const Constant& of) {
  constexpr int kByte = 8;
  const auto bits = onnx::bits_per_element(of.type);
  return bits && *bits % kByte == 0 ? size_of(*bits / kByte) : 0;
}

Dims strides_of(const Dims& dims) {
  Dims strides(dims.size(), 1);
  for (std::size_t i = dims.size(); i-- > 1;) strides[i - 1] = strides[i] * dims[i];
  return strides;
}

bool is_whole(const Constant& of) {
  const auto count = count_of(of.dims);
  return count && width_of(of) != 0 && of.raw.size() == size_of(*count) * width_of(of);
}

// Of a Slice backwards.
constexpr std::int64_t kMaxStep = INT32_MAX;

// Elements in the order of `dims`, each `strides` away from the one before it on that axis.
std::optional<Constant> viewed(const Constant& from, Dims dims, std::int64_t first,
                               const Dims& strides) {
  const auto count = count_of(dims);
  if (!count || !is_whole(from)) return std::nullopt;
  const std::size_t width = width_of(from);
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(size_of(*count), width, &bytes)) return std::nullopt;
  Constant made{from.type, std::move(dims), {}};
  made.raw.resize(bytes);
  Dims at(made.dims.size(), 0);
  std::int64_t place = first;
  for (std::size_t i = 0; i < size_of(*count); ++i) {
    std::memcpy(made.raw.data() + i * width, from.raw.data() + size_of(place) * width, width);
    for (std::size_t axis = at.size(); axis-- > 0;) {
      place += strides[axis];
      if (++at[axis] < made.dims[axis]) break;
      place -= strides[axis] * made.dims[axis];
      at[axis] = 0;
    }
  }
  return made;
}

class Mover {
 public:
  Mover(const Draft& draft, NodeId node, Inputs in) : draft_(draft), node_(node), in_(in) {}

  Constants run() {
    const std::string_view type = draft_.op(node_);
    if (in_.empty() || !in_[0] || !is_whole(*in_[0])) return std::nullopt;
    if (type == "Identity") return one(*in_[0]);
    if (type == "Reshape") return reshaped();
    if (type == "Unsqueeze") return unsqueezed();
    if (type == "Squeeze") return squeezed();
    if (type == "Flatten") return flattened();
    if (type == "Transpose") {
      Dims perm(in_[0]->dims.size());
      std::iota(perm.rbegin(), perm.rend(), 0);
      return one(transposed(*in_[0], draft_.ints_of(node_, "perm").value_or(perm)));
    }
    if (type == "Expand") {
      const auto dims = list(1);
      const auto to = dims ? broadcast_dims(in_[0]->dims, *dims) : std::nullopt;
      return to ? one(expanded(*in_[0], *to)) : std::nullopt;
    }
    if (type == "Concat") return joined();
    if (type == "Gather") return gathered();
    if (type == "Slice") return sliced();
    if (type == "Split") return split();
    if (type == "Tile") return tiled();
    return std::nullopt;
  }

 private:
  static Constants one(std::optional<Constant> made) {
    if (!made) return std::nullopt;
    return std::vector<Constant>{*std::move(made)};
  }
  std::optional<Dims> list(std::size_t place) const {
    return place < in_.size() && in_[place] ? ints_of(*in_[place]) : std::nullopt;
  }
  bool has(std::size_t place) const { return place < in_.size() && in_[place].has_value(); }
  // An attribute in older opsets, an input in newer ones; null: neither is there, or readable.
  std::optional<Dims> attribute_or(std::string_view name, std::size_t place) const {
    const auto found = draft_.ints_of(node_, name);
    return found ? found : list(place);
  }
  Constants with_dims(Dims dims) const {
    if (count_of(dims) != count_of(in_[0]->dims)) return std::nullopt;
    return one(Constant{in_[0]->type, std::move(dims), in_[0]->raw});
  }

  Constants reshaped() const {
    auto sizes = attribute_or("shape", 1);
    if (!sizes) return std::nullopt;
    const Dims& from = in_[0]->dims;
    std::int64_t others = 1;
    std::optional<std::size_t> open;
    for (std::size_t i = 0; i < sizes->size(); ++i) {
      std::int64_t& size = (*sizes)[i];
      if (size == 0 && draft_.int_of(node_, "allowzero", 0) == 0) {
        if (i >= from.size()) return std::nullopt;
        size = from[i];
      }
      if (size == -1) {
        if (open) return std::nullopt;
        open = i;
      } else if (__builtin_mul_overflow(others, size, &others)) {
        return std::nullopt;
      }
    }
    if (open) {
      if (others <= 0) return std::nullopt;
      (*sizes)[*open] = count_of(from).value_or(0) / others;
    }
    return with_dims(*std::move(sizes));
  }

  Constants unsqueezed() const {
    const auto axes = attribute_or("axes", 1);
    if (!axes) return std::nullopt;
    const std::size_t rank = in_[0]->dims.size() + axes->size();
    std::vector<bool> is_new(rank, false);
    for (const std::int64_t axis : *axes) {
      const auto at = axis_at(axis, rank);
      if (!at || is_new[*at]) return std::nullopt;
      is_new[*at] = true;
    }
    Dims dims;
    std::size_t next = 0;
    for (std::size_t i = 0; i < rank; ++i) dims.push_back(is_new[i] ? 1 : in_[0]->dims[next++]);
    return with_dims(std::move(dims));
  }

  Constants squeezed() const {
    const Dims& from = in_[0]->dims;
    const auto axes = attribute_or("axes", 1);
    if (!axes && has(1)) return std::nullopt;
    std::vector<bool> is_gone(from.size(), false);
    for (std::size_t i = 0; i < from.size(); ++i) is_gone[i] = !axes && from[i] == 1;
    for (const std::int64_t axis : axes.value_or(Dims())) {
      const auto at = axis_at(axis, from.size());
      if (!at || from[*at] != 1) return std::nullopt;
      is_gone[*at] = true;
    }
    Dims dims;
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (!is_gone[i]) dims.push_back(from[i]);
    }
    return with_dims(std::move(dims));
  }

  Constants flattened() const {
    const Dims& from = in_[0]->dims;
    std::int64_t axis = draft_.int_of(node_, "axis", 1);
    const auto rank = static_cast<std::int64_t>(from.size());
    if (axis < 0) axis += rank;
    if (axis < 0 || axis > rank) return std::nullopt;
    const auto first = count_of(std::span(from).first(size_of(axis)));
    const auto rest = count_of(std::span(from).subspan(size_of(axis)));
    return first && rest ? with_dims({*first, *rest}) : std::nullopt;
  }

  Constants joined() const {
    const auto axis = axis_at(draft_.int_of(node_, "axis", 1), in_[0]->dims.size());
    if (!axis) return std::nullopt;
    Constant made{in_[0]->type, in_[0]->dims, {}};
    made.dims[*axis] = 0;
    for (const auto& part : in_) {
      if (!part || !is_whole(*part) || part->type != made.type ||
          part->dims.size() != made.dims.size()) {
        return std::nullopt;
      }
      for (std::size_t i = 0; i < made.dims.size(); ++i) {
        if (i != *axis && part->dims[i] != made.dims[i]) return std::nullopt;
      }
      made.dims[*axis] += part->dims[*axis];
    }
    const std::int64_t outer = count_of(std::span(made.dims).first(*axis)).value_or(0);
    for (std::int64_t row = 0; row < outer; ++row) {
      for (const auto& part : in_) {
        const std::size_t bytes = part->raw.size() / size_of(outer);
        made.raw += std::string_view(part->raw).substr(size_of(row) * bytes, bytes);
      }
    }
    return one(std::move(made));
  }

  Constants gathered() const {
    const Constant& from = *in_[0];
    const auto axis = axis_at(draft_.int_of(node_, "axis", 0), from.dims.size());
    if (!axis || !has(1)) return std::nullopt;
    const Constant& indices = *in_[1];
    const auto flat = ints_of({indices.type, {count_of(indices.dims).value_or(0)}, indices.raw});
    if (!flat) return std::nullopt;
    const std::int64_t size = from.dims[*axis];
    const std::int64_t outer = count_of(std::span(from.dims).first(*axis)).value_or(0);
    const std::size_t inner =
        size_of(count_of(std::span(from.dims).subspan(*axis + 1)).value_or(0)) * width_of(from);
    const auto at = static_cast<std::ptrdiff_t>(*axis);
    Constant made{from.type, Dims(from.dims.begin(), from.dims.begin() + at), {}};
    made.dims.insert(made.dims.end(), indices.dims.begin(), indices.dims.end());
    made.dims.insert(made.dims.end(), from.dims.begin() + at + 1, from.dims.end());
    for (std::int64_t row = 0; row < outer; ++row) {
      for (std::int64_t index : *flat) {
        if (index < 0) index += size;
        if (index < 0 || index >= size) return std::nullopt;
        made.raw += std::string_view(from.raw).substr(size_of(row * size + index) * inner, inner);
      }
    }
    return one(std::move(made));
  }

  Constants sliced() const {
    const Constant& from = *in_[0];
    const auto starts = attribute_or("starts", 1), ends = attribute_or("ends", 2);
    auto axes = attribute_or("axes", 3);
    const auto steps = list(4);
    if (!starts || !ends || starts->size() != ends->size() || (has(3) && !axes) ||
        (has(4) && !steps)) {
      return std::nullopt;
    }
    if (!axes) {
      axes.emplace(starts->size());
      std::iota(axes->begin(), axes->end(), 0);
    }
    if (axes->size() != starts->size() || (steps && steps->size() != starts->size())) {
      return std::nullopt;
    }
    Dims dims = from.dims, strides = strides_of(from.dims);
    std::int64_t first = 0;
    std::vector<bool> is_cut(dims.size(), false);
    for (std::size_t i = 0; i < starts->size(); ++i) {
      const auto axis = axis_at((*axes)[i], dims.size());
      const std::int64_t step = steps ? (*steps)[i] : 1;
      if (!axis || step == 0 || step < -kMaxStep || is_cut[*axis]) return std::nullopt;
      is_cut[*axis] = true;
      const std::int64_t size = dims[*axis];
      // Backwards, it begins at the last element at most, and ends before the first.
      const std::int64_t most = step > 0 ? size : size - 1;
      const auto place = [&](std::int64_t at, std::int64_t least) {
        const std::int64_t from_front = at < 0 ? std::max(at, -size - 1) + size : at;
        return std::max(std::min(from_front, most), least);
      };
      const std::int64_t begin = place((*starts)[i], 0), end = place((*ends)[i], step > 0 ? 0 : -1);
      const std::int64_t length = size == 0 ? 0 : step > 0 ? end - begin : begin - end;
      dims[*axis] = length <= 0 ? 0 : (length - 1) / std::abs(step) + 1;
      first += begin * strides[*axis];
      strides[*axis] *= dims[*axis] > 1 ? step : 0;
    }
    if (count_of(dims) == 0) first = 0;
    return one(viewed(from, std::move(dims), first, strides));
  }

  Constants split() const {
    const Constant& from = *in_[0];
    const auto axis = axis_at(draft_.int_of(node_, "axis", 0), from.dims.size());
    const std::size_t count = draft_.outputs(node_).size();
    auto parts = attribute_or("split", 1);
    if (!axis || count == 0 || (has(1) && !parts)) return std::nullopt;
    const std::int64_t whole = from.dims[*axis];
    if (!parts) {
      const auto pieces = static_cast<std::int64_t>(count);
      if (whole % pieces != 0) return std::nullopt;
      parts = Dims(count, whole / pieces);
    }
    if (parts->size() != count ||
        std::accumulate(parts->begin(), parts->end(), std::int64_t{0}) != whole ||
        std::ranges::any_of(*parts, [](std::int64_t part) { return part < 0; })) {
      return std::nullopt;
    }
    const Dims strides = strides_of(from.dims);
    std::vector<Constant> made;
    std::int64_t first = 0;
    for (const std::int64_t part : *parts) {
      Dims dims = from.dims;
      dims[*axis] = part;
      auto piece = viewed(from, std::move(dims), part == 0 ? 0 : first * strides[*axis], strides);
      if (!piece) return std::nullopt;
      made.push_back(*std::move(piece));
      first += part;
    }
    return made;
  }

  Constants tiled() const {
    const Constant& from = *in_[0];
    const auto repeats = list(1);
    if (!repeats || repeats->size() != from.dims.size()) return std::nullopt;
    const Dims strides = strides_of(from.dims);
    Dims dims, steps, whole;
    for (std::size_t i = 0; i < from.dims.size(); ++i) {
      std::int64_t size = 0;
      if (__builtin_mul_overflow((*repeats)[i], from.dims[i], &size)) return std::nullopt;
      dims.insert(dims.end(), {(*repeats)[i], from.dims[i]});
      steps.insert(steps.end(), {0, strides[i]});
      whole.push_back(size);
    }
    auto made = viewed(from, std::move(dims), 0, steps);
    if (made) made->dims = std::move(whole);
    return one(std::move(made));
  }

  const Draft& draft_;
  const NodeId node_;
  const Inputs in_;
};

}  // namespace

std::optional<std::size_t> axis_at(std::int64_t axis, std::size_t rank) {
  const auto count = static_cast<std::int64_t>(rank);
  if (axis < 0) axis += count;
  if (axis < 0 || axis >= count) return std::nullopt;
  return size_of(axis);
}

std::optional<Dims> ints_of(const Constant& list) {
  if (list.dims.size() > 1) return std::nullopt;
  Dims values;
  const auto read = [&]<typename T>(T value) {
    for (std::size_t at = 0; at + sizeof(T) <= list.raw.size(); at += sizeof(T)) {
      std::memcpy(&value, list.raw.data() + at, sizeof(T));
      values.push_back(value);
    }
  };
  if (list.type == DataType::kInt64) {
    read(std::int64_t{});
  } else if (list.type == DataType::kInt32) {
    read(std::int32_t{});
  } else {
    return std::nullopt;
  }
  return values;
}

std::optional<Dims> broadcast_dims(const Dims& a, const Dims& b) {
  const Dims& longer = a.size() >= b.size() ? a : b;
  const Dims& shorter = a.size() >= b.size() ? b : a;
  Dims result = longer;
  const std::size_t shift = longer.size() - shorter.size();
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    std::int64_t& size = result[i + shift];
    if (size == shorter[i] || shorter[i] == 1) continue;
    if (size != 1) return std::nullopt;
    size = shorter[i];
  }
  return result;
}

std::optional<Constant> transposed(const Constant& from, const Dims& perm) {
  const std::size_t rank = from.dims.size();
  if (perm.size() != rank) return std::nullopt;
  const Dims strides = strides_of(from.dims);
  Dims dims, steps;
  std::vector<bool> is_taken(rank, false);
  for (const std::int64_t axis : perm) {
    const auto at = axis_at(axis, rank);
    if (!at || is_taken[*at]) return std::nullopt;
    is_taken[*at] = true;
    dims.push_back(from.dims[*at]);
    steps.push_back(strides[*at]);
  }
  return viewed(from, std::move(dims), 0, steps);
}

std::optional<Constant> expanded(const Constant& from, const Dims& dims) {
  if (dims.size() < from.dims.size()) return std::nullopt;
  const std::size_t shift = dims.size() - from.dims.size();
  const Dims strides = strides_of(from.dims);
  Dims steps(dims.size(), 0);
  for (std::size_t i = 0; i < from.dims.size(); ++i) {
    if (from.dims[i] == 1) continue;
    if (from.dims[i] != dims[i + shift]) return std::nullopt;
    steps[i + shift] = strides[i];
  }
  return viewed(from, dims, 0, steps);
}

std::optional<std::vector<Constant>> evaluated_move(const Draft& draft, NodeId node, Inputs in) {
  return Mover(draft, node, in).run();
}

}  // namespace planex::clean
