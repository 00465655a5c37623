#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/file_options.h"
#include "cli/progress_line.h"
#include "cli/verb_options.h"
#include "session/answer/words.h"
#include "session/verbs/requests.h"

namespace planex::cli {
namespace {

// Flags of `trex draw`: each takes a value, or stands for several of our words.
struct Alias {
  std::string_view word, long_word;
  std::array<std::string_view, 3> ours;
};
constexpr Alias kAliases[] = {
    {"-pj", "--profiling_json", {"--profile"}},
    {"-of", "--output_format", {"--format"}},
    {"-dr", "--display_regions", {"--memory", "all"}},
    {"-dc", "--display_constant", {"--constants"}},
    {"-no_ln", "--no_layer_names", {"--no-names"}},
    {"-dm", "--display_metadata", {"--sources"}},
    {"-drn", "--display_region_names", {"--memory", "all", "--memory-names"}},
    {"-b", "--beam", {"--around"}},
    {"-q", "--query", {"--select"}},
};

std::string endings() {
  std::vector<std::string_view> words;
  for (const auto& choice : session::kDrawFormats) words.emplace_back(choice.word);
  return base::join_words(words);
}

// The format that a file name asks for, or nothing.
std::optional<DrawFormat> format_of_name(std::string_view path) {
  const std::string_view name = base::file_name_of(path);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const std::string ending = base::lower(name.substr(dot + 1));
  if (ending == "gv") return DrawFormat::kDot;
  return session::value_of_word(std::span(session::kDrawFormats), ending);
}

bool is_binary(DrawFormat wanted) {
  return wanted == DrawFormat::kPng || wanted == DrawFormat::kPdf || wanted == DrawFormat::kOnnx;
}

class DrawCommand final : public Command {
 public:
  std::string_view name() const override { return "draw"; }
  std::string_view summary() const override {
    return "Draw the engine: layers, tensors, precisions, hot spots";
  }
  std::string_view examples() const override {
    return "planex draw run/ -o engine.svg\n"
           "planex draw run/ --by heat --slowest 10 --context 2 -o slow.svg\n"
           "planex draw run/ --around layer1.0.conv2 --radius 3 -o part.svg\n"
           "planex draw run/ --select 'Reformat' --neighbours 1 -o copies.png\n"
           "planex draw run/ --between '#1' '#9' -o path.svg\n"
           "planex draw run/ --group layer3 --depth 0 --details -o layer3.svg\n"
           "planex draw run/ --view memory --theme dark -o memory.svg\n"
           "planex draw run/ -o engine.onnx";
  }
  std::vector<std::string> translated(std::vector<std::string> words) const override;
  void add_options(CLI::App& app) override;
  Result<int> run(const Environment&) override;

 private:
  Result<DrawFormat> format() const;
  DrawRequest request(DrawFormat format) const;

  PlanOptions plan_;
  DrawRequest request_;
  std::string output_, format_;
  std::vector<std::string> between_;
  bool no_names_ = false, original_names_ = false;
};

// The predecessor's names for the same options, so that its scripts keep working.
std::vector<std::string> DrawCommand::translated(std::vector<std::string> words) const {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const std::string_view flag = word.substr(0, word.find('='));
    const auto* alias = std::ranges::find_if(
        kAliases, [flag](const Alias& a) { return a.word == flag || a.long_word == flag; });
    if (alias == std::end(kAliases)) {
      result.push_back(words[i]);
      continue;
    }
    for (const std::string_view ours : alias->ours) {
      if (!ours.empty()) result.emplace_back(ours);
    }
    std::optional<std::string> value;
    if (flag.size() < word.size()) value = std::string(word.substr(flag.size() + 1));
    if (alias->word != "-b") {
      if (value) result.push_back(*value);
      continue;
    }
    // NODE,RADIUS; a name may have commas itself.
    if (!value && i + 1 < words.size()) value = words[++i];
    if (!value) continue;
    const std::size_t comma = value->rfind(',');
    result.push_back(value->substr(0, comma));
    if (comma != std::string::npos) {
      result.insert(result.end(), {"--radius", value->substr(comma + 1)});
    }
  }
  return result;
}

void DrawCommand::add_options(CLI::App& app) {
  plan_.add(app);
  std::vector<std::string> words;
  for (const auto& choice : session::kDrawFormats) words.emplace_back(choice.word);
  writes_output(app.add_option("-o,--output", output_,
                               "Write to FILE; its extension selects the format. Without -o, SVG "
                               "goes to standard output"))
      ->type_name("FILE");
  app.add_option("--format", format_, "The format, if the file extension does not select it")
      ->check(CLI::IsMember(words));
  cli::add_options(app, session::options_of(request_));
  app.add_option("--between", between_, "Only layers on a path from the first to the second")
      ->expected(2)
      ->type_name("NODE NODE");
  CLI::Option* original =
      app.add_flag("--original-names", original_names_, "Show the engine's own names");
  app.add_flag("--no-names", no_names_, "Show types instead of names")->excludes(original);
}

Result<DrawFormat> DrawCommand::format() const {
  if (!format_.empty()) {
    return *session::value_of_word(std::span(session::kDrawFormats), format_);
  }
  if (output_.empty()) return DrawFormat::kSvg;
  const auto format = format_of_name(output_);
  if (format) return *format;
  return fail(
      ErrorCode::kUsage,
      base::format("can't tell the format from {}", base::quoted(base::file_name_of(output_))),
      base::format("use one of the extensions {}, or add --format", endings()));
}

DrawRequest DrawCommand::request(DrawFormat format) const {
  DrawRequest request = request_;
  request.format = format;
  if (no_names_) request.names = DrawNames::kNone;
  if (original_names_) request.names = DrawNames::kOriginal;
  if (between_.size() == 2) {
    request.between_from = between_[0];
    request.between_to = between_[1];
  }
  return request;
}

Result<int> DrawCommand::run(const Environment&) {
  if (output_ == kStandardOutput) output_.clear();
  PLANEX_ASSIGN(const DrawFormat format, this->format());
  const bool to_terminal = output_.empty() && ::isatty(STDOUT_FILENO) != 0;
  if (to_terminal) {
    return fail(ErrorCode::kUsage,
                is_binary(format) ? "this format is binary and is not written to a terminal"
                                  : "a drawing is not written to a terminal",
                "planex draw PLAN -o engine.svg");
  }
  // A large PNG takes seconds.
  WaitingLine progress("draw");
  progress.enter("reading");
  PLANEX_ASSIGN(const Session session, plan_.open(output_));
  progress.enter("drawing");
  const DrawRequest request = this->request(format);
  PLANEX_TRY(write_pieces(output_,
                          [&](const DocumentSink& write) { return session.draw(request, write); }));
  return kExitFine;
}

}  // namespace

std::unique_ptr<Command> make_draw_command() { return std::make_unique<DrawCommand>(); }

}  // namespace planex::cli
