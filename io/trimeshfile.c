/*
 * From a mesh file to one triangle mesh: read, the group chosen, polygons cut into fans, vertices without faces left out.
 */
#include "trimeshfile.h"

#include <stdlib.h>
#include <string.h>

#include "mesh_soup.h"
#include "nearest.h"

/* The arrays from which the shape is made. */
typedef struct surface {
    abut_vec3 *vertices;
    int32_t *triangles;
    int32_t vertex_count, triangle_count;
} surface;

/* What is needed while the surface is gathered. */
typedef struct gatherer {
    const char *path;
    const abut_trimesh_options *options;
    const mesh_soup *soup;
    int32_t *place; /* [vertex_count] of a vertex among those of the surface, else -1 */
    surface made;
    abut_error *error;
} gatherer;

abut_trimesh_options abut_trimesh_options_default(void) { return (abut_trimesh_options){.scale = {1.0, 1.0, 1.0}}; }

/* ---- which faces ---- */

static bool is_wanted(const gatherer *g, int32_t face) {
    const char *name = g->soup->group_names[g->soup->face_groups[face]];
    return !g->options->piece || strcmp(name, g->options->piece) == 0;
}

/* A fan of a face with n corners has n - 2 triangles. */
static int32_t count_triangles(const gatherer *g) {
    int32_t count = 0;
    for (int32_t f = 0; f < g->soup->face_count; f++) {
        count += is_wanted(g, f) ? g->soup->face_ends[f] - soup_face_first(g->soup, f) - 2 : 0;
    }
    return count;
}

static abut_status no_triangles(const gatherer *g) {
    const mesh_soup *soup = g->soup;
    if (soup->face_count == 0) {
        return abut_fail(g->error, ABUT_ERROR_FORMAT, "%s: there are no faces in it; a triangle mesh needs one at least", g->path);
    }
    nearest_name nearest = {.mistyped = g->options->piece};
    for (int32_t f = 0; f < soup->face_count; f++) {
        bool next = f == 0 || soup->face_groups[f] != soup->face_groups[f - 1];
        if (next && soup->group_names[soup->face_groups[f]][0] != '\0') {
            nearest_offer(&nearest, soup->group_names[soup->face_groups[f]]);
        }
    }
    char hint[128];
    return abut_fail(g->error, ABUT_ERROR_FORMAT, "%s: there is no group '%s' with faces in it%s", g->path, g->options->piece,
                     nearest_hint(&nearest, hint, sizeof hint));
}

/* ---- their triangles ---- */

static int32_t take_vertex(gatherer *g, int32_t vertex) {
    if (g->place[vertex] < 0) {
        g->place[vertex] = g->made.vertex_count;
        g->made.vertices[g->made.vertex_count++] = g->soup->vertices[vertex];
    }
    return g->place[vertex];
}

static void take_face(gatherer *g, int32_t face) {
    const int32_t *corner = &g->soup->corners[soup_face_first(g->soup, face)];
    int32_t count = g->soup->face_ends[face] - soup_face_first(g->soup, face);
    for (int32_t c = 2; c < count; c++) {
        int32_t *triangle = &g->made.triangles[3 * (size_t)g->made.triangle_count++];
        triangle[0] = take_vertex(g, corner[0]);
        triangle[1] = take_vertex(g, corner[c - 1]);
        triangle[2] = take_vertex(g, corner[c]);
    }
}

static abut_status gather(gatherer *g) {
    size_t vertices = (size_t)g->soup->vertex_count, triangles = (size_t)count_triangles(g);
    if (triangles == 0) {
        return no_triangles(g);
    }
    g->place = malloc(vertices * sizeof *g->place);
    g->made.vertices = malloc(vertices * sizeof *g->made.vertices);
    g->made.triangles = malloc(triangles * 3 * sizeof *g->made.triangles);
    if (!g->place || !g->made.vertices || !g->made.triangles) {
        return mesh_no_memory(g->path, g->error);
    }
    memset(g->place, 0xff, vertices * sizeof *g->place);
    for (int32_t f = 0; f < g->soup->face_count; f++) {
        if (is_wanted(g, f)) {
            take_face(g, f);
        }
    }
    return ABUT_OK;
}

/* ---- the shape ---- */

static abut_status check_scaled(const gatherer *g) {
    abut_vec3 s = g->options->scale;
    for (int32_t v = 0; v < g->made.vertex_count; v++) {
        abut_vec3 p = g->made.vertices[v];
        if (!abut_is_finite_vec3(abut_make_vec3(s.x * p.x, s.y * p.y, s.z * p.z))) {
            return abut_fail(g->error, ABUT_ERROR_FORMAT, "%s: the vertex %g %g %g scaled by %g %g %g is not finite", g->path, p.x, p.y,
                             p.z, s.x, s.y, s.z);
        }
    }
    return ABUT_OK;
}

static abut_status refused(const gatherer *g, abut_status status) {
    switch (status) {
    case ABUT_ERROR_OUT_OF_MEMORY:
        return mesh_no_memory(g->path, g->error);
    case ABUT_ERROR_DEGENERATE:
        return abut_fail(g->error, status, "%s: all its faces are at one point; a surface needs an extent", g->path);
    default:
        /* Indices and numbers were checked before, so it is the range of doubles that is left. */
        return abut_fail(g->error, ABUT_ERROR_FORMAT, "%s: its sizes are beyond what can be computed with; change its scale", g->path);
    }
}

static abut_status create(const gatherer *g, abut_trimesh_report *report, abut_shape **shape) {
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = g->made.vertices;
    def.vertex_count = g->made.vertex_count;
    def.triangles = g->made.triangles;
    def.triangle_count = g->made.triangle_count;
    def.scale = g->options->scale;
    def.two_sided = g->options->two_sided;
    if (def.vertex_count < 3) { /* a face may name one vertex several times */
        return abut_fail(g->error, ABUT_ERROR_FORMAT, "%s: no face in it has three different corners", g->path);
    }
    abut_trimesh_report found;
    abut_shape *created = NULL;
    abut_status status = abut_create_trimesh(&def, &found, &created);
    if (status != ABUT_OK) {
        return refused(g, status);
    }
    if (report) {
        *report = found;
    }
    *shape = created;
    return ABUT_OK;
}

static abut_status make(gatherer *g, abut_trimesh_report *report, abut_shape **shape) {
    abut_status status = gather(g);
    if (status == ABUT_OK) {
        status = check_scaled(g);
    }
    return status == ABUT_OK ? create(g, report, shape) : status;
}

abut_status abut_trimesh_load(const char *path, const abut_trimesh_options *options, abut_trimesh_report *report, abut_shape **shape,
                              abut_error *error) {
    abut_trimesh_options defaults = abut_trimesh_options_default();
    const abut_trimesh_options *used = options ? options : &defaults;
    if (!path || !shape) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "abut_trimesh_load: path or shape is NULL");
    }
    abut_vec3 scale = used->scale;
    if (!abut_is_finite_vec3(scale) || scale.x == 0.0 || scale.y == 0.0 || scale.z == 0.0) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "%s: every component of scale must be a finite number other than 0", path);
    }
    mesh_soup soup;
    abut_status status = mesh_read_file(path, &soup, error);
    if (status != ABUT_OK) {
        return status;
    }
    gatherer g = {.path = path, .options = used, .soup = &soup, .error = error};
    status = make(&g, report, shape);
    free(g.place);
    free(g.made.vertices);
    free(g.made.triangles);
    soup_release(&soup);
    return status;
}
