// What planex's own parts do with a session beside what programs of others can: files from
// elsewhere than the disk, reports of a sweep's cells.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/files.h"
#include "planex/archive.h"
#include "planex/session.h"

namespace planex::analyze {
struct Sweep;
}

namespace planex::session {

struct Internals {
  // One source for each request, which outlives the session.
  static Result<Session> open(std::span<const OpenRequest> requests,
                              std::span<const base::FileSource* const> files);
  // Of engines that are cells of a sweep.
  static Result<std::string> report(const Session& session, const ReportRequest& request,
                                    const analyze::Sweep* sweep);
};

// As their namesakes in the public headers.
Result<DoctorResult> doctor(const OpenRequest& request, const View& view,
                            std::string_view program_dir, const base::FileSource& files);
Result<ListResult> list_engines(const ListRequest& request, const View& view,
                                const base::FileSource& files);
Result<std::string> archive_engine(const ArchiveRequest& request, const View& view,
                                   const base::FileSource& files);

}  // namespace planex::session
