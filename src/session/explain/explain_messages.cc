#include "session/explain/explain_messages.h"

#include "render/markdown/messages_markdown.h"

namespace planex::session {

Result<std::string> explain_messages(const View& view) {
  if (view.format != Format::kText && view.format != Format::kMarkdown) {
    return fail(ErrorCode::kUsage, "explain messages writes Markdown only",
                "planex explain messages --format markdown -o messages.md");
  }
  return render::known_messages_markdown();
}

}  // namespace planex::session
