#include "archive/zip_writer.h"

#include <cstdint>
#include <memory>

#include "archive/zip_library.h"
#include "base/text.h"
#include "base/try.h"

namespace planex::archive {
namespace {

// zlib's default level: 9 takes several times as long for a hundredth less.
constexpr std::uint32_t kDeflateLevel = 6;
// 1 January 1980, midnight: the earliest date that a zip can represent.
constexpr std::uint16_t kFirstDate = 1U << 5U | 1U, kMidnight = 0;
constexpr std::uint32_t kPlainFile = 0100644U << 16U;

class ZipWriter {
 public:
  ZipWriter(const ZipLibrary& library, const std::string& path, Packing packing)
      : zip_(library), path_(path), packing_(packing) {
    zip_.error_init(&error_);
  }
  ZipWriter(const ZipWriter&) = delete;
  ZipWriter& operator=(const ZipWriter&) = delete;
  ~ZipWriter() {
    if (archive_ != nullptr) zip_.discard(archive_);
    if (target_ != nullptr) zip_.source_free(target_);
    zip_.error_fini(&error_);
  }

  Result<std::string> write(std::span<const ZipMember> members) {
    target_ = zip_.source_buffer_create(nullptr, 0, 0, &error_);
    if (target_ == nullptr) return failed(zip_.error_strerror(&error_));
    // The archive takes ownership of one of the two.
    zip_.source_keep(target_);
    archive_ = zip_.open_from_source(target_, ZIP_CREATE | ZIP_TRUNCATE, &error_);
    if (archive_ == nullptr) {
      zip_.source_free(target_);
      return failed(zip_.error_strerror(&error_));
    }
    for (const ZipMember& member : members) PLANEX_TRY(add(member));
    if (zip_.close(archive_) != 0) return failed(zip_.strerror(archive_));
    archive_ = nullptr;
    return content();
  }

  Result<void> write_file(std::span<const ZipMember> members) {
    int code = 0;
    archive_ = zip_.open(path_.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
    if (archive_ == nullptr) {
      return fail(
          {.code = ErrorCode::kIo, .message = "can't be created as an archive", .file = path_});
    }
    for (const ZipMember& member : members) PLANEX_TRY(add(member));
    if (zip_.close(archive_) != 0) {
      return fail(
          {.code = ErrorCode::kIo,
           .message = base::format("the archive can't be written: {}", zip_.strerror(archive_)),
           .file = path_});
    }
    archive_ = nullptr;
    return {};
  }

 private:
  Failure failed(std::string_view why) const {
    return fail({.code = ErrorCode::kInternal,
                 .message = base::format("the archive can't be created: {}", why),
                 .file = path_});
  }

  Result<void> add(const ZipMember& member) {
    const std::string_view view = member.bytes->view();
    zip_source_t* source = zip_.source_buffer_create(view.data(), view.size(), 0, &error_);
    if (source == nullptr) return failed(zip_.error_strerror(&error_));
    const zip_int64_t index =
        zip_.file_add(archive_, member.name.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
      zip_.source_free(source);
      return failed(zip_.strerror(archive_));
    }
    const auto at = static_cast<zip_uint64_t>(index);
    const bool is_stored = packing_ == Packing::kStored;
    const bool is_set =
        zip_.set_file_compression(archive_, at, is_stored ? ZIP_CM_STORE : ZIP_CM_DEFLATE,
                                  is_stored ? 0 : kDeflateLevel) == 0 &&
        zip_.file_set_dostime(archive_, at, kMidnight, kFirstDate, 0) == 0 &&
        zip_.file_set_external_attributes(archive_, at, 0, ZIP_OPSYS_UNIX, kPlainFile) == 0;
    if (!is_set) return failed(zip_.strerror(archive_));
    return {};
  }

  Result<std::string> content() {
    zip_stat_t info;
    zip_.stat_init(&info);
    if (zip_.source_stat(target_, &info) != 0 || (info.valid & ZIP_STAT_SIZE) == 0 ||
        zip_.source_open(target_) != 0) {
      return failed("what was written can't be read");
    }
    std::string text(info.size, '\0');
    const zip_int64_t count = zip_.source_read(target_, text.data(), text.size());
    zip_.source_close(target_);
    if (count < 0 || static_cast<std::uint64_t>(count) != text.size()) {
      return failed("what was written can't be read");
    }
    return text;
  }

  const ZipLibrary& zip_;
  const std::string& path_;
  Packing packing_;
  zip_error_t error_{};
  zip_source_t* target_ = nullptr;
  zip_t* archive_ = nullptr;
};

}  // namespace

Result<std::string> zip_text(std::span<const ZipMember> members, const std::string& path,
                             Packing packing) {
  PLANEX_ASSIGN(const ZipLibrary* library, zip_library(path));
  return ZipWriter(*library, path, packing).write(members);
}

Result<void> write_zip(std::span<const ZipMember> members, const std::string& path,
                       Packing packing) {
  PLANEX_ASSIGN(const ZipLibrary* library, zip_library(path));
  return ZipWriter(*library, path, packing).write_file(members);
}

}  // namespace planex::archive
