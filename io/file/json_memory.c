/*
 * Tells missing memory from mistakes in a JSON text. jansson scans a string to its closing quote before it asks for memory, and strings with
 * mistakes have messages of their own. So a token that is refused and ends in a quote is a correct string.
 */
#include "io/file/json_memory.h"

#include <string.h>

static bool begins_with(const char *text, const char *beginning) { return strncmp(text, beginning, strlen(beginning)) == 0; }

bool json_lacked_memory(const json_error_t *mistake, const char *text, size_t length) {
    if (json_error_code(mistake) == json_error_out_of_memory || mistake->text[0] == '\0') {
        return true;
    }
    bool token = begins_with(mistake->text, "invalid token") || begins_with(mistake->text, "string or '}' expected");
    return token && mistake->position > 0 && (size_t)mistake->position <= length && text[mistake->position - 1] == '"';
}
