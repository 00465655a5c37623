#include "serve/dropped_files.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"

namespace planex::serve {
namespace {

using base::format;

Failure bad(std::string message) { return fail(ErrorCode::kBadInput, std::move(message)); }

// A little-endian number of `bytes` bytes. The caller has checked that they exist.
std::uint64_t number(std::string_view text, std::size_t bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes; i-- > 0;) value = value << 8 | static_cast<unsigned char>(text[i]);
  return value;
}

// Nothing is ever written to such a path, but reports show it, and readers join paths.
bool is_plain_name(std::string_view name) {
  if (name.empty() || name.size() > kLongestDroppedName || !base::is_valid_utf8(name)) return false;
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; };
  if (std::ranges::any_of(name, is_control)) return false;
  while (true) {
    const std::string_view part = name.substr(0, name.find('/'));
    if (part.empty() || part == "." || part == "..") return false;
    if (part.size() == name.size()) return true;
    name.remove_prefix(part.size() + 1);
  }
}

}  // namespace

Result<DroppedFiles> parse_dropped(std::string_view body) {
  constexpr std::size_t kNameLengthBytes = 4;
  constexpr std::size_t kSizeBytes = 8;
  DroppedFiles dropped{.files = std::make_unique<base::MemoryFiles>()};
  while (!body.empty()) {
    if (body.size() < kNameLengthBytes + kSizeBytes) return bad("the files are truncated");
    const std::uint64_t name_length = number(body, kNameLengthBytes);
    const std::uint64_t size = number(body.substr(kNameLengthBytes), kSizeBytes);
    body.remove_prefix(kNameLengthBytes + kSizeBytes);
    if (name_length > body.size() || size > body.size() - name_length) {
      return bad("the files are truncated");
    }
    const std::string_view name = body.substr(0, name_length);
    if (!is_plain_name(name)) {
      return bad(format("{} is not a valid name of a dropped file", base::quoted(name)));
    }
    if (++dropped.count > kMaxDroppedFiles) {
      return bad(format("more than {} files at once", kMaxDroppedFiles));
    }
    std::string path(name);
    if (dropped.files->kind(path) != base::PathKind::kMissing) {
      return bad(format("two of the files are called {}", base::quoted(name)));
    }
    // A file within a file would be neither.
    for (std::string_view folder = base::folder_of(name); !folder.empty();
         folder = base::folder_of(folder)) {
      if (dropped.files->kind(std::string(folder)) == base::PathKind::kFile) {
        return bad(format("{} is a file and a folder", base::quoted(folder)));
      }
    }
    dropped.files->add(std::move(path), body.substr(name_length, size));
    dropped.size_bytes += size;
    body.remove_prefix(name_length + size);
  }
  if (dropped.count == 0) return bad("no file was sent");
  return dropped;
}

}  // namespace planex::serve
