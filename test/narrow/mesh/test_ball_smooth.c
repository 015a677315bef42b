/*
 * Balls on meshes with smooth edges, against the exact smooth surfaces that the coarse meshes stand for: cylinders from inside and outside, spheres, tori. The
 * errors of gaps and normals must fall with the order that the surface has. Borders, sharp edges, and what the option must not change.
 */
#include <abut/mesh.h>

#include <stdlib.h>

#include "support/allocator.h"
#include "support/check.h"

#define TURN 6.283185307179586

typedef struct grid {
    abut_vec3 *vertex;
    int32_t *triangle;
    int32_t vertex_count, triangle_count;
} grid;

/* A surface over columns by rows of cells: column i, row k is at (i / columns, k / rows). closed_u, closed_v: the last column or row is the first again. */
typedef abut_vec3 place(double u, double v);

static grid grid_of(place *at, int32_t columns, int32_t rows, bool closed_u, bool closed_v, bool inward, random_state *random) {
    int32_t wide = closed_u ? columns : columns + 1, high = closed_v ? rows : rows + 1;
    grid g = {check_memory((size_t)wide * (size_t)high, sizeof(abut_vec3)),
              check_memory((size_t)columns * (size_t)rows, 6 * sizeof(int32_t)), wide * high, 2 * columns * rows};
    for (int32_t i = 0; i < wide * high; i++) {
        g.vertex[i] = at((double)(i % wide) / columns, (double)(i / wide) / rows);
    }
    for (int32_t cell = 0; cell < columns * rows; cell++) {
        int32_t i = cell % columns, k = cell / columns, i1 = (i + 1) % wide, k1 = (k + 1) % high;
        int32_t a = k * wide + i, b = k * wide + i1, c = k1 * wide + i1, d = k1 * wide + i;
        bool turned = random != NULL && random_below(random, 2) == 0;
        const int32_t two[6] = {a, b, turned ? d : c, turned ? b : a, c, d};
        for (int n = 0; n < 6; n++) {
            g.triangle[6 * cell + (inward ? 5 - n : n)] = two[n];
        }
    }
    return g;
}

static abut_shape *mesh_of(const grid *g, double smooth_angle, bool two_sided) {
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = g->vertex;
    def.vertex_count = g->vertex_count;
    def.triangles = g->triangle;
    def.triangle_count = g->triangle_count;
    def.smooth_angle = smooth_angle;
    def.two_sided = two_sided;
    abut_shape *mesh = NULL;
    assert_ok(abut_shape_create_trimesh(&def, NULL, &mesh));
    return mesh;
}

static void free_grid(grid *g) {
    free(g->vertex);
    free(g->triangle);
}

static int32_t touches(const abut_shape *mesh, abut_vec3 centre, double radius, double margin, abut_contact *c, int32_t capacity) {
    abut_collide_settings settings = abut_collide_settings_default();
    settings.margin = margin;
    abut_pose at = {centre, abut_quat_identity()};
    abut_shape *ball = NULL;
    int32_t count;
    assert_ok(abut_shape_create_sphere(radius, &ball));
    assert_ok(abut_collide(&(abut_pair){ball, at, mesh, abut_pose_identity()}, &settings, NULL, c, capacity, &count));
    abut_shape_release(ball);
    return count;
}

/* ---- exact surfaces ---- */

static abut_vec3 tube(double u, double v) { return abut_vec3_make(cos(TURN * u), sin(TURN * u), 4.0 * v - 2.0); }
static abut_vec3 ring(double u, double v) {
    double r = 3.0 + cos(TURN * v);
    return abut_vec3_make(r * cos(TURN * u), r * sin(TURN * u), sin(TURN * v));
}

/* The exact gap and normal of a ball in or at the surface. inward: the outside of the mesh is the inside of the body. */
static double exact(place *of, bool inward, abut_vec3 centre, double radius, abut_vec3 *normal) {
    abut_vec3 middle = abut_vec3_make(0, 0, centre.z);
    if (of == ring) {
        double far = sqrt(centre.x * centre.x + centre.y * centre.y);
        middle = abut_vec3_make(3.0 * centre.x / far, 3.0 * centre.y / far, 0.0);
    }
    abut_vec3 way = abut_sub(centre, middle);
    double distance = abut_length(way);
    *normal = abut_scale((inward ? -1.0 : 1.0) / distance, way);
    return (inward ? 1.0 - distance : distance - 1.0) - radius;
}

typedef struct errors {
    double gap, normal;
    int32_t other; /* answers that are not one contact */
} errors;

/* Balls of radius 0.2 near a surface of tube radius 1. */
static errors errors_of(place *of, int32_t columns, int32_t rows, bool inward, double smooth_angle, random_state *random) {
    grid g = grid_of(of, columns, rows, true, of == ring, inward, random);
    abut_shape *mesh = mesh_of(&g, smooth_angle, false);
    errors worst = {0, 0, 0};
    for (int i = 0; i < 100; i++) {
        double u = random_range(random, 0, 1), v = of == ring ? random_range(random, 0, 1) : random_range(random, 0.3, 0.7), radius = 0.2;
        double away = (inward ? -1.0 : 1.0) * random_range(random, 0.17, 0.22);
        abut_vec3 on = of(u, v), middle = of == ring ? abut_vec3_make(3 * cos(TURN * u), 3 * sin(TURN * u), 0) : abut_vec3_make(0, 0, on.z);
        abut_vec3 centre = abut_add_scaled(on, away, abut_sub(on, middle)), normal;
        abut_contact c[16];
        int32_t count = touches(mesh, centre, radius, 0.05, c, 16);
        double gap = exact(of, inward, centre, radius, &normal);
        worst.other += count != 1;
        for (int32_t k = 0; k < count; k++) {
            worst.gap = fmax(worst.gap, fabs(c[k].gap - gap));
            worst.normal = fmax(worst.normal, abut_distance_between(c[k].normal, normal));
            assert_near(c[k].gap, abut_dot(c[k].normal, abut_sub(c[k].on_a, c[k].on_b)), 1e-14);
            worst.other += c[k].feature_b.kind != ABUT_FEATURE_FACE;
        }
    }
    abut_shape_release(mesh);
    free_grid(&g);
    return worst;
}

/* On a cylinder gaps are right to fourth order in the angle of an edge and normals to third. On a torus, where the weights of the normals err, to third and
 * second. Without the option both are off by ten times as much. */
static void the_error_falls(void **state) {
    (void)state;
    random_state random = random_make(random_seed("the_error_falls", 72));
    for (int which = 0; which < 4; which++) {
        place *of = which < 2 ? tube : ring;
        errors before = {INFINITY, INFINITY, 0};
        for (int32_t n = 16; n <= (of == ring ? 32 : 64); n *= 2) {
            int32_t columns = of == ring ? 3 * n : n, rows = of == ring ? n : 8;
            double angle = TURN / n, cube = angle * angle * angle;
            errors e = errors_of(of, columns, rows, which % 2 == 1, 0.6, &random);
            assert_int_equal(e.other, 0);
            if (of == tube) {
                assert_true(e.gap < cube * angle / 40 && e.normal < cube / 30);
            } else {
                assert_true(e.gap < cube / 40 && e.normal < angle * angle / 5);
            }
            assert_true(e.gap < before.gap / (of == tube ? 14 : 6) && e.normal < before.normal / (of == tube ? 7 : 3));
            before = e;
            errors facets = errors_of(of, columns, rows, which % 2 == 1, 0.5 * angle, &random);
            assert_true(facets.gap > 10 * e.gap && facets.normal > 8 * e.normal);
        }
    }
}

/* ---- continuity ---- */

/* The single contact with a tube of 16 sides, whose normal and gap change no faster than on the exact cylinder, by about half. */
static void nothing_jumps_on_the_way_round(void **state) {
    (void)state;
    random_state random = random_make(random_seed("nothing_jumps_on_the_way_round", 73));
    for (int inward = 0; inward < 2; inward++) {
        grid g = grid_of(tube, 16, 8, true, false, inward, &random);
        abut_shape *mesh = mesh_of(&g, 0.6, false);
        abut_contact before = {0};
        const int32_t steps = 3200; /* corners are met exactly */
        for (int32_t i = 0; i <= steps; i++) {
            double turn = TURN * i / steps, far = inward ? 0.79 : 1.21;
            abut_contact c[8];
            int32_t count = touches(mesh, abut_vec3_make(far * cos(turn), far * sin(turn), 0.0), 0.2, 0.05, c, 8);
            assert_int_equal(count, 1);
            if (i > 0) {
                double step = TURN / steps;
                assert_true(abut_distance_between(c[0].normal, before.normal) < 1.5 * step);
                assert_true(fabs(c[0].gap - before.gap) < 0.01 * step);
            }
            before = c[0];
        }
        abut_shape_release(mesh);
        free_grid(&g);
    }
}

/* ---- the definition ---- */

/* The surface of a grid without sharp edges, written down again: normals of vertices by all triangles that have them. */
static abut_vec3 vertex_normal(const grid *g, int32_t vertex) {
    abut_vec3 sum = {0, 0, 0};
    for (int32_t c = 0; c < 3 * g->triangle_count; c++) {
        if (g->triangle[c] == vertex) {
            const int32_t *t = &g->triangle[c - c % 3];
            abut_vec3 p = g->vertex[t[c % 3]], q = g->vertex[t[(c + 1) % 3]], r = g->vertex[t[(c + 2) % 3]];
            abut_vec3 u = abut_sub(q, p), v = abut_sub(r, p);
            double angle = acos(abut_dot(u, v) / (abut_length(u) * abut_length(v)));
            sum = abut_add_scaled(sum, angle, abut_unit(abut_cross(u, v)));
        }
    }
    return abut_unit(sum);
}

static double relief; /* of the hills */

static abut_vec3 hills(double u, double v) {
    return abut_vec3_make(8 * u, 8 * v, relief * (sin(3 * TURN * u + 0.4) * cos(2 * TURN * v) + 0.3 * sin(4 * TURN * v + u)));
}

typedef struct sampled {
    abut_vec3 point, normal;
    double miss; /* distance of the ball's centre from the line along the normal */
} sampled;

/* The place of the surface over triangle t with the least miss, by ever finer grids of weights. */
static sampled best_of(const grid *g, const abut_vec3 *normal, int32_t t, abut_vec3 centre) {
    const int32_t *v = &g->triangle[3 * t];
    sampled best = {.miss = INFINITY};
    double middle[2] = {1.0 / 3, 1.0 / 3}, at[2] = {0, 0}, width = 2.0 / 3;
    for (int level = 0; level < 32; level++, width *= 0.55) {
        for (int i = -3; i <= 3; i++) {
            for (int k = -3; k <= 3; k++) {
                double w[3] = {middle[0] + i * width / 3, middle[1] + k * width / 3, 0};
                w[2] = 1 - w[0] - w[1];
                if (w[0] < 0 || w[1] < 0 || w[2] < 0) {
                    continue;
                }
                abut_vec3 p = {0, 0, 0}, m = {0, 0, 0};
                for (int j = 0; j < 3; j++) {
                    p = abut_add_scaled(p, w[j], g->vertex[v[j]]);
                    m = abut_add_scaled(m, w[j], normal[v[j]]);
                }
                abut_vec3 x = p;
                for (int j = 0; j < 3; j++) {
                    x = abut_add_scaled(x, -0.5 * w[j] * abut_dot(abut_sub(p, g->vertex[v[j]]), normal[v[j]]), normal[v[j]]);
                }
                double miss = abut_length(abut_cross(abut_sub(centre, x), abut_unit(m)));
                if (miss < best.miss) {
                    best = (sampled){x, abut_unit(m), miss};
                    at[0] = w[0];
                    at[1] = w[1];
                }
            }
        }
        middle[0] = at[0];
        middle[1] = at[1];
    }
    return best;
}

/* Balls over random hills, away from the border. Each contact is at a place whose normal goes through the centre, on a face; the deepest of these places has a
 * contact; and where the ball is rounder than the hollows, all have one and there are no others. */
static void hills_by_the_definition(void **state) {
    (void)state;
    random_state random = random_make(random_seed("hills_by_the_definition", 74));
    int32_t compared = 0;
    for (int turn = 0; turn < 8; turn++) {
        relief = random_log_range(&random, 0.05, 0.5);
        const double round = 1.0 / (8.5 * relief); /* least radius of curvature of the hills */
        grid g = grid_of(hills, 20, 20, false, false, false, &random);
        abut_shape *mesh = mesh_of(&g, 1.04, false);
        abut_vec3 *normal = check_memory((size_t)g.vertex_count, sizeof *normal);
        for (int32_t v = 0; v < g.vertex_count; v++) {
            normal[v] = vertex_normal(&g, v);
        }
        for (int i = 0; i < 10; i++) {
            double radius = random_log_range(&random, 0.1, 1.5), least = INFINITY;
            abut_vec3 centre = hills(random_range(&random, 0.3, 0.7), random_range(&random, 0.3, 0.7));
            centre.z += radius * random_range(&random, 0.8, 1.0);
            abut_contact c[64];
            int32_t count = touches(mesh, centre, radius, 0.2 * radius, c, 64), expected = 0;
            for (int32_t t = 0; t < g.triangle_count; t++) {
                if (abut_distance_between(g.vertex[g.triangle[3 * t]], centre) > 2 * radius + 0.6) {
                    continue; /* out of reach */
                }
                sampled best = best_of(&g, normal, t, centre);
                double height = abut_dot(best.normal, abut_sub(centre, best.point));
                if (best.miss < 1e-6 && height > 0 && height < 1.2 * radius) {
                    least = fmin(least, height - radius);
                    expected++;
                }
            }
            for (int32_t k = 0; k < count; k++) {
                assert_int_equal(c[k].feature_b.kind, ABUT_FEATURE_FACE);
                assert_vec3_near(abut_scale(c[k].gap + radius, c[k].normal), abut_sub(centre, c[k].on_b), 1e-9);
            }
            assert_int_equal(count > 0, expected > 0);
            if (count > 0) {
                double deepest = c[0].gap;
                for (int32_t k = 1; k < count; k++) {
                    deepest = fmin(deepest, c[k].gap);
                }
                assert_near(deepest, least, 1e-6);
            }
            if (radius < 0.7 * round) {
                assert_int_equal(count, expected);
            }
            compared += radius < 0.7 * round;
        }
        free(normal);
        abut_shape_release(mesh);
        free_grid(&g);
    }
    assert_true(compared > 20);
}

/* ---- what stays ---- */

/* A box of twelve triangles: its diagonals are flat and its edges sharp. All balls touch as without the option. */
static void sharp_edges_stay(void **state) {
    (void)state;
    abut_vec3 vertex[8];
    static const int32_t triangle[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                         2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    for (int i = 0; i < 8; i++) {
        vertex[i] = abut_vec3_make(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    }
    int32_t all[36];
    for (int i = 0; i < 36; i++) {
        all[i] = triangle[i];
    }
    grid g = {vertex, all, 8, 12};
    abut_shape *smooth = mesh_of(&g, 0.5, false), *sharp = mesh_of(&g, 0.0, false);
    random_state random = random_make(random_seed("sharp_edges_stay", 75));
    for (int i = 0; i < 1000; i++) {
        abut_vec3 centre = abut_scale(random_range(&random, 1.0, 1.8), random_direction(&random));
        centre = i % 10 == 0 ? abut_vec3_make(1.2, 1.0, 0.1 * (i % 7)) : centre;
        if (fmax(fabs(centre.x), fmax(fabs(centre.y), fabs(centre.z))) < 1.0) {
            continue; /* inside, where only the solid touches */
        }
        abut_contact p[16], q[16];
        int32_t count = touches(smooth, centre, 0.3, 0.1, p, 16);
        assert_int_equal(count, touches(sharp, centre, 0.3, 0.1, q, 16));
        for (int32_t k = 0; k < count; k++) {
            assert_vec3_near(p[k].normal, q[k].normal, 1e-12);
            assert_near(p[k].gap, q[k].gap, 1e-12);
        }
    }
    abut_shape_release(smooth);
    abut_shape_release(sharp);
}

/* Beyond the border of an open tube a ball touches the border's edges and vertices; over it, its last triangles. No ball near the tube is lost. */
static void borders_stay(void **state) {
    (void)state;
    random_state random = random_make(random_seed("borders_stay", 76));
    grid g = grid_of(tube, 16, 8, true, false, false, &random);
    abut_shape *smooth = mesh_of(&g, 0.6, false), *sharp = mesh_of(&g, 0.0, false);
    for (int i = 0; i < 1000; i++) {
        double turn = random_range(&random, 0, TURN), z = random_range(&random, 1.9, 2.15);
        abut_contact p[16], q[16];
        abut_vec3 centre = abut_vec3_make(1.15 * cos(turn), 1.15 * sin(turn), z);
        int32_t count = touches(smooth, centre, 0.25, 0.05, p, 16);
        (void)touches(sharp, centre, 0.25, 0.05, q, 16);
        assert_int_equal(count, 1);
        assert_true(fabs(p[0].gap - q[0].gap) < 0.0193); /* the height of the arc over its chord */
        assert_int_equal(p[0].feature_b.kind == ABUT_FEATURE_FACE, z <= 2.0);
    }
    abut_shape_release(smooth);
    abut_shape_release(sharp);
    free_grid(&g);
}

/* Boxes see the triangles: the same bits. */
static void other_bodies_stay(void **state) {
    (void)state;
    random_state random = random_make(random_seed("other_bodies_stay", 77));
    grid g = grid_of(tube, 16, 8, true, false, true, &random);
    abut_shape *smooth = mesh_of(&g, 0.6, false), *sharp = mesh_of(&g, 0.0, false), *box = NULL;
    assert_ok(abut_shape_create_box(abut_vec3_make(0.2, 0.3, 0.1), &box));
    for (int i = 0; i < 200; i++) {
        abut_pose at = random_pose(&random, 1.0);
        abut_contact p[64], q[64];
        int32_t count, other;
        assert_ok(abut_collide(&(abut_pair){box, at, smooth, abut_pose_identity()}, NULL, NULL, p, 64, &count));
        assert_ok(abut_collide(&(abut_pair){box, at, sharp, abut_pose_identity()}, NULL, NULL, q, 64, &other));
        assert_int_equal(count, other);
        for (int32_t k = 0; k < count; k++) {
            assert_true(p[k].gap == q[k].gap && p[k].normal.x == q[k].normal.x && p[k].on_b.y == q[k].on_b.y);
        }
    }
    abut_shape_release(smooth);
    abut_shape_release(sharp);
    abut_shape_release(box);
    free_grid(&g);
}

/* ---- the same in every way of asking ---- */

/* rounding: of lengths of p */
static void check_alike(const abut_contact *p, int32_t count, const abut_contact *q, int32_t other, double scale, bool swapped,
                        double rounding) {
    assert_int_equal(count, other);
    for (int32_t k = 0; k < count; k++) {
        abut_contact c = swapped ? abut_contact_swap(q[k]) : q[k];
        assert_near(scale * p[k].gap, c.gap, rounding * scale);
        assert_vec3_near(p[k].normal, c.normal, 1e-11);
        assert_vec3_near(abut_scale(scale, p[k].on_b), c.on_b, rounding * scale);
    }
}

static void every_way_of_asking(void **state) {
    (void)state;
    random_state random = random_make(random_seed("every_way_of_asking", 78));
    grid g = grid_of(ring, 24, 12, true, true, false, &random);
    abut_shape *mesh = mesh_of(&g, 0.8, false), *two_sided = mesh_of(&g, 0.8, true);
    for (int i = 0; i < 300; i++) {
        double scale = random_log_range(&random, 1e-3, 1e3), radius = 0.3;
        abut_vec3 centre =
            abut_add(ring(random_range(&random, 0, 1), random_range(&random, 0, 1)), abut_scale(0.3, random_direction(&random)));
        abut_contact p[16], q[16];
        int32_t count = touches(mesh, centre, radius, 0.05, p, 16), other;
        abut_collide_settings settings = abut_collide_settings_default();
        settings.margin = 0.05;
        const abut_pose at = {centre, random_rotation(&random)}, origin = abut_pose_identity();
        abut_shape *ball = NULL, *compound = NULL, *scaled = NULL, *large = NULL;
        assert_ok(abut_shape_create_sphere(radius, &ball));
        assert_ok(abut_collide(&(abut_pair){mesh, origin, ball, at}, &settings, NULL, q, 16, &other));
        check_alike(p, count, q, other, 1.0, true, 1e-11);
        /* As the part of a compound, off its origin; and among several meshes. */
        const abut_vec3 aside = random_direction(&random);
        abut_part part = {ball, {aside, abut_quat_identity()}};
        assert_ok(abut_shape_create_compound(&part, 1, &compound));
        abut_pose moved = {abut_sub(centre, abut_quat_rotate(at.rotation, aside)), at.rotation};
        assert_ok(abut_collide(&(abut_pair){compound, moved, mesh, origin}, &settings, NULL, q, 16, &other));
        check_alike(p, count, q, other, 1.0, false, 1e-11);
        abut_part meshes[2] = {{mesh, origin}, {mesh, origin}};
        meshes[0].pose.position.x = 50.0;
        assert_ok(abut_collide_meshes(compound, moved, meshes, 2, &settings, q, 16, &other));
        check_alike(p, count, q, other, 1.0, false, 1e-11);
        /* Scaled. */
        abut_trimesh_def def = abut_trimesh_def_default();
        def.vertices = g.vertex;
        def.vertex_count = g.vertex_count;
        def.triangles = g.triangle;
        def.triangle_count = g.triangle_count;
        def.smooth_angle = 0.8;
        def.scale = abut_vec3_make(scale, scale, scale);
        assert_ok(abut_shape_create_trimesh(&def, NULL, &scaled));
        assert_ok(abut_shape_create_sphere(scale * radius, &large));
        settings.margin *= scale;
        abut_pose far = {abut_scale(scale, centre), abut_quat_identity()};
        assert_ok(abut_collide(&(abut_pair){large, far, scaled, origin}, &settings, NULL, q, 16, &other));
        check_alike(p, count, q, other, scale, false, 1e-11);
        /* With two sides a ball inside touches, too; one outside as before. */
        int32_t both = touches(two_sided, centre, radius, 0.05, q, 16);
        assert_true(both >= count && both > 0);
        abut_shape_release(ball);
        abut_shape_release(compound);
        abut_shape_release(scaled);
        abut_shape_release(large);
    }
    abut_shape_release(mesh);
    abut_shape_release(two_sided);
    free_grid(&g);
}

/* ---- degenerate ---- */

static abut_vec3 cone(double u, double v) { return abut_vec3_make((1 - v) * cos(TURN * u), (1 - v) * sin(TURN * u), 0.5 + 3 * v); }

/* The tip of a cone is sharp, and all triangles there have no width; centres on the axis of a tube see all of its triangles. */
static void singular_places(void **state) {
    (void)state;
    grid g = grid_of(cone, 12, 4, true, false, false, NULL);
    abut_shape *mesh = mesh_of(&g, 1.0, false);
    abut_contact c[64];
    assert_int_equal(touches(mesh, abut_vec3_make(0, 0, 3.7), 0.25, 0.0, c, 64), 1);
    assert_vec3_near(c[0].normal, abut_vec3_make(0, 0, 1), 1e-9);
    assert_near(c[0].gap, -0.05, 1e-9);
    abut_shape_release(mesh);
    free_grid(&g);
    g = grid_of(tube, 16, 8, true, false, true, NULL);
    mesh = mesh_of(&g, 0.6, false);
    int32_t count = touches(mesh, abut_vec3_make(0, 0, 0), 1.0, 0.01, c, 64);
    assert_true(count > 0 && count <= 64);
    for (int32_t k = 0; k < count; k++) {
        assert_true(c[k].gap > -0.0193 && c[k].gap < 0.01);
    }
    abut_shape_release(mesh);
    free_grid(&g);
}

/* Any triangles, also without area, several at an edge, with opposite windings and far away: contacts are finite, within the margin, their points on the ball,
 * the gap is that of their points, and the answer is the same for A and B exchanged. */
static void any_triangles(void **state) {
    (void)state;
    random_state random = random_make(random_seed("any_triangles", 79));
    int32_t found = 0;
    for (int i = 0; i < 1500; i++) {
        abut_vec3 vertex[10];
        int32_t triangle[60], vertices = 4 + random_below(&random, 7), triangles = 1 + random_below(&random, 20);
        const double flat = random_below(&random, 2) ? 0.0 : 1.0, size = random_log_range(&random, 1e-6, 1e6);
        for (int32_t v = 0; v < vertices; v++) {
            abut_vec3 p = random_vec3(&random, -2.0, 2.0);
            p = abut_vec3_make(round(p.x), round(p.y), flat * 0.3 * p.z);
            vertex[v] = abut_scale(size, p);
        }
        for (int32_t c = 0; c < 3 * triangles; c++) {
            triangle[c] = random_below(&random, vertices);
        }
        abut_trimesh_def def = abut_trimesh_def_default();
        def.vertices = vertex;
        def.vertex_count = vertices;
        def.triangles = triangle;
        def.triangle_count = triangles;
        def.smooth_angle = random_range(&random, 0.0, 1.04);
        abut_shape *mesh = NULL, *ball = NULL;
        if (abut_shape_create_trimesh(&def, NULL, &mesh) != ABUT_OK) {
            continue; /* all vertices at one place */
        }
        double radius = size * random_log_range(&random, 0.05, 20.0);
        abut_collide_settings settings = abut_collide_settings_default();
        settings.margin = size * random_range(&random, 0.0, 0.5);
        assert_ok(abut_shape_create_sphere(radius, &ball));
        abut_pose at = {abut_scale(size, random_vec3(&random, -2.0, 2.0)), random_rotation(&random)}, mesh_at = abut_pose_identity();
        at.position.z += radius * random_range(&random, -0.2, 1.0);
        abut_contact p[64], q[64];
        int32_t count, other;
        assert_ok(abut_collide(&(abut_pair){ball, at, mesh, mesh_at}, &settings, NULL, p, 64, &count));
        assert_ok(abut_collide(&(abut_pair){mesh, mesh_at, ball, at}, &settings, NULL, q, 64, &other));
        const double rounding = 1e-12 * (size + radius);
        check_alike(p, count, q, other, 1.0, true, 100 * rounding);
        for (int32_t k = 0; k < count; k++) {
            assert_near(abut_length(p[k].normal), 1.0, 1e-12);
            assert_near(abut_distance_between(p[k].on_a, at.position), radius, rounding);
            assert_near(abut_dot(p[k].normal, abut_sub(p[k].on_a, p[k].on_b)), p[k].gap, rounding);
            assert_true(p[k].gap <= settings.margin + rounding);
        }
        found += count > 0;
        abut_shape_release(mesh);
        abut_shape_release(ball);
    }
    assert_true(found > 500);
}

static void refused_memory(void **state) {
    (void)state;
    grid g = grid_of(tube, 16, 8, true, false, true, NULL);
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = g.vertex;
    def.vertex_count = g.vertex_count;
    def.triangles = g.triangle;
    def.triangle_count = g.triangle_count;
    def.smooth_angle = 0.6;
    abut_status status = ABUT_ERROR_OUT_OF_MEMORY;
    int refused = 0;
    while (status == ABUT_ERROR_OUT_OF_MEMORY) {
        counting_allocator memory = {.refuse_at = refused++};
        abut_shape *mesh = NULL;
        counting_allocator_install(&memory);
        status = abut_shape_create_trimesh(&def, NULL, &mesh);
        abut_shape_release(mesh);
        counting_allocator_remove();
        assert_int_equal(memory.live, 0);
    }
    assert_int_equal(status, ABUT_OK);
    assert_true(refused > 10);
    free_grid(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_error_falls),
        cmocka_unit_test(nothing_jumps_on_the_way_round),
        cmocka_unit_test(hills_by_the_definition),
        cmocka_unit_test(sharp_edges_stay),
        cmocka_unit_test(borders_stay),
        cmocka_unit_test(other_bodies_stay),
        cmocka_unit_test(every_way_of_asking),
        cmocka_unit_test(singular_places),
        cmocka_unit_test(any_triangles),
        cmocka_unit_test(refused_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
