#include "analyze/align/names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "analyze/work/operation_kinds.h"
#include "base/find.h"
#include "base/text.h"

namespace planex::analyze::matching {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::size_t digits_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && base::is_digit(text[end])) ++end;
  return end - at;
}

// Numbers that the compiler counts up come after these marks.
constexpr std::array<std::string_view, 4> kMarks = {"_myl", "__mye", "Layer* ", "Loop* "};

// Number of characters at `at` that belong to a number of the compiler, given that `mark` ends
// there.
std::size_t numbers_behind(std::string_view name, std::size_t at, std::string_view mark) {
  std::size_t length = digits_at(name, at);
  // "_myl0_17": the block and the place in it.
  if (length > 0 && mark == "_myl" && at + length < name.size() && name[at + length] == '_') {
    const std::size_t place = digits_at(name, at + length + 1);
    if (place > 0) length += 1 + place;
  }
  return length;
}

bool contains(std::string_view lowered, std::string_view word) {
  return lowered.find(word) != lowered.npos;
}

// "/layer1/conv1/Conv" -> "Conv", "Conv_34" -> "Conv".
std::string_view last_word(std::string_view operation) {
  const std::size_t slash = operation.rfind('/');
  if (slash != operation.npos) operation.remove_prefix(slash + 1);
  while (!operation.empty() && base::is_digit(operation.back())) operation.remove_suffix(1);
  while (!operation.empty() && operation.back() == '_') operation.remove_suffix(1);
  return operation;
}

// "stem_token_70" -> "stem": a node that ONNX Runtime created for an operation. A node it created
// for none ("Transpose_token_69") keeps its number, the only thing that distinguishes it.
std::string_view without_token(std::string_view name) {
  constexpr std::string_view kToken = "_token_";
  const std::size_t at = name.rfind(kToken);
  if (at == name.npos || at == 0) return name;
  const std::size_t digits = digits_at(name, at + kToken.size());
  if (digits == 0 || at + kToken.size() + digits != name.size()) return name;
  const std::string_view rest = name.substr(0, at);
  const bool is_bare = std::ranges::all_of(rest, is_letter) && rest[0] >= 'A' && rest[0] <= 'Z';
  return is_bare ? name : rest;
}

// "l0.c1.relu_out" -> "l0.c1": the output of an activation or normalization that was fused into the
// layer before it, in models that name these "<layer>.<what>".
std::string_view without_activation(std::string_view name) {
  constexpr std::string_view kOut = "_out";
  constexpr std::array<std::string_view, 6> kFusedInto = {".relu", ".bn",   ".act",
                                                          ".silu", ".gelu", ".clip"};
  if (!name.ends_with(kOut)) return name;
  const std::string_view written = name.substr(0, name.size() - kOut.size());
  for (const std::string_view ending : kFusedInto) {
    if (written.size() > ending.size() && written.ends_with(ending)) {
      return written.substr(0, written.size() - ending.size());
    }
  }
  return name;
}

// Length of the longest operation names that are examined letter by letter.
constexpr std::size_t kMaxLetters = 256;

std::string lowered(std::string_view text) {
  std::string result(text.substr(0, kMaxLetters));
  std::ranges::transform(result, result.begin(), lower);
  return result;
}

}  // namespace

bool clean_name(std::string_view name, std::string& cleaned) {
  cleaned.clear();
  bool is_counted = false;
  std::size_t part = 0;  // where the part of a fused name starts
  const auto end_part = [&](std::size_t end) {
    is_counted = is_counted || counted_name(name.substr(part, end - part)).has_value();
  };
  for (std::size_t at = 0; at < name.size();) {
    bool skipped = false;
    for (const std::string_view mark : kMarks) {
      if (name[at] != mark.front() || !name.substr(at).starts_with(mark)) continue;
      cleaned += mark;
      at += mark.size();
      at += numbers_behind(name, at, mark);
      skipped = true;
      break;
    }
    if (skipped) continue;
    const char c = name[at];
    if (c == ' ' || c == '(' || c == ')' || c == ',' || c == '[' || c == ']') {
      end_part(at);
      part = at + 1;
    }
    cleaned += c;
    ++at;
  }
  end_part(name.size());
  return is_counted;
}

std::string_view name_before_fusion(std::string_view name) {
  constexpr std::string_view kFused = "fused ", kBlocked = "_nchwc", kOutput = "_output_";
  constexpr std::string_view kFusion = "Fusion", kQuantized = "_quant", kFusedEnd = "_fused";
  if (name.starts_with(kFused)) name.remove_prefix(kFused.size());
  if (name.ends_with(kBlocked)) {
    name.remove_suffix(kBlocked.size());
    const std::string_view activated = without_activation(name);
    if (activated.size() < name.size()) return activated;
    // A blocked layer is named after what it writes, which is named after the operation in exports
    // from PyTorch.
    const std::size_t output = name.rfind(kOutput);
    if (output != name.npos && output > 0) {
      const std::size_t digits = digits_at(name, output + kOutput.size());
      if (digits > 0 && output + kOutput.size() + digits == name.size()) {
        name = name.substr(0, output);
      }
    }
  }
  name = without_token(name);
  for (const std::string_view ending : {kQuantized, kFusedEnd}) {
    if (name.size() > ending.size() && name.ends_with(ending)) name.remove_suffix(ending.size());
  }
  std::string_view fused = name;
  if (fused.ends_with('/')) fused.remove_suffix(1);
  const std::size_t slash = fused.rfind('/');
  if (fused.ends_with(kFusion) && slash != fused.npos && slash > 0) name = fused.substr(0, slash);
  return name;
}

std::optional<CountedName> counted_name(std::string_view name) {
  std::size_t letters = 0;
  while (letters < name.size() && is_letter(name[letters])) ++letters;
  std::size_t at = letters;
  while (at < name.size() && name[at] == '_') ++at;
  if (letters == 0 || at == letters || at == name.size()) return std::nullopt;
  CountedName counted{.word = name.substr(0, letters)};
  const auto [end, error] =
      std::from_chars(name.data() + at, name.data() + name.size(), counted.number);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return counted;
}

bool is_moving_kernel(std::string_view name) {
  constexpr std::string_view kStart = "__myl_";
  constexpr std::array<std::string_view, 8> kMoves = {"Conc", "Tran", "Resh", "Move",
                                                      "Cast", "Copy", "Slic", "Pad"};
  if (!name.starts_with(kStart)) return false;
  name.remove_prefix(kStart.size());
  name = name.substr(0, name.find('_'));
  if (name.empty()) return false;
  while (!name.empty()) {
    const std::string_view* const move =
        base::find_if(kMoves, [name](std::string_view word) { return name.starts_with(word); });
    if (move == nullptr) return false;
    name.remove_prefix(move->size());
    while (!name.empty() && name.front() >= 'a' && name.front() <= 'z') name.remove_prefix(1);
  }
  return true;
}

bool names_movement(std::string_view operation, std::string_view type) {
  if (!type.empty()) {
    return operation_kind({}, type) == OperationKind::kMovement ||
           contains(lowered(type), "quantize");
  }
  const std::string_view word = last_word(operation);
  if (operation_kind({}, word) == OperationKind::kMovement) return true;
  const std::string text = lowered(word);
  return std::ranges::any_of(
      std::array{"quant", "transpose", "reshape", "cast", "convert", "squeeze", "flatten"},
      [&text](const char* part) { return contains(text, part); });
}

bool names_product(std::string_view operation, std::string_view type) {
  const auto is_product = [](OperationKind kind) {
    return kind == OperationKind::kProduct || kind == OperationKind::kRecurrent;
  };
  if (!type.empty()) return is_product(operation_kind({}, type));
  if (names_movement(operation, type)) return false;
  const std::string_view word = last_word(operation);
  if (is_product(operation_kind({}, word))) return true;
  const std::string text = lowered(word);
  return text.ends_with(".weight") ||
         std::ranges::any_of(std::array{"conv", "matmul", "gemm", "linear"},
                             [&text](const char* part) { return contains(text, part); });
}

}  // namespace planex::analyze::matching
