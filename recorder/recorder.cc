#include "planex/recorder/recorder.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace planex::recorder {
namespace {

// CLOCK_MONOTONIC, like planex's recordings of the machine: the two can be compared.
std::int64_t now_ns() noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

double ms_of(std::int64_t ns) { return static_cast<double>(ns) * 1e-6; }

// JSON. Non-ASCII bytes of a name are unchanged, as engines write UTF-8.
void put_text(std::string& json, std::string_view text) {
  json += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      json += '\\';
      json += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      std::array<char, 8> escape{};
      std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned char>(c));
      json += escape.data();
    } else {
      json += c;
    }
  }
  json += '"';
}

void put_number(std::string& json, double number) {
  // To the nanosecond, in ms; values that are not numbers become unknown.
  std::array<char, 40> text{};
  if (std::isfinite(number)) {
    std::snprintf(text.data(), text.size(), "%.6f", number);
    // Programs can set their own locale.
    for (char& c : text) {
      if (c == ',') c = '.';
    }
  } else {
    std::snprintf(text.data(), text.size(), "null");
  }
  json += text.data();
}

double median_of(std::vector<float> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return static_cast<double>(*middle);
  return (static_cast<double>(*middle) +
          static_cast<double>(*std::max_element(values.begin(), middle))) /
         2;
}

// Written next to the file first, then renamed: a reader never sees half of a file.
std::string write_file(const std::string& path, const std::string& text) {
  const std::string draft = path + ".part";
  std::FILE* const file = std::fopen(draft.c_str(), "wb");
  if (file == nullptr) return "can't write " + path + ": " + std::strerror(errno);
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = std::fclose(file) == 0;
  if (written && closed && std::rename(draft.c_str(), path.c_str()) == 0) return {};
  const std::string reason = std::strerror(errno);
  std::remove(draft.c_str());
  return "can't write " + path + ": " + reason;
}

// Live recorders, for exit() and for signals. A signal handler can only access globals.
std::mutex& registry_mutex() {
  static auto* const mutex = new std::mutex;  // Lives as long as the program: exit() needs it.
  return *mutex;
}
std::vector<Recorder*>& registry() {
  static auto* const recorders = new std::vector<Recorder*>;
  return *recorders;
}
int signal_pipe[2] = {-1, -1};

void write_all() noexcept {
  const std::lock_guard<std::mutex> lock(registry_mutex());
  for (Recorder* recorder : registry()) {
    const std::string trouble = recorder->write();
    if (!trouble.empty()) std::fprintf(stderr, "planex recorder: %s\n", trouble.c_str());
  }
}

// Only what a signal handler is allowed to do; the thread does the rest.
extern "C" void planex_recorder_on_signal(int signal) {
  const int number = errno;
  const auto byte = static_cast<unsigned char>(signal);
  if (::write(signal_pipe[1], &byte, 1) < 0) {
    // If the pipe is full, a write is due anyway.
  }
  errno = number;
}

void listen(int end_signals) {
  while (true) {
    unsigned char byte = 0;
    const ssize_t count = ::read(signal_pipe[0], &byte, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    write_all();
    const int signal = byte;
    if (end_signals == 0 || (signal != SIGINT && signal != SIGTERM)) continue;
    std::signal(signal, SIG_DFL);
    ::kill(::getpid(), signal);
  }
}

// Once per program; later recorders use the first one's signals.
void install_signals(const Options& options) {
  static std::once_flag once;
  std::call_once(once, [&] {
    std::atexit(write_all);
    if (options.write_signal == 0 && !options.writes_when_ended) return;
    if (::pipe(signal_pipe) != 0) return;
    for (const int end : signal_pipe) ::fcntl(end, F_SETFD, FD_CLOEXEC);
    ::fcntl(signal_pipe[1], F_SETFL, O_NONBLOCK);
    // Signals are delivered to the program's own threads, as without a recorder.
    sigset_t all, before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread(listen, options.writes_when_ended ? 1 : 0).detach();
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    struct sigaction action {};
    action.sa_handler = planex_recorder_on_signal;
    action.sa_flags = SA_RESTART;
    if (options.write_signal != 0) ::sigaction(options.write_signal, &action, nullptr);
    if (options.writes_when_ended) {
      for (const int signal : {SIGINT, SIGTERM}) ::sigaction(signal, &action, nullptr);
    }
  });
}

}  // namespace

struct Recorder::State {
  struct Sample {
    std::int64_t start_ns, enqueued_ns, end_ns;
  };
  struct Layer {
    std::string name;
    std::vector<float> samples_ms;
  };

  Options options;
  mutable std::mutex mutex;  // Protects the members below.
  std::string producer, version, engine_text, engine_ending;
  std::string layers_text, layers_ending;
  std::int64_t origin_ns = 0;
  std::size_t warmup_left = 0, warmup_done = 0, not_recorded = 0;
  std::vector<Sample> samples;
  std::vector<float> warmup_ms, profiled_ms;
  std::vector<Layer> layers;
  std::size_t next_layer = 0;  // Layers are in the same order in each inference.

  std::string path(std::string_view ending) const {
    return (std::filesystem::path(options.folder) / options.name).string() + std::string(ending);
  }

  std::string times_json() const {
    std::string json = "{\n \"schema\": \"planex.times/1\",\n \"count\": ";
    json += std::to_string(samples.size());
    json += ",\n \"warmup_count\": " + std::to_string(warmup_done);
    json += ",\n \"origin_monotonic_ns\": " + std::to_string(origin_ns);
    json += ",\n \"columns\": {\n  \"start_ms\": ";
    put_column(json, [&](const Sample& sample) { return ms_of(sample.start_ns - origin_ns); });
    const bool knows_enqueue = std::all_of(samples.begin(), samples.end(), [](const Sample& sample) {
      return sample.enqueued_ns != 0;
    });
    if (knows_enqueue) {
      json += ",\n  \"enqueue_ms\": ";
      put_column(json,
                 [](const Sample& sample) { return ms_of(sample.enqueued_ns - sample.start_ns); });
    }
    json += ",\n  \"latency_ms\": ";
    put_column(json, [](const Sample& sample) { return ms_of(sample.end_ns - sample.start_ns); });
    json += "\n }";
    put_list(json, "warmup_latency_ms", warmup_ms);
    if (!profiled_ms.empty()) put_list(json, "profiled_latency_ms", profiled_ms);
    return json + "\n}\n";
  }

  // Like trtexec --exportProfile.
  std::string profile_json() const {
    double sum = 0;
    std::size_t count = 0;
    std::vector<double> totals;
    for (const Layer& layer : layers) {
      double total = 0;
      for (const float ms : layer.samples_ms) total += static_cast<double>(ms);
      sum += total;
      totals.push_back(total);
      count = std::max(count, layer.samples_ms.size());
    }
    std::string json = "[\n{\"count\": " + std::to_string(count) + "}";
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const Layer& layer = layers[i];
      json += ",\n{\"name\": ";
      put_text(json, layer.name);
      const auto put = [&](const char* key, double number) {
        json += std::string(", \"") + key + "\": ";
        put_number(json, number);
      };
      put("timeMs", totals[i]);
      put("averageMs", totals[i] / static_cast<double>(layer.samples_ms.size()));
      put("medianMs", median_of(layer.samples_ms));
      put("percentage", sum > 0 ? 100 * totals[i] / sum : 0);
      json += "}";
    }
    return json + "\n]\n";
  }

  std::string manifest_json(const std::vector<std::pair<std::string, std::string>>& files) const {
    std::string json = "{\n \"schema\": \"planex.manifest/1\",\n \"engine\": ";
    put_text(json, producer);
    json += ",\n \"name\": ";
    put_text(json, options.name);
    json += ",\n \"artefacts\": [";
    for (std::size_t i = 0; i < files.size(); ++i) {
      json += i == 0 ? "{\"kind\": " : ", {\"kind\": ";
      put_text(json, files[i].first);
      json += ", \"file\": ";
      put_text(json, std::filesystem::path(files[i].second).filename().string());
      json += "}";
    }
    json += "],\n \"recorder\": {\"producer_version\": ";
    put_text(json, version);
    json += ", \"not_recorded\": " + std::to_string(not_recorded);
    return json + "}\n}\n";
  }

 private:
  template <typename Get>
  void put_column(std::string& json, Get get) const {
    json += '[';
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (i > 0) json += ", ";
      put_number(json, get(samples[i]));
    }
    json += ']';
  }

  static void put_list(std::string& json, const char* key, const std::vector<float>& values) {
    json += std::string(",\n \"") + key + "\": [";
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0) json += ", ";
      put_number(json, static_cast<double>(values[i]));
    }
    json += ']';
  }
};

Options options_from_environment(std::string name) {
  Options options;
  const char* const folder = std::getenv("PLANEX_RECORD");
  if (folder != nullptr) options.folder = folder;
  options.name = std::move(name);
  return options;
}

Inference::Inference(Recorder* recorder, bool is_profiled) noexcept
    : recorder_(recorder), is_profiled_(is_profiled) {
  if (recorder_ != nullptr) start_ns_ = now_ns();
}
Inference::Inference(Inference&& other) noexcept
    : recorder_(std::exchange(other.recorder_, nullptr)),
      is_profiled_(other.is_profiled_),
      start_ns_(other.start_ns_),
      enqueued_ns_(other.enqueued_ns_) {}
Inference::~Inference() { end(); }

void Inference::enqueued() noexcept {
  if (recorder_ != nullptr) enqueued_ns_ = now_ns();
}

void Inference::end() noexcept {
  if (recorder_ == nullptr) return;
  std::exchange(recorder_, nullptr)->add(start_ns_, enqueued_ns_, now_ns(), is_profiled_);
}

Recorder::Recorder(Options options) {
  if (options.folder.empty()) return;
  std::error_code failed;
  std::filesystem::create_directories(options.folder, failed);
  if (failed) {
    throw std::runtime_error("planex recorder: can't create the folder " + options.folder + ": " +
                             failed.message());
  }
  state_ = std::make_unique<State>();
  state_->options = std::move(options);
  state_->warmup_left = state_->options.warmup_count;
  constexpr std::size_t kFirst = 4096;  // No copying in the first seconds.
  state_->samples.reserve(std::min(kFirst, state_->options.max_inferences));
  install_signals(state_->options);
  const std::lock_guard<std::mutex> lock(registry_mutex());
  registry().push_back(this);
}

Recorder::~Recorder() {
  if (!state_) return;
  {
    const std::lock_guard<std::mutex> lock(registry_mutex());
    auto& all = registry();
    all.erase(std::remove(all.begin(), all.end(), this), all.end());
  }
  const std::string trouble = write();
  if (!trouble.empty()) std::fprintf(stderr, "planex recorder: %s\n", trouble.c_str());
}

bool Recorder::wants_profile() const noexcept {
  if (!state_) return false;
  const std::lock_guard<std::mutex> lock(state_->mutex);
  return state_->profiled_ms.size() < state_->options.max_profiled;
}

void Recorder::add(std::int64_t start_ns, std::int64_t enqueued_ns, std::int64_t end_ns,
                   bool is_profiled) noexcept {
  try {
    State& state = *state_;
    const std::lock_guard<std::mutex> lock(state.mutex);
    if (state.origin_ns == 0) state.origin_ns = start_ns;
    const auto ms = static_cast<float>(ms_of(end_ns - start_ns));
    if (is_profiled) {
      state.next_layer = 0;
      state.profiled_ms.push_back(ms);
    } else if (state.warmup_left > 0) {
      --state.warmup_left;
      ++state.warmup_done;
      state.warmup_ms.push_back(ms);
    } else if (state.samples.size() < state.options.max_inferences) {
      state.samples.push_back({start_ns, enqueued_ns, end_ns});
    } else {
      ++state.not_recorded;
    }
  } catch (...) {
    // No memory: losing an inference is better than ending the program.
  }
}

void Recorder::set_engine(std::string_view producer, std::string_view version,
                          std::string_view text, std::string_view ending) noexcept {
  if (!state_) return;
  try {
    const std::lock_guard<std::mutex> lock(state_->mutex);
    state_->producer = producer;
    state_->version = version;
    state_->engine_text = text;
    state_->engine_ending = ending;
  } catch (...) {
  }
}

void Recorder::layer_time(std::string_view name, double ms) noexcept {
  if (!state_) return;
  try {
    State& state = *state_;
    const std::lock_guard<std::mutex> lock(state.mutex);
    std::size_t at = state.next_layer;
    // Out of order: a context with other shapes, or another engine.
    while (at < state.layers.size() && state.layers[at].name != name) ++at;
    if (at == state.layers.size() && state.next_layer > 0) {
      at = 0;
      while (at < state.next_layer && state.layers[at].name != name) ++at;
      // A name that repeats within one inference is another layer.
      if (at == state.next_layer || state.layers[at].samples_ms.size() > state.profiled_ms.size()) {
        at = state.layers.size();
      }
    }
    if (at == state.layers.size()) state.layers.push_back({std::string(name), {}});
    state.layers[at].samples_ms.push_back(static_cast<float>(ms));
    state.next_layer = at + 1;
  } catch (...) {
  }
}

void Recorder::set_layer_times(std::string_view text, std::string_view ending) noexcept {
  if (!state_) return;
  try {
    const std::lock_guard<std::mutex> lock(state_->mutex);
    state_->layers_text = text;
    state_->layers_ending = ending;
  } catch (...) {
  }
}

std::string Recorder::write() noexcept {
  if (!state_) return {};
  try {
    const State& state = *state_;
    const std::lock_guard<std::mutex> lock(state.mutex);
    std::vector<std::pair<std::string, std::string>> files;
    std::string trouble;
    const auto put = [&](const char* kind, std::string_view ending, const std::string& text) {
      if (!trouble.empty()) return;
      const std::string path = state.path(ending);
      trouble = write_file(path, text);
      files.emplace_back(kind, path);
    };
    if (!state.engine_text.empty()) put("graph", state.engine_ending, state.engine_text);
    if (!state.layers_text.empty()) {
      put("profile", state.layers_ending, state.layers_text);
    } else if (!state.layers.empty()) {
      put("profile", ".profile.json", state.profile_json());
    }
    if (!state.samples.empty()) put("times", ".times.json", state.times_json());
    if (!trouble.empty()) return trouble;
    return write_file((std::filesystem::path(state.options.folder) / "manifest.json").string(),
                      state.manifest_json(files));
  } catch (const std::exception& exception) {
    return exception.what();
  } catch (...) {
    return "no memory";
  }
}

}  // namespace planex::recorder
