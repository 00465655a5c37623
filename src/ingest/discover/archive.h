// Zip archives as folders: TREx's TEA files, and any zip of an engine's files.
//
// Nothing is unpacked to disk; a member is unpacked into memory when it is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "model/builder.h"
#include "planex/error.h"

namespace planex::ingest {

// An archive with more members than this is not one engine's files.
inline constexpr std::uint64_t kMaxMembers = 10'000;
inline constexpr std::size_t kLongestMemberName = 1024;
// How large a member can be when unpacked: kMaxFileBytes and its neighbours in decode.h.

bool is_archive(std::string_view head);

// Why a member of this name can't be a file below the archive; empty if it can.
std::string_view wrong_name(std::string_view name);

// The members of an archive below `root`, the archive's own path: `run.tea/build.txt`. Members that
// would be elsewhere (`..`, absolute names, links) are skipped and reported in remarks(); if
// several members have the same name, the last one counts.
class ArchiveFiles final : public base::FileSource {
 public:
  // Errors: kBadInput (not a zip, truncated, damaged, too many members), kUnsupported (all of it
  // encrypted, or compressed with unknown methods; no libzip); file is `root`.
  static Result<std::shared_ptr<const ArchiveFiles>> open(std::shared_ptr<const base::Bytes> bytes,
                                                          const std::string& root);
  ArchiveFiles(const ArchiveFiles&) = delete;
  ArchiveFiles& operator=(const ArchiveFiles&) = delete;
  ~ArchiveFiles() override;

  base::PathKind kind(const std::string& path) const override;
  // Additional error: kBadInput (a member that is truncated, damaged, or too large when unpacked).
  Result<std::shared_ptr<const base::Bytes>> read(
      const std::string& path, base::Access access = base::Access::kWhole) const override;
  Result<std::string> read_head(const std::string& path, std::size_t limit) const override;
  Result<std::vector<base::FileEntry>> list(const std::string& folder) const override;

  std::size_t member_count() const { return members_.size(); }
  // Below the root, sorted.
  std::vector<std::string> member_names() const;
  // The folder that contains everything, if it is the only one at the top; otherwise the root.
  std::string top_folder() const;
  // Anything unexpected: codes `archive-member-left-out`, `archive-member-not-read` and
  // `archive-member-twice`.
  const std::vector<model::DiagnosticFacts>& remarks() const { return remarks_; }

 private:
  struct Member {
    std::uint64_t index = 0;
    std::uint64_t size_bytes = 0;
    std::uint64_t packed_bytes = 0;
    std::string why_not_read;  // empty: it can be read
    bool is_encrypted = false;
  };
  class Zip;

  ArchiveFiles(std::string root, std::unique_ptr<Zip> zip);
  Result<void> read_directory();
  Result<void> look_for_readable();
  void leave_out(std::string_view name, std::string_view why);
  Result<std::string> unpack(const std::string& path, std::uint64_t limit) const;

  std::string root_;
  std::unique_ptr<Zip> zip_;
  std::map<std::string, Member> members_;  // by full path
  std::vector<model::DiagnosticFacts> remarks_;
};

// Describes the archive at `path` for people: how many files it has, how to open it, or why it
// can't be opened.
std::string describe_archive(const std::string& path, const base::FileSource& source);

// Resolves a path, seeing archives as folders.
struct OpenedSource {
  // The archive's own path; empty if the path does not go through one.
  std::string archive;
  // Null if the path does not go through an archive: the files are those of the caller's source.
  std::shared_ptr<const base::FileSource> source;
  // The path, or the only folder of an archive, if that contains everything.
  std::string path;
  std::vector<model::DiagnosticFacts> remarks;
};

// `path` can be an archive or be inside one (`run.tea/build.txt`). The returned source also has all
// files of `outer`, which must outlive it.
// Errors: those of ArchiveFiles::open and of reading the archive.
Result<OpenedSource> open_source(const std::string& path, const base::FileSource& outer);

}  // namespace planex::ingest
