/*
 * Balls on random meshes against the definition: a ball touches a face, an edge or a vertex exactly if that is the closest feature of every
 * triangle around it. The same surface is given in many ways: joined or not, with joints in the middle of edges, in any order, with -0, far
 * away, large and small.
 */
#include <abut/mesh.h>

#include <stdlib.h>
#include <string.h>

#include "support/check.h"

/* ---- surfaces ---- */

typedef struct surface {
    abut_vec3 *vertex;
    int32_t (*triangle)[3];
    int32_t vertex_count, triangle_count;
} surface;

static surface make_surface(int32_t vertices, int32_t triangles) {
    return (surface){check_memory((size_t)vertices, sizeof(abut_vec3)), check_memory((size_t)triangles, 3 * sizeof(int32_t)), vertices,
                     triangles};
}

static void free_surface(surface *s) {
    free(s->vertex);
    free(s->triangle);
}

/* Coordinates with bits to spare, so that middles of edges are exact. */
static double spare(double x) { return round(x * 1048576.0) / 1048576.0; }

static surface random_field(random_state *random) {
    int32_t n = 4 + random_below(random, 5), m = 4 + random_below(random, 5);
    double rough = random_log_range(random, 1e-3, 1.5);
    surface s = make_surface(n * m, 2 * (n - 1) * (m - 1));
    for (int32_t i = 0; i < n * m; i++) {
        double x = i % n + random_range(random, -0.3, 0.3), y = i / n + random_range(random, -0.3, 0.3);
        s.vertex[i] = abut_vec3_make(spare(x), spare(y), spare(rough * random_range(random, -1, 1)));
    }
    for (int32_t cell = 0; cell < (n - 1) * (m - 1); cell++) {
        int32_t a = cell / (n - 1) * n + cell % (n - 1), b = a + 1, c = a + n + 1, d = a + n;
        bool turned = random_below(random, 2) == 0;
        const int32_t two[2][3] = {{a, b, turned ? c : d}, {turned ? a : b, c, d}};
        memcpy(s.triangle[2 * cell], two, sizeof two);
    }
    return s;
}

/* A ball with bumps and dents. */
static surface random_closed(random_state *random) {
    int32_t around = 5 + random_below(random, 5), rings = 3 + random_below(random, 4);
    double rough = random_log_range(random, 1e-3, 0.5);
    surface s = make_surface(2 + around * rings, 2 * around * rings);
    s.vertex[0] = abut_vec3_make(0, 0, spare(-3.0));
    s.vertex[1] = abut_vec3_make(0, 0, spare(3.0));
    for (int32_t i = 0; i < around * rings; i++) {
        double longitude = 6.283185307179586 * (i % around) / around, latitude = 3.141592653589793 * (1 + i / around) / (rings + 1);
        double r = 3.0 * (1.0 + rough * random_range(random, -1, 1));
        s.vertex[2 + i] =
            abut_vec3_make(spare(r * sin(latitude) * cos(longitude)), spare(r * sin(latitude) * sin(longitude)), spare(-r * cos(latitude)));
    }
    int32_t t = 0;
    for (int32_t i = 0; i < around; i++) {
        int32_t k = (i + 1) % around, last = 2 + around * (rings - 1);
        memcpy(s.triangle[t++], (int32_t[3]){0, 2 + k, 2 + i}, 3 * sizeof(int32_t));
        memcpy(s.triangle[t++], (int32_t[3]){1, last + i, last + k}, 3 * sizeof(int32_t));
        for (int32_t ring = 0; ring + 1 < rings; ring++) {
            int32_t a = 2 + ring * around + i, b = 2 + ring * around + k, c = b + around, d = a + around;
            memcpy(s.triangle[t++], (int32_t[3]){a, b, c}, 3 * sizeof(int32_t));
            memcpy(s.triangle[t++], (int32_t[3]){a, c, d}, 3 * sizeof(int32_t));
        }
    }
    s.triangle_count = t;
    return s;
}

/* ---- the rule ---- */

typedef enum closest_kind { FACE = 3, EDGE = 2, VERTEX = 1 } closest_kind;

/* The closest feature of a triangle, by its vertices in ascending order, unused ones -1. */
typedef struct closest {
    closest_kind kind;
    int32_t vertex[2];
    abut_vec3 point;
    double distance, height;
    double clear; /* distance of the centre from the region of another feature */
    abut_vec3 normal;
} closest;

/* Tries all features: those into which the centre projects. */
static closest closest_of(const surface *s, int32_t t, abut_vec3 p) {
    const int32_t *v = s->triangle[t];
    abut_vec3 q[3] = {s->vertex[v[0]], s->vertex[v[1]], s->vertex[v[2]]};
    closest best = {.distance = INFINITY, .clear = INFINITY};
    abut_vec3 n = abut_unit(abut_cross(abut_sub(q[1], q[0]), abut_sub(q[2], q[0])));
    double height = abut_dot(n, abut_sub(p, q[0])), inside = INFINITY;
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3;
        abut_vec3 e = abut_sub(q[k], q[i]), w = abut_sub(p, q[i]);
        double length = abut_length(e), along = abut_dot(w, e) / length;
        double in = abut_dot(abut_cross(n, e), w) / length;
        inside = fmin(inside, in);
        best.clear = fmin(best.clear, fmin(fabs(in), fmin(fabs(along), fabs(along - length))));
        if (abut_length(w) < best.distance) {
            best.kind = VERTEX;
            best.vertex[0] = v[i];
            best.vertex[1] = -1;
            best.point = q[i];
            best.distance = abut_length(w);
        }
        abut_vec3 foot = abut_add_scaled(q[i], along / length, e);
        if (along > 0.0 && along < length && abut_distance_between(p, foot) < best.distance) {
            best.kind = EDGE;
            best.vertex[0] = v[i] < v[k] ? v[i] : v[k];
            best.vertex[1] = v[i] < v[k] ? v[k] : v[i];
            best.point = foot;
            best.distance = abut_distance_between(p, foot);
        }
    }
    if (inside > 0.0) {
        best.kind = FACE;
        best.vertex[0] = t;
        best.vertex[1] = -1;
        best.point = abut_add_scaled(p, -height, n);
        best.distance = fabs(height);
    }
    best.height = height;
    best.normal = best.kind == FACE ? n : abut_scale(1.0 / best.distance, abut_sub(p, best.point));
    best.clear = fmin(best.clear, fabs(height));
    return best;
}

static bool holds(const surface *s, int32_t t, const closest *c) {
    bool first = false, second = c->kind == VERTEX;
    for (int i = 0; i < 3; i++) {
        first = first || s->triangle[t][i] == c->vertex[0];
        second = second || s->triangle[t][i] == c->vertex[1];
    }
    return c->kind == FACE ? t == c->vertex[0] : first && second;
}

static bool same_feature(const closest *p, const closest *q) {
    return p->kind == q->kind && p->vertex[0] == q->vertex[0] && p->vertex[1] == q->vertex[1];
}

/* The expected number of contacts; -1 if the centre is too near to a place where it changes. */
static int32_t contacts_by_rule(const surface *s, abut_vec3 centre, double radius, double margin, closest *all, closest *out) {
    const double doubt = 1e-5;
    int32_t count = 0;
    for (int32_t t = 0; t < s->triangle_count; t++) {
        all[t] = closest_of(s, t, centre);
        if (all[t].clear < doubt || fabs(all[t].distance - radius - margin) < doubt) {
            return -1;
        }
    }
    for (int32_t t = 0; t < s->triangle_count; t++) {
        bool wanted = all[t].height > 0.0 && all[t].distance < radius + margin;
        for (int32_t other = 0; other < s->triangle_count && wanted; other++) {
            wanted = !holds(s, other, &all[t]) || same_feature(&all[t], &all[other]);
        }
        for (int32_t i = 0; i < count && wanted; i++) {
            wanted = !same_feature(&all[t], &out[i]);
        }
        if (wanted) {
            out[count++] = all[t];
        }
    }
    return count;
}

/* ---- the same surface, represented differently ---- */

typedef enum guise { AS_IT_IS, TORN, JOINTED, FAR_AWAY, SMALL, LARGE, GUISES } guise;

/* Every triangle with vertices of its own. */
static surface torn(const surface *s) {
    surface other = make_surface(3 * s->triangle_count, s->triangle_count);
    for (int32_t i = 0; i < 3 * s->triangle_count; i++) {
        other.vertex[i] = s->vertex[s->triangle[i / 3][i % 3]];
        other.triangle[i / 3][i % 3] = i;
        if (i % 2 == 0 && other.vertex[i].z == 0.0) {
            other.vertex[i].z = -0.0;
        }
    }
    return other;
}

/* A third of the triangles are split from the middle of a side to the opposite corner; their neighbours are not. */
static surface jointed(const surface *s, random_state *random) {
    surface other = make_surface(s->vertex_count + s->triangle_count, 2 * s->triangle_count);
    memcpy(other.vertex, s->vertex, (size_t)s->vertex_count * sizeof *s->vertex);
    int32_t vertices = s->vertex_count, triangles = 0;
    for (int32_t t = 0; t < s->triangle_count; t++) {
        int k = random_below(random, 3);
        int32_t a = s->triangle[t][k], b = s->triangle[t][(k + 1) % 3], c = s->triangle[t][(k + 2) % 3];
        if (random_below(random, 3) != 0) {
            memcpy(other.triangle[triangles++], s->triangle[t], 3 * sizeof(int32_t));
            continue;
        }
        other.vertex[vertices] = abut_lerp(s->vertex[a], s->vertex[b], 0.5);
        memcpy(other.triangle[triangles++], (int32_t[3]){a, vertices, c}, 3 * sizeof(int32_t));
        memcpy(other.triangle[triangles++], (int32_t[3]){vertices++, b, c}, 3 * sizeof(int32_t));
    }
    other.vertex_count = vertices;
    other.triangle_count = triangles;
    return other;
}

static void shuffle(surface *s, random_state *random) {
    for (int32_t i = s->triangle_count - 1; i > 0; i--) {
        int32_t k = random_below(random, i + 1), swap[3];
        memcpy(swap, s->triangle[i], sizeof swap);
        memcpy(s->triangle[i], s->triangle[k], sizeof swap);
        memcpy(s->triangle[k], swap, sizeof swap);
    }
}

typedef struct placing {
    abut_shape *mesh;
    double scale;
    abut_vec3 shift; /* of the surface in the mesh's frame */
} placing;

static placing place(const surface *s, guise g, random_state *random) {
    surface other = g == TORN ? torn(s) : g == JOINTED ? jointed(s, random) : make_surface(s->vertex_count, s->triangle_count);
    if (g != TORN && g != JOINTED) {
        memcpy(other.vertex, s->vertex, (size_t)s->vertex_count * sizeof *s->vertex);
        memcpy(other.triangle, s->triangle, (size_t)s->triangle_count * sizeof *s->triangle);
    }
    shuffle(&other, random);
    placing at = {NULL, g == SMALL ? 1e-3 : g == LARGE ? 1e3 : 1.0, {0, 0, 0}};
    at.shift = g == FAR_AWAY ? abut_vec3_make(1e5, -7e4, 3e4) : at.shift;
    for (int32_t v = 0; v < other.vertex_count && g == FAR_AWAY; v++) {
        other.vertex[v] = abut_add(other.vertex[v], at.shift);
    }
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = other.vertex;
    def.vertex_count = other.vertex_count;
    def.triangles = &other.triangle[0][0];
    def.triangle_count = other.triangle_count;
    def.scale = abut_vec3_make(at.scale, at.scale, at.scale);
    assert_ok(abut_shape_create_trimesh(&def, NULL, &at.mesh));
    free_surface(&other);
    return at;
}

/* ---- the comparison ---- */

enum { MOST_CONTACTS = 64 };

static bool matches(const abut_contact *c, const closest *wanted, const placing *at, double radius) {
    abut_vec3 point = abut_scale(1.0 / at->scale, abut_sub(c->on_b, at->shift));
    return abut_distance_between(point, wanted->point) < 1e-7 && abut_distance_between(c->normal, wanted->normal) < 1e-6 &&
           fabs(c->gap / at->scale - (wanted->distance - radius)) < 1e-9;
}

static void check_contacts_are(tally *t, const placing *at, abut_vec3 centre, double radius, double margin, abut_mesh_identity identity,
                               const closest *wanted, int32_t count) {
    abut_shape *ball = NULL;
    assert_ok(abut_shape_create_sphere(at->scale * radius, &ball));
    abut_collide_settings settings = abut_collide_settings_default();
    settings.margin = at->scale * margin;
    settings.baseline.mesh_identity = identity;
    abut_contact contacts[MOST_CONTACTS];
    abut_pose pose = {abut_add(abut_scale(at->scale, centre), at->shift), abut_quat_identity()};
    int32_t found;
    assert_ok(abut_collide(&(abut_pair){ball, pose, at->mesh, abut_pose_identity()}, &settings, NULL, contacts, MOST_CONTACTS, &found));
    if (found != count) {
        tally_fail(t, found > count ? "a contact too many" : "a contact missing", "%d, expected %d", (int)found, (int)count);
    }
    for (int32_t i = 0; i < count && found == count; i++) {
        bool there = false;
        for (int32_t k = 0; k < found; k++) {
            there = there || matches(&contacts[k], &wanted[i], at, radius);
        }
        if (!there) {
            tally_fail(t, "another contact", "not at (%g %g %g)", wanted[i].point.x, wanted[i].point.y, wanted[i].point.z);
        }
    }
    abut_shape_release(ball);
}

static void check_guise(tally *t, const surface *s, guise g, const abut_vec3 *centre, const double *radius, const double *margin,
                        closest *const *wanted, const int32_t *counts, int32_t balls, random_state *random) {
    static const char *names[GUISES] = {"as it is", "torn", "jointed", "far away", "small", "large"};
    placing at = place(s, g, random);
    for (int32_t i = 0; i < balls; i++) {
        for (int identity = ABUT_MESH_BY_PLACE; identity <= ABUT_MESH_BY_POSITION && counts[i] >= 0; identity++) {
            bool known = g == JOINTED ? identity == ABUT_MESH_BY_PLACE : g == TORN ? identity != ABUT_MESH_BY_INDEX : true;
            if (known) {
                tally_sample(t, "%s, identity %d, ball %d", names[g], identity, (int)i);
                check_contacts_are(t, &at, centre[i], radius[i], margin[i], (abut_mesh_identity)identity, wanted[i], counts[i]);
            }
        }
    }
    abut_shape_release(at.mesh);
}

/* A random point of a triangle: inside it, on a side, or a corner. */
static abut_vec3 point_of_feature(const surface *s, random_state *random) {
    const int32_t *v = s->triangle[random_below(random, s->triangle_count)];
    int32_t kind = random_below(random, 3);
    double p = kind < 2 ? random_range(random, 0.1, 0.9) : 0.0, q = kind < 1 ? random_range(random, 0.1, 0.9) : 0.0;
    return abut_lerp(abut_lerp(s->vertex[v[0]], s->vertex[v[1]], p), s->vertex[v[2]], q);
}

/* Counts the balls and their contacts with faces, edges and vertices. */
static int32_t compared, contacts_of[4];

static void check_surface(tally *t, const surface *s, bool closed, random_state *random) {
    enum { BALLS = 12 };
    abut_vec3 centre[BALLS];
    double radius[BALLS], margin[BALLS];
    int32_t counts[BALLS];
    closest *wanted[BALLS], *all = check_memory((size_t)s->triangle_count, sizeof *all);
    for (int i = 0; i < BALLS; i++) {
        radius[i] = random_log_range(random, 0.1, 2.0);
        margin[i] = i % 3 == 0 ? random_log_range(random, 1e-3, 1.0) : 0.0;
        abut_vec3 on = point_of_feature(s, random), out = closed ? abut_unit(on) : abut_vec3_make(0, 0, 1);
        abut_vec3 way = abut_add(out, random_vec3(random, -0.7, 0.7));
        centre[i] = abut_add_scaled(on, (radius[i] + margin[i]) * random_range(random, 0.0, 0.9), way);
        wanted[i] = check_memory((size_t)s->triangle_count, sizeof *all);
        counts[i] = contacts_by_rule(s, centre[i], radius[i], margin[i], all, wanted[i]);
        compared += counts[i] >= 0;
        for (int32_t k = 0; k < counts[i]; k++) {
            contacts_of[wanted[i][k].kind]++;
        }
    }
    for (int g = 0; g < GUISES; g++) {
        check_guise(t, s, (guise)g, centre, radius, margin, wanted, counts, BALLS, random);
    }
    for (int i = 0; i < BALLS; i++) {
        free(wanted[i]);
    }
    free(all);
}

static void begin(void) {
    compared = 0;
    memset(contacts_of, 0, sizeof contacts_of);
}

static void end(int32_t surfaces) {
    print_message("%d balls compared, with %d faces, %d edges, %d vertices\n", (int)compared, (int)contacts_of[FACE],
                  (int)contacts_of[EDGE], (int)contacts_of[VERTEX]);
    assert_true(compared > 8 * surfaces);
    assert_true(contacts_of[FACE] > surfaces && contacts_of[EDGE] > surfaces && contacts_of[VERTEX] > surfaces / 10);
}

static void random_fields(void **state) {
    (void)state;
    begin();
    static tally t;
    t = (tally){0};
    random_state random = random_make(random_seed("random_fields", 411));
    int32_t n = random_samples("random_fields", 1500);
    for (int32_t i = 0; i < n; i++) {
        surface s = random_field(&random);
        check_surface(&t, &s, false, &random);
        free_surface(&s);
    }
    end(n);
    tally_end(&t);
}

static void random_closed_meshes(void **state) {
    (void)state;
    begin();
    static tally t;
    t = (tally){0};
    random_state random = random_make(random_seed("random_closed_meshes", 412));
    int32_t n = random_samples("random_closed_meshes", 500);
    for (int32_t i = 0; i < n; i++) {
        surface s = random_closed(&random);
        check_surface(&t, &s, true, &random);
        free_surface(&s);
    }
    end(n);
    tally_end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_fields), cmocka_unit_test(random_closed_meshes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
