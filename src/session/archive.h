// Makes capsules: see planex/archive.h.
#ifndef PLANEX_SESSION_ARCHIVE_H_
#define PLANEX_SESSION_ARCHIVE_H_

#include <string>

#include "base/files.h"
#include "model/capsule.h"
#include "planex/archive.h"

namespace planex::session {

struct MadeCapsule {
  std::string bytes;
  model::ArchiveReport report;
};

// The capsule of the engine in `files`, not written yet.
Result<MadeCapsule> make_capsule(const ArchiveRequest& request, const base::FileSource& files);

}  // namespace planex::session

#endif  // PLANEX_SESSION_ARCHIVE_H_
