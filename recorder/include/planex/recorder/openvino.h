// The recorder for programs with OpenVINO.
//
//   auto compiled = core.compile_model(model, "CPU", ov::enable_profiling(recorder.is_on()));
//   planex::recorder::record_engine(recorder, compiled);
//   for (...) {
//     auto inference = recorder.inference();
//     request.start_async();
//     inference.enqueued();
//     request.wait();
//   }
//   planex::recorder::record_layers(recorder, request);
//
// Without ov::enable_profiling there are no times of layers. With it each inference takes a little
// longer: OpenVINO reads a clock around each layer.
#pragma once

#include <chrono>
#include <cstdio>
#include <exception>
#include <openvino/openvino.hpp>
#include <openvino/pass/serialize.hpp>
#include <sstream>
#include <string>

#include "planex/recorder/recorder.h"

namespace planex::recorder {

// The compiled model's layers, in OpenVINO's own form. Empty for a device that does not provide
// them.
inline void record_engine(Recorder& recorder, const ov::CompiledModel& compiled) noexcept {
  if (!recorder.is_on()) return;
  try {
    std::ostringstream xml, weights;
    ov::pass::Serialize(xml, weights)
        .run_on_model(std::const_pointer_cast<ov::Model>(compiled.get_runtime_model()));
    recorder.set_engine("openvino", ov::get_openvino_version().buildNumber, xml.str(), ".exec.xml");
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "planex recorder: OpenVINO does not provide its layers: %s\n",
                 exception.what());
  }
}

// ";0.012;0.012" and a line break, in ms.
inline std::string times_text(std::chrono::microseconds real, std::chrono::microseconds cpu) {
  constexpr double kUsPerMs = 1000;
  char text[64];
  std::snprintf(text, sizeof text, ";%.3f;%.3f\n", static_cast<double>(real.count()) / kUsPerMs,
                static_cast<double>(cpu.count()) / kUsPerMs);
  return text;
}

// The request's means since its first inference, in the form of benchmark_app.
inline void record_layers(Recorder& recorder, const ov::InferRequest& request) noexcept {
  if (!recorder.is_on()) return;
  try {
    std::string text = "layerName;execStatus;layerType;execType;realTime (ms);cpuTime (ms)\n";
    std::chrono::microseconds real_time{0}, cpu_time{0};
    for (const ov::ProfilingInfo& info : request.get_profiling_info()) {
      const char* const status = info.status == ov::ProfilingInfo::Status::EXECUTED ? "EXECUTED"
                                 : info.status == ov::ProfilingInfo::Status::OPTIMIZED_OUT
                                     ? "OPTIMIZED_OUT"
                                     : "NOT_RUN";
      text += info.node_name + ";" + status + ";" + info.node_type + ";" + info.exec_type;
      text += times_text(info.real_time, info.cpu_time);
      real_time += info.real_time;
      cpu_time += info.cpu_time;
    }
    text += "Total;;;" + times_text(real_time, cpu_time);
    recorder.set_layer_times(text, "_average_counters.csv");
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "planex recorder: no layer times: %s\n", exception.what());
  }
}

}  // namespace planex::recorder
