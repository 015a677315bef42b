#define _XOPEN_SOURCE 700

#include "tool/system.h"

#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#ifdef __EMSCRIPTEN__
/* A page sends no signals. */
void system_watch_signals(void (*take)(int number)) { (void)take; }
#else

static void (*taker)(int number);
static pthread_t main_thread;

/* Signals are held in the main thread only, so another thread passes the signal on. */
static void on_signal(int number) {
    if (pthread_equal(pthread_self(), main_thread)) {
        taker(number);
    } else {
        pthread_kill(main_thread, number);
    }
}

void system_watch_signals(void (*take)(int number)) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, before;
    sigfillset(&action.sa_mask);
    taker = take;
    main_thread = pthread_self();
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            sigaction(numbers[i], &action, NULL);
        }
    }
}
#endif

/* A write beyond the size limit of files then fails with EFBIG instead of ending the process. */
void system_begin(void) { signal(SIGXFSZ, SIG_IGN); }

int system_terminal_columns(void) {
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
}

void system_program(char *path, size_t size) {
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    path[length > 0 ? length : 0] = '\0';
}
