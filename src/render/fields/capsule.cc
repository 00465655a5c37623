#include "render/fields/capsule.h"

#include "planex/version.h"

namespace planex::render {
namespace {

using model::ArchiveReport;
using model::Capsule;
using model::CapsuleCheck;
using model::CapsuleFile;
using model::CheckedMember;
using record::Fields;

Fields<CapsuleFile> other_file_fields() {
  return Fields<CapsuleFile>("CapsuleOther", "A file of a search in a capsule.")
      .field("file", "", "Name of the member: its place in the search's folder.",
             &CapsuleFile::name)
      .field("kind", "",
             "The reader that takes it, as files.kind; or record, script, or weights of a model.",
             &CapsuleFile::kind)
      .field("is_without_weights", "", "A model whose weights were left out.",
             &CapsuleFile::is_without_weights)
      .field("size_bytes", "bytes", "Its size, unpacked.", &CapsuleFile::size_bytes)
      .field("sha256", "", "SHA-256 of its content: 64 hexadecimal digits.", &CapsuleFile::sha256);
}

Fields<CapsuleFile> capsule_file_fields() {
  return Fields<CapsuleFile>("CapsuleFile", "A file of a capsule.")
      .field("file", "", "Name of the member.", &CapsuleFile::name)
      .field("kind", "", "The reader that takes it, as files.kind.", &CapsuleFile::kind)
      .field("evidence", "", "Why it belongs to the engine.", &CapsuleFile::evidence)
      .field("is_engine", "", "The engine is read from it, and the others join.",
             &CapsuleFile::is_engine)
      .field("is_named", "",
             "An option named it, so it takes precedence over what a plan contains.",
             &CapsuleFile::is_named)
      .field("is_build_only", "", "A log that records only how the engine was built.",
             &CapsuleFile::is_build_only)
      .field("is_without_weights", "", "A model whose weights were left out.",
             &CapsuleFile::is_without_weights)
      .field("size_bytes", "bytes", "Its size, unpacked.", &CapsuleFile::size_bytes)
      .field("sha256", "", "SHA-256 of its content: 64 hexadecimal digits.", &CapsuleFile::sha256);
}

Fields<CheckedMember> checked_member_fields() {
  return Fields<CheckedMember>("CheckedMember", "A member that was checked against the list.")
      .maybe("file", "", "Its name; null: the archive contains a member whose name can't be used.",
             &CheckedMember::name)
      .field("state", "", "intact, or what is wrong.", &CheckedMember::state)
      .field("expected_bytes", "bytes", "Its size according to the list; null: not listed.",
             &CheckedMember::expected_bytes)
      .field("found_bytes", "bytes", "Its size; null: not there, or it can't be unpacked.",
             &CheckedMember::found_bytes)
      .maybe("expected_sha256", "", "SHA-256 according to the list.",
             &CheckedMember::expected_sha256)
      .maybe("found_sha256", "", "SHA-256 of its content.", &CheckedMember::found_sha256)
      .maybe("why", "", "Why it can't be unpacked, or used.", &CheckedMember::why);
}

}  // namespace

const record::Document<Capsule>& capsule_document() {
  static const record::Document<Capsule> kDocument = {
      "planex.capsule/1", "The list in a capsule: capsule.json",
      Fields<Capsule>("Capsule", "What a capsule contains, and how to open it.")
          .field("planex_version", "", "The planex that made it.",
                 [](const Capsule&) { return PLANEX_VERSION; })
          .field("engine", "", "Name of the engine.", &Capsule::engine)
          .field("is_name_given", "", "The name takes precedence over one from a file.",
                 &Capsule::is_name_given)
          .field("profile_index", "", "The optimization profile to show; null: the first.",
                 &Capsule::profile_index)
          .field("run", "",
                 "The run to show, for a log of several runs; null: chosen again on opening.",
                 &Capsule::run)
          .field("is_redacted", "", "Names are replaced by hashes.", &Capsule::is_redacted)
          .list("files", "The files, in the order in which they are read.", capsule_file_fields(),
                &Capsule::files)
          .list("others",
                "What belongs to a search and not to its engine; empty: it is an engine's capsule.",
                other_file_fields(), &Capsule::others)};
  return kDocument;
}

const record::Document<ArchiveReport>& archive_document() {
  static const record::Document<ArchiveReport> kDocument = {
      "planex.archive/1", "A capsule that was written: planex archive --format json",
      Fields<ArchiveReport>("Archive", "A capsule that was written.")
          .field("file", "", "The capsule.", &ArchiveReport::path)
          .field("size_bytes", "bytes", "Its size.", &ArchiveReport::size_bytes)
          .field("sha256", "", "SHA-256 of the whole file: 64 hexadecimal digits.",
                 &ArchiveReport::sha256)
          .field("engine", "", "Name of the engine.",
                 [](const ArchiveReport& report) { return report.capsule.engine; })
          .field("is_redacted", "", "Names are replaced by hashes.",
                 [](const ArchiveReport& report) { return report.capsule.is_redacted; })
          .list("files", "The files in it.", capsule_file_fields(),
                [](const ArchiveReport& report) { return report.capsule.files; })
          .list("others", "What belongs to a search and not to its engine.", other_file_fields(),
                [](const ArchiveReport& report) { return report.capsule.others; })
          .field("notes", "", "What is missing from it, or was changed.", &ArchiveReport::notes)};
  return kDocument;
}

const record::Document<CapsuleCheck>& verify_document() {
  static const record::Document<CapsuleCheck> kDocument = {
      "planex.verify/1", "A capsule verified against its hashes: planex verify --format json",
      Fields<CapsuleCheck>("Verify", "Verification of a capsule against its list.")
          .field("file", "", "The capsule.", &CapsuleCheck::path)
          .field("size_bytes", "bytes", "Its size.", &CapsuleCheck::size_bytes)
          .field("sha256", "", "SHA-256 of the whole file: 64 hexadecimal digits.",
                 &CapsuleCheck::sha256)
          .field("engine", "", "Name of the engine.", &CapsuleCheck::engine)
          .field("is_redacted", "", "Names are replaced by hashes.", &CapsuleCheck::is_redacted)
          .field("is_intact", "", "Every member matches the list, and there are no others.",
                 [](const CapsuleCheck& check) { return check.is_intact(); })
          .list("members", "The members in the list, then others.", checked_member_fields(),
                &CapsuleCheck::members)};
  return kDocument;
}

}  // namespace planex::render
