// A capsule: all files of a run in one archive, with a list that describes each.
//
// The archive is a zip. Its member kCapsuleList is the list, a document of planex.capsule/1
// (docs/reference/capsule.md); the others are the files, unchanged. ingest/capsule.h reads the
// list, session/archive.h writes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace planex::model {

inline constexpr std::string_view kCapsuleList = "capsule.json";
inline constexpr std::string_view kCapsuleEnding = ".planex";

struct CapsuleFile {
  std::string name;  // of the member
  // Id of the reader that reads it: files.kind. Of others that no reader takes: "record" of a
  // search, "script", "weights".
  std::string kind;
  // Why it belongs to the engine: files.evidence.
  std::string evidence;
  // The engine is read from it, and the others are joined to it.
  bool is_engine = false;
  // The user named it, so it takes precedence over what a plan contains.
  bool is_named = false;
  // A log that only records how the engine was built.
  bool is_build_only = false;
  // A model that was added without its weights.
  bool is_without_weights = false;
  std::uint64_t size_bytes = 0;
  std::string sha256;  // 64 hexadecimal digits
};

struct Capsule {
  std::string engine;
  // The user gave the name, so it takes precedence over one from a file.
  bool is_name_given = false;
  std::optional<std::int64_t> profile_index, run;
  // Names are replaced by hashes.
  bool is_redacted = false;
  std::vector<CapsuleFile> files;  // in the order in which they are read
  // Of a search (planex optimize): what belongs to it and not to the engine. The members have the
  // places that they have in its folder, and the model that was optimized is below kOriginalFolder.
  std::vector<CapsuleFile> others;
};

// Where a capsule of a search has the model as it was.
inline constexpr std::string_view kOriginalFolder = "original";

// A capsule after it was written.
struct ArchiveReport {
  std::string path;
  std::uint64_t size_bytes = 0;
  std::string sha256;
  Capsule capsule;
  // What is not in it, or was changed.
  std::vector<std::string> notes;
};

// Result for one member.
enum class MemberState : std::uint8_t { kIntact, kAltered, kMissing, kDamaged, kNotListed };

std::string_view to_string(MemberState state);

struct CheckedMember {
  std::string name;
  MemberState state = MemberState::kIntact;
  // Null where it is not listed, or missing.
  std::optional<std::uint64_t> expected_bytes, found_bytes;
  std::string expected_sha256, found_sha256;
  // Why it can't be unpacked.
  std::string why;
};

// Verification of a capsule against its list.
struct CapsuleCheck {
  std::string path;
  std::uint64_t size_bytes = 0;
  std::string sha256;
  std::string engine;
  bool is_redacted = false;
  std::vector<CheckedMember> members;

  bool is_intact() const;
};

}  // namespace planex::model
