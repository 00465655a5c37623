// Files that a WebAssembly host keeps in memory. No other program reads them, and there are no
// signals: they are written under their own names.
#include <fcntl.h>
#include <unistd.h>

#include <memory>
#include <utility>

#include "base/files.h"
#include "base/no_room.h"
#include "base/posix_file.h"
#include "base/try.h"

namespace planex::base {

class FileWriter::State {
 public:
  State(std::string path, FileDescriptor file) : path_(std::move(path)), file_(std::move(file)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  // Without finish(), nothing is left behind.
  ~State() {
    if (file_.is_open()) ::unlink(path_.c_str());
  }

  Result<void> write(std::string_view piece) {
    while (!piece.empty()) {
      const ssize_t count = ::write(file_.get(), piece.data(), piece.size());
      if (count < 0) return fail(errno_error(ErrorCode::kIo, "can't write the file", path_));
      piece.remove_prefix(static_cast<std::size_t>(count));
    }
    return {};
  }

  Result<void> close() {
    if (::close(file_.release()) == 0) return {};
    return fail(errno_error(ErrorCode::kIo, "can't finish writing the file", path_));
  }

 private:
  std::string path_;
  FileDescriptor file_;
};

FileWriter::FileWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
FileWriter::FileWriter(FileWriter&&) noexcept = default;
FileWriter::~FileWriter() = default;

Result<FileWriter> FileWriter::create(const std::string& path) {
  FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666));
  if (!file.is_open()) return fail(errno_error(ErrorCode::kIo, "can't write the file", path));
  return FileWriter(std::make_unique<State>(path, std::move(file)));
}

Result<void> FileWriter::write(std::string_view piece) { return state_->write(piece); }

Result<void> FileWriter::finish() { return state_->close(); }

Result<void> FileWriter::finish_all(std::vector<FileWriter>& files) {
  for (FileWriter& file : files) PLANEX_TRY(file.finish());
  return {};
}

void remove_temporary_files() {}

std::string hint_on_room(int /*error_number*/) { return {}; }

Result<void> write_file_atomically(const std::string& path, std::string_view content) {
  PLANEX_ASSIGN(FileWriter writer, FileWriter::create(path));
  PLANEX_TRY(writer.write(content));
  return writer.finish();
}

}  // namespace planex::base
