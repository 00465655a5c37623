#include "ingest/discover/stream_file.h"

#include <utility>
#include <vector>

#include "base/try.h"

namespace planex::ingest {
namespace {

class StreamFile final : public base::FileSource {
 public:
  StreamFile(std::string path, std::shared_ptr<const base::Bytes> bytes,
             const base::FileSource& outer)
      : path_(std::move(path)), bytes_(std::move(bytes)), outer_(outer) {}

  base::PathKind kind(const std::string& path) const override {
    return path == path_ ? base::PathKind::kFile : outer_.kind(path);
  }
  Result<std::shared_ptr<const base::Bytes>> read(const std::string& path,
                                                  base::Access access) const override {
    if (path == path_) return bytes_;
    return outer_.read(path, access);
  }
  Result<std::string> read_head(const std::string& path, std::size_t limit) const override {
    if (path == path_) return std::string(bytes_->view().substr(0, limit));
    return outer_.read_head(path, limit);
  }
  Result<std::vector<base::FileEntry>> list(const std::string& folder) const override {
    if (folder == base::folder_of(path_)) {
      return std::vector<base::FileEntry>{{path_, bytes_->view().size()}};
    }
    return outer_.list(folder);
  }

 private:
  std::string path_;
  std::shared_ptr<const base::Bytes> bytes_;
  const base::FileSource& outer_;
};

}  // namespace

Result<std::shared_ptr<const base::FileSource>> read_stream(const std::string& path,
                                                            const base::FileSource& outer) {
  PLANEX_ASSIGN(auto bytes, outer.read(path));
  if (bytes->view().empty()) {
    return fail({.code = ErrorCode::kBadInput,
                 .message = "is empty: the stream had no data",
                 .file = path,
                 .hint = "`trtexec … 2>&1 | planex -` reads what the program prints"});
  }
  return std::make_shared<const StreamFile>(path, std::move(bytes), outer);
}

}  // namespace planex::ingest
