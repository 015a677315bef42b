#pragma once

/*
 * The sanitizers that a test was compiled with: 1 or 0.
 */

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SANITIZES_THREADS 1
#endif
#if __has_feature(address_sanitizer)
#define SANITIZES_ADDRESSES 1
#endif
#endif

#if defined(__SANITIZE_THREAD__) && !defined(SANITIZES_THREADS)
#define SANITIZES_THREADS 1
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(SANITIZES_ADDRESSES)
#define SANITIZES_ADDRESSES 1
#endif

#ifndef SANITIZES_THREADS
#define SANITIZES_THREADS 0
#endif
#ifndef SANITIZES_ADDRESSES
#define SANITIZES_ADDRESSES 0
#endif

/* 1: a child may not start threads if its parent has some. The thread sanitizer refuses them. The allocator of the address sanitizer may be locked for
 * ever in the child, as a thread of the parent held the lock at the fork (seen with GCC 12: a thread that is just starting allocates). */
#define SANITIZER_FORBIDS_THREADS_IN_CHILDREN (SANITIZES_ADDRESSES || SANITIZES_THREADS)
