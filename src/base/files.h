// Files in and out, behind a small interface, so that the core can also run where there is no file
// system (a web page, another language's process).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planex/error.h"

namespace planex::base {

// The content of one file. At least kPadding readable zero bytes follow it, as the JSON parser
// reads in whole vectors.
class Bytes {
 public:
  static constexpr std::size_t kPadding = 64;

  virtual ~Bytes() = default;
  virtual std::string_view view() const = 0;
  // Whether these are still the bytes of the opened file: a mapped file may have been truncated or
  // rewritten since, and what is then read belongs to no single file.
  virtual bool is_intact() const { return true; }
};

// For bytes that are not intact: kIo.
Error changed_error(const std::string& path);

// A copy of `text` in memory, padded.
std::shared_ptr<const Bytes> make_bytes(std::string_view text);
// The same without the copy.
std::shared_ptr<const Bytes> adopt_bytes(std::string text);

struct FileEntry {
  std::string path;
  std::uint64_t size_bytes = 0;
  // Since 1970 (UTC); only where the source records it (confined_disk.h).
  std::optional<std::int64_t> modified_ns = {};
};

enum class PathKind : std::uint8_t { kMissing, kFile, kFolder, kOther };

// How much of a file its reader will read: all of it, or the little between large pieces it skips
// (weights of a model), so that the rest need not be fetched.
enum class Access : std::uint8_t { kWhole, kSparse };

// Where files come from. Paths are UTF-8 with `/`.
class FileSource {
 public:
  virtual ~FileSource() = default;
  virtual PathKind kind(const std::string& path) const = 0;
  // Errors: kNotFound, kIo; file is set.
  virtual Result<std::shared_ptr<const Bytes>> read(const std::string& path,
                                                    Access access = Access::kWhole) const = 0;
  // The first `limit` bytes, or fewer where the file is shorter: to recognize a file without
  // reading all of it. Errors: as read().
  virtual Result<std::string> read_head(const std::string& path, std::size_t limit) const = 0;
  // The regular files directly in a folder, sorted by path. Errors: kNotFound.
  virtual Result<std::vector<FileEntry>> list(const std::string& folder) const = 0;
  // The folders directly in a folder, sorted; links to folders are left out, so that descending
  // ends. A source without subfolders has none. Errors: kNotFound.
  virtual Result<std::vector<std::string>> list_folders(const std::string& folder) const;
};

// A stream has no size, and may never end.
inline constexpr std::uint64_t kMaxStreamBytes = std::uint64_t{1} << 30;

// The machine's own file system. Large files are memory-mapped. Devices are refused, as are streams
// longer than kMaxStreamBytes.
const FileSource& disk();
// The same for a long-lived process that others own, such as a notebook's: files that are read
// whole are copied, so rewriting a file neither changes what was opened nor ends the process.
const FileSource& copying_disk();

// Whether both paths lead to the same existing file.
bool is_same_file(const std::string& path, const std::string& other);

// For programs, once, before any file is read: a mapped file that was truncated no longer ends the
// process (SIGBUS). The missing part reads as zeros, its Bytes are no longer intact, and
// has_a_file_changed() returns true from then on.
void survive_shortened_files();
bool has_a_file_changed();

// Files in memory, for tests and for hosts without a file system.
class MemoryFiles final : public FileSource {
 public:
  void add(std::string path, std::string_view content);
  void add(std::string path, std::shared_ptr<const Bytes> bytes);
  PathKind kind(const std::string& path) const override;
  Result<std::shared_ptr<const Bytes>> read(const std::string& path,
                                            Access access = Access::kWhole) const override;
  Result<std::string> read_head(const std::string& path, std::size_t limit) const override;
  Result<std::vector<FileEntry>> list(const std::string& folder) const override;
  Result<std::vector<std::string>> list_folders(const std::string& folder) const override;

 private:
  std::map<std::string, std::shared_ptr<const Bytes>> files_;
};

// Writes a file piece by piece under a temporary name beside `path`, which finish() renames: a
// reader sees the old file or the new one, never half. Without finish(), nothing is left behind.
// Links are followed, and a replaced file keeps its permissions.
class FileWriter {
 public:
  // Errors: kIo; file is set.
  static Result<FileWriter> create(const std::string& path);
  FileWriter(FileWriter&&) noexcept;
  FileWriter& operator=(FileWriter&&) = delete;
  ~FileWriter();

  // Errors: kIo; file is set.
  Result<void> write(std::string_view piece);
  Result<void> finish();
  // All of them or, if one can't be completed, none; no signal interrupts it.
  static Result<void> finish_all(std::vector<FileWriter>& files);

 private:
  class State;
  class Temporary;
  explicit FileWriter(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

// Removes the temporary files of all FileWriters: for a handler of signals that end the program.
void remove_temporary_files();

// The same for content in memory. Errors: kIo; file is set.
Result<void> write_file_atomically(const std::string& path, std::string_view content);

// "dir/name.ext" -> "dir", "name.ext".
std::string_view folder_of(std::string_view path);
std::string_view file_name_of(std::string_view path);
std::string join_path(std::string_view folder, std::string_view name);

}  // namespace planex::base
