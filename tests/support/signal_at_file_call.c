// Loaded into a program (LD_PRELOAD): sends it a signal right before or after a certain one of the
// calls by which it makes, replaces or removes files of a folder. Each step of putting files in
// place can so be interrupted, without a race.
//
// SIGNAL_FOLDER   calls on paths in it count
// SIGNAL_AT       number of the call from 1; 0: none, only count
// SIGNAL_WHEN     before or after
// SIGNAL_NUMBER   the signal; SIGNAL_TIMES how often it is sent
// SIGNAL_CALLS    a file that gets one line per call
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int calls;

static int value(const char *name) {
  const char *text = getenv(name);
  return text == NULL ? 0 : atoi(text);
}

static int counts(const char *path) {
  const char *folder = getenv("SIGNAL_FOLDER");
  return folder != NULL && path != NULL && strncmp(path, folder, strlen(folder)) == 0;
}

static void note(const char *call, const char *path) {
  const char *file = getenv("SIGNAL_CALLS");
  FILE *out = file == NULL ? NULL : fopen(file, "a");
  if (out == NULL) return;
  fprintf(out, "%s %s\n", call, path);
  fclose(out);
}

static void maybe_send(const char *when) {
  const char *wanted = getenv("SIGNAL_WHEN");
  if (calls != value("SIGNAL_AT") || wanted == NULL || strcmp(wanted, when) != 0) return;
  for (int i = 0; i < value("SIGNAL_TIMES"); ++i) kill(getpid(), value("SIGNAL_NUMBER"));
}

#define NEXT(type, name) __typeof__(type) real = (__typeof__(type))dlsym(RTLD_NEXT, name)
#define AROUND(call, path, statement)  \
  const int is_counted = counts(path); \
  if (is_counted) {                    \
    ++calls;                           \
    note(call, path);                  \
    maybe_send("before");              \
  }                                    \
  statement;                           \
  if (is_counted) maybe_send("after")

int rename(const char *from, const char *to) {
  NEXT(int (*)(const char *, const char *), "rename");
  AROUND("rename", to, const int result = real(from, to));
  return result;
}

int link(const char *from, const char *to) {
  NEXT(int (*)(const char *, const char *), "link");
  AROUND("link", to, const int result = real(from, to));
  return result;
}

int unlink(const char *path) {
  NEXT(int (*)(const char *), "unlink");
  AROUND("unlink", path, const int result = real(path));
  return result;
}

static int opened(const char *name, const char *path, int flags, mode_t mode) {
  NEXT(int (*)(const char *, int, ...), name);
  if ((flags & O_CREAT) == 0) return real(path, flags, mode);
  AROUND("open", path, const int result = real(path, flags, mode));
  return result;
}

#define OPEN(name)                                 \
  int name(const char *path, int flags, ...) {     \
    mode_t mode = 0;                               \
    if ((flags & O_CREAT) != 0) {                  \
      va_list rest;                                \
      va_start(rest, flags);                       \
      mode = va_arg(rest, mode_t);                 \
      va_end(rest);                                \
    }                                              \
    return opened(#name, path, flags, mode);       \
  }
OPEN(open)
OPEN(open64)
