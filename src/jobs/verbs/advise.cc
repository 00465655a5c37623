#include "jobs/verbs/advise.h"

#include <memory>
#include <optional>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "jobs/model_output.h"
#include "jobs/shop.h"
#include "planex/session.h"
#include "quantize/placement_rules.h"
#include "render/fields/advise.h"
#include "render/text/advise_text.h"
#include "session/answer/format.h"
#include "session/open/measured_engine.h"
#include "tune/advise.h"

namespace planex::jobs {
namespace {

using quantize::AdviseOutcome;

Result<tune::AdviseRequest> advise_task(const AdviseRequest& request) {
  tune::AdviseRequest made{
      .model = request.model, .what_if = request.what_if, .sample_limit = request.samples};
  PLANEX_ASSIGN(made.method, quantize::parse_method(request.method));
  if (request.data.is_given()) {
    if (request.output.empty()) {
      return fail(ErrorCode::kUsage, "--data needs --apply",
                  "planex advise MODEL.onnx --apply -o OUT.onnx --data DIR");
    }
    PLANEX_ASSIGN(made.data, data_request(request.data));
  }
  if (!request.what_if.empty() && request.timed.empty() && !request.measures) {
    return fail(ErrorCode::kUsage, "--what-if needs a measured engine",
                "planex process MODEL.onnx -o run/, then --timed run/");
  }
  if (request.measures && request.output.empty()) {
    return fail(ErrorCode::kUsage, "--measure needs the edited model's file", "-o OUT.onnx");
  }
  if (request.target != "auto") made.target = *quantize::target_of(request.target);
  if (request.measures && made.target != quantize::Target::kOpenvino) {
    return fail(
        ErrorCode::kUsage,
        base::format("--measure runs OpenVINO, but the model is edited for {}", request.target),
        "measure with that engine: planex process before and after, then planex compare");
  }
  return made;
}

// The times of both models, in turns; those of the model before are there first, as the advice
// needs its layers.
class Turns {
 public:
  Turns(const AdviseRequest& request, const Shop& shop, const Context& context)
      : request_(request), shop_(shop), context_(context) {}

  Result<void> time_before() { return time(request_.model, "before", before_); }
  OpenRequest first() const { return before_.front(); }

  Result<quantize::AdviceMeasurement> time_both(const std::string& edited) {
    for (std::size_t run = 0; run < request_.runs; ++run) {
      if (run > 0) PLANEX_TRY(time_before());
      PLANEX_TRY(time(edited, "after", after_));
    }
    return measured();
  }

 private:
  Result<void> time(const std::string& model, std::string_view side,
                    std::vector<OpenRequest>& runs) {
    PLANEX_ASSIGN(std::string engine, time_model({.model = model,
                                                  .name = base::format("{}_{}", side, runs.size()),
                                                  .threads = request_.threads,
                                                  .is_brief = !runs.empty()},
                                                 shop_, context_));
    runs.push_back(
        {.path = std::move(engine), .name = std::string(side), .is_repeat = !runs.empty()});
    return {};
  }

  Result<quantize::AdviceMeasurement> measured() const {
    quantize::AdviceMeasurement measurement{.run_count = request_.runs};
    for (const auto& [runs, figures] :
         {std::pair(&before_, &measurement.before), std::pair(&after_, &measurement.after)}) {
      PLANEX_ASSIGN(const quantize::MeasuredEngine engine,
                    session::open_measured_engine(runs->front()));
      *figures = quantize::figures_of(engine);
    }
    std::vector<OpenRequest> all = before_;
    all.insert(all.end(), after_.begin(), after_.end());
    PLANEX_ASSIGN(const Session session, Session::open(all));
    PLANEX_ASSIGN(const results::Compare compared, session.comparison());
    const results::Verdict& verdict = compared.differences.front().verdict;
    if (verdict.base.median_ms) measurement.before.latency_ms = verdict.base.median_ms;
    if (verdict.candidate.median_ms) measurement.after.latency_ms = verdict.candidate.median_ms;
    measurement.change_ratio = verdict.change_ratio;
    measurement.low_ratio = verdict.low_ratio;
    measurement.high_ratio = verdict.high_ratio;
    measurement.judgement = verdict.judgement;
    return measurement;
  }

  const AdviseRequest& request_;
  const Shop& shop_;
  const Context& context_;
  std::vector<OpenRequest> before_, after_;
};

// The engine that gains are estimated from, and the target that it was built for.
Result<void> open_engine(const AdviseRequest& request, const std::optional<Turns>& turns,
                         tune::AdviseRequest& made) {
  if (request.timed.empty() && !turns) return {};
  OpenRequest engine = request.timed.empty() ? turns->first() : OpenRequest{.path = request.timed};
  engine.source_model = request.model;
  PLANEX_ASSIGN(made.engine, session::open_measured_engine(engine));
  // The engine just measured is in a folder that is deleted afterwards.
  if (request.timed.empty()) made.engine->path = "a local run";
  const auto built_by = quantize::target_of(made.engine->producer);
  if (request.target == "auto" && built_by && !request.measures) made.target = *built_by;
  return {};
}

session::Writers writers_of(const AdviseOutcome& outcome, bool all) {
  return {.document = {render::advise_document(), outcome},
          .rows = [&]() -> session::Rows {
            return record::rows_of(outcome.advice, render::advice_fields());
          },
          .text =
              [&outcome, all](const render::TableStyle& style) {
                return render::advise_text(outcome, all, style);
              }};
}

}  // namespace

session::Options options_of(AdviseRequest& request) {
  session::Options options = {PLANEX_ADVISE_OPTIONS(PLANEX_BIND)};
  add(options, options_of(request.data));
  add(options, {PLANEX_ADVISE_DATA_OPTIONS(PLANEX_BIND)});
  return options;
}

Result<Answer> run(const AdviseRequest& request, const Context& context) {
  PLANEX_ASSIGN(tune::AdviseRequest made, advise_task(request));
  PLANEX_ASSIGN(ModelOutput files, ModelOutput::open(request.output, request.model, context));
  made.output = files.staged();
  std::unique_ptr<Shop> shop;
  if (request.data.is_given() || request.measures) {
    PLANEX_ASSIGN(shop, Shop::open(context, request.threads));
  }
  std::optional<Turns> turns;
  if (request.measures) {
    turns.emplace(request, *shop, context);
    PLANEX_TRY(turns->time_before());
  }
  PLANEX_TRY(open_engine(request, turns, made));
  auto outcome = tune::advise_model(made, shop == nullptr ? nullptr : &shop->workshop());
  if (!outcome) return fail(files.settled(outcome.error()));
  if (!outcome->output.empty()) outcome->output = request.output;
  const session::Writers writers = writers_of(*outcome, request.all);
  const auto record = [&] {
    return session::json_of(writers.document, render::JsonStyle::kPretty);
  };
  // The record of the changes is beside the model. A measurement is part of it, and needs the model
  // where its weights are.
  const std::string record_file = request.output + ".advise.json";
  if (!request.output.empty()) {
    if (!turns) files.add(record_file, record());
    PLANEX_TRY(files.commit(context.cancellation));
  }
  if (turns) {
    PLANEX_ASSIGN(outcome->measurement, turns->time_both(request.output));
    PLANEX_TRY(base::write_file_atomically(record_file, record()));
  }
  return Answer{.document = session::write(writers, context.view),
                .is_output_taken = files.is_standard_output()};
}

}  // namespace planex::jobs
