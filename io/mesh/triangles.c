/*
 * Makes triangles from a mesh file: reads it, selects the group, cuts polygons into fans, drops vertices without faces.
 */
#include "io/mesh/triangles.h"

#include <stdlib.h>
#include <string.h>

#include "io/file/nearest_name.h"

/* The state while the surface is gathered. */
typedef struct gatherer {
    const char *path, *piece;
    int32_t *place; /* [vertex_count] index of a vertex in the surface, else -1 */
    mesh_triangles *made;
    abut_error *error;
} gatherer;

/* ---- which faces ---- */

static bool is_wanted(const gatherer *g, int32_t face) {
    const char *name = g->made->soup.group_names[g->made->soup.face_groups[face]];
    return !g->piece || strcmp(name, g->piece) == 0;
}

/* A fan of a face with n corners has n - 2 triangles. */
static int32_t count_triangles(const gatherer *g) {
    const mesh_soup *soup = &g->made->soup;
    int32_t count = 0;
    for (int32_t f = 0; f < soup->face_count; f++) {
        count += is_wanted(g, f) ? soup->face_ends[f] - soup_face_first(soup, f) - 2 : 0;
    }
    return count;
}

void mesh_triangles_offer_groups(const mesh_soup *soup, nearest_name *nearest) {
    for (int32_t f = 0; f < soup->face_count; f++) {
        bool next = f == 0 || soup->face_groups[f] != soup->face_groups[f - 1];
        if (next && soup->group_names[soup->face_groups[f]][0] != '\0') {
            nearest_offer(nearest, soup->group_names[soup->face_groups[f]]);
        }
    }
}

static abut_status no_triangles(const gatherer *g) {
    const mesh_soup *soup = &g->made->soup;
    if (soup->face_count == 0) {
        return abut_fail(g->error, ABUT_ERROR_FORMAT, "%s: the file has no faces; a triangle mesh needs at least one", g->path);
    }
    nearest_name nearest = {.mistyped = g->piece};
    mesh_triangles_offer_groups(soup, &nearest);
    char hint[128];
    return abut_fail(g->error, ABUT_ERROR_FORMAT, "%s: no group with faces is named '%s'%s", g->path, g->piece,
                     nearest_hint(&nearest, hint, sizeof hint));
}

/* ---- their triangles ---- */

static int32_t take_vertex(gatherer *g, int32_t vertex) {
    if (g->place[vertex] < 0) {
        g->place[vertex] = g->made->vertex_count;
        g->made->vertices[g->made->vertex_count++] = g->made->soup.vertices[vertex];
    }
    return g->place[vertex];
}

static void take_face(gatherer *g, int32_t face) {
    const mesh_soup *soup = &g->made->soup;
    const int32_t *corner = &soup->corners[soup_face_first(soup, face)];
    int32_t count = soup->face_ends[face] - soup_face_first(soup, face);
    for (int32_t c = 2; c < count; c++) {
        g->made->groups[g->made->triangle_count] = soup->face_groups[face];
        int32_t *triangle = &g->made->triangles[3 * (size_t)g->made->triangle_count++];
        triangle[0] = take_vertex(g, corner[0]);
        triangle[1] = take_vertex(g, corner[c - 1]);
        triangle[2] = take_vertex(g, corner[c]);
    }
}

static abut_status gather(gatherer *g) {
    mesh_triangles *made = g->made;
    size_t vertices = (size_t)made->soup.vertex_count, triangles = (size_t)count_triangles(g);
    if (triangles == 0) {
        return no_triangles(g);
    }
    g->place = malloc(vertices * sizeof *g->place);
    made->vertices = malloc(vertices * sizeof *made->vertices);
    made->triangles = malloc(triangles * 3 * sizeof *made->triangles);
    made->groups = malloc(triangles * sizeof *made->groups);
    if (!g->place || !made->vertices || !made->triangles || !made->groups) {
        return mesh_no_memory(g->path, g->error);
    }
    memset(g->place, 0xff, vertices * sizeof *g->place);
    for (int32_t f = 0; f < made->soup.face_count; f++) {
        if (is_wanted(g, f)) {
            take_face(g, f);
        }
    }
    return ABUT_OK;
}

static abut_status check_scaled(const gatherer *g, abut_vec3 s) {
    for (int32_t v = 0; v < g->made->vertex_count; v++) {
        abut_vec3 p = g->made->vertices[v];
        if (!abut_vec3_is_finite(abut_vec3_make(s.x * p.x, s.y * p.y, s.z * p.z))) {
            return abut_fail(g->error, ABUT_ERROR_FORMAT, "%s: the vertex %g %g %g scaled by %g %g %g is not finite", g->path, p.x, p.y,
                             p.z, s.x, s.y, s.z);
        }
    }
    return ABUT_OK;
}

abut_status mesh_triangles_read(const char *path, const char *piece, abut_vec3 scale, mesh_triangles *made, abut_error *error) {
    *made = (mesh_triangles){0};
    if (!abut_vec3_is_finite(scale) || scale.x == 0.0 || scale.y == 0.0 || scale.z == 0.0) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "%s: every component of scale must be a finite number other than 0", path);
    }
    abut_status status = mesh_read_file(path, &made->soup, error);
    if (status != ABUT_OK) {
        *made = (mesh_triangles){0};
        return status;
    }
    gatherer g = {.path = path, .piece = piece, .made = made, .error = error};
    status = gather(&g);
    if (status == ABUT_OK) {
        status = check_scaled(&g, scale);
    }
    free(g.place);
    if (status != ABUT_OK) {
        mesh_triangles_release(made);
    }
    return status;
}

void mesh_triangles_release(mesh_triangles *made) {
    free(made->vertices);
    free(made->triangles);
    free(made->groups);
    soup_release(&made->soup);
    *made = (mesh_triangles){0};
}
