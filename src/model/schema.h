// THE schema: every table and column of the model, once.
//
// From this list come the C++ tables (model/plan_model.h), the SQL tables, the types of the JSON
// that the report reads, and docs/reference/schema.md (`planex schema`).
//
// X(kind, name, unit, description). Kinds: Int, Real, Text, IntList, or Column<some type>.
// Units: ms, us, s, bytes, ratio (0 to 1), count, dB, MHz, °C, W, J, or empty.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace planex::model {

#define PLANEX_ENGINE_COLUMNS(X)                                                               \
  X(Text, name, "", "Name of the engine: as given, or from its file or folder.")               \
  X(Text, producer, "",                                                                        \
    "tensorrt, tensorrt-rtx, openvino or onnxruntime; onnx: a model that was not compiled.")   \
  X(Text, producer_version, "", "Version of the producer, as exactly as the files record it.") \
  X(Text, version_evidence, "", "Source of the version.")                                      \
  X(Text, importer, "", "The reader that created this model.")                                 \
  X(Text, detail, "",                                                                          \
    "full; names-only: nothing but names; log: read from lines of a log; failed: the build "   \
    "failed; no-layers; model: an ONNX model that no engine was compiled from yet.")           \
  X(Int, profile_index, "", "The optimization profile that is shown.")                         \
  X(Text, device, "", "Device that the engine was built for or measured on.")                  \
  X(Int, batch_size, "count", "First dimension of the first input, if it is a batch.")         \
  X(Int, profile_count, "count", "Optimization profiles of the engine, where recorded.")       \
  X(Int, reported_weight_bytes, "bytes", "Weights, as the builder reports them.")              \
  X(Int, reported_activation_bytes, "bytes", "Activation memory, as the builder reports it.")  \
  X(Int, reported_scratch_bytes, "bytes",                                                      \
    "Largest scratch memory of a layer, as the builder reports it; an upper bound.")

#define PLANEX_LAYERS_COLUMNS(X)                                                                  \
  X(Column<LayerId>, layer_id, "", "Position of the record in the engine's own list.")            \
  X(Column<Role>, role, "",                                                                       \
    "work, or the kind of book-keeping: noop, constant, input, output, signal, wait, shape, "     \
    "control.")                                                                                   \
  X(Int, profile_index, "", "Optimization profile that the record belongs to; null: all.")        \
  X(Text, name, "", "Name as the producer wrote it.")                                             \
  X(Text, type, "", "What the layer does, in the producer's terms: Convolution, Reformat, ...")   \
  X(Column<Family>, family, "",                                                                   \
    "What the layer does, in terms common to all producers: convolution, gemm, opaque, "          \
    "pointwise, norm, pool, shuffle, plugin, reformat, other.")                                   \
  X(Int, is_reformat, "",                                                                         \
    "1: the layer only changes type or layout; 0: it does more; null: unknown.")                  \
  X(Text, raw_type, "", "Type as written in the file.")                                           \
  X(Text, subtype, "", "The implementation's own type, such as CaskConvolution.")                 \
  X(Text, tactic, "", "The kernel that the compiler chose.")                                      \
  X(Column<DType>, precision, "", "Type of the first data input.")                                \
  X(Column<DType>, output_precision, "", "Type of the first output.")                             \
  X(Column<DType>, compute_precision, "", "Type the kernel computes in, where it is recorded.")   \
  X(Int, tensor_cores, "",                                                                        \
    "1: the kernel is known to use matrix units (Tensor Cores, AMX); 0: known not to; null: "     \
    "unknown.")                                                                                   \
  X(Int, stream, "", "Stream that the layer runs on.")                                            \
  X(Text, provider, "",                                                                           \
    "Execution provider that runs the layer, in ONNX Runtime's words; null for other producers.") \
  X(Column<BlockId>, block_id, "", "The block the layer belongs to.")                             \
  X(Text, origin, "", "Why a reformat exists, as written: QDQ, REFORMAT, CONCAT, ...")            \
  X(Int, count, "count", "Inferences that were profiled.")                                        \
  X(Real, mean_ms, "ms", "Mean time of one inference.")                                           \
  X(Real, median_ms, "ms", "Median time of one inference.")                                       \
  X(Real, min_ms, "ms", "Minimum time of one inference.")                                         \
  X(Real, max_ms, "ms", "Maximum time of one inference.")                                         \
  X(Real, total_ms, "ms", "Time of all profiled inferences.")                                     \
  X(Real, kernel_ms, "ms",                                                                        \
    "Median time of all its kernels in one inference, where a trace has them.")                   \
  X(Real, share, "ratio",                                                                         \
    "Share of the sum of layer times: medians where all layers have one, else means.")            \
  X(Real, corrected_ms, "ms",                                                                     \
    "Time less the profiling overhead of one layer (see the summary's reconciliation).")          \
  X(Real, corrected_share, "ratio", "Share of the sum of corrected layer times.")                 \
  X(Int, weight_bytes, "bytes", "Weights, biases and constants in their stored types.")           \
  X(Int, scratch_bytes, "bytes", "Scratch memory reserved for the layer, an upper bound.")        \
  X(Int, input_bytes, "bytes", "Activations read, each tensor once per use, without padding.")    \
  X(Int, output_bytes, "bytes", "Activations written, without padding.")                          \
  X(Int, io_bytes, "bytes", "input_bytes + output_bytes: activation traffic.")                    \
  X(Int, footprint_bytes, "bytes", "io_bytes + weight_bytes: bytes moved.")                       \
  X(Int, macs, "count", "Multiply-accumulates of convolutions and matrix products.")              \
  X(Int, flops, "count", "Floating-point (or integer) operations: 2 per MAC.")                    \
  X(Text, work_evidence, "",                                                                      \
    "Source of macs and flops: parameters, shapes, operations or producer.")                      \
  X(Int, gemm_m, "count",                                                                         \
    "Rows of a convolution or matrix product computed as one matrix product: N times the output " \
    "positions; for a batch of products, the rows of all of them.")                               \
  X(Int, gemm_n, "count",                                                                         \
    "Columns of that product: output channels, or the last dimension written.")                   \
  X(Int, gemm_k, "count",                                                                         \
    "Inner size of that product: input channels of a group times the kernel.")                    \
  X(Real, arithmetic_intensity, "flop/byte", "flops / footprint_bytes.")                          \
  X(Real, simulated_db, "dB",                                                                     \
    "SQNR of its output, in the quantized model's own arithmetic against the float model; from "  \
    "the last of its tensors in `accuracy`.")                                                     \
  X(Real, engine_db, "dB", "The same for the engine's output; only for OpenVINO's engines.")

#define PLANEX_PORTS_COLUMNS(X)                                              \
  X(Column<LayerId>, layer_id, "", "The layer.")                             \
  X(Column<Direction>, direction, "", "input, constant or output.")          \
  X(Int, index, "", "Position among the layer's ports of this direction.")   \
  X(Column<TensorId>, tensor_id, "", "The tensor.")                          \
  X(IntList, dims, "", "Dimensions at this end; -1 is dynamic.")             \
  X(Column<DType>, dtype, "", "Element type at this end.")                   \
  X(Column<Layout>, layout, "", "Memory layout at this end.")                \
  X(Text, raw_format, "", "Type and layout as written in the file.")         \
  X(IntList, strides, "", "Strides in elements, where the file has them.")   \
  X(Text, location, "", "Device or Host.")                                   \
  X(Int, data_bytes, "bytes", "Size of the elements only, without padding.") \
  X(Int, bytes, "bytes", "Size in memory: with channels padded as the layout requires.")

#define PLANEX_TENSORS_COLUMNS(X)                                                                \
  X(Column<TensorId>, tensor_id, "", "Position in this table.")                                  \
  X(Text, name, "", "Name as the producer wrote it.")                                            \
  X(Column<TensorRole>, role, "", "input, output, activation, constant or shape.")               \
  X(Int, producers, "count", "Ports that write it.")                                             \
  X(Int, consumers, "count", "Ports that read it.")                                              \
  X(Int, bytes, "bytes", "Memory of its largest view.")                                          \
  X(Column<LayerId>, first_layer_id, "", "The first layer that touches it, in execution order.") \
  X(Column<LayerId>, last_layer_id, "", "The last layer that touches it, in execution order.")   \
  X(Column<RegionId>, region_id, "", "Memory region, where known.")                              \
  X(Int, offset_bytes, "bytes", "Offset in the region, where known.")

#define PLANEX_SOURCES_COLUMNS(X)                                         \
  X(Column<LayerId>, layer_id, "", "The layer.")                          \
  X(Text, op_name, "", "Operation of the source model (ONNX node name).") \
  X(Text, op_type, "", "Its type, where known.")                          \
  X(Column<Evidence>, evidence, "",                                       \
    "metadata (the engine records it), provenance (traced by the driver), name (from names).")

#define PLANEX_ATTRIBUTES_COLUMNS(X)                              \
  X(Column<LayerId>, layer_id, "", "The layer.")                  \
  X(Text, key, "", "Name as written in the file.")                \
  X(Text, value, "", "Text of a string; JSON for anything else.") \
  X(Column<ValueType>, value_type, "", "JSON type of the value.")

#define PLANEX_ITERATIONS_COLUMNS(X)                                             \
  X(Int, index, "", "Position in the times file.")                               \
  X(Real, start_ms, "ms", "Start of the inference, from the file's own origin.") \
  X(Real, end_ms, "ms", "End of the inference.")                                 \
  X(Real, latency_ms, "ms", "Transfers and compute of one inference.")           \
  X(Real, compute_ms, "ms", "Compute time on the device.")                       \
  X(Real, enqueue_ms, "ms", "Time the host took to start the inference.")        \
  X(Real, h2d_ms, "ms", "Transfer to the device.")                               \
  X(Real, d2h_ms, "ms", "Transfer from the device.")                             \
  X(Real, start_enqueue_ms, "ms", "Start of the enqueue.")                       \
  X(Real, end_enqueue_ms, "ms", "End of the enqueue.")                           \
  X(Real, start_h2d_ms, "ms", "Start of the transfer to the device.")            \
  X(Real, end_h2d_ms, "ms", "End of the transfer to the device.")                \
  X(Real, start_compute_ms, "ms", "Start of compute on the device.")             \
  X(Real, end_compute_ms, "ms", "End of compute on the device.")                 \
  X(Real, start_d2h_ms, "ms", "Start of the transfer from the device.")          \
  X(Real, end_d2h_ms, "ms", "End of the transfer from the device.")

#define PLANEX_MACHINE_SAMPLES_COLUMNS(X)                                                       \
  X(Real, time_ms, "ms", "Time of the sample, from the recording's own origin.")                \
  X(Real, inference_ms, "ms",                                                                   \
    "The same, from the origin of iterations.start_ms; null where the files don't relate the "  \
    "two.")                                                                                     \
  X(Int, cpu_mhz, "MHz", "Clock of the fastest processor.")                                     \
  X(Real, cpu_temperature_c, "°C", "Temperature of the processors.")                            \
  X(Int, cpu_throttle_count, "count",                                                           \
    "How often heat has slowed the processors since the machine started.")                      \
  X(Real, cpu_energy_j, "J", "Energy used by the processors, from an arbitrary origin.")        \
  X(Int, cpu_busy_ms, "ms",                                                                     \
    "Time that all processors were busy since the first sample, as a sum.")                     \
  X(Int, cpu_own_ms, "ms", "The part of it used by the engine and planex.")                     \
  X(Int, cpu_stolen_ms, "ms", "Time that a hypervisor gave to other machines meanwhile.")       \
  X(Int, gpu_mhz, "MHz", "Graphics clock of the GPU.")                                          \
  X(Int, gpu_memory_mhz, "MHz", "Memory clock of the GPU.")                                     \
  X(Real, gpu_temperature_c, "°C", "Temperature of the GPU.")                                   \
  X(Real, gpu_power_w, "W", "Power draw of the GPU.")                                           \
  X(Real, gpu_use_ratio, "ratio", "Share of the driver's last period in which a kernel ran.")   \
  X(Int, gpu_throttle_bits, "",                                                                 \
    "Why the GPU's clock is not higher, as NVML's bits: 1 idle, 2 application clocks, 4 power " \
    "cap, 8 hardware slowdown, 16 sync boost, 32 software thermal, 64 hardware thermal, 128 "   \
    "power brake, 256 display clock.")                                                          \
  X(Int, gpu_process_count, "count", "Programs that use the GPU to compute.")

#define PLANEX_KERNELS_COLUMNS(X)                                                                \
  X(Column<LayerId>, layer_id, "", "The layer that launches it; null: unknown.")                 \
  X(Int, index, "", "Position among the launches of the layer in one inference.")                \
  X(Text, name, "", "Name of the kernel with its template arguments, or of a copy: [CUDA ...].") \
  X(Text, short_name, "", "Name of its function only.")                                          \
  X(Int, stream, "", "CUDA stream it ran on.")                                                   \
  X(Real, start_us, "us", "Median start, from the first kernel of the inference on.")            \
  X(Int, count, "count", "Launches that were measured.")                                         \
  X(Real, mean_us, "us", "Mean time of one launch.")                                             \
  X(Real, median_us, "us", "Median time of one launch.")                                         \
  X(Real, min_us, "us", "Minimum time of one launch.")                                           \
  X(Real, max_us, "us", "Maximum time of one launch.")                                           \
  X(Real, total_ms, "ms", "Time of all launches.")                                               \
  X(IntList, grid, "", "Blocks in x, y and z; null where launches differ, and for copies.")      \
  X(IntList, block, "", "Threads per block in x, y and z; null where launches differ.")          \
  X(Int, registers, "count", "Registers per thread.")                                            \
  X(Int, shared_bytes, "bytes", "Shared memory per block, static and dynamic.")

#define PLANEX_STREAMS_COLUMNS(X)                                                                  \
  X(Int, stream_id, "", "Position in this table.")                                                 \
  X(Int, process, "", "Its process, numbered from 0.")                                             \
  X(Int, device, "", "Its device.")                                                                \
  X(Int, context, "", "Its CUDA context.")                                                         \
  X(Int, stream, "", "Its number in that context.")                                                \
  X(Int, inferences, "count",                                                                      \
    "Inferences of this engine that ran on it; 0: work of another engine, or of the program.")     \
  X(Int, launches, "count", "Kernels, copies and fills.")                                          \
  X(Real, window_ms, "ms",                                                                         \
    "From the first to the last work of this engine's inferences; the times below are within it.") \
  X(Real, busy_ms, "ms", "Time in which it ran something.")                                        \
  X(Real, overlapped_ms, "ms", "Part of busy_ms in which another stream also ran something.")      \
  X(Real, waiting_ms, "ms",                                                                        \
    "Time in which work was queued on it, it ran nothing, and another stream ran; null: the "      \
    "trace does not record when work was queued.")

#define PLANEX_STREAM_PAIRS_COLUMNS(X)                                                      \
  X(Int, stream_id, "", "A stream.")                                                        \
  X(Int, other_id, "", "Another.")                                                          \
  X(Real, overlapped_ms, "ms", "Time in which both ran something.")                         \
  X(Real, waiting_ms, "ms",                                                                 \
    "Time in which work was queued on the first, it ran nothing, and the other ran; null: " \
    "unknown.")

#define PLANEX_TACTIC_CHOICES_COLUMNS(X)                                                           \
  X(Column<ChoiceId>, choice_id, "", "Position in this table.")                                    \
  X(Column<LayerId>, layer_id, "",                                                                 \
    "The layer of the engine with this name; null: no layer has it.")                              \
  X(Text, layer, "", "Name of the layer, or of the tensor's reformat, as the builder wrote it.")   \
  X(Text, kind, "",                                                                                \
    "layer; reformat: cost of a possible conversion; operation: one inside a compiled subgraph.")  \
  X(Text, operation, "", "The operation inside the subgraph.")                                     \
  X(Text, input_formats, "", "Types and strides of the inputs, as written.")                       \
  X(Text, output_formats, "", "Types and strides of the outputs, as written.")                     \
  X(Text, answer, "",                                                                              \
    "timed; cached: from the timing cache, as the log says; untimed: chosen without a time; "      \
    "none: no candidate could run; silent: the log says nothing, as up to TensorRT 8.6 for times " \
    "from the timing cache.")                                                                      \
  X(Text, runner, "", "Implementation that was chosen for these formats.")                         \
  X(Text, tactic, "", "Its tactic, as written: the number that identifies it.")                    \
  X(Text, tactic_name, "", "The kernel's name, where the log has it.")                             \
  X(Real, time_ms, "ms", "Time of the choice.")                                                    \
  X(Int, candidates, "count", "Tactics that were timed, or skipped.")                              \
  X(Real, profiling_s, "s", "Time that timing them took, where the log has it.")                   \
  X(Int, version, "", "The version of the engine it was made for: the builder can try several.")   \
  X(Int, is_kept, "", "1: that version became the engine; null: unknown.")                         \
  X(Int, is_used, "", "1: the engine's layer uses this choice; 0: it uses another; null: unknown.")

#define PLANEX_TACTICS_COLUMNS(X)                                                    \
  X(Column<ChoiceId>, choice_id, "",                                                 \
    "The choice that it was a candidate for: a row of tactic_choices.")              \
  X(Column<LayerId>, layer_id, "", "The layer of the choice.")                       \
  X(Text, runner, "", "Implementation, such as CaskConvolution.")                    \
  X(Text, tactic, "", "The number that identifies the tactic, as written.")          \
  X(Text, tactic_name, "", "The kernel's name, where the log has it.")               \
  X(Real, time_ms, "ms", "Time as the builder measured it.")                         \
  X(Text, outcome, "",                                                               \
    "timed, cached, untimed, skipped-workspace, skipped-memory or skipped-error.")   \
  X(Int, is_chosen, "", "1: the builder chose it for these formats; null: unknown.") \
  X(Int, requested_bytes, "bytes", "Memory that a skipped tactic requested.")        \
  X(Int, available_bytes, "bytes", "Memory that was available for it.")

#define PLANEX_CALIBRATION_COLUMNS(X)                                                             \
  X(Text, tensor, "", "Name of the tensor in the source model.")                                  \
  X(Text, op_name, "", "Operation of the source model that produces it; null: an input.")         \
  X(Column<LayerId>, layer_id, "", "The layer that writes it; null: unknown.")                    \
  X(Text, method, "", "How its scale was chosen: minmax, percentile:P, kl or mse.")               \
  X(Real, min, "", "Smallest value during calibration.")                                          \
  X(Real, max, "", "Largest value during calibration.")                                           \
  X(Real, threshold, "", "Largest magnitude that the scale covers.")                              \
  X(Real, scale, "", "Step of its 8-bit values.")                                                 \
  X(Column<DType>, dtype, "", "Type it is quantized to: INT8, UINT8 or FP8.")                     \
  X(Int, is_unsigned, "", "1: uint8 with a zero point; 0: int8 with zero point 0; null: FP8.")    \
  X(Int, zero_point, "", "Quantized value of 0: 0 for int8 and FP8, 0 to 255 for uint8.")         \
  X(Int, scale_group, "", "Tensors with the same number share their scale.")                      \
  X(Real, clipped_ratio, "ratio", "Share of the values beyond the threshold.")                    \
  X(Real, sqnr_db, "dB",                                                                          \
    "Signal to quantization noise of the tensor itself, from its histogram; null: no signal, or " \
    "no noise.")                                                                                  \
  X(Real, histogram_max, "", "Largest magnitude during calibration: the end of the last bin.")    \
  X(IntList, histogram, "",                                                                       \
    "Counts of values in bins of equal width over their magnitude, from 0 to histogram_max.")

#define PLANEX_ACCURACY_COLUMNS(X)                                                                \
  X(Text, tensor, "", "Name of the tensor in the source model.")                                  \
  X(Text, op_name, "", "Operation of the float model that produces it.")                          \
  X(Text, op_type, "", "Type of the operation.")                                                  \
  X(Column<LayerId>, layer_id, "", "The layer that writes it; null: unknown.")                    \
  X(Real, simulated_db, "dB",                                                                     \
    "SQNR of the quantized model's own arithmetic against the float model: what the model loses " \
    "up to here. null: no signal, or no noise.")                                                  \
  X(Real, simulated_cosine, "", "Cosine of the angle between the two.")                           \
  X(Real, simulated_max_abs, "", "Largest difference.")                                           \
  X(Int, simulated_is_equal, "", "1: identical to float, bit for bit.")                           \
  X(Int, simulated_not_finite_count, "count", "NaN and infinities.")                              \
  X(Real, engine_db, "dB", "SQNR of OpenVINO's engine against the float model.")                  \
  X(Real, engine_cosine, "", "Cosine of the angle between the two.")                              \
  X(Real, engine_max_abs, "", "Largest difference.")                                              \
  X(Int, engine_is_equal, "", "1: identical to float, bit for bit.")                              \
  X(Int, engine_not_finite_count, "count", "NaN and infinities.")                                 \
  X(Text, tap, "",                                                                                \
    "Whether reading the tensor left the engine's outputs identical, bit for bit: verified, "     \
    "disturbed; missing: the engine's reader does not know the tensor; none: not checked.")       \
  X(Real, alone_simulated_db, "dB",                                                               \
    "With all other layers in float: SQNR of the model's own arithmetic at the outputs.")         \
  X(Real, alone_engine_db, "dB", "The same for the engine.")

#define PLANEX_ACCURACY_OUTPUTS_COLUMNS(X)                                                   \
  X(Text, tensor, "", "Name of the output, or of the tensor used to judge it.")              \
  X(Text, record, "",                                                                        \
    "Command that compared: quantize or search, on held-back samples, or accuracy.")         \
  X(Text, compared, "",                                                                      \
    "simulated: the float model with the quantized one's own arithmetic; engine: the float " \
    "model with OpenVINO's engine; engine-to-simulated: the engine with the model's own "    \
    "arithmetic.")                                                                           \
  X(Real, sqnr_db, "dB", "Signal to quantization noise. null: no signal, or no noise.")      \
  X(Real, cosine, "", "Cosine of the angle between the two.")                                \
  X(Real, max_abs, "", "Largest difference.")                                                \
  X(Int, is_equal, "", "1: identical, bit for bit.")                                         \
  X(Int, nan_count, "count", "NaNs in the second of the two.")                               \
  X(Int, inf_count, "count", "Infinities in it.")                                            \
  X(Int, class_row_count, "count", "Rows of classes; null: the tensor has no classes.")      \
  X(Real, top1_ratio, "ratio", "Rows whose largest class is the same.")                      \
  X(Real, top5_ratio, "ratio",                                                               \
    "Rows whose largest class is among the five largest of the second of the two.")

#define PLANEX_FRONT_COLUMNS(X)                                                                   \
  X(Int, point, "", "Position on the front, from the cheapest on.")                               \
  X(Int, float_layers, "count", "Layers in float, in addition to the requested ones.")            \
  X(Real, macs_ratio, "ratio",                                                                    \
    "Their share of the MACs of all layers that can be in INT8; null: unknown.")                  \
  X(Int, weight_bytes, "bytes", "Size of their weights, in float.")                               \
  X(Real, ms, "ms", "Their mean time in the given engine; null: no engine was given.")            \
  X(Real, median_ms, "ms", "Median time of an inference of the whole model; null: not measured.") \
  X(Real, median_low_ms, "ms", "95 % confidence interval of that median: lower end.")             \
  X(Real, median_high_ms, "ms", "95 % confidence interval of that median: upper end.")            \
  X(Real, sqnr_db, "dB",                                                                          \
    "SQNR of the outputs against the float model, simulated, on the samples of the search; the "  \
    "lowest of the outputs. null: nothing differs, or one has NaN or infinity.")                  \
  X(Real, top1_ratio, "ratio", "Rows whose largest class is the same, on these samples.")         \
  X(Real, judged_sqnr_db, "dB", "The SQNR on all held-back samples.")                             \
  X(Real, judged_top1_ratio, "ratio",                                                             \
    "Rows whose largest class is the same, on all held-back samples.")                            \
  X(Int, is_chosen, "", "1: the model was written with this choice.")

#define PLANEX_FRONT_LAYERS_COLUMNS(X)                                       \
  X(Int, point, "", "The point: a row of front.")                            \
  X(Text, op_name, "", "Operation of the source model that stays in float.") \
  X(Column<LayerId>, layer_id, "", "The layer that it became; null: unknown.")

#define PLANEX_DIFFERENCE_MAPS_COLUMNS(X)                                                       \
  X(Text, tensor, "", "Name of the tensor in the source model.")                                \
  X(Text, shown, "",                                                                            \
    "float: |x| in the float model; simulated, engine: absolute difference of the quantized "   \
    "model's own arithmetic, or of OpenVINO's engine, from that.")                              \
  X(Int, channels, "count", "Channels averaged per cell.")                                      \
  X(Int, tensor_height, "count", "Height of the tensor.")                                       \
  X(Int, tensor_width, "count", "Its width.")                                                   \
  X(Int, height, "count", "Rows of cells, at most 64; each cell is the mean of its positions.") \
  X(Int, width, "count", "Columns of cells, at most 64.")                                       \
  X(Real, step, "", "Value of 1 in cells: the largest cell is 255.")                            \
  X(IntList, cells, "", "Cells row by row, from 0 to 255, of the first sample.")

#define PLANEX_REGIONS_COLUMNS(X)                               \
  X(Column<RegionId>, region_id, "", "Position in this table.") \
  X(Text, name, "", "Name, where the producer gives one.")      \
  X(Int, bytes, "bytes", "Size.")

#define PLANEX_EVENTS_COLUMNS(X)                                          \
  X(Int, event_id, "", "The event that connects a signal and its waits.") \
  X(Column<LayerId>, layer_id, "", "The record that signals or waits.")   \
  X(Int, stream, "", "Its stream.")                                       \
  X(Text, kind, "", "signal, wait, jump, jump-then or jump-else.")        \
  X(Column<LayerId>, target_layer_id, "", "Where a jump leads.")

#define PLANEX_BLOCKS_COLUMNS(X)                                      \
  X(Column<BlockId>, block_id, "", "Position in this table.")         \
  X(Text, name, "", "Name of the block.")                             \
  X(Text, kind, "", "opaque, repeated, conditional, branch or loop.") \
  X(Column<BlockId>, parent_id, "", "The block around it.")           \
  X(Int, layer_count, "count", "Layers in the block.")

#define PLANEX_BINDINGS_COLUMNS(X)                                      \
  X(Text, name, "", "Tensor name.")                                     \
  X(Column<Direction>, direction, "", "input or output of the engine.") \
  X(IntList, dims, "", "Dimensions; -1 is dynamic.")                    \
  X(Column<DType>, dtype, "", "Element type.")                          \
  X(Column<Layout>, layout, "", "Memory layout.")                       \
  X(IntList, profile_min, "", "Minimum dimensions of the profile.")     \
  X(IntList, profile_opt, "", "Dimensions the profile was tuned for.")  \
  X(IntList, profile_max, "", "Maximum dimensions of the profile.")

#define PLANEX_PROFILES_COLUMNS(X)                         \
  X(Int, profile_index, "", "The optimization profile.")   \
  X(Text, binding, "", "Input or output of the engine.")   \
  X(IntList, min_dims, "", "Least dimensions.")            \
  X(IntList, opt_dims, "", "Dimensions it was tuned for.") \
  X(IntList, max_dims, "", "Greatest dimensions.")         \
  X(Text, raw_format, "", "Type and layout as written in the file.")

#define PLANEX_OPERATIONS_COLUMNS(X)                                                      \
  X(Column<OperationId>, operation_id, "", "Position in the source model.")               \
  X(Text, name, "", "Name of the node.")                                                  \
  X(Text, type, "", "Operator, such as Conv.")                                            \
  X(Text, domain, "", "Operator domain; null is ONNX's own.")                             \
  X(Text, subgraph, "", "Path of the subgraph that contains it; null is the main graph.") \
  X(Text, parameters, "", "Its attributes as a JSON object, without tensors.")            \
  X(Int, weight_bytes, "bytes", "Weights it reads, in their stored types.")               \
  X(Int, macs, "count", "Multiply-accumulates of one inference.")                         \
  X(Int, flops, "count", "Operations of one inference: 2 per MAC.")

#define PLANEX_OPERATION_PORTS_COLUMNS(X)                                                  \
  X(Column<OperationId>, operation_id, "", "The operation.")                               \
  X(Column<Direction>, direction, "", "input or output.")                                  \
  X(Int, index, "", "Position among its inputs, or outputs; omitted optional ones count.") \
  X(Text, tensor, "", "Name of the tensor in the source model.")                           \
  X(IntList, dims, "", "Dimensions; -1 is dynamic.")                                       \
  X(Column<DType>, dtype, "", "Element type.")                                             \
  X(Int, stored_bytes, "bytes", "Size of weights in the model file; null for activations.")

#define PLANEX_METADATA_COLUMNS(X)                                                               \
  X(Text, section, "", "Heading in the file: builder options, device, performance summary, ...") \
  X(Text, key, "", "As written.")                                                                \
  X(Text, value, "", "As written.")                                                              \
  X(Text, file, "", "The file it was read from.")

#define PLANEX_FILES_COLUMNS(X)                             \
  X(Text, file, "", "Path as given or found.")              \
  X(Text, kind, "", "What it was recognized as.")           \
  X(Text, evidence, "", "How it was recognized and found.") \
  X(Int, size_bytes, "bytes", "Size of the file.")          \
  X(Int, record_count, "count", "Records read from it.")    \
  X(Int, joined_count, "count", "Records that were matched with a layer.")

#define PLANEX_FINDINGS_COLUMNS(X)                                        \
  X(Text, rule, "", "Id of the rule.")                                    \
  X(Column<Severity>, severity, "", "error, warning or info.")            \
  X(Column<LayerId>, layer_id, "", "The layer it is about.")              \
  X(Text, message, "", "What was found.")                                 \
  X(Text, evidence, "", "The facts that support it.")                     \
  X(Real, estimated_ms, "ms", "Estimated saving of a fix per inference.") \
  X(Text, estimate_method, "", "Method of the estimate.")                 \
  X(Text, fix, "", "What to do.")

#define PLANEX_DIAGNOSTICS_COLUMNS(X)                          \
  X(Text, code, "", "Stable diagnostic code.")                 \
  X(Column<Severity>, severity, "", "error, warning or info.") \
  X(Text, message, "", "What was unexpected, and its effect.") \
  X(Text, file, "", "The file it was read from.")              \
  X(Text, json_pointer, "", "RFC 6901 pointer into the file.") \
  X(Int, byte_offset, "bytes", "Offset from the start of the file.")

// T(StructName, table_name, COLUMNS, description)
#define PLANEX_TABLES(T)                                                                           \
  T(EngineTable, engine, PLANEX_ENGINE_COLUMNS, "The engine itself; one row.")                     \
  T(LayersTable, layers, PLANEX_LAYERS_COLUMNS, "Every record of the engine, in execution order.") \
  T(PortsTable, ports, PLANEX_PORTS_COLUMNS,                                                       \
    "Inputs and outputs of layers: type, dimensions and layout at that end.")                      \
  T(TensorsTable, tensors, PLANEX_TENSORS_COLUMNS, "Names that ports share.")                      \
  T(SourcesTable, sources, PLANEX_SOURCES_COLUMNS,                                                 \
    "Operations of the source model that a layer stems from; many to many.")                       \
  T(AttributesTable, attributes, PLANEX_ATTRIBUTES_COLUMNS,                                        \
    "Everything else the file records about a layer.")                                             \
  T(IterationsTable, iterations, PLANEX_ITERATIONS_COLUMNS, "Timed inferences.")                   \
  T(MachineSamplesTable, machine_samples, PLANEX_MACHINE_SAMPLES_COLUMNS,                          \
    "The machine during the inferences: clocks, temperatures, load.")                              \
  T(KernelsTable, kernels, PLANEX_KERNELS_COLUMNS,                                                 \
    "Kernels that layers launch, from a trace of Nsight Systems.")                                 \
  T(StreamsTable, streams, PLANEX_STREAMS_COLUMNS,                                                 \
    "Streams of the device that ran concurrently, from a trace of Nsight Systems.")                \
  T(StreamPairsTable, stream_pairs, PLANEX_STREAM_PAIRS_COLUMNS,                                   \
    "Pairs of streams: time both ran at once, and time one waited while the other ran.")           \
  T(TacticChoicesTable, tactic_choices, PLANEX_TACTIC_CHOICES_COLUMNS,                             \
    "Choices of the builder: a layer with the formats it considered, from a verbose log.")         \
  T(TacticsTable, tactics, PLANEX_TACTICS_COLUMNS, "Candidates of these choices.")                 \
  T(CalibrationTable, calibration, PLANEX_CALIBRATION_COLUMNS,                                     \
    "Tensors that were quantized, with their ranges and scales: from planex quantize.")            \
  T(AccuracyTable, accuracy, PLANEX_ACCURACY_COLUMNS,                                              \
    "What quantizing lost, tensor by tensor: from planex accuracy.")                               \
  T(AccuracyOutputsTable, accuracy_outputs, PLANEX_ACCURACY_OUTPUTS_COLUMNS,                       \
    "What quantizing lost at the outputs.")                                                        \
  T(FrontTable, front, PLANEX_FRONT_COLUMNS,                                                       \
    "Models with some layers in float that no other model beats: from planex search.")             \
  T(FrontLayersTable, front_layers, PLANEX_FRONT_LAYERS_COLUMNS,                                   \
    "Layers that these models keep in float.")                                                     \
  T(DifferenceMapsTable, difference_maps, PLANEX_DIFFERENCE_MAPS_COLUMNS,                          \
    "Where in a tensor the differences are, as a picture: from planex accuracy --maps.")           \
  T(RegionsTable, regions, PLANEX_REGIONS_COLUMNS, "Memory that contains tensors.")                \
  T(EventsTable, events, PLANEX_EVENTS_COLUMNS, "Signals and waits between streams.")              \
  T(BlocksTable, blocks, PLANEX_BLOCKS_COLUMNS, "Repeated or opaque groups of layers.")            \
  T(BindingsTable, bindings, PLANEX_BINDINGS_COLUMNS, "Inputs and outputs of the engine.")         \
  T(ProfilesTable, profiles, PLANEX_PROFILES_COLUMNS,                                              \
    "Shapes that each optimization profile allows.")                                               \
  T(OperationsTable, operations, PLANEX_OPERATIONS_COLUMNS,                                        \
    "Operations of the source model, if it was read or the log lists them.")                       \
  T(OperationPortsTable, operation_ports, PLANEX_OPERATION_PORTS_COLUMNS,                          \
    "Inputs and outputs of the source model's operations.")                                        \
  T(MetadataTable, metadata, PLANEX_METADATA_COLUMNS,                                              \
    "Builder options, device, performance summary, command lines.")                                \
  T(FilesTable, files, PLANEX_FILES_COLUMNS, "Files that were read.")                              \
  T(FindingsTable, findings, PLANEX_FINDINGS_COLUMNS, "What lint found.")                          \
  T(DiagnosticsTable, diagnostics, PLANEX_DIAGNOSTICS_COLUMNS,                                     \
    "Unexpected things in the files that did not stop the reading.")

enum class ColumnType : std::uint8_t { kInt64, kDouble, kText, kList };
std::string_view to_string(ColumnType type);

struct ColumnInfo {
  std::string_view name;
  ColumnType type;
  std::string_view unit;
  std::string_view description;
};

struct TableInfo {
  std::string_view name;
  std::string_view description;
  std::span<const ColumnInfo> columns;
};

// All tables, in the order above. Static storage.
std::span<const TableInfo> schema();

}  // namespace planex::model
