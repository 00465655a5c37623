#include <span>
#include <string_view>

#include "base/text.h"
#include "render/text/table_text.h"
#include "session/explain/topic.h"
#include "trtexec/known_messages.h"

namespace planex::session::messages_topic {
namespace {

using base::format;
using render::TableStyle;
using trtexec::KnownMessage;

// A cell: nothing in it may end it or be read as markup.
std::string cell_of(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|' || c == '*' || c == '<' || c == '_' || c == '[') cell += '\\';
    cell += c;
  }
  return cell;
}

void add_table(std::span<const KnownMessage> messages, std::string& page) {
  page +=
      "\n| in the message | about | what it means | what to do | TensorRT | code |\n"
      "|---|---|---|---|---|---|\n";
  for (const KnownMessage& message : messages) {
    page += format("| {} | {} | {} | {} | {} | `{}` |\n", cell_of(message.text),
                   to_string(message.kind), cell_of(message.cause),
                   message.cure.empty() ? "–" : cell_of(message.cure),
                   message.versions.empty() ? "any" : message.versions, message.code);
  }
}

std::string known_messages_markdown() {
  std::string page =
      "# Messages of TensorRT\n\n"
      "<!-- Written by `planex explain messages --format markdown`; edit "
      "src/trtexec/known_messages.cc instead. -->\n\n"
      "What TensorRT and trtexec print in logs, and what it means. planex finds these texts in a "
      "log; `planex summary`, `planex doctor` and the diagnostics of all documents report what is "
      "listed below. Codes are permanent.\n\n"
      "## Accuracy\n\n"
      "The engine computes something different from the model. `planex summary` has a section "
      "about these messages, with the layers that they concern; in SQL the named nodes and tensors "
      "are rows of `metadata`, section `accuracy_warnings`.\n";
  add_table(trtexec::accuracy_warnings(), page);
  page +=
      "\n## Errors\n\n"
      "They end a build, a load or a run. If there are several, the first in this table counts as "
      "the cause.\n";
  add_table(trtexec::known_errors(), page);
  page += "\n## Other warnings\n";
  add_table(trtexec::known_warnings(), page);
  return page;
}

Result<void> look_up(std::string_view, const ExplainRequest&, const Take& take) {
  return take({.markdown = known_messages_markdown,
               .text = [](const TableStyle&) { return known_messages_markdown(); }});
}

constexpr Topic kTopic = {.name = "messages",
                          .summary = "what TensorRT's messages in logs mean; takes no PLAN",
                          .look_up = look_up};

}  // namespace
}  // namespace planex::session::messages_topic

PLANEX_TOPIC(messages)
