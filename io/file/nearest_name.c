/*
 * Dynamic programming: cell (i, j) is the least number of changes that turn the first i letters of a into the first j letters of b. Three rows are enough,
 * because a swap of neighbours looks two rows back.
 */
#include "io/file/nearest_name.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 64 };

static int least(int a, int b) { return a < b ? a : b; }

static int lower(char c) { return tolower((unsigned char)c); }

int nearest_distance(const char *a, const char *b, int limit) {
    size_t a_length = strlen(a), b_length = strlen(b);
    size_t apart = a_length > b_length ? a_length - b_length : b_length - a_length;
    if (a_length > LONGEST || b_length > LONGEST || apart > (size_t)limit) {
        return limit + 1;
    }
    int rows[3][LONGEST + 1];
    for (size_t j = 0; j <= b_length; j++) {
        rows[0][j] = (int)j;
    }
    for (size_t i = 1; i <= a_length; i++) {
        int *row = rows[i % 3];
        const int *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = (int)i;
        for (size_t j = 1; j <= b_length; j++) {
            int replaced = above[j - 1] + (lower(a[i - 1]) != lower(b[j - 1]));
            row[j] = least(replaced, least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
                row[j] = least(row[j], two_above[j - 2] + 1);
            }
        }
    }
    return least(rows[a_length % 3][b_length], limit + 1);
}

void nearest_offer(nearest_name *nearest, const char *name) {
    int third = (int)((strlen(nearest->mistyped) + 1) / 3); /* two changes for five letters: bodys for bodies */
    int limit = nearest->found ? nearest->distance - 1 : third;
    int distance = nearest_distance(nearest->mistyped, name, limit);
    if (distance <= limit) {
        nearest->found = name;
        nearest->distance = distance;
    }
}

const char *nearest_hint(const nearest_name *nearest, char *buffer, size_t size) {
    if (nearest->found) {
        snprintf(buffer, size, "; did you mean '%s'?", nearest->found);
    } else {
        buffer[0] = '\0';
    }
    return buffer;
}
