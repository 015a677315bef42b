/* Names and messages of statuses, from ABUT_STATUS_TABLE. The numbers in the table are the enumerators, so a switch has one case for each
 * row, and the compiler rejects a number that occurs twice. */
#include <abut/base.h>

const char *abut_status_name(abut_status status) {
    switch (status) {
#define STATUS_NAME(name, number, message) \
    case name:                             \
        return #name;
        ABUT_STATUS_TABLE(STATUS_NAME)
#undef STATUS_NAME
    }
    return "ABUT_STATUS_UNKNOWN";
}

const char *abut_status_message(abut_status status) {
    switch (status) {
#define STATUS_MESSAGE(name, number, message) \
    case name:                                \
        return message;
        ABUT_STATUS_TABLE(STATUS_MESSAGE)
#undef STATUS_MESSAGE
    }
    return "unknown status";
}
