#include "ingest/discover/look.h"

#include <memory>
#include <utility>

#include "base/try.h"
#include "ingest/discover/archive.h"
#include "ingest/discover/decode.h"
#include "ingest/discover/registry.h"

namespace planex::ingest {
namespace {

// Examines files until their kind is known.
class Looker {
 public:
  Looker(FoundFile& file, const base::FileSource& source) : file_(file), source_(source) {}

  Result<void> look() {
    PLANEX_ASSIGN(const std::string head, look_at_head(kSniffBytes));
    // The text of a file that was stored without compression is in the archive unchanged.
    if (file_.is_archive) return {};
    // A command line with many shapes can be longer than a head.
    const bool is_one_line = head.size() == kSniffBytes && head.find('\n') == head.npos;
    if (file_.reader == nullptr && is_one_line) PLANEX_TRY(look_at_head(kLongestFirstLine));
    if (file_.reader == nullptr && is_undecided(head)) return look_inside();
    return {};
  }

 private:
  static constexpr std::size_t kLongestFirstLine = std::size_t{1} << 20;

  Result<std::string> look_at_head(std::size_t limit) {
    PLANEX_ASSIGN(std::string head, source_.read_head(file_.path, limit));
    file_.is_archive = is_archive(head);
    if (file_.is_archive) return head;
    // A small compressed file is complete: only then does an early end mean damage.
    if (head.size() < limit && is_packed(head)) {
      PLANEX_ASSIGN(const Decoded whole, decode(base::make_bytes(head), file_.path));
    }
    PLANEX_ASSIGN(head, decode_head(std::move(head), limit, file_.path));
    file_.reader = sniff(head);
    if (file_.reader != nullptr && file_.reader->runs != nullptr) {
      file_.runs = file_.reader->runs(head);
    }
    return head;
  }

  Result<void> look_inside() {
    PLANEX_ASSIGN(auto bytes, source_.read(file_.path, base::Access::kSparse));
    PLANEX_ASSIGN(Decoded decoded, decode(std::move(bytes), file_.path));
    file_.reader = sniff_whole(std::move(decoded.bytes));
    return {};
  }

  FoundFile& file_;
  const base::FileSource& source_;
};

}  // namespace

Result<FoundFile> look_at(const std::string& path, std::uint64_t size,
                          const base::FileSource& source) {
  FoundFile file{.path = path, .size_bytes = size};
  PLANEX_TRY(Looker(file, source).look());
  return file;
}

FoundFile look_if_possible(const base::FileEntry& entry, const base::FileSource& source) {
  FoundFile file{.path = entry.path, .size_bytes = entry.size_bytes};
  if (auto looked = Looker(file, source).look(); !looked) {
    file.unreadable = std::move(looked).error();
  }
  return file;
}

}  // namespace planex::ingest
