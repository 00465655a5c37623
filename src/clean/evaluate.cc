#include "clean/evaluate.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>

#include "onnx/small_floats.h"

namespace planex::clean {
namespace {

using onnx::DataType;
using Inputs = std::span<const std::optional<Constant>>;
using Made = std::optional<Constant>;

template <typename T>
constexpr DataType kTypeOf = std::is_same_v<T, float>          ? DataType::kFloat
                             : std::is_same_v<T, double>       ? DataType::kDouble
                             : std::is_same_v<T, std::int64_t> ? DataType::kInt64
                             : std::is_same_v<T, std::int32_t> ? DataType::kInt32
                             : std::is_same_v<T, std::uint8_t> ? DataType::kUint8
                             : std::is_same_v<T, std::int8_t>  ? DataType::kInt8
                                                               : DataType::kBool;

template <typename T>
std::vector<T> values_of(const Constant& of) {
  std::vector<T> values(of.raw.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), of.raw.data(), values.size() * sizeof(T));
  return values;
}

// Booleans are stored as bytes.
template <typename T>
Constant constant_of(Dims dims, const std::vector<T>& values, DataType type = kTypeOf<T>) {
  return {type, std::move(dims), onnx::raw_of(values)};
}

template <typename T>
std::optional<T> quotient(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    // Overflows for the smallest number and -1.
    if (b == 0 || b == T(-1)) return std::nullopt;
    return static_cast<T>(a / b);
  } else {
    return a / b;
  }
}

template <typename T>
T wrapped(T a, T b, char sign) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    const auto x = static_cast<U>(a), y = static_cast<U>(b);
    return static_cast<T>(sign == '+' ? x + y : sign == '-' ? x - y : x * y);
  } else {
    return sign == '+' ? a + b : sign == '-' ? a - b : a * b;
  }
}

template <typename T>
std::optional<T> binary(std::string_view type, T a, T b) {
  if (type == "Add") return wrapped(a, b, '+');
  if (type == "Sub") return wrapped(a, b, '-');
  if (type == "Mul") return wrapped(a, b, '*');
  if (type == "Div") return quotient(a, b);
  // Others are rounded differently by each engine.
  if (type == "Pow" && b == T{2}) return wrapped(a, a, '*');
  if (a != a || b != b) return std::nullopt;
  if (type == "Min") return std::min(a, b);
  if (type == "Max") return std::max(a, b);
  return std::nullopt;
}

template <typename T>
std::optional<bool> compared(std::string_view type, T a, T b) {
  if (type == "Equal") return a == b;
  if (type == "Less") return a < b;
  if (type == "LessOrEqual") return a <= b;
  if (type == "Greater") return a > b;
  if (type == "GreaterOrEqual") return a >= b;
  return std::nullopt;
}

std::optional<bool> logical(std::string_view type, bool a, bool b) {
  if (type == "And") return a && b;
  if (type == "Or") return a || b;
  if (type == "Xor") return a != b;
  if (type == "Equal") return a == b;
  return std::nullopt;
}

template <typename T>
std::optional<T> unary(std::string_view type, T a) {
  if (type == "Neg") return wrapped(T{0}, a, '-');
  if (type == "Abs") return a < 0 ? wrapped(T{0}, a, '-') : a;
  if constexpr (std::is_floating_point_v<T>) {
    if (type == "Sqrt") return std::sqrt(a);
    if (type == "Floor") return std::floor(a);
    if (type == "Ceil") return std::ceil(a);
    if (type == "Reciprocal") return 1 / a;
  }
  return std::nullopt;
}

template <typename T>
Made unary_of(std::string_view type, const Constant& in) {
  std::vector<T> values = values_of<T>(in);
  for (T& value : values) {
    const auto result = unary(type, value);
    if (!result) return std::nullopt;
    value = *result;
  }
  return constant_of(in.dims, values);
}

template <typename T>
Made binary_of(std::string_view type, const Dims& dims, const Constant& one, const Constant& two) {
  std::vector<T> a = values_of<T>(one);
  const std::vector<T> b = values_of<T>(two);
  if (a.empty()) return std::nullopt;
  if (binary(type, a[0], b[0])) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      const auto result = binary(type, a[i], b[i]);
      if (!result) return std::nullopt;
      a[i] = *result;
    }
    return constant_of(dims, a);
  }
  std::vector<std::uint8_t> truths;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto result = compared(type, a[i], b[i]);
    if (!result) return std::nullopt;
    truths.push_back(*result ? 1 : 0);
  }
  return constant_of(dims, truths, DataType::kBool);
}

Made logical_of(std::string_view type, const Dims& dims, const Constant& one, const Constant& two) {
  std::vector<std::uint8_t> a = values_of<std::uint8_t>(one);
  const std::vector<std::uint8_t> b = values_of<std::uint8_t>(two);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto result = logical(type, a[i] != 0, b[i] != 0);
    if (!result) return std::nullopt;
    a[i] = *result ? 1 : 0;
  }
  return constant_of(dims, a, DataType::kBool);
}

Made broadcast_of(std::string_view type, const Constant& one, const Constant& two) {
  const auto dims = broadcast_dims(one.dims, two.dims);
  if (!dims || one.type != two.type) return std::nullopt;
  const Made a = expanded(one, *dims), b = expanded(two, *dims);
  if (!a || !b) return std::nullopt;
  switch (one.type) {
    case DataType::kFloat:
      return binary_of<float>(type, *dims, *a, *b);
    case DataType::kDouble:
      return binary_of<double>(type, *dims, *a, *b);
    case DataType::kInt64:
      return binary_of<std::int64_t>(type, *dims, *a, *b);
    case DataType::kInt32:
      return binary_of<std::int32_t>(type, *dims, *a, *b);
    case DataType::kBool:
      return logical_of(type, *dims, *a, *b);
    default:
      return std::nullopt;
  }
}

Made chosen(const Constant& truth, const Constant& one, const Constant& two) {
  if (truth.type != DataType::kBool || one.type != two.type) return std::nullopt;
  auto dims = broadcast_dims(one.dims, two.dims);
  if (dims) dims = broadcast_dims(*dims, truth.dims);
  if (!dims) return std::nullopt;
  const Made a = expanded(one, *dims), b = expanded(two, *dims), which = expanded(truth, *dims);
  if (!a || !b || !which || which->raw.empty()) return std::nullopt;
  Constant made = *a;
  const std::size_t width = a->raw.size() / which->raw.size();
  for (std::size_t i = 0; i < which->raw.size(); ++i) {
    if (which->raw[i] == 0) std::memcpy(&made.raw[i * width], &b->raw[i * width], width);
  }
  return made;
}

// --- Cast

// As doubles, which are exact for all of these but large int64.
std::optional<std::vector<double>> reals_of(const Constant& in) {
  std::vector<double> values;
  const auto take = [&]<typename T>(T) {
    for (const T value : values_of<T>(in)) values.push_back(static_cast<double>(value));
  };
  switch (in.type) {
    case DataType::kFloat:
      return take(0.0F), values;
    case DataType::kDouble:
      return take(0.0), values;
    case DataType::kInt32:
      return take(std::int32_t{}), values;
    case DataType::kUint8:
    case DataType::kBool:
      return take(std::uint8_t{}), values;
    case DataType::kInt8:
      return take(std::int8_t{}), values;
    case DataType::kFloat16:
      for (const std::uint16_t bits : values_of<std::uint16_t>(in)) {
        values.push_back(static_cast<double>(onnx::from_half(bits)));
      }
      return values;
    case DataType::kInt64: {
      constexpr std::int64_t kExact = std::int64_t{1} << 53;
      take(std::int64_t{});
      const bool is_exact = std::ranges::all_of(
          values, [](double value) { return std::abs(value) < static_cast<double>(kExact); });
      return is_exact ? std::optional(values) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

template <typename T>
Made cast_to(const Constant& in, const std::vector<double>& reals) {
  std::vector<T> values;
  for (const double real : reals) {
    if constexpr (std::is_integral_v<T>) {
      // Outside, engines differ.
      constexpr auto kMin = static_cast<double>(std::numeric_limits<T>::min());
      constexpr auto kMax = static_cast<double>(std::numeric_limits<T>::max());
      if (!(real > kMin - 1 && real < kMax)) {
        if (real != kMax || sizeof(T) == sizeof(std::int64_t)) return std::nullopt;
      }
    }
    values.push_back(static_cast<T>(real));
  }
  return constant_of(in.dims, values);
}

Made cast(const Constant& in, DataType to) {
  if (in.type == to) return in;
  const auto reals = reals_of(in);
  if (!reals) return std::nullopt;
  switch (to) {
    case DataType::kFloat:
      return cast_to<float>(in, *reals);
    case DataType::kDouble:
      return cast_to<double>(in, *reals);
    case DataType::kInt64:
      return cast_to<std::int64_t>(in, *reals);
    case DataType::kInt32:
      return cast_to<std::int32_t>(in, *reals);
    case DataType::kBool: {
      std::vector<std::uint8_t> values;
      for (const double real : *reals) values.push_back(real != 0 ? 1 : 0);
      return constant_of(in.dims, values, DataType::kBool);
    }
    case DataType::kFloat16: {
      std::vector<std::uint16_t> values;
      for (const double real : *reals) values.push_back(onnx::to_half(static_cast<float>(real)));
      return constant_of(in.dims, values, DataType::kFloat16);
    }
    default:
      return std::nullopt;
  }
}

// --- Reductions and sequences

// Along all axes of a list: the product of a shape.
template <typename T>
Made reduced(std::string_view type, const Constant& in, bool keeps) {
  const std::vector<T> values = values_of<T>(in);
  if (values.empty()) return std::nullopt;
  T result = values[0];
  const std::string_view step = type == "ReduceProd"  ? "Mul"
                                : type == "ReduceSum" ? "Add"
                                : type == "ReduceMax" ? "Max"
                                                      : "Min";
  for (std::size_t i = 1; i < values.size(); ++i) {
    const auto next = binary(step, result, values[i]);
    if (!next) return std::nullopt;
    result = *next;
  }
  return constant_of(keeps ? Dims(in.dims.size(), 1) : Dims(), std::vector<T>{result});
}

template <typename T>
Made range(const Constant& start, const Constant& limit, const Constant& delta) {
  constexpr std::size_t kMax = 1 << 20;
  const auto first = values_of<T>(start), end = values_of<T>(limit), step = values_of<T>(delta);
  if (first.size() != 1 || end.size() != 1 || step.size() != 1 || step[0] == 0) return std::nullopt;
  const double count = std::ceil((static_cast<double>(end[0]) - static_cast<double>(first[0])) /
                                 static_cast<double>(step[0]));
  if (!(count < static_cast<double>(kMax))) return std::nullopt;
  std::vector<T> values;
  for (std::size_t i = 0; static_cast<double>(i) < count; ++i) {
    values.push_back(static_cast<T>(first[0] + static_cast<T>(i) * step[0]));
  }
  const auto size = static_cast<std::int64_t>(values.size());
  return constant_of({size}, values);
}

Made filled(const Dims& dims, const Constant& value) {
  return expanded({value.type, {}, value.raw}, dims);
}

}  // namespace

std::optional<Constant> evaluated_arithmetic(const Draft& draft, NodeId node, Inputs in) {
  const std::string_view type = draft.op(node);
  if (in.empty() || !in[0]) return std::nullopt;
  const Constant& first = *in[0];
  if (type == "Cast") {
    return cast(first, static_cast<DataType>(draft.int_of(node, "to", 0)));
  }
  if (type == "ConstantOfShape") {
    const auto dims = ints_of(first);
    const float zero = 0;
    const Constant none = constant_of({1}, std::vector<float>{zero});
    if (!dims || !count_of(*dims)) return std::nullopt;
    if (draft.has_attribute(node, "value")) {
      const auto value = draft.tensor_of(node, "value");
      return value && count_of(value->dims) == 1 ? filled(*dims, *value) : std::nullopt;
    }
    return filled(*dims, none);
  }
  if (type == "Shape" || type == "Size") {
    if (draft.has_attribute(node, "start") || draft.has_attribute(node, "end")) return std::nullopt;
    if (type == "Size") return constant_of({}, Dims{count_of(first.dims).value_or(0)});
    return constant_of({static_cast<std::int64_t>(first.dims.size())}, first.dims);
  }
  if (type == "Range" && in.size() == 3 && in[1] && in[2]) {
    if (first.type == DataType::kInt64) return range<std::int64_t>(first, *in[1], *in[2]);
    if (first.type == DataType::kInt32) return range<std::int32_t>(first, *in[1], *in[2]);
    if (first.type == DataType::kFloat) return range<float>(first, *in[1], *in[2]);
    return std::nullopt;
  }
  if (type == "Where" && in.size() == 3 && in[1] && in[2]) return chosen(first, *in[1], *in[2]);
  if (type == "Not" && first.type == DataType::kBool) {
    Constant made = first;
    for (char& byte : made.raw) byte = byte == 0 ? 1 : 0;
    return made;
  }
  if ((type == "ReduceProd" || type == "ReduceSum" || type == "ReduceMax" || type == "ReduceMin") &&
      first.dims.size() == 1) {
    const bool keeps = draft.int_of(node, "keepdims", 1) != 0;
    if (draft.int_of(node, "noop_with_empty_axes", 0) != 0) return std::nullopt;
    if (first.type == DataType::kInt64) return reduced<std::int64_t>(type, first, keeps);
    if (first.type == DataType::kInt32) return reduced<std::int32_t>(type, first, keeps);
    return std::nullopt;
  }
  if (in.size() == 2 && in[1]) return broadcast_of(type, first, *in[1]);
  if (in.size() != 1) return std::nullopt;
  if (type == "Sum" || type == "Max" || type == "Min") return first;
  if (first.type == DataType::kFloat) return unary_of<float>(type, first);
  if (first.type == DataType::kDouble) return unary_of<double>(type, first);
  if (first.type == DataType::kInt64) return unary_of<std::int64_t>(type, first);
  if (first.type == DataType::kInt32) return unary_of<std::int32_t>(type, first);
  return std::nullopt;
}

std::optional<std::vector<Constant>> evaluated(const Draft& draft, NodeId node, Inputs inputs) {
  if (auto moved = evaluated_move(draft, node, inputs)) return moved;
  auto made = evaluated_arithmetic(draft, node, inputs);
  if (!made || draft.outputs(node).size() != 1) return std::nullopt;
  return std::vector<Constant>{*std::move(made)};
}

}  // namespace planex::clean
