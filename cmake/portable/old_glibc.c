/* What objects of this system's compiler ask of the C library that an older one has not. It is linked
 * into programs and modules for older systems, and seen by nothing else (tools/old_glibc.py).
 * OLD_GLIBC is the oldest version they run on: 228 is 2.28. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#define STAT_VERSION 1
#define BASE_VERSION "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define STAT_VERSION 0
#define BASE_VERSION "GLIBC_2.17"
#endif

/* 2.32. libstdc++ counts references without locks where it is set; it may always be 0. */
char __libc_single_threaded = 0;

/* 2.33; before it these were inline. */
int __xstat(int version, const char* path, struct stat* out);
int __lxstat(int version, const char* path, struct stat* out);
int __fxstat(int version, int file, struct stat* out);
int __fxstatat(int version, int folder, const char* path, struct stat* out, int flags);

int stat(const char* path, struct stat* out) { return __xstat(STAT_VERSION, path, out); }
int lstat(const char* path, struct stat* out) { return __lxstat(STAT_VERSION, path, out); }
int fstat(int file, struct stat* out) { return __fxstat(STAT_VERSION, file, out); }
int fstatat(int folder, const char* path, struct stat* out, int flags) {
  return __fxstatat(STAT_VERSION, folder, path, out, flags);
}
/* On these systems the same. */
int stat64(const char*, struct stat64*) __attribute__((alias("stat")));
int lstat64(const char*, struct stat64*) __attribute__((alias("lstat")));
int fstat64(int, struct stat64*) __attribute__((alias("fstat")));
int fstatat64(int, const char*, struct stat64*, int) __attribute__((alias("fstatat")));

/* Always a part of what is linked, as it tells the one from the other by its own address. */
extern void* __dso_handle;
int __cxa_atexit(void (*function)(void*), void* argument, void* owner);
int atexit(void (*function)(void)) {
  return __cxa_atexit((void (*)(void*))function, NULL, &__dso_handle);
}

#if OLD_GLIBC < 225
ssize_t getrandom(void* out, size_t size, unsigned flags) {
  return syscall(SYS_getrandom, out, size, flags);
}

int getentropy(void* out, size_t size) {
  if (size > 256) {
    errno = EIO;
    return -1;
  }
  for (char *at = out, *end = at + size; at < end;) {
    const ssize_t got = getrandom(at, (size_t)(end - at), 0);
    if (got < 0 && errno != EINTR) return -1;
    if (got > 0) at += got;
  }
  return 0;
}

void __explicit_bzero_chk(void* out, size_t size, size_t room) {
  if (size > room) abort();
  memset(out, 0, size);
  __asm__ volatile("" : : "r"(out) : "memory");
}
#endif

#if OLD_GLIBC < 228
/* Where files have 64-bit offsets anyway it is fcntl. Each command takes one word or none. */
int fcntl64(int file, int command, ...) {
  va_list words;
  va_start(words, command);
  void* word = va_arg(words, void*);
  va_end(words);
  return fcntl(file, command, word);
}
#endif

/* 2.38. C23 reads 0b1 as a number, and headers from then on call these instead of what they stand for,
 * also in this file: hence the names given to the assembler. */
long old_strtol(const char*, char**, int) __asm__("strtol");
long long old_strtoll(const char*, char**, int) __asm__("strtoll");
unsigned long old_strtoul(const char*, char**, int) __asm__("strtoul");
unsigned long long old_strtoull(const char*, char**, int) __asm__("strtoull");
int old_vsscanf(const char*, const char*, va_list) __asm__("__isoc99_vsscanf");

long __isoc23_strtol(const char* text, char** end, int base) {
  return old_strtol(text, end, base);
}
long long __isoc23_strtoll(const char* text, char** end, int base) {
  return old_strtoll(text, end, base);
}
unsigned long __isoc23_strtoul(const char* text, char** end, int base) {
  return old_strtoul(text, end, base);
}
unsigned long long __isoc23_strtoull(const char* text, char** end, int base) {
  return old_strtoull(text, end, base);
}
int __isoc23_sscanf(const char* text, const char* format, ...) {
  va_list words;
  va_start(words, format);
  const int count = old_vsscanf(text, format, words);
  va_end(words);
  return count;
}

/* 2.36. */
void arc4random_buf(void* out, size_t size) {
  for (char *at = out, *end = at + size; at < end;) {
    const size_t part = end - at < 256 ? (size_t)(end - at) : 256;
    if (getentropy(at, part) != 0) abort();
    at += part;
  }
}

uint32_t arc4random(void) {
  uint32_t value = 0;
  arc4random_buf(&value, sizeof value);
  return value;
}

/* 2.30. Whoever sets the machine's clock while something waits changes how long it does. */
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const struct timespec* until) {
  const long second = 1000000000;
  struct timespec end = *until;
  if (clock != CLOCK_REALTIME) {
    struct timespec here, real;
    clock_gettime(clock, &here);
    clock_gettime(CLOCK_REALTIME, &real);
    end.tv_sec += real.tv_sec - here.tv_sec;
    end.tv_nsec += real.tv_nsec - here.tv_nsec;
    if (end.tv_nsec < 0) {
      end.tv_nsec += second;
      --end.tv_sec;
    } else if (end.tv_nsec >= second) {
      end.tv_nsec -= second;
      ++end.tv_sec;
    }
  }
  return pthread_cond_timedwait(condition, mutex, &end);
}

/* 2.32. */
const char* sigabbrev_np(int number) {
  switch (number) {
#define NAME(name) \
  case SIG##name:  \
    return #name
    NAME(HUP);
    NAME(INT);
    NAME(QUIT);
    NAME(ILL);
    NAME(TRAP);
    NAME(ABRT);
    NAME(BUS);
    NAME(FPE);
    NAME(KILL);
    NAME(USR1);
    NAME(SEGV);
    NAME(USR2);
    NAME(PIPE);
    NAME(ALRM);
    NAME(TERM);
    NAME(CHLD);
    NAME(CONT);
    NAME(STOP);
    NAME(TSTP);
    NAME(TTIN);
    NAME(TTOU);
    NAME(URG);
    NAME(XCPU);
    NAME(XFSZ);
    NAME(VTALRM);
    NAME(PROF);
    NAME(WINCH);
    NAME(POLL);
    NAME(SYS);
#undef NAME
    default:
      return NULL;
  }
}

/* 2.34. Since then the C library runs a program's constructors itself, and a program says so by handing
 * over none; an older one has to be told of them. */
typedef void (*initializer)(int, char**, char**);
extern initializer __preinit_array_start[] __attribute__((weak, visibility("hidden")));
extern initializer __preinit_array_end[] __attribute__((weak, visibility("hidden")));
extern initializer __init_array_start[] __attribute__((weak, visibility("hidden")));
extern initializer __init_array_end[] __attribute__((weak, visibility("hidden")));
extern void (*__fini_array_start[])(void) __attribute__((weak, visibility("hidden")));
extern void (*__fini_array_end[])(void) __attribute__((weak, visibility("hidden")));

static void construct(int count, char** words, char** environment) {
  for (initializer* one = __preinit_array_start; one < __preinit_array_end; ++one) {
    (*one)(count, words, environment);
  }
  for (initializer* one = __init_array_start; one < __init_array_end; ++one) {
    (*one)(count, words, environment);
  }
}
static void destruct(void) {
  for (ptrdiff_t i = __fini_array_end - __fini_array_start; i-- > 0;) __fini_array_start[i]();
}

typedef int (*main_function)(int, char**, char**);
int start_of_old(main_function, int, char**, initializer, void (*)(void), void (*)(void), void*);
__asm__(".symver start_of_old, __libc_start_main@" BASE_VERSION);

int __libc_start_main(main_function program, int count, char** words, initializer none,
                      void (*none_either)(void), void (*end_loader)(void), void* stack) {
  (void)none;
  (void)none_either;
  return start_of_old(program, count, words, construct, destruct, end_loader, stack);
}
