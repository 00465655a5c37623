#include "session/explain/explain_engines.h"

#include "render/markdown/engine_rules_markdown.h"

namespace planex::session {

Result<std::string> explain_engines(const View& view) {
  if (view.format != Format::kText && view.format != Format::kMarkdown) {
    return fail(ErrorCode::kUsage, "explain engines writes Markdown only",
                "planex explain engines --format markdown -o engines.md");
  }
  return render::engine_rules_markdown();
}

}  // namespace planex::session
