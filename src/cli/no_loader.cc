// Replaces the C library's functions of the same names (with the linker's --wrap): the static
// program loads no library.
//
// SQLite uses them to load extensions. A library would need the very C library that the program was
// linked with.
extern "C" {

void* __wrap_dlopen(const char*, int) { return nullptr; }
void* __wrap_dlsym(void*, const char*) { return nullptr; }
int __wrap_dlclose(void*) { return 0; }
char* __wrap_dlerror() {
  static char text[] = "a static program loads no libraries";
  return text;
}

}  // extern "C"
