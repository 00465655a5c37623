#include "drive/program_driver.h"

#include <simdjson.h>

#include <utility>

#include "base/text.h"
#include "base/try.h"

namespace planex::drive {
namespace {

// These would put the files somewhere else than expected.
Result<void> check_flags(const std::vector<std::string>& flags) {
  for (const std::string& flag : flags) {
    const std::string_view name = std::string_view(flag).substr(0, flag.find('='));
    if (name == "--model" || name == "--out" || name == "--name" || name == "--progress-fd") {
      return fail(ErrorCode::kUsage, base::format("{} is set by planex itself", name),
                  "Name the model as the argument of `planex process`, and the folder with -o.");
    }
  }
  return {};
}

}  // namespace

std::optional<PhaseLine> parse_phase(std::string_view line) {
  simdjson::dom::parser parser;
  simdjson::dom::object json;
  if (parser.parse(line.data(), line.size()).get(json) != simdjson::SUCCESS) return std::nullopt;
  std::string_view phase;
  double done = 0;
  if (json["phase"].get(phase) != simdjson::SUCCESS) return std::nullopt;
  if (json["done"].get(done) != simdjson::SUCCESS) return std::nullopt;
  return PhaseLine{std::string(phase), done};
}

Result<Plan> plan_program(std::vector<std::string> program, const ProcessRequest& request,
                          const std::string& model, const Workspace& workspace) {
  PLANEX_TRY(check_flags(request.flags));
  const std::string name = engine_name(request.model);
  std::vector<std::string> words = std::move(program);
  words.insert(words.end(), {"--model", model, "--out", workspace.path(name), "--name", name});
  for (const std::string& shape : request.shapes) words.insert(words.end(), {"--shape", shape});
  if (request.threads) words.insert(words.end(), {"--threads", *request.threads});
  if (request.precision) words.insert(words.end(), {"--precision", *request.precision});
  words.insert(words.end(), request.flags.begin(), request.flags.end());
  Plan plan;
  plan.steps.push_back({.words = std::move(words), .phase = "start", .log = {}});
  return plan;
}

std::vector<std::string> notes_of(std::string_view result_json) {
  std::vector<std::string> notes;
  simdjson::dom::parser parser;
  simdjson::dom::array found;
  if (parser.parse(result_json.data(), result_json.size())["notes"].get(found) !=
      simdjson::SUCCESS) {
    return notes;
  }
  for (const simdjson::dom::element& note : found) {
    std::string_view text;
    if (note.get(text) == simdjson::SUCCESS) notes.emplace_back(text);
  }
  return notes;
}

}  // namespace planex::drive
