/* Memory for the numbers of large batches. */
#include "core.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

void *memory_of_numbers(size_t bytes) {
    void *memory = nullptr;
#ifdef MADV_HUGEPAGE
    constexpr size_t LARGE_PAGE = size_t{1} << 21;
    if (bytes >= 2 * LARGE_PAGE && posix_memalign(&memory, LARGE_PAGE, bytes) == 0) {
        (void)madvise(memory, bytes, MADV_HUGEPAGE);
        return memory;
    }
#endif
    memory = std::malloc(bytes > 0 ? bytes : 1);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return memory;
}
