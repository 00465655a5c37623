// Reads capsules (model/capsule.h): the list of one, and what its members are against it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/files.h"
#include "model/capsule.h"
#include "planex/error.h"

namespace planex::ingest {

// A list as it stands in the file at `path`. Errors: kBadInput (not JSON, no list of this version,
// a value of another type, two files of one name), with pointer and offset.
Result<model::Capsule> read_capsule_list(std::shared_ptr<const base::Bytes> bytes,
                                         const std::string& path);

// The list of the archive whose members are below `folder` in `source`. Nothing where it is no
// capsule: where it has no member of the list's name, or one of another kind. Errors: those of
// read_capsule_list.
Result<std::optional<model::Capsule>> capsule_in(const std::string& folder,
                                                 const base::FileSource& source);

// What is wrong with a member whose content is `bytes`: kBadInput with what was expected and what
// was found. `path` is its own.
Result<void> check_member(const model::CapsuleFile& file, std::string_view bytes,
                          const std::string& path);

// Every member of the capsule at `path` against its list, and members that the list does not have.
// The list itself has no hash in it: who changes both leaves no trace here, but in the hash of the
// whole. Errors: kNotFound, those of the archive (cut, damaged, too many members) and of its list;
// kBadInput where there is none.
Result<model::CapsuleCheck> check_capsule(const std::string& path, const base::FileSource& source);

}  // namespace planex::ingest
