/* Pairs of spheres in vector lanes: see ball_kernel.h. The names of balls.c and math_inline.h. */
#include "base/simd.h"
#include "narrow/round/ball_kernel.h"

/* A vector, and a matrix by columns. */
typedef struct lane_vec {
    simd x, y, z;
} lane_vec;

typedef struct lane_mat {
    lane_vec x, y, z;
} lane_mat;

static inline simd add3(simd a, simd b, simd c) { return simd_add(simd_add(a, b), c); }

static inline simd dot(lane_vec a, lane_vec b) { return add3(simd_mul(a.x, b.x), simd_mul(a.y, b.y), simd_mul(a.z, b.z)); }

static inline lane_vec sub(lane_vec a, lane_vec b) { return (lane_vec){simd_sub(a.x, b.x), simd_sub(a.y, b.y), simd_sub(a.z, b.z)}; }

static inline lane_vec add_scaled(lane_vec a, simd s, lane_vec b) {
    return (lane_vec){simd_add(a.x, simd_mul(s, b.x)), simd_add(a.y, simd_mul(s, b.y)), simd_add(a.z, simd_mul(s, b.z))};
}

static inline lane_vec over(lane_vec a, simd length) {
    return (lane_vec){simd_div(a.x, length), simd_div(a.y, length), simd_div(a.z, length)};
}

/* Not 0 - x, which has another sign for zeros. */
static inline simd negated(simd a) { return simd_mul(simd_set(-1.0), a); }

static inline lane_vec apply(const lane_mat *m, lane_vec v) {
    return (lane_vec){add3(simd_mul(m->x.x, v.x), simd_mul(m->y.x, v.y), simd_mul(m->z.x, v.z)),
                      add3(simd_mul(m->x.y, v.x), simd_mul(m->y.y, v.y), simd_mul(m->z.y, v.z)),
                      add3(simd_mul(m->x.z, v.x), simd_mul(m->y.z, v.y), simd_mul(m->z.z, v.z))};
}

static inline simd square_of(const simd q[4]) {
    return simd_add(add3(simd_mul(q[0], q[0]), simd_mul(q[1], q[1]), simd_mul(q[2], q[2])), simd_mul(q[3], q[3]));
}

/* Whether the norm is clearly within 1e-6 of 1, told from its square: a root is slow. */
static inline simd_mask is_rotation(simd square) {
    const double most = 1.999e-6;
    return simd_both(simd_greater(square, simd_set(1.0 - most)), simd_greater(simd_set(1.0 + most), square));
}

static inline lane_mat matrix_of(const simd q[4], simd square) {
    const simd one = simd_set(1.0);
    simd s = simd_div(simd_set(2.0), square), sx = simd_mul(s, q[0]), sy = simd_mul(s, q[1]), sw = simd_mul(s, q[3]);
    simd xx = simd_mul(sx, q[0]), yy = simd_mul(sy, q[1]), zz = simd_mul(simd_mul(s, q[2]), q[2]);
    simd xy = simd_mul(sx, q[1]), xz = simd_mul(sx, q[2]), yz = simd_mul(sy, q[2]);
    simd wx = simd_mul(sw, q[0]), wy = simd_mul(sw, q[1]), wz = simd_mul(sw, q[2]);
    return (lane_mat){{simd_sub(simd_sub(one, yy), zz), simd_add(xy, wz), simd_sub(xz, wy)},
                      {simd_sub(xy, wz), simd_sub(simd_sub(one, xx), zz), simd_add(yz, wx)},
                      {simd_add(xz, wy), simd_sub(yz, wx), simd_sub(simd_sub(one, xx), yy)}};
}

static inline simd_mask is_within(simd square, double least, double most) {
    return simd_both(simd_greater(square, simd_set(least)), simd_greater(simd_set(most), square));
}

static inline simd_mask has_zero(lane_vec v) {
    const simd zero = simd_set(0.0);
    return simd_either(simd_either(simd_equal(v.x, zero), simd_equal(v.y, zero)), simd_equal(v.z, zero));
}

/* The position, with a number that is not used, and the rotation. */
static inline void load(const double *const poses[SIMD_WIDTH], simd place[4], simd turn[4]) {
    const double *turns[SIMD_WIDTH];
    for (int i = 0; i < SIMD_WIDTH; ++i) {
        turns[i] = poses[i] + 3;
    }
    simd_load_rows(poses, place);
    simd_load_rows(turns, turn);
}

/* The contacts of the lanes with a bit, one behind the other. */
static inline void store(const ball_block *block, unsigned bits, const lane_vec *on_a, const lane_vec *on_b, const lane_vec *normal,
                         simd gap, ball_answers *answers) {
    const simd_four names = simd_four_load(block->names + 1);
    double spare[BALL_NUMBERS], *next = *answers->next, *rows[3][SIMD_WIDTH];
    for (int i = 0; i < SIMD_WIDTH; ++i) {
        unsigned shown = bits >> i & 1u;
        double *row = shown != 0u ? next : spare;
        next += shown * BALL_NUMBERS;
        rows[0][i] = row;
        rows[1][i] = row + 4;
        rows[2][i] = row + 8;
        simd_four_store(row + 12, names);
    }
    answers->next = (double(*)[BALL_NUMBERS])next;
    const simd first[4] = {on_a->x, on_a->y, on_a->z, on_b->x}, second[4] = {on_b->y, on_b->z, normal->x, normal->y};
    const simd third[4] = {normal->z, gap, simd_set(0.0), simd_set(block->names[0])};
    simd_store_rows(rows[0], first);
    simd_store_rows(rows[1], second);
    simd_store_rows(rows[2], third);
}

static inline void store_direction(lane_vec direction, int32_t at, ball_answers *answers) {
    double *rows[SIMD_WIDTH];
    for (int i = 0; i < SIMD_WIDTH; ++i) {
        rows[i] = answers->direction[at + i];
    }
    const simd all[4] = {direction.x, direction.y, direction.z, simd_set(0.0)};
    simd_store_rows(rows, all);
}

/* Two spheres in each lane, in A's frame. */
typedef struct lane_balls {
    simd radius_a, radius_b, scale, most; /* contacts have no larger gap */
    lane_mat turn;
    lane_vec origin, centre, direction;
    simd gap;
    unsigned near, undecided; /* bits of the lanes; those that are near may touch */
} lane_balls;

/* Writes the contacts of the lanes that are near in the world. Returns bits of those that the general path would give. */
static inline unsigned touch(const ball_block *block, const lane_balls *b, unsigned near, ball_answers *answers) {
    const simd zero = simd_set(0.0);
    lane_vec normal = {negated(b->direction.x), negated(b->direction.y), negated(b->direction.z)};
    lane_vec on_a = add_scaled((lane_vec){zero, zero, zero}, b->radius_a, b->direction);
    lane_vec on_b = add_scaled(b->centre, b->radius_b, normal);
    simd found = dot(normal, sub(on_a, on_b)), gap = b->gap;
    simd reach =
        simd_select(simd_greater(gap, zero), simd_mul(simd_set(1e-13), simd_add(b->scale, gap)), simd_mul(simd_set(6e-14), b->scale));
    simd_mask off = simd_either(simd_greater(found, simd_add(gap, reach)), simd_greater(found, b->most));
    lane_vec there_a = apply(&b->turn, on_a), there_b = apply(&b->turn, on_b), out = apply(&b->turn, normal), origin = b->origin;
    simd square = dot(out, out);
    out = over(out, simd_sqrt(square));
    there_a = (lane_vec){simd_add(there_a.x, origin.x), simd_add(there_a.y, origin.y), simd_add(there_a.z, origin.z)};
    there_b = (lane_vec){simd_add(there_b.x, origin.x), simd_add(there_b.y, origin.y), simd_add(there_b.z, origin.z)};
    unsigned shown = near & simd_bits(simd_without(is_within(square, 1e-200, 1e200), off));
    store(block, shown, &there_a, &there_b, &out, found, answers);
    return shown;
}

/* Idle lanes have the first pair again. */
static inline void load_row(const double *const of[BALL_LANES], int32_t at, int32_t count, int from, simd to[4]) {
    const double *rows[SIMD_WIDTH];
    for (int i = 0; i < SIMD_WIDTH; ++i) {
        rows[i] = of[at + i < count ? at + i : at] + from;
    }
    simd_load_rows(rows, to);
}

static inline void meet(const ball_block *block, int32_t at, ball_answers *answers, lane_balls *b) {
    const int32_t count = block->count, left = count - at;
    const unsigned real = left < SIMD_WIDTH ? (1u << left) - 1u : (1u << SIMD_WIDTH) - 1u;
    simd place_a[4], place_b[4], turn_a[4], turn_b[4], size_a[4], size_b[4];
    load_row(block->pose_a, at, count, 0, place_a);
    load_row(block->pose_b, at, count, 0, place_b);
    load_row(block->pose_a, at, count, 3, turn_a);
    load_row(block->pose_b, at, count, 3, turn_b);
    load_row(block->size_a, at, count, 0, size_a);
    load_row(block->size_b, at, count, 0, size_b);
    b->radius_a = size_a[1];
    b->radius_b = size_b[1];
    b->scale = simd_add(size_a[0], size_b[0]);
    b->origin = (lane_vec){place_a[0], place_a[1], place_a[2]};
    lane_vec apart = sub((lane_vec){place_b[0], place_b[1], place_b[2]}, b->origin);
    simd norm_a = square_of(turn_a);
    b->turn = matrix_of(turn_a, norm_a);
    b->centre = (lane_vec){dot(b->turn.x, apart), dot(b->turn.y, apart), dot(b->turn.z, apart)};
    simd square = dot(b->centre, b->centre), distance = simd_sqrt(square);
    b->gap = simd_sub(simd_sub(distance, b->radius_a), b->radius_b);
    simd rounding = simd_mul(simd_set(1e-14), b->scale);
    b->most = simd_add(simd_set(block->margin), rounding);
    simd_mask clear = simd_both(simd_both(is_rotation(norm_a), is_rotation(square_of(turn_b))), is_within(square, 1e-200, 1e100));
    clear = simd_without(simd_both(clear, simd_greater(distance, rounding)), has_zero(b->centre));
    simd_mask far = simd_greater(b->gap, b->most);
    b->near = simd_bits(simd_without(clear, far)) & real;
    b->undecided = real & ~simd_bits(clear);
    b->direction = over(b->centre, distance);
    if (block->with_directions) {
        store_direction(b->direction, at, answers);
    }
}

static inline void finish(const ball_block *block, int32_t at, const lane_balls *b, ball_answers *answers) {
    unsigned touching = b->near != 0u ? touch(block, b, b->near, answers) : 0u;
    answers->touching |= touching << at;
    answers->undecided |= (b->undecided | (b->near & ~touching)) << at;
}

/* Two vectors, so that one is not idle while the other one waits for a root. */
void SIMD_VARIANT(ball_kernel)(const ball_block *block, ball_answers *answers) {
    answers->touching = answers->undecided = 0u;
    for (int32_t first = 0; first < block->count; first += 2 * SIMD_WIDTH) {
        lane_balls balls[2];
        const int32_t end = first + 2 * SIMD_WIDTH < block->count ? first + 2 * SIMD_WIDTH : block->count;
        for (int32_t at = first, n = 0; at < end; at += SIMD_WIDTH, ++n) {
            meet(block, at, answers, &balls[n]);
        }
        for (int32_t at = first, n = 0; at < end; at += SIMD_WIDTH, ++n) {
            finish(block, at, &balls[n], answers);
        }
    }
}
