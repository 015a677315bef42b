/*
 * One handler for all signals that end the command. It calls async-signal-safe functions only.
 */
#define _XOPEN_SOURCE 700

#include "tool/interrupt.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "io/file/output.h"
#include "tool/progress.h"

static volatile sig_atomic_t deferred, noted;

void interrupt_defer(void) { deferred = 1; }

int interrupt_noted(void) { return noted; }

#ifdef __EMSCRIPTEN__
/* A page sends no signals. */
void interrupt_watch(const cli_command *command) { (void)command; }
#else

enum { MESSAGE_SIZE = 4096 };

static const char *command_name;
static pthread_t main_thread;

/* Appends text without control characters. Text that does not fit is cut. */
static size_t append(char *message, size_t used, const char *text) {
    for (; *text && used < MESSAGE_SIZE - 1; text++) {
        unsigned char c = (unsigned char)*text;
        message[used++] = c < 0x20 || c == 0x7f ? ' ' : *text;
    }
    return used;
}

static void put_message(const char *unwritten) {
    char message[MESSAGE_SIZE];
    size_t used = 0;
    if (progress_is_on_screen()) {
        message[used++] = '\n';
    }
    used = append(message, used, "abut ");
    used = append(message, used, command_name);
    used = append(message, used, ": interrupted");
    if (unwritten) {
        used = append(message, used, "; '");
        used = append(message, used, unwritten);
        used = append(message, used, "' was not written");
    }
    message[used++] = '\n';
    ssize_t ignored = write(STDERR_FILENO, message, used);
    (void)ignored;
}

/* The list of temporary files is consistent in the main thread only, so another thread passes the signal on. */
static void on_signal(int number) {
    if (!pthread_equal(pthread_self(), main_thread)) {
        pthread_kill(main_thread, number);
        return;
    }
    if (deferred && !noted) {
        noted = number;
        return;
    }
    put_message(output_remove_temporaries());
    _exit(128 + number);
}

void interrupt_watch(const cli_command *command) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, before;
    sigfillset(&action.sa_mask);
    command_name = command->name;
    main_thread = pthread_self();
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            sigaction(numbers[i], &action, NULL);
        }
    }
}
#endif
