#include "io/file/signals.h"

#include <signal.h>
#include <stddef.h>

static _Thread_local int depth;
static _Thread_local sigset_t before; /* of the first call */

void signals_hold(void) {
    if (depth++ == 0) {
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, &before);
    }
}

void signals_release(void) {
    if (--depth == 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
    }
}
