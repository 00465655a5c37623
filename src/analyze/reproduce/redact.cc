#include "analyze/reproduce/redact.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "analyze/reproduce/redact_words.h"
#include "base/find.h"
#include "base/sha256.h"
#include "base/text.h"
#include "model/plan_columns.h"

namespace planex::analyze {
namespace {

using base::StringId;
using model::PlanModel;

// Bytes of other scripts count as letters.
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}
bool is_alnum(char c) { return is_letter(c) || base::is_digit(c); }

template <typename Holds>
std::size_t run_end(std::string_view text, std::size_t at, Holds holds) {
  while (at < text.size() && holds(text[at])) ++at;
  return at;
}

// "_myl0_17": the counter of Myelin's kernels.
std::string_view myelin_suffix(std::string_view name) {
  const std::size_t mark = name.rfind("_myl");
  if (mark == name.npos) return {};
  std::size_t at = run_end(name, mark + 4, base::is_digit);
  if (at == mark + 4 || at >= name.size() || name[at] != '_') return {};
  const std::size_t end = run_end(name, at + 1, base::is_digit);
  return end > at + 1 && end == name.size() ? name.substr(mark) : std::string_view();
}

bool is_hexadecimal(std::string_view word) {
  return word.size() > 2 && word.starts_with("0x") &&
         word.find_first_not_of("0123456789abcdefABCDEF", 2) == word.npos;
}

constexpr std::string_view kKernelOfMyelin = "__myl_", kTensorOfMyelin = "__mye";

// "MulAddMean": Myelin cuts the names of operations to four letters, so no other word can be among
// them unless it is that short.
bool are_operation_codes(std::string_view words) {
  constexpr std::size_t kLongest = 4;
  std::size_t length = 0;
  for (const char c : words) {
    const bool is_capital = c >= 'A' && c <= 'Z';
    if (!is_alnum(c) || (length == 0 && !is_capital)) return false;
    length = is_capital ? 1 : length + 1;
    if (length > kLongest) return false;
  }
  return !words.empty();
}

// Myelin's names for its own tensors and constants: "__mye13_dconst", "__myln_k_arg__bb1_3".
bool is_myelin_word(std::string_view word) {
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"mye", "myl", "myln", "dconst", "const", "hfc", "k", "arg", "bb", "tmp"});
  return std::ranges::find(kWords, word) != kWords.end();
}

// A name that Myelin composed of operation codes and numbers: "__myl_MulSum_myl0_3",
// "__myl_MulSum_0xba3f_myl0_3", "_gemm_mha_v2_myl0_9".
bool is_of_myelin(std::string_view name) {
  const std::string_view suffix = myelin_suffix(name);
  std::string_view own = name.substr(0, name.size() - suffix.size());
  if (own.starts_with(kKernelOfMyelin)) {
    own.remove_prefix(kKernelOfMyelin.size());
    const std::size_t end = std::min(own.find('_'), own.size());
    return are_operation_codes(own.substr(0, end)) &&
           (end == own.size() || is_hexadecimal(own.substr(end + 1)));
  }
  if (own.starts_with(kTensorOfMyelin) || own.starts_with("__myln")) {
    for (std::size_t at = 0; at < own.size();) {
      const std::size_t end = run_end(own, at, is_letter);
      if (end > at && !is_myelin_word(own.substr(at, end - at))) return false;
      if (end == at && !base::is_digit(own[at]) && own[at] != '_') return false;
      at = end == at ? at + 1 : end;
    }
    return true;
  }
  return !suffix.empty() && (own == "_gemm_mha_v2" || own == "_gemm_mha");
}

// Characters that separate the components of a name: scopes, and layers that were fused.
bool is_boundary(char c) {
  return std::string_view(" /,+()[]{}|;=\"'<>\\&\t\n\r\x1e\x1f").find(c) != std::string_view::npos;
}

// "1x3x224x224"
bool is_shape(std::string_view word) {
  bool has_x = false, is_start = true;
  for (const char c : word) {
    if (c == 'x') {
      if (is_start) return false;
      has_x = is_start = true;
      continue;
    }
    if (!base::is_digit(c)) return false;
    is_start = false;
  }
  return has_x && !is_start;
}

// "acdb": dimensions of a layout, each once.
bool is_order_of_dims(std::string_view word) {
  constexpr std::size_t kMaxDims = 6;
  if (word.size() > kMaxDims) return false;
  std::string sorted(word);
  std::ranges::sort(sorted);
  return std::string_view("abcdef").starts_with(sorted);
}

// A word next to names: of options, formats, numbers with units.
bool is_plain_word(std::string_view word) {
  if (is_option_word(word) || is_shape(word) || is_hexadecimal(word) || is_order_of_dims(word)) {
    return true;
  }
  // "kLINEAR", "iMul"
  if ((word[0] == 'k' || word[0] == 'i') && word.size() > 2 && is_option_word(word.substr(1))) {
    return true;
  }
  // Each run of letters in "fp16", "3s", "arg0".
  for (std::size_t at = 0; at < word.size();) {
    if (base::is_digit(word[at])) {
      at = run_end(word, at, base::is_digit);
      continue;
    }
    const std::size_t end = run_end(word, at, is_letter);
    if (!is_option_word(word.substr(at, end - at))) return false;
    at = end;
  }
  return true;
}

// "10.14.1", "8.2–8.4", "8.6+"
bool is_version(std::string_view text) {
  constexpr std::size_t kLongest = 32;
  return text.size() <= kLongest && std::ranges::none_of(text, [](char c) {
           return is_letter(c) && static_cast<unsigned char>(c) < 0x80;
         });
}

// Whether the kernel belongs to one of a vendor's libraries, whose names only describe shapes and
// types.
bool is_of_vendor(std::string_view kernel) {
  static constexpr auto kBegins =
      std::to_array<std::string_view>({"sm5",        "sm6",     "sm7",
                                       "sm8",        "sm9",     "sm1",
                                       "ampere_",    "turing_", "volta_",
                                       "maxwell_",   "pascal_", "hopper_",
                                       "blackwell_", "trt_",    "trt_ampere",
                                       "xmma_",      "cutlass", "cudnn",
                                       "cublas",     "cask",    "generatedNativePointwise",
                                       "__myl_",     "__mye",   "_gemm_mha",
                                       "jit_",       "brgconv", "brgemm",
                                       "gemm_",      "ref_",    "unknown_",
                                       "undef_",     "simple",  "nchw",
                                       "nhwc",       "[CUDA ",  "i_jit",
                                       "dnnl",       "acl_"});
  static constexpr auto kParts =
      std::to_array<std::string_view>({"cudnn::", "cublas", "cutlass::", "nvinfer1::", "cask",
                                       "xmma", "flash_attn", "genericReformat", "cuda::", "cub::"});
  const auto begins = [&](std::string_view begin) { return kernel.starts_with(begin); };
  const auto has = [&](std::string_view part) { return kernel.find(part) != kernel.npos; };
  return std::ranges::any_of(kBegins, begins) || std::ranges::any_of(kParts, has);
}

// Shorter words in kernel names are codes, whatever a model calls its parts.
constexpr std::size_t kMinNameLetters = 4;

class Names {
 public:
  explicit Names(std::string_view salt) : salt_(salt) {}

  std::string name(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
      if (is_boundary(text[at])) {
        out += text[at++];
        continue;
      }
      const std::size_t end = run_end(text, at, [](char c) { return !is_boundary(c); });
      add_segment(text.substr(at, end - at), out);
      at = end;
    }
    return out;
  }

  // Words of planex, compilers and engines are kept; names of the model and files are not.
  std::string option(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = run_end(text, at, [](char c) { return !is_between_tokens(c); });
      if (end == at) {
        out += text[at++];
        continue;
      }
      const std::string_view token = text.substr(at, end - at);
      const std::size_t colon = token.rfind(':');
      const std::string_view before = token.substr(0, colon);
      if (is_file(token)) {
        out += file(token);
      } else if (known_.contains(std::string(token))) {
        out += name(token);
      } else if (colon != token.npos && known_.contains(std::string(before))) {
        // "input.1:1x3x224x224"
        out += name(before);
        add_option_words(token.substr(colon), out);
      } else {
        const bool is_flag = token.size() > 1 && token[0] == '-' && !base::is_digit(token[1]);
        if (is_flag) {
          out += token;
        } else {
          add_option_words(token, out);
        }
      }
      at = end;
    }
    return out;
  }

  // The last step of a path, without what it reveals except its extension.
  std::string file(std::string_view path) {
    const std::string_view own = path.substr(path.rfind('/') + 1);
    const std::string_view ending = file_ending(own);
    return letters(own.substr(0, own.size() - ending.size())) + std::string(ending);
  }

  // A kernel of a vendor's library: words that also occur in names of the model, and that such
  // kernels do not use, are removed.
  std::string kernel(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = run_end(text, at, is_letter);
      if (end == at) {
        out += text[at++];
        continue;
      }
      const std::string word(text.substr(at, end - at));
      const bool stays = word.size() < kMinNameLetters || !model_words_.contains(word) ||
                         is_kernel_word(word) || is_option_word(word);
      out += stays ? word : letters(word);
      at = end;
    }
    return out;
  }

  // After the names of the model were collected: the words that they contain.
  void end_learning() {
    for (const auto& [word, hash] : letters_) model_words_.insert(word);
  }

  // From now on, option() treats it as a name wherever it occurs.
  void learn(std::string_view text, std::string_view mapped) {
    if (text != mapped) known_.emplace(text);
  }

 private:
  static bool is_between_tokens(char c) {
    return std::string_view(" \t\n\r=,;()[]{}<>\"'").find(c) != std::string_view::npos;
  }

  // ".onnx", or nothing if it is not a file extension.
  static std::string_view file_ending(std::string_view name) {
    static constexpr auto kEndings = std::to_array<std::string_view>(
        {".onnx", ".plan",     ".engine", ".trt", ".log", ".json", ".xml", ".txt",
         ".so",   ".dll",      ".cache",  ".bin", ".csv", ".py",   ".gz",  ".sqlite",
         ".db",   ".nsys-rep", ".tea",    ".zip", ".pt",  ".pb"});
    const std::string_view* found = base::find_if(kEndings, [&](std::string_view ending) {
      return name.size() >= ending.size() && name.ends_with(ending);
    });
    return found == nullptr ? std::string_view() : *found;
  }

  static bool is_file(std::string_view token) {
    if (!file_ending(token).empty()) return true;
    if (token.find('/') == token.npos) return false;
    if (token[0] == '/' || token[0] == '~' || token[0] == '.') return true;
    // "N/A", "FP16/FP32"
    for (std::size_t at = 0; at < token.size();) {
      const std::size_t end = run_end(token, at, is_alnum);
      if (end > at && !is_plain_word(token.substr(at, end - at))) return true;
      at = std::max(end, at + 1);
    }
    return false;
  }

  void add_option_words(std::string_view text, std::string& out) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = run_end(text, at, is_alnum);
      if (end == at) {
        out += text[at++];
        continue;
      }
      const std::string_view word = text.substr(at, end - at);
      if (is_plain_word(word)) {
        out += word;
      } else {
        add_segment(word, out);
      }
      at = end;
    }
  }

 public:
  // Numbers are hashed as well: they identify one thing among others of its kind.
  std::string whole(std::string_view text) { return text.empty() ? std::string() : letters(text); }

  // The texts of a JSON value; `is_name`: they are names.
  std::string json(std::string_view text, bool is_name) {
    std::string out, key;
    for (std::size_t at = 0; at < text.size();) {
      if (text[at] != '"') {
        out += text[at++];
        continue;
      }
      std::size_t end = at + 1;
      while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2U : 1U;
      end = std::min(end, text.size());
      const std::string_view content = text.substr(at + 1, end - at - 1);
      const std::size_t next = text.find_first_not_of(" \t\r\n", end + 1);
      const bool is_key = next != text.npos && text[next] == ':';
      out += '"';
      if (key == "equation" && !is_key && is_equation(content)) {
        out += content;
      } else {
        add_escaped(content, is_name && !is_key, out);
      }
      if (end < text.size()) out += '"';
      key = is_key ? std::string(content) : std::string();
      at = end + 1;
    }
    return out;
  }

 private:
  // "bij,bjk->bik"
  static bool is_equation(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = run_end(text, at, is_letter);
      constexpr std::size_t kMaxDims = 8;
      if (end - at > kMaxDims) return false;
      if (end == at && std::string_view(",.-> ").find(text[at]) == std::string_view::npos)
        return false;
      at = end == at ? at + 1 : end;
    }
    return true;
  }

  // Escapes separate words; but escaped letters are letters.
  void add_escaped(std::string_view text, bool is_name, std::string& out) {
    for (std::size_t at = 0; at < text.size();) {
      if (text[at] == '\\') {
        const bool is_code = at + 1 < text.size() && text[at + 1] == 'u';
        const std::string_view escape = text.substr(at, is_code ? 6 : 2);
        // A name in non-ASCII letters: the escapes contain all of it.
        if (is_code && !escape.starts_with("\\u00")) {
          out += letters(escape);
        } else {
          out += escape;
        }
        at += escape.size();
        continue;
      }
      const std::size_t end = run_end(text, at, [](char c) { return c != '\\'; });
      const std::string_view part = text.substr(at, end - at);
      out += is_name ? name(part) : option(part);
      at = end;
    }
  }

  // For "(Unnamed Layer* 12)" and "[ONNX Layer: …]".
  static bool is_phrase(std::string_view word, std::string_view segment) {
    return word == "Layer" && (segment == "Layer*" || segment == "Layer:");
  }

  void add_segment(std::string_view segment, std::string& out) {
    if (is_of_myelin(segment)) {
      out += segment;
      return;
    }
    const std::string_view suffix = myelin_suffix(segment);
    std::string_view own = segment.substr(0, segment.size() - suffix.size());
    for (const std::string_view begin : {kKernelOfMyelin, kTensorOfMyelin}) {
      if (!own.starts_with(begin)) continue;
      out += begin;
      own.remove_prefix(begin.size());
    }
    // Where the words that are kept begin. Numbers after them are removed, as otherwise the name
    // would be unchanged.
    std::size_t stays_from = own.npos;
    for (std::size_t at = 0; at < own.size();) {
      const char c = own[at];
      if (base::is_digit(c)) {
        const std::size_t end = run_end(own, at, base::is_digit);
        out += stays_from == own.npos ? std::string(own.substr(at, end - at))
                                      : digits(own.substr(stays_from, end - stays_from));
        at = end;
        continue;
      }
      if (!is_letter(c)) {
        out += own[at++];
        continue;
      }
      const std::size_t end = run_end(own, at, is_letter);
      // Conv2D
      const std::size_t wide_end = run_end(own, at, is_alnum);
      const std::string_view word = own.substr(at, end - at), wide = own.substr(at, wide_end - at);
      const bool is_wide = wide_end > end && is_operation_word(wide);
      if (is_wide || is_operation_word(word) || is_phrase(word, segment)) {
        stays_from = std::min(stays_from, at);
        out += is_wide ? wide : word;
      } else {
        stays_from = own.npos;
        out += letters(word);
      }
      at = is_wide ? wide_end : end;
    }
    out += suffix;
  }

  std::uint64_t number_of(std::string_view kind, std::string_view text) const {
    base::Sha256 hash;
    hash.add(base::format("{}:{}:", kind, salt_.size()));
    hash.add(salt_);
    hash.add(text);
    constexpr std::size_t kDigits = 16;
    std::uint64_t number = 0;
    for (const char digit : hash.digits().substr(0, kDigits)) {
      number = number << 4U |
               static_cast<std::uint64_t>(base::is_digit(digit) ? digit - '0' : digit - 'a' + 10);
    }
    return number;
  }

  // An x and nine letters: among a million words, two are the same with a probability of one in
  // ten.
  std::string letters(std::string_view word) {
    const auto [found, is_new] = letters_.try_emplace(std::string(word));
    if (is_new) {
      constexpr std::uint64_t kLetters = 26;
      constexpr int kLength = 9;
      std::uint64_t number = number_of("word", word);
      found->second = "x";
      for (int i = 0; i < kLength; ++i, number /= kLetters) {
        found->second += static_cast<char>('a' + number % kLetters);
      }
    }
    return found->second;
  }

  // Twelve digits, as readers of names take short numbers for repetitions.
  std::string digits(std::string_view prefix) {
    const auto [found, is_new] = digits_.try_emplace(std::string(prefix));
    if (is_new) {
      constexpr std::uint64_t kRange = 1'000'000'000'000;
      found->second = base::format("{:012}", number_of("number", prefix) % kRange);
    }
    return found->second;
  }

  std::string_view salt_;
  std::unordered_map<std::string, std::string> letters_, digits_;
  std::unordered_set<std::string> known_, model_words_;
};

enum class Rule : std::uint8_t {
  kName,
  kOption,
  kVersion,
  kKernel,
  kJson,
  kWhole,
  kFile,
  kKeep,
  kMessage,
  kDrop
};

struct ColumnRule {
  std::string_view table, column;
  Rule rule;
};

// All other texts are names: a new column is hashed until it is declared here as harmless.
constexpr ColumnRule kRules[] = {
    {"engine", "name", Rule::kWhole},
    {"engine", "producer", Rule::kOption},
    {"engine", "producer_version", Rule::kVersion},
    {"engine", "version_evidence", Rule::kOption},
    {"engine", "importer", Rule::kOption},
    {"engine", "detail", Rule::kOption},
    {"engine", "device", Rule::kKeep},
    {"layers", "type", Rule::kOption},
    {"layers", "raw_type", Rule::kOption},
    {"layers", "subtype", Rule::kOption},
    {"layers", "tactic", Rule::kKernel},
    {"layers", "origin", Rule::kOption},
    {"layers", "work_evidence", Rule::kOption},
    {"ports", "raw_format", Rule::kOption},
    {"ports", "location", Rule::kOption},
    {"sources", "op_type", Rule::kOption},
    {"kernels", "name", Rule::kKernel},
    {"kernels", "short_name", Rule::kKernel},
    {"calibration", "method", Rule::kOption},
    {"accuracy", "op_type", Rule::kOption},
    {"accuracy", "tap", Rule::kKeep},
    {"accuracy_outputs", "record", Rule::kKeep},
    {"accuracy_outputs", "compared", Rule::kKeep},
    {"difference_maps", "shown", Rule::kKeep},
    {"events", "kind", Rule::kOption},
    {"blocks", "kind", Rule::kOption},
    {"profiles", "raw_format", Rule::kOption},
    {"operations", "type", Rule::kOption},
    {"operations", "domain", Rule::kOption},
    {"operations", "parameters", Rule::kJson},
    {"metadata", "file", Rule::kFile},
    {"diagnostics", "code", Rule::kKeep},
    {"diagnostics", "message", Rule::kMessage},
    {"diagnostics", "file", Rule::kFile},
    {"diagnostics", "json_pointer", Rule::kDrop},
};

Rule rule_of(std::string_view table, std::string_view column) {
  for (const ColumnRule& row : kRules) {
    if (row.table == table && row.column == column) return row.rule;
  }
  return Rule::kName;
}

// Attributes whose texts are names of the model.
constexpr auto kNameAttributes = std::to_array<std::string_view>(
    {"Metadata", "originalLayersNames", "JumpTarget", "JumpTargetThen", "JumpTargetElse"});

// Sections of metadata whose keys are names of the model.
constexpr auto kNameSections = std::to_array<std::string_view>(
    {"binding_shapes", "fused operations", "scratch_bytes", "I/O Tensors", "original model inputs",
     "original model outputs", "model inputs", "model outputs"});

// Parts of keys whose values identify a machine, a user or a device.
constexpr auto kWholeKeys =
    std::to_array<std::string_view>({"uuid", "hostname", "host_name", "user", "serial", "pci",
                                     "mac_address", "machine", "address"});
// Keys of values that people name.
constexpr auto kCalledKeys =
    std::to_array<std::string_view>({"graph", "topology", "network_name", "name", "engine"});

class Redaction {
 public:
  Redaction(PlanModel& model, std::string_view salt) : model_(model), names_(salt) {}

  std::vector<std::string> run() {
    device_ = model_.text(model_.engine.device[0]);
    // Pictures of what the user's data looks like inside the model.
    model_.difference_maps = {};
    learn_names();
    for (std::size_t table = 0; table < model::schema().size(); ++table) {
      const std::string_view name = model::schema()[table].name;
      if (!model::is_in_plan(name)) continue;
      if (name == "attributes") {
        redact_attributes();
      } else if (name == "metadata") {
        redact_metadata();
      } else {
        redact_table(table);
      }
    }
    return notes();
  }

 private:
  // What can occur in options, too: from the model itself.
  void learn_names() {
    const auto learn = [&](const auto& column, std::size_t count) {
      for (std::size_t row = 0; row < count; ++row) {
        const std::string_view text = model_.text(column[row]);
        names_.learn(text, names_.name(text));
      }
    };
    learn(model_.bindings.name, model_.bindings.row_count());
    learn(model_.tensors.name, model_.tensors.row_count());
    learn(model_.layers.name, model_.layers.row_count());
    learn(model_.operations.name, model_.operations.row_count());
    names_.end_learning();
  }

  void redact_table(std::size_t table) {
    const model::TableView view(model_, table);
    const auto columns = model::plan_columns(table);
    for (std::size_t column = 0; column < columns.size(); ++column) {
      if (columns[column].kind != model::ColumnKind::kText) continue;
      const Rule rule = rule_of(view.info().name, columns[column].name);
      if (rule == Rule::kKeep) continue;
      for (std::size_t row = 0; row < view.row_count(); ++row) {
        const model::Cell cell = view.cell(column, row);
        const auto* text = std::get_if<std::string_view>(&cell);
        if (text == nullptr) continue;
        const std::string mapped = mapped_as(rule, *text);
        if (rule == Rule::kDrop) {
          columns[column].set(model_, row, model::PlanValue(StringId()));
        } else {
          columns[column].set(model_, row, model::PlanValue(model_.strings.intern(mapped)));
        }
      }
    }
  }

  std::string mapped_as(Rule rule, std::string_view text) {
    switch (rule) {
      case Rule::kOption:
        return names_.option(text);
      case Rule::kVersion:
        return is_version(text) ? std::string(text) : names_.option(text);
      case Rule::kKernel:
        return is_of_vendor(text) ? names_.kernel(text) : names_.option(text);
      case Rule::kJson:
        return names_.json(text, false);
      case Rule::kFile:
        return names_.file(text);
      case Rule::kWhole:
        return names_.whole(text);
      case Rule::kMessage:
        has_message_ = true;
        return "the text was removed by --redact";
      case Rule::kDrop:
        return {};
      default:
        return names_.name(text);
    }
  }

  void redact_attributes() {
    model::AttributesTable& table = model_.attributes;
    for (std::size_t row = 0; row < table.row_count(); ++row) {
      const std::string key(model_.text(table.key[row]));
      const std::string mapped_key = names_.option(key);
      const bool is_name =
          mapped_key != key || std::ranges::find(kNameAttributes, key) != kNameAttributes.end();
      table.key.set(row, model_.strings.intern(mapped_key));
      if (table.value.is_null(row)) continue;
      const std::string value(model_.text(table.value[row]));
      switch (table.value_type[row]) {
        case model::ValueType::kString:
          set(table.value, row, is_name ? names_.name(value) : names_.option(value));
          break;
        case model::ValueType::kArray:
        case model::ValueType::kObject:
          set(table.value, row, names_.json(value, is_name));
          break;
        default:
          break;
      }
    }
  }

  void redact_metadata() {
    model::MetadataTable& table = model_.metadata;
    for (std::size_t row = 0; row < table.row_count(); ++row) {
      const std::string section(model_.text(table.section[row]));
      const std::string key(model_.text(table.key[row]));
      const std::string value(model_.text(table.value[row]));
      // Keys are codes; values are names of layers, or counts of weights.
      const bool is_warning = section.starts_with("accuracy_warning");
      const bool is_name = std::ranges::find(kNameSections, section) != kNameSections.end();
      if (is_warning) {
        if (section == "accuracy_warnings") set(table.value, row, names_.name(value));
      } else {
        set(table.section, row, names_.option(section));
        set(table.key, row, is_name ? names_.name(key) : names_.option(key));
        if (!table.value.is_null(row)) set(table.value, row, metadata_value(key, value));
      }
      if (!table.file.is_null(row)) {
        set(table.file, row, mapped_as(Rule::kFile, std::string(model_.text(table.file[row]))));
      }
    }
  }

  std::string metadata_value(std::string_view key, std::string_view value) {
    if (value.empty() || value == device_) return std::string(value);
    const std::string lowered = base::lower(key);
    const auto is_in_key = [&](std::string_view part) {
      return lowered.find(part) != lowered.npos;
    };
    const bool has_letters = std::ranges::any_of(value, is_letter);
    const bool is_called = std::ranges::find(kCalledKeys, lowered) != kCalledKeys.end();
    if (has_letters && (is_called || std::ranges::any_of(kWholeKeys, is_in_key))) {
      return names_.whole(value);
    }
    // "NVIDIA B200" UUID: GPU-93d15173-…
    const std::size_t uuid = value.find("UUID");
    if (uuid != value.npos) {
      return names_.option(value.substr(0, uuid)) + "UUID: " + names_.whole(value.substr(uuid));
    }
    return names_.option(value);
  }

  template <typename Column>
  void set(Column& column, std::size_t row, std::string_view text) {
    column.set(row, model_.strings.intern(text));
  }

  std::vector<std::string> notes() const {
    std::vector<std::string> notes = {
        "names are replaced by hashes; kinds, shapes, types, layouts, times, vendors' kernels and "
        "the device are kept",
        "it contains neither the files themselves nor the weights of the model"};
    if (has_message_) notes.emplace_back("texts of messages were removed; their codes are kept");
    return notes;
  }

  PlanModel& model_;
  Names names_;
  std::string device_;
  bool has_message_ = false;
};

}  // namespace

std::vector<std::string> redact(PlanModel& model, std::string_view salt) {
  return Redaction(model, salt).run();
}

std::string redacted_name(std::string_view name, std::string_view salt) {
  return Names(salt).name(name);
}

}  // namespace planex::analyze
