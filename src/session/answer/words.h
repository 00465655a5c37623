// The words that users choose with, and the meaning of each: one list for the command line and for
// other languages. The first word of a list is the default.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "planex/compare.h"
#include "planex/draw.h"
#include "planex/export.h"
#include "planex/session.h"

namespace planex::session {

template <typename T>
struct Word {
  const char* word;
  T value;
};

inline constexpr Word<Format> kFormats[] = {
    {"text", Format::kText},         {"json", Format::kJson},   {"csv", Format::kCsv},
    {"markdown", Format::kMarkdown}, {"junit", Format::kJunit}, {"sarif", Format::kSarif}};
inline constexpr Word<DrawFormat> kDrawFormats[] = {
    {"svg", DrawFormat::kSvg}, {"png", DrawFormat::kPng},   {"pdf", DrawFormat::kPdf},
    {"dot", DrawFormat::kDot}, {"onnx", DrawFormat::kOnnx}, {"json", DrawFormat::kJson}};
inline constexpr Word<DrawView> kDrawViews[] = {{"execution", DrawView::kExecution},
                                                {"memory", DrawView::kMemory},
                                                {"source", DrawView::kSource}};
inline constexpr Word<DrawColour> kDrawColours[] = {{"type", DrawColour::kType},
                                                    {"precision", DrawColour::kPrecision},
                                                    {"heat", DrawColour::kHeat},
                                                    {"memory", DrawColour::kMemory},
                                                    {"stream", DrawColour::kStream}};
inline constexpr Word<DrawTheme> kDrawThemes[] = {{"auto", DrawTheme::kAuto},
                                                  {"light", DrawTheme::kLight},
                                                  {"dark", DrawTheme::kDark},
                                                  {"print", DrawTheme::kPrint}};
inline constexpr Word<DrawPalette> kDrawPalettes[] = {{"planex", DrawPalette::kPlanex},
                                                      {"trex", DrawPalette::kTrex}};
inline constexpr Word<DrawTime> kDrawTimes[] = {
    {"median", DrawTime::kMedian}, {"mean", DrawTime::kMean}, {"total", DrawTime::kTotal}};
inline constexpr Word<DrawMemory> kDrawMemories[] = {
    {"none", DrawMemory::kNone}, {"forking", DrawMemory::kForking}, {"all", DrawMemory::kAll}};
inline constexpr Word<DrawNames> kDrawNames[] = {
    {"short", DrawNames::kShort}, {"original", DrawNames::kOriginal}, {"none", DrawNames::kNone}};
inline constexpr Word<DrawEdgeWords> kDrawEdgeWords[] = {{"shape", DrawEdgeWords::kShape},
                                                         {"name", DrawEdgeWords::kNameAndShape},
                                                         {"none", DrawEdgeWords::kNone}};
inline constexpr Word<MatchRule> kMatchRules[] = {{"best", MatchRule::kBest},
                                                  {"exact-shapes", MatchRule::kExactShapes},
                                                  {"first-shapes", MatchRule::kFirstShapes}};
// The command line has a flag for each but the first.
inline constexpr Word<CompareSection> kCompareSections[] = {
    {"overview", CompareSection::kOverview},
    {"pairs", CompareSection::kPairs},
    {"pair", CompareSection::kPair},
    {"ledger", CompareSection::kLedger},
    {"summaries", CompareSection::kSummaries}};
inline constexpr Word<ExportFormat> kExportFormats[] = {
    {"plan", ExportFormat::kPlan},         {"csv", ExportFormat::kCsv},
    {"jsonl", ExportFormat::kJsonLines},   {"xlsx", ExportFormat::kXlsx},
    {"trace", ExportFormat::kTrace},       {"onnx", ExportFormat::kOnnx},
    {"node-data", ExportFormat::kNodeData}};
inline constexpr Word<ExportTime> kExportTimes[] = {
    {"best", ExportTime::kBest}, {"median", ExportTime::kMedian}, {"mean", ExportTime::kMean}};
inline constexpr Word<ExportNodes> kExportNodes[] = {{"best", ExportNodes::kBest},
                                                     {"layers", ExportNodes::kLayers},
                                                     {"operations", ExportNodes::kOperations}};
inline constexpr Word<ExportValue> kExportValues[] = {{"time", ExportValue::kTime},
                                                      {"layer-time", ExportValue::kLayerTime},
                                                      {"share", ExportValue::kShare},
                                                      {"precision", ExportValue::kPrecision}};

// The words of a type.
constexpr std::span<const Word<Format>> words_of(Format) { return kFormats; }
constexpr std::span<const Word<DrawFormat>> words_of(DrawFormat) { return kDrawFormats; }
constexpr std::span<const Word<DrawView>> words_of(DrawView) { return kDrawViews; }
constexpr std::span<const Word<DrawColour>> words_of(DrawColour) { return kDrawColours; }
constexpr std::span<const Word<DrawTheme>> words_of(DrawTheme) { return kDrawThemes; }
constexpr std::span<const Word<DrawPalette>> words_of(DrawPalette) { return kDrawPalettes; }
constexpr std::span<const Word<DrawTime>> words_of(DrawTime) { return kDrawTimes; }
constexpr std::span<const Word<DrawMemory>> words_of(DrawMemory) { return kDrawMemories; }
constexpr std::span<const Word<DrawNames>> words_of(DrawNames) { return kDrawNames; }
constexpr std::span<const Word<DrawEdgeWords>> words_of(DrawEdgeWords) { return kDrawEdgeWords; }
constexpr std::span<const Word<MatchRule>> words_of(MatchRule) { return kMatchRules; }
constexpr std::span<const Word<CompareSection>> words_of(CompareSection) {
  return kCompareSections;
}
constexpr std::span<const Word<ExportFormat>> words_of(ExportFormat) { return kExportFormats; }
constexpr std::span<const Word<ExportTime>> words_of(ExportTime) { return kExportTimes; }
constexpr std::span<const Word<ExportNodes>> words_of(ExportNodes) { return kExportNodes; }
constexpr std::span<const Word<ExportValue>> words_of(ExportValue) { return kExportValues; }

// The value of a word, or nothing.
template <typename T, std::size_t kExtent>
std::optional<T> value_of_word(std::span<const Word<T>, kExtent> words, std::string_view word) {
  for (const Word<T>& choice : words) {
    if (word == choice.word) return choice.value;
  }
  return std::nullopt;
}

}  // namespace planex::session
