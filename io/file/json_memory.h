#pragma once

#include <jansson.h>
#include <stdbool.h>

/*
 * Whether json_loadb() failed because there was no memory. jansson says so for some requests only: for others it leaves the message empty, or
 * calls a string for which there is no memory an invalid token.
 */
bool json_lacked_memory(const json_error_t *mistake, const char *text, size_t length);
