#include "session/explain/explain.h"

#include "base/text.h"
#include "base/try.h"
#include "session/explain/topics.h"

namespace planex::session {
namespace {

using base::format;

// Puts what a topic answers into `document`.
Take take_document(std::string& document, const View& view) {
  return [&](const Writers& writers) -> Result<void> {
    document = write(writers, view);
    return {};
  };
}

Result<void> check_format(const Topic& topic, const View& view) {
  if (view.format == Format::kJunit || view.format == Format::kSarif) {
    return fail(ErrorCode::kUsage,
                "explain has no such format; it has text, json, csv and markdown");
  }
  if (topic.document != nullptr || view.format == Format::kText ||
      view.format == Format::kMarkdown) {
    return {};
  }
  return fail(ErrorCode::kUsage, format("explain {} writes Markdown only", topic.name),
              format("planex explain {0} --format markdown -o {0}.md", topic.name));
}

}  // namespace

Result<void> explain(const EngineToExplain& engine, const ExplainRequest& request,
                     const Take& take) {
  PLANEX_ASSIGN(const Topic* topic, find_topic(request.topic));
  if (topic->explain == nullptr) {
    return fail(ErrorCode::kUsage, format("explain {} is not about an engine", topic->name),
                format("planex explain {}", topic->name));
  }
  return topic->explain(engine, request, take);
}

Result<std::string> explain(const EngineToExplain& engine, const ExplainRequest& request,
                            const View& view) {
  PLANEX_ASSIGN(const Topic* topic, find_topic(request.topic));
  PLANEX_TRY(check_format(*topic, view));
  std::string document;
  PLANEX_TRY(explain(engine, request, take_document(document, view)));
  return document;
}

Result<std::string> look_up(std::string_view word, const ExplainRequest& request,
                            const View& view) {
  PLANEX_ASSIGN(const Topic* topic, find_topic(request.topic));
  if (topic->look_up == nullptr) {
    return fail(ErrorCode::kUsage, "explain needs a PLAN", "planex explain --help shows how");
  }
  if (!word.empty() && !topic->takes_word) {
    return fail(ErrorCode::kUsage, format("explain {} takes no PLAN", topic->name));
  }
  PLANEX_TRY(check_format(*topic, view));
  std::string document;
  PLANEX_TRY(topic->look_up(word, request, take_document(document, view)));
  return document;
}

}  // namespace planex::session
