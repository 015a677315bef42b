#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * @file base.h
 * The basis of every other header: statuses, version, memory, messages and parallel loops.
 *
 * Every function of the library either cannot fail or returns an abut_status. A function writes its results whole or not at all: when it
 * returns another status than ABUT_OK, its output arguments are untouched unless their own documentation says otherwise.
 */

/** @def ABUT_API
 * Marks the symbols that the library exports. A user of the shared library on Windows must define ABUT_SHARED; the installed packages do so. */
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

/** Major version of these headers (semantic versioning). */
#define ABUT_VERSION_MAJOR 0
/** Minor version of these headers. */
#define ABUT_VERSION_MINOR 1
/** Patch version of these headers. */
#define ABUT_VERSION_PATCH 0

/** Version of the linked library as "major.minor.patch". It may differ from the version of the headers when the two were installed separately.
    Static storage. */
ABUT_API const char *abut_version(void);

/** Optional parts of a build of the library. Query them with abut_has(). */
typedef enum abut_capability {
    ABUT_CAPABILITY_HULL,    /**< convex hulls of point clouds (qhull) */
    ABUT_CAPABILITY_THREADS  /**< parallel loops by threads of the library */
} abut_capability;

/** True when the linked library was built with the capability. False for a value outside the enumeration. */
ABUT_API bool abut_has(abut_capability capability);

/**
 * Table of all statuses: name, number, message. The enumeration abut_status, abut_status_name() and abut_status_message() are generated from
 * this table, so they always agree.
 */
#define ABUT_STATUS_TABLE(ROW)                                                                                                            \
    ROW(ABUT_OK, 0, "success")                                                                                                            \
    ROW(ABUT_ERROR_INVALID_ARGUMENT, 1, "an argument is outside its documented range")                                                    \
    ROW(ABUT_ERROR_NOT_FINITE, 2, "a number is infinite or not a number")                                                                 \
    ROW(ABUT_ERROR_OUT_OF_MEMORY, 3, "the allocator returned no memory")                                                                  \
    ROW(ABUT_ERROR_CAPACITY, 4, "the buffer is too small; the needed size was reported")                                                  \
    ROW(ABUT_ERROR_UNSUPPORTED_PAIR, 5, "no contact generator exists for this pair of shapes")                                            \
    ROW(ABUT_ERROR_UNSUPPORTED, 6, "this build of the library lacks the requested part")                                                  \
    ROW(ABUT_ERROR_DEGENERATE, 7, "the points span no volume")                                                                            \
    ROW(ABUT_ERROR_NOT_CLOSED, 8, "the surface is not closed: an edge does not have two faces, or adjacent faces have opposite windings") \
    ROW(ABUT_ERROR_NOT_CONVEX, 9, "the surface is not convex")                                                                            \
    ROW(ABUT_ERROR_NOT_OUTWARD, 10, "the faces are wound so that their normals point inward")                                             \
    ROW(ABUT_ERROR_UNBOUNDED, 11, "the shape is unbounded and has no such quantity")                                                      \
    ROW(ABUT_ERROR_ITERATION_LIMIT, 12, "the iteration limit was reached before the tolerance")                                           \
    ROW(ABUT_ERROR_STALE_ID, 13, "the id names something that was removed or never existed")                                              \
    ROW(ABUT_ERROR_FILE, 14, "the file cannot be read or written")                                                                        \
    ROW(ABUT_ERROR_FORMAT, 15, "the contents of the file are malformed")                                                                  \
    ROW(ABUT_ERROR_INTERRUPTED, 16, "interrupted by the caller")                                                                          \
    ROW(ABUT_ERROR_INTERNAL, 17, "an internal invariant was violated; please report this")                                                \
    ROW(ABUT_ERROR_INFEASIBLE, 18, "the conditions contradict each other: there is no solution")                                          \
    ROW(ABUT_ERROR_INDEFINITE, 19, "the matrix is not positive semidefinite")                                                             \
    ROW(ABUT_ERROR_DERIVATIVE, 20, "a function and its derivatives do not agree")                                                         \
    ROW(ABUT_ERROR_NOT_EXTREMAL, 21, "the search ended where the surfaces do not face each other")                                        \
    ROW(ABUT_ERROR_FOREIGN, 22, "the saved state belongs to a world with another definition")

/** The outcome of a call. ABUT_STATUS_TABLE lists all values with their messages. */
typedef enum abut_status {
#define ABUT_STATUS_ENUMERATOR(name, number, message) name = number,
    ABUT_STATUS_TABLE(ABUT_STATUS_ENUMERATOR)
#undef ABUT_STATUS_ENUMERATOR
} abut_status;

/** Name of the enumerator, for example "ABUT_OK". "ABUT_STATUS_UNKNOWN" for a number outside the table. Static storage. */
ABUT_API const char *abut_status_name(abut_status status);

/** Message of a status: one sentence without a final stop. "unknown status" for a number outside the table. Static storage. */
ABUT_API const char *abut_status_message(abut_status status);

/**
 * Allocator for all memory of the library. Blocks must be aligned as malloc() aligns them. Both functions must be callable from several
 * threads at once. The library releases each block with the allocator that made it, so the allocator may be changed while blocks are alive.
 */
typedef struct abut_allocator {
    void *(*allocate)(void *context, size_t size);  /**< returns a block of `size` > 0 bytes, or NULL when there is no memory */
    void (*release)(void *context, void *memory);   /**< frees a block; `memory` is never NULL */
    void *context;                                  /**< passed unchanged to both functions */
} abut_allocator;

/**
 * Set the allocator of the whole process. Must not be called while another thread is in the library.
 * @param allocator  copied; NULL restores malloc() and free()
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT when one of its functions is NULL
 */
ABUT_API abut_status abut_set_allocator(const abut_allocator *allocator);

/** Severity of a message. */
typedef enum abut_log_level { ABUT_LOG_INFO, ABUT_LOG_WARNING, ABUT_LOG_ERROR } abut_log_level;

/** Receives one message: one line without its newline, valid only during the call. May be called from several threads at once. */
typedef void abut_log_callback(void *context, abut_log_level level, const char *message);

/**
 * Set the receiver of messages for the whole process. The library itself never writes to stdout or stderr. Must not be called while another
 * thread is in the library.
 *
 * A call that refuses its arguments sends one message before it returns, of the level ABUT_LOG_ERROR and on the thread that found the fault. The
 * message names the call, the argument and the reason: "abut_shape_create_box: half.y is -1: it must be above 0". This holds for
 * ABUT_ERROR_INVALID_ARGUMENT, ABUT_ERROR_NOT_FINITE, ABUT_ERROR_DEGENERATE, ABUT_ERROR_NOT_CLOSED, ABUT_ERROR_NOT_CONVEX,
 * ABUT_ERROR_NOT_OUTWARD and ABUT_ERROR_UNSUPPORTED_PAIR. A batch sends one message for each element that fails:
 * "abut_collide_batch: pairs[17].a is NULL". A step that fails names the body by the index of its id. The wording may change, so programs should
 * read the status instead. Without a callback no message is formatted.
 * @param callback  NULL (the default): messages are dropped
 * @param context   passed unchanged to the callback
 */
ABUT_API void abut_set_log(abut_log_callback *callback, void *context);

/** One piece of a parallel loop. Processes the indices begin <= i < end. */
typedef void abut_task(void *argument, int32_t begin, int32_t end);

/**
 * How loops are distributed over threads. Zero-initialised: threads of the library, one for each processor that the process may use, or a serial
 * loop in a build without threads. Results never depend on it, not in a single bit.
 *
 * The library starts its threads when a loop first wants them, at most eight for each processor, and keeps them until the process exits or
 * unloads the library. The calling thread takes part in its loop and waits only for threads that are in the middle of a piece. Idle threads sleep.
 * Threads that share a processor with the caller, or often have to wait for theirs, leave loops to the caller for a while. Loops of one piece run
 * on the calling thread. Several threads of a program may run loops at the same time, and loops inside loops. The child of a fork() has threads
 * of its own; a task must not fork a child that returns from the task.
 */
typedef struct abut_parallel {
    int32_t threads;  /**< number of threads, the caller among them; < 1: one for each processor; 1: a serial loop. Not read when `run` is set */
    /** NULL: the threads of the library. Otherwise the scheduler of the caller. It must call task(argument, begin, end) for pieces that cover 0 <= i < count
        exactly once, in any order and on any threads. It must return only when all pieces are done. `grain` is the smallest sensible size
        of a piece. */
    void (*run)(void *context, int32_t count, int32_t grain, abut_task *task, void *argument);
    void *context;    /**< passed unchanged to `run` */
} abut_parallel;

/**
 * Run a task over the indices 0 <= i < count. Returns when all pieces are done.
 * @param parallel  NULL for the defaults
 * @param count     a count <= 0 does nothing
 * @param grain     smallest sensible size of a piece; a value < 1 counts as 1
 * @param task      called for each piece; NULL does nothing
 * @param argument  passed unchanged to the task
 */
ABUT_API void abut_parallel_for(const abut_parallel *parallel, int32_t count, int32_t grain, abut_task *task, void *argument);

#ifdef __cplusplus
}
#endif
