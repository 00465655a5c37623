// Reads capsules (model/capsule.h): their file list, and whether the members match it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "ingest/discover/discover.h"
#include "model/capsule.h"
#include "planex/error.h"

namespace planex::ingest {

// The list in the file at `path`. Errors: kBadInput (not JSON, not a list of this version, a value
// of the wrong type, two files of one name), with pointer and offset.
Result<model::Capsule> read_capsule_list(std::shared_ptr<const base::Bytes> bytes,
                                         const std::string& path);

// The list of the archive whose members are below `folder` in `source`. Nothing if it is not a
// capsule: it has no member with the list's name, or that member is something else. Errors: those
// of read_capsule_list.
Result<std::optional<model::Capsule>> capsule_in(const std::string& folder,
                                                 const base::FileSource& source);

// The member of that name, or null: it is not listed.
const model::CapsuleFile* listed_member(const model::Capsule& capsule, std::string_view name);

// Of files that were found in the archive: those that a capsule lists are to be as they were
// packed. A folder in a capsule, such as an engine of a search, is opened by what is found in it.
// Errors: those of capsule_in.
Result<void> expect_listed(const std::string& archive, const base::FileSource& source,
                           std::vector<FoundFile>& files);

// What is wrong with a member whose content is `bytes`: kBadInput with the expected and the actual
// values. `path` is the member's own.
Result<void> check_member(const model::CapsuleFile& file, std::string_view bytes,
                          const std::string& path);

// Checks every member of the capsule at `path` against its list, and finds members that are not
// listed. The list does not contain its own hash: someone who changes both can only be detected by
// the hash of the whole file. Errors: kNotFound, those of the archive (truncated, damaged, too many
// members) and of its list; kBadInput if there is no list.
Result<model::CapsuleCheck> check_capsule(const std::string& path, const base::FileSource& source);

}  // namespace planex::ingest
