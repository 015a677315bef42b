/* abut: contact between bodies. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * @file base.h
 * What every other header needs: the status every call returns, memory, messages, version and parallel loops.
 *
 * Every function of the library either cannot fail or returns an abut_status. Results are written whole or not at all: when a status other
 * than ABUT_OK comes back, an output argument is untouched unless its own documentation says otherwise.
 */

/** @def ABUT_API
 * Marks what the library exports. A user of the shared library on Windows defines ABUT_SHARED; the installed packages do so. */
#if defined(_WIN32) && defined(ABUT_SHARED)
#  ifdef ABUT_BUILDING
#    define ABUT_API __declspec(dllexport)
#  else
#    define ABUT_API __declspec(dllimport)
#  endif
#elif defined(__GNUC__)
#  define ABUT_API __attribute__((visibility("default")))
#else
#  define ABUT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** First of the three numbers of these headers' version (semantic versioning). */
#define ABUT_VERSION_MAJOR 0
/** Second. */
#define ABUT_VERSION_MINOR 1
/** Third. */
#define ABUT_VERSION_PATCH 0

/** "major.minor.patch" of the linked library; static storage. It may differ from the headers' when the two were installed apart. */
ABUT_API const char *abut_version(void);

/** What this build can do. Ask with abut_has(). */
typedef enum abut_capability {
    ABUT_CAPABILITY_HULL,    /**< convex hulls of point clouds (qhull) */
    ABUT_CAPABILITY_THREADS  /**< parallel loops by OpenMP */
} abut_capability;

/** True when the linked library was built with the capability; false also for a value that is none. */
ABUT_API bool abut_has(abut_capability capability);

/**
 * Every status, once: name, number, message. The enumeration, abut_status_name() and abut_status_message() are made from this table, so they
 * cannot disagree.
 */
#define ABUT_STATUS_TABLE(ROW)                                                                                            \
    ROW(ABUT_OK, 0, "success")                                                                                            \
    ROW(ABUT_ERROR_INVALID_ARGUMENT, 1, "an argument is outside its documented range")                                    \
    ROW(ABUT_ERROR_NOT_FINITE, 2, "a number is infinite or not a number")                                                 \
    ROW(ABUT_ERROR_OUT_OF_MEMORY, 3, "the allocator returned no memory")                                                  \
    ROW(ABUT_ERROR_CAPACITY, 4, "the buffer is too small; the needed size was reported")                                  \
    ROW(ABUT_ERROR_UNSUPPORTED_PAIR, 5, "no contact generator exists for this pair of shapes")                            \
    ROW(ABUT_ERROR_UNSUPPORTED, 6, "this build of the library lacks the part that was asked for")                         \
    ROW(ABUT_ERROR_DEGENERATE, 7, "the points span no volume")                                                            \
    ROW(ABUT_ERROR_NOT_CLOSED, 8, "the surface is not closed: an edge has other than two faces, or they run against each other") \
    ROW(ABUT_ERROR_NOT_CONVEX, 9, "the surface is not convex")                                                            \
    ROW(ABUT_ERROR_NOT_OUTWARD, 10, "the faces are wound so that their normals point inward")                             \
    ROW(ABUT_ERROR_UNBOUNDED, 11, "the shape is unbounded and has no such quantity")                                      \
    ROW(ABUT_ERROR_ITERATION_LIMIT, 12, "the iteration limit was met before the tolerance")                               \
    ROW(ABUT_ERROR_STALE_ID, 13, "the id names something that was removed or never existed")                              \
    ROW(ABUT_ERROR_FILE, 14, "the file cannot be read or written")                                                        \
    ROW(ABUT_ERROR_FORMAT, 15, "the contents of the file are malformed")                                                  \
    ROW(ABUT_ERROR_INTERRUPTED, 16, "interrupted by the caller")                                                          \
    ROW(ABUT_ERROR_INTERNAL, 17, "an internal invariant was violated; please report this")                                 \
    ROW(ABUT_ERROR_INFEASIBLE, 18, "the conditions contradict each other: there is no solution")                          \
    ROW(ABUT_ERROR_INDEFINITE, 19, "the matrix is not positive semidefinite")                                              \
    ROW(ABUT_ERROR_DERIVATIVE, 20, "a function and its derivatives do not agree")                                         \
    ROW(ABUT_ERROR_NOT_EXTREMAL, 21, "the search ended where the surfaces do not face each other") \
    ROW(ABUT_ERROR_FOREIGN, 22, "the saved state is of a world that was built in another way")

/** The outcome of a call. See ABUT_STATUS_TABLE. */
typedef enum abut_status {
#define ABUT_STATUS_ENUMERATOR(name, number, message) name = number,
    ABUT_STATUS_TABLE(ABUT_STATUS_ENUMERATOR)
#undef ABUT_STATUS_ENUMERATOR
} abut_status;

/** The enumerator's own name, "ABUT_OK" for example; "ABUT_STATUS_UNKNOWN" for a number outside the table. Static storage. */
ABUT_API const char *abut_status_name(abut_status status);

/** One plain sentence without a final stop; "unknown status" for a number outside the table. Static storage. */
ABUT_API const char *abut_status_message(abut_status status);

/**
 * Memory for everything the library keeps. Blocks are aligned as malloc's are. Must be callable from several threads at once.
 * Freed with the allocator that was in force when the block was made, so it may be changed at any time between calls.
 */
typedef struct abut_allocator {
    void *(*allocate)(void *context, size_t size);  /**< size > 0 in bytes; NULL when there is none */
    void (*release)(void *context, void *memory);   /**< memory is never NULL */
    void *context;                                  /**< handed back unchanged */
} abut_allocator;

/** Use another allocator from now on, process-wide; NULL restores malloc and free. Not to be called while another thread is in the library. */
ABUT_API abut_status abut_set_allocator(const abut_allocator *allocator);

/** How much a message matters. */
typedef enum abut_log_level { ABUT_LOG_INFO, ABUT_LOG_WARNING, ABUT_LOG_ERROR } abut_log_level;

/** Receives one message, a line without its newline, valid during the call only. May be called from several threads at once. */
typedef void abut_log_callback(void *context, abut_log_level level, const char *message);

/**
 * Where messages go, process-wide; NULL (the default) drops them. The library never writes to stdout or stderr by itself. Not to be called while
 * another thread is in the library.
 *
 * A call that refuses its arguments sends one message of the level ABUT_LOG_ERROR before it returns, on the thread that found the fault. The message
 * names the call, the argument and the reason: "abut_shape_create_box: half.y is -1: it must be above 0". This holds for
 * ABUT_ERROR_INVALID_ARGUMENT and ABUT_ERROR_NOT_FINITE, and for ABUT_ERROR_DEGENERATE, ABUT_ERROR_NOT_CLOSED, ABUT_ERROR_NOT_CONVEX,
 * ABUT_ERROR_NOT_OUTWARD and ABUT_ERROR_UNSUPPORTED_PAIR. A batch sends one for every element that fails: "abut_collide_batch: pairs[17].a is NULL".
 * A step that fails names the body. The words may change; the status is what programs should look at. Without a log nothing is worded.
 */
ABUT_API void abut_set_log(abut_log_callback *callback, void *context);

/** One piece of a parallel loop: the indices begin <= i < end. */
typedef void abut_task(void *argument, int32_t begin, int32_t end);

/**
 * How loops are spread over threads. Zero-initialised: OpenMP with its own number of threads, or a plain loop where the library was built
 * without OpenMP. Results never depend on it, not by one bit.
 */
typedef struct abut_parallel {
    int32_t threads;  /**< for OpenMP: 0 its default, 1 a plain loop */
    /** NULL: OpenMP. Else the caller's own scheduler: must call task(argument, begin, end) over pieces that cover 0 <= i < count exactly
        once, in any order and on any threads, and return when all have ended. `grain` is the smallest sensible piece. */
    void (*run)(void *context, int32_t count, int32_t grain, abut_task *task, void *argument);
    void *context;    /**< handed to run unchanged */
} abut_parallel;

/** Run task over 0 <= i < count. parallel may be NULL (defaults). count <= 0 does nothing. grain < 1 counts as 1. */
ABUT_API void abut_parallel_for(const abut_parallel *parallel, int32_t count, int32_t grain, abut_task *task, void *argument);

#ifdef __cplusplus
}
#endif
