// Stands in for NVIDIA's management library, libnvidia-ml.so.1: replays what a GPU said, and notes
// what it was asked to do. Names and numbers as in the NVML API Reference Guide.
//
// PLANEX_NVML_REPLAY  a file; a line a sample: graphics MHz, memory MHz, °C, mW, use in %, reasons
//                     for the clock as a number, processes. The last line stays. Without it there
//                     is no GPU.
// PLANEX_NVML_CALLS   a file that gets a line for each call that changes something
// PLANEX_NVML_FAIL    words: "lock" or "reset" fail, for want of rights
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kSuccess = 0, kInvalid = 2, kNotSupported = 3, kNoPermission = 4, kNotFound = 6, kShort = 7 };

enum { kMaxSamples = 1000 };
struct Sample {
  unsigned mhz, memory_mhz, temperature_c, power_mw, use_percent, reasons, processes;
};
static struct Sample samples[kMaxSamples];
static unsigned sample_count, at;
static int device;

static const struct Sample* now(void) { return &samples[at < sample_count ? at : sample_count - 1]; }

static int is_failing(const char* word) {
  const char* words = getenv("PLANEX_NVML_FAIL");
  return words != NULL && strstr(words, word) != NULL;
}

static void note(const char* call, unsigned mhz) {
  const char* path = getenv("PLANEX_NVML_CALLS");
  FILE* file = path == NULL ? NULL : fopen(path, "a");
  if (file == NULL) return;
  fprintf(file, "%s %u\n", call, mhz);
  fclose(file);
}

static int copy(const char* text, char* buffer, unsigned size) {
  if (size <= strlen(text)) return kShort;
  strcpy(buffer, text);
  return kSuccess;
}

int nvmlInit_v2(void) {
  const char* path = getenv("PLANEX_NVML_REPLAY");
  FILE* file = path == NULL ? NULL : fopen(path, "r");
  sample_count = at = 0;
  if (file == NULL) return kNotFound;
  struct Sample* next = samples;
  while (sample_count < kMaxSamples &&
         fscanf(file, "%u %u %u %u %u %u %u", &next->mhz, &next->memory_mhz, &next->temperature_c,
                &next->power_mw, &next->use_percent, &next->reasons, &next->processes) == 7) {
    ++sample_count;
    ++next;
  }
  fclose(file);
  return sample_count == 0 ? kNotFound : kSuccess;
}
int nvmlShutdown(void) { return kSuccess; }
const char* nvmlErrorString(int code) {
  switch (code) {
    case kNoPermission:
      return "Insufficient Permissions";
    case kNotSupported:
      return "Not Supported";
    default:
      return "Unknown Error";
  }
}
int nvmlSystemGetDriverVersion(char* text, unsigned size) { return copy("560.35.03", text, size); }
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = 1;
  return kSuccess;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** found) {
  *found = &device;
  return index == 0 ? kSuccess : kInvalid;
}
int nvmlDeviceGetHandleByUUID(const char* uuid, void** found) {
  *found = &device;
  return strcmp(uuid, "GPU-0") == 0 ? kSuccess : kNotFound;
}
int nvmlDeviceGetIndex(void* of, unsigned* index) {
  *index = 0;
  return of == &device ? kSuccess : kInvalid;
}
int nvmlDeviceGetName(void* of, char* text, unsigned size) {
  (void)of;
  return copy("NVIDIA A10", text, size);
}
int nvmlDeviceGetUUID(void* of, char* text, unsigned size) {
  (void)of;
  return copy("GPU-0", text, size);
}
// The graphics clock is what is asked first of each sample.
int nvmlDeviceGetClockInfo(void* of, int clock, unsigned* mhz) {
  static int started;
  (void)of;
  if (clock == 0 && started++ > 0) ++at;
  *mhz = clock == 2 ? now()->memory_mhz : now()->mhz;
  return kSuccess;
}
int nvmlDeviceGetMaxClockInfo(void* of, int clock, unsigned* mhz) {
  (void)of;
  *mhz = clock == 2 ? 6251 : 1695;
  return kSuccess;
}
int nvmlDeviceGetDefaultApplicationsClock(void* of, int clock, unsigned* mhz) {
  (void)of;
  *mhz = clock == 2 ? 6251 : 1410;
  return kSuccess;
}
int nvmlDeviceGetTemperature(void* of, int sensor, unsigned* celsius) {
  (void)of, (void)sensor;
  *celsius = now()->temperature_c;
  return kSuccess;
}
int nvmlDeviceGetTemperatureThreshold(void* of, int threshold, unsigned* celsius) {
  (void)of;
  *celsius = 94;
  return threshold == 1 ? kSuccess : kNotSupported;
}
int nvmlDeviceGetPowerUsage(void* of, unsigned* milliwatts) {
  (void)of;
  *milliwatts = now()->power_mw;
  return kSuccess;
}
int nvmlDeviceGetEnforcedPowerLimit(void* of, unsigned* milliwatts) {
  (void)of;
  *milliwatts = 150000;
  return kSuccess;
}
int nvmlDeviceGetPowerManagementDefaultLimit(void* of, unsigned* milliwatts) {
  return nvmlDeviceGetEnforcedPowerLimit(of, milliwatts);
}
int nvmlDeviceGetUtilizationRates(void* of, unsigned* gpu_and_memory) {
  (void)of;
  gpu_and_memory[0] = now()->use_percent;
  gpu_and_memory[1] = 0;
  return kSuccess;
}
// The older of both names, as drivers before 535 have it.
int nvmlDeviceGetCurrentClocksThrottleReasons(void* of, unsigned long long* reasons) {
  (void)of;
  *reasons = now()->reasons;
  return kSuccess;
}
int nvmlDeviceGetComputeRunningProcesses_v3(void* of, unsigned* count, void* list) {
  (void)of, (void)list;
  *count = now()->processes;
  return *count == 0 ? kSuccess : kShort;
}
int nvmlDeviceSetGpuLockedClocks(void* of, unsigned low, unsigned high) {
  (void)of;
  if (is_failing("lock")) return kNoPermission;
  note("lock", low);
  return low == high ? kSuccess : kInvalid;
}
int nvmlDeviceResetGpuLockedClocks(void* of) {
  (void)of;
  if (is_failing("reset")) return kNoPermission;
  note("reset", 0);
  return kSuccess;
}
