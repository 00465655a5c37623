// planex_process(): the one function that starts other programs.
#include <atomic>
#include <string>
#include <string_view>

#include "base/try.h"
#include "c_api/handles.h"
#include "c_api/request_options.h"
#include "drive/driver.h"
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

}  // namespace
}  // namespace planex::c_api

planex_document* planex_process(const planex_option* options, size_t option_count,
                                planex_progress progress, void* context, planex_error** error) {
  return planex::c_api::guarded<planex_document>(error, [&]() -> planex::Result<planex_document> {
    planex::drive::ProcessRequest request;
    PLANEX_TRY(planex::c_api::set_options(planex::session::options_of(request),
                                          planex::c_api::texts_of(options, option_count)));
    planex::c_api::CallerProgress caller(progress, context);
    PLANEX_ASSIGN(
        const auto outcome,
        planex::drive::process(request, caller, planex::drive::Cancellation(caller.is_stopped())));
    return planex_document{planex::c_api::outcome_json(outcome)};
  });
}
