#include "ingest/discover/capsule.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/sha256.h"
#include "base/text.h"
#include "base/try.h"
#include "ingest/discover/archive.h"
#include "ingest/json_record.h"

namespace planex::ingest {
namespace {

namespace ondemand = simdjson::ondemand;
using base::format;
using model::Capsule;
using model::CapsuleCheck;
using model::CapsuleFile;
using model::CheckedMember;
using model::MemberState;

constexpr Schema kListSchema = {.name = "planex.capsule",
                                .version = 1,
                                .what = "the file list of a capsule",
                                .hint = "`planex archive PLAN -o run.planex` makes a capsule"};
constexpr std::size_t kDigestDigits = 64;

bool is_digest(std::string_view text) {
  return text.size() == kDigestDigits && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

class ListReader {
 public:
  explicit ListReader(const Artefact& artefact)
      : artefact_(artefact), json_(artefact, kListSchema) {}

  Result<Capsule> read() {
    PLANEX_TRY(
        json_.read_document([this](std::string_view key, ondemand::value& value,
                                   const JsonPlace& at) { return read_field(key, value, at); }));
    const auto engines = std::ranges::count(capsule_.files, true, &CapsuleFile::is_engine);
    if (engines != 1)
      return fail(wrong(format("{} of its files are marked as the engine, expected 1", engines)));
    std::vector<std::string_view> names;
    for (const auto* list : {&capsule_.files, &capsule_.others}) {
      for (const CapsuleFile& file : *list) names.push_back(file.name);
    }
    std::ranges::sort(names);
    if (const auto twice = std::ranges::adjacent_find(names); twice != names.end()) {
      return fail(wrong(format("it lists {} twice", base::quoted(*twice))));
    }
    return std::move(capsule_);
  }

 private:
  Error wrong(std::string_view what) const {
    return {.code = ErrorCode::kBadInput,
            .message = format("not {}: {}", kListSchema.what, what),
            .file = artefact_.path,
            .json_pointer = "/files",
            .hint = std::string(kListSchema.hint)};
  }

  Result<void> read_field(std::string_view key, ondemand::value& value, const JsonPlace& at) {
    if (key == "engine") return read_text(value, at, capsule_.engine);
    if (key == "is_name_given") return read_flag(value, at, capsule_.is_name_given);
    if (key == "is_redacted") return read_flag(value, at, capsule_.is_redacted);
    if (key == "profile_index") return read_count(value, at, capsule_.profile_index);
    if (key == "run") return read_count(value, at, capsule_.run);
    if (key != "files" && key != "others") return {};
    auto& list = key == "files" ? capsule_.files : capsule_.others;
    return json_.each_item(value, at, "a list of files",
                           [&](ondemand::value& item, const JsonPlace& place) {
                             return read_file(item, place, list);
                           });
  }

  Result<void> read_file(ondemand::value& value, const JsonPlace& place,
                         std::vector<CapsuleFile>& list) {
    CapsuleFile file;
    std::optional<std::int64_t> size;
    PLANEX_TRY(json_.each_field(
        value, place, "an object",
        [&](std::string_view key, ondemand::value& item, const JsonPlace& at) -> Result<void> {
          if (key == "file") return read_text(item, at, file.name);
          if (key == "kind") return read_text(item, at, file.kind);
          if (key == "evidence") return read_text(item, at, file.evidence);
          if (key == "sha256") return read_text(item, at, file.sha256);
          if (key == "is_engine") return read_flag(item, at, file.is_engine);
          if (key == "is_named") return read_flag(item, at, file.is_named);
          if (key == "is_build_only") return read_flag(item, at, file.is_build_only);
          if (key == "is_without_weights") return read_flag(item, at, file.is_without_weights);
          if (key == "size_bytes") return read_count(item, at, size);
          return {};
        }));
    const auto missing = [&](std::string_view key, std::string_view expected) {
      Error error = wrong(format("{} is missing or not {}", key, expected));
      error.json_pointer = place.pointer();
      return fail(std::move(error));
    };
    if (file.name.empty()) return missing("file", "the name of a member");
    if (!size || *size < 0) return missing("size_bytes", "a size");
    if (!is_digest(file.sha256)) return missing("sha256", "64 hexadecimal digits");
    file.size_bytes = static_cast<std::uint64_t>(*size);
    if (capsule_.files.size() + capsule_.others.size() >= kMaxMembers) {
      return fail(wrong(format("it lists more than {} files", kMaxMembers)));
    }
    list.push_back(std::move(file));
    return {};
  }

  Result<void> read_text(ondemand::value& value, const JsonPlace& at, std::string& target) {
    if (JsonRecords::is_null(value)) return {};
    PLANEX_ASSIGN(const JsonText text, json_.text(value, at));
    target = text.view;
    return {};
  }
  Result<void> read_flag(ondemand::value& value, const JsonPlace& at, bool& target) {
    PLANEX_ASSIGN(target, json_.boolean(value, at));
    return {};
  }
  Result<void> read_count(ondemand::value& value, const JsonPlace& at,
                          std::optional<std::int64_t>& target) {
    PLANEX_ASSIGN(target, json_.integer(value, at));
    return {};
  }

  const Artefact& artefact_;
  JsonRecords json_;
  Capsule capsule_;
};

CheckedMember check_listed(const CapsuleFile& file, const std::string& path,
                           const base::FileSource& source) {
  CheckedMember member{
      .name = file.name, .expected_bytes = file.size_bytes, .expected_sha256 = file.sha256};
  const auto bytes = source.read(path);
  if (!bytes) {
    const bool is_there = source.kind(path) == base::PathKind::kFile;
    member.state = is_there ? MemberState::kDamaged : MemberState::kMissing;
    member.why = bytes.error().message;
    return member;
  }
  member.found_bytes = (*bytes)->view().size();
  member.found_sha256 = base::sha256_of((*bytes)->view());
  if (member.found_bytes != file.size_bytes || member.found_sha256 != file.sha256) {
    member.state = MemberState::kAltered;
  }
  return member;
}

}  // namespace

Result<Capsule> read_capsule_list(std::shared_ptr<const base::Bytes> bytes,
                                  const std::string& path) {
  const Artefact artefact{.path = path, .bytes = std::move(bytes)};
  return ListReader(artefact).read();
}

Result<std::optional<Capsule>> capsule_in(const std::string& folder,
                                          const base::FileSource& source) {
  const std::string path = base::join_path(folder, model::kCapsuleList);
  if (source.kind(path) != base::PathKind::kFile) return std::optional<Capsule>();
  PLANEX_ASSIGN(auto bytes, source.read(path));
  if (sniff_schema(bytes->view().substr(0, kSniffBytes), kListSchema) == Confidence::kNo) {
    return std::optional<Capsule>();
  }
  PLANEX_ASSIGN(Capsule capsule, read_capsule_list(std::move(bytes), path));
  for (const auto* list : {&capsule.files, &capsule.others}) {
    for (const CapsuleFile& file : *list) {
      if (source.kind(base::join_path(folder, file.name)) == base::PathKind::kFile) continue;
      return fail({.code = ErrorCode::kBadInput,
                   .message = format("the capsule lists {}, but does not contain it",
                                     base::quoted(file.name)),
                   .file = folder,
                   .hint = "copy it again; check every member with `planex verify`"});
    }
  }
  return std::optional(std::move(capsule));
}

const CapsuleFile* listed_member(const Capsule& capsule, std::string_view name) {
  for (const auto* list : {&capsule.files, &capsule.others}) {
    const auto found = std::ranges::find(*list, name, &CapsuleFile::name);
    if (found != list->end()) return &*found;
  }
  return nullptr;
}

Result<void> expect_listed(const std::string& archive, const base::FileSource& source,
                           std::vector<FoundFile>& files) {
  PLANEX_ASSIGN(const auto capsule, capsule_in(archive, source));
  if (!capsule) return {};
  const std::string folder = archive + "/";
  for (FoundFile& file : files) {
    if (file.member || !file.path.starts_with(folder)) continue;
    const CapsuleFile* member =
        listed_member(*capsule, std::string_view(file.path).substr(folder.size()));
    if (member != nullptr) file.member = *member;
  }
  return {};
}

Result<void> check_member(const CapsuleFile& file, std::string_view bytes,
                          const std::string& path) {
  const std::string found = base::sha256_of(bytes);
  if (bytes.size() == file.size_bytes && found == file.sha256) return {};
  return fail({.code = ErrorCode::kBadInput,
               .message = "this member of the capsule was changed",
               .file = path,
               .context = format("expected {} bytes, sha256 {}\nfound    {} bytes, sha256 {}",
                                 file.size_bytes, file.sha256, bytes.size(), found),
               .hint =
                   "check every member with `planex verify`; to see the files as they are, unpack "
                   "the capsule, remove capsule.json and name the folder"});
}

Result<CapsuleCheck> check_capsule(const std::string& path, const base::FileSource& source) {
  PLANEX_ASSIGN(auto bytes, source.read(path));
  CapsuleCheck check{
      .path = path, .size_bytes = bytes->view().size(), .sha256 = base::sha256_of(bytes->view())};
  PLANEX_ASSIGN(const auto archive, ArchiveFiles::open(std::move(bytes), path));
  const std::string list = base::join_path(path, model::kCapsuleList);
  if (archive->kind(list) != base::PathKind::kFile) {
    return fail({.code = ErrorCode::kBadInput,
                 .message = format("not a capsule: the archive has no {}", model::kCapsuleList),
                 .file = path,
                 .hint = std::string(kListSchema.hint)});
  }
  PLANEX_ASSIGN(auto text, archive->read(list));
  PLANEX_ASSIGN(const Capsule capsule, read_capsule_list(std::move(text), list));
  check.engine = capsule.engine;
  check.is_redacted = capsule.is_redacted;
  for (const auto* part : {&capsule.files, &capsule.others}) {
    for (const CapsuleFile& file : *part) {
      check.members.push_back(check_listed(file, base::join_path(path, file.name), *archive));
    }
  }
  for (const std::string& member : archive->member_names()) {
    const bool is_listed =
        member == model::kCapsuleList || listed_member(capsule, member) != nullptr;
    if (!is_listed) check.members.push_back({.name = member, .state = MemberState::kNotListed});
  }
  // Links and names that point elsewhere are not members for the other readers either.
  for (const model::DiagnosticFacts& remark : archive->remarks()) {
    if (remark.code != "archive-member-left-out" && remark.code != "archive-member-twice") continue;
    check.members.push_back(
        {.name = "", .state = MemberState::kNotListed, .why = std::string(remark.message)});
  }
  return check;
}

}  // namespace planex::ingest
