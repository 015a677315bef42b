/*
 * Names of kinds of cells, for messages.
 */
#include "io/tet/cell_kind.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *one, *many;
} names[CELL_KINDS] = {
    [CELL_POINT] = {"point", "points"},
    [CELL_LINE] = {"line", "lines"},
    [CELL_TRIANGLE] = {"triangle", "triangles"},
    [CELL_QUADRILATERAL] = {"quadrilateral", "quadrilaterals"},
    [CELL_POLYGON] = {"polygon", "polygons"},
    [CELL_HEXAHEDRON] = {"hexahedron", "hexahedra"},
    [CELL_PRISM] = {"prism", "prisms"},
    [CELL_PYRAMID] = {"pyramid", "pyramids"},
    [CELL_POLYHEDRON] = {"polyhedron", "polyhedra"},
    [CELL_OTHER] = {"element of another type", "elements of other types"},
};

const char *cell_kinds_list(const int64_t counts[CELL_KINDS], char *text, size_t size) {
    int left = 0;
    for (int kind = 0; kind < CELL_KINDS; kind++) {
        left += counts[kind] > 0;
    }
    text[0] = '\0';
    for (int kind = 0; kind < CELL_KINDS; kind++) {
        if (counts[kind] > 0) {
            left--;
            size_t used = strlen(text);
            snprintf(text + used, size - used, "%lld %s%s", (long long)counts[kind], counts[kind] == 1 ? names[kind].one : names[kind].many,
                     left > 1    ? ", "
                     : left == 1 ? " and "
                                 : "");
        }
    }
    return text;
}
