#include "drive/metric_program.h"

#include <simdjson.h>

#include <charconv>
#include <cstddef>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/numbers.h"
#include "base/text.h"
#include "base/try.h"
#include "drive/error_translation.h"
#include "drive/subprocess.h"

namespace planex::drive {
namespace {

constexpr std::size_t kMaxPrinted = std::size_t{1} << 20;

Failure not_a_value(const std::string& name, std::string_view printed) {
  constexpr std::size_t kShown = 80;
  return fail(
      ErrorCode::kExternalTool,
      printed.empty() ? base::format("the metric {} printed nothing", base::quoted(name))
                      : base::format("the metric {} printed {}", base::quoted(name),
                                     base::quoted(printed.substr(0, kShown))),
      "it must print one number, or a JSON object such as {\"iou\": 0.93}, and everything else to "
      "stderr");
}

}  // namespace

std::vector<std::string> metric_words(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::string_view word = base::take_part(text, ' ');
    if (!word.empty()) words.emplace_back(word);
  }
  if (!words.empty() && words.front().find('/') == std::string::npos &&
      base::disk().kind(words.front()) == base::PathKind::kFile) {
    words.front().insert(0, "./");
  }
  return words;
}

std::string metric_name(const std::vector<std::string>& words) {
  if (words.empty()) return {};
  // The last of the leading words that are not options: "python3 -u iou.py --fast" is iou.
  std::string_view named = words.front();
  for (const std::string& word : words) {
    if (word.ends_with(".py") || word.ends_with(".sh")) named = word;
  }
  named = base::file_name_of(named);
  const std::size_t dot = named.rfind('.');
  return std::string(dot == 0 ? named : named.substr(0, dot));
}

Result<std::vector<MetricValue>> parse_metric(std::string_view printed, const std::string& name) {
  const std::string_view text = base::trimmed(printed);
  std::vector<MetricValue> values;
  if (!text.starts_with('{')) {
    double value = 0;
    const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) {
      return not_a_value(name, text);
    }
    values.push_back({name, base::finite(value)});
    return values;
  }
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  if (parser.parse(simdjson::padded_string(text)).get(object) != simdjson::SUCCESS) {
    return not_a_value(name, text);
  }
  for (const auto field : object) {
    double value = 0;
    if (field.value.is_null()) {
      values.push_back({std::string(field.key), std::nullopt});
    } else if (field.value.get(value) == simdjson::SUCCESS) {
      values.push_back({std::string(field.key), base::finite(value)});
    } else {
      return not_a_value(name, text);
    }
  }
  return values;
}

Result<std::vector<MetricValue>> run_metric(const std::vector<std::string>& words,
                                            const std::string& reference,
                                            const std::string& subject,
                                            const Cancellation& cancellation) {
  const std::string name = metric_name(words);
  std::string printed;
  SubprocessRequest request;
  request.arguments = words;
  request.arguments.push_back(reference);
  request.arguments.push_back(subject);
  request.on_stdout = [&](std::string_view chunk) {
    if (printed.size() < kMaxPrinted) printed += chunk;
  };
  auto ended = run_subprocess(request, cancellation);
  if (!ended) {
    Error error = std::move(ended).error();
    if (error.hint.empty()) {
      error.hint = "--metric expects a program: an executable ./iou.py, or \"python3 iou.py\"";
    }
    return fail(std::move(error));
  }
  if (cancellation.requested()) return fail(ErrorCode::kCancelled, "stopped");
  if (ended->ending == Ending::kExited && ended->exit_code == 0) return parse_metric(printed, name);
  return fail({.code = ErrorCode::kExternalTool,
               .message = ended->ending == Ending::kSignalled
                              ? base::format("the metric {} was killed by {}", base::quoted(name),
                                             signal_name(ended->signal))
                              : base::format("the metric {} ended with exit code {}",
                                             base::quoted(name), ended->exit_code),
               .file = words.front(),
               .context = last_lines(ended->stderr_tail),
               .hint = "it was run as " + shell_line(request.arguments)});
}

}  // namespace planex::drive
