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

// Of planex.explain-memory/2: memory.
std::string_view topic_of(std::string_view document) {
  document.remove_prefix(document.find('-') + 1);
  return document.substr(0, document.find('/'));
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

template <typename T>
Result<T> Engine::explain(ExplainRequest request) const {
  request.topic = topic_of(T::kDocument);
  T result;
  PLANEX_TRY(session::explain({engine_->model, engine_->summary}, request,
                              [&](const Writers& writers) -> Result<void> {
                                session::fill(result, writers.document);
                                return {};
                              }));
  return result;
}

#define PLANEX_DEFINE_EXPLAIN(name) \
  template PLANEX_EXPORT Result<results::name> Engine::explain<results::name>(ExplainRequest) const;
PLANEX_EXPLAIN_RESULTS(PLANEX_DEFINE_EXPLAIN)

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
