#include "render/text/actions_text.h"

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "render/text/grid.h"
#include "render/words/action_sentences.h"
#include "render/words/display_width.h"

namespace planex::render {

std::string actions_text(std::span<const model::Action> actions, std::string_view heading,
                         std::size_t shown, std::size_t width, bool color) {
  if (actions.empty()) return {};
  Grid grid({{Alignment::kRight}, {}, {}, {.wraps = true}});
  grid.add_row(
      {{}, {"saves", Ink::kFaint}, {"how sure", Ink::kFaint}, {std::string(heading), Ink::kFaint}});
  std::vector<std::string_view> commands;
  const std::size_t count = std::min(shown, actions.size());
  for (const model::Action& action : actions.first(count)) {
    grid.add_row({{action.rank ? base::format("{}", *action.rank) : "–"},
                  {saving_words(action)},
                  {std::string(certainty_words(action))},
                  {printable(action.what)}});
    if (action.command.empty() || std::ranges::find(commands, action.command) != commands.end()) {
      continue;
    }
    commands.push_back(action.command);
    grid.add_row({{}, {}, {}, {action.command, Ink::kStrong}});
  }
  if (count < actions.size()) {
    const auto rest = actions.subspan(count);
    grid.add_row({{"…", Ink::kFaint},
                  {saving_words(model::total_of(rest)), Ink::kFaint},
                  {},
                  {base::format("{} more", rest.size()), Ink::kFaint}});
  }
  std::string text;
  for (const std::string& line : grid.lines(width, kScreenIndent, color)) text += line + "\n";
  return text;
}

}  // namespace planex::render
