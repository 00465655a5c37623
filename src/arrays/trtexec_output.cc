#include "arrays/trtexec_output.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <utility>

#include "base/numbers.h"
#include "base/text.h"
#include "base/try.h"

namespace planex::arrays {
namespace {

using base::format;

// Maximum length of a quoted sentence.
constexpr std::size_t kMaxSentence = 200;
constexpr std::string_view kBlanks = " \t\r\n";

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == text.npos ? std::string_view() : text.substr(first);
}

// "1x3x224x224" or "1.3.224.224". Null where it is not a shape; an empty text is a scalar.
std::optional<std::vector<std::int64_t>> shape_of(std::string_view text, char separator) {
  std::vector<std::int64_t> shape;
  while (!text.empty()) {
    const std::string_view digits = base::take_part(text, separator);
    std::int64_t size = 0;
    const auto [rest, code] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
    const bool is_size =
        base::are_digits(digits) && code == std::errc() && rest == digits.data() + digits.size();
    if (!is_size) return std::nullopt;
    shape.push_back(size);
  }
  return shape;
}

template <typename T>
void append_bytes(std::string& data, T value) {
  const auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
  data.append(bytes.data(), bytes.size());
}

// The numbers of one tensor; integers as long as all numbers so far are.
class Numbers {
 public:
  // Whether the token is a number.
  bool add(std::string_view token) {
    if (are_integers_) {
      std::int64_t integer = 0;
      if (is_all_of(token, integer)) {
        append_bytes(integers_, integer);
        return true;
      }
      turn_to_floats();
    }
    return add_float(token);
  }

  std::size_t count() const {
    return are_integers_ ? integers_.size() / sizeof(std::int64_t) : floats_.size() / sizeof(float);
  }

  // An empty tensor has no integers.
  Array array(std::vector<std::int64_t> shape) && {
    const bool is_int = are_integers_ && !integers_.empty();
    return {.type = is_int ? ElementType::kInt64 : ElementType::kFloat32,
            .shape = std::move(shape),
            .data = is_int ? std::move(integers_) : std::move(floats_)};
  }

 private:
  template <typename T>
  static bool is_all_of(std::string_view token, T& value) {
    const auto [rest, code] = std::from_chars(token.data(), token.data() + token.size(), value);
    return code == std::errc() && rest == token.data() + token.size();
  }

  bool add_float(std::string_view token) {
    // nan, inf and their signs, in any case.
    double value = 0;
    const auto [rest, code] = base::read_number(token.data(), token.data() + token.size(), value);
    if (rest != token.data() + token.size() || code == std::errc::invalid_argument) return false;
    // Out of range: the standard leaves the value unchanged, and does not say at which end.
    if (code != std::errc()) {
      value = token.contains("e-") || token.contains("E-") ? 0.0 : kInfinity;
      if (token.starts_with('-')) value = -value;
    }
    Array one{.type = ElementType::kFloat64, .shape = {}, .data = {}};
    append_bytes(one.data, value);
    float rounded = 0;
    floats_of(one, 0, std::span(&rounded, 1));
    append_bytes(floats_, rounded);
    return true;
  }

  void turn_to_floats() {
    are_integers_ = false;
    const Array integers{.type = ElementType::kInt64, .shape = {}, .data = std::move(integers_)};
    for (const float value : floats_of(integers)) append_bytes(floats_, value);
    integers_.clear();
  }

  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  bool are_integers_ = true;
  std::string integers_, floats_;
};

// The file is JSON except for its numbers, so it is read with the few rules that it follows.
class TrtexecText {
 public:
  TrtexecText(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  Result<SavedArrays> read() {
    saved_.format = ArraysFormat::kTrtexecOutput;
    Iteration& iteration = saved_.runs.emplace_back().iterations.emplace_back();
    if (!take('[')) return wrong("[, the list of tensors");
    while (!take(']')) {
      PLANEX_TRY(read_tensor(iteration));
      if (take(',')) continue;
      if (!take(']')) return wrong("a comma or the end of the list");
      break;
    }
    skip_blanks();
    if (at_ != text_.size()) return wrong("nothing after the list");
    return std::move(saved_);
  }

 private:
  Failure wrong(std::string_view expected) const {
    const std::string found = at_ < text_.size() ? base::quoted(text_.substr(at_, 20)) : "its end";
    return fail({.code = ErrorCode::kBadInput,
                 .message = format("not as trtexec --exportOutput writes it: found {}, expected {}",
                                   found, expected),
                 .file = path_,
                 .byte_offset = at_});
  }

  void skip_blanks() { at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size()); }

  bool take(char wanted) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  // trtexec escapes nothing; other programs that write such files escape quotes and backslashes.
  Result<std::string> take_text() {
    if (!take('"')) return wrong("a text");
    std::string found;
    while (at_ < text_.size() && text_[at_] != '"') {
      const bool is_escaped = text_[at_] == '\\' && at_ + 1 < text_.size() &&
                              std::string_view("\"\\/").contains(text_[at_ + 1]);
      if (is_escaped) ++at_;
      found += text_[at_++];
    }
    if (!take('"')) return wrong("the end of a text");
    return found;
  }

  Result<void> read_tensor(Iteration& iteration) {
    if (!take('{')) return wrong("{, a tensor");
    const std::size_t begin = at_;
    std::optional<std::string> name, dimensions;
    std::optional<Numbers> numbers;
    std::string sentence;
    while (!take('}')) {
      PLANEX_ASSIGN(const std::string key, take_text());
      if (!take(':')) return wrong("a colon");
      if (key == "values") {
        numbers.emplace();
        PLANEX_TRY(read_values(*numbers, sentence));
      } else {
        PLANEX_ASSIGN(std::string text, take_text());
        if (key == "name") {
          name = std::move(text);
        } else if (key == "dimensions") {
          dimensions = std::move(text);
        }
      }
      if (take(',')) continue;
      if (!take('}')) return wrong("a comma or the end of the tensor");
      break;
    }
    if (!name || !dimensions || !numbers) {
      at_ = begin;
      return wrong("the keys name, dimensions and values");
    }
    if (!sentence.empty()) {
      saved_.remarks.push_back(format("the tensor {} was not read: its values are {}",
                                      base::quoted(*name), base::quoted(sentence, kMaxSentence)));
      return {};
    }
    const auto shape = shape_of(*dimensions, 'x');
    const std::optional<std::int64_t> count = shape ? element_count(*shape) : std::nullopt;
    if (!count) {
      at_ = begin;
      return wrong(format("dimensions such as 1x3x224x224, not {}", base::quoted(*dimensions)));
    }
    if (static_cast<std::uint64_t>(*count) != numbers->count()) {
      at_ = begin;
      return wrong(format("{} values of {} of dimensions {}, not {}", *count, base::quoted(*name),
                          base::quoted(*dimensions), numbers->count()));
    }
    iteration.arrays.push_back({*std::move(name), (*std::move(numbers)).array(*shape)});
    return {};
  }

  // Numbers, or if the first token is not a number, a sentence up to the bracket.
  Result<void> read_values(Numbers& numbers, std::string& sentence) {
    if (!take('[')) return wrong("[, the values");
    bool is_first = true;
    while (!take(']')) {
      skip_blanks();
      const std::size_t end = std::min(text_.find_first_of(", \t\r\n]", at_), text_.size());
      if (!numbers.add(text_.substr(at_, end - at_))) {
        if (!is_first) return wrong("a number");
        return read_sentence(sentence);
      }
      is_first = false;
      at_ = end;
      if (take(',')) continue;
      if (!take(']')) {
        // A sentence can begin with a number.
        return wrong("a comma or the end of the values");
      }
      break;
    }
    return {};
  }

  // After the values comes the end of the tensor or its next key; a sentence can contain brackets.
  Result<void> read_sentence(std::string& sentence) {
    const std::size_t begin = at_;
    for (std::size_t end = text_.find(']', at_); end != text_.npos;
         end = text_.find(']', end + 1)) {
      const std::string_view rest = without_blanks(text_.substr(end + 1));
      if (!rest.starts_with('}') && !rest.starts_with(',')) continue;
      sentence = base::trimmed(text_.substr(begin, end - begin));
      if (sentence.empty()) return wrong("values");
      at_ = end + 1;
      return {};
    }
    return wrong("values and their end");
  }

  std::string_view text_;
  const std::string& path_;
  std::size_t at_ = 0;
  SavedArrays saved_;
};

// trtexec's words, in lower case; and those of other tools that write such files.
std::optional<ElementType> type_called(std::string_view word) {
  struct Word {
    std::string_view word;
    ElementType type;
  };
  static constexpr std::array kWords = {
      Word{"fp32", ElementType::kFloat32},  Word{"float", ElementType::kFloat32},
      Word{"fp16", ElementType::kFloat16},  Word{"half", ElementType::kFloat16},
      Word{"bf16", ElementType::kBfloat16}, Word{"fp64", ElementType::kFloat64},
  };
  const std::string wanted = base::lower(word);
  for (const Word& known : kWords) {
    if (known.word == wanted) return known.type;
  }
  return element_type(wanted);
}

}  // namespace

bool is_trtexec_output(std::string_view text) {
  for (const std::string_view wanted : {"[", "{", "\"name\"", ":", "\""}) {
    text = without_blanks(text);
    if (!text.starts_with(wanted)) return false;
    text.remove_prefix(wanted.size());
  }
  return true;
}

Result<SavedArrays> read_trtexec_output(std::string_view text, const std::string& path) {
  return TrtexecText(text, path).read();
}

std::optional<RawBindingName> raw_binding_name(std::string_view file_name) {
  constexpr std::string_view kRawEnding = ".raw";
  if (!file_name.ends_with(kRawEnding)) return std::nullopt;
  file_name.remove_suffix(kRawEnding.size());
  RawBindingName name;
  for (const std::string_view direction : {".output.", ".input."}) {
    const std::size_t at = file_name.rfind(direction);
    if (at == file_name.npos) continue;
    name.tensor = file_name.substr(0, at);
    name.is_input = direction == ".input.";
    const std::string_view rest = file_name.substr(at + direction.size());
    const std::size_t dot = rest.rfind('.');
    if (name.tensor.empty() || dot == rest.npos) return std::nullopt;
    const auto shape = shape_of(rest.substr(0, dot), '.');
    const auto type = type_called(rest.substr(dot + 1));
    if (!shape || !type) return std::nullopt;
    name.shape = *shape;
    name.type = *type;
    return name;
  }
  return std::nullopt;
}

Result<Array> read_raw_binding(const RawBindingName& name, std::string bytes,
                               const std::string& path) {
  const std::optional<std::int64_t> count = element_count(name.shape);
  std::int64_t expected = 0;
  const bool is_size =
      count && !__builtin_mul_overflow(
                   *count, static_cast<std::int64_t>(bytes_per_element(name.type)), &expected);
  if (!is_size || static_cast<std::uint64_t>(expected) != bytes.size()) {
    return fail({.code = ErrorCode::kBadInput,
                 .message = format("has {} bytes, expected {}: {} of shape {}, as its name says",
                                   bytes.size(), is_size ? format("{}", expected) : "fewer",
                                   to_string(name.type), shape_text(name.shape)),
                 .file = path,
                 .hint = "copy it again under the name that trtexec gave it"});
  }
  return Array{.type = name.type, .shape = name.shape, .data = std::move(bytes)};
}

}  // namespace planex::arrays
