#include "render/text/capsule_text.h"

#include <algorithm>
#include <cstddef>

#include "base/text.h"
#include "render/text/grid.h"
#include "render/words/display_width.h"
#include "render/words/numbers.h"
#include "render/words/wrap.h"

namespace planex::render {
namespace {

using base::format;
using model::CapsuleFile;
using model::CheckedMember;
using model::MemberState;

std::string text_of_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

std::size_t cells_of(const TableStyle& style) {
  return style.wide ? 0 : static_cast<std::size_t>(std::max(style.width, 0));
}

// A capsule in one line.
std::string heading(std::string_view path, std::string_view engine, bool is_redacted,
                    std::uint64_t size_bytes) {
  return format("{}: {}{}, {}\n", printable(path), printable(engine),
                is_redacted ? ", redacted" : "", bytes_text(static_cast<double>(size_bytes)));
}

std::string member_words(const CheckedMember& member) {
  switch (member.state) {
    case MemberState::kIntact:
      return "intact";
    case MemberState::kMissing:
      return "missing";
    case MemberState::kDamaged:
      return format("damaged: {}", printable(member.why));
    case MemberState::kNotListed:
      return member.why.empty() ? "not in the capsule's list" : printable(member.why);
    case MemberState::kAltered:
      break;
  }
  if (member.expected_bytes != member.found_bytes) {
    return format("altered: expected {} bytes, found {}", member.expected_bytes.value_or(0),
                  member.found_bytes.value_or(0));
  }
  return format("altered: expected sha256 {}, found {}", member.expected_sha256,
                member.found_sha256);
}

}  // namespace

std::string archive_text(const model::ArchiveReport& report, const TableStyle& style) {
  std::string text =
      heading(report.path, report.capsule.engine, report.capsule.is_redacted, report.size_bytes);
  Grid grid({{.elastic = true}, {}, {.alignment = Alignment::kRight}});
  for (const auto* list : {&report.capsule.files, &report.capsule.others}) {
    for (const CapsuleFile& file : *list) {
      grid.add_row({{printable(file.name)},
                    {printable(file.kind), Ink::kFaint},
                    {bytes_text(static_cast<double>(file.size_bytes))}});
    }
  }
  text += text_of_lines(grid.lines(cells_of(style), kScreenIndent, style.color));
  text += format("  sha256 {}\n", report.sha256);
  for (const std::string& note : report.notes) {
    text += wrapped(printable(note), cells_of(style), kScreenIndent);
  }
  return text;
}

std::string verify_text(const model::CapsuleCheck& check, const TableStyle& style) {
  std::string text = heading(check.path, check.engine, check.is_redacted, check.size_bytes);
  Grid grid({{.elastic = true}, {.wraps = true}});
  std::size_t wrong_count = 0;
  for (const CheckedMember& member : check.members) {
    const bool is_intact = member.state == MemberState::kIntact;
    wrong_count += is_intact ? 0 : 1;
    grid.add_row({{member.name.empty() ? "(unnamed)" : printable(member.name)},
                  {member_words(member), is_intact ? Ink::kPlain : Ink::kError}});
  }
  text += text_of_lines(grid.lines(cells_of(style), kScreenIndent, style.color));
  text += format("  sha256 {}\n", check.sha256);
  text += wrong_count == 0 ? format("  intact: {}\n", base::counted(check.members.size(), "member"))
                           : format("  NOT intact: {} of {} {} from the list\n", wrong_count,
                                    base::counted(check.members.size(), "member"),
                                    wrong_count == 1 ? "differs" : "differ");
  return text;
}

}  // namespace planex::render
