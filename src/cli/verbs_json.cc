#include "cli/verbs_json.h"

#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "cli/file_options.h"
#include "drive/driver.h"
#include "jobs/job.h"
#include "render/json/json_writer.h"
#include "session/explain/topics.h"
#include "session/verbs/option.h"
#include "session/verbs/process.h"
#include "session/verbs/requests.h"

namespace planex::cli {
namespace {

using session::Option;
using session::WordMember;

template <typename T>
struct ValueOf {
  using Type = T;
};
template <typename T>
struct ValueOf<std::optional<T>> {
  using Type = T;
};

// What a value of it is: flag, word, integer, number, ratio, seconds, path or text.
std::string_view type_of(const Option& option) {
  return std::visit(
      [&](const auto& member) -> std::string_view {
        using Member = std::remove_cvref_t<decltype(member)>;
        if constexpr (std::is_same_v<Member, WordMember>) {
          return "word";
        } else {
          using T = typename ValueOf<std::remove_pointer_t<Member>>::Type;
          if constexpr (std::is_same_v<T, bool>) {
            return "flag";
          } else if constexpr (std::is_same_v<T, std::chrono::milliseconds>) {
            return "seconds";
          } else if constexpr (std::is_integral_v<T>) {
            return "integer";
          } else if constexpr (std::is_floating_point_v<T>) {
            return option.how.is_ratio ? "ratio" : "number";
          } else {
            if (!option.how.choices.empty()) return "word";
            return session::names_file(option) || option.how.is_output ? "path" : "text";
          }
        }
      },
      option.member);
}

// What is done with the files that its value names, as `planex schema --files` says it; empty: it
// names none.
std::string_view file_role(const session::How& how) {
  if (how.writes_folder) return to_string(FileRole::kWritesFolder);
  if (how.writes || how.is_output) return to_string(FileRole::kWrites);
  if (how.updates || !how.updates_with.empty()) return to_string(FileRole::kUpdates);
  if (how.reads_all) return to_string(FileRole::kReadsAll);
  if (how.reads_words) return to_string(FileRole::kReadsWords);
  return how.reads ? to_string(FileRole::kReads) : std::string_view();
}

std::vector<std::string_view> words_of(const Option& option) {
  const auto* member = std::get_if<WordMember>(&option.member);
  return member != nullptr ? member->words : option.how.choices;
}

void write_option(render::JsonWriter& json, const Option& option) {
  const session::How& how = option.how;
  const bool is_list = std::holds_alternative<std::vector<std::string>*>(option.member);
  const std::vector<std::string> initial = session::values_of(option);
  json.begin_object()
      .member("name", option.name)
      .text_member("metavar", option.metavar)
      .member("help", option.help)
      .member("type", type_of(option))
      .member("is_list", is_list)
      .key("words")
      .begin_array();
  for (const std::string_view word : words_of(option)) json.value(word);
  json.end_array().key("initial");
  if (initial.empty() || is_list) {
    json.null();
  } else {
    json.value(initial.front());
  }
  json.member("is_required", how.is_required)
      .text_member("needs", how.needs)
      .text_member("topic", how.topic)
      .text_member("file", file_role(how))
      .text_member("updated_with", how.updates_with)
      .key("also")
      .begin_array();
  for (const std::string_view other : how.also) json.value(other);
  json.end_array()
      .member("starts", how.starts)
      .text_member("python", how.python)
      .member("place", how.place)
      .member("for_programs", how.for_programs)
      .member("for_people", how.for_people)
      .end_object();
}

void write_verb(render::JsonWriter& json, std::string_view name, std::string_view summary,
                const std::vector<std::string_view>& documents, const session::Options& options) {
  json.begin_object().member("name", name).text_member("summary", summary).key("documents");
  json.begin_array();
  for (const std::string_view document : documents) json.value(document);
  json.end_array().key("options").begin_array();
  for (const Option& option : options) write_option(json, option);
  json.end_array().end_object();
}

// The words of the command line about a verb. `summary --timing` is a verb of its own for programs.
std::string summary_of(const CLI::App& app, const std::string& verb) {
  if (verb == "timing")
    return app.get_subcommand("summary")->get_option("--timing")->get_description();
  for (const CLI::App* known : app.get_subcommands({})) {
    if (known->get_name() == verb) return known->get_description();
  }
  return {};  // open: what every verb does first
}

template <typename Request>
void write_request(render::JsonWriter& json, const CLI::App& app, const std::string& name) {
  Request request;
  write_verb(json, name, summary_of(app, name), {}, session::options_of(request));
}

// The topics of `planex explain` that are about an engine.
void write_topics(render::JsonWriter& json) {
  json.key("topics").begin_array();
  for (const session::Topic* topic : session::topics()) {
    if (topic->explain == nullptr) continue;
    json.begin_object().member("name", topic->name).member("summary", topic->summary).end_object();
  }
  json.end_array();
}

}  // namespace

std::string verbs_json(const CLI::App& app) {
  render::JsonWriter json(render::JsonStyle::kPretty);
  json.begin_object().member("schema", "planex.verbs/1").key("verbs").begin_array();
  for (const jobs::Verb& verb : jobs::verbs()) {
    write_verb(json, verb.name, verb.summary, verb.documents, verb.make()->options());
  }
  for (const char* name : {"summary", "timing"}) {
    write_verb(json, name, summary_of(app, name), {}, {});
  }
  write_request<drive::ProcessRequest>(json, app, "process");
  write_request<drive::SweepOptions>(json, app, "sweep");
  write_request<OpenRequest>(json, app, "open");
  write_request<LayersRequest>(json, app, "layers");
  write_request<ExplainRequest>(json, app, "explain");
  write_request<LintRequest>(json, app, "lint");
  write_request<CompareRequest>(json, app, "compare");
  write_request<ListRequest>(json, app, "list");
  write_request<DrawRequest>(json, app, "draw");
  write_request<ExportRequest>(json, app, "export");
  write_request<ReportRequest>(json, app, "report");
  write_request<ArchiveRequest>(json, app, "archive");
  json.end_array();
  write_topics(json);
  json.end_object();
  return json.take() + "\n";
}

}  // namespace planex::cli
