#include "ingest/discover/archive.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "archive/zip_library.h"
#include "base/text.h"
#include "base/try.h"
#include "ingest/discover/capsule.h"
#include "ingest/discover/decode.h"
#include "ingest/discover/file_names.h"

namespace planex::ingest {
namespace {

using archive::zip_library;
using archive::ZipLibrary;
using base::format;
using base::PathKind;

constexpr std::string_view kMemberMagic = "PK\x03\x04";
// An archive without members consists only of the end of its directory.
constexpr std::string_view kEmptyMagic = "PK\x05\x06";
constexpr std::size_t kMagicBytes = 4;

class ZipError {
 public:
  explicit ZipError(const ZipLibrary& library) : library_(library) { library_.error_init(&error_); }
  ZipError(const ZipError&) = delete;
  ZipError& operator=(const ZipError&) = delete;
  ~ZipError() { library_.error_fini(&error_); }
  zip_error_t* get() { return &error_; }
  std::string text() { return library_.error_strerror(&error_); }

 private:
  const ZipLibrary& library_;
  zip_error_t error_{};
};

using MemberFile = std::unique_ptr<zip_file_t, decltype(ZipLibrary::fclose)>;

// The archive's files for paths below it, all other paths from elsewhere.
class Overlay final : public base::FileSource {
 public:
  Overlay(std::string root, std::shared_ptr<const ArchiveFiles> archive,
          const base::FileSource& outer)
      : root_(std::move(root)), archive_(std::move(archive)), outer_(outer) {}

  PathKind kind(const std::string& path) const override { return of(path).kind(path); }
  Result<std::shared_ptr<const base::Bytes>> read(const std::string& path,
                                                  base::Access access) const override {
    return of(path).read(path, access);
  }
  Result<std::string> read_head(const std::string& path, std::size_t limit) const override {
    return of(path).read_head(path, limit);
  }
  Result<std::vector<base::FileEntry>> list(const std::string& folder) const override {
    return of(folder).list(folder);
  }

 private:
  const base::FileSource& of(const std::string& path) const {
    const bool inside =
        path.starts_with(root_) && (path.size() == root_.size() || path[root_.size()] == '/');
    return inside ? static_cast<const base::FileSource&>(*archive_) : outer_;
  }

  std::string root_;
  std::shared_ptr<const ArchiveFiles> archive_;
  const base::FileSource& outer_;
};

// The part of `path` that is an archive, if any: the path itself or a folder above it.
Result<std::optional<std::string>> archive_in(const std::string& path,
                                              const base::FileSource& outer) {
  for (std::string at = path; !at.empty(); at = std::string(base::folder_of(at))) {
    const PathKind kind = outer.kind(at);
    if (kind == PathKind::kFile) {
      PLANEX_ASSIGN(const std::string head, outer.read_head(at, kMagicBytes));
      if (is_archive(head)) return std::optional(at);
    }
    if (kind != PathKind::kMissing || at == "/") break;
  }
  return std::optional<std::string>();
}

}  // namespace

std::string_view wrong_name(std::string_view name) {
  if (name.size() > kLongestMemberName) return "its name is too long";
  if (name.find('\\') != name.npos) return "its name has a backslash";
  if (name.starts_with('/')) return "its name is absolute";
  const bool has_drive = name.size() > 1 && name[1] == ':';
  if (has_drive) return "its name begins with a drive letter";
  for (std::size_t first = 0; first <= name.size();) {
    const std::size_t end = std::min(name.find('/', first), name.size());
    const std::string_view step = name.substr(first, end - first);
    if (step == "..") return "its name points outside the archive";
    if (step.empty() || step == ".") return "its name has an empty component";
    first = end + 1;
  }
  return {};
}

bool is_archive(std::string_view head) {
  return head.starts_with(kMemberMagic) || head.starts_with(kEmptyMagic);
}

class ArchiveFiles::Zip {
 public:
  static Result<std::unique_ptr<Zip>> open(std::shared_ptr<const base::Bytes> bytes,
                                           const std::string& path) {
    const std::string_view view = bytes->view();
    if (!is_archive(view.substr(0, kMagicBytes))) {
      return fail({.code = ErrorCode::kBadInput,
                   .message = "not a zip archive",
                   .file = path,
                   .byte_offset = 0});
    }
    PLANEX_ASSIGN(const ZipLibrary* library, zip_library(path));
    auto zip = std::make_unique<Zip>(*library, std::move(bytes));
    ZipError error(*library);
    zip_source_t* source = library->source_buffer_create(view.data(), view.size(), 0, error.get());
    if (source != nullptr) {
      zip->archive_ = library->open_from_source(source, ZIP_RDONLY, error.get());
    }
    if (zip->archive_ != nullptr) return zip;
    if (source != nullptr) library->source_free(source);
    return fail(
        {.code = ErrorCode::kBadInput,
         .message = "incomplete zip archive: its list of members can't be read",
         .file = path,
         .byte_offset = view.size(),
         .context = format("libzip says: {}", error.text()),
         .hint = "the list is at the end of the file; if the file was truncated, copy it again"});
  }

  Zip(const ZipLibrary& library, std::shared_ptr<const base::Bytes> bytes)
      : library_(library), bytes_(std::move(bytes)) {}
  Zip(const Zip&) = delete;
  Zip& operator=(const Zip&) = delete;
  ~Zip() {
    // Nothing was changed, so there is nothing to write.
    if (archive_ != nullptr) library_.discard(archive_);
  }
  const ZipLibrary& library() const { return library_; }
  zip_t* get() const { return archive_; }
  std::size_t size_bytes() const { return bytes_->view().size(); }

 private:
  const ZipLibrary& library_;
  std::shared_ptr<const base::Bytes> bytes_;
  zip_t* archive_ = nullptr;
};

ArchiveFiles::ArchiveFiles(std::string root, std::unique_ptr<Zip> zip)
    : root_(std::move(root)), zip_(std::move(zip)) {}
ArchiveFiles::~ArchiveFiles() = default;

Result<std::shared_ptr<const ArchiveFiles>> ArchiveFiles::open(
    std::shared_ptr<const base::Bytes> bytes, const std::string& root) {
  PLANEX_ASSIGN(auto zip, Zip::open(std::move(bytes), root));
  // The constructor is private, so std::make_shared can't call it.
  std::shared_ptr<ArchiveFiles> files(new ArchiveFiles(root, std::move(zip)));
  PLANEX_TRY(files->read_directory());
  return files;
}

void ArchiveFiles::leave_out(std::string_view name, std::string_view why) {
  remarks_.push_back({.code = "archive-member-left-out",
                      .message = format("skipped the member {}: {}", base::quoted(name), why),
                      .file = root_});
}

Result<void> ArchiveFiles::read_directory() {
  const ZipLibrary& library = zip_->library();
  const zip_int64_t count = library.get_num_entries(zip_->get(), 0);
  if (count < 0 || static_cast<std::uint64_t>(count) > kMaxMembers) {
    return fail({.code = ErrorCode::kBadInput,
                 .message = format("the archive has {} members, more than the limit of {}", count,
                                   kMaxMembers),
                 .file = root_,
                 .hint = "unpack it, and name only the engine's files"});
  }
  for (std::uint64_t index = 0; index < static_cast<std::uint64_t>(count); ++index) {
    zip_stat_t info;
    library.stat_init(&info);
    if (library.stat_index(zip_->get(), index, 0, &info) != 0 ||
        (info.valid & ZIP_STAT_NAME) == 0) {
      leave_out(format("number {}", index), "its record is damaged");
      continue;
    }
    const std::string_view name = info.name;
    // Folders have no content, and macOS adds files of its own.
    if (name.ends_with('/') || name.starts_with("__MACOSX/")) continue;
    if (const std::string_view why = wrong_name(name); !why.empty()) {
      leave_out(name, why);
      continue;
    }
    zip_uint8_t system = 0;
    zip_uint32_t attributes = 0;
    library.file_get_external_attributes(zip_->get(), index, 0, &system, &attributes);
    // The upper half of a Unix member's attributes is its mode.
    constexpr zip_uint32_t kFileType = 0170000, kLink = 0120000;
    if (system == ZIP_OPSYS_UNIX && (attributes >> 16 & kFileType) == kLink) {
      leave_out(name, "it is a link");
      continue;
    }
    Member member{.index = index};
    if ((info.valid & ZIP_STAT_SIZE) != 0) member.size_bytes = info.size;
    // No member takes more space than the whole archive, whatever its record says.
    if ((info.valid & ZIP_STAT_COMP_SIZE) != 0) {
      member.packed_bytes = std::min<std::uint64_t>(info.comp_size, zip_->size_bytes());
    }
    member.is_encrypted =
        (info.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && info.encryption_method != ZIP_EM_NONE;
    if (member.is_encrypted) {
      member.why_not_read = "it is encrypted";
    } else if ((info.valid & ZIP_STAT_COMP_METHOD) != 0 &&
               library.compression_method_supported(info.comp_method, 0) == 0) {
      member.why_not_read = format("unknown compression method {}", info.comp_method);
    }
    const auto [place, is_new] =
        members_.insert_or_assign(base::join_path(root_, name), std::move(member));
    if (is_new) continue;
    remarks_.push_back(
        {.code = "archive-member-twice",
         .severity = model::Severity::kInfo,
         .message = format("the archive contains {} more than once; the last one was read",
                           base::quoted(name)),
         .file = root_});
  }
  return look_for_readable();
}

Result<void> ArchiveFiles::look_for_readable() {
  std::vector<model::DiagnosticFacts> unreadable;
  bool are_all_encrypted = true;
  for (const auto& [path, member] : members_) {
    if (member.why_not_read.empty()) continue;
    are_all_encrypted = are_all_encrypted && member.is_encrypted;
    const std::string_view name = std::string_view(path).substr(root_.size() + 1);
    unreadable.push_back({.code = "archive-member-not-read",
                          .message = format("the member {} can't be read: {}", base::quoted(name),
                                            member.why_not_read),
                          .file = root_});
  }
  if (!unreadable.empty() && unreadable.size() == members_.size()) {
    return fail({.code = ErrorCode::kUnsupported,
                 .message = are_all_encrypted ? "the archive is encrypted"
                                              : "no member of the archive can be read",
                 .file = root_,
                 .context = are_all_encrypted ? "" : unreadable.front().message,
                 .hint = "unpack it, and name the folder"});
  }
  std::ranges::move(unreadable, std::back_inserter(remarks_));
  return {};
}

PathKind ArchiveFiles::kind(const std::string& path) const {
  if (members_.contains(path)) return PathKind::kFile;
  if (path == root_) return PathKind::kFolder;
  const std::string prefix = path + "/";
  const auto next = members_.lower_bound(prefix);
  return next != members_.end() && next->first.starts_with(prefix) ? PathKind::kFolder
                                                                   : PathKind::kMissing;
}

Result<std::string> ArchiveFiles::unpack(const std::string& path, std::uint64_t limit) const {
  const auto found = members_.find(path);
  if (found == members_.end()) {
    return fail(
        {.code = ErrorCode::kNotFound, .message = "the archive has no such member", .file = path});
  }
  const Member& member = found->second;
  if (!member.why_not_read.empty()) {
    return fail({.code = ErrorCode::kUnsupported,
                 .message = format("the member can't be read: {}", member.why_not_read),
                 .file = path,
                 .hint = "unpack the archive, and name the folder"});
  }
  const auto broken = [&](std::string_view what, std::string_view library_text) {
    return fail({.code = ErrorCode::kBadInput,
                 .message = format("the member can't be unpacked: {}", what),
                 .file = path,
                 .byte_offset = 0,
                 .context = format("libzip says: {}", library_text),
                 .hint = "check all members with `unzip -t ARCHIVE`"});
  };
  const ZipLibrary& library = zip_->library();
  const MemberFile file(library.fopen_index(zip_->get(), member.index, 0), library.fclose);
  if (file == nullptr) return broken("it can't be opened", library.strerror(zip_->get()));
  std::string text;
  // The archive can declare any size; do not allocate more than can be there.
  constexpr std::uint64_t kMaxReserved = std::uint64_t{1} << 26;
  text.reserve(std::min({member.size_bytes, limit, kMaxReserved}) + base::Bytes::kPadding);
  constexpr std::size_t kStep = 64 * 1024;
  std::array<char, kStep> buffer;
  while (text.size() < limit) {
    const zip_int64_t count = library.fread(file.get(), buffer.data(),
                                            std::min<std::uint64_t>(kStep, limit - text.size()));
    if (count < 0) return broken("it is truncated or damaged", library.file_strerror(file.get()));
    if (count == 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
    if (const std::string why = too_much(member.packed_bytes, text.size()); !why.empty()) {
      return fail({.code = ErrorCode::kBadInput,
                   .message = format("the member is too large when unpacked: {}", why),
                   .file = path,
                   .byte_offset = 0,
                   .hint = "if that is intended, unpack the archive yourself"});
    }
  }
  return text;
}

Result<std::shared_ptr<const base::Bytes>> ArchiveFiles::read(const std::string& path,
                                                              base::Access) const {
  PLANEX_ASSIGN(std::string text, unpack(path, std::numeric_limits<std::size_t>::max()));
  return base::adopt_bytes(std::move(text));
}

Result<std::string> ArchiveFiles::read_head(const std::string& path, std::size_t limit) const {
  return unpack(path, limit);
}

Result<std::vector<base::FileEntry>> ArchiveFiles::list(const std::string& folder) const {
  std::vector<base::FileEntry> entries;
  for (const auto& [path, member] : members_) {
    if (base::folder_of(path) == folder) entries.push_back({path, member.size_bytes});
  }
  if (entries.empty() && kind(folder) != PathKind::kFolder) {
    return fail({.code = ErrorCode::kNotFound, .message = "no such folder", .file = folder});
  }
  return entries;
}

std::vector<std::string> ArchiveFiles::member_names() const {
  std::vector<std::string> names;
  for (const auto& [path, member] : members_) names.push_back(path.substr(root_.size() + 1));
  return names;
}

std::string ArchiveFiles::top_folder() const {
  std::string top = root_;
  if (members_.empty()) return top;
  // The names are sorted, so what the first and the last share, all share.
  while (true) {
    const std::string_view first = members_.begin()->first;
    const std::size_t slash = first.find('/', top.size() + 1);
    if (slash == first.npos) return top;
    const std::string_view step = first.substr(0, slash + 1);
    if (!members_.rbegin()->first.starts_with(step)) return top;
    top = first.substr(0, slash);
  }
}

std::string describe_archive(const std::string& path, const base::FileSource& source) {
  auto bytes = source.read(path);
  if (!bytes) return format("archive that can't be read: {}", bytes.error().message);
  const auto archive = ArchiveFiles::open(std::move(*bytes), path);
  if (!archive) return format("archive that can't be opened: {}", archive.error().message);
  // An unreadable list is reported when the archive is opened.
  const auto capsule = capsule_in(path, **archive);
  const bool is_capsule = capsule && *capsule;
  std::string text = format("{} with {}",
                            is_capsule ? format("capsule of {}", base::quoted((*capsule)->engine))
                                       : std::string("archive"),
                            base::counted((*archive)->member_count(), "file"));
  // Other programs also store data in zips: .npz, .pt.
  if (has_archive_name(path))
    text += format("; `planex summary {}` opens it", base::shell_word(path));
  return text;
}

Result<OpenedSource> open_source(const std::string& path, const base::FileSource& outer) {
  OpenedSource opened{.path = path};
  const std::string plain = without_trailing_slash(path);
  PLANEX_ASSIGN(const std::optional<std::string> root, archive_in(plain, outer));
  if (!root) return opened;
  PLANEX_ASSIGN(auto bytes, outer.read(*root));
  PLANEX_ASSIGN(std::shared_ptr<const ArchiveFiles> archive,
                ArchiveFiles::open(std::move(bytes), *root));
  opened.path = plain == *root ? archive->top_folder() : plain;
  opened.remarks = archive->remarks();
  if (root->ends_with(model::kCapsuleEnding)) {
    // A broken list is an error when the engine is read.
    const auto capsule = capsule_in(*root, *archive);
    if (capsule && !*capsule) {
      opened.remarks.push_back(
          {.code = "capsule-without-list",
           .message = format("the capsule has no {} that lists its files: they are matched by "
                             "name, and their integrity can't be checked",
                             model::kCapsuleList),
           .file = *root});
    }
  }
  opened.archive = *root;
  opened.source = std::make_shared<Overlay>(*root, std::move(archive), outer);
  return opened;
}

}  // namespace planex::ingest
