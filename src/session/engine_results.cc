// The results of planex::Engine, as structs filled from their descriptions.
#include "planex/engine.h"

#include <optional>
#include <utility>

#include "analyze/explain/timing.h"
#include "base/try.h"
#include "render/fields/summary.h"
#include "render/fields/timing.h"
#include "session/answer/format.h"
#include "session/explain/explain.h"
#include "session/lint/lint.h"
#include "session/open/engine.h"

namespace planex {
namespace {

using session::Writers;

// What the request explains, in the form of the topic's struct.
template <typename T>
Result<T> explained(const session::Engine& engine, const ExplainRequest& request) {
  T result;
  PLANEX_TRY(session::explain({engine.model, engine.summary}, request,
                              [&](const Writers& writers) -> Result<void> {
                                session::fill(result, writers.document);
                                return {};
                              }));
  return result;
}

// For a topic that needs nothing that could be missing.
template <typename T>
T explained(const session::Engine& engine, ExplainTopic topic) {
  return explained<T>(engine, ExplainRequest{.topic = topic}).value_or(T{});
}

}  // namespace

Engine::Engine(std::shared_ptr<const session::Engine> engine, std::string_view label)
    : EngineTables(std::move(engine)), label_(label) {}

std::string_view Engine::path() const { return engine_->request.path; }

results::Summary Engine::summary() const {
  results::Summary summary;
  session::fill(summary, {render::summary_document(), engine_->summary, engine_->model});
  return summary;
}

results::Timing Engine::timing() const {
  const auto timing = analyze::explain_timing(engine_->model, engine_->summary);
  const render::TimingResult result{engine_->model, engine_->summary, timing};
  results::Timing filled;
  session::fill(filled, {render::timing_document(), result, result});
  return filled;
}

Result<results::Lint> Engine::lint(const LintRequest& request) const {
  results::Lint lint;
  PLANEX_TRY(session::lint({engine_->model, engine_->lint, engine_->judgements}, request,
                           [&](const Writers& writers) -> Result<void> {
                             session::fill(lint, writers.document);
                             return {};
                           }));
  return lint;
}

Result<results::ExplainSpeed> Engine::explain_speed(const ExplainRequest& request) const {
  ExplainRequest speed = request;
  speed.topic = ExplainTopic::kSpeed;
  return explained<results::ExplainSpeed>(*engine_, speed);
}

results::ExplainReformats Engine::explain_reformats() const {
  return explained<results::ExplainReformats>(*engine_, ExplainTopic::kReformats);
}
results::ExplainMemory Engine::explain_memory() const {
  return explained<results::ExplainMemory>(*engine_, ExplainTopic::kMemory);
}
results::ExplainPrecision Engine::explain_precision() const {
  return explained<results::ExplainPrecision>(*engine_, ExplainTopic::kPrecision);
}
results::ExplainBlocks Engine::explain_blocks() const {
  return explained<results::ExplainBlocks>(*engine_, ExplainTopic::kBlocks);
}
results::ExplainKernels Engine::explain_kernels() const {
  return explained<results::ExplainKernels>(*engine_, ExplainTopic::kKernels);
}
results::ExplainQuantization Engine::explain_quantization() const {
  return explained<results::ExplainQuantization>(*engine_, ExplainTopic::kQuantization);
}

results::ExplainTactics Engine::explain_tactics() const {
  return explained<results::ExplainTactics>(*engine_, ExplainTopic::kTactics);
}

Result<ArrowTable> Engine::lint_table(const LintRequest& request) const {
  std::optional<ArrowTable> table;
  PLANEX_TRY(session::lint({engine_->model, engine_->lint, engine_->judgements}, request,
                           session::take_table(table, "lint")));
  return *std::move(table);
}

Result<ArrowTable> Engine::explain_table(const ExplainRequest& request) const {
  std::optional<ArrowTable> table;
  PLANEX_TRY(session::explain({engine_->model, engine_->summary}, request,
                              session::take_table(table, "explain")));
  return *std::move(table);
}

}  // namespace planex
