#include "analyze/reproduce/redact_words.h"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "base/text.h"

namespace planex::analyze {
namespace {

// Lower case, each followed by a blank. Operators are those of onnx.proto's operator sets, of
// TensorRT's and OpenVINO's types of layers, and of what their parsers put into names.
constexpr std::string_view kOperations =
    "abs acos acosh adagrad adam add addmm affinegrid and argmax argmin arrayfeatureextractor "
    "asin asinh atan atanh aten attention averagepool averagepool2d avgpool avgpool2d batchnorm "
    "batchnormalization bernoulli biasadd biasgelu binarizer bitcast bitshift bitwiseand "
    "bitwisenot bitwiseor bitwisexor blackmanwindow brgconv brgemm caskconvolution "
    "caskdeconvolutionv2 caskgemmconvolution caskpooling cast castlike castmap categorymapper "
    "causalconvwithstate ceil celu centercroppad cjmp clip col2im compress concat "
    "concatfromsequence condition conditionaloutput conditioninput const constant constantofshape "
    "conv conv1d conv2d conv2dtranspose conv3d convactpool convert convinteger convolution "
    "convolutionbackpropdata convtranspose copy copynode correlation cos cosh cublasconvolution "
    "cudadepthwiseconvolution cudapooling cudasoftmax cudnnconvolution cudnnpooling cumprod "
    "cumsum deconvolution deformconv depthtospace depthwiseconv2d dequantize dequantizelinear "
    "dequantizer det devicetoshapehost dft dictvectorizer div divide dropout "
    "dynamicquantizelinear einsum elementwise eltwise elu embedlayernormalization equal erf exp "
    "expand eyelike fakequantize fastgelu featurevectorizer flatten flexattention floor for "
    "foreignnode fullyconnected fusedbatchnorm fusedconv fusedconvactconvolution fusedgemm "
    "fusedmatmul fusion gather gatherelements gathernd gelu gemm globalaveragepool globallppool "
    "globalmaxpool gradient greater greaterorequal gridsample groupconvolution groupnorm "
    "groupnormalization groupqueryattention gru hammingwindow hannwindow hardmax hardsigmoid "
    "hardswish hsigmoid hswish identity if imagedecoder imputer input instancenorm "
    "instancenormalization interpolate isinf isnan iterator iteratorcontroller jit jmp kgen "
    "labelencoder layernorm layernormalization leakyrelu less lessorequal linearattention "
    "linearclassifier linearregressor log logsoftmax logsoftmaxtopk loop loopoutput "
    "lpnormalization lppool lrn lstm matmul matmulinteger matrix max maxpool maxpool2d maxroipool "
    "maxunpool mean meanvariancenormalization melweightmatrix memcpyfromhost memcpytohost memset "
    "mha min mish mlas mod momentum movement mul multiheadattention multinomial multiply mvn "
    "myelin myelinreformat nchwc neg negativeloglikelihoodloss nhwcmaxpool nms nonmaxsuppression "
    "nonzero noop normalization normalizel2 normalizer not onehot onehotencoder onnx onnxtrt ops "
    "optional optionalgetelement optionalhaselement or output pad padding plugin pluginv2 "
    "pointwise pointwisev2 pool pool2d pooling pow power prelu product pwn qattention qgemm "
    "qlinearadd qlinearconv qlinearglobalaveragepool qlinearmatmul qlinearmul qlinearsigmoid "
    "quantization quantize quantizelinear quantizer quickgelu randomnormal randomnormallike "
    "randomuniform randomuniformlike range reciprocal recurrence reduce reducel1 reducel2 "
    "reducelogsum reducelogsumexp reducemax reducemean reducemin reduceprod reducesum "
    "reducesumsquare reduction reformat reformatting regexfullmatch relu reorder reorderinput "
    "reorderoutput reshape resize reversesequence rmsnormalization rnn roialign rope "
    "rotaryembedding round scale scaleddotproductattention scaler scan scatter scatterelements "
    "scatternd selu sequenceat sequenceconstruct sequenceempty sequenceerase sequenceinsert "
    "sequencelength sequencemap shape shapeshuffle shrink shuffle sigmoid sign sin sinh size "
    "skiplayernormalization slice softmax softmaxcrossentropyloss softplus softsign spacetodepth "
    "split splittosequence sqrt squeeze stft stringconcat stringnormalizer stringsplit sub "
    "subgraph subtract sum svmclassifier svmregressor swiglu swish tan tanh tensor tensorscatter "
    "tfidfvectorizer thresholdedrelu tile tiledpooling to topk trainstation transpose "
    "treeensemble treeensembleclassifier treeensembleregressor trilu triplimit unique unnamed "
    "unsqueeze unsqueezetensor upsample varianceepsilon where xor zipmap ";

// Keys of attributes and metadata, flags, formats, devices, units.
constexpr std::string_view kOptions =
    "a a100 aarch64 action activation activations ada adding addressing affine after aggregate "
    "agx ai align align_corners alignment all allow allowzero alpha alternate amd amd64 ampere "
    "amx antialias any api app application approximate arbitrary arch are arg arg0 arguments arm "
    "arm64 array as aspect asymmetric async asynchronously attentions auto available average "
    "averagecountexcludespadding averages avg avgtiming avx avx10 avx2 avx512 axes axis b b200 "
    "backend backup base batch before benchmark benchmark_app benchmarking beta bf bf16 bfloat "
    "bfloat16 bias biasasactinputidx bidirectional binding bit bits blackwell blendfactor block "
    "blocksize board body bool box branch broadcast bronze budget build builderoptimizationlevel "
    "bus by bytes cache calibration call can capability case causal cdhw32 center change channel "
    "channelaxis chunk chw chw16 chw2 chw32 chw4 class classes classlabels clipped clock coeff "
    "coefficient coefficients column command compatible compilation compile compute "
    "computecapability concurrent conditional configuration configuring constants construction "
    "consumed controls convactivation convbias convdilation convergence convgroups "
    "convhassparseweights convkernel convolutiontacticindex convoutmaps convpaddingmode "
    "convparametertype convpostpadding convprepadding convstride convweights convxasactinputidx "
    "coordinate coordtransform core corners count counters counts cpu created creating crop csv "
    "cubic cubiccoeff cublas cublasconvolutiontacticindex cuda cudnn cumulative "
    "cumulative_throughput d d2h data datatype debian debug debugoutput dec decay decomposable "
    "decompression default defaults delimiter denormals depth deserialize destinations detailed "
    "detect device devices dhwc dilation dilations dim dimensions dims directio direction "
    "directions disabled distribution distributive dla dlacore dlaglobaldram dlalocaldram dlasram "
    "dll doc does domain double down driver dtype due dump dumping dupe duration durations during "
    "dynamic dynamicplugins e4m3 e5m2 ecc edge eight element elementwiseoperation else embedding "
    "empty enable enabled end ends engine enqueue epsilon epyc equation errorontimingcachemiss "
    "eventid every exclude excludeoutside exclusive exec execorder exectimemcs executed execution "
    "executionmode explicit export exposedma extrapolation f factor failed fallback false "
    "falseleafs falsenodeids featureids features file filename files fill filling final finished "
    "first firsttranspose flag flags float float32 floats fmod folder forget form format formats "
    "forward four fp fp16 fp32 fp4 fp64 fp8 fps full function fused fusions gamma gb geforce "
    "generated generation generic ghz gib given global gold gpu gram graph graphics grid group "
    "groups gtx h "
    "h2d half half_pixel hasbias hasdynamicbias hasdynamicfilter haslog hasrelu hasresidual "
    "hassparseweights hbm hbm2 heads height heuristic hidden high hint hitrates hopper host hwc "
    "hwc8 hyper hz i i32 i8 icos id idle ids ignore ignoreparsedpluginlibs image imax imputed "
    "imul in include included independence index indexes infer infer_precision inference "
    "inferences info information inputargs inputdimensions inputs int int16 int32 int4 int64 "
    "int64s int8 integer integrated intel intercepts interleaved interpolationmode ints inverse "
    "ir is isa isin it itanh iterations its jetson json jump jumptarget jumptargetelse "
    "jumptargetthen k kadjust kalign kb keep keepdims kenable kernel kernels kexplicit key keys "
    "kfloor kformula kib klinear kreport kv l l1 l2 lambd laptop largest last latency layer "
    "layered layerprecisions layers layout leaf lean left length level limits line linear lines "
    "linux listed literal literal0 literal4 literals load loadable loaded loading local locale "
    "lovelace low lower m major managed map mark match maxauxstreams maximum maxsplit maxtactics "
    "mb measured measurement measuring median membership memory merging meta metadata method mhz "
    "mib minor mintiming mipmapped missing mode model models modes monitor ms multi "
    "multiprocessor multithreading n name names nano nbdims nbinputargs nbliterals nboperations "
    "nboutputvars nbparams nbpointwiseexpressioninputargs nbpointwiseexpressionliterals "
    "nbpointwiseexpressionoperations nbpointwiseexpressionoutputvars nbpointwiseexpressionparams "
    "nc8hw8 nchw nearest negative negativeinfinitypadding neither network new ngram nhwc niter "
    "nnrounding no nodeids nodes none nor norm notset npu ns nsight nstreams nthreads num number "
    "numslices nvidia nvl nvtx o of off offset on one onesided only onnxruntime opaque openvino "
    "operation operations opset optimal optimization optimizer options order origin original "
    "originallayersnames orin os oss other outcome outmaps outputlayouts outputprecisions outputs "
    "outputvars outside ov overlap override paddingmode paddings pads parallel parameter "
    "parameters parametersubtype params parse parsing partitioner pascal passed path pattern pc "
    "pci pcie pcsort peak per percent percentile percentiles perf performance periodic perm "
    "persistent pinning pitch pixel plan planex platform platinum plugins plugintype "
    "pluginversion point pointwiseexpression pointwiseexpressioninputargs "
    "pointwiseexpressionliterals pointwiseexpressionoperations pointwiseexpressionoutputvars "
    "pointwiseexpressionparams policy pooled poolingaveragecountexcludespadding "
    "poolingblendfactor poolingpaddingmode poolingparametertype poolingpoolingtype "
    "poolingpostpadding poolingprepadding poolingstride poolingtype poolingwindowsize pools "
    "positive post postpadding precision prefer prepadding preparing preview primitivetype "
    "priorities prob process processor prod producer profile profiler profiling properties pwgen "
    "python python3 pytorch pytorch_half_pixel qdq qk quadro quantized queries querying ram "
    "random rate ratio read reading record refit refittable reflect registers releases removal "
    "repeated replaced report reporting requests requirements resasactinputidx reservation reset "
    "residual residuals resizescales resizeselector resizing resolution restricted result results "
    "reverse rho right roots rotary round_prefer_ceil round_prefer_floor row rtx rule run running "
    "runs runtime runtimeprecision ryzen s safe same same_lower same_upper sampling saturate save "
    "says scales scheduling schedulingcoretype score scratch secondtranspose seed select selected "
    "selection self sensitive separate sequence set setpluginstoserialize setting setup shapes "
    "shared shift shown signal silver sixteen sizes skip sleep sm sms softcap sorted source "
    "sources sparse sparsity spatial spin splits sqlite sse4 standalone start starts stash static "
    "statistics stats step stopwords stored stream streaming streams stride strideorder strides "
    "string strings strip strongly subgraphs summary super support supported supports surface "
    "surface1d surface2d surface3d surfacecubemap sxm sxm4 sxm5 system tactic tacticsharedmem "
    "tacticvalue target targetids targets tbb tbbpartitioner tcc tempfile temporary tensorflow "
    "tensorrt tensors tesla texture texture1d texture2d texture3d texturecubemap tf tf32 "
    "tf_crop_and_resize the then thirty thor threading threads threshold throughput ti time timed "
    "timeout times timing timingcachefile timingcachemode titan topology torch total totalmemory "
    "trace tracks training transa transb transfers transform transformation transposed tree "
    "treeids trex trt trtexec true trueleafs truenodeids turing two txt type typed types u u8 "
    "ubuntu uint uint8 undef unfused uni unified uniform unknown unspecified up update upper us "
    "usage use used using uuid v2 valid validating value values var var0 var1 var2 var3 var4 "
    "vectorized vectors verbose verbosity version vertical vnni vocabulary volta wait walltime "
    "warm warmup warp weight weights wide width window windows windowsize with workspace x x64 "
    "x86 xavier xeon xml y yes z zeroisplaceholder zeros ";

// Lower case. From tactics of TensorRT, cuDNN, cuBLAS, CUTLASS and oneDNN.
constexpr std::string_view kKernels =
    "accfloat act cask stub aligna alignc avdt cudnn cutlass coalescedc calign dconv depthwisefp "
    "deconv epifadd ffma fastdiv fltvec fprop fw gemvx hmma icudnn implicit indexed interior kcrs "
    "kmax large launch ldg linkable medium nan nchwkcrs nhwckrsc nhwcx nt propagate scalebias "
    "scudnn simple simt singlebuffer sliced small smem srcvec stage stages strided tapsperload "
    "threadspercta tile tiled tilesize tn tunroll unit vect warpsize winograd xmma xregs";

using Words = std::unordered_set<std::string_view>;

Words listed(std::string_view text) {
  Words words;
  while (!text.empty()) words.insert(base::take_part(text, ' '));
  words.erase(std::string_view());
  return words;
}

bool has(const Words& words, std::string_view word) {
  // No word is longer than this.
  constexpr std::size_t kLongest = 48;
  return word.size() <= kLongest && words.contains(base::lower(word));
}

}  // namespace

bool is_operation_word(std::string_view word) {
  static const Words kWords = listed(kOperations);
  return has(kWords, word);
}

bool is_option_word(std::string_view word) {
  static const Words kWords = listed(kOptions);
  return has(kWords, word) || is_operation_word(word);
}

bool is_kernel_word(std::string_view word) {
  static const Words kWords = listed(kKernels);
  return has(kWords, word);
}

}  // namespace planex::analyze
