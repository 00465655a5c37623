// Makes capsules: see planex/archive.h.
#pragma once

#include <string>

#include "base/files.h"
#include "model/capsule.h"
#include "planex/archive.h"

namespace planex::session {

struct MadeCapsule {
  std::string bytes;
  model::ArchiveReport report;
};

// The capsule for the engine in `files`, not written yet.
Result<MadeCapsule> make_capsule(const ArchiveRequest& request, const base::FileSource& files);

}  // namespace planex::session
