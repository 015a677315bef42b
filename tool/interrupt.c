/*
 * One handler for all signals that end the command. It calls async-signal-safe functions only.
 */
#include "tool/interrupt.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "io/file/descriptor.h"
#include "io/file/output.h"
#include "tool/progress.h"
#include "tool/system.h"

static volatile sig_atomic_t deferred, noted;
static const char *command_name;

void interrupt_defer(void) { deferred = 1; }

int interrupt_noted(void) { return noted; }

enum { MESSAGE_SIZE = 4096 };

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
    (void)descriptor_write(STDERR_FILENO, message, used);
}

static void on_signal(int number) {
    if (deferred && !noted) {
        noted = number;
        return;
    }
    put_message(output_remove_temporaries());
    _exit(128 + number);
}

void interrupt_watch(const cli_command *command) {
    command_name = command->name;
    system_watch_signals(on_signal);
}
