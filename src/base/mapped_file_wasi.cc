// WebAssembly does not map files: they are copied.
#include "base/posix_file.h"

namespace planex::base {

void survive_shortened_files() {}

bool has_a_file_changed() { return false; }

std::shared_ptr<const Bytes> map_file(int, const struct stat&, Access) { return nullptr; }

}  // namespace planex::base
