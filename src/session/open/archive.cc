#include "session/open/archive.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "analyze/reproduce/redact.h"
#include "archive/zip_writer.h"
#include "base/files.h"
#include "base/sha256.h"
#include "base/text.h"
#include "base/try.h"
#include "ingest/discover/archive.h"
#include "ingest/discover/capsule.h"
#include "ingest/discover/decode.h"
#include "ingest/discover/discover.h"
#include "ingest/discover/file_names.h"
#include "onnx/model.h"
#include "onnx/read.h"
#include "onnx/without_weights.h"
#include "render/fields/capsule.h"
#include "render/json/plan_json.h"
#include "render/json/record_json.h"
#include "render/text/capsule_text.h"
#include "session/answer/format.h"
#include "session/open/engine.h"
#include "session/open/internals.h"
#include "session/open/optimized.h"

namespace planex::session {
namespace {

using base::format;
using ingest::FoundFile;
using model::ArchiveReport;
using model::Capsule;
using model::CapsuleCheck;
using model::CapsuleFile;

constexpr std::string_view kRedactedName = "engine.plan.json";

class CapsuleMaker {
 public:
  CapsuleMaker(const ArchiveRequest& request, const base::FileSource& files)
      : request_(request), files_(files) {}

  Result<MadeCapsule> make() {
    Capsule& capsule = report_.capsule;
    if (is_optimized(request_.engine.path, files_)) {
      PLANEX_TRY(add_search());
    } else if (request_.redact) {
      PLANEX_TRY(add_redacted());
    } else {
      PLANEX_TRY(add_files());
    }
    std::string list = render::json_document(render::capsule_document(), capsule);
    // The list comes first: a reader of the beginning sees what this is.
    members_.insert(members_.begin(), {.name = std::string(model::kCapsuleList),
                                       .bytes = base::adopt_bytes(std::move(list))});
    PLANEX_ASSIGN(std::string bytes, archive::zip_text(members_, request_.output));
    report_.path = request_.output;
    report_.size_bytes = bytes.size();
    report_.sha256 = base::sha256_of(bytes);
    return MadeCapsule{std::move(bytes), std::move(report_)};
  }

 private:
  Result<void> add_files() {
    PLANEX_ASSIGN(const ingest::Discovery discovery,
                  ingest::discover(to_load_request(request_.engine), files_));
    // What can't be read now can't be read later.
    PLANEX_TRY(open_engine(request_.engine, files_));
    const base::FileSource& source = discovery.source == nullptr ? files_ : *discovery.source;
    Capsule& capsule = report_.capsule;
    capsule.engine = discovery.engine_name;
    capsule.is_name_given = discovery.is_name_given;
    capsule.profile_index = discovery.profile_index;
    capsule.run = discovery.run;
    for (const FoundFile& file : discovery.files) {
      if (file.used) PLANEX_TRY(add_file(file, source));
    }
    return {};
  }

  Result<void> add_file(const FoundFile& file, const base::FileSource& source) {
    PLANEX_ASSIGN(auto bytes, source.read(file.path));
    CapsuleFile entry{.name = free_name(base::file_name_of(file.path)),
                      .kind = std::string(file.reader->id),
                      .evidence = file.evidence,
                      .is_engine = file.is_engine,
                      .is_named = file.is_named,
                      .is_build_only = file.is_build_only};
    if (file.member) entry.is_without_weights = file.member->is_without_weights;
    if (file.reader->part == ingest::Part::kSource && !request_.with_weights) {
      leave_weights_out(entry, bytes);
    }
    add(std::move(entry), std::move(bytes));
    return {};
  }

  // planex reads the same from a model with and without its weights.
  void leave_weights_out(CapsuleFile& entry, std::shared_ptr<const base::Bytes>& bytes) {
    if (ingest::is_packed(bytes->view())) return;
    auto light = onnx::without_weights(bytes->view());
    if (!light || light->size() >= bytes->view().size()) return;
    entry.is_without_weights = true;
    report_.notes.push_back(format("{} is included without its weights; --with-weights adds them",
                                   base::quoted(entry.name)));
    bytes = base::adopt_bytes(*std::move(light));
  }

  void add(CapsuleFile entry, std::shared_ptr<const base::Bytes> bytes) {
    add(std::move(entry), std::move(bytes), report_.capsule.files);
  }
  void add(CapsuleFile entry, std::shared_ptr<const base::Bytes> bytes,
           std::vector<CapsuleFile>& list) {
    entry.size_bytes = bytes->view().size();
    entry.sha256 = base::sha256_of(bytes->view());
    members_.push_back({.name = entry.name, .bytes = std::move(bytes)});
    list.push_back(std::move(entry));
  }

  bool is_taken(std::string_view name) const {
    return name == model::kCapsuleList ||
           std::ranges::find(members_, name, &archive::ZipMember::name) != members_.end();
  }

  // Files of different folders may have the same name.
  std::string free_name(std::string_view name) const {
    std::string free(name);
    for (int number = 2; is_taken(free); ++number) free = format("{}-{}", number, name);
    return free;
  }

  // A folder of `planex optimize`: its members have the places that they have there, so what opens
  // the folder opens the capsule. The capsule's engine is the best, or else the first.
  Result<void> add_search() {
    if (request_.redact) {
      return fail({.code = ErrorCode::kUnsupported,
                   .message = "a search can't be redacted: its record has names of steps and files",
                   .file = request_.engine.path,
                   .hint = "redact one of its engines: `planex archive best/best --redact -o …`"});
    }
    const std::string folder = ingest::without_trailing_slash(request_.engine.path);
    const std::string record_path = optimize_record(folder);
    PLANEX_ASSIGN(const auto record_bytes, files_.read(record_path));
    PLANEX_ASSIGN(const auto record, read_record(record_path, files_));
    std::vector<OpenRequest> engines = optimized_engines(folder, files_);
    PLANEX_TRY(drop_other_model(engines, folder, record));
    Capsule& capsule = report_.capsule;
    for (std::size_t i = engines.size(); i-- > 0;) {
      const bool is_shown = i + 1 == engines.size();
      PLANEX_TRY(add_engine(engines[i], folder, is_shown ? capsule.files : capsule.others));
      if (is_shown) capsule.engine = engines[i].name.value_or(std::string());
    }
    capsule.is_name_given = true;
    add({.name = std::string(base::file_name_of(record_path)), .kind = "record"}, record_bytes,
        capsule.others);
    for (const std::string_view script : {"reproduce.py", "reproduce.sh"}) {
      auto bytes = files_.read(base::join_path(folder, script));
      if (!bytes) continue;
      add({.name = std::string(script), .kind = "script"}, *std::move(bytes), capsule.others);
    }
    return {};
  }

  // A model that was changed since would be another search's.
  Result<void> drop_other_model(std::vector<OpenRequest>& engines, const std::string& folder,
                                const ingest::OptimizeRecord& record) {
    std::string why = "is not there";
    for (OpenRequest& engine : engines) {
      if (!engine.source_model) continue;
      const std::string place = place_of(*engine.source_model, folder);
      if (!place.starts_with(model::kOriginalFolder)) continue;
      PLANEX_ASSIGN(const auto bytes, files_.read(*engine.source_model));
      if (record.model_sha256.empty() || base::sha256_of(bytes->view()) == record.model_sha256) {
        why.clear();
        continue;
      }
      why = "has changed since";
      engine.source_model.reset();
    }
    if (!why.empty()) {
      report_.notes.push_back(format("the model that was optimized is left out: {} {}",
                                     base::quoted(record.model), why));
    }
    return {};
  }

  static bool is_below(std::string_view path, const std::string& folder) {
    return path.starts_with(folder + "/");
  }

  // What the search did not put into its folder is the model that it began with.
  static std::string place_of(const std::string& path, const std::string& folder) {
    if (is_below(path, folder)) {
      std::string place = path.substr(folder.size() + 1);
      if (place == "model.onnx" || place.find('/') != std::string::npos) return place;
    }
    return base::join_path(model::kOriginalFolder, base::file_name_of(path));
  }

  Result<void> add_engine(const OpenRequest& engine, const std::string& folder,
                          std::vector<CapsuleFile>& list) {
    PLANEX_ASSIGN(const ingest::Discovery discovery,
                  ingest::discover(to_load_request(engine), files_));
    PLANEX_TRY(open_engine(engine, files_));
    for (const FoundFile& file : discovery.files) {
      if (!file.used) continue;
      const std::string name = place_of(file.path, folder);
      if (is_taken(name)) continue;
      PLANEX_ASSIGN(auto bytes, files_.read(file.path));
      CapsuleFile entry{.name = name,
                        .kind = std::string(file.reader->id),
                        .evidence = file.evidence,
                        .is_engine = file.is_engine,
                        .is_named = file.is_named,
                        .is_build_only = file.is_build_only};
      if (file.reader->part == ingest::Part::kSource) {
        // What an engine made of its model is read, but nothing is built from it again.
        const bool is_built_from = file.path == engine.source_model;
        if (!request_.with_weights || !is_built_from) {
          leave_weights_out(entry, bytes);
        } else {
          PLANEX_TRY(add_weights(file.path, name, bytes->view()));
        }
      }
      add(std::move(entry), std::move(bytes), list);
    }
    return {};
  }

  // The files that the model's weights are in, in their places beside it.
  Result<void> add_weights(const std::string& path, const std::string& name,
                           std::string_view model) {
    const auto source = onnx::read_model(model);
    if (!source) return {};
    for (const onnx::Tensor& tensor : source->tensors) {
      if (tensor.storage != onnx::Storage::kExternal || tensor.location.empty()) continue;
      const std::string place = base::join_path(base::folder_of(name), tensor.location);
      if (is_taken(place)) continue;
      const std::string file = base::join_path(base::folder_of(path), tensor.location);
      const std::string_view wrong = ingest::wrong_name(tensor.location);
      auto bytes = wrong.empty() ? files_.read(file) : Result<std::shared_ptr<const base::Bytes>>();
      if (!wrong.empty() || !bytes) {
        return fail({.code = ErrorCode::kBadInput,
                     .message = format("the weights in {} can't be packed: {}", base::quoted(file),
                                       wrong.empty() ? bytes.error().message : wrong),
                     .file = path,
                     .hint = "without --with-weights, only the structure of models is packed"});
      }
      add({.name = place, .kind = "weights"}, *std::move(bytes), report_.capsule.others);
    }
    return {};
  }

  Result<void> add_redacted() {
    PLANEX_ASSIGN(Engine engine, open_engine(request_.engine, files_));
    report_.notes = analyze::redact(engine.model, request_.salt);
    std::string text;
    PLANEX_TRY(render::write_plan(engine.model, [&](std::string_view piece) -> Result<void> {
      text += piece;
      return {};
    }));
    Capsule& capsule = report_.capsule;
    capsule.engine = engine.model.text(engine.model.engine.name[0]);
    capsule.is_redacted = true;
    add({.name = std::string(kRedactedName),
         .kind = "planex-plan",
         .evidence = "everything in the files of the engine, with hashes instead of names",
         .is_engine = true},
        base::adopt_bytes(std::move(text)));
    return {};
  }

  const ArchiveRequest& request_;
  const base::FileSource& files_;
  ArchiveReport report_;
  std::vector<archive::ZipMember> members_;
};

Result<void> check_output(const ArchiveRequest& request) {
  if (!ingest::has_archive_name(request.output)) {
    return fail({.code = ErrorCode::kUsage,
                 .message = "a capsule ends in .planex, .tea or .zip",
                 .file = request.output,
                 .hint = "planex archive PLAN -o run.planex"});
  }
  const OpenRequest& engine = request.engine;
  std::vector<std::string> inputs = {engine.path};
  for (const auto& named : {engine.graph, engine.profile, engine.times, engine.metadata, engine.log,
                            engine.nsight, engine.source_model, engine.accuracy}) {
    if (named) inputs.push_back(*named);
  }
  for (const std::string& input : inputs) {
    if (!base::is_same_file(input, request.output)) continue;
    return fail({.code = ErrorCode::kUsage,
                 .message = "the output would overwrite an input file",
                 .file = request.output,
                 .hint = "choose another name for -o"});
  }
  return {};
}

Failure no_such_format(std::string_view verb) {
  return fail(ErrorCode::kUsage, format("{} has no such format; it has text and json", verb));
}

}  // namespace

Result<MadeCapsule> make_capsule(const ArchiveRequest& request, const base::FileSource& files) {
  return CapsuleMaker(request, files).make();
}

}  // namespace planex::session

namespace planex {

Result<std::string> archive_engine(const ArchiveRequest& request, const View& view) {
  return session::archive_engine(request, view, base::disk());
}
Result<std::string> session::archive_engine(const ArchiveRequest& request, const View& view,
                                            const base::FileSource& files) {
  if (view.format != Format::kText && view.format != Format::kJson) {
    return session::no_such_format("archive");
  }
  PLANEX_TRY(session::check_output(request));
  PLANEX_ASSIGN(const session::MadeCapsule made, session::make_capsule(request, files));
  PLANEX_TRY(base::write_file_atomically(request.output, made.bytes));
  return view.format == Format::kJson
             ? render::json_document(render::archive_document(), made.report)
             : render::archive_text(made.report, session::style_of(view));
}

Result<VerifyResult> verify_capsule(const std::string& path, const View& view) {
  if (view.format != Format::kText && view.format != Format::kJson) {
    return session::no_such_format("verify");
  }
  PLANEX_ASSIGN(const model::CapsuleCheck check, ingest::check_capsule(path, base::disk()));
  return VerifyResult{.document = view.format == Format::kJson
                                      ? render::json_document(render::verify_document(), check)
                                      : render::verify_text(check, session::style_of(view)),
                      .is_intact = check.is_intact()};
}

}  // namespace planex
