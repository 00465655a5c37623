#include "jobs/shop.h"

#include <filesystem>
#include <string>
#include <system_error>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"

namespace planex::jobs {

Result<void> make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error) return {};
  return fail({.code = ErrorCode::kIo,
               .message = "can't make a folder: " + error.message(),
               .file = folder});
}

Result<std::unique_ptr<Shop>> Shop::open(const Context& context, int threads) {
  PLANEX_ASSIGN(base::ScratchFolder folder, base::ScratchFolder::create());
  std::unique_ptr<Shop> shop(new Shop(std::move(folder)));
  tune::Workshop& workshop = shop->workshop_;
  workshop.program = base::join_path(context.program_dir, "planex-openvino");
  if (base::disk().kind(workshop.program) != base::PathKind::kFile) {
    return fail({.code = ErrorCode::kNotFound,
                 .message = "planex-openvino, which runs models here, is not next to planex",
                 .file = workshop.program,
                 .hint = "pip install 'planex-explorer[openvino]', or build with "
                         "-DPLANEX_BUILD_OPENVINO=ON."});
  }
  workshop.folder = shop->folder_.path();
  workshop.threads = threads;
  workshop.cancellation = context.cancellation;
  workshop.progress = [&context](std::string_view step, double done) {
    context.progress.update("openvino", step, done);
  };
  return shop;
}

}  // namespace planex::jobs
