#include "drive/trtexec_routes.h"

#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "drive/availability.h"
#include "drive/trtexec_errors.h"
#include "drive/trtexec_options.h"

namespace planex::drive {
namespace {

constexpr trtexec::TensorrtVersion kFirstWithRoutes = {11, 1};

// A value may be a number or a text.
std::optional<std::string> knob_word(simdjson::dom::element value) {
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) return std::string(text);
  if (value.is_array() || value.is_object() || value.is_null()) return std::nullopt;
  return simdjson::minify(value);
}

std::optional<BuildKnob> read_knob(simdjson::dom::element entry) {
  std::string_view name, help;
  simdjson::dom::array values;
  simdjson::dom::element standard;
  if (entry["option"].get(name) != simdjson::SUCCESS || name.empty() ||
      entry["allowed_values"].get(values) != simdjson::SUCCESS) {
    return std::nullopt;
  }
  BuildKnob knob{.name = name.starts_with('-') ? std::string(name) : base::format("-{}", name)};
  for (const simdjson::dom::element value : values) {
    auto word = knob_word(value);
    // A route is a list of words, so it can't hold a value with blanks.
    if (word && !word->empty() && !word->contains(' ')) knob.values.push_back(*std::move(word));
  }
  if (entry["default_value"].get(standard) == simdjson::SUCCESS) {
    knob.standard = knob_word(standard).value_or("");
  }
  if (entry["help"].get(help) == simdjson::SUCCESS) knob.help = help;
  if (knob.values.size() < 2) return std::nullopt;
  return knob;
}

// The JSON stands among lines of the log.
std::string_view json_in(std::string_view output) {
  const std::size_t key = output.find("\"tuner_options\"");
  if (key == output.npos) return {};
  const std::size_t start = output.rfind('{', key), end = output.rfind('}');
  if (start == output.npos || end == output.npos || end < start) return {};
  return output.substr(start, end - start + 1);
}

}  // namespace

TrtexecFacts trtexec_facts(std::string_view output) {
  TrtexecFacts facts{.version_text = trtexec_version(output)};
  facts.version = version_number(facts.version_text);
  const simdjson::padded_string text(json_in(output));
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  simdjson::dom::array options;
  if (text.size() == 0 || parser.parse(text).get(root) != simdjson::SUCCESS ||
      root["tuner_options"].get(options) != simdjson::SUCCESS) {
    const bool is_older = facts.version < kFirstWithRoutes && !facts.version_text.empty();
    facts.why_no_knobs =
        is_older ? base::format(
                       "trtexec {} has no build routes; 11.1 is the first version with "
                       "them, so none is tried",
                       facts.version_text)
                 : "trtexec --helpBuildRoute lists no knobs, so no build routes are tried";
    return facts;
  }
  std::string_view tuner;
  if (root["tuner_version"].get(tuner) == simdjson::SUCCESS) facts.tuner_version = tuner;
  for (const simdjson::dom::element entry : options) {
    if (auto knob = read_knob(entry)) facts.knobs.push_back(*std::move(knob));
  }
  if (facts.knobs.empty()) {
    facts.why_no_knobs = "trtexec --helpBuildRoute lists no knob with several values";
  }
  return facts;
}

Result<TrtexecFacts> ask_trtexec(const ProcessRequest& request, const Cancellation& cancellation) {
  std::error_code ignored;
  const std::string folder = std::filesystem::temp_directory_path(ignored).string();
  PLANEX_ASSIGN(const auto workspace,
                plan_workspace(folder, {request.launcher, request.launcher_timeout}, cancellation));
  const std::string program = request.program.empty() ? "trtexec" : request.program;
  std::string output;
  SubprocessRequest subprocess;
  subprocess.arguments = {program, "--helpBuildRoute"};
  subprocess.timeout = request.timeout;
  subprocess.on_stdout = [&](std::string_view chunk) { output += chunk; };
  auto ended = workspace->run(subprocess, cancellation);
  if (!ended) {
    Error error = ended.error();
    if (error.code == ErrorCode::kNotFound && request.launcher.empty()) error = no_trtexec(program);
    return fail(std::move(error));
  }
  if (ended->ending == Ending::kCancelled || cancellation.requested()) {
    return fail(ErrorCode::kCancelled, "stopped; nothing was written");
  }
  // Older versions reject the option and exit with 1, and say who they are before.
  return trtexec_facts(output);
}

bool acts_on(const TrtexecFacts& facts, std::string_view option) {
  const trtexec::TrtexecFlag* flag = trtexec::find_flag(option);
  if (flag == nullptr || facts.version_text.empty()) return true;
  return facts.version >= flag->first &&
         (!flag->last_effective || facts.version <= *flag->last_effective);
}

std::string route_with(std::string_view route, std::string_view knob, std::string_view value) {
  const std::string word = base::format("{}={}", knob, value);
  std::string joined;
  bool is_set = false;
  while (!route.empty()) {
    const std::string_view part = base::take_part(route, ' ');
    if (part.empty()) continue;
    const bool is_knob = part.substr(0, part.find('=')) == knob;
    is_set = is_set || is_knob;
    joined += base::format("{}{}", joined.empty() ? "" : " ", is_knob ? word : part);
  }
  if (!is_set) joined += base::format("{}{}", joined.empty() ? "" : " ", word);
  return joined;
}

}  // namespace planex::drive
