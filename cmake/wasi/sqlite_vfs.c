/* The system under SQLite where there is none: databases lie in memory, as planex hands them over. */
#include <sqlite3.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

static int open_nothing(sqlite3_vfs* vfs, sqlite3_filename name, sqlite3_file* file, int flags,
                        int* flags_out) {
  (void)vfs, (void)name, (void)flags, (void)flags_out;
  file->pMethods = NULL;
  return SQLITE_CANTOPEN;
}

static int delete_nothing(sqlite3_vfs* vfs, const char* name, int sync) {
  (void)vfs, (void)name, (void)sync;
  return SQLITE_OK;
}

static int find_nothing(sqlite3_vfs* vfs, const char* name, int flags, int* found) {
  (void)vfs, (void)name, (void)flags;
  *found = 0;
  return SQLITE_OK;
}

static int full_name(sqlite3_vfs* vfs, const char* name, int size, char* out) {
  (void)vfs;
  sqlite3_snprintf(size, out, "%s", name);
  return SQLITE_OK;
}

static int randomness(sqlite3_vfs* vfs, int size, char* out) {
  (void)vfs;
  return getentropy(out, (size_t)size) == 0 ? size : 0;
}

static int do_not_sleep(sqlite3_vfs* vfs, int microseconds) {
  (void)vfs, (void)microseconds;
  return 0;
}

static int current_time_ms(sqlite3_vfs* vfs, sqlite3_int64* out) {
  static const sqlite3_int64 kUnixEpochMs = 210866760000000; /* in days of Julius, times 86400000 */
  struct timespec now;
  (void)vfs;
  clock_gettime(CLOCK_REALTIME, &now);
  *out = kUnixEpochMs + (sqlite3_int64)now.tv_sec * 1000 + now.tv_nsec / 1000000;
  return SQLITE_OK;
}

static int current_time(sqlite3_vfs* vfs, double* out) {
  sqlite3_int64 ms = 0;
  current_time_ms(vfs, &ms);
  *out = (double)ms / 86400000.0;
  return SQLITE_OK;
}

static int last_error(sqlite3_vfs* vfs, int size, char* out) {
  (void)vfs, (void)size, (void)out;
  return 0;
}

static sqlite3_vfs nothing = {
    .iVersion = 2,
    .szOsFile = sizeof(sqlite3_file),
    .mxPathname = 512,
    .zName = "none",
    .xOpen = open_nothing,
    .xDelete = delete_nothing,
    .xAccess = find_nothing,
    .xFullPathname = full_name,
    .xRandomness = randomness,
    .xSleep = do_not_sleep,
    .xCurrentTime = current_time,
    .xGetLastError = last_error,
    .xCurrentTimeInt64 = current_time_ms,
};

int sqlite3_os_init(void) { return sqlite3_vfs_register(&nothing, 1); }

int sqlite3_os_end(void) { return SQLITE_OK; }
