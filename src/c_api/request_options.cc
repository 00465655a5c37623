#include "c_api/request_options.h"

#include "base/text.h"

namespace planex::c_api {
namespace {

Result<void> set_option(const session::Options& options, const OptionText& given) {
  PLANEX_ASSIGN(const session::Option* option, session::find_option(options, given.name));
  auto done = session::assign(*option, given.value);
  if (done) return {};
  Error error = std::move(done).error();
  error.message = base::format("{}: {}", given.name, error.message);
  return fail(std::move(error));
}

}  // namespace

Result<void> set_options(const session::Options& options, OptionTexts texts) {
  for (const OptionText& given : texts) PLANEX_TRY(set_option(options, given));
  return {};
}

Result<View> view_of(OptionTexts texts, session::Options more) {
  View view{.format = Format::kJson};
  session::add(more, session::options_of(view));
  PLANEX_TRY(set_options(more, texts));
  return view;
}

Result<std::vector<EngineOptions>> engine_options(OptionTexts texts) {
  std::vector<EngineOptions> engines;
  for (const OptionText& given : texts) {
    if (given.name == "path") {
      engines.emplace_back();
    } else if (engines.empty()) {
      return fail(ErrorCode::kUsage,
                  base::format("option {} comes before the first path", base::quoted(given.name)));
    }
    session::Options options = session::options_of(engines.back().request);
    options.push_back({.name = "within", .member = &engines.back().within});
    PLANEX_TRY(set_option(options, given));
  }
  return engines;
}

}  // namespace planex::c_api
