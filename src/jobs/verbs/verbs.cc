#include <algorithm>

#include "jobs/job.h"
#include "jobs/verbs/accuracy.h"
#include "jobs/verbs/advise.h"
#include "jobs/verbs/cast.h"
#include "jobs/verbs/clean.h"
#include "jobs/verbs/optimize.h"
#include "jobs/verbs/quantize.h"
#include "jobs/verbs/search.h"

namespace planex::jobs {
namespace {

template <typename Request>
class RequestedJob final : public Job {
 public:
  session::Options options() override { return options_of(request_); }
  Result<Answer> run(const Context& context) override { return jobs::run(request_, context); }

 private:
  Request request_;
};

template <typename Request>
std::unique_ptr<Job> job_of() {
  return std::make_unique<RequestedJob<Request>>();
}

}  // namespace

std::span<const Verb> verbs() {
  static const Verb kVerbs[] = {
      {.name = "accuracy",
       .summary = "Compare a model, layer by layer on data, or saved tensors with a reference",
       .examples =
           "planex accuracy model.onnx model.int8.onnx --data pictures/ --prep imagenet\n"
           "planex accuracy model.onnx model.int8.onnx --data pictures/ --bisect\n"
           "planex accuracy model.onnx model.int8.onnx --data pictures/ --cured model.fixed.onnx\n"
           "planex accuracy model.onnx model.int8.onnx --data pictures/ --extract fault.onnx\n"
           "planex accuracy model.onnx model.int8.onnx --data pictures/ --labels labels.csv "
           "--metric ./iou.py\n"
           "planex accuracy model.onnx outputs.json --data inputs.json\n"
           "planex accuracy model.onnx model.int8.onnx --data samples.npz --engine-outputs "
           "outputs.npz\n"
           "planex accuracy float.npz int8.npz\n"
           "planex accuracy outputs.json\n"
           "planex accuracy outputs.json --runner onnxrt --runner trt --classes\n"
           "planex accuracy outputs.json trtexec-output.json --runner onnxrt\n"
           "planex accuracy debug-fp32/ debug-int8/ --format csv\n"
           "planex accuracy float.npz int8.npz --fail-below 20\n"
           "planex accuracy float.npz int8.npz --format markdown -o accuracy.md",
       .documents = {"layer-accuracy", "accuracy"},
       .writes_document = true,
       .make = job_of<AccuracyRequest>},
      {.name = "optimize",
       .summary = "Try what could make a model faster in an engine, and keep what is proven",
       .examples =
           "planex optimize model.onnx -o best/\n"
           "planex optimize model.onnx --data pictures/ --prep imagenet --goal 20dB -o best/\n"
           "planex optimize model.onnx --engine onnxruntime --threads 4 --budget 2m -o best/\n"
           "planex optimize model.onnx --try options --budget 90s -o best/\n"
           "planex optimize model.onnx --data samples.npz --goal 20dB -o best/ --print-plan",
       .documents = {"optimize"},
       .make = job_of<OptimizeRequest>},
      {.name = "quantize",
       .summary = "Quantize a float model to INT8, FP8 or INT4 with data, and report what it costs",
       .examples =
           "planex quantize model.onnx --data pictures/ --prep imagenet -o model.int8.onnx\n"
           "planex quantize model.onnx --data samples.npz -o model.int8.onnx --target tensorrt\n"
           "planex quantize model.onnx --data pictures/ --prep resize=48x320,signed "
           "--method percentile:99.99 -o model.int8.onnx\n"
           "planex quantize model.onnx --data pictures/ --keep head/Conv_3 -o model.int8.onnx "
           "--cache model.cache\n"
           "planex quantize model.onnx --data pictures/ --target tensorrt --cache model.cache "
           "--dla -o model.int8.onnx\n"
           "planex quantize model.onnx --data pictures/ --to fp8 --target tensorrt "
           "-o model.fp8.onnx\n"
           "planex quantize model.onnx --to int4 --target tensorrt-rtx --block-size 64 "
           "-o model.int4.onnx\n"
           "planex quantize model.onnx --data pictures/ --metric ./iou.py -o model.int8.onnx",
       .documents = {"quantize"},
       .make = job_of<QuantizeRequest>},
      {.name = "search",
       .summary = "Find the few layers of a quantized model that must stay in float",
       .examples =
           "planex search model.onnx --data pictures/ --prep imagenet --goal 20dB "
           "-o model.int8.onnx\n"
           "planex search model.onnx --data pictures/ --goal top1=99% --float-share 5% "
           "-o model.int8.onnx\n"
           "planex search model.onnx --data samples.npz --float-layers 4 -o model.int8.onnx "
           "--export-nodes nodes.txt\n"
           "planex search model.onnx --data samples.npz --goal 20dB -o model.int8.onnx --measure\n"
           "planex search model.onnx --data samples.npz --goal 25dB --target tensorrt "
           "-o int8.onnx --export-trtexec options.txt",
       .documents = {"search"},
       .make = job_of<SearchRequest>},
      {.name = "cast",
       .summary = "Cast a model to FP16 or BF16 where that is safe; convert a trtexec command to "
                  "TensorRT 11",
       .examples = "planex cast model.onnx --to fp16 -o model.fp16.onnx\n"
                   "planex cast model.onnx --to fp16 --data samples.npz --keep-below 40 "
                   "-o model.fp16.onnx\n"
                   "planex cast model.onnx --to bf16 --keep-op Gemm --io small -o model.bf16.onnx\n"
                   "planex cast --from-trtexec \"trtexec --onnx=model.onnx --fp16 "
                   "--inputIOFormats=fp16:chw\" -o model.fp16.onnx",
       .documents = {"cast"},
       .make = job_of<CastRequest>},
      {.name = "clean",
       .summary =
           "Simplify an ONNX model: fold constants, cancel transposes, join what was spelled out",
       .examples = "planex clean model.onnx -o model.clean.onnx\n"
                   "planex clean model.onnx --skip batch-norms,scales -o model.clean.onnx\n"
                   "planex clean model.onnx --opset 20 -o model.clean.onnx --all\n"
                   "planex clean model.onnx --only transposes -o model.clean.onnx --format json",
       .documents = {"clean"},
       .make = job_of<CleanRequest>},
      {.name = "advise",
       .summary = "Advise where a model's Q/DQ should be for a target, estimate the gain, and "
                  "write the edited model",
       .examples =
           "planex advise model.int8.onnx\n"
           "planex advise model.int8.onnx --timed run/ --all\n"
           "planex advise model.int8.onnx --target tensorrt --format json\n"
           "planex advise model.int8.onnx --apply -o better.onnx\n"
           "planex advise model.int8.onnx --apply -o better.onnx --data pictures/ --prep imagenet\n"
           "planex advise model.int8.onnx --apply -o better.onnx --measure\n"
           "planex advise model.int8.onnx --timed run/ --what-if head/Conv_3 --what-if "
           "head/Relu_4",
       .documents = {"advise"},
       .make = job_of<AdviseRequest>}};
  return kVerbs;
}

const Verb* find_verb(std::string_view name) {
  const auto all = verbs();
  const auto found = std::ranges::find(all, name, &Verb::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace planex::jobs
