#include "segmenter/fresh_memory.hh"

#include <malloc.h>

#ifdef __SANITIZE_ADDRESS__
/// Its allocator is another, and is asked before main.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "malloc_fill_byte=0:max_malloc_fill_size=2000000000"; }
#endif

namespace tributary::segmenter {

void zero_allocated_memory() {
  mallopt(M_PERTURB, 0xff);  // memory is filled with the complement
}

}  // namespace tributary::segmenter
