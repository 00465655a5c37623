#include "render/fields/engines.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "planex/version.h"
#include "render/fields/summary.h"

namespace planex::render {
namespace {

using analyze::EngineFigures;
using record::Fields;

// JavaScript's numbers represent milliseconds since 1970 exactly, but not nanoseconds.
std::optional<std::int64_t> ms_of(std::optional<std::int64_t> ns) {
  constexpr std::int64_t kNsPerMs = 1'000'000;
  return ns ? std::optional(*ns / kNsPerMs) : std::nullopt;
}

std::optional<std::int64_t> modified_ms_of(const ListedEngine& engine) {
  return ms_of(engine.modified_ns);
}

bool is_ready(const ListedEngine& engine) { return engine.state == EngineState::kReady; }

// A member of its figures.
template <typename Member>
auto of_row(Member EngineFigures::* member) {
  return [member](const ListedEngine& engine) -> const Member& { return engine.row.*member; };
}

// What is known after an engine was read.
Fields<ListedEngine> read_engine_fields() {
  auto fields =
      Fields<ListedEngine>("", "")
          .maybe("headline", "", "The first sentence of its summary; null: nothing stands out.",
                 &ListedEngine::headline)
          .maybe("name", "", "Its name.", of_row(&EngineFigures::name))
          .maybe("producer", "", "tensorrt, tensorrt-rtx, openvino or onnxruntime.",
                 of_row(&EngineFigures::producer))
          .maybe("producer_version", "", "Version of the producer.",
                 of_row(&EngineFigures::producer_version))
          .maybe("device", "", "What it was built for or measured on.",
                 of_row(&EngineFigures::device))
          .maybe("detail", "", "How detailed its files are.", of_row(&EngineFigures::detail))
          .maybe("precision", "", "The precision that most of the layer time runs in.",
                 of_row(&EngineFigures::precision))
          .field("batch_size", "count", "First dimension of its first input.",
                 of_row(&EngineFigures::batch_size))
          .field("end_to_end_median_ms", "ms", "Median of the inferences, without a profiler.",
                 of_row(&EngineFigures::end_to_end_median_ms))
          .field("layers_ms", "ms", "Sum of the layer times; basis says which times.",
                 of_row(&EngineFigures::layers_ms))
          .maybe("basis", "", "Which times of layers.", of_row(&EngineFigures::basis))
          .field("layer_count", "count", "Layers that do work.",
                 of_row(&EngineFigures::layer_count))
          .field("weight_bytes", "bytes", "Weights.", of_row(&EngineFigures::weight_bytes))
          .field("reached_ratio", "ratio",
                 "Time at the device's limits as a ratio of the measured time, of layers whose "
                 "work is known, as explain speed has it; null without a known device.",
                 &ListedEngine::reached_ratio)
          .field("outputs_simulated_db", "dB",
                 "Lowest SQNR of its outputs against the float model, in the quantized model's own "
                 "arithmetic; null: no record of quantizing.",
                 of_row(&EngineFigures::outputs_simulated_db))
          .field("outputs_engine_db", "dB", "The same in the engine.",
                 of_row(&EngineFigures::outputs_engine_db))
          .object("findings", "What lint found.", finding_counts_fields(),
                  of_row(&EngineFigures::findings));
  const std::size_t count = fields.record().fields.size();
  return std::move(fields).where(is_ready, count);
}

Fields<ListedEngine> listed_engine_fields() {
  return Fields<ListedEngine>("ListedEngine", "An engine that is served.")
      .field("id", "", "Id of the engine in addresses.", &ListedEngine::id)
      .field("place", "", "Its path, as it was given.", &ListedEngine::place)
      .field("is_dropped", "", "Its files were sent by a page and are kept in memory.",
             &ListedEngine::is_dropped)
      .field("state", "", "Figures follow if it is ready.", &ListedEngine::state)
      .field("is_stale", "", "Its files changed after they were read; the figures are from before.",
             &ListedEngine::is_stale)
      .maybe("error", "", "Why it can't be read; several lines.", &ListedEngine::error)
      .field("modified_ms", "ms", "When the last of its files was written, since 1970 (UTC).",
             modified_ms_of)
      .field("size_bytes", "bytes", "Size of its files, as far as they are known.",
             &ListedEngine::size_bytes)
      .with(read_engine_fields());
}

struct TrendPoint {
  const ListedEngine* engine;
  std::optional<double> change_ratio;
};

std::vector<std::vector<TrendPoint>> trends_of(const EngineList& list) {
  std::vector<std::vector<TrendPoint>> trends;
  for (const analyze::RunTrend& trend : list.trends) {
    auto& points = trends.emplace_back();
    for (std::size_t i = 0; i < trend.rows.size(); ++i) {
      points.push_back({&list.engines[trend.rows[i]], trend.change_ratio[i]});
    }
  }
  return trends;
}

Fields<TrendPoint> trend_fields() {
  return Fields<TrendPoint>("TrendPoint", "A run of an engine that has earlier runs.")
      .field("id", "", "The engine.",
             [](const TrendPoint& point) -> const std::string& { return point.engine->id; })
      .field("modified_ms", "ms", "When its files were written, since 1970 (UTC).",
             [](const TrendPoint& point) { return modified_ms_of(*point.engine); })
      .never_null()
      .field("end_to_end_median_ms", "ms", "Median of its inferences.",
             [](const TrendPoint& point) { return point.engine->row.end_to_end_median_ms; })
      .never_null()
      .field("change_ratio", "ratio",
             "Change from the run before, as a ratio of it; null for the first.",
             &TrendPoint::change_ratio);
}

std::string_view code_word(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return "usage";
    case ErrorCode::kNotFound:
      return "not-found";
    case ErrorCode::kBadInput:
      return "bad-input";
    case ErrorCode::kUnsupported:
      return "unsupported";
    case ErrorCode::kExternalTool:
      return "external-tool";
    case ErrorCode::kIo:
      return "io";
    case ErrorCode::kCancelled:
      return "cancelled";
    case ErrorCode::kInternal:
      break;
  }
  return "internal";
}

}  // namespace

std::string_view to_string(EngineState state) {
  switch (state) {
    case EngineState::kReady:
      return "ready";
    case EngineState::kFailed:
      return "failed";
    case EngineState::kWaiting:
      return "waiting";
  }
  return "";
}

const record::Document<EngineList, EngineList>& engines_document() {
  const auto generator =
      Fields<EngineList>("Generator", "What made the document.")
          .field("name", "", "planex.", [](const EngineList&) { return "planex"; })
          .field("version", "", "Its version.", [](const EngineList&) { return PLANEX_VERSION; });
  static const record::Document<EngineList, EngineList> kDocument = {
      "planex.engines/1", "The engines that planex serve shows: GET /api/engines",
      Fields<EngineList, EngineList>("Engines", "The engines that planex serve shows.")
          .object("generator", "", generator, std::identity{})
          .field("is_searching", "", "The first scan of the folders is not finished.",
                 &EngineList::is_searching)
          .maybe("left_out", "", "Why the list is incomplete.", &EngineList::left_out)
          .field("places", "", "The paths that were given.", &EngineList::places)
          .list("engines", "The engines.", listed_engine_fields(), &EngineList::engines)
          .lists("trends", "Runs of one name, producer and device, oldest first.", trend_fields(),
                 trends_of)};
  return kDocument;
}

const record::Document<std::vector<std::string>>& opened_document() {
  static const record::Document<std::vector<std::string>> kDocument = {
      "planex.opened/1", "Engines that were dropped and opened: POST /api/open",
      Fields<std::vector<std::string>>("Opened", "Engines that were dropped and opened.")
          .field("ids", "", "Their ids in addresses.", std::identity{})};
  return kDocument;
}

const record::Document<PageVersion>& page_version_document() {
  static const record::Document<PageVersion> kDocument = {
      "planex.page-version/1", "Version of what a served report shows: GET /api/version",
      Fields<PageVersion>("PageVersion", "Version of what a served report shows.")
          .field("version", "",
                 "Changes when a file of one of the engines changes; the report contains its own "
                 "in its head (planex-version).",
                 &PageVersion::version)
          .field("state", "",
                 "waiting: an engine has yet to be read, or read again; failed: an engine can't be "
                 "read.",
                 &PageVersion::state)};
  return kDocument;
}

const record::Document<Error>& error_document() {
  static const record::Document<Error> kDocument = {
      "planex.error/1", "What went wrong, over HTTP",
      Fields<Error>("ErrorReply", "What went wrong, and what to do about it.")
          .field("code", "", "Its code.", [](const Error& error) { return code_word(error.code); })
          .one_of({"usage", "not-found", "bad-input", "unsupported", "external-tool", "io",
                   "cancelled", "internal"})
          .field("message", "", "What was found, and what was expected.", &Error::message)
          .maybe("file", "", "The file it is about.", &Error::file)
          .maybe("context", "", "More lines of context.", &Error::context)
          .maybe("hint", "", "What to do about it.", &Error::hint)};
  return kDocument;
}

}  // namespace planex::render
