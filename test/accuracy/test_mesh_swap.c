/*
 * A body of any convex kind and a mesh of any kind: exchanging A and B exchanges the contacts. The answers are their own oracle. Other tests judge whether they
 * are right.
 */
#include <abut/collide.h>
#include <abut/mesh.h>
#include <abut/query.h>
#include <abut/smooth.h>

#include <math.h>
#include <stdlib.h>

#include "accuracy/accuracy.h"
#include "accuracy/closed_shapes.h"
#include "accuracy/flat_mesh.h"
#include "support/random.h"

enum { ROOM = 4096, SIDE_MOST = 11, POINTS = 30 };

/* ---- bodies ---- */

typedef enum swap_kind {
    SWAP_SPHERE,
    SWAP_CAPSULE,
    SWAP_BOX,
    SWAP_HULL,
    SWAP_PRISM,
    SWAP_CYLINDER,
    SWAP_CONE,
    SWAP_FRUSTUM,
    SWAP_ELLIPSOID,
    SWAP_SUPERQUADRIC,
    SWAP_COMPOUND,
    SWAP_KINDS
} swap_kind;

typedef struct swap_body {
    swap_kind kind;
    abut_vec3 half, point[POINTS];
    int32_t points, sides;
    double round[2];
} swap_body;

static double length_of(random_state *random, bool tidy) {
    return tidy ? (1 + random_below(random, 16)) / 16.0 : random_log_range(random, 0.05, 1.0);
}

static swap_body random_body(random_state *random, bool tidy) {
    swap_body b = {.kind = (swap_kind)random_below(random, SWAP_KINDS)};
    b.half = abut_vec3_make(length_of(random, tidy), length_of(random, tidy), length_of(random, tidy));
    b.points = 4 + random_below(random, POINTS - 3);
    b.sides = 3 + random_below(random, 30);
    for (int32_t i = 0; i < b.points; i++) {
        abut_vec3 d = i < 4 || random_below(random, 2) ? random_direction(random) : random_vec3(random, -1.0, 1.0);
        b.point[i] = abut_vec3_make(b.half.x * d.x, b.half.y * d.y, b.half.z * d.z);
    }
    b.round[0] = random_range(random, 0.3, 1.7);
    b.round[1] = random_range(random, 0.3, 1.7);
    return b;
}

static abut_shape *compound_of(const swap_body *b) {
    abut_shape *box = NULL, *capsule = NULL, *whole = NULL;
    assert_ok(abut_shape_create_box(b->half, &box));
    assert_ok(abut_shape_create_capsule(b->half.x, b->half.z, &capsule));
    abut_part parts[2] = {{box, {b->point[0], abut_quat_identity()}},
                          {capsule, {b->point[1], abut_quat_about(abut_unit(b->point[2]), 1.0)}}};
    assert_ok(abut_shape_create_compound(parts, 2, &whole));
    abut_shape_release(box);
    abut_shape_release(capsule);
    return whole;
}

/* NULL for flat hulls. */
static abut_shape *shape_of(const swap_body *b) {
    abut_shape *shape = NULL;
    const abut_vec3 h = b->half;
    switch (b->kind) {
    case SWAP_SPHERE:
        assert_ok(abut_shape_create_sphere(h.x, &shape));
        break;
    case SWAP_CAPSULE:
        assert_ok(abut_shape_create_capsule(h.x, h.z, &shape));
        break;
    case SWAP_BOX:
        assert_ok(abut_shape_create_box(h, &shape));
        break;
    case SWAP_PRISM:
        assert_ok(abut_shape_create_prism(h.x, h.z, b->sides, &shape));
        break;
    case SWAP_CYLINDER:
        assert_ok(abut_shape_create_cylinder(h.x, h.z, &shape));
        break;
    case SWAP_CONE:
        assert_ok(abut_shape_create_cone(h.x, 2.0 * h.z, &shape));
        break;
    case SWAP_FRUSTUM:
        assert_ok(abut_shape_create_frustum(h.x, h.y, 2.0 * h.z, &shape));
        break;
    case SWAP_ELLIPSOID:
        assert_ok(abut_shape_create_ellipsoid(h, &shape));
        break;
    case SWAP_SUPERQUADRIC:
        assert_ok(abut_shape_create_superquadric(h, b->round[0], b->round[1], &shape));
        break;
    case SWAP_COMPOUND:
        return compound_of(b);
    default:
        (void)abut_shape_create_hull(b->point, b->points, &shape);
    }
    return shape;
}

/* ---- meshes ---- */

typedef enum swap_mesh { SWAP_FIELD, SWAP_SHEET, SWAP_SOUP, SWAP_FAN, SWAP_FLAT, SWAP_CLOSED, SWAP_CONVEX, SWAP_MESHES } swap_mesh;

typedef struct swap_surface {
    abut_vec3 vertex[FLAT_VERTICES];
    int32_t corner[3 * FLAT_TRIANGLES], vertices, triangles, side;
    double heights[SIDE_MOST * SIDE_MOST];
    swap_mesh kind;
    bool two_sided;
} swap_surface;

static void add(swap_surface *s, int32_t a, int32_t b, int32_t c) {
    s->corner[3 * s->triangles] = a;
    s->corner[3 * s->triangles + 1] = b;
    s->corner[3 * s->triangles++ + 2] = c;
}

static void make_grid(swap_surface *s, random_state *random, bool tidy) {
    double rough = random_below(random, 4) ? random_log_range(random, 1e-3, 0.6) : 0.0, step = 2.0 / (s->side - 1);
    for (int32_t j = 0; j < s->side; j++) {
        for (int32_t i = 0; i < s->side; i++) {
            double z = rough * random_range(random, -1.0, 1.0);
            s->heights[s->vertices] = tidy ? round(64.0 * z) / 64.0 : z;
            s->vertex[s->vertices] = abut_vec3_make(step * i, step * j, s->heights[s->vertices]);
            ++s->vertices;
        }
    }
    for (int32_t j = 0; j + 1 < s->side; j++) {
        for (int32_t i = 0; i + 1 < s->side; i++) {
            int32_t a = j * s->side + i, b = a + 1, c = b + s->side, d = a + s->side;
            add(s, a, b, c);
            add(s, a, c, d);
        }
    }
}

static void make_soup(swap_surface *s, random_state *random) {
    double size = random_log_range(random, 0.05, 1.0);
    for (int32_t t = 1 + random_below(random, 80); t > 0; t--) {
        abut_vec3 middle = random_vec3(random, -1.0, 1.0);
        for (int i = 0; i < 3; i++) {
            s->vertex[s->vertices++] = abut_add(middle, random_vec3(random, -size, size));
        }
        add(s, s->vertices - 3, s->vertices - 2, s->vertices - 1);
    }
}

static void make_fan(swap_surface *s, random_state *random) {
    int32_t spokes = 3 + random_below(random, 90);
    s->vertex[s->vertices++] = abut_vec3_make(0.0, 0.0, random_range(random, -0.5, 0.5));
    for (int32_t i = 0; i < spokes; i++) {
        double angle = 2.0 * PI * i / spokes, far = random_range(random, 0.8, 1.2);
        s->vertex[s->vertices++] = abut_vec3_make(far * cos(angle), far * sin(angle), 0.1 * random_range(random, -1.0, 1.0));
        add(s, 0, 1 + i, 1 + (i + 1) % spokes);
    }
}

static void make_flat(swap_surface *s, random_state *random) {
    static flat_mesh flat;
    flat_mesh_fill(&flat, random, (flat_area){-1.0, -1.0, 1.0, 1.0}, random_below(random, 8));
    for (; s->vertices < flat.vertices; s->vertices++) {
        s->vertex[s->vertices] = flat.vertex[s->vertices];
    }
    for (int32_t t = 0; t < flat.triangles; t++) {
        add(s, flat.triangle[t][0], flat.triangle[t][1], flat.triangle[t][2]);
    }
}

static void make_closed(swap_surface *s, random_state *random, bool tidy) {
    closed_shape c = s->kind == SWAP_CLOSED ? closed_shape_pick(random, tidy) : closed_shape_pick_convex(random, tidy);
    assert_true(c.vertices <= FLAT_VERTICES && c.triangles <= FLAT_TRIANGLES);
    for (; s->vertices < c.vertices; s->vertices++) {
        s->vertex[s->vertices] = c.vertex[s->vertices];
    }
    for (int32_t t = 0; t < c.triangles; t++) {
        add(s, c.triangle[t][0], c.triangle[t][1], c.triangle[t][2]);
    }
    free(c.vertex);
    free(c.triangle);
}

static void random_surface(swap_surface *s, random_state *random, bool tidy) {
    s->kind = (swap_mesh)random_below(random, SWAP_MESHES);
    s->vertices = s->triangles = 0;
    s->side = 3 + random_below(random, SIDE_MOST - 2);
    s->two_sided = random_below(random, 6) == 0;
    switch (s->kind) {
    case SWAP_FIELD:
    case SWAP_SHEET:
        make_grid(s, random, tidy);
        break;
    case SWAP_SOUP:
        make_soup(s, random);
        break;
    case SWAP_FAN:
        make_fan(s, random);
        break;
    case SWAP_FLAT:
        make_flat(s, random);
        break;
    default:
        make_closed(s, random, tidy);
    }
}

/* The mesh, with vertices placed by a pose. */
static abut_shape *mesh_of(const swap_surface *s, abut_pose at) {
    abut_shape *shape = NULL;
    if (s->kind == SWAP_FIELD) {
        double step = 2.0 / (s->side - 1);
        abut_heightfield_def def = {.heights = s->heights, .columns = s->side, .rows = s->side, .two_sided = s->two_sided};
        def.spacing_x = def.spacing_y = step;
        assert_ok(abut_shape_create_heightfield(&def, &shape));
        return shape;
    }
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = s->vertex;
    def.vertex_count = s->vertices;
    def.triangles = s->corner;
    def.triangle_count = s->triangles;
    def.pose = at;
    def.two_sided = s->two_sided;
    assert_ok(abut_shape_create_trimesh(&def, NULL, &shape));
    return shape;
}

/* ---- one sample ---- */

typedef struct swap_case {
    swap_body body;
    swap_surface surface;
    abut_pose body_at, mesh_at;
    double margin;
} swap_case;

static bool is_convex(const swap_surface *s) {
    for (int32_t t = 0; t < s->triangles; t++) {
        const int32_t *c = &s->corner[3 * t];
        abut_vec3 p = s->vertex[c[0]], normal = abut_unit(abut_cross(abut_sub(s->vertex[c[1]], p), abut_sub(s->vertex[c[2]], p)));
        for (int32_t i = 0; i < s->vertices; i++) {
            if (abut_dot(normal, abut_sub(s->vertex[i], p)) > 1e-9) {
                return false;
            }
        }
    }
    return s->kind == SWAP_CLOSED || s->kind == SWAP_CONVEX;
}

/* Closed convex meshes have the contacts of their polytopes. Those with smooth bodies, cylinders and cones are found by iteration, so they agree to its
 * tolerance only: they belong to the rows of these bodies. */
static bool is_plain(swap_kind kind) { return kind <= SWAP_PRISM || kind == SWAP_COMPOUND; }

static abut_quat turn_of(random_state *random, bool tidy) { return tidy ? random_tidy_rotation(random) : random_rotation(random); }

static void make_case(swap_case *c, random_state *random, bool tidy) {
    abut_shape *shape = NULL;
    while (shape == NULL) {
        c->body = random_body(random, tidy);
        shape = shape_of(&c->body);
    }
    abut_shape_release(shape);
    do {
        random_surface(&c->surface, random, tidy);
    } while (!is_plain(c->body.kind) && is_convex(&c->surface));
    c->mesh_at = (abut_pose){random_vec3(random, -0.5, 0.5), turn_of(random, tidy && random_below(random, 2))};
    const abut_vec3 *on = &c->surface.vertex[random_below(random, c->surface.vertices)];
    abut_vec3 at = tidy ? *on : abut_add(*on, random_vec3(random, -0.5, 0.5));
    at = abut_add_scaled(at, random_range(random, -0.5, 0.7), abut_vec3_make(0, 0, 1));
    c->body_at = abut_pose_compose(c->mesh_at, (abut_pose){at, turn_of(random, tidy && random_below(random, 2))});
    c->margin = random_below(random, 2) ? 0.0 : 0.05;
}

typedef struct swap_answer {
    abut_contact contact[ROOM];
    int32_t count;
    double distance;
} swap_answer;

/* The contacts with the body as A, asked in either order. */
static void ask(const abut_shape *body, abut_pose body_at, const abut_shape *mesh, abut_pose mesh_at, double margin, bool mesh_first,
                swap_answer *to) {
    abut_pair pair = mesh_first ? (abut_pair){mesh, mesh_at, body, body_at} : (abut_pair){body, body_at, mesh, mesh_at};
    abut_collide_settings settings = abut_collide_settings_default();
    abut_separation apart;
    settings.margin = margin;
    assert_ok(abut_collide(&pair, &settings, NULL, to->contact, ROOM, &to->count));
    assert_ok(abut_distance(&pair, NULL, NULL, &apart));
    to->distance = apart.gap;
    for (int32_t i = 0; i < to->count && mesh_first; i++) {
        to->contact[i] = abut_contact_swap(to->contact[i]);
    }
}

static bool is_same(abut_feature p, abut_feature q) { return p.kind == q.kind && p.index == q.index && p.part == q.part; }

static bool is_alike(const abut_contact *p, const abut_contact *q) {
    return p->flags == q->flags && p->patch == q->patch && is_same(p->feature_a, q->feature_a) && is_same(p->feature_b, q->feature_b);
}

static const abut_contact *with_id(const swap_answer *of, uint64_t id) {
    for (int32_t i = 0; i < of->count; i++) {
        if (of->contact[i].id == id) {
            return &of->contact[i];
        }
    }
    return NULL;
}

static double difference(const abut_contact *p, const abut_contact *q) {
    double off = fmax(fmax(fabs(p->gap - q->gap), fabs(p->area - q->area)), abut_distance_between(p->normal, q->normal));
    return fmax(off, fmax(abut_distance_between(p->on_a, q->on_a), abut_distance_between(p->on_b, q->on_b)));
}

static void judge(accuracy *row, const swap_case *c, const swap_answer *first, const swap_answer *second) {
    int kind = c->body.kind, mesh = c->surface.kind;
    accuracy_error(row, fabs(first->distance - second->distance), "body %d, mesh %d: distance %.17g or %.17g", kind, mesh, first->distance,
                   second->distance);
    if (first->count != second->count) {
        accuracy_wrong(row, "body %d, mesh %d: %d or %d contacts, distance %g", kind, mesh, (int)first->count, (int)second->count,
                       first->distance);
        return;
    }
    for (int32_t i = 0; i < first->count; i++) {
        const abut_contact *one = &first->contact[i], *other = with_id(second, one->id);
        if (other == NULL || !is_alike(one, other)) {
            accuracy_wrong(row, "body %d, mesh %d: the id of a contact of gap %g is lost or that of another one", kind, mesh, one->gap);
        } else {
            accuracy_error(row, difference(one, other), "body %d, mesh %d: contacts of one id at gap %g", kind, mesh, one->gap);
        }
    }
}

static void sample_swapped(accuracy *row, uint64_t seed) {
    static swap_case c;
    static swap_answer first, second;
    random_state random = random_make(seed);
    make_case(&c, &random, random_below(&random, 2) == 0);
    accuracy_next(row, seed);
    abut_shape *body = shape_of(&c.body), *mesh = mesh_of(&c.surface, abut_pose_identity());
    ask(body, c.body_at, mesh, c.mesh_at, c.margin, false, &first);
    ask(body, c.body_at, mesh, c.mesh_at, c.margin, true, &second);
    judge(row, &c, &first, &second);
    abut_shape_release(body);
    abut_shape_release(mesh);
}

static void with_a_and_b_exchanged(void **state) {
    (void)state;
    accuracy *row = accuracy_begin("convex bodies and compounds of all kinds against meshes of all kinds: A and B exchanged",
                                   "the answer in the other order", "gaps, points, normals, areas, distance; sizes are about 1", 1e-13);
    static const uint64_t held[] = {UINT64_C(181900000524), UINT64_C(181900002058), UINT64_C(181900009795)}; /* once wrong */
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        sample_swapped(row, held[i]);
    }
    for (int32_t i = 0; i < accuracy_samples(150000); i++) {
        sample_swapped(row, UINT64_C(181900000000) + (uint64_t)i);
    }
    accuracy_end(row);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(with_a_and_b_exchanged)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
