#include "cli/standard_input.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "base/text.h"
#include "base/try.h"

namespace planex::cli {
namespace {

constexpr const char* kExample = "`planex - < FILE`, or `trtexec … 2>&1 | planex -`";

// Does not own the disk.
std::shared_ptr<const base::FileSource> the_disk() {
  return {std::shared_ptr<const base::FileSource>(), &base::disk()};
}

// The disk, and one more file.
class WithStandardInput final : public base::FileSource {
 public:
  explicit WithStandardInput(std::string text) : bytes_(base::adopt_bytes(std::move(text))) {}

  base::PathKind kind(const std::string& path) const override {
    // A stream, so that no files are searched for beside it.
    return path == kStandardInput ? base::PathKind::kOther : base::disk().kind(path);
  }
  Result<std::shared_ptr<const base::Bytes>> read(const std::string& path,
                                                  base::Access access) const override {
    if (path == kStandardInput) return bytes_;
    return base::disk().read(path, access);
  }
  Result<std::string> read_head(const std::string& path, std::size_t limit) const override {
    if (path == kStandardInput) return std::string(bytes_->view().substr(0, limit));
    return base::disk().read_head(path, limit);
  }
  Result<std::vector<base::FileEntry>> list(const std::string& folder) const override {
    return base::disk().list(folder);
  }
  Result<std::vector<std::string>> list_folders(const std::string& folder) const override {
    return base::disk().list_folders(folder);
  }

 private:
  std::shared_ptr<const base::Bytes> bytes_;
};

Failure input_failure(ErrorCode code, std::string message) {
  return fail({.code = code,
               .message = std::move(message),
               .file = std::string(kStandardInput),
               .hint = kExample});
}

Result<std::string> read_all() {
  if (::isatty(STDIN_FILENO) != 0) {
    return input_failure(ErrorCode::kUsage, "is a terminal: nothing is piped into planex");
  }
  std::string text;
  constexpr std::size_t kStep = std::size_t{256} * 1024;
  while (true) {
    const std::size_t size = text.size();
    text.resize(size + kStep);
    const ssize_t count = ::read(STDIN_FILENO, text.data() + size, kStep);
    if (count < 0 && errno == EINTR) {
      text.resize(size);
      continue;
    }
    if (count < 0) {
      return input_failure(ErrorCode::kIo, base::format("can't be read: {}", std::strerror(errno)));
    }
    text.resize(size + static_cast<std::size_t>(count));
    if (count == 0) break;
    if (text.size() > base::kMaxStreamBytes) {
      return input_failure(
          ErrorCode::kBadInput,
          base::format("has more than {} GiB; a file can be larger", base::kMaxStreamBytes >> 30));
    }
  }
  if (base::trimmed(text).empty()) {
    return input_failure(ErrorCode::kBadInput, "is empty: nothing was piped into planex");
  }
  return text;
}

}  // namespace

Result<std::shared_ptr<const base::FileSource>> files_of(std::span<OpenRequest> requests) {
  std::size_t count = 0;
  const auto take = [&](std::string& path) {
    if (path != kStandardInputWord) return;
    path = kStandardInput;
    ++count;
  };
  for (OpenRequest& request : requests) {
    take(request.path);
    for (auto* file : {&request.graph, &request.profile, &request.times, &request.metadata,
                       &request.log, &request.nsight, &request.source_model, &request.accuracy}) {
      if (*file) take(**file);
    }
  }
  if (count == 0) return the_disk();
  if (count > 1) {
    return fail(ErrorCode::kUsage, "standard input can be read only once, but `-` is given twice",
                "save one of them to a file");
  }
  PLANEX_ASSIGN(std::string text, read_all());
  return std::make_shared<const WithStandardInput>(std::move(text));
}

}  // namespace planex::cli
