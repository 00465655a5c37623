#include "drive/openvino_driver/options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"

namespace planex::drive {
namespace {

using Apply = Result<void> (*)(Options&, std::string_view value);

struct OptionSpec {
  std::string_view name;
  std::string_view value;  // Empty: a switch.
  std::string_view help;
  Apply apply;
};

Failure usage(std::string message, std::string hint = {}) {
  return fail(ErrorCode::kUsage, std::move(message), std::move(hint));
}

Result<std::int64_t> number(std::string_view text, std::int64_t least, std::int64_t most) {
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size() || value < least || value > most) {
    return usage(base::format("{} is not a number from {} to {}", base::quoted(text), least, most));
  }
  return value;
}

template <auto Member, int Least, int Most>
Result<void> set_int(Options& options, std::string_view value) {
  PLANEX_ASSIGN(const std::int64_t parsed, number(value, Least, Most));
  options.*Member = static_cast<int>(parsed);
  return {};
}

template <auto Member>
Result<void> set_text(Options& options, std::string_view value) {
  options.*Member = std::string(value);
  return {};
}

template <auto Member>
Result<void> set_true(Options& options, std::string_view) {
  options.*Member = true;
  return {};
}

Result<void> one_of(std::string& target, std::string_view value,
                    std::span<const std::string_view> choices) {
  if (std::ranges::find(choices, value) == choices.end()) {
    return usage(base::format("{} is invalid; expected one of {}", base::quoted(value),
                              base::join_words(choices)));
  }
  target = value;
  return {};
}

Result<void> set_precision(Options& options, std::string_view value) {
  static constexpr std::array<std::string_view, 3> kChoices = {"f32", "bf16", "f16"};
  // In the spelling of TensorRT and ONNX.
  if (value == "fp32") value = "f32";
  if (value == "fp16") value = "f16";
  return one_of(options.precision, value, kChoices);
}

// The names that oneDNN accepts; it silently ignores others.
// https://uxlfoundation.github.io/oneDNN/dev_guide_cpu_dispatcher_control.html
constexpr std::array<std::string_view, 12> kIsas = {"SSE41",
                                                    "AVX",
                                                    "AVX2",
                                                    "AVX2_VNNI",
                                                    "AVX2_VNNI_2",
                                                    "AVX512_CORE",
                                                    "AVX512_CORE_VNNI",
                                                    "AVX512_CORE_BF16",
                                                    "AVX512_CORE_FP16",
                                                    "AVX512_CORE_AMX",
                                                    "AVX512_CORE_AMX_FP16",
                                                    "DEFAULT"};

Result<void> set_isa(Options& options, std::string_view value) {
  PLANEX_TRY(check_isa(value));
  options.isa = value;
  return {};
}

Result<void> add_shape(Options& options, std::string_view value) {
  // The last '=': tensor names may contain others.
  const std::size_t equals = value.rfind('=');
  if (equals == std::string_view::npos || equals == 0) {
    return usage(base::format("{} is not NAME=SHAPE", base::quoted(value)),
                 "Use --shape input=1x3x224x224, once per input.");
  }
  std::vector<std::int64_t> dims;
  std::string_view rest = value.substr(equals + 1);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('x'), rest.size());
    PLANEX_ASSIGN(const std::int64_t dim, number(rest.substr(0, end), 0, 1 << 30));
    dims.push_back(dim);
    if (end + 1 == rest.size()) return usage(base::format("{} ends in x", base::quoted(value)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  options.shapes.emplace_back(value.substr(0, equals), std::move(dims));
  return {};
}

Result<void> add_config(Options& options, std::string_view value) {
  const std::size_t equals = value.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return usage(base::format("{} is not KEY=VALUE", base::quoted(value)));
  }
  options.config.emplace_back(value.substr(0, equals), value.substr(equals + 1));
  return {};
}

Result<void> set_seed(Options& options, std::string_view value) {
  PLANEX_ASSIGN(const std::int64_t parsed, number(value, 0, INT64_MAX));
  options.seed = static_cast<std::uint64_t>(parsed);
  return {};
}

constexpr OptionSpec kOptions[] = {
    {"--model", "FILE", "ONNX model (.onnx), or OpenVINO IR (.xml)", set_text<&Options::model>},
    {"--out", "PREFIX", "write PREFIX.graph.json, .profile.json, .times.json, .result.json",
     set_text<&Options::out>},
    {"--name", "NAME", "name of the engine; default: the last part of PREFIX",
     set_text<&Options::name>},
    {"--precision", "TYPE", "f32, bf16 or f16 for the parts that are not quantized; default f32",
     set_precision},
    {"--threads", "N", "threads of one inference; default 1", set_int<&Options::threads, 1, 4096>},
    {"--streams", "N", "parallel inferences, each with --threads threads; also measures throughput",
     set_int<&Options::streams, 1, 1024>},
    {"--shape", "NAME=1x3x8x8", "shape of an input; once per input", add_shape},
    {"--isa", "NAME", "highest instruction set for the kernels, such as AVX2 or AVX512_CORE_VNNI",
     set_isa},
    {"--config", "KEY=VALUE", "any other property of OpenVINO's CPU device; may be repeated",
     add_config},
    {"--seed", "N", "seed of the random inputs; default 1", set_seed},
    {"--iterations", "N", "timed inferences; default: as many as fit --duration-ms, 30 to 2000",
     set_int<&Options::iterations, 1, 10'000'000>},
    {"--warmup", "N", "warm-up inferences; default: about 200 ms, at least 2",
     set_int<&Options::warmup, 0, 10'000'000>},
    {"--duration-ms", "N",
     "time for the timed inferences, and again for parallel ones; default "
     "1500",
     set_int<&Options::duration_ms, 1, 3'600'000>},
    {"--rounds", "N", "samples of each layer's time; default 10, fewer for slow models",
     set_int<&Options::rounds, 1, 100'000>},
    {"--round-iterations", "N", "inferences per sample; default: as many as fit --profile-ms",
     set_int<&Options::round_iterations, 1, 1'000'000>},
    {"--round-warmup", "N", "warm-up inferences before each sample; default 1 to 5",
     set_int<&Options::round_warmup, 0, 1'000'000>},
    {"--profile-ms", "N", "time for the inferences with counters; default 3000",
     set_int<&Options::profile_ms, 1, 3'600'000>},
    {"--progress-fd", "N", "file descriptor for progress, one JSON object per line; default 1",
     set_int<&Options::progress_fd, 0, 1 << 20>},
    {"--version", "", "print the versions and exit", set_true<&Options::version>},
    {"--help", "", "print this and exit", set_true<&Options::help>},
};

// The file of a mode other than measuring.
Result<void> set_mode(Options& options, std::span<const std::string> words) {
  options.mode = words.front() == "infer" ? Mode::kInfer : Mode::kPrepare;
  if (words.size() < 2)
    return usage(base::format("{} needs a file: {} JOB.json", words.front(), words.front()));
  options.job = words[1];
  return {};
}

const OptionSpec* find_option(std::string_view name) {
  const auto* found = std::ranges::find(kOptions, name, &OptionSpec::name);
  return found == std::end(kOptions) ? nullptr : found;
}

Failure unknown(std::string_view word) {
  std::vector<std::string_view> names;
  for (const OptionSpec& option : kOptions) names.push_back(option.name);
  const auto near = base::nearest(word, names);
  return usage(
      base::format("unknown option {} of planex-openvino", base::quoted(word)),
      near ? base::format("Did you mean {}? `planex-openvino --help` lists all options.", *near)
           : "`planex-openvino --help` lists all.");
}

}  // namespace

Result<Options> parse_options(std::span<const std::string> words) {
  Options options;
  if (!words.empty() && (words.front() == "infer" || words.front() == "prepare")) {
    PLANEX_TRY(set_mode(options, words));
    words = words.subspan(2);
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const std::size_t equals = word.find('=');
    const std::string_view name = word.substr(0, equals);
    const OptionSpec* option = word.starts_with("--") ? find_option(name) : nullptr;
    if (option == nullptr) {
      if (word.starts_with("-")) return unknown(name);
      return usage(base::format("unexpected word {}", base::quoted(word)));
    }
    std::string_view value;
    if (option->value.empty()) {
      if (equals != std::string_view::npos) {
        return usage(base::format("{} takes no value", option->name));
      }
    } else if (equals != std::string_view::npos) {
      value = word.substr(equals + 1);
    } else if (i + 1 < words.size()) {
      value = words[++i];
    } else {
      return usage(
          base::format("{} needs a value: {} {}", option->name, option->name, option->value));
    }
    if (auto applied = option->apply(options, value); !applied) {
      Error error = std::move(applied).error();
      error.message = base::format("{}: {}", option->name, error.message);
      return fail(std::move(error));
    }
  }
  if (options.help || options.version || options.mode != Mode::kMeasure) return options;
  if (options.model.empty()) return usage("--model is missing");
  if (options.out.empty()) return usage("--out is missing");
  if (options.name.empty()) options.name = base::file_name_of(options.out);
  return options;
}

Result<void> check_isa(std::string_view isa) {
  std::string ignored;
  return one_of(ignored, isa, kIsas);
}

std::string help_text() {
  std::string text =
      "planex-openvino: compiles and times a model with OpenVINO for `planex process`\n"
      "planex-openvino infer JOB.json: runs models on samples, writes JOB.result.json\n"
      "planex-openvino prepare JOB.json: makes samples from pictures, writes JOB.result.json\n\n";
  for (const OptionSpec& option : kOptions) {
    text += base::format("  {:<28} {}\n", base::format("{} {}", option.name, option.value),
                         option.help);
  }
  text +=
      "\nThe files are described in docs/reference/openvino-artefacts.md and "
      "docs/reference/inference-jobs.md.\n";
  return text;
}

}  // namespace planex::drive
