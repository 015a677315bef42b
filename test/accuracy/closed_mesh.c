/* Closed meshes of convex solids: see the header. */
#include "accuracy/closed_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/oracle.h"

typedef struct surface {
    abut_vec3 *vertex;
    int32_t vertex_count, triangle_count;
    int32_t (*triangle)[3];
    int32_t (*middle)[3]; /* the ends of a cut side, and the vertex at its middle */
    int32_t middle_count;
} surface;

static surface fans_of(const solid *s) {
    int32_t corners = 0;
    for (int32_t f = 0; f < s->face_count; f++) {
        corners += s->face_sizes[f];
    }
    surface made = {.vertex_count = s->vertex_count};
    made.vertex = check_memory((size_t)s->vertex_count, sizeof *made.vertex);
    made.triangle = check_memory((size_t)corners, sizeof *made.triangle);
    memcpy(made.vertex, s->vertices, (size_t)s->vertex_count * sizeof *made.vertex);
    const int32_t *loop = s->face_vertices;
    for (int32_t f = 0; f < s->face_count; loop += s->face_sizes[f++]) {
        for (int32_t c = 1; c + 1 < s->face_sizes[f]; c++) {
            int32_t *t = made.triangle[made.triangle_count++];
            t[0] = loop[0];
            t[1] = loop[c];
            t[2] = loop[c + 1];
        }
    }
    return made;
}

static int32_t middle_of(surface *of, int32_t p, int32_t q) {
    int32_t low = p < q ? p : q, high = p < q ? q : p;
    for (int32_t i = 0; i < of->middle_count; i++) {
        if (of->middle[i][0] == low && of->middle[i][1] == high) {
            return of->middle[i][2];
        }
    }
    int32_t *made = of->middle[of->middle_count++];
    made[0] = low;
    made[1] = high;
    made[2] = of->vertex_count;
    of->vertex[of->vertex_count] = abut_lerp(of->vertex[low], of->vertex[high], 0.5);
    return of->vertex_count++;
}

static void cut(surface *of) {
    int32_t count = of->triangle_count;
    int32_t(*from)[3] = of->triangle;
    of->triangle = check_memory(4 * (size_t)count, sizeof *of->triangle);
    of->middle = check_memory(3 * (size_t)count, sizeof *of->middle);
    of->vertex = realloc(of->vertex, (size_t)(of->vertex_count + 3 * count) * sizeof *of->vertex);
    assert_non_null(of->vertex);
    of->triangle_count = of->middle_count = 0;
    for (int32_t t = 0; t < count; t++) {
        const int32_t p = from[t][0], q = from[t][1], r = from[t][2];
        const int32_t a = middle_of(of, p, q), b = middle_of(of, q, r), c = middle_of(of, r, p);
        const int32_t made[4][3] = {{p, a, c}, {a, q, b}, {c, b, r}, {a, b, c}};
        memcpy(of->triangle[of->triangle_count], made, sizeof made);
        of->triangle_count += 4;
    }
    free(from);
    free(of->middle);
}

static void shuffle(random_state *random, surface *of) {
    for (int32_t t = of->triangle_count - 1; t > 0; t--) {
        int32_t other = random_below(random, t + 1), turn = random_below(random, 3), kept[3];
        memcpy(kept, of->triangle[t], sizeof kept);
        memcpy(of->triangle[t], of->triangle[other], sizeof kept);
        for (int k = 0; k < 3; k++) {
            of->triangle[other][k] = kept[(k + turn) % 3];
        }
    }
}

closed_mesh closed_mesh_of(random_state *random, const solid *s, int32_t cuts) {
    surface of = fans_of(s);
    for (int32_t i = 0; i < cuts; i++) {
        cut(&of);
    }
    shuffle(random, &of);
    static const double factor[4] = {1.0, -1.0, 0.25, -4.0};
    abut_trimesh_def def = abut_trimesh_def_default();
    def.scale = abut_vec3_make(factor[random_below(random, 4)], factor[random_below(random, 4)], factor[random_below(random, 4)]);
    bool mirrors = def.scale.x * def.scale.y * def.scale.z < 0.0;
    for (int32_t v = 0; v < of.vertex_count; v++) {
        of.vertex[v] = abut_vec3_make(of.vertex[v].x / def.scale.x, of.vertex[v].y / def.scale.y, of.vertex[v].z / def.scale.z);
    }
    for (int32_t t = 0; t < of.triangle_count && mirrors; t++) {
        int32_t kept = of.triangle[t][1];
        of.triangle[t][1] = of.triangle[t][2];
        of.triangle[t][2] = kept;
    }
    def.pose = random_below(random, 3) == 0 ? random_pose(random, solid_reach(s)) : abut_pose_identity();
    def.vertices = of.vertex;
    def.vertex_count = of.vertex_count;
    def.triangles = of.triangle[0];
    def.triangle_count = of.triangle_count;
    abut_trimesh_report report;
    closed_mesh made = {.inner = def.pose};
    assert_ok(abut_shape_create_trimesh(&def, &report, &made.shape));
    assert_true(report.closed);
    free(of.vertex);
    free(of.triangle);
    return made;
}

double closed_mesh_off(const abut_shape *mesh, abut_feature feature, abut_vec3 point) {
    abut_triangle t;
    int32_t count = abut_shape_triangle_count(mesh);
    bool edge = feature.kind == ABUT_FEATURE_EDGE, face = feature.kind == ABUT_FEATURE_FACE;
    if ((edge || face) && feature.index >= 0 && feature.index < (edge ? 3 * count : count)) {
        assert_ok(abut_shape_triangle(mesh, edge ? feature.index / 3 : feature.index, &t));
        abut_vec3 p = t.corner[feature.index % 3], q = t.corner[(feature.index + 1) % 3];
        return abut_distance_between(point, edge ? oracle_on_segment(point, p, q)
                                                 : oracle_on_triangle(point, t.corner[0], t.corner[1], t.corner[2]));
    }
    for (int32_t i = 0; i < count && feature.kind == ABUT_FEATURE_VERTEX; i++) {
        assert_ok(abut_shape_triangle(mesh, i, &t));
        for (int k = 0; k < 3; k++) {
            if (t.vertex[k] == feature.index) {
                return abut_distance_between(point, t.corner[k]);
            }
        }
    }
    return INFINITY;
}
