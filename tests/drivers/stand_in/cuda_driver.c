// Plays CUDA's driver library: one GPU, whose memory is the processor's and whose time is the
// clock's. STAND_IN_FAILS names the function that fails, STAND_IN_GPUS how many GPUs there are.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kOutOfMemory = 2 };

static int result_of(const char* function) {
  const char* fails = getenv("STAND_IN_FAILS");
  return fails && strcmp(fails, function) == 0 ? kOutOfMemory : 0;
}

int cuInit(unsigned flags) { return (int)flags; }
int cuDeviceGetCount(int* count) {
  const char* gpus = getenv("STAND_IN_GPUS");
  *count = gpus ? atoi(gpus) : 1;
  return 0;
}
int cuDeviceGet(int* device, int number) {
  *device = number;
  return 0;
}
int cuDevicePrimaryCtxRetain(void** context, int device) {
  *context = context;
  return device;
}
int cuCtxSetCurrent(void* context) { return context ? 0 : 1; }
int cuDeviceGetName(char* name, int size, int device) {
  snprintf(name, (size_t)size, "Stand-in GPU %d", device);
  return 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int device) {
  *value = attribute == 75 ? 8 : 9;
  return device;
}
int cuDriverGetVersion(int* version) {
  *version = 12080;
  return 0;
}
int cuGetErrorName(int code, const char** name) {
  *name = code == kOutOfMemory ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_UNKNOWN";
  return 0;
}
int cuMemAlloc_v2(uint64_t* address, size_t size) {
  *address = (uint64_t)(uintptr_t)malloc(size);
  return result_of(__func__);
}
int cuMemcpyHtoD_v2(uint64_t address, const void* data, size_t size) {
  memcpy((void*)(uintptr_t)address, data, size);
  return result_of(__func__);
}
int cuStreamCreate(void** stream, unsigned flags) {
  *stream = malloc(1);
  return flags == 1 ? 0 : 1;
}
int cuStreamSynchronize(void* stream) { return stream ? result_of(__func__) : 1; }
int cuEventCreate(void** event, unsigned flags) {
  *event = malloc(sizeof(struct timespec));
  return (int)flags;
}
int cuEventRecord(void* event, void* stream) {
  timespec_get((struct timespec*)event, TIME_UTC);
  return stream ? 0 : 1;
}
int cuEventSynchronize(void* event) { return event ? 0 : 1; }
int cuEventElapsedTime(float* ms, void* start, void* end) {
  const struct timespec *a = start, *b = end;
  *ms = (float)((double)(b->tv_sec - a->tv_sec) * 1e3 + (double)(b->tv_nsec - a->tv_nsec) / 1e6);
  return 0;
}
