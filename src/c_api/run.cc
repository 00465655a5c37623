// planex_process() and planex_run(): the functions that start other programs.
#include <atomic>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/try.h"
#include "c_api/handles.h"
#include "c_api/request_options.h"
#include "drive/driver.h"
#include "jobs/job.h"
#include "planex/planex.h"
#include "render/json/json_writer.h"
#include "session/verbs/process.h"

namespace planex::c_api {
namespace {

// Reports progress to the caller, and passes the request to stop on to the driver.
class CallerProgress final : public drive::Progress {
 public:
  CallerProgress(planex_progress progress, void* context)
      : progress_(progress), context_(context) {}
  void update(std::string_view engine, std::string_view phase, double done) override {
    if (progress_ == nullptr) return;
    const std::string engine_text(engine), phase_text(phase);
    if (progress_(context_, engine_text.c_str(), phase_text.c_str(), done) != 0) {
      is_stopped_ = true;
    }
  }
  const std::atomic<bool>& is_stopped() const { return is_stopped_; }

 private:
  planex_progress progress_;
  void* context_;
  std::atomic<bool> is_stopped_ = false;
};

std::string outcome_json(const drive::ProcessOutcome& outcome) {
  render::JsonWriter json;
  json.begin_object().member("schema", "planex.process/1").text_member("name", outcome.name);
  json.key("artefacts").begin_array();
  for (const drive::Artefact& artefact : outcome.artefacts) {
    json.begin_object()
        .member("kind", artefact.kind)
        .member("path", artefact.path)
        .member("size_bytes", artefact.size_bytes)
        .member("sha256", artefact.sha256)
        .end_object();
  }
  json.end_array()
      .text_member("engine", outcome.engine)
      .text_member("manifest", outcome.manifest)
      .key("notes")
      .begin_array();
  for (const std::string& note : outcome.notes) json.value(note);
  json.end_array().text_member("text", outcome.text).end_object();
  return json.take();
}

Result<std::string> process(OptionTexts texts, CallerProgress& caller) {
  drive::ProcessRequest request;
  PLANEX_TRY(set_options(session::options_of(request), texts));
  PLANEX_ASSIGN(const auto outcome,
                drive::process(request, caller, drive::Cancellation(caller.is_stopped())));
  return outcome_json(outcome);
}

Result<std::string> run(std::string_view name, OptionTexts texts, CallerProgress& caller) {
  if (name == "process") return process(texts, caller);
  const jobs::Verb* verb = jobs::find_verb(name);
  if (verb == nullptr) {
    std::vector<std::string_view> names = {"process"};
    for (const jobs::Verb& known : jobs::verbs()) names.push_back(known.name);
    return fail(ErrorCode::kUsage, base::format("there is no verb {}", base::quoted(name)),
                base::format("the verbs that run models are {}", base::join_words(names)));
  }
  const auto job = verb->make();
  std::string program_dir;
  session::Options options = job->options();
  options.push_back({.name = "program-dir", .member = &program_dir});
  PLANEX_ASSIGN(const View view, view_of(texts, std::move(options)));
  PLANEX_ASSIGN(jobs::Answer answer,
                job->run({.program_dir = program_dir,
                          .progress = caller,
                          .cancellation = drive::Cancellation(caller.is_stopped()),
                          .view = view}));
  return std::move(answer.document);
}

planex_document* document_of(std::string_view verb, const planex_option* options,
                             size_t option_count, planex_progress progress, void* context,
                             planex_error** error) {
  return guarded<planex_document>(error, [&]() -> Result<planex_document> {
    CallerProgress caller(progress, context);
    PLANEX_ASSIGN(std::string text, run(verb, texts_of(options, option_count), caller));
    return planex_document{std::move(text)};
  });
}

}  // namespace
}  // namespace planex::c_api

planex_document* planex_process(const planex_option* options, size_t option_count,
                                planex_progress progress, void* context, planex_error** error) {
  return planex::c_api::document_of("process", options, option_count, progress, context, error);
}

planex_document* planex_run(const char* verb, const planex_option* options, size_t option_count,
                            planex_progress progress, void* context, planex_error** error) {
  return planex::c_api::document_of(planex::c_api::text_of(verb), options, option_count, progress,
                                    context, error);
}
