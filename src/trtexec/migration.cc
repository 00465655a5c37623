#include "trtexec/migration.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "trtexec/flags.h"

namespace planex::trtexec {
namespace {

using base::format;

constexpr TensorrtVersion k11 = {11, 0};

struct Reason {
  std::string_view name, why;
};
// Options that 11 does not have.
constexpr auto kRemoved = std::to_array<Reason>({
    {"best", "types come from the model: it is cast to FP16, and INT8 is used where it has Q/DQ"},
    {"bf16", "types come from the model: it is cast to BF16"},
    {"explicitBatch", "batches are always explicit"},
    {"explicitPrecision", "Q/DQ in the model replace it"},
    {"fp16", "types come from the model: it is cast to FP16"},
    {"fp8", "Q/DQ in the model replace it"},
    {"int4", "Q/DQ in the model replace it"},
    {"int8", "Q/DQ in the model replace it"},
    {"layerOutputTypes", "written into the model as types and Casts"},
    {"layerPrecisions", "written into the model as types and Casts"},
    {"nativeInstanceNorm", "it is the default"},
    {"ni", "it is the default"},
    {"precisionConstraints", "the model's types are always obeyed"},
    {"restricted", "it was removed with the options for types"},
    {"strictTypes", "the model's types are always obeyed"},
    {"stronglyTyped", "every network is strongly typed"},
});
constexpr auto kLost = std::to_array<Reason>({
    {"batch", "batches are explicit: give shapes, --shapes=NAME:8x3x224x224"},
    {"maxBatch", "batches are explicit: give shapes, --maxShapes=NAME:8x3x224x224"},
    {"calib", "implicit INT8 was removed"},
    {"calibProfile", "implicit INT8 was removed"},
    {"heuristic", "removed; --builderOptimizationLevel makes builds faster"},
    {"maxShapesCalib", "implicit INT8 was removed"},
    {"minShapesCalib", "implicit INT8 was removed"},
    {"minTiming", "removed; --avgTiming sets how often a tactic is timed"},
    {"optShapesCalib", "implicit INT8 was removed"},
});
// Values that 11 still supports, for options that take a list.
constexpr auto kPreviews =
    std::to_array<std::string_view>({"aliasedPluginIO1003", "runtimeActivationResize"});
constexpr auto kTacticSources =
    std::to_array<std::string_view>({"EDGE_MASK_CONVOLUTIONS", "JIT_CONVOLUTIONS"});
constexpr auto kIoTypes = std::to_array<std::string_view>(
    {"fp32", "fp16", "bf16", "int32", "int64", "int8", "uint8", "bool", "fp8", "int4"});

template <std::size_t N>
std::string_view reason(const std::array<Reason, N>& table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &Reason::name);
  return found == table.end() ? std::string_view() : found->why;
}

bool is_trtexec(std::string_view word) {
  return word.substr(word.rfind('/') + 1).starts_with("trtexec");
}

bool ends_the_options(std::string_view word) {
  return word == "|" || word == "||" || word == "&&" || word == "&" || word == ";" ||
         word.starts_with('>') || word.starts_with("2>") || word.starts_with("1>");
}

// What a shell does with output: ">", "2>&1" as they are, a file after them with quotes if it needs
// them.
std::string shell_operator(std::string_view word) {
  constexpr std::string_view kOperators = "0123456789<>&|;";
  const std::size_t end = std::min(word.find_first_not_of(kOperators), word.size());
  const std::string_view rest = word.substr(end);
  if (end > 0 && rest.empty()) return std::string(word);
  return format("{}{}", word.substr(0, end), base::shell_word(rest));
}

// "chw", "hwc8+chw16"
bool is_layout(std::string_view text) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789_+";
  return !text.empty() && text.find_first_not_of(kLetters) == text.npos;
}

// Parts separated by commas outside of single quotes, as trtexec splits the names of its lists.
std::vector<std::string_view> list_items(std::string_view text) {
  std::vector<std::string_view> items;
  bool is_quoted = false;
  std::size_t first = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\'') is_quoted = !is_quoted;
    if (text[i] != ',' || is_quoted) continue;
    items.push_back(text.substr(first, i - first));
    first = i + 1;
  }
  items.push_back(text.substr(first));
  return items;
}

class Migrator {
 public:
  Result<Migration> run(std::string_view command) {
    PLANEX_ASSIGN(const std::vector<std::string> words, words_of(command));
    const auto program = std::ranges::find_if(words, is_trtexec);
    if (program == words.end()) {
      return fail(ErrorCode::kUsage, format("no trtexec in {}", base::quoted(command)),
                  "Give the whole command: \"trtexec --onnx=model.onnx --fp16\".");
    }
    migration_.before = {words.begin(), program + 1};
    auto word = program + 1;
    for (; word != words.end() && !ends_the_options(*word); ++word) PLANEX_TRY(add(*word));
    migration_.after = {word, words.end()};
    if (migration_.model.empty()) {
      return fail(
          ErrorCode::kUsage, "the command names no model: --onnx=FILE is missing",
          "Only builds of ONNX models can be migrated; a loaded engine already has its types.");
    }
    return std::move(migration_);
  }

 private:
  // A log contains the words as the program got them, without the shell's quotes.
  static Result<std::vector<std::string>> words_of(std::string_view command) {
    const std::size_t banner = command.find("&&&& ");
    const std::size_t mark = banner == command.npos ? command.npos : command.find("# ", banner);
    if (mark == command.npos) return shell_words(command);
    return split_command(command.substr(mark + 2));
  }

  MigratedOption& push(std::string_view word, OptionChange change, std::string now,
                       std::string_view why) {
    migration_.options.push_back({std::string(word), change, std::move(now), std::string(why)});
    return migration_.options.back();
  }

  Result<void> add(std::string_view word) {
    const std::string_view bare = word.substr(std::min(word.find_first_not_of('-'), word.size()));
    if (!word.starts_with('-') || bare.empty()) {
      return fail(ErrorCode::kUsage, format("{} is not an option of trtexec", base::quoted(word)),
                  "Options are --NAME or --NAME=VALUE; quote anything that contains blanks.");
    }
    const std::size_t equals = bare.find('=');
    const std::string_view name = bare.substr(0, equals);
    const std::string_view value =
        equals == bare.npos ? std::string_view() : bare.substr(equals + 1);
    if (name == "model" || name == "deploy" || name.starts_with("uff")) {
      return fail(ErrorCode::kUsage,
                  format("{}: support for Caffe and UFF models ended with 8.6", name),
                  "Export the network as ONNX.");
    }
    note_types(name, value);
    if (name == "inputIOFormats") return add_formats(word, name, value, migration_.inputs);
    if (name == "outputIOFormats") return add_formats(word, name, value, migration_.outputs);
    if (name == "preview") return add_filtered(word, name, value, kPreviews);
    if (name == "tacticSources") return add_filtered(word, name, value, kTacticSources);
    if (add_replaced(word, name, value)) return {};
    if (const auto why = reason(kRemoved, name); !why.empty()) {
      push(word, OptionChange::kRemoved, {}, why);
      return {};
    }
    if (const auto why = reason(kLost, name); !why.empty()) {
      push(word, OptionChange::kLost, {}, why);
      return {};
    }
    const TrtexecFlag* flag = find_flag(name);
    if (flag == nullptr) {
      push(word, OptionChange::kKept, std::string(word), "no release known to planex has it");
    } else if (flag->last_accepted && *flag->last_accepted < k11) {
      push(word, OptionChange::kLost, {}, "TensorRT 11 does not have it");
    } else if (flag->last_effective && *flag->last_effective < k11) {
      push(word, OptionChange::kRemoved, {}, "what it requested is the default");
    } else {
      push(word, OptionChange::kKept, std::string(word), {});
    }
    return {};
  }

  void note_types(std::string_view name, std::string_view value) {
    if (name == "onnx") migration_.model = value;
    if (name == "fp16" || name == "best") migration_.has_fp16 = true;
    if (name == "bf16") migration_.has_bf16 = true;
    if (name == "int8" || name == "best" || name == "calib") migration_.has_int8 = true;
    if (name == "strictTypes" || (name == "precisionConstraints" && value != "none")) {
      migration_.has_constraints = true;
    }
    if (name == "layerPrecisions") migration_.layer_precisions = value;
    if (name == "layerOutputTypes") migration_.layer_output_types = value;
  }

  // Options that another one replaced.
  bool add_replaced(std::string_view word, std::string_view name, std::string_view value) {
    const auto replace = [&](std::string now, std::string_view why) {
      push(word, OptionChange::kReplaced, std::move(now), why);
      return true;
    };
    if (name == "workspace") {
      return replace(format("--memPoolSize=workspace:{}", value), "it was renamed");
    }
    if (name == "buildOnly") return replace("--skipInference", "it was renamed");
    if (name == "weightless") return replace("--stripWeights", "it was renamed");
    if (name == "nvtxMode") {
      const std::string_view verbosity = value == "verbose" ? "detailed"
                                         : value == "none"  ? "none"
                                                            : "layer_names_only";
      return replace(format("--profilingVerbosity={}", verbosity), "it was renamed");
    }
    return false;
  }

  Result<void> add_formats(std::string_view word, std::string_view name, std::string_view value,
                           std::vector<IoFormat>& formats) {
    std::string layouts;
    bool has_types = false, is_default = true;
    for (const std::string_view item : list_items(value)) {
      const std::size_t colon = item.find(':');
      IoFormat one{
          .type = std::string(colon == item.npos ? std::string_view() : item.substr(0, colon)),
          .layout = std::string(colon == item.npos ? item : item.substr(colon + 1))};
      const bool is_known =
          colon == item.npos || std::ranges::find(kIoTypes, one.type) != kIoTypes.end();
      if (!is_known || !is_layout(one.layout)) {
        return fail(ErrorCode::kUsage,
                    format("--{}: {} is not a valid format", name, base::quoted(item)),
                    "Up to 10.16, formats are TYPE:LAYOUT, such as fp16:chw, separated by commas.");
      }
      has_types |= !one.type.empty();
      is_default &= one.layout == "chw";
      layouts += format("{}{}", layouts.empty() ? "" : ",", one.layout);
      formats.push_back(std::move(one));
    }
    if (is_default) {
      push(word, OptionChange::kRemoved, {}, "types come from the model, and chw is the default");
    } else if (has_types) {
      push(word, OptionChange::kReplaced, format("--{}={}", name, layouts),
           "types come from the model; layouts stay");
    } else {
      push(word, OptionChange::kKept, std::string(word), {});
    }
    return {};
  }

  Result<void> add_filtered(std::string_view word, std::string_view name, std::string_view value,
                            std::span<const std::string_view> known) {
    std::string left;
    bool is_whole = true;
    for (const std::string_view item : list_items(value)) {
      const std::string_view bare = item.substr(item.starts_with('+') || item.starts_with('-'));
      if (std::ranges::find(known, bare) == known.end()) {
        is_whole = false;
      } else {
        left += format("{}{}", left.empty() ? "" : ",", item);
      }
    }
    if (is_whole) {
      push(word, OptionChange::kKept, std::string(word), {});
    } else if (left.empty()) {
      push(word, OptionChange::kLost, {}, "TensorRT 11 supports none of its values");
    } else {
      push(word, OptionChange::kReplaced, format("--{}={}", name, left),
           "TensorRT 11 does not support the other values");
    }
    return {};
  }

  Migration migration_;
};

}  // namespace

std::string_view to_string(OptionChange change) {
  switch (change) {
    case OptionChange::kKept:
      return "kept";
    case OptionChange::kReplaced:
      return "replaced";
    case OptionChange::kRemoved:
      return "removed";
    case OptionChange::kLost:
      return "lost";
  }
  return "kept";
}

Result<std::vector<std::string>> shell_words(std::string_view line) {
  constexpr std::string_view kEscaped = "\"\\$`\n";  // between double quotes
  std::vector<std::string> words;
  bool is_open = false;  // a word has begun, even if it is empty: ''
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool has_next = i + 1 < line.size();
    if (quote == '\'' ? c == '\'' : quote == '"' && c == '"') {
      quote = 0;
      continue;
    }
    if (quote == 0) {
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        is_open = false;
        continue;
      }
      // A line continuation.
      if (c == '\\' && has_next && line[i + 1] == '\n') {
        ++i;
        continue;
      }
    }
    if (!is_open) words.emplace_back();
    is_open = true;
    if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == '\\' && quote != '\'' && has_next &&
               (quote == 0 || kEscaped.contains(line[i + 1]))) {
      words.back() += line[++i];
    } else {
      words.back() += c;
    }
  }
  if (quote == 0) return words;
  return fail(ErrorCode::kUsage, format("a quote ({}) is not closed in the command", quote));
}

Result<Migration> migrate(std::string_view command) { return Migrator().run(command); }

std::string migrated_command(const Migration& migration, std::string_view model) {
  std::string line;
  const auto add = [&](std::string_view word) {
    line += format("{}{}", line.empty() ? "" : " ", word);
  };
  for (const std::string& word : migration.before) add(base::shell_word(word));
  for (const MigratedOption& option : migration.options) {
    if (option.now.starts_with("--onnx=")) {
      add(base::shell_word(format("--onnx={}", model)));
    } else if (!option.now.empty()) {
      add(base::shell_word(option.now));
    }
  }
  for (const std::string& word : migration.after) add(shell_operator(word));
  return line;
}

}  // namespace planex::trtexec
