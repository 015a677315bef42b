#include "support/ball_mesh.h"

#include <stdio.h>
#include <stdlib.h>

static const int32_t faces[60] = {0, 11, 5, 0, 5, 1, 0, 1, 7, 0, 7, 10, 0, 10, 11, 1, 5, 9, 5, 11, 4,  11, 10, 2,  10, 7, 6, 7, 1, 8,
                                  3, 9,  4, 3, 4, 2, 3, 2, 6, 3, 6, 8,  3, 8,  9,  4, 9, 5, 2, 4,  11, 6,  2,  10, 8,  6, 7, 9, 8, 1};

/* The corners of an icosahedron: cyclic permutations of (0, +-1, +-golden ratio). */
static const double golden = 1.6180339887498949;
static const double corners[12][3] = {{-1, golden, 0}, {1, golden, 0}, {-1, -golden, 0}, {1, -golden, 0},
                                      {0, -1, golden}, {0, 1, golden}, {0, -1, -golden}, {0, 1, -golden},
                                      {golden, 0, -1}, {golden, 0, 1}, {-golden, 0, -1}, {-golden, 0, 1}};

/* The vertex in the middle between two, searched among those of this level: [first, count). */
static int32_t halfway(ball_mesh *m, int32_t i, int32_t k, int32_t (*middles)[2], int32_t *of_vertex) {
    int32_t low = i < k ? i : k, high = i < k ? k : i;
    for (int32_t at = of_vertex[low]; at >= 0; at = middles[at][1]) {
        if (middles[at][0] == high) {
            return at;
        }
    }
    int32_t made = m->vertex_count++;
    m->vertices[made] = abut_unit(abut_add(m->vertices[i], m->vertices[k]));
    middles[made][0] = high;
    middles[made][1] = of_vertex[low];
    of_vertex[low] = made;
    return made;
}

static void cut(ball_mesh *m, int32_t (*middles)[2], int32_t *of_vertex) {
    for (int32_t v = 0; v < m->vertex_count; v++) {
        of_vertex[v] = -1;
    }
    /* Backwards, so that the four new triangles do not overwrite unread ones. */
    for (int32_t t = m->triangle_count - 1; t >= 0; t--) {
        int32_t p = m->triangles[3 * t], q = m->triangles[3 * t + 1], r = m->triangles[3 * t + 2];
        int32_t pq = halfway(m, p, q, middles, of_vertex), qr = halfway(m, q, r, middles, of_vertex),
                rp = halfway(m, r, p, middles, of_vertex);
        const int32_t four[12] = {p, pq, rp, pq, q, qr, rp, qr, r, pq, qr, rp};
        for (int c = 0; c < 12; c++) {
            m->triangles[12 * t + c] = four[c];
        }
    }
    m->triangle_count *= 4;
}

bool ball_mesh_make(int level, abut_vec3 scale, ball_mesh *made) {
    size_t triangles = (size_t)20 << (2 * level), vertices = triangles / 2 + 2;
    ball_mesh m = {calloc(vertices, sizeof *m.vertices), calloc(3 * triangles, sizeof *m.triangles), 12, 20};
    int32_t(*middles)[2] = calloc(vertices, sizeof *middles), *of_vertex = calloc(vertices, sizeof *of_vertex);
    bool fine = m.vertices != NULL && m.triangles != NULL && middles != NULL && of_vertex != NULL;
    for (int i = 0; i < 12 && fine; i++) {
        m.vertices[i] = abut_unit(abut_vec3_make(corners[i][0], corners[i][1], corners[i][2]));
    }
    for (int i = 0; i < 60 && fine; i++) {
        m.triangles[i] = faces[i];
    }
    for (int i = 0; i < level && fine; i++) {
        cut(&m, middles, of_vertex);
    }
    for (int32_t v = 0; v < m.vertex_count && fine; v++) {
        m.vertices[v] = abut_vec3_make(scale.x * m.vertices[v].x, scale.y * m.vertices[v].y, scale.z * m.vertices[v].z);
    }
    free(middles);
    free(of_vertex);
    *made = m;
    if (!fine) {
        fprintf(stderr, "no memory for a ball of %zu triangles\n", triangles);
        ball_mesh_free(made);
    }
    return fine;
}

void ball_mesh_free(ball_mesh *mesh) {
    free(mesh->vertices);
    free(mesh->triangles);
    *mesh = (ball_mesh){0};
}
