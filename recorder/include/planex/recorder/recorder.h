// Records what an inference engine does inside a program of your own, and writes the files that
// planex reads: the engine, the times of its layers, the times of inferences.
//
//   planex::recorder::Recorder recorder({.folder = "run", .name = "detector"});
//   for (...) {
//     auto inference = recorder.inference();
//     ... enqueue ...
//     inference.enqueued();
//     ... wait for the result ...
//   }                                   // the inference ends with its object
//
// Engine-specific parts are in tensorrt.h and openvino.h. Requires only C++17 and POSIX threads.
// All functions can be called from several threads; only the constructor throws.
#pragma once

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace planex::recorder {

struct Options {
  // Folder for the files; created if missing. Empty: the recorder is off, and costs two comparisons
  // per inference.
  std::string folder;
  // Files are called NAME.graph.json, NAME.times.json and so on.
  std::string name = "engine";
  // Number of first inferences that are left out of the times: they are slow for other reasons.
  std::size_t warmup_count = 10;
  // Later ones are not recorded: 24 bytes each.
  std::size_t max_inferences = 1'000'000;
  // Number of inferences whose layers are timed, if the engine is asked to (tensorrt.h): a profiler
  // slows them down, so they are kept apart from the others.
  std::size_t max_profiled = 100;
  // A signal that writes the files with the data so far, and continues; 0: none.
  int write_signal = SIGUSR1;
  // Also write on SIGINT and SIGTERM, and then end as without a recorder. Not for programs that
  // handle these signals themselves.
  bool writes_when_ended = false;
};

// PLANEX_RECORD: the folder. Without it, the recorder is off.
Options options_from_environment(std::string name);

class Recorder;

// One inference: from its construction to its end.
class Inference {
 public:
  Inference(Inference&& other) noexcept;
  Inference& operator=(Inference&&) = delete;
  ~Inference();

  // The call that starts it has returned.
  void enqueued() noexcept;
  // The result is available. Otherwise the destructor marks the end.
  void end() noexcept;

 private:
  friend class Recorder;
  Inference(Recorder* recorder, bool is_profiled) noexcept;

  Recorder* recorder_;
  bool is_profiled_;
  std::int64_t start_ns_ = 0, enqueued_ns_ = 0;
};

class Recorder {
 public:
  // Errors: std::runtime_error if the folder can't be created.
  explicit Recorder(Options options);
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  // Writes the files. They are also written if a program calls exit() with a live recorder.
  ~Recorder();

  bool is_on() const noexcept { return state_ != nullptr; }

  Inference inference() noexcept { return Inference(state_ ? this : nullptr, false); }
  // The same for one whose layers are timed.
  Inference profiled_inference() noexcept { return Inference(state_ ? this : nullptr, true); }
  // Whether more of these are needed.
  bool wants_profile() const noexcept;

  // The engine in its runtime's own form, and the ending of the file: ".graph.json" for TensorRT's
  // inspector, ".exec.xml" for OpenVINO.
  void set_engine(std::string_view producer, std::string_view version, std::string_view text,
                  std::string_view ending) noexcept;
  // The time of a layer in the profiled inference, in the order in which they ran. Names can
  // repeat.
  void layer_time(std::string_view name, double ms) noexcept;
  // A file of layer times in another form, such as OpenVINO's counters; replaces the last one.
  void set_layer_times(std::string_view text, std::string_view ending) noexcept;

  // Writes the data so far. Returns an empty text if done, or off; else what went wrong, in one
  // line.
  std::string write() noexcept;

 private:
  friend class Inference;
  struct State;

  void add(std::int64_t start_ns, std::int64_t enqueued_ns, std::int64_t end_ns,
           bool is_profiled) noexcept;

  std::unique_ptr<State> state_;  // Null: off.
};

}  // namespace planex::recorder
