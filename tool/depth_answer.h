#pragma once

#include <abut/tetra_mesh.h>

#include "tool/cli.h"
#include "io/tet/pairs_file.h"
#include "tool/progress.h"
#include "io/tet/read.h"

/*
 * Question and answer of `abut depth`, and how the answer is computed, printed and written. There are two bodies, or one body with itself. Rows of
 * coordinates in a table of pairs make two bodies whose elements share no vertices; element i of each is from row i.
 */

typedef struct depth_body {
    const char *name;   /* of the file */
    abut_tetfile *file; /* NULL: the body is made of rows of coordinates */
    abut_pose pose;
    abut_tetra_mesh mesh;   /* posed */
    abut_vec3 *vertices;    /* of the mesh; belongs to the file, or to this struct when there is no file */
    int32_t *elements;      /* likewise */
    int64_t *tags;          /* numbers of the elements in the file, or numbers of the rows from 1; likewise */
    const int32_t *regions; /* or NULL */
    int32_t flat, inverted; /* counts of elements */
} depth_body;

/* The distribution of a set of numbers. */
enum { DEPTH_QUANTILES = 7 };
extern const double depth_quantile_shares[DEPTH_QUANTILES];

typedef struct depth_spread {
    double mean, deviation;           /* deviation of the whole set: divided by n, not n - 1 */
    double quantile[DEPTH_QUANTILES]; /* with linear interpolation */
} depth_spread;

/* Meshes after the separation. */
typedef struct depth_separation {
    abut_status status; /* ABUT_OK; ABUT_ERROR_INFEASIBLE, ABUT_ERROR_ITERATION_LIMIT: pairs remain */
    abut_resolve_report report;
    abut_vec3 *moved[2];          /* [vertex_count] of each body */
    abut_element_pair *remaining; /* [report.pairs_remaining] */
    double *ratio[2]; /* [element_count] volume after and before, with a volume ratio, else NULL; 1 for elements without volume */
} depth_separation;

typedef struct depth_answer {
    depth_body body[2];
    int body_count; /* 1: a mesh with itself */
    abut_depth_settings settings;
    abut_parallel parallel;
    bool given;               /* the user listed the pairs */
    bool rows;                /* the user gave the tetrahedra, too */
    abut_element_pair *pairs; /* [count] */
    abut_depth *depths;       /* [count] */
    int32_t count;
    int64_t candidates; /* pairs whose boxes overlap; -1 when the pairs were given */
    int32_t intersecting, touching, failed;
    int32_t deepest;              /* index into pairs; -1 when none intersects */
    int32_t touched[2];           /* elements of each body that intersect another one; [1] is 0 for one body */
    depth_spread depth, share;    /* over the pairs that intersect: depth; depth divided by rigid depth */
    depth_separation *separation; /* NULL: the meshes were not separated */
    double seconds_read, seconds_pairs, seconds_depths, seconds_resolve;
} depth_answer;

/* Names of the modes on the command line, ended by NULL. */
extern const char *const depth_modes[];

static inline const depth_body *depth_second(const depth_answer *q) { return &q->body[q->body_count - 1]; }

static inline const abut_tetra_mesh *depth_second_mesh(const depth_answer *q) { return q->body_count == 2 ? &q->body[1].mesh : NULL; }

/* Finds the pairs, unless they are given, their depths, and the distribution of the depths. */
abut_status depth_find(depth_answer *answer, progress *bar);

/* Separates the meshes. ABUT_OK also when pairs remain: answer->separation->status tells. */
abut_status depth_separate(depth_answer *answer, progress *bar);

/* Prints a summary. */
void depth_print_table(const depth_answer *answer);

/* Prints one JSON object, each pair on its own line. False when there is no memory. */
bool depth_print_json(const depth_answer *answer);

/* A file of the meshes with arrays for each element; a table with a row for each pair. */
abut_status depth_write_vtu(const depth_answer *answer, const char *path, abut_error *error);
abut_status depth_write_csv(const depth_answer *answer, const char *path, abut_error *error);

/* Words for the library's constants. */
const char *depth_relation_name(abut_depth_relation relation);
const char *depth_direction_name(abut_depth_direction direction);
