#include "session/open/engine.h"

#include <optional>
#include <utility>

#include "analyze/complete/complete.h"
#include "analyze/judgements.h"
#include "base/text.h"
#include "base/try.h"
#include "ingest/discover/load.h"
#include "session/open/model_plan.h"
#include "session/open/optimized.h"
#include "session/open/sweep.h"

namespace planex::session {

namespace {

// What `planex optimize` left, without a word of which files of it are meant.
bool is_search_folder(const OpenRequest& request, const base::FileSource& files) {
  return !request.graph && !request.log && !request.nsight &&
         files.kind(request.path) == base::PathKind::kFolder && is_optimized(request.path, files);
}

}  // namespace

ingest::LoadRequest to_load_request(const OpenRequest& request) {
  return {.path = request.path,
          .graph = request.graph,
          .profile = request.profile,
          .times = request.times,
          .metadata = request.metadata,
          .log = request.log,
          .nsight = request.nsight,
          .source_model = request.source_model,
          .accuracy = request.accuracy,
          .profile_index = request.profile_index,
          .run = request.run,
          .name = request.name};
}

Result<Engine> open_engine(const OpenRequest& request, const base::FileSource& files) {
  // It contains many engines, and no way to know which one is meant.
  if (is_sweep(request.path, files)) {
    return fail({.code = ErrorCode::kUsage,
                 .message = "is a sweep, expected one engine",
                 .file = request.path,
                 .hint = base::format("planex sweep {} shows it; its engines are in cells/CELL/RUN",
                                      base::shell_word(request.path))});
  }
  if (is_search_folder(request, files)) {
    // Of its engines the one that it was made for.
    OpenRequest best = request;
    const OpenRequest found = optimized_engines(request.path, files).back();
    best.path = found.path;
    if (!best.source_model) best.source_model = found.source_model;
    return open_engine(best, files);
  }
  Engine engine{.request = to_load_request(request), .files = &files};
  PLANEX_ASSIGN(engine.model, ingest::load(engine.request, files));
  analyze::Reconciliation time = analyze::complete(engine.model);
  std::optional<analyze::SteadyState> state = analyze::find_steady_state(engine.model);
  engine.judgements = analyze::judge(engine.model, time, state);
  engine.lint = lint::run(engine.model, {.judgements = &engine.judgements});
  lint::store(engine.lint, engine.model);
  engine.summary = analyze::summarize(engine.model, std::move(time), std::move(state));
  const std::vector<model::Action>& actions = engine.lint.actions;
  for (const model::Action& action : actions) {
    if (!action.rank || engine.summary.actions.size() == analyze::kFirstActions) break;
    engine.summary.actions.push_back(action);
  }
  engine.summary.action_count = static_cast<std::int64_t>(actions.size());
  engine.summary.saving = model::total_of(actions);
  engine.summary.model_plan = model_plan(engine.model, files);
  return engine;
}

}  // namespace planex::session
