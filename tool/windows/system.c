#include "tool/system.h"

#include <fcntl.h>
#include <io.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include "io/file/signals.h"

static void (*taker)(int number);

/* Windows calls this in a thread of its own. When the console closes, Windows ends the process as soon as this returns, or after some seconds. The main thread
 * has this time to end an interrupted run. */
static BOOL WINAPI on_event(DWORD event) {
    bool is_key = event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT;
    signals_hold();
    taker(is_key ? SIGINT : SIGTERM);
    signals_release();
    if (!is_key) {
        Sleep(INFINITE);
    }
    return TRUE;
}

void system_watch_signals(void (*take)(int number)) {
    taker = take;
    (void)SetConsoleCtrlHandler(on_event, TRUE);
}

/* Names are UTF-8 (command.manifest), and so is what a console shows. */
void system_begin(void) {
    for (int stream = 0; stream <= 2; stream++) {
        (void)_setmode(stream, _O_BINARY);
    }
    (void)_set_fmode(_O_BINARY);
    (void)SetConsoleOutputCP(CP_UTF8);
}

int system_terminal_columns(void) {
    CONSOLE_SCREEN_BUFFER_INFO screen;
    int columns =
        GetConsoleScreenBufferInfo(GetStdHandle(STD_ERROR_HANDLE), &screen) ? screen.srWindow.Right - screen.srWindow.Left + 1 : 80;
    return columns > 1 ? columns : 80;
}

void system_program(char *path, size_t size) {
    DWORD length = GetModuleFileNameA(NULL, path, (DWORD)size);
    path[length < size ? length : 0] = '\0';
}
