#pragma once

#include <abut/tetra_mesh.h>

#include "cli.h"
#include "io/tet/pairs_file.h"
#include "progress.h"
#include "io/tet/read.h"

/*
 * What `abut depth` was asked and what it found, and how that is computed, printed and written. Two bodies, or one with itself; tetrahedra from the
 * rows of a file of pairs are two bodies whose elements share no vertex, element i of each from row i.
 */

typedef struct depth_body {
    const char *name;   /* of the file */
    abut_tetfile *file; /* NULL: from rows of corners */
    abut_pose pose;
    abut_tetra_mesh mesh;   /* posed */
    abut_vec3 *vertices;    /* of the mesh; the file's own array, or one to be freed when there is no file */
    int32_t *elements;      /* the same */
    int64_t *tags;          /* what the file calls each element; the same, numbers of the rows from 1 */
    const int32_t *regions; /* or NULL */
    int32_t flat, inverted; /* elements */
} depth_body;

/* A sample of numbers. */
enum { DEPTH_QUANTILES = 7 };
extern const double depth_quantile_shares[DEPTH_QUANTILES];

typedef struct depth_spread {
    double mean, deviation;           /* of the numbers themselves, not an estimate from a sample */
    double quantile[DEPTH_QUANTILES]; /* linear between two numbers */
} depth_spread;

/* Meshes after they were separated. */
typedef struct depth_separation {
    abut_status status; /* ABUT_OK; ABUT_ERROR_INFEASIBLE, ABUT_ERROR_ITERATION_LIMIT: pairs remain */
    abut_resolve_report report;
    abut_vec3 *moved[2];          /* [vertex_count] of either body */
    abut_element_pair *remaining; /* [report.pairs_remaining] */
} depth_separation;

typedef struct depth_answer {
    depth_body body[2];
    int body_count; /* 1: a mesh with itself */
    abut_depth_settings settings;
    abut_parallel parallel;
    bool given;               /* the pairs are the caller's, not those that intersect */
    bool rows;                /* and the tetrahedra, too */
    abut_element_pair *pairs; /* [count] */
    abut_depth *depths;       /* [count] */
    int32_t count;
    int64_t candidates; /* pairs whose boxes meet; -1 when the pairs were given */
    int32_t intersecting, touching, failed;
    int32_t deepest;              /* in pairs; -1 when none intersects */
    int32_t touched[2];           /* elements of either body that intersect another one; of one body all in the first */
    depth_spread depth, share;    /* of the pairs that intersect; deformable over rigid depth */
    depth_separation *separation; /* NULL: not asked for */
    double seconds_read, seconds_pairs, seconds_depths, seconds_resolve;
} depth_answer;

/* The name of a mode, as the command line has it; ended by NULL. */
extern const char *const depth_modes[];

static inline const depth_body *depth_second(const depth_answer *q) { return &q->body[q->body_count - 1]; }

static inline const abut_tetra_mesh *depth_second_mesh(const depth_answer *q) { return q->body_count == 2 ? &q->body[1].mesh : NULL; }

/* The pairs, unless they are given, their depths, and what these come to. */
abut_status depth_find(depth_answer *answer, progress *bar);

/* Moves the meshes apart. CLI_OK also when pairs remain: the status is in the answer. */
abut_status depth_separate(depth_answer *answer, progress *bar);

/* For people. */
void depth_print_table(const depth_answer *answer);

/* For programs: one JSON object, each pair on a line of its own. False when there is no memory. */
bool depth_print_json(const depth_answer *answer);

/* The meshes with what was found about each element; a row for each pair. */
abut_status depth_write_vtu(const depth_answer *answer, const char *path, abut_error *error);
abut_status depth_write_csv(const depth_answer *answer, const char *path, abut_error *error);

/* Words for what the library answers with. */
const char *depth_relation_name(abut_depth_relation relation);
const char *depth_direction_name(abut_depth_direction direction);
