/* The questions of the benchmark: bodies, poses and true answers. World frame, metres; inputs.h gives the distributions. */
#include "inputs.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "truth.h"

typedef enum shape_recipe { MAKE_BOX, MAKE_HULL, MAKE_PRISM, MAKE_SPHERE, MAKE_CAPSULE } shape_recipe;

typedef struct set_recipe {
    const char *shapes, *name;
    shape_recipe a, b;
    int32_t corners; /* vertices of a hull, or corners of a prism's ends */
    arrangement placed;
    int32_t pairs, steps;
} set_recipe;

enum { sequence_steps = 50 };

static const set_recipe recipes[] = {
    {"boxes", "boxes, overlapping", MAKE_BOX, MAKE_BOX, 8, ARRANGEMENT_OVERLAPPING, 2000, 1},
    {"boxes", "boxes, stacked", MAKE_BOX, MAKE_BOX, 8, ARRANGEMENT_STACKED, 2000, 1},
    {"boxes", "boxes, near", MAKE_BOX, MAKE_BOX, 8, ARRANGEMENT_NEAR, 2000, 1},
    {"boxes", "boxes, apart", MAKE_BOX, MAKE_BOX, 8, ARRANGEMENT_APART, 2000, 1},
    {"boxes", "boxes, overlapping, coherent", MAKE_BOX, MAKE_BOX, 8, ARRANGEMENT_OVERLAPPING, 40, sequence_steps},
    {"boxes", "boxes, apart, coherent", MAKE_BOX, MAKE_BOX, 8, ARRANGEMENT_APART, 40, sequence_steps},
    {"hulls of 8", "hulls of 8, overlapping", MAKE_HULL, MAKE_HULL, 8, ARRANGEMENT_OVERLAPPING, 1000, 1},
    {"hulls of 8", "hulls of 8, near", MAKE_HULL, MAKE_HULL, 8, ARRANGEMENT_NEAR, 1000, 1},
    {"hulls of 8", "hulls of 8, apart", MAKE_HULL, MAKE_HULL, 8, ARRANGEMENT_APART, 1000, 1},
    {"hulls of 8", "hulls of 8, overlapping, coherent", MAKE_HULL, MAKE_HULL, 8, ARRANGEMENT_OVERLAPPING, 20, sequence_steps},
    {"hulls of 8", "hulls of 8, apart, coherent", MAKE_HULL, MAKE_HULL, 8, ARRANGEMENT_APART, 20, sequence_steps},
    {"hulls of 32", "hulls of 32, overlapping", MAKE_HULL, MAKE_HULL, 32, ARRANGEMENT_OVERLAPPING, 600, 1},
    {"hulls of 32", "hulls of 32, near", MAKE_HULL, MAKE_HULL, 32, ARRANGEMENT_NEAR, 600, 1},
    {"hulls of 32", "hulls of 32, apart", MAKE_HULL, MAKE_HULL, 32, ARRANGEMENT_APART, 600, 1},
    {"hulls of 32", "hulls of 32, overlapping, coherent", MAKE_HULL, MAKE_HULL, 32, ARRANGEMENT_OVERLAPPING, 16, sequence_steps},
    {"hulls of 32", "hulls of 32, apart, coherent", MAKE_HULL, MAKE_HULL, 32, ARRANGEMENT_APART, 16, sequence_steps},
    {"hulls of 128", "hulls of 128, overlapping", MAKE_HULL, MAKE_HULL, 128, ARRANGEMENT_OVERLAPPING, 300, 1},
    {"hulls of 128", "hulls of 128, near", MAKE_HULL, MAKE_HULL, 128, ARRANGEMENT_NEAR, 300, 1},
    {"hulls of 128", "hulls of 128, apart", MAKE_HULL, MAKE_HULL, 128, ARRANGEMENT_APART, 300, 1},
    {"hulls of 128", "hulls of 128, overlapping, coherent", MAKE_HULL, MAKE_HULL, 128, ARRANGEMENT_OVERLAPPING, 12, sequence_steps},
    {"hulls of 128", "hulls of 128, apart, coherent", MAKE_HULL, MAKE_HULL, 128, ARRANGEMENT_APART, 12, sequence_steps},
    {"prisms of 16", "prisms of 16, stacked", MAKE_PRISM, MAKE_PRISM, 16, ARRANGEMENT_STACKED, 400, 1},
    {"spheres", "spheres, overlapping", MAKE_SPHERE, MAKE_SPHERE, 0, ARRANGEMENT_OVERLAPPING, 1000, 1},
    {"sphere and box", "sphere and box, overlapping", MAKE_SPHERE, MAKE_BOX, 0, ARRANGEMENT_OVERLAPPING, 1000, 1},
    {"capsules", "capsules, overlapping", MAKE_CAPSULE, MAKE_CAPSULE, 0, ARRANGEMENT_OVERLAPPING, 1000, 1},
    {"capsule and box", "capsule and box, overlapping", MAKE_CAPSULE, MAKE_BOX, 0, ARRANGEMENT_OVERLAPPING, 1000, 1},
};

int32_t inputs_count(void) { return (int32_t)(sizeof recipes / sizeof recipes[0]); }

const char *inputs_name(int32_t index) { return recipes[index].name; }

/* Some engines assume that the origin is an inner point. */
static void centre_vertices(solid *s) {
    abut_vec3 sum = {0, 0, 0};
    for (int32_t i = 0; i < s->vertex_count; i++) {
        sum = abut_add(sum, s->vertices[i]);
    }
    for (int32_t i = 0; i < s->vertex_count; i++) {
        s->vertices[i] = abut_add_scaled(s->vertices[i], -1.0 / s->vertex_count, sum);
    }
}

/* A box with sides of 0.35 to 0.65 m; a hull of points on an ellipsoid with semi-axes of 0.35 to 0.65 m; a prism with a radius and a height
 * in this range; a ball with a diameter in this range; a capsule with a diameter, and a length without caps, in this range. */
static body make_body(shape_recipe recipe, int32_t corners, random_state *random) {
    abut_vec3 lengths = random_vec3(random, 0.35, 0.65);
    double least = fmin(lengths.x, fmin(lengths.y, lengths.z));
    body b = {0};
    switch (recipe) {
    case MAKE_BOX:
        b.kind = BODY_BOX;
        b.half = abut_scale(0.5, lengths);
        b.surface = solid_box(b.half);
        b.size = least;
        break;
    case MAKE_HULL:
        b.kind = BODY_HULL;
        b.surface = solid_cloud(random, corners, lengths);
        centre_vertices(&b.surface);
        b.size = 2.0 * least;
        break;
    case MAKE_PRISM:
        b.kind = BODY_HULL;
        b.half = abut_vec3_make(lengths.x, lengths.x, 0.5 * lengths.z);
        b.surface = solid_prism(lengths.x, b.half.z, corners);
        b.size = lengths.z;
        break;
    case MAKE_SPHERE:
    case MAKE_CAPSULE:
        b.kind = recipe == MAKE_SPHERE ? BODY_SPHERE : BODY_CAPSULE;
        b.radius = 0.5 * lengths.x;
        b.half_length = recipe == MAKE_SPHERE ? 0.0 : 0.5 * lengths.z;
        b.size = lengths.x;
        break;
    }
    return b;
}

static bool has_surface(const body *b) { return b->kind == BODY_BOX || b->kind == BODY_HULL; }

/* The range of separations of an arrangement; `size` is that of the smaller body. */
typedef struct range {
    double lower, upper;
} range;

static range separations(arrangement placed, double size) {
    range overlapping = {-0.05 * size, -1e-4 * size}, near = {1e-4 * size, 0.05 * size}, apart = {0.01, 0.5};
    return placed == ARRANGEMENT_OVERLAPPING ? overlapping : placed == ARRANGEMENT_NEAR ? near : apart;
}

static double pick(range r, random_state *random) {
    return r.upper < 0.0 ? -random_log_range(random, -r.upper, -r.lower) : random_log_range(random, r.lower, r.upper);
}

static bool within(range r, double separation) { return separation >= r.lower && separation <= r.upper; }

static question place_at_random(const body *a, const body *b, range allowed, random_state *random) {
    question q;
    do {
        q.pose_b = random_pose(random, 1.0);
        q.pose_a.position = q.pose_b.position;
        q.pose_a.rotation = random_rotation(random);
        abut_vec3 direction = random_direction(random);
        truth t = truth_make(a, q.pose_a, b, q.pose_b);
        abut_vec3 way = abut_scale(truth_place(&t, direction, pick(allowed, random)), direction);
        q.separation = truth_separation(&t, way);
        q.pose_a.position = abut_add(q.pose_a.position, way);
        truth_free(&t);
    } while (!within(allowed, q.separation)); /* flat hulls may not reach the required depth anywhere on the way */
    return q;
}

static question place_on_top(const body *a, const body *b, random_state *random) {
    const abut_vec3 up = {0, 0, 1};
    question q;
    q.pose_b.position = random_vec3(random, -1.0, 1.0);
    q.pose_b.rotation = abut_quat_about(up, random_range(random, 0.0, 6.28));
    q.pose_a.rotation = abut_quat_about(up, random_range(random, 0.0, 6.28));
    abut_vec3 way = {0.5 * b->half.x * random_range(random, -1.0, 1.0), 0.5 * b->half.y * random_range(random, -1.0, 1.0),
                     a->half.z + b->half.z - 1e-4};
    q.pose_a.position = abut_add(q.pose_b.position, way);
    truth t = truth_make(a, q.pose_a, b, q.pose_b);
    q.separation = truth_separation(&t, abut_vec3_make(0, 0, 0));
    truth_free(&t);
    return q;
}

/* The next step of a sequence: A turns by at most 0.03 rad, then moves by at most 1 cm to a place where the separation stays in the range.
 * If no such place is within reach, a new turn is drawn. */
static question move_on(const body *a, const body *b, const question *before, range allowed, random_state *random) {
    const double move = 0.01, turn = 0.03;
    for (;;) {
        question q = *before;
        abut_quat turned = abut_quat_about(random_direction(random), random_range(random, 0.0, turn));
        q.pose_a.rotation = abut_quat_unit(abut_quat_mul(turned, before->pose_a.rotation));
        truth t = truth_make(a, q.pose_a, b, q.pose_b);
        bool found = false;
        for (int attempt = 0; attempt < 32 && !found; attempt++) {
            abut_vec3 way = abut_scale(random_range(random, 0.0, move), random_direction(random));
            q.separation = truth_separation(&t, way);
            q.pose_a.position = abut_add(before->pose_a.position, way);
            found = within(allowed, q.separation);
        }
        truth_free(&t);
        if (found) {
            return q;
        }
    }
}

/* The true answer comes from a search that skips what provably does not matter. This check skips nothing. */
static void confirm_truth(const input_set *set) {
    truth t = truth_make(inputs_a(set, 0), set->questions[0].pose_a, inputs_b(set, 0), set->questions[0].pose_b);
    assert_near(set->questions[0].separation, oracle_signed_distance(&t.a, &t.b), 1e-12);
    truth_free(&t);
}

static void make_pair(input_set *set, const set_recipe *recipe, int32_t pair, random_state *random) {
    body *bodies = set->bodies + 2 * pair;
    bodies[0] = make_body(recipe->a, recipe->corners, random);
    bodies[1] = make_body(recipe->b, recipe->corners, random);
    range allowed = separations(set->placed, fmin(bodies[0].size, bodies[1].size));
    for (int32_t step = 0; step < set->steps; step++) {
        question *q = set->questions + step * set->pairs + pair;
        if (set->placed == ARRANGEMENT_STACKED) {
            *q = place_on_top(&bodies[0], &bodies[1], random);
        } else if (step == 0) {
            *q = place_at_random(&bodies[0], &bodies[1], allowed, random);
        } else {
            *q = move_on(&bodies[0], &bodies[1], q - set->pairs, allowed, random);
        }
    }
}

input_set inputs_make(int32_t index, uint64_t seed, double share) {
    const set_recipe *recipe = &recipes[index];
    random_state random = random_make(seed + UINT64_C(1000003) * (uint64_t)index);
    input_set set = {recipe->shapes, recipe->placed, (int32_t)fmax(2.0, share * recipe->pairs), recipe->steps, NULL, NULL};
    set.bodies = check_memory(2 * (size_t)set.pairs, sizeof *set.bodies);
    set.questions = check_memory((size_t)inputs_questions(&set), sizeof *set.questions);
    for (int32_t pair = 0; pair < set.pairs; pair++) {
        make_pair(&set, recipe, pair, &random);
    }
    confirm_truth(&set);
    return set;
}

void inputs_free(input_set *set) {
    for (int32_t i = 0; i < 2 * set->pairs; i++) {
        if (has_surface(&set->bodies[i])) {
            solid_free(&set->bodies[i].surface);
        }
    }
    free(set->bodies);
    free(set->questions);
}
