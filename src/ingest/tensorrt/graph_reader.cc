#include "ingest/tensorrt/graph_reader.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "base/text.h"
#include "base/try.h"
#include "ingest/json_documents.h"
#include "ingest/json_input.h"
#include "ingest/tensorrt/graph_documents.h"
#include "ingest/tensorrt/graph_pieces.h"
#include "ingest/tensorrt/optimization_profiles.h"
#include "ingest/tensorrt/producer_version.h"

namespace planex::ingest::tensorrt {
namespace {

using base::format;
using model::Severity;

class GraphReader {
 public:
  GraphReader(const Artefact& artefact, model::ModelBuilder& builder)
      : artefact_(artefact), builder_(builder) {}

  Result<void> read(const PieceSizes& sizes) {
    const bool is_read = read_in_pieces(sizes);
    if (excess_) return fail(std::move(*excess_));
    if (!is_read) {
      documents_.emplace(artefact_, builder_);
      reserve(artefact_.bytes->view().size(), builder_);
      PLANEX_TRY(read_documents());
    }
    documents_->records().finish();
    PLANEX_TRY(assign_profiles({.saw_mark = documents_->records().saw_profile_mark(),
                                .listed_count = documents_->io_tensors().profile_count()},
                               artefact_.path, builder_));
    finish();
    return {};
  }

 private:
  // Detailed files have a layer every 1350 bytes, an attribute every 67 and a port every 570; a
  // vector that grows by doubling would touch its memory twice.
  static void reserve(std::size_t bytes, model::ModelBuilder& builder) {
    builder.reserve({.layers = bytes / 1200,
                     .attributes = bytes / 60,
                     .ports = bytes / 500,
                     .strings = bytes / 50});
  }

  // --- Large files ---

  using From = PieceReader::From;

  // Half of the layers, read in parallel with the others.
  struct Half {
    Half(const Artefact& artefact, const model::BuilderLimits& limits)
        : builder(limits), documents(artefact, builder) {}

    void read(const Artefact& artefact, std::span<const ByteRange> pieces, From from) {
      PieceReader reader(artefact, builder, documents, from);
      whole = std::ranges::all_of(pieces, [&](ByteRange piece) {
        return reader.read(piece) && !builder.has_exceeded_limit();
      });
    }

    model::ModelBuilder builder;
    GraphDocuments documents;
    bool whole = false;
  };

  // Returns false, and leaves the builder unchanged, if the file has to be read as a whole.
  bool read_in_pieces(const PieceSizes& sizes) {
    const std::string_view text = artefact_.bytes->view();
    const std::vector<ByteRange> pieces = pieces_of(text, sizes);
    constexpr std::size_t kMinPieces = 3;
    if (pieces.size() < kMinPieces || !is_new()) return false;
    // What follows the layers is about the engine, of which the halves know nothing.
    const auto layers = std::span(pieces).first(pieces.size() - 1);
    const ByteRange rest = pieces.back();
    const std::size_t middle = base::can_run_both() ? layers.size() / 2 : layers.size();
    Half first(artefact_, builder_.limits()), second(artefact_, builder_.limits());
    reserve(text.size(), first.builder);
    if (middle < layers.size()) reserve(text.size() / 2, second.builder);
    base::run_both([&] { first.read(artefact_, layers.first(middle), From::kBegin); },
                   [&] {
                     // The rest is read again when the engine is known: here it is only checked.
                     Half trial(artefact_, builder_.limits());
                     trial.read(artefact_, std::span(&rest, 1), From::kMiddle);
                     if (!trial.whole) return;
                     second.read(artefact_, layers.subspan(middle), From::kMiddle);
                   });
    for (const Half* half : {&first, &second}) {
      // The whole file would have even more, and would be read in vain.
      if (!excess_) excess_ = half->builder.exceeded_limit(artefact_.path);
    }
    if (excess_ || !first.whole || !second.whole) return false;

    const std::size_t layer_count = first.documents.record_count();
    first.builder.append(std::move(second.builder), [&](std::string_view pointer) {
      return pointer_behind(pointer, layer_count);
    });
    excess_ = first.builder.exceeded_limit(artefact_.path);
    if (excess_) return false;
    first.builder.prepend(std::move(builder_));
    builder_ = std::move(first.builder);
    documents_.emplace(artefact_, builder_);
    documents_->append(first.documents);
    documents_->append(second.documents);
    return PieceReader(artefact_, builder_, *documents_, From::kMiddle).read(rest);
  }

  // Nothing that was read before has an id that further layers would shift.
  bool is_new() {
    const model::PlanModel& model = builder_.model();
    return model.layers.row_count() + model.tensors.row_count() + model.operations.row_count() +
               model.blocks.row_count() + model.regions.row_count() ==
           0;
  }

  // "/Layers/17/Name" if this many layers come before.
  static std::string pointer_behind(std::string_view pointer, std::size_t layer_count) {
    constexpr std::string_view kLayers = "/Layers/";
    std::size_t index = 0;
    if (!pointer.starts_with(kLayers)) return std::string(pointer);
    const std::string_view rest = pointer.substr(kLayers.size());
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), index);
    if (error != std::errc()) return std::string(pointer);
    return format("{}{}{}", kLayers, index + layer_count,
                  rest.substr(static_cast<std::size_t>(end - rest.data())));
  }

  // --- Which documents there are ---

  Result<void> read_documents() {
    const std::string_view text = artefact_.bytes->view();
    if (const std::string_view content = base::trimmed(text); content.starts_with('"')) {
      if (const std::size_t end = content.find('\n'); end == content.npos) {
        return read_only_text();
      }
    }
    JsonInput input(artefact_, kLayerFile);
    if (!begins_as_json(text) && JsonDocuments(text).next())
      return read_several(0, DocumentKind::kNothing);
    PLANEX_TRY(input.open(builder_));
    PLANEX_ASSIGN(const DocumentKind kind, documents_->read(input));
    input.report_not_a_number(builder_);
    if (kind == DocumentKind::kNothing) return fail(no_layers_error(artefact_));
    if (const auto end = input.trailing_offset()) return read_several(*end, kind);
    return {};
  }

  // The whole file is one string, which contains the document.
  Result<void> read_only_text() {
    JsonInput input(artefact_, kLayerFile);
    const std::string_view text = artefact_.bytes->view();
    PLANEX_TRY(input.open_part({0, text.size()}, builder_));
    PLANEX_ASSIGN(const DocumentKind kind, documents_->read(input));
    return kind == DocumentKind::kNothing ? fail(no_layers_error(artefact_)) : Result<void>();
  }

  // From `at` on: consecutive documents, and other text between them. After a complete engine only
  // documents of that kind, or of layers, count; everything else is text.
  Result<void> read_several(std::size_t at, DocumentKind first) {
    const std::string_view text = artefact_.bytes->view();
    JsonDocuments documents(text, at);
    JsonInput input(artefact_, kLayerFile);
    std::size_t count = first == DocumentKind::kNothing ? 0 : 1;
    std::size_t end = at;
    std::optional<std::size_t> unread;
    const auto note_unread = [&](std::size_t from, std::size_t to) {
      if (!unread && has_content(text.substr(from, to - from))) {
        unread = text.find_first_not_of(" \t\r\n", from);
      }
    };
    bool lenient = first == DocumentKind::kEngine || first == DocumentKind::kList;
    bool has_texts = false;
    // A script that prints its engine twice has one engine, not one with twice the layers.
    std::string_view engine =
        first == DocumentKind::kEngine ? base::trimmed(text.substr(0, at)) : std::string_view();
    std::size_t repeated = 0;
    while (const auto part = documents.next()) {
      const std::string_view document = text.substr(part->first, part->size);
      if (lenient && !check_json_value(document)) continue;
      // A line in quotation marks only counts if it contains JSON.
      if (document.starts_with('"') && document.find("\\\"") == document.npos) {
        has_texts = true;
        continue;
      }
      if (document == engine) {
        ++repeated;
        end = part->first + part->size;
        continue;
      }
      auto kind = read_part(input, *part, count);
      if (!kind) return fail(std::move(kind).error());
      if (*kind == DocumentKind::kNothing) continue;
      if (*kind == DocumentKind::kEngine) engine = document;
      lenient = lenient || *kind != DocumentKind::kLayer;
      ++count;
      note_unread(end, part->first);
      end = part->first + part->size;
    }
    if (count == 0 && has_texts) return read_lines_of_names();
    input.report_not_a_number(builder_);
    if (documents.unclosed() && !lenient) {
      return fail(with_layer_file_hint(
          {.code = ErrorCode::kBadInput,
           .message = format("not {}: document {} does not end: the JSON is truncated", kLayerFile,
                             count + 1),
           .file = artefact_.path,
           .byte_offset = *documents.unclosed(),
           .hint = "the file is truncated: write it again"}));
    }
    if (count == 0) return fail(no_layers_error(artefact_));
    if (count > 1) {
      builder_.add_diagnostic(
          {.code = "several-documents",
           .severity = Severity::kInfo,
           .message = format("{} consecutive JSON documents; read as one engine", count),
           .file = artefact_.path});
    }
    if (repeated > 0) {
      builder_.add_diagnostic(
          {.code = "repeated-document",
           .severity = Severity::kInfo,
           .message = format("the engine is listed {} times; read once", repeated + 1),
           .file = artefact_.path});
    }
    report_text_around(text, unread, end);
    return {};
  }

  // Lines with one layer name each: get_layer_information() returns this for an engine without more
  // detail.
  Result<void> read_lines_of_names() {
    const std::string_view text = artefact_.bytes->view();
    JsonDocuments documents(text);
    JsonInput input(artefact_, kLayerFile);
    while (const auto part = documents.next()) {
      if (text[part->first] != '"') continue;
      PLANEX_TRY(input.open_part(*part, builder_));
      std::string_view name;
      if (const auto code = input.document().get_string().get(name)) {
        Error error = with_layer_file_hint(input.broken("", code, "a layer name"));
        error.byte_offset = part->first;
        return fail(std::move(error));
      }
      documents_->add_name({name, base::Lifetime::kCopy});
    }
    return {};
  }

  void report_text_around(std::string_view text, std::optional<std::size_t> unread,
                          std::size_t end) {
    if (unread) {
      builder_.add_diagnostic({.code = "leading-text",
                               .severity = Severity::kInfo,
                               .message = "text before or between the JSON documents was not read",
                               .file = artefact_.path,
                               .byte_offset = *unread});
    }
    if (has_content(text.substr(end))) {
      builder_.add_diagnostic({.code = "trailing-text",
                               .message = "text after the end of the JSON document was not read",
                               .file = artefact_.path,
                               .byte_offset = end});
    }
  }

  Result<DocumentKind> read_part(JsonInput& input, ByteRange part, std::size_t number) {
    auto opened = input.open_part(part, builder_);
    auto kind =
        opened ? documents_->read(input) : Result<DocumentKind>(fail(std::move(opened).error()));
    if (kind) return kind;
    Error error = std::move(kind).error();
    if (!error.byte_offset) error.byte_offset = part.first;
    error.context = format("{}{}in document {} of the file", error.context,
                           error.context.empty() ? "" : ", ", number + 1);
    return fail(with_layer_file_hint(std::move(error)));
  }

  // --- The engine ---

  void finish() {
    model::PlanModel& model = builder_.model();
    base::StringPool& strings = builder_.strings();
    model.engine.producer.set(0, strings.intern("tensorrt"));
    model.files.record_count.set(artefact_.file_row,
                                 static_cast<std::int64_t>(documents_->record_count()));
    const bool names_only =
        documents_->records().object_count() == 0 && documents_->records().name_count() > 0;
    model.engine.detail.set(0, strings.intern(names_only ? "names-only" : "full"));
    if (names_only) {
      builder_.add_diagnostic({.code = "names-only",
                               .severity = Severity::kWarning,
                               .message =
                                   "the file contains only layer names: the engine was built with "
                                   "profiling verbosity layer_names_only",
                               .file = artefact_.path});
    } else if (documents_->records().name_count() > 0) {
      builder_.add_diagnostic(
          {.code = "mixed-detail",
           .message = format("{} with just a name",
                             base::counted(documents_->records().name_count(), "layer")),
           .file = artefact_.path});
    }
    if (!documents_->saw_engine() && documents_->record_count() > 0) {
      builder_.add_diagnostic(
          {.code = "layers-without-engine",
           .severity = Severity::kInfo,
           .message = "the file lists only layers: the engine's inputs and outputs are unknown",
           .file = artefact_.path});
    }
    if (documents_->record_count() == 0) {
      builder_.add_diagnostic(
          {.code = "no-layers", .message = "the list \"Layers\" is empty", .file = artefact_.path});
    }
    set_producer_version({.era = documents_->records().era(),
                          .saw_io_tensors = documents_->io_tensors().saw_io_tensors(),
                          .saw_records = documents_->records().object_count() > 0},
                         builder_);
  }

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  std::optional<GraphDocuments> documents_;
  // The pieces have more layers or ports than the limit.
  std::optional<Error> excess_;
};

}  // namespace

Result<void> read_graph(const Artefact& artefact, model::ModelBuilder& builder) {
  return read_graph_in_pieces(artefact, builder, PieceSizes());
}

Result<void> read_graph_in_pieces(const Artefact& artefact, model::ModelBuilder& builder,
                                  const PieceSizes& sizes) {
  builder.keep(artefact.bytes);
  return GraphReader(artefact, builder).read(sizes);
}

}  // namespace planex::ingest::tensorrt
