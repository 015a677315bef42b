#include "world_ask.h"

#include "shapes.h"
#include "target.h"
#include "world_book.h"
#include "world_op.h"

enum { MOST = BOOK_SLOTS, RAYS = 3 };

typedef struct placed {
    abut_body_id id;
    abut_body_info info;
    abut_pose pose;
} placed;

/* The bodies that a query may ask, in the order of their slots. */
typedef struct asking {
    const abut_world *world, *twin;
    const abut_query_filter *filter; /* NULL for all */
    placed bodies[MOST];
    int32_t count;
    bool failed; /* a body cannot be asked */
} asking;

static bool accept(void *context, abut_body_id body, uint64_t user) {
    (void)body;
    return context == NULL || user % 2 == 0;
}

static abut_query_filter read_filter(bytes *in) {
    static int something;
    uint8_t how = bytes_byte(in);
    return (abut_query_filter){how & 1 ? bytes_byte(in) : 0, how & 2 ? accept : NULL, &something};
}

static void list_bodies(asking *a) {
    abut_body_id ids[MOST];
    int32_t count;
    FUZZ_REQUIRE(abut_world_body_ids(a->world, ids, MOST, &count) == ABUT_OK, "%d bodies", (int)count);
    for (int32_t i = 0; i < count; i++) {
        placed *p = &a->bodies[a->count];
        abut_body_state state;
        *p = (placed){.id = ids[i]};
        FUZZ_REQUIRE(abut_world_body_info(a->world, ids[i], &p->info) == ABUT_OK &&
                         abut_world_body_state(a->world, ids[i], &state) == ABUT_OK,
                     "body %u", ids[i].index);
        p->pose = state.pose;
        const abut_query_filter *f = a->filter;
        bool is_asked = f == NULL || ((f->mask == 0 || (f->mask & p->info.filter.category) != 0) &&
                                      (f->accept == NULL || f->accept(f->context, p->id, p->info.user)));
        a->count += is_asked;
    }
}

static bool same_id(abut_body_id p, abut_body_id q) { return p.index == q.index && p.generation == q.generation; }

static bool same_vec3(abut_vec3 p, abut_vec3 q) { return memcmp(&p, &q, sizeof p) == 0; }

static bool same_hits(const abut_world_hit *p, const abut_world_hit *q) {
    return same_id(p->body, q->body) && p->user == q->user && p->hit.hit == q->hit.hit && p->hit.started_inside == q->hit.started_inside &&
           p->hit.fraction == q->hit.fraction && same_vec3(p->hit.point, q->hit.point) && same_vec3(p->hit.normal, q->hit.normal);
}

/* A query may fail only with these statuses, and only where a body cannot be asked or none is there to tell. True when there is an answer to compare. */
static bool has_answer(const asking *a, abut_status status) {
    FUZZ_REQUIRE(status == ABUT_OK || status == ABUT_ERROR_INVALID_ARGUMENT || status == ABUT_ERROR_NOT_FINITE ||
                     status == ABUT_ERROR_UNSUPPORTED_PAIR || status == ABUT_ERROR_NOT_CONVEX || status == ABUT_ERROR_ITERATION_LIMIT,
                 "%s", abut_status_name(status));
    FUZZ_REQUIRE(status == ABUT_OK || a->failed || a->count == 0, "%s, but all bodies can be asked", abut_status_name(status));
    return status == ABUT_OK && !a->failed;
}

/* ---- rays and moving shapes ---- */

/* Takes the answer of a body into the first hit and the list of all, ordered by fraction and then by slot. */
static void take(const placed *body, const abut_hit *hit, abut_world_hit *first, abut_world_hit *all, int32_t *count) {
    const abut_world_hit made = {body->id, body->info.user, *hit};
    if (!hit->hit) {
        return;
    }
    if (first->body.index == 0 || hit->fraction < first->hit.fraction) {
        *first = made;
    }
    int32_t at = (*count)++;
    for (; at > 0 && all[at - 1].hit.fraction > hit->fraction; at--) {
        all[at] = all[at - 1];
    }
    all[at] = made;
}

static void check_all_on_ray(const asking *a, abut_ray ray, const abut_world_hit *expected, int32_t count) {
    abut_world_hit found[MOST];
    int32_t listed = -1, room = count > 1 ? count - 1 : MOST;
    abut_status status = abut_world_ray_cast_all(a->world, ray, a->filter, found, room, &listed);
    FUZZ_REQUIRE(status == (room < count ? ABUT_ERROR_CAPACITY : ABUT_OK) && listed == count, "%s: %d of %d", abut_status_name(status),
                 (int)listed, (int)count);
    for (int32_t i = 0; i < count && i < room; i++) {
        FUZZ_REQUIRE(same_hits(&found[i], &expected[i]), "hit %d: body %u at %.17g instead of %u at %.17g", (int)i, found[i].body.index,
                     found[i].hit.fraction, expected[i].body.index, expected[i].hit.fraction);
    }
}

static void check_ray(asking *a, abut_ray ray, abut_world_hit *hit, abut_status *status) {
    abut_world_hit first = {.hit = {.fraction = 1.0}}, all[MOST];
    int32_t count = 0;
    a->failed = false;
    for (int32_t i = 0; i < a->count; i++) {
        abut_hit found;
        abut_status of = abut_ray_cast(a->bodies[i].info.shape, a->bodies[i].pose, ray.origin, ray.translation, &found);
        a->failed = a->failed || of != ABUT_OK;
        if (of == ABUT_OK) {
            take(&a->bodies[i], &found, &first, all, &count);
        }
    }
    *status = abut_world_ray_cast(a->world, ray, a->filter, hit);
    if (has_answer(a, *status)) {
        FUZZ_REQUIRE(same_hits(hit, &first), "body %u at %.17g instead of %u at %.17g", hit->body.index, hit->hit.fraction,
                     first.body.index, first.hit.fraction);
        check_all_on_ray(a, ray, all, count);
    }
}

static void check_rays(bytes *in, asking *a) {
    abut_ray rays[RAYS];
    abut_world_hit hits[RAYS], batch[RAYS];
    abut_status statuses[RAYS], first = ABUT_OK;
    for (int32_t i = 0; i < RAYS; i++) {
        uint8_t how = bytes_byte(in);
        rays[i] = (abut_ray){shapes_read_vec3(in, 0.5), shapes_read_vec3(in, 1.0)};
        if (how & 1 && a->count > 0) { /* at a body */
            rays[i].translation = abut_sub(a->bodies[how / 2 % a->count].pose.position, rays[i].origin);
        }
        if (fuzz_describes()) {
            fprintf(stderr, "  ray {%.17g, %.17g, %.17g} + {%.17g, %.17g, %.17g}\n", rays[i].origin.x, rays[i].origin.y, rays[i].origin.z,
                    rays[i].translation.x, rays[i].translation.y, rays[i].translation.z);
        }
        check_ray(a, rays[i], &hits[i], &statuses[i]);
        first = first == ABUT_OK ? statuses[i] : first;
    }
    const abut_world *worlds[2] = {a->world, a->twin};
    for (int32_t w = 0; w < 2 && worlds[w] != NULL; w++) {
        abut_status status = abut_world_ray_cast_batch(worlds[w], rays, RAYS, a->filter, batch);
        FUZZ_REQUIRE(status == first, "%s instead of %s", abut_status_name(status), abut_status_name(first));
        for (int32_t i = 0; i < RAYS && status == ABUT_OK; i++) {
            FUZZ_REQUIRE(same_hits(&batch[i], &hits[i]), "ray %d of many: body %u", (int)i, batch[i].body.index);
        }
    }
}

static void check_cast(bytes *in, asking *a, const abut_shape *shape) {
    const abut_motion still = {{0, 0, 0}, {0, 0, 0}};
    abut_cast cast = {.shape = shape, .pose = shapes_read_pose(in, 0.5)};
    uint8_t how = bytes_byte(in);
    cast.motion.linear = shapes_read_vec3(in, 1.0);
    cast.motion.angular = how & 1 ? shapes_read_vec3(in, 0.25) : cast.motion.angular;
    cast.tolerance = how & 2 ? fabs(bytes_small(in)) : 0.0;
    abut_world_hit first = {.hit = {.fraction = 1.0}}, all[MOST], found;
    int32_t count = 0;
    for (int32_t i = 0; i < a->count; i++) {
        const abut_pair pair = {shape, cast.pose, a->bodies[i].info.shape, a->bodies[i].pose};
        abut_hit hit;
        abut_status status = abut_shape_cast(&pair, cast.motion, still, cast.tolerance, &hit);
        a->failed = a->failed || status != ABUT_OK;
        if (status == ABUT_OK) {
            take(&a->bodies[i], &hit, &first, all, &count);
        }
    }
    const abut_world *worlds[2] = {a->world, a->twin};
    for (int32_t w = 0; w < 2 && worlds[w] != NULL; w++) {
        abut_status status = w == 0 ? abut_world_shape_cast(worlds[w], &cast, a->filter, &found)
                                    : abut_world_shape_cast_batch(worlds[w], &cast, 1, a->filter, &found);
        if (has_answer(a, status)) {
            FUZZ_REQUIRE(same_hits(&found, &first), "body %u at %.17g instead of %u at %.17g", found.body.index, found.hit.fraction,
                         first.body.index, first.hit.fraction);
        }
    }
}

/* ---- overlaps ---- */

static void require_ids(const asking *a, const abut_body_id *found, int32_t count, const bool *expected) {
    int32_t at = 0;
    for (int32_t i = 0; i < a->count; i++) {
        bool is = at < count && same_id(found[at], a->bodies[i].id);
        FUZZ_REQUIRE(is == expected[i], "body %u: %d instead of %d", a->bodies[i].id.index, is, expected[i]);
        at += is;
    }
    FUZZ_REQUIRE(at == count, "%d bodies too many", (int)(count - at));
}

static bool meets(abut_aabb p, abut_aabb q) {
    return p.lower.x <= q.upper.x && q.lower.x <= p.upper.x && p.lower.y <= q.upper.y && q.lower.y <= p.upper.y && p.lower.z <= q.upper.z &&
           q.lower.z <= p.upper.z;
}

/* Planes are left out: their surface is in the world's own coordinates. */
static bool is_no_plane(void *context, abut_body_id body, uint64_t user) {
    (void)user;
    abut_body_info info;
    return abut_world_body_info(context, body, &info) == ABUT_OK && abut_shape_kind(info.shape) != ABUT_SHAPE_PLANE;
}

static void check_box(bytes *in, asking *a, void *world) {
    abut_vec3 p = shapes_read_vec3(in, 0.5), q = shapes_read_vec3(in, 0.5);
    abut_aabb box = {{fmin(p.x, q.x), fmin(p.y, q.y), fmin(p.z, q.z)}, {fmax(p.x, q.x), fmax(p.y, q.y), fmax(p.z, q.z)}};
    const abut_query_filter filter = {.accept = is_no_plane, .context = world};
    bool expected[MOST];
    abut_body_id found[MOST];
    int32_t count, kept = 0;
    for (int32_t i = 0; i < a->count; i++) {
        if (is_no_plane(world, a->bodies[i].id, 0)) {
            a->bodies[kept] = a->bodies[i];
            expected[kept++] = meets(abut_shape_bounds(a->bodies[i].info.shape, a->bodies[i].pose), box);
        }
    }
    a->count = kept;
    bool empty = !(box.lower.x <= box.upper.x && box.lower.y <= box.upper.y && box.lower.z <= box.upper.z);
    abut_status status = abut_world_overlap_box(a->world, box, &filter, found, MOST, &count);
    FUZZ_REQUIRE(status == (empty ? ABUT_ERROR_INVALID_ARGUMENT : ABUT_OK), "%s", abut_status_name(status));
    if (status == ABUT_OK) {
        require_ids(a, found, count, expected);
    }
}

static void check_shape(bytes *in, asking *a, const abut_shape *shape) {
    abut_pose pose = shapes_read_pose(in, 0.5);
    bool expected[MOST];
    abut_body_id found[MOST];
    int32_t count;
    for (int32_t i = 0; i < a->count; i++) {
        const abut_pair pair = {shape, pose, a->bodies[i].info.shape, a->bodies[i].pose};
        expected[i] = false;
        a->failed = abut_overlap(&pair, NULL, &expected[i]) != ABUT_OK || a->failed;
    }
    abut_status status = abut_world_overlap_shape(a->world, shape, pose, a->filter, found, MOST, &count);
    if (has_answer(a, status)) {
        require_ids(a, found, count, expected);
    }
}

/* ---- closest ---- */

static void check_closest(bytes *in, asking *a, const abut_shape *shape, bool point) {
    abut_pose pose = shapes_read_pose(in, 0.5);
    double farthest = bytes_byte(in) < 128 ? INFINITY : bytes_number(in);
    abut_world_near first = {.user = 0}, found;
    if (point) {
        pose.rotation = abut_quat_identity();
    }
    for (int32_t i = 0; i < a->count; i++) {
        const abut_pair pair = {shape, pose, a->bodies[i].info.shape, a->bodies[i].pose};
        abut_separation s;
        abut_status status = abut_distance(&pair, NULL, NULL, &s);
        a->failed = a->failed || status != ABUT_OK;
        if (status == ABUT_OK && s.gap <= farthest && (first.body.index == 0 || s.gap < first.separation.gap)) {
            first = (abut_world_near){a->bodies[i].id, a->bodies[i].info.user, s};
        }
    }
    abut_status status = point ? abut_world_closest_to_point(a->world, pose.position, farthest, a->filter, &found)
                               : abut_world_closest(a->world, shape, pose, farthest, a->filter, &found);
    a->failed = a->failed || isnan(farthest);
    if (has_answer(a, status)) {
        FUZZ_REQUIRE(same_id(found.body, first.body) && found.user == first.user && found.separation.gap == first.separation.gap &&
                         same_vec3(found.separation.normal, first.separation.normal),
                     "body %u at %.17g instead of %u at %.17g", found.body.index, found.separation.gap, first.body.index,
                     first.separation.gap);
    }
}

void ask_check(bytes *in, const abut_world *world, const abut_world *twin) {
    uint8_t what = bytes_byte(in);
    abut_query_filter filter = read_filter(in);
    asking a = {.world = world, .twin = twin, .filter = what & 0x80 || what % 6 == 1 ? NULL : &filter};
    abut_shape *shape = NULL;
    list_bodies(&a);
    if (what % 6 == 5) {
        FUZZ_REQUIRE(abut_shape_create_sphere(1e-50, &shape) == ABUT_OK, "no point");
    } else if (what % 6 >= 2) {
        shape = op_read_shape(in);
    }
    if (fuzz_describes()) {
        fprintf(stderr, "  query %d of %d bodies\n", what % 6, (int)a.count);
    }
    if (what % 6 == 0) {
        check_rays(in, &a);
    } else if (what % 6 == 1) {
        check_box(in, &a, (void *)(uintptr_t)world);
    } else if (shape != NULL && what % 6 == 2) {
        check_cast(in, &a, shape);
    } else if (shape != NULL && what % 6 == 3) {
        check_shape(in, &a, shape);
    } else if (shape != NULL) {
        check_closest(in, &a, shape, what % 6 == 5);
    }
    abut_shape_release(shape);
}
