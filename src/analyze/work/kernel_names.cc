#include "analyze/work/kernel_names.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/text.h"

namespace planex::analyze {
namespace {

using model::DType;

struct TypeWord {
  std::string_view word;
  DType type;
};
// Longer words before those that they begin or end with.
constexpr TypeWord kTypeWords[] = {
    {"bf16", DType::kBf16}, {"tf32", DType::kTf32},   {"fp16", DType::kFp16},
    {"fp32", DType::kFp32}, {"fp64", DType::kFp64},   {"f16", DType::kFp16},
    {"f32", DType::kFp32},  {"f64", DType::kFp64},    {"e4m3", DType::kFp8},
    {"e5m2", DType::kFp8},  {"e2m1", DType::kFp4},    {"fp8", DType::kFp8},
    {"fp4", DType::kFp4},   {"f4", DType::kFp4},      {"int8", DType::kInt8},
    {"int4", DType::kInt4}, {"int32", DType::kInt32}, {"i32", DType::kInt32},
    {"i16", DType::kInt16}, {"i8", DType::kInt8},     {"i4", DType::kInt4},
    {"u8", DType::kUint8},  {"s32", DType::kInt32},   {"s8", DType::kInt8},
    {"s4", DType::kInt4}};

// Removes a type from the front of `text`; kNull where there is none.
DType take_type(std::string_view& text) {
  for (const TypeWord& entry : kTypeWords) {
    if (!text.starts_with(entry.word)) continue;
    text.remove_prefix(entry.word.size());
    return entry.type;
  }
  return DType::kNull;
}

// Types in a part of a name: "i8f32", "fp32fp32nhwc", "tf32tf32".
struct TypeList {
  std::array<DType, 2> types = {DType::kNull, DType::kNull};
  std::size_t count = 0;
};

TypeList types_of(std::string_view part) {
  TypeList list;
  while (!part.empty()) {
    const DType type = take_type(part);
    if (type == DType::kNull) break;
    if (list.count < list.types.size()) list.types[list.count] = type;
    ++list.count;
  }
  // The rest can be a layout or a vector ("int8x4"), not another word that begins like a type.
  // "s32x256x16" is the shape of an instruction.
  const bool vector = part.starts_with("x") && part.find('x', 1) == std::string_view::npos;
  const bool layout = part.empty() || part.starts_with("nc") || part.starts_with("nhwc") ||
                      part.starts_with("ndhwc") || part.starts_with("kcrs") || vector;
  return layout ? list : TypeList{};
}

std::vector<std::string_view> parts_of(std::string_view name) {
  std::vector<std::string_view> parts;
  while (!name.empty()) {
    const std::size_t end = std::min(name.find_first_of("_: <>(),"), name.size());
    if (end > 0) parts.push_back(name.substr(0, end));
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return parts;
}

// Shapes of matrix instructions as cuDNN, cuBLAS and CUTLASS write them before "gemm" and "cudnn":
// the letter is the type of the accumulators, and that of the operands where that is enough.
struct Instruction {
  std::string_view word;
  DType type;  // kNull: the name has to say it elsewhere
};
constexpr Instruction kInstructions[] = {
    {"h884", DType::kFp16},   {"h1688", DType::kFp16},  {"h16816", DType::kFp16},
    {"s884", DType::kNull},   {"s1688", DType::kNull},  {"s16816", DType::kNull},
    {"i8816", DType::kInt8},  {"i8832", DType::kInt4},  {"i16832", DType::kInt8},
    {"i16864", DType::kInt4}, {"s16832", DType::kNull}, {"d884", DType::kFp64}};

// Matrix instructions by their name in the instruction set.
constexpr Instruction kMmaWords[] = {{"hmma", DType::kNull},
                                     {"imma", DType::kInt8},
                                     {"qmma", DType::kFp8},
                                     {"omma", DType::kFp4},
                                     {"dmma", DType::kFp64},
                                     {"bmma", DType::kNull},
                                     {"gmma", DType::kNull},
                                     {"warpgroupsize", DType::kNull},
                                     {"tensorop", DType::kNull},
                                     {"fmha", DType::kNull},
                                     // Direct convolutions of TensorRT; they come as "dense" and
                                     // "sparse", which only matrix instructions distinguish.
                                     {"avdt", DType::kNull}};

// Ordinary instructions.
constexpr Instruction kOrdinaryWords[] = {{"ffma", DType::kFp32},  {"simt", DType::kNull},
                                          {"hfma2", DType::kFp16}, {"dp4a", DType::kInt8},
                                          {"gemvx", DType::kNull}, {"gemv", DType::kNull}};

// Libraries' kernels for ordinary instructions: a letter for the type, then what they do.
constexpr Instruction kOrdinaryLibraryWords[] = {
    {"scudnn", DType::kFp32}, {"sgemm", DType::kFp32},  {"hcudnn", DType::kFp16},
    {"hgemm", DType::kFp16},  {"icudnn", DType::kInt8}, {"igemm", DType::kInt8},
    {"dcudnn", DType::kFp64}, {"dgemm", DType::kFp64},  {"sconv", DType::kFp32}};

class NvidiaName {
 public:
  explicit NvidiaName(std::string_view name) : name_(name), parts_(parts_of(name)) {}

  KernelFacts facts() const {
    KernelFacts facts;
    if (name_.starts_with("nvjet")) return nvjet();
    const Instruction* instruction = find_instruction();
    const Instruction* ordinary = find(kOrdinaryWords);
    const Instruction* library = find_at_start(kOrdinaryLibraryWords);
    const Instruction* mma = find(kMmaWords);
    // Before Volta there were no Tensor Cores, whatever else the name says.
    if (is_before_volta() || ordinary != nullptr) {
      facts.tensor_cores = false;
    } else if (instruction != nullptr || mma != nullptr || has_tensor_shape()) {
      facts.tensor_cores = true;
    } else if (library != nullptr || name_.find("depthwise") != std::string_view::npos) {
      facts.tensor_cores = false;
    }
    facts.compute = written_type(instruction != nullptr);
    if (instruction != nullptr && instruction->type != DType::kNull) {
      facts.compute = instruction->type;  // fp16_i8816cudnn_int8: INT8 in, FP16 out
    }
    for (const Instruction* found : {mma, ordinary, library}) {
      // maxwell_fp16_scudnn_fp16 stores FP16 and computes FP32.
      const bool decides = found == library || facts.compute == DType::kNull;
      if (found != nullptr && found->type != DType::kNull && instruction == nullptr && decides) {
        facts.compute = found->type;
      }
    }
    const bool open = facts.compute == DType::kNull || facts.compute == DType::kFp32;
    if (open && instruction != nullptr && instruction->word == "s1688" && is_ampere_or_newer()) {
      facts.compute = DType::kTf32;  // one of the HMMA shapes, 16x8x8 with FP32 operands
    }
    if (const auto type = cutlass_type()) facts.compute = *type;
    return facts;
  }

 private:
  template <std::size_t N>
  const Instruction* find(const Instruction (&words)[N]) const {
    for (const Instruction& entry : words) {
      if (name_.find(entry.word) != std::string_view::npos) return &entry;
    }
    return nullptr;
  }

  template <std::size_t N>
  const Instruction* find_at_start(const Instruction (&words)[N]) const {
    for (const std::string_view part : parts_) {
      for (const Instruction& entry : words) {
        if (part.starts_with(entry.word)) return &entry;
      }
    }
    return nullptr;
  }

  // A part that begins with an instruction's shape, and does not go on with another digit.
  const Instruction* find_instruction() const {
    for (const std::string_view part : parts_) {
      for (const Instruction& entry : kInstructions) {
        if (part.starts_with(entry.word) &&
            (part.size() == entry.word.size() || !base::is_digit(part[entry.word.size()]))) {
          return &entry;
        }
      }
    }
    return nullptr;
  }

  // "tensor16x8x16", the shape of the matrix instruction in newer names.
  bool has_tensor_shape() const {
    constexpr std::string_view kWord = "tensor";
    return std::ranges::any_of(parts_, [&](std::string_view part) {
      return part.starts_with(kWord) && part.size() > kWord.size() &&
             base::is_digit(part[kWord.size()]);
    });
  }

  bool is_before_volta() const {
    return std::ranges::any_of(parts_, [](std::string_view part) {
      return part.starts_with("sm5") || part.starts_with("sm6") || part == "maxwell" ||
             part == "pascal";
    });
  }

  bool is_ampere_or_newer() const {
    return std::ranges::any_of(parts_, [](std::string_view part) {
      return part == "ampere" || part == "ada" || part == "hopper" || part == "blackwell" ||
             part == "80" || part == "sm80" || part == "sm86" || part == "sm89" || part == "sm90";
    });
  }

  // xmma writes <input><output>_<compute><accumulator>_<epilogue>: i8f32_i8i32_f32. Pooling writes
  // <input><compute>. A single word is the type of the operands.
  DType written_type(bool has_instruction) const {
    TypeList before;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      std::string_view part = parts_[i];
      constexpr std::string_view kDepthwise = "depthwise";
      if (part.starts_with(kDepthwise)) part.remove_prefix(kDepthwise.size());
      const TypeList list = types_of(part);
      if (before.count >= 2) return list.count >= 1 ? list.types[0] : before.types[0];
      if (list.count == 0) continue;
      if (list.count >= 2 && name_.find("pooling") != std::string_view::npos) return list.types[1];
      // volta_fp32_icudnn_int8x4: the first is the output, the last the input.
      const bool one_each = list.count == 1;
      if (one_each && (has_instruction || is_last_type(i))) return last_type();
      if (one_each) return list.types[0];
      before = list;
    }
    return before.count > 0 ? before.types[0] : DType::kNull;
  }

  // CUTLASS 3 writes the instruction's type where it differs from the stored one,
  // s64x128x8tf32gemm, and blocks of a scale with its operands, ue4m3xe2m1. kNull where they have a
  // type that is not known here.
  std::optional<DType> cutlass_type() const {
    if (name_.find("tensorop") == std::string_view::npos) return std::nullopt;
    for (std::string_view part : parts_) {
      if (part.find("tf32gemm") != std::string_view::npos) return DType::kTf32;
      if (part.find("bf16gemm") != std::string_view::npos) return DType::kBf16;
      const std::size_t cross = part.find('x');
      if (!part.starts_with("ue") || cross == std::string_view::npos) continue;
      part.remove_prefix(cross + 1);
      return take_type(part);
    }
    return std::nullopt;
  }

  bool is_last_type(std::size_t from) const {
    for (std::size_t i = from + 1; i < parts_.size(); ++i) {
      if (types_of(parts_[i]).count > 0) return false;
    }
    return true;
  }

  DType last_type() const {
    DType last = DType::kNull;
    for (const std::string_view part : parts_) {
      const TypeList list = types_of(part);
      if (list.count == 1) last = list.types[0];
    }
    return last;
  }

  // cuBLAS since Hopper: nvjet_<a><accumulator><c>_..., since Blackwell nvjet_sm100_<a>...; h FP16,
  // t BF16, q FP8, o FP4.
  KernelFacts nvjet() const {
    KernelFacts facts;
    facts.tensor_cores = true;
    const std::size_t types = parts_.size() > 1 && parts_[1].starts_with("sm") ? 2 : 1;
    if (parts_.size() <= types) return facts;
    switch (parts_[types].front()) {
      case 'h':
        facts.compute = DType::kFp16;
        break;
      case 't':
        facts.compute = DType::kBf16;
        break;
      case 'q':
        facts.compute = DType::kFp8;
        break;
      case 'o':
        facts.compute = DType::kFp4;
        break;
      default:
        break;
    }
    return facts;
  }

  std::string_view name_;
  std::vector<std::string_view> parts_;
};

// oneDNN's implementations: brgconv_avx512_amx_i8, jit_avx512_core_bf16, gemm_mlas_f32.
constexpr std::array<std::string_view, 9> kOneDnnWords = {
    "brgconv", "brgemm", "jit_", "avx512", "avx2", "sse41", "mlas", "ref_", "reorder"};

bool is_onednn(std::string_view name) {
  return std::ranges::any_of(kOneDnnWords,
                             [&](std::string_view word) { return name.starts_with(word); }) ||
         name.find("_mlas") != std::string_view::npos ||
         name.find("_avx") != std::string_view::npos;
}

KernelFacts onednn_facts(std::string_view name, bool reads_unsigned) {
  KernelFacts facts;
  const std::vector<std::string_view> parts = parts_of(name);
  facts.tensor_cores = std::ranges::find(parts, "amx") != parts.end() ||
                       std::ranges::find(parts, "xmx") != parts.end();
  if (parts.empty()) return facts;
  const TypeList list = types_of(parts.back());
  if (list.count == 1) facts.compute = list.types[0];
  // OpenVINO's "I8", in contrast to "i8", is unsigned.
  if (reads_unsigned && facts.compute == DType::kInt8) facts.compute = DType::kUint8;
  return facts;
}

// Implementations that have one kernel of their own, for ordinary cores.
constexpr std::array<std::string_view, 2> kOrdinaryImplementations = {"CudaDepthwiseConvolution",
                                                                      "FusedConvActConvolution"};

}  // namespace

KernelFacts kernel_facts(std::string_view tactic, std::string_view implementation) {
  KernelFacts facts;
  const std::string name = base::lower(tactic);
  // Myelin's generated kernels are named after what they compute, not how; OpenVINO's "unknown_f32"
  // does not name a kernel.
  const bool silent = name.starts_with("__my") || name.starts_with("_gemm_mha") ||
                      name.starts_with("unknown") || name.starts_with("undef");
  if (!name.empty() && !silent) {
    facts =
        is_onednn(name) ? onednn_facts(name, tactic.ends_with("_I8")) : NvidiaName(name).facts();
  }
  if (name.empty() && std::ranges::find(kOrdinaryImplementations, implementation) !=
                          kOrdinaryImplementations.end()) {
    facts.tensor_cores = false;
  }
  return facts;
}

}  // namespace planex::analyze
