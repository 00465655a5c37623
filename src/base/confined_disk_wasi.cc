// A WebAssembly host only provides what its user named: there is nothing to confine.
#include "base/confined_disk.h"

namespace planex::base {

Result<std::unique_ptr<FileSource>> confined_disk(const std::vector<std::string>&) {
  return fail(ErrorCode::kUnsupported, "folders can't be confined in WebAssembly");
}

}  // namespace planex::base
