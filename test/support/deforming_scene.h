#pragma once

/*
 * Scenes with bodies that deform, for tests.
 */

/* A block of flat sides, 2 by 2 by 1 from z = 0 up, as tall again after a second, and half as tall again after another. */
#define BLOCK                                                                                                                              \
    "{\"facetmesh\": {\"radius\": \"flat\", \"vertices\": [[-1, -1, 0], [1, -1, 0], [-1, 1, 0], [1, 1, 0], [-1, -1, 1], [1, -1, 1], [-1, " \
    "1, 1], "                                                                                                                              \
    "[1, 1, 1]], \"triangles\": [[0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6], [0, 1, 5], [0, 5, 4], [2, 6, 7], [2, 7, 3], [0, 4, 6], [0, "  \
    "6, 2], "                                                                                                                              \
    "[1, 3, 7], [1, 7, 5]]}}"

static const char lift[] = "{\"abut_scene\": 1, \"duration\": 3, \"dt\": 0.0625, \"bodies\": [\n"
                           "{\"name\": \"lift\", \"kind\": \"kinematic\", \"shape\": " BLOCK ", \"position\": [0, 0, 5],\n"
                           " \"deform\": [{\"amount\": [[0, 0], [1, 1], [2, 0.5]], \"stretch\": [1, 1, 2]}]},\n"
                           "{\"name\": \"ball\", \"shape\": {\"sphere\": {\"radius\": 0.5}}, \"position\": [0.1, 0.2, 6.5]}]}";

static inline double height_at(double time) { return time < 1.0 ? 1.0 + time : time < 2.0 ? 2.5 - 0.5 * time : 1.5; }

/* Amounts that rest, change and come back to where they were between frames; a body that is removed, and one that begins late. */
static const char pauses[] =
    "{\"abut_scene\": 1, \"duration\": 1.5, \"dt\": 0.0625, \"bodies\": [\n"
    "{\"name\": \"lift\", \"kind\": \"kinematic\", \"shape\": " BLOCK ", \"position\": [0, 0, 5],\n"
    " \"deform\": [{\"amount\": [[0.1875, 0.25], [0.25, 0.5], [0.4375, 0.5], [0.5, 0.75], [0.5625, 0.5], [1, 0.5], [1.25, 1]], "
    "\"stretch\": "
    "[1, 1, 2]}]},\n"
    "{\"name\": \"ball\", \"shape\": {\"sphere\": {\"radius\": 0.5}}, \"position\": [0.1, 0.2, 6.8]},\n"
    "{\"name\": \"late\", \"shape\": " BLOCK
    ", \"position\": [9, 0, 0], \"deform\": [{\"amount\": [[1.125, 0], [1.5, 1]], \"matrix\": [[1, "
    "0.5, 0], [0, 1, 0], [0, 0, 1]]}]},\n"
    "{\"name\": \"gone\", \"kind\": \"kinematic\", \"shape\": " BLOCK ", \"position\": [0, 9, 0], \"deform\": [{\"amount\": [[0, 0], [1.5, "
    "1]], \"stretch\": [2, 1, 1]}]}],\n"
    "\"actions\": [{\"at\": 0.625, \"remove\": \"gone\"}]}";
enum { PAUSES_STEPS = 24 };
