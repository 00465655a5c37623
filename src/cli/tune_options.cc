#include "cli/tune_options.h"

#include <charconv>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "cli/file_options.h"
#include "drive/metric_program.h"

namespace planex::cli {

void DataOptions::add(CLI::App& app) {
  reads_files(
      app.add_option("--data", request_.path,
                     "Samples: a folder of pictures (JPEG, PNG, WebP), or of one folder per label; "
                     ".npy, .npz, or a folder of them; inputs that Polygraphy saved; raw:DIR"),
      FileRole::kReadsAll)
      ->type_name("PATH");
  app.add_option(
         "--prep", request_.preparation,
         "How to make samples from pictures: resize=HxW, fit=stretch|pad|crop, fill=0..255, "
         "color=rgb|bgr|gray, layout=nchw|nhwc, mean=, std=, scale= (for values 0 to 255; three "
         "values separated by colons); or imagenet, unit, signed, raw")
      ->type_name("WORDS");
  app.add_option("--shape", shapes_, "Shape of an input with dynamic dimensions: x=1x3x48x320")
      ->allow_extra_args(false)
      ->type_name("NAME=DIMS");
  reads_files(app.add_option("--labels", request_.labels,
                             "A text file with the label of each sample: one label per line, in "
                             "sample order, or NAME,LABEL by file name"))
      ->type_name("FILE");
  app.add_option("--seed", request_.seed, "Seed that chooses the samples and their order")
      ->capture_default_str();
  writes_folder(
      app.add_option("--preview", request_.preview_dir,
                     "Write the first pictures as the model sees them to this folder, as PNG"))
      ->type_name("DIR");
}

Result<tune::DataRequest> DataOptions::request() const {
  tune::DataRequest request = request_;
  for (const std::string& text : shapes_) {
    const std::size_t equals = text.rfind('=');
    std::vector<std::int64_t> dims;
    std::string_view rest = equals == std::string::npos ? std::string_view()
                                                        : std::string_view(text).substr(equals + 1);
    bool is_good = !rest.empty();
    while (!rest.empty() && is_good) {
      const std::string_view part = base::take_part(rest, 'x');
      std::int64_t dim = 0;
      const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), dim);
      is_good = error == std::errc() && end == part.data() + part.size() && dim > 0;
      dims.push_back(dim);
    }
    if (!is_good) {
      return fail(ErrorCode::kUsage, base::format("--shape {} is not a shape", base::quoted(text)),
                  "NAME=1x3x224x224");
    }
    request.shapes.emplace_back(text.substr(0, equals), std::move(dims));
  }
  return request;
}

void add_metric_option(CLI::App& app, std::vector<std::string>& metrics) {
  reads_files(app.add_option(
                  "--metric", metrics,
                  "A program that gets two .npz files of outputs, the float model's and another's, "
                  "and prints a number, or a JSON object of names and numbers; can be repeated"),
              FileRole::kReadsWords)
      ->allow_extra_args(false)
      ->type_name("PROGRAM");
}

Result<void> check_metrics(const std::vector<std::string>& metrics) {
  for (const std::string& metric : metrics) {
    const std::vector<std::string> words = drive::metric_words(metric);
    if (words.empty()) {
      return fail(ErrorCode::kUsage, "--metric names no program",
                  "./iou.py, or \"python3 iou.py\"");
    }
    // Fail before minutes of work. A name without a folder is searched for when it is started.
    if (words.front().contains('/') &&
        base::disk().kind(words.front()) == base::PathKind::kMissing) {
      return fail({.code = ErrorCode::kNotFound,
                   .message = "no such file: it should be the program of --metric",
                   .file = words.front()});
    }
  }
  return {};
}

Result<std::unique_ptr<Shop>> Shop::open(const Environment& environment, int threads) {
  PLANEX_ASSIGN(base::ScratchFolder folder, base::ScratchFolder::create());
  std::unique_ptr<Shop> shop(new Shop(std::move(folder)));
  tune::Workshop& workshop = shop->workshop_;
  workshop.program = base::join_path(environment.program_dir, "planex-openvino");
  if (base::disk().kind(workshop.program) != base::PathKind::kFile) {
    return fail({.code = ErrorCode::kNotFound,
                 .message = "planex-openvino, which runs models here, is not next to planex",
                 .file = workshop.program,
                 .hint = "pip install 'planex-explorer[openvino]', or build with "
                         "-DPLANEX_BUILD_OPENVINO=ON."});
  }
  workshop.folder = shop->folder_.path();
  workshop.threads = threads;
  workshop.cancellation = shop->interrupt_.cancellation();
  shop->line_.emplace();
  workshop.progress = [line = &*shop->line_](std::string_view step, double done) {
    line->update("openvino", step, done);
  };
  return shop;
}

}  // namespace planex::cli
