#include "ingest/discover/discover.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <tuple>

#include "base/text.h"
#include "base/try.h"
#include "ingest/discover/archive.h"
#include "ingest/discover/build_links.h"
#include "ingest/discover/capsule.h"
#include "ingest/discover/content_pairs.h"
#include "ingest/discover/decode.h"
#include "ingest/discover/file_names.h"
#include "ingest/discover/folders_below.h"
#include "ingest/discover/look.h"
#include "ingest/discover/named_files.h"
#include "ingest/discover/other_models.h"
#include "ingest/discover/parts.h"
#include "ingest/discover/producers.h"
#include "ingest/discover/registry.h"
#include "ingest/discover/stream_file.h"

namespace planex::ingest {
namespace {

using base::format;

// The same spelling for "a", "./a" and "b/../a". Works on the text only: links are not followed.
std::string normal(const std::string& path) {
  return std::filesystem::path(path).lexically_normal().generic_string();
}

bool is_part(const FoundFile& file, Part part) {
  return file.reader != nullptr && file.reader->part == part;
}

int engine_rank(const FoundFile& file) {
  return file.reader == nullptr ? 0 : file.reader->engine_rank;
}

// The reader that reports what is wrong with a file that none recognized: the part's first one, but
// for XML a reader of XML.
const ReaderInfo& explaining_reader(std::string_view path, Part part) {
  if (part != Part::kGraph) return *std::ranges::find(readers(), part, &ReaderInfo::part);
  const std::string_view id = path.ends_with(".xml") ? "openvino-exec-graph" : "tensorrt-graph";
  return *std::ranges::find(readers(), id, &ReaderInfo::id);
}

// A file of this rank or higher lists the engine's layers; one of kTimesRank has only times.
constexpr int kLayerFileRank = 5, kTimesRank = 1;

class Finder {
 public:
  Finder(const LoadRequest& request, const base::FileSource& source)
      : request_(request), source_(source) {}

  Result<Discovery> run() {
    PLANEX_TRY(collect());
    PLANEX_TRY(choose_graph());
    PLANEX_TRY(check_unreadable());
    choose_siblings();
    PLANEX_TRY(add_all_named());
    if (!is_named(Part::kLog)) link_builds(files_, source_);
    return finish();
  }

  // Replaces run(): the files of a capsule are those chosen when it was made, except for files that
  // the user names now.
  Result<Discovery> run(const model::Capsule& capsule) {
    for (const model::CapsuleFile& member : capsule.files) {
      const auto reader = std::ranges::find(readers(), member.kind, &ReaderInfo::id);
      if (reader == readers().end()) return fail(of_newer_planex(member));
      files_.push_back({.path = base::join_path(request_.path, member.name),
                        .size_bytes = member.size_bytes,
                        .reader = &*reader,
                        .evidence = member.evidence,
                        .is_named = member.is_named,
                        .used = !is_named(member.is_engine ? Part::kGraph : reader->part),
                        .is_build_only = member.is_build_only,
                        .member = member});
    }
    if (capsule.is_redacted) {
      remarks_.push_back({.code = "capsule-redacted",
                          .severity = model::Severity::kInfo,
                          .message = "the capsule was redacted: names are hashes, the texts of "
                                     "messages were removed",
                          .file = request_.path});
    }
    PLANEX_TRY(add_named(request_.graph, Part::kGraph));
    PLANEX_TRY(add_all_named());
    const auto engine = std::ranges::find(capsule.files, true, &model::CapsuleFile::is_engine);
    graph_ = find(request_.graph.value_or(base::join_path(request_.path, engine->name)));
    PLANEX_ASSIGN(Discovery discovery, finish());
    if (!request_.name && !request_.graph) {
      discovery.engine_name = capsule.engine;
      discovery.is_name_given = capsule.is_name_given;
    }
    if (!discovery.profile_index) discovery.profile_index = capsule.profile_index;
    if (!discovery.run) discovery.run = capsule.run;
    return discovery;
  }

  // Replaces run(): the files that are engines of their own, or the path if it is one engine.
  Result<std::vector<std::string>> engines() {
    PLANEX_TRY(collect());
    if (!given_.empty()) return std::vector<std::string>{given_};
    std::vector<std::string> paths;
    for (const FoundFile* file : best_engines({})) paths.push_back(file->path);
    if (paths.size() == 1) paths.front() = request_.path;
    return paths;
  }

  std::vector<std::string> archives() const {
    std::vector<std::string> paths;
    for (const FoundFile& file : files_) {
      const bool is_looked_into = file.size_bytes <= kMaxArchiveBytes;
      if (file.is_archive && has_archive_name(file.path) && is_looked_into) {
        paths.push_back(file.path);
      }
    }
    return paths;
  }

  // After run() failed: the archive that contains what the folder lacks, if it is the only one.
  std::optional<std::string> only_archive() const {
    if (graph_ != nullptr || !given_.empty()) return std::nullopt;
    const auto is_ours = [](const FoundFile& file) {
      return file.is_archive && has_archive_name(file.path);
    };
    const bool has_engine =
        std::ranges::any_of(files_, [](const FoundFile& file) { return engine_rank(file) > 0; });
    if (has_engine || std::ranges::count_if(files_, is_ours) != 1) return std::nullopt;
    return std::ranges::find_if(files_, is_ours)->path;
  }

 private:
  Result<void> collect() {
    const std::string path = without_trailing_slash(request_.path);
    switch (source_.kind(path)) {
      case base::PathKind::kFolder:
        folder_ = path;
        return list_folder({});
      case base::PathKind::kFile:
        given_ = path;
        folder_ = std::string(base::folder_of(path));
        return list_folder_of_given();
      case base::PathKind::kOther:  // discover() makes a file of a stream
      case base::PathKind::kMissing:
        break;
    }
    // A common prefix.
    folder_ = std::string(base::folder_of(path));
    const std::string_view prefix = base::file_name_of(path);
    if (source_.kind(folder_.empty() ? "." : folder_) == base::PathKind::kFolder) {
      PLANEX_TRY(list_folder(prefix));
    }
    if (files_.empty()) {
      return fail({.code = ErrorCode::kNotFound,
                   .message = "no such file or folder, and no file name begins with it",
                   .file = request_.path});
    }
    return {};
  }

  // A file can be readable in a folder that can't be listed; then its siblings are unknown.
  Result<void> list_folder_of_given() {
    PLANEX_ASSIGN(FoundFile given, look_at(given_, 0, source_));
    if (!list_folder({})) files_.clear();
    if (FoundFile* listed = find(given_)) {
      given.size_bytes = listed->size_bytes;
      *listed = std::move(given);
    } else {
      files_.push_back(std::move(given));
    }
    return {};
  }

  Result<void> list_folder(std::string_view prefix) {
    PLANEX_ASSIGN(const std::vector<base::FileEntry> entries, source_.list(folder_));
    std::size_t left_count = 0;
    for (const base::FileEntry& entry : entries) {
      if (!base::file_name_of(entry.path).starts_with(prefix)) continue;
      if (files_.size() >= kMaxFolderFiles) {
        ++left_count;
        continue;
      }
      // It belongs to no engine of the other files. A user who names it sees it.
      if (is_failed_log(entry.path)) {
        files_.push_back({.path = entry.path,
                          .size_bytes = entry.size_bytes,
                          .evidence = "left out: the log of an engine that could not be built"});
        continue;
      }
      FoundFile file = look_if_possible(entry, source_);
      // Another program's temporary file may already be gone.
      if (file.unreadable && source_.kind(entry.path) == base::PathKind::kMissing) continue;
      files_.push_back(std::move(file));
    }
    if (left_count > 0) {
      remarks_.push_back(
          {.code = "folder-too-large",
           .message =
               format("only the first {} files of the folder were read, in order of name, and the "
                      "other {} were not: files of the engine may be among those. Name such a file "
                      "with an option, or put the engine's files into a folder of their own",
                      kMaxFolderFiles, left_count),
           .file = folder_});
    }
    return {};
  }

  FoundFile* find(const std::string& path) {
    const std::string wanted = normal(path);
    const auto found = std::ranges::find_if(
        files_, [&](const FoundFile& file) { return normal(file.path) == wanted; });
    return found == files_.end() ? nullptr : &*found;
  }

  Result<void> choose_graph() {
    if (request_.graph) {
      PLANEX_TRY(add_named(request_.graph, Part::kGraph));
      graph_ = find(*request_.graph);
      return {};
    }
    if (!given_.empty()) {
      FoundFile* file = find(given_);
      if (file == nullptr) {
        return fail({.code = ErrorCode::kNotFound, .message = "can't be read", .file = given_});
      }
      // A log or a profile beside its layer file belongs to that file's engine.
      if (engine_rank(*file) >= kLayerFileRank ||
          (engine_rank(*file) > 0 && is_among_best(*file) && !belongs_to_other(*file) &&
           layers_of(*file) == nullptr)) {
        use_named(*file, "named by you");
        graph_ = file;
        return {};
      }
      if (file->reader == nullptr) {
        PLANEX_ASSIGN(std::string head, head_of(given_));
        if (const std::size_t needed = other_model_head_bytes(head); needed > head.size()) {
          PLANEX_ASSIGN(head, source_.read_head(given_, needed));
        }
        if (auto other = other_model_error(given_, head)) return fail(std::move(*other));
      }
      if (file->reader == nullptr && given_.ends_with(".onnx")) {
        return fail(
            {.code = ErrorCode::kBadInput,
             .message = "neither an engine nor a valid ONNX model",
             .file = given_,
             .hint = "expected a layer file, a log, a trace, or a folder that contains one"});
      }
      if (file->reader == nullptr) {
        file->reader = &explaining_reader(file->path, Part::kGraph);
        use_named(*file, "named by you");
        graph_ = file;
        return {};
      }
    }
    if (!given_.empty()) graph_ = layers_of(*find(given_));
    if (graph_ != nullptr) {
      use(*graph_, "has the layers of the profile");
      return {};
    }
    std::vector<FoundFile*> graphs;
    if (!given_.empty() && !belongs_to_other(*find(given_))) {
      graphs = best_engines(stem_of(given_), find(given_)->reader);
    }
    if (graphs.empty()) {
      graphs = best_engines({}, given_.empty() ? nullptr : find(given_)->reader);
    }
    if (graphs.size() != 1) {
      // A model is shown on its own if no engine is known to be built from it.
      if (FoundFile* model = model_alone();
          model != nullptr && (graphs.empty() || is_given(*model))) {
        if (has_named_measurement()) return fail(model_alone_error(model->path));
        use(*model, is_given(*model) ? "named by you" : "the only model here, without an engine");
        model->is_named = is_given(*model);
        graph_ = model;
        return {};
      }
    }
    if (graphs.empty()) return fail(no_graph());
    if (graphs.size() > 1) {
      std::string list;
      for (const FoundFile* file : graphs) list += format("\n  {}", file->path);
      return fail({.code = ErrorCode::kUsage,
                   .message = format("there are {} engines here; name one of them", graphs.size()),
                   .file = request_.path,
                   .context = "layer files found:" + list,
                   .hint = format("planex summary {}", graphs.front()->path)});
    }
    graph_ = graphs.front();
    const bool same_name = !given_.empty() && stem_of(graph_->path) == stem_of(given_);
    use(*graph_, same_name ? "same name" : why_chosen());
    return {};
  }

  bool is_given(const FoundFile& file) { return !given_.empty() && find(given_) == &file; }

  // The model that the user names, or the only one of a folder; a model that ONNX Runtime optimized
  // from it counts as the same.
  FoundFile* model_alone() {
    if (!given_.empty()) {
      FoundFile* file = find(given_);
      return is_part(*file, Part::kSource) ? file : nullptr;
    }
    FoundFile* found = nullptr;
    for (FoundFile& file : files_) {
      if (!is_part(file, Part::kSource) || file.path.ends_with(kOptimisedEnding)) continue;
      if (found != nullptr) return nullptr;
      found = &file;
    }
    return found;
  }

  // Times and logs belong to an engine, and a model is not one.
  bool has_named_measurement() const {
    return request_.profile || request_.times || request_.log || request_.nsight ||
           request_.metadata;
  }

  Result<std::string> head_of(const std::string& path) const {
    constexpr std::size_t kEnough = 512;
    return source_.read_head(path, kEnough);
  }

  // For the engine's file that was found in a folder.
  std::string why_chosen() const {
    const Part part = graph_->reader->part;
    const auto count =
        static_cast<std::size_t>(std::ranges::count_if(files_, [&](const FoundFile& file) {
          return is_part(file, part) && engine_rank(file) > 0;
        }));
    const std::string_view noun = noun_of(part);
    if (part == Part::kGraph) return format("the only {} here", noun);
    return count == 1 ? format("the only {} here, without a layer file", noun)
                      : format("no layer file here; this is the {} with the most details", noun);
  }

  // Times alone contain so little that they are assigned to the only layer file beside them,
  // whatever its name.
  bool belongs_to_other(const FoundFile& file) {
    if (file.reader->part != Part::kProfile && engine_rank(file) != kTimesRank) return false;
    const std::vector<FoundFile*> engines = best_engines({}, file.reader);
    return engines.size() == 1 && engine_rank(*engines.front()) >= kLayerFileRank &&
           fits(*file.reader, *engines.front()->reader);
  }

  // Of several layer files, the one with the profile's layers although no name matches.
  FoundFile* layers_of(const FoundFile& file) {
    return is_part(file, Part::kProfile) ? layer_file_of(file, best_engines({}), source_) : nullptr;
  }

  // Files that can represent the engine, of the highest rank found; with this stem, unless it is
  // empty.
  // With `joins`: only those that a file of this kind can belong to.
  std::vector<FoundFile*> best_engines(std::string_view stem, const ReaderInfo* joins = nullptr) {
    std::vector<FoundFile*> best;
    const FoundFile* named = given_.empty() ? nullptr : find(given_);
    for (FoundFile& file : files_) {
      const int rank = engine_rank(file);
      if (rank == 0 || (!stem.empty() && stem_of(file.path) != stem)) continue;
      if (rank == kTimesRank && is_part(file, Part::kLog) && &file != named) continue;
      if (joins != nullptr && is_of_other_producer(*joins, *file.reader)) continue;
      if (!best.empty() && rank > engine_rank(*best.front())) best.clear();
      if (best.empty() || rank == engine_rank(*best.front())) best.push_back(&file);
    }
    std::vector<FoundFile*> kept = without_builds(best, files_);
    if (!kept.empty()) best = std::move(kept);
    if (are_of_one_engine(best)) best.resize(1);
    return best;
  }

  bool is_among_best(const FoundFile& file) {
    const std::vector<FoundFile*> best = best_engines(stem_of(file.path), file.reader);
    return std::ranges::find(best, &file) != best.end();
  }

  // X.log and X.txt are two logs of two engines.
  bool is_other_log(const FoundFile& file) const {
    return is_part(file, Part::kLog) && is_part(*graph_, Part::kLog) && has_plain_name(file.path) &&
           has_plain_name(graph_->path);
  }

  std::string_view other_label(const FoundFile& file) const {
    if (file.reader != nullptr || file.is_archive || file.unreadable) return {};
    const auto head = head_of(file.path);
    return head ? other_model_label(file.path, *head) : std::string_view();
  }

  Error no_graph() const {
    std::string list;
    for (const FoundFile& file : files_) {
      if (file.reader != nullptr) list += format("\n  {}: {}", file.path, file.reader->label);
      if (is_failed_log(file.path)) list += format("\n  {}: {}", file.path, file.evidence);
      if (const std::string_view label = other_label(file); !label.empty()) {
        list += format("\n  {}: {}", file.path, label);
      }
      if (file.is_archive && has_archive_name(file.path)) {
        list += format("\n  {}: {}", file.path, describe_archive(file.path, source_));
      }
    }
    std::string context =
        list.empty() ? format("{} read, none recognized", base::counted(files_.size(), "file"))
                     : "found:" + list;
    for (const FoundFile& file : files_) {
      if (file.unreadable) context += format("\n{}: {}", file.path, file.unreadable->message);
    }
    for (const model::DiagnosticFacts& remark : remarks_) context += "\n" + remark.message;
    return {.code = ErrorCode::kBadInput,
            .message = "no layer information found",
            .file = request_.path,
            .context = std::move(context),
            .hint =
                "TensorRT: `trtexec --loadEngine=FILE --profilingVerbosity=detailed "
                "--exportLayerInfo=X.graph.json`; from ONNX: `planex process MODEL.onnx -o DIR`"};
  }

  static void use(FoundFile& file, std::string evidence) {
    file.used = true;
    file.evidence = std::move(evidence);
  }
  static void use_named(FoundFile& file, std::string evidence) {
    file.is_named = true;
    use(file, std::move(evidence));
  }

  // A file that can't be read but has the name of a file of this engine would be missed silently,
  // such as its times. For other names it is only mentioned.
  Result<void> check_unreadable() {
    const std::string_view stem = stem_of(graph_->path);
    const std::vector<FoundFile*> engines = best_engines({});
    const bool only_engine = given_.empty() && engines.size() == 1 && engines.front() == graph_;
    for (FoundFile& file : files_) {
      if (!file.unreadable) continue;
      const bool is_ours =
          has_engine_file_name(file.path) && (stem_of(file.path) == stem || only_engine);
      if (is_ours) return fail(with_way_on(*file.unreadable));
      file.evidence = format("can't be read: {}", file.unreadable->message);
      // The archive has already reported what it can't read.
      if (file.unreadable->code == ErrorCode::kUnsupported) continue;
      remarks_.push_back({.code = "file-not-read",
                          .severity = model::Severity::kInfo,
                          .message = format("the file was left out: {}", file.unreadable->message),
                          .file = file.path});
    }
    return {};
  }

  static Error with_way_on(Error error) {
    if (!error.hint.empty()) error.hint += "; ";
    error.hint += "it may belong to the engine; to see the engine without it, move it away";
    return error;
  }

  // For each part: files with the graph's stem; if there are none, the only file of the folder,
  // provided that the graph is also the only one there.
  void choose_siblings() {
    const std::string_view stem = stem_of(graph_->path);
    const std::vector<FoundFile*> engines = best_engines({});
    const bool only_engine = engines.size() == 1 && engines.front() == graph_;
    const bool is_model = is_part(*graph_, Part::kSource);
    for (const Part part : {Part::kProfile, Part::kTimes, Part::kMetadata, Part::kLog,
                            Part::kKernels, Part::kSource, Part::kAccuracy}) {
      if (is_model && part != Part::kAccuracy) continue;
      // One of the two records says nothing about the other.
      if (is_named(part) && part != Part::kAccuracy) {
        if (part == Part::kSource) keep_optimised();
        continue;
      }
      FoundFile* given = given_.empty() ? nullptr : find(given_);
      if (given != nullptr && is_part(*given, part)) {
        use_named(*given, "named by you");
        if (part != Part::kMetadata && part != Part::kAccuracy) continue;
      }
      std::vector<FoundFile*> same_stem, others;
      for (FoundFile& file : files_) {
        if (!is_part(file, part) || file.used) continue;
        if (is_of_other_producer(*file.reader, *graph_->reader)) {
          file.evidence = why_left_out(*file.reader, *graph_->reader);
          remarks_.push_back(left_to_other_producer(file.path, *file.reader, *graph_->reader));
        }
        if (!fits(*file.reader, *graph_->reader)) continue;
        if (is_other_log(file) && stem_of(file.path) == stem) {
          file.evidence = "left out: another log of this name; name the file to see it";
          continue;
        }
        if (part == Part::kAccuracy && is_record_of_other(file.path, graph_->path)) {
          file.evidence = format("left out: its name is that of another model; use it with {}",
                                 option_of(part));
          continue;
        }
        const bool ours = stem_of(file.path) == stem || written_by(file) != nullptr ||
                          layers_of(file) == graph_ || is_times_of(file, *graph_);
        std::vector<FoundFile*>& found = ours ? same_stem : others;
        found.push_back(&file);
        // Of several models beside a trace, the one that ran.
        const bool first = part == Part::kSource && file.path.ends_with(kOptimisedEnding) &&
                           graph_->reader->importer == "onnxruntime";
        if (first) std::ranges::rotate(found, found.end() - 1);
      }
      if (part == Part::kLog) others = without_builds(others, files_);
      choose(part, same_stem, others, only_engine);
    }
  }

  // The model that the user names shows where layers come from; the one that ran, beside the trace,
  // shows how they are connected.
  void keep_optimised() {
    if (graph_->reader->importer != "onnxruntime") return;
    const std::string_view stem = stem_of(graph_->path);
    for (FoundFile& file : files_) {
      const bool is_ours = is_part(file, Part::kSource) && file.path.ends_with(kOptimisedEnding) &&
                           stem_of(file.path) == stem;
      if (is_ours) use(file, "same name");
    }
  }

  // Metadata, logs and records can be split over files; there is only one file of times, and one
  // model.
  void choose(Part part, std::span<FoundFile*> ours, std::span<FoundFile*> others,
              bool only_engine) const {
    const bool many = part == Part::kMetadata || part == Part::kLog || part == Part::kAccuracy;
    for (std::size_t i = 0; i < ours.size(); ++i) {
      if (i == 0 || many) {
        use(*ours[i], why_ours(*ours[i]));
      } else {
        ours[i]->evidence = format("left out: {} is used instead", ours[0]->path);
      }
    }
    // Several logs, traces or models belong to several runs.
    const bool is_split = part == Part::kMetadata || part == Part::kAccuracy;
    const bool take_others = only_engine && (is_split || ours.empty());
    const bool one_only = part == Part::kLog || part == Part::kKernels || part == Part::kSource;
    for (std::size_t i = 0; i < others.size(); ++i) {
      if (!take_others) continue;
      if (one_only && others.size() > 1) {
        others[i]->evidence =
            format("left out: one of {}; use it with {}", others.size(), option_of(part));
      } else if (i == 0 || many) {
        const bool is_only = others.size() == 1 && ours.empty();
        use(*others[i],
            is_only ? format("the only {} here", noun_of(part))
            : many  ? std::string("there is only one engine here")
                    : format("the first of {} here", base::counted(others.size(), noun_of(part))));
      } else {
        others[i]->evidence = format("left out: {} is used instead", others[0]->path);
      }
    }
  }

  std::string of_another(const FoundFile& file) {
    const FoundFile* layers = layers_of(file);
    return layers == nullptr ? "from another engine"
                             : format("of {}", base::file_name_of(layers->path));
  }

  std::string why_ours(const FoundFile& file) const {
    const FoundFile* written = written_by(file);
    const bool is_same_name = stem_of(file.path) == stem_of(graph_->path);
    if (is_part(file, Part::kProfile) && !is_same_name) return "has the same layers";
    if (written == nullptr || is_same_name) return "same name";
    return format("wrote {}", base::file_name_of(written->path));
  }

  // The used file that a log's command lines say they wrote, or null.
  const FoundFile* written_by(const FoundFile& log) const {
    const auto found = std::ranges::find_if(files_, [&](const FoundFile& file) {
      return file.used && std::ranges::any_of(log.runs, [&](const LoggedRun& run) {
               return std::ranges::find(run.written, base::file_name_of(file.path)) !=
                      run.written.end();
             });
    });
    return found == files_.end() ? nullptr : &*found;
  }

  bool is_named(Part part) const { return named_file(request_, part).has_value(); }

  static Error of_newer_planex(const model::CapsuleFile& member) {
    return {.code = ErrorCode::kUnsupported,
            .message = format("its kind is unknown to this version of planex: {}",
                              base::quoted(member.kind)),
            .file = member.name,
            .hint = "read the capsule with the version of planex that made it, or a newer one"};
  }

  // All files except the graph.
  Result<void> add_all_named() {
    PLANEX_TRY(add_named(request_.profile, Part::kProfile));
    PLANEX_TRY(add_named(request_.times, Part::kTimes));
    PLANEX_TRY(add_named(request_.metadata, Part::kMetadata));
    PLANEX_TRY(add_named(request_.log, Part::kLog));
    PLANEX_TRY(add_named(request_.nsight, Part::kKernels));
    PLANEX_TRY(add_named(request_.source_model, Part::kSource));
    return add_named(request_.accuracy, Part::kAccuracy);
  }

  Result<void> add_named(const std::optional<std::string>& path, Part part) {
    if (!path) return {};
    FoundFile* file = find(*path);
    if (file == nullptr) {
      PLANEX_ASSIGN(FoundFile looked, look_at(*path, 0, source_));
      const auto graph_index = graph_ == nullptr ? 0 : graph_ - files_.data();
      files_.push_back(std::move(looked));
      if (graph_ != nullptr) graph_ = files_.data() + graph_index;
      file = &files_.back();
    }
    if (file->reader == nullptr || file->reader->part != part) {
      // The user's choice overrides the sniffing.
      file->reader = &explaining_reader(file->path, part);
    } else if (graph_ != nullptr && graph_ != file &&
               is_of_other_producer(*file->reader, *graph_->reader)) {
      return fail(other_producer_error(file->path, *file->reader, graph_->path, *graph_->reader));
    }
    file->path = *path;
    use_named(*file, format("named by {}", option_of(part)));
    return {};
  }

  Result<Discovery> finish() {
    graph_->is_engine = true;
    Discovery discovery;
    discovery.engine_name = request_.name ? *request_.name : engine_name(graph_->path);
    discovery.is_name_given = request_.name.has_value();
    std::ranges::stable_sort(files_, {}, [](const FoundFile& file) {
      const int part = file.reader == nullptr ? 9 : static_cast<int>(file.reader->part);
      // The model that ran comes before the one that it was made from.
      const bool is_origin = is_part(file, Part::kSource) && !file.path.ends_with(kOptimisedEnding);
      // Of two records of one kind, the first is used.
      const bool is_found = is_part(file, Part::kAccuracy) && !file.is_named;
      return std::tuple(!file.used, file.used && !file.is_engine ? part : 0, is_origin || is_found);
    });
    for (FoundFile& file : files_) {
      if (!file.used && file.evidence.empty()) {
        file.evidence = file.is_archive          ? describe_archive(file.path, source_)
                        : file.reader == nullptr ? "not recognized"
                                                 : of_another(file);
      }
    }
    discovery.files = std::move(files_);
    discovery.remarks = std::move(remarks_);
    discovery.profile_index = request_.profile_index;
    discovery.run = request_.run;
    return discovery;
  }

  const LoadRequest& request_;
  const base::FileSource& source_;
  std::string folder_;
  std::string given_;  // the file the user named, if it is one
  std::vector<FoundFile> files_;
  FoundFile* graph_ = nullptr;
  std::vector<model::DiagnosticFacts> remarks_;
};

// The list of the archive, if all of it is opened and it is a capsule.
Result<std::optional<model::Capsule>> capsule_of(const OpenedSource& opened) {
  if (opened.path != opened.archive) return std::optional<model::Capsule>();
  return capsule_in(opened.archive, *opened.source);
}

// Nothing beside an archive is used, because an archive is complete by itself; but it is mentioned.
void list_beside(const OpenedSource& opened, const base::FileSource& outer, Discovery& discovery) {
  const auto entries = outer.list(std::string(base::folder_of(opened.archive)));
  if (!entries) return;
  const auto is_listed = [&](const std::string& path) {
    return std::ranges::any_of(
        discovery.files, [&](const FoundFile& file) { return normal(file.path) == normal(path); });
  };
  std::size_t count = 0;
  for (const base::FileEntry& entry : *entries) {
    if (++count > kMaxFolderFiles) return;
    auto file = look_at(entry.path, entry.size_bytes, outer);
    if (!file || file->reader == nullptr || is_listed(entry.path)) continue;
    file->evidence = format("left out: files beside an archive are not used; name this one{}",
                            file->reader->part == Part::kGraph
                                ? ""
                                : format(" with {}", option_of(file->reader->part)));
    discovery.files.push_back(std::move(*file));
  }
}

Result<Discovery> discover_in(OpenedSource opened, const LoadRequest& request,
                              const base::FileSource& outer) {
  PLANEX_ASSIGN(const std::optional<model::Capsule> capsule, capsule_of(opened));
  Finder finder(request, *opened.source);
  auto found = capsule ? finder.run(*capsule) : finder.run();
  if (!found) {
    // A file that was left out of the archive may be the one that is missing.
    Error error = std::move(found).error();
    for (const model::DiagnosticFacts& remark : opened.remarks) {
      if (!error.context.empty()) error.context += '\n';
      error.context += remark.message;
    }
    return fail(std::move(error));
  }
  Discovery discovery = std::move(*found);
  PLANEX_TRY(expect_listed(opened.archive, *opened.source, discovery.files));
  list_beside(opened, outer, discovery);
  discovery.source = std::move(opened.source);
  discovery.remarks.insert(discovery.remarks.begin(), opened.remarks.begin(), opened.remarks.end());
  return discovery;
}

// The engines in an archive.
Result<std::vector<std::string>> engines_in_archive(const OpenedSource& opened) {
  PLANEX_ASSIGN(const std::optional<model::Capsule> capsule, capsule_of(opened));
  if (capsule) return std::vector<std::string>{opened.archive};
  const LoadRequest request{.path = opened.path};
  PLANEX_ASSIGN(std::vector<std::string> paths, Finder(request, *opened.source).engines());
  if (paths.size() == 1 && paths.front() == opened.path) paths.front() = opened.archive;
  return paths;
}

}  // namespace

Result<std::vector<std::string>> engine_paths(const std::string& path,
                                              const base::FileSource& source) {
  PLANEX_ASSIGN(const OpenedSource opened, open_source(path, source));
  if (opened.source != nullptr) return engines_in_archive(opened);
  const LoadRequest request{.path = opened.path};
  Finder finder(request, source);
  PLANEX_ASSIGN(std::vector<std::string> paths, finder.engines());
  for (const std::string& archive : finder.archives()) {
    auto in_archive = open_source(archive, source);
    auto found = in_archive && in_archive->source != nullptr
                     ? engines_in_archive(*in_archive)
                     : Result<std::vector<std::string>>(std::vector<std::string>());
    if (found) paths.insert(paths.end(), found->begin(), found->end());
  }
  return paths;
}

namespace {

Result<Discovery> discover_files(const LoadRequest& request, const base::FileSource& source) {
  // PyTorch and Keras save their models as zips.
  if (source.kind(request.path) == base::PathKind::kFile && !has_archive_name(request.path)) {
    PLANEX_ASSIGN(const std::string head, source.read_head(request.path, kSniffBytes));
    auto other = is_archive(head) ? other_model_error(request.path, head) : std::nullopt;
    if (other) return fail(std::move(*other));
  }
  PLANEX_ASSIGN(OpenedSource opened, open_source(request.path, source));
  LoadRequest inner = request;
  inner.path = opened.path;
  if (opened.source != nullptr) return discover_in(std::move(opened), inner, source);
  Finder finder(inner, source);
  auto discovery = finder.run();
  if (discovery) return discovery;
  const std::optional<std::string> archive = finder.only_archive();
  if (!archive) return fail(with_folders_below(discovery.error(), inner.path, source));
  PLANEX_ASSIGN(opened, open_source(*archive, source));
  opened.remarks.push_back({.code = "archive-opened",
                            .severity = model::Severity::kInfo,
                            .message = "no engine among the files, so the only archive was opened",
                            .file = *archive});
  inner.path = opened.path;
  return discover_in(std::move(opened), inner, source);
}

}  // namespace

Result<Discovery> discover(const LoadRequest& request, const base::FileSource& source) {
  if (source.kind(request.path) != base::PathKind::kOther) return discover_files(request, source);
  PLANEX_ASSIGN(auto stream, read_stream(request.path, source));
  PLANEX_ASSIGN(Discovery discovery, discover_files(request, *stream));
  if (discovery.source == nullptr) discovery.source = stream;
  discovery.stream = std::move(stream);
  return discovery;
}

}  // namespace planex::ingest
