#include "arrays/npz.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "archive/zip_library.h"
#include "archive/zip_writer.h"
#include "arrays/npy.h"
#include "base/files.h"
#include "base/text.h"
#include "base/try.h"

namespace planex::arrays {
namespace {

using archive::ZipLibrary;
using base::format;

constexpr std::string_view kNpyEnding = ".npy";
// The same limits as src/ingest has for an engine's files: an archive must not fill the memory.
// Deflate reaches 1032:1 on zeros; tensors of a network stay far below.
constexpr std::uint64_t kMaxMembers = 10'000;
constexpr std::uint64_t kMaxUnpackedBytes = std::uint64_t{8} << 30;
constexpr std::uint64_t kMaxRatio = 128;
constexpr std::uint64_t kRatioCountsFromBytes = std::uint64_t{64} << 20;

class NpzReader {
 public:
  NpzReader(const ZipLibrary& library, const std::string& path) : zip_(library), path_(path) {
    zip_.error_init(&error_);
  }
  NpzReader(const NpzReader&) = delete;
  NpzReader& operator=(const NpzReader&) = delete;
  ~NpzReader() {
    if (archive_ != nullptr) zip_.discard(archive_);
    zip_.error_fini(&error_);
  }

  Result<SavedArrays> read(std::string_view bytes) {
    packed_bytes_ = bytes.size();
    zip_source_t* source = zip_.source_buffer_create(bytes.data(), bytes.size(), 0, &error_);
    if (source != nullptr) archive_ = zip_.open_from_source(source, ZIP_RDONLY, &error_);
    if (archive_ == nullptr) {
      if (source != nullptr) zip_.source_free(source);
      return wrong(path_, "incomplete zip archive: its list of members can't be read",
                   zip_.error_strerror(&error_));
    }
    const zip_int64_t count = zip_.get_num_entries(archive_, 0);
    if (count < 0 || static_cast<std::uint64_t>(count) > kMaxMembers) {
      return wrong(path_, format("the archive has {} members, more than the {} that are read",
                                 count, kMaxMembers));
    }
    SavedArrays saved{.format = ArraysFormat::kNpz, .runs = {}, .remarks = {}};
    Iteration arrays;
    for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(count); ++i) {
      zip_stat_t info;
      zip_.stat_init(&info);
      constexpr std::uint64_t kNeeded = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE;
      if (zip_.stat_index(archive_, i, 0, &info) != 0 || (info.valid & kNeeded) != kNeeded) {
        return wrong(path_, format("entry {} of the archive's list is incomplete", i));
      }
      const std::string name = info.name;
      if (!name.ends_with(kNpyEnding)) {
        saved.remarks.push_back(format("the member {} of {} is not an .npy and was not read",
                                       base::quoted(name), path_));
        continue;
      }
      const std::string member = base::join_path(path_, name);
      PLANEX_ASSIGN(std::string text, unpack(i, info, member));
      PLANEX_ASSIGN(Array array, adopt_npy(std::move(text), member));
      arrays.arrays.push_back({name.substr(0, name.size() - kNpyEnding.size()), std::move(array)});
    }
    if (arrays.arrays.empty()) {
      return wrong(path_, "a zip archive without arrays: no member is named NAME.npy");
    }
    saved.runs.push_back({.runner = {}, .iterations = {}});
    saved.runs.front().iterations.push_back(std::move(arrays));
    return saved;
  }

 private:
  static Failure wrong(const std::string& file, std::string message, std::string context = {}) {
    return fail({.code = ErrorCode::kBadInput,
                 .message = std::move(message),
                 .file = file,
                 .context = context.empty() ? "" : format("libzip says: {}", context)});
  }

  Result<std::string> unpack(std::uint64_t index, const zip_stat_t& info,
                             const std::string& member) {
    if ((info.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && info.encryption_method != ZIP_EM_NONE) {
      return fail({.code = ErrorCode::kUnsupported,
                   .message = "the array is encrypted",
                   .file = member,
                   .hint = "save it without a password"});
    }
    unpacked_bytes_ += std::min(info.size, kMaxUnpackedBytes + 1);
    const bool is_too_dense =
        unpacked_bytes_ > kRatioCountsFromBytes && unpacked_bytes_ / kMaxRatio > packed_bytes_;
    if (unpacked_bytes_ > kMaxUnpackedBytes || is_too_dense) {
      return fail({.code = ErrorCode::kBadInput,
                   .message = format("the arrays unpack to too much: at least {} bytes from {}",
                                     unpacked_bytes_, packed_bytes_),
                   .file = member,
                   .hint = "if that is intended, unpack the archive and name the folder"});
    }
    const std::unique_ptr<zip_file_t, decltype(zip_.fclose)> file(
        zip_.fopen_index(archive_, index, 0), zip_.fclose);
    if (file == nullptr) {
      return wrong(member, "the array can't be unpacked", zip_.strerror(archive_));
    }
    // The list can state any size; memory is not requested for bytes that are not there.
    constexpr std::uint64_t kMaxReserved = std::uint64_t{1} << 26;
    std::string text;
    text.reserve(std::min<std::uint64_t>(info.size, kMaxReserved));
    constexpr std::size_t kStep = std::size_t{1} << 20;
    while (text.size() < info.size) {
      const std::size_t before = text.size();
      const std::size_t step = std::min<std::uint64_t>(kStep, info.size - before);
      zip_int64_t count = 0;
      text.resize_and_overwrite(before + step, [&](char* data, std::size_t) {
        count = zip_.fread(file.get(), data + before, step);
        return before + static_cast<std::size_t>(std::max<zip_int64_t>(count, 0));
      });
      if (count < 0) {
        return wrong(member, "the array can't be unpacked: it is cut short or damaged",
                     zip_.file_strerror(file.get()));
      }
      if (count == 0) break;
    }
    // Only what follows the last byte makes libzip compare the checksum.
    char more = 0;
    const zip_int64_t rest = zip_.fread(file.get(), &more, 1);
    if (rest != 0 || text.size() != info.size) {
      return wrong(member, "the array can't be unpacked: it is cut short or damaged",
                   rest < 0 ? zip_.file_strerror(file.get()) : "");
    }
    return text;
  }

  const ZipLibrary& zip_;
  const std::string& path_;
  zip_error_t error_{};
  zip_t* archive_ = nullptr;
  std::uint64_t packed_bytes_ = 0, unpacked_bytes_ = 0;
};

}  // namespace

bool is_zip(std::string_view head) {
  // An archive without members consists only of the end of its list.
  return head.starts_with("PK\x03\x04") || head.starts_with("PK\x05\x06");
}

Result<SavedArrays> read_npz(std::string_view bytes, const std::string& path) {
  if (!is_zip(bytes)) {
    return fail({.code = ErrorCode::kBadInput,
                 .message = format("not an .npz: begins with {}, expected a zip archive",
                                   base::quoted(bytes.substr(0, 4))),
                 .file = path,
                 .byte_offset = 0});
  }
  PLANEX_ASSIGN(const ZipLibrary* library, archive::zip_library(path));
  return NpzReader(*library, path).read(bytes);
}

Result<std::string> npz_text(std::span<const NamedArray> arrays, const std::string& path) {
  std::vector<archive::ZipMember> members;
  for (const NamedArray& array : arrays) {
    members.push_back(
        {array.name + std::string(kNpyEnding), base::adopt_bytes(npy_text(array.array))});
  }
  return archive::zip_text(members, path, archive::Packing::kStored);
}

Result<void> write_npz(std::span<const NpyFile> arrays, const std::string& path) {
  std::vector<archive::ZipMember> members;
  for (const NpyFile& array : arrays) {
    PLANEX_ASSIGN(auto bytes, base::disk().read(array.path, base::Access::kSparse));
    members.push_back({array.name + std::string(kNpyEnding), std::move(bytes)});
  }
  return archive::write_zip(members, path, archive::Packing::kStored);
}

}  // namespace planex::arrays
