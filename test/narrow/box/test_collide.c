/* Pairs of boxes in vector lanes: the contacts are those of the general path, to rounding error; they hold against an exhaustive search; and they have the same
 * bits alone, among others, and with every instruction set. */
#include "narrow/box/collide.h"

#include <stdio.h>
#include <string.h>

#include "narrow/box/kernel.h"
#include "narrow/generators.h"
#include "shape/shape.h"
#include "support/check.h"

enum { ROOM = 64 };

typedef enum placing { STACKED, IN_LINE, LEANING, NEAR, EDGES, ANYWHERE, DEEP, THIN, UNLIKE, FAR, PLACINGS } placing;

static const char *const placing_names[PLACINGS] = {"stacked and turned", "in line", "leaning", "near",   "edges",
                                                    "anywhere",           "deep",    "thin",    "unlike", "far"};

typedef struct pair {
    abut_shape *shape_a, *shape_b;
    abut_pose pose_a, pose_b;
    abut_placed a, b;
    abut_vec3 previous;
    double margin, weld, size;
    placing placing;
    box_terms terms;
} pair;

static double pick_of(random_state *random, const double *choices, int count) { return choices[random_below(random, count)]; }

/* B on a face of A, below its plane by a depth, in A's frame. */
static abut_pose on_face(random_state *random, abut_vec3 half_a, abut_vec3 half_b, double depth, double turn, double lean) {
    const double shifts[5] = {0.0, 0.5, 1.0, random_range(random, -1.0, 1.0), random_range(random, -1.6, 1.6)};
    const double h_a[3] = {half_a.x, half_a.y, half_a.z}, h_b[3] = {half_b.x, half_b.y, half_b.z};
    int axis = random_below(random, 3), j = (axis + 1) % 3, k = (axis + 2) % 3;
    double sense = random_below(random, 2) == 0 ? 1.0 : -1.0, at[3], along[3] = {0.0, 0.0, 0.0};
    along[axis] = 1.0;
    at[axis] = sense * (h_a[axis] + h_b[axis] - depth);
    at[j] = pick_of(random, shifts, 5) * h_a[j];
    at[k] = pick_of(random, shifts, 5) * h_a[k];
    abut_quat turned = abut_quat_about(abut_vec3_make(along[0], along[1], along[2]), turn);
    abut_quat leaning = abut_quat_about(random_direction(random), lean);
    return (abut_pose){abut_vec3_make(at[0], at[1], at[2]), abut_quat_unit(abut_quat_mul(leaning, turned))};
}

static abut_pose place_b(random_state *random, placing placing, abut_vec3 half_a, abut_vec3 half_b, double scale) {
    const double depths[6] = {0.0, 1e-4, 1e-9, -1e-4, -1e-3, random_range(random, -0.02, 0.05)};
    double depth = scale * pick_of(random, depths, 6), lean = random_below(random, 3) == 0 ? 0.0 : random_log_range(random, 1e-12, 1e-3);
    abut_pose any = {abut_scale(scale * random_range(random, 0.5, 1.6), random_direction(random)), random_rotation(random)};
    switch (placing) {
    case STACKED:
        return on_face(random, half_a, half_b, depth, random_range(random, 0.0, 2.0 * PI), lean);
    case IN_LINE:
        return on_face(random, half_a, half_b, depth, 0.5 * PI * random_below(random, 4), random_below(random, 2) == 0 ? 0.0 : lean);
    case LEANING:
        return on_face(random, half_a, half_b, depth, random_range(random, 0.0, 2.0 * PI), random_range(random, 0.0, 0.1));
    case NEAR:
        return on_face(random, half_a, half_b, -scale * random_log_range(random, 1e-12, 5e-2), random_range(random, 0.0, 2.0 * PI), lean);
    case EDGES:
        return (abut_pose){
            abut_scale(scale * random_range(random, 0.6, 1.2), abut_unit(abut_vec3_make(1, 1, random_range(random, -0.3, 0.3)))),
            abut_quat_mul(abut_quat_about(random_direction(random), lean),
                          abut_quat_about(abut_vec3_make(1, -1, 0.3 * random_below(random, 2)), 0.3))};
    case DEEP:
        any.position = abut_scale(scale * random_range(random, 0.0, 0.5), random_direction(random));
        return any;
    default:
        return random_below(random, 2) == 0 ? any : on_face(random, half_a, half_b, depth, random_range(random, 0.0, 2.0 * PI), lean);
    }
}

static abut_collide_settings settings_of(const pair *p) {
    abut_collide_settings settings = abut_collide_settings_default();
    settings.margin = p->margin;
    settings.weld = p->weld;
    settings.previous_normal = p->previous;
    return settings;
}

static pair draw_pair(random_state *random) {
    const double margins[4] = {0.0, 0.01, 0.002, 0.1}, welds[4] = {1e-6, 1e-6, 1e-9, 0.01};
    pair p = {.placing = (placing)random_below(random, PLACINGS)};
    p.size = random_below(random, 4) == 0 ? random_log_range(random, 1e-3, 1e3) : 1.0;
    abut_vec3 half_a = random_vec3(random, 0.2, 0.6), half_b = random_below(random, 3) == 0 ? half_a : random_vec3(random, 0.2, 0.6);
    if (p.placing == THIN) {
        half_a.z *= random_log_range(random, 1e-5, 1e-1);
    } else if (p.placing == UNLIKE) {
        half_b = abut_scale(random_log_range(random, 1e-4, 1e-1), half_b);
    }
    half_a = abut_scale(p.size, half_a);
    half_b = abut_scale(p.size, half_b);
    assert_ok(abut_shape_create_box(half_a, &p.shape_a));
    assert_ok(abut_shape_create_box(half_b, &p.shape_b));
    p.pose_a = random_below(random, 3) == 0 ? abut_pose_identity() : random_pose(random, p.placing == FAR ? 1e6 * p.size : p.size);
    p.pose_b = abut_pose_compose(p.pose_a, place_b(random, p.placing, half_a, half_b, p.size));
    p.margin = p.size * pick_of(random, margins, 4);
    p.weld = pick_of(random, welds, 4);
    p.previous = random_below(random, 3) == 0 ? random_direction(random) : abut_vec3_make(0, 0, 0);
    p.a = collide_place_body(p.shape_a, &p.pose_a);
    p.b = collide_place_body(p.shape_b, &p.pose_b);
    const abut_collide_settings settings = settings_of(&p);
    p.terms = box_terms_of(&settings);
    return p;
}

static void release(pair *p) {
    abut_shape_release(p->shape_a);
    abut_shape_release(p->shape_b);
}

static box_task task_of(const pair *p, abut_contact *contacts, int32_t capacity) {
    box_task task = {.terms = &p->terms, .contacts = contacts, .capacity = capacity};
    box_task_place(&task, &p->a, &p->b);
    return task;
}

/* ---- beside the general path ---- */

static int32_t by_general_path(const pair *p, double weld, abut_contact contacts[ROOM]) {
    abut_collide_settings settings = settings_of(p);
    collide_pair placed;
    contact_list list;
    settings.weld = weld;
    assert_ok(collide_place_bodies(&p->a, &p->b, &settings, &placed));
    contact_list_init(&list, placed.order, placed.aside);
    collide_boxes_generally(&placed, &list);
    contact_list_finish(&list, &p->a.rotation);
    contact_list_write(&list, &p->a.rotation, &p->a.pose.position, contacts, ROOM);
    int32_t count = list.count;
    contact_list_free(&list);
    return count;
}

static double reach(const abut_placed *box, abut_vec3 along) {
    abut_vec3 half = box->shape->half;
    return half.x * fabs(abut_dot(box->rotation.x, along)) + half.y * fabs(abut_dot(box->rotation.y, along)) +
           half.z * fabs(abut_dot(box->rotation.z, along));
}

static double gap_along(const pair *p, abut_vec3 normal) {
    return abut_dot(normal, abut_sub(p->pose_a.position, p->pose_b.position)) - reach(&p->a, normal) - reach(&p->b, normal);
}

static double error_of(const abut_contact *p, const abut_contact *q) {
    return fmax(fmax(abut_distance_between(p->on_a, q->on_a), abut_distance_between(p->on_b, q->on_b)), fabs(p->gap - q->gap));
}

static bool same_name(abut_feature p, abut_feature q) { return p.kind == q.kind && p.index == q.index && p.part == q.part; }

static abut_vec3 along_edge(const abut_placed *box, int32_t edge) {
    const polytope *surface = &box->shape->surface;
    const int32_t *vertex = surface->edges[edge].vertex;
    return abut_unit(abut_mat3_apply(box->rotation, abut_sub(surface->vertices[vertex[1]], surface->vertices[vertex[0]])));
}

/* A crossing so near a vertex that it is named by it. */
static bool is_welded(const abut_placed *box, abut_feature name, abut_vec3 point, double rounding) {
    if (name.kind != ABUT_FEATURE_VERTEX) {
        return false;
    }
    abut_vec3 vertex = abut_pose_apply(box->pose, box->shape->surface.vertices[name.index]);
    return abut_distance_between(vertex, point) > rounding;
}

/* Edges that are nearly parallel magnify the rounding error of the place where they cross. */
static double magnified(const pair *p, const abut_contact *contact) {
    if (contact->feature_a.kind != ABUT_FEATURE_EDGE || contact->feature_b.kind != ABUT_FEATURE_EDGE) {
        return 1.0;
    }
    abut_vec3 u = along_edge(&p->a, contact->feature_a.index), v = along_edge(&p->b, contact->feature_b.index);
    return 1.0 / fmin(1.0, fmax(1e-16, abut_length(abut_cross(u, v))));
}

/* Whether the name of a point on a face is in doubt: it is about as far from an edge or a vertex as the weld distance, or as near to two edges. */
static bool is_doubtful(const abut_placed *box, abut_vec3 point, double weld) {
    abut_vec3 local = abut_pose_apply_inverse(box->pose, point), half = box->shape->half;
    double x = half.x - fabs(local.x), y = half.y - fabs(local.y), z = half.z - fabs(local.z);
    double edge = fmax(fmin(x, y), fmin(fmax(x, y), z)), vertex = sqrt(x * x + y * y + z * z); /* the middle one of the three, and all */
    return (edge >= 0.5 * weld && edge <= 2.0 * weld) || (vertex >= 0.5 * weld && vertex <= 3.0 * weld);
}

static double rounding_of(const pair *p) { return 1e-12 * p->size + 4e-15 * abut_length(p->pose_a.position); }

/* The area of a patch, whose points depend on each other. */
static double area_of(const abut_contact *contacts, int32_t count) {
    double sum = 0.0;
    for (int32_t i = 0; i < count; i++) {
        sum += contacts[i].area;
    }
    return sum;
}

static int32_t nearest_to(const abut_contact *contact, const abut_contact *contacts, int32_t count) {
    int32_t nearest = 0;
    for (int32_t i = 1; i < count; i++) {
        nearest = error_of(contact, &contacts[i]) < error_of(contact, &contacts[nearest]) ? i : nearest;
    }
    return nearest;
}

/* Whether rounding error decides if a contact is within the margin. */
static bool is_at_margin(const pair *p, const abut_contact *contacts, int32_t count) {
    bool at = false;
    for (int32_t i = 0; i < count; i++) {
        at = at || fabs(contacts[i].gap - p->margin) <= 2.0 * CONTACT_ROUNDING * (p->shape_a->size + p->shape_b->size);
    }
    return at;
}

/* Contacts are the same up to rounding error: places, names, ids, flags, and their cyclic order. */
static void compare(tally *t, const pair *p, const box_task *task, const abut_contact *expected, int32_t count) {
    double rounding = rounding_of(p), most = 1.0, off = 0.0, weld = p->weld * fmin(p->shape_a->size, p->shape_b->size);
    int32_t shift = nearest_to(&task->contacts[0], expected, count);
    bool any = false; /* names in doubt can be those of another contact, which changes the ids of both */
    for (int32_t i = 0; i < count; i++) {
        any = any || is_doubtful(&p->a, expected[i].on_a, weld) || is_doubtful(&p->b, expected[i].on_b, weld);
    }
    for (int32_t i = 0; i < count; i++) {
        const abut_contact *found = &task->contacts[i], *right = &expected[(i + shift) % count];
        bool named = same_name(found->feature_a, right->feature_a) && same_name(found->feature_b, right->feature_b);
        double more = magnified(p, right);
        bool either = is_doubtful(&p->a, right->on_a, weld) || is_doubtful(&p->b, right->on_b, weld);
        if ((!named && !either) || (named && !any && found->id != right->id) || found->flags != right->flags ||
            found->patch != right->patch) {
            tally_fail(t, "names", "contact %d of %d: %d %d - %d %d, not %d %d - %d %d", (int)i, (int)count, found->feature_a.kind,
                       found->feature_a.index, found->feature_b.kind, found->feature_b.index, right->feature_a.kind, right->feature_a.index,
                       right->feature_b.kind, right->feature_b.index);
        }
        most = fmax(most, more);
        bool welded =
            any || is_welded(&p->a, right->feature_a, right->on_a, rounding) || is_welded(&p->b, right->feature_b, right->on_b, rounding);
        off = welded ? weld : off;
        if (!(error_of(found, right) <= rounding * more + (welded ? weld : 0.0))) {
            tally_fail(t, "places", "contact %d of %d: %g", (int)i, (int)count, error_of(found, right));
        }
    }
    if (!(fabs(area_of(task->contacts, count) - area_of(expected, count)) <= (most * rounding + off) * p->size)) {
        tally_fail(t, "area", "%.17g, not %.17g", area_of(task->contacts, count), area_of(expected, count));
    }
}

/* The direction that decides between faces that tie: see tied_facets.h. */
static abut_vec3 wish_of(const pair *p) {
    double more = 1e-6 * (p->shape_a->size + p->shape_b->size);
    abut_vec3 aside = collide_order_of(p->shape_a, p->shape_b) > 0 ? abut_neg(collide_aside) : collide_aside;
    bool follow = abut_length_squared(p->previous) > 0.0;
    return abut_unit(follow ? abut_neg(p->previous) : abut_add_scaled(abut_sub(p->pose_b.position, p->pose_a.position), more, aside));
}

/* Where the boxes are apart and lie nearly flat on each other, the general path may find a normal between those of the two faces, which is as good. Where they
 * overlap and faces tie, the wish decides, unless both lie along it up to rounding error. */
static bool is_same_normal(tally *t, const pair *p, abut_vec3 found, abut_vec3 right) {
    double difference = abut_distance_between(found, right), gap = gap_along(p, found), other = gap_along(p, right);
    double rounding = CONTACT_ROUNDING * (p->shape_a->size + p->shape_b->size + abut_length(p->pose_a.position));
    double touching = CONTACT_ROUNDING * (p->shape_a->size + p->shape_b->size), tied = rounding + 2e-10 * fmax(0.0, -gap);
    bool wished = fabs(gap - other) > 5e-11 * fabs(gap) || fabs(abut_dot(abut_sub(found, right), wish_of(p))) <= 1e-15;
    bool as_good =
        gap > -touching ? gap >= other - (gap < touching ? touching : rounding) : fabs(gap - other) <= tied && (gap >= other || wished);
    if (difference > 1e-12 && !as_good) {
        tally_fail(t, "normals", "%g, with gaps of %.17g and %.17g", difference, gap, other);
    }
    return difference <= 1e-12;
}

/* clear: no corners are merged, and none is just at the margin. Of merged corners, which one is kept depends on where the patch begins. Returns whether all
 * contacts were compared. */
static bool compare_answers(tally *t, const pair *p, const box_task *task, const abut_contact *expected, int32_t count, bool clear) {
    if ((task->count > 0) != (count > 0)) {
        tally_fail(t, "apart", "%d contacts, not %d", (int)task->count, (int)count);
        return false;
    }
    if (count == 0 || !is_same_normal(t, p, task->contacts[0].normal, expected[0].normal) || !clear) {
        return count == 0;
    }
    if (task->count != count) {
        tally_fail(t, "number of contacts", "%d, not %d", (int)task->count, (int)count);
        return false;
    }
    compare(t, p, task, expected, count);
    return true;
}

static void as_by_the_general_path(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("as_by_the_general_path", 5));
    int32_t samples = random_samples("as_by_the_general_path", 400000), decided[PLACINGS] = {0}, all[PLACINGS] = {0}, apart[PLACINGS] = {0},
            compared[PLACINGS] = {0};
    for (int32_t s = 0; s < samples; s++) {
        pair p = draw_pair(&random);
        abut_contact contacts[ROOM], expected[ROOM];
        box_task task = task_of(&p, contacts, ROOM);
        tally_sample(&t, "sample %d: %s", (int)s, placing_names[p.placing]);
        box_tasks_run(&task, 1);
        int32_t unmerged = by_general_path(&p, 1e-12, expected), count = by_general_path(&p, p.weld, expected);
        all[p.placing] += count > 0;
        if (task.decided) {
            bool clear = unmerged == count && !is_at_margin(&p, contacts, task.count) && !is_at_margin(&p, expected, count);
            compared[p.placing] += compare_answers(&t, &p, &task, expected, count, clear) && count > 0;
            decided[p.placing] += count > 0;
            apart[p.placing] += count == 0;
        }
        release(&p);
    }
    tally_end(&t);
    for (int i = 0; i < PLACINGS; i++) {
        printf("as_by_the_general_path: %s: %d of %d with contacts decided, %d compared; %d apart\n", placing_names[i], (int)decided[i],
               (int)all[i], (int)compared[i], (int)apart[i]);
        assert_true(compared[i] > all[i] / 20);
    }
}

/* ---- beside an exhaustive search ---- */

static double thinness(abut_vec3 half) { return 2.0 * fmin(half.x, fmin(half.y, half.z)); }

/* Contacts of faces face each other along the normal, lie on the boxes, and the deepest one is as deep as the boxes, or as far from each other. */
static void judge(tally *t, const pair *p, const box_task *task) {
    double scale = p->shape_a->size + p->shape_b->size, rounding = 1e-13 * scale + 4e-15 * abut_length(p->pose_a.position);
    solid solid_a = solid_box(p->shape_a->half), solid_b = solid_box(p->shape_b->half);
    oracle_body a = oracle_solid(&solid_a, p->pose_a), b = oracle_solid(&solid_b, p->pose_b);
    double distance = oracle_signed_distance(&a, &b), deepest = INFINITY;
    /* Of merged corners, the shallower one may be kept where the depths differ by a billionth of the weld distance: see patch_weld(). */
    double lost = 2e-9 * p->weld * fmin(p->shape_a->size, p->shape_b->size);
    /* The search takes normals from the vertices, which rounding error turns where a box is thin. */
    double thin = fmin(thinness(p->shape_a->half), thinness(p->shape_b->half)),
           turned = 4e-16 * (scale + abut_length(p->pose_a.position)) / thin;
    for (int32_t i = 0; i < task->count; i++) {
        const abut_contact *c = &task->contacts[i];
        abut_vec3 between = abut_add_scaled(abut_sub(c->on_a, c->on_b), -c->gap, c->normal);
        deepest = fmin(deepest, c->gap);
        if (!(abut_length(between) <= rounding)) {
            tally_fail(t, "points do not face each other", "%g", abut_length(between));
        }
        if (!(fabs(oracle_outside(&a, c->on_a)) <= rounding && fabs(oracle_outside(&b, c->on_b)) <= rounding)) {
            tally_fail(t, "points off the boxes", "%g %g", oracle_outside(&a, c->on_a), oracle_outside(&b, c->on_b));
        }
    }
    if (task->count > 0 && !(fabs(deepest - distance) <= 1e-10 * fabs(distance) + rounding + lost + turned * scale)) {
        tally_fail(t, "deepest", "%.17g, not %.17g", deepest, distance);
    }
    if (task->count == 0 && !(distance > p->margin - rounding)) {
        tally_fail(t, "not apart", "%.17g, with a margin of %g", distance, p->margin);
    }
    oracle_free(&a);
    oracle_free(&b);
    solid_free(&solid_a);
    solid_free(&solid_b);
}

static void as_by_exhaustive_search(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("as_by_exhaustive_search", 6));
    int32_t samples = random_samples("as_by_exhaustive_search", 50000), judged = 0;
    for (int32_t s = 0; s < samples; s++) {
        pair p = draw_pair(&random);
        abut_contact contacts[ROOM];
        box_task task = task_of(&p, contacts, ROOM);
        tally_sample(&t, "sample %d: %s", (int)s, placing_names[p.placing]);
        box_tasks_run(&task, 1);
        if (task.decided) {
            judge(&t, &p, &task);
            ++judged;
        }
        release(&p);
    }
    tally_end(&t);
    printf("as_by_exhaustive_search: %d judged\n", (int)judged);
    assert_true(judged > samples / 4);
}

/* ---- bits ---- */

enum { CROWD = 100 };

typedef struct crowd {
    pair pairs[CROWD];
    box_task tasks[CROWD];
    abut_contact contacts[CROWD][ROOM];
    abut_cache caches[CROWD];
} crowd;

static void run_crowd(const crowd *of, int32_t at_once, crowd *found) {
    memset(found, 0, sizeof *found);
    for (int32_t i = 0; i < CROWD; i++) {
        found->tasks[i] = task_of(&of->pairs[i], found->contacts[i], ROOM);
        found->tasks[i].cache = &found->caches[i];
    }
    for (int32_t i = 0; i < CROWD; i += at_once) {
        box_tasks_run(&found->tasks[i], CROWD - i < at_once ? CROWD - i : at_once);
    }
}

static void expect_same_bits(tally *t, const crowd *p, const crowd *q, const char *what) {
    for (int32_t i = 0; i < CROWD; i++) {
        const box_task *one = &p->tasks[i], *other = &q->tasks[i];
        if (one->decided != other->decided || one->count != other->count ||
            memcmp(p->contacts[i], q->contacts[i], sizeof p->contacts[i]) != 0 ||
            memcmp(&p->caches[i], &q->caches[i], sizeof p->caches[i]) != 0) {
            tally_fail(t, what, "pair %d: %d and %d contacts", (int)i, (int)one->count, (int)other->count);
        }
    }
}

/* Alone, among others, and with every instruction set of this machine. */
static void same_bits(void **state) {
    (void)state;
    static tally t;
    static crowd all, alone, found;
    random_state random = random_make(random_seed("same_bits", 7));
    int32_t rounds = random_samples("same_bits", 500), decided = 0;
    for (int32_t r = 0; r < rounds; r++) {
        for (int32_t i = 0; i < CROWD; i++) {
            all.pairs[i] = draw_pair(&random);
        }
        tally_sample(&t, "round %d", (int)r);
        assert_true(box_kernel_use(INSTRUCTIONS_SCALAR) || box_kernel_use(instruction_set_best()));
        run_crowd(&all, 1, &alone);
        for (int set = 0; set < INSTRUCTION_SETS; set++) {
            for (int32_t at_once = 1; at_once <= CROWD && box_kernel_use((instruction_set)set); at_once += at_once < 9 ? 1 : CROWD - 9) {
                run_crowd(&all, at_once, &found);
                expect_same_bits(&t, &alone, &found, at_once == 1 ? "another instruction set" : "among others");
            }
        }
        for (int32_t i = 0; i < CROWD; i++) {
            decided += alone.tasks[i].count > 0;
            release(&all.pairs[i]);
        }
    }
    (void)box_kernel_use(instruction_set_best());
    tally_end(&t);
    assert_true(decided > rounds * CROWD / 8);
}

/* ---- small buffers ---- */

static void contacts_beyond_the_capacity(void **state) {
    (void)state;
    random_state random = random_make(random_seed("contacts_beyond_the_capacity", 8));
    for (int32_t s = 0; s < 2000; s++) {
        pair p = draw_pair(&random);
        abut_contact contacts[ROOM], few[ROOM], untouched[ROOM];
        box_task task = task_of(&p, contacts, ROOM);
        memset(untouched, 0x5a, sizeof untouched);
        box_tasks_run(&task, 1);
        for (int32_t capacity = 0; capacity <= task.count; capacity++) {
            memset(few, 0x5a, sizeof few);
            box_task small = task_of(&p, capacity > 0 ? few : NULL, capacity);
            box_tasks_run(&small, 1);
            assert_int_equal(small.count, task.count);
            assert_memory_equal(few, contacts, (size_t)capacity * sizeof *few);
            assert_memory_equal(few + capacity, untouched, (size_t)(ROOM - capacity) * sizeof *few);
        }
        release(&p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_by_the_general_path), cmocka_unit_test(as_by_exhaustive_search),
                                       cmocka_unit_test(same_bits), cmocka_unit_test(contacts_beyond_the_capacity)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
