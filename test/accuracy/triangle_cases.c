/* Random pairs of triangles: see triangle_cases.h. */
#include "accuracy/triangle_cases.h"

#include <math.h>

static double whole_below(random_state *random, int32_t reach) { return (double)(random_below(random, 2 * reach + 1) - reach); }

static abut_vec3 grid_point(random_state *random, int32_t reach) {
    return abut_vec3_make(whole_below(random, reach), whole_below(random, reach), whole_below(random, reach));
}

/* A corner of P, a point between two, or a point of its plane, all on the grid. */
static abut_vec3 related_point(random_state *random, const abut_vec3 p[3]) {
    int32_t i = random_below(random, 3);
    abut_vec3 u = abut_sub(p[(i + 1) % 3], p[i]), v = abut_sub(p[(i + 2) % 3], p[i]);
    switch (random_below(random, 3)) {
    case 0:
        return p[i];
    case 1:
        return abut_add_scaled(p[i], whole_below(random, 2), u);
    default:
        return abut_add_scaled(abut_add_scaled(p[i], whole_below(random, 2), u), whole_below(random, 2), v);
    }
}

void triangle_case_small(random_state *random, exact_pair *pair) {
    static const int32_t reaches[] = {1, 2, 3, 5, 10, 50, 100};
    int32_t reach = reaches[random_below(random, 7)], related = random_below(random, 5), scale = random_below(random, 3) == 0 ? 2 : 1;
    for (int i = 0; i < 3; i++) {
        pair->p[i] = abut_scale(scale, grid_point(random, reach));
    }
    for (int i = 0; i < 3; i++) {
        pair->q[i] = i < related - 1 ? related_point(random, pair->p) : grid_point(random, reach);
    }
    if (random_below(random, 2) == 0) { /* a crossing or a touch in the middle of P, if it is on the grid */
        pair->q[0] = abut_sub(abut_scale(2.0, related_point(random, pair->p)), pair->q[1]);
    }
    if (random_below(random, 8) == 0) {
        pair->q[2] = pair->q[random_below(random, 2)];
    }
    if (random_below(random, 2) == 0) {
        exact_pair turned = {{pair->q[0], pair->q[1], pair->q[2]}, {pair->p[0], pair->p[1], pair->p[2]}};
        *pair = turned;
    }
}

/* ---- all digits ---- */

static abut_vec3 point_of(random_state *random, const abut_vec3 p[3]) {
    double s = random_range(random, 0, 1), t = random_range(random, 0, 1);
    switch (random_below(random, 3)) {
    case 0:
        return p[random_below(random, 3)];
    case 1:
        return abut_lerp(p[0], p[1], s);
    default:
        return abut_lerp(abut_lerp(p[0], p[1], s), p[2], t);
    }
}

/* A sliver has a height of 1e-8 or so of its length; a needle a short side. */
static void any_triangle(random_state *random, abut_vec3 p[3]) {
    for (int i = 0; i < 3; i++) {
        p[i] = random_vec3(random, -1, 1);
    }
    double thin = random_log_range(random, 1e-12, 1e-1);
    int32_t kind = random_below(random, 5);
    if (kind == 0) {
        p[2] = abut_add_scaled(abut_lerp(p[0], p[1], random_range(random, 0, 1)), thin, random_direction(random));
    } else if (kind == 1) {
        p[2] = abut_add_scaled(p[0], thin, random_direction(random));
    }
}

static void stretch(random_state *random, exact_pair *pair) {
    double scale = ldexp(1.0, random_below(random, 3) == 0 ? random_below(random, 1200) - 600 : 0);
    abut_vec3 *at[2] = {pair->p, pair->q};
    for (int i = 0; i < 6; i++) {
        at[i / 3][i % 3] = abut_scale(scale, at[i / 3][i % 3]);
    }
}

static void shift(random_state *random, exact_pair *pair) {
    abut_vec3 far = random_vec3(random, -1, 1), *at[2] = {pair->p, pair->q};
    double distance = random_below(random, 3) == 0 ? random_log_range(random, 1e-3, 1e6) : 0.0;
    for (int i = 0; i < 6; i++) {
        at[i / 3][i % 3] = abut_add_scaled(at[i / 3][i % 3], distance, far);
    }
}

void triangle_case_real(random_state *random, exact_pair *pair) {
    if (random_below(random, 4) == 0) {
        triangle_case_small(random, pair);
        shift(random, pair);
        stretch(random, pair);
        return;
    }
    any_triangle(random, pair->p);
    any_triangle(random, pair->q);
    double close = random_below(random, 3) == 0 ? 0.0 : random_log_range(random, 1e-17, 1e-2);
    abut_vec3 a = point_of(random, pair->p), b = point_of(random, pair->q), way = random_direction(random);
    for (int i = 0; i < 3; i++) { /* brings two of their points together, nearly */
        pair->q[i] = abut_add_scaled(abut_add(abut_sub(pair->q[i], b), a), close, way);
    }
    if (random_below(random, 4) == 0) { /* common corners */
        pair->q[random_below(random, 3)] = pair->p[random_below(random, 3)];
    }
    shift(random, pair);
    stretch(random, pair);
}

/* ---- nearly touching ---- */

/* A triangle below the plane z = 0, with its highest corners in it, or lower by `tilt`. */
static void hang(random_state *random, int32_t corners, double tilt, abut_vec3 p[3]) {
    any_triangle(random, p);
    for (int i = 0; i < 3; i++) {
        p[i].z = i < corners ? -tilt * random_range(random, 0, 1) : -random_range(random, 0.01, 1);
    }
    p[random_below(random, corners)].z = 0.0;
}

void triangle_case_near(random_state *random, double gap, exact_pair *pair) {
    int32_t of_p = 1 + random_below(random, 3), of_q = 1 + random_below(random, 3);
    double tilt = random_below(random, 2) == 0 ? 0.0 : random_log_range(random, 1e-14, 1e-2);
    hang(random, of_p, tilt, pair->p);
    hang(random, of_q, tilt, pair->q);
    abut_vec3 a = {0, 0, 0}, b = a;
    for (int i = 0; i < of_p; i++) {
        a = abut_add_scaled(a, 1.0 / of_p, pair->p[i]);
    }
    for (int i = 0; i < of_q; i++) {
        b = abut_add_scaled(b, 1.0 / of_q, pair->q[i]);
    }
    if (random_below(random, 4) == 0) { /* nearly parallel edges side by side */
        double sine = random_log_range(random, 1e-15, 1e-3);
        pair->q[1] = abut_add_scaled(abut_add(pair->q[0], abut_sub(pair->p[1], pair->p[0])), sine, random_direction(random));
    }
    abut_quat turn = random_rotation(random);
    for (int i = 0; i < 3; i++) {
        abut_vec3 q = pair->q[i];
        pair->q[i] = abut_quat_rotate(turn, abut_vec3_make(q.x - b.x + a.x, q.y - b.y + a.y, gap - q.z));
        pair->p[i] = abut_quat_rotate(turn, pair->p[i]);
    }
    stretch(random, pair);
}
