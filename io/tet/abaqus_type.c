/*
 * Names of Abaqus's types of elements: letters for the family, the number of nodes, letters for the formulation. Solids have "C3D" or "Q3D" in their name, also
 * those for heat (DC3D4), sound (AC3D10) and others.
 */
#include "io/tet/abaqus_type.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The number after "C3D" or "Q3D" in a name; 0 without. */
static long solid_nodes(const char *type) {
    for (const char *at = type; *at != '\0'; at++) {
        if (strncasecmp(at, "C3D", 3) == 0 || strncasecmp(at, "Q3D", 3) == 0) {
            return at[3] >= '0' && at[3] <= '9' ? strtol(at + 3, NULL, 10) : 0;
        }
    }
    return 0;
}

int abaqus_tetra_nodes(const char *type) {
    long nodes = solid_nodes(type);
    return nodes == 4 || nodes == 10 ? (int)nodes : 0;
}

static cell_kind solid_kind(long nodes) {
    switch (nodes) {
    case 5:
    case 13:
        return CELL_PYRAMID;
    case 6:
    case 15:
    case 18:
        return CELL_PRISM;
    case 8:
    case 20:
    case 21:
    case 27:
        return CELL_HEXAHEDRON;
    default:
        return CELL_OTHER;
    }
}

cell_kind abaqus_kind(const char *type) {
    /* Shells, membranes, rigid surfaces, plane and axisymmetric solids, beams and trusses; of two that fit, the longer comes first. */
    static const struct {
        const char *begin;
        cell_kind kind;
    } families[] = {{"STRI", CELL_TRIANGLE},
                    {"SC6", CELL_PRISM},
                    {"SC8", CELL_HEXAHEDRON},
                    {"S3", CELL_TRIANGLE},
                    {"S4", CELL_QUADRILATERAL},
                    {"S8", CELL_QUADRILATERAL},
                    {"S9", CELL_QUADRILATERAL},
                    {"DS3", CELL_TRIANGLE},
                    {"DS6", CELL_TRIANGLE},
                    {"DS4", CELL_QUADRILATERAL},
                    {"DS8", CELL_QUADRILATERAL},
                    {"R3D3", CELL_TRIANGLE},
                    {"R3D4", CELL_QUADRILATERAL},
                    {"M3D3", CELL_TRIANGLE},
                    {"M3D6", CELL_TRIANGLE},
                    {"M3D4", CELL_QUADRILATERAL},
                    {"M3D8", CELL_QUADRILATERAL},
                    {"M3D9", CELL_QUADRILATERAL},
                    {"SFM3D3", CELL_TRIANGLE},
                    {"SFM3D6", CELL_TRIANGLE},
                    {"SFM3D4", CELL_QUADRILATERAL},
                    {"SFM3D8", CELL_QUADRILATERAL},
                    {"CPS3", CELL_TRIANGLE},
                    {"CPS6", CELL_TRIANGLE},
                    {"CPS4", CELL_QUADRILATERAL},
                    {"CPS8", CELL_QUADRILATERAL},
                    {"CPE3", CELL_TRIANGLE},
                    {"CPE6", CELL_TRIANGLE},
                    {"CPE4", CELL_QUADRILATERAL},
                    {"CPE8", CELL_QUADRILATERAL},
                    {"CAX3", CELL_TRIANGLE},
                    {"CAX6", CELL_TRIANGLE},
                    {"CAX4", CELL_QUADRILATERAL},
                    {"CAX8", CELL_QUADRILATERAL},
                    {"B2", CELL_LINE},
                    {"B3", CELL_LINE},
                    {"T2D", CELL_LINE},
                    {"T3D", CELL_LINE},
                    {"PIPE", CELL_LINE},
                    {"MASS", CELL_POINT}};
    long nodes = solid_nodes(type);
    for (size_t i = 0; nodes == 0 && i < sizeof families / sizeof families[0]; i++) {
        if (strncasecmp(type, families[i].begin, strlen(families[i].begin)) == 0) {
            return families[i].kind;
        }
    }
    return solid_kind(nodes);
}
