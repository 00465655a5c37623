/* Asks for what cmake/portable/old_glibc.c has, and says what is not as it should be: no line is well. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* Hidden by some headers, or younger than they are. */
uint32_t arc4random(void);
void arc4random_buf(void*, size_t);
const char* sigabbrev_np(int);
int pthread_cond_clockwait(pthread_cond_t*, pthread_mutex_t*, clockid_t, const struct timespec*);
long __isoc23_strtol(const char*, char**, int);
int __isoc23_sscanf(const char*, const char*, ...);

#define CHECK(condition) \
  if (!(condition)) printf("line %d: not so: %s\n", __LINE__, #condition)

static int constructed = 0;
__attribute__((constructor)) static void construct(void) { constructed = 1; }
__attribute__((destructor)) static void destruct(void) { fputs("destructed\n", stderr); }
static void at_exit(void) { fputs("at exit\n", stderr); }

static void* work(void* argument) { return argument; }

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void check_waiting(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  const double start = seconds();
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += 200000000;
  if (until.tv_nsec >= 1000000000) {
    until.tv_nsec -= 1000000000;
    ++until.tv_sec;
  }
  pthread_mutex_lock(&mutex);
  CHECK(pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &until) == ETIMEDOUT);
  CHECK(seconds() - start > 0.19);
}

int main(int count, char** words) {
  CHECK(constructed);
  CHECK(atexit(at_exit) == 0);
  struct stat found;
  CHECK(count == 1 && stat(words[0], &found) == 0 && found.st_size > 1000);
  CHECK(lstat("/no-such-file", &found) == -1 && errno == ENOENT);
  unsigned char bytes[1000] = {0};
  arc4random_buf(bytes, sizeof bytes);
  int zeros = 0;
  for (size_t i = 0; i < sizeof bytes; ++i) zeros += bytes[i] == 0;
  CHECK(zeros < 30);
  CHECK(arc4random() != arc4random() || arc4random() != arc4random());
  CHECK(strcmp(sigabbrev_np(SIGSEGV), "SEGV") == 0 && sigabbrev_np(1000) == NULL);
  CHECK(__isoc23_strtol("-12", NULL, 10) == -12);
  int number = 0;
  CHECK(__isoc23_sscanf("v 42", "v %d", &number) == 1 && number == 42);
  pthread_t thread;
  void* returned = NULL;
  CHECK(pthread_create(&thread, NULL, work, &number) == 0);
  CHECK(pthread_join(thread, &returned) == 0 && returned == &number);
  check_waiting();
  return 0;
}
