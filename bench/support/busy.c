#include "support/busy.h"

#include <signal.h>
#include <stdio.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/processors.h"

static void compute_until_killed(pid_t parent) {
    volatile unsigned long steps = 0;
    while (++steps % (1UL << 28) != 0 || getppid() == parent) {
    }
    _exit(0);
}

bool busy_begin(busy *others) {
    int wanted = processors_available() > 2 ? processors_available() - 1 : 1;
    pid_t parent = getpid();
    (void)fflush(NULL);
    for (others->count = 0; others->count < wanted && others->count < BUSY_MOST; others->count++) {
        pid_t process = fork();
        if (process == 0) {
            compute_until_killed(parent);
        }
        if (process < 0) {
            fprintf(stderr, "cannot start a process that keeps a processor busy\n");
            busy_end(others);
            return false;
        }
        others->processes[others->count] = process;
    }
    return true;
}

void busy_end(busy *others) {
    for (int i = 0; i < others->count; i++) {
        (void)kill((pid_t)others->processes[i], SIGKILL);
        (void)waitpid((pid_t)others->processes[i], NULL, 0);
    }
    others->count = 0;
}
