#include "support/smooth_body.h"

#include <math.h>
#include <stdlib.h>

#include <abut/smooth.h>

#include "support/check.h"

smooth_body smooth_body_random(random_state *state, smooth_kind kind, double aspect, double least) {
    smooth_body body = {.kind = kind, .pose = random_pose(state, 0.0)};
    body.half.x = random_log_range(state, 1.0 / aspect, 1.0);
    body.half.y = random_log_range(state, 1.0 / aspect, 1.0);
    body.half.z = random_log_range(state, 1.0 / aspect, 1.0);
    body.e1 = random_range(state, least, 2.0 - least);
    body.e2 = random_range(state, least, 2.0 - least);
    body.point_count = 4 + random_below(state, SMOOTH_MOST_POINTS - 3);
    for (int32_t i = 0; i < body.point_count; ++i) {
        abut_vec3 d = random_direction(state);
        body.point[i] = abut_vec3_make(d.x * body.half.x, d.y * body.half.y, d.z * body.half.z);
    }
    return body;
}

abut_shape *smooth_body_shape(const smooth_body *body) {
    abut_shape *shape = NULL;
    switch (body->kind) {
    case SMOOTH_ELLIPSOID:
        assert_ok(abut_shape_create_ellipsoid(body->half, &shape));
        break;
    case SMOOTH_SUPERQUADRIC:
        assert_ok(abut_shape_create_superquadric(body->half, body->e1, body->e2, &shape));
        break;
    case SMOOTH_BALL:
        assert_ok(abut_shape_create_sphere(body->half.x, &shape));
        break;
    case SMOOTH_BAR:
        assert_ok(abut_shape_create_capsule(body->half.x, body->half.y, &shape));
        break;
    case SMOOTH_BOX:
        assert_ok(abut_shape_create_box(body->half, &shape));
        break;
    default:
        assert_ok(abut_shape_create_hull(body->point, body->point_count, &shape));
        break;
    }
    return shape;
}

/* (|x|^p + |y|^p)^(1/p) */
static long double norm_of(long double x, long double y, long double p) {
    x = fabsl(x);
    y = fabsl(y);
    long double m = fmaxl(x, y);
    return m > 0.0L ? m * powl(powl(x / m, p) + powl(y / m, p), 1.0L / p) : 0.0L;
}

static double quick_norm(double x, double y, double p) {
    double large = fmax(fabs(x), fabs(y)), ratio = fmin(fabs(x), fabs(y)) / large;
    return large > 0.0 ? large * pow(1.0 + pow(ratio, p), 1.0 / p) : 0.0;
}

long double smooth_body_support(const smooth_body *body, const long double n[3]) {
    long double x = body->half.x * n[0], y = body->half.y * n[1], z = body->half.z * n[2],
                length = sqrtl(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    long double most = -INFINITY;
    switch (body->kind) {
    case SMOOTH_ELLIPSOID:
        return sqrtl(x * x + y * y + z * z);
    case SMOOTH_SUPERQUADRIC:
        return norm_of(norm_of(x, y, 2.0L / (2.0L - body->e2)), z, 2.0L / (2.0L - body->e1));
    case SMOOTH_BALL:
        return body->half.x * length;
    case SMOOTH_BAR:
        return body->half.x * length + body->half.y * fabsl(n[2]);
    case SMOOTH_BOX:
        return fabsl(x) + fabsl(y) + fabsl(z);
    default:
        for (int32_t i = 0; i < body->point_count; ++i) {
            most = fmaxl(most, n[0] * body->point[i].x + n[1] * body->point[i].y + n[2] * body->point[i].z);
        }
        return most;
    }
}

/* The rotation, computed once for many directions. */
typedef struct placed {
    const smooth_body *body;
    abut_mat3 turn;
} placed;

static placed place(const smooth_body *body) { return (placed){body, abut_mat3_from_quat(body->pose.rotation)}; }

static double extent(const placed *p, abut_vec3 d) {
    abut_vec3 n = abut_mat3_apply_transposed(p->turn, d);
    double own;
    double x = p->body->half.x * n.x, y = p->body->half.y * n.y, z = p->body->half.z * n.z;
    if (p->body->kind == SMOOTH_ELLIPSOID) { /* long double is slow */
        own = sqrt(x * x + y * y + z * z);
    } else if (p->body->kind == SMOOTH_SUPERQUADRIC) {
        own = quick_norm(quick_norm(x, y, 2.0 / (2.0 - p->body->e2)), z, 2.0 / (2.0 - p->body->e1));
    } else {
        own = (double)smooth_body_support(p->body, (const long double[3]){n.x, n.y, n.z});
    }
    return own + abut_dot(d, p->body->pose.position);
}

double smooth_body_extent(const smooth_body *body, abut_vec3 direction) {
    placed p = place(body);
    return extent(&p, direction);
}

double smooth_body_depth(const smooth_body *a, const smooth_body *b, abut_vec3 direction) {
    return smooth_body_extent(a, direction) + smooth_body_extent(b, abut_neg(direction));
}

double smooth_body_outside(const smooth_body *body, abut_vec3 point) {
    abut_vec3 p = abut_pose_apply_inverse(body->pose, point), h = body->half;
    double least = fmin(h.x, fmin(h.y, h.z));
    switch (body->kind) {
    case SMOOTH_ELLIPSOID:
        return least * (abut_length(abut_vec3_make(p.x / h.x, p.y / h.y, p.z / h.z)) - 1.0);
    case SMOOTH_SUPERQUADRIC:
        return least * ((double)norm_of(norm_of(p.x / h.x, p.y / h.y, 2.0L / body->e2), p.z / h.z, 2.0L / body->e1) - 1.0);
    case SMOOTH_BALL:
        return abut_length(p) - h.x;
    case SMOOTH_BAR:
        p.z -= fmax(-h.y, fmin(h.y, p.z));
        return abut_length(p) - h.x;
    case SMOOTH_BOX:
        return fmax(fabs(p.x) - h.x, fmax(fabs(p.y) - h.y, fabs(p.z) - h.z));
    default:
        return 0.0;
    }
}

double smooth_body_scale(const smooth_body *a, const smooth_body *b) {
    return 2.0 * (fmax(a->half.x, fmax(a->half.y, a->half.z)) + fmax(b->half.x, fmax(b->half.y, b->half.z)));
}

enum { GRID = 1500, STARTS = 8 };

static abut_vec3 grid_direction(int i) {
    double z = 1.0 - (2.0 * i + 1.0) / GRID, angle = i * 2.399963229728653, c = sqrt(1.0 - z * z);
    return abut_vec3_make(c * cos(angle), c * sin(angle), z);
}

static double settle(const placed *a, const placed *b, abut_vec3 d, double least) {
    enum { WAYS = 8, MOST = 4000 };
    abut_vec3 u, v;
    double step = 0.05;
    for (int tries = 0; tries < MOST && step > 1e-9; ++tries) {
        bool lower = false;
        abut_tangent_frame(d, &u, &v);
        for (int way = 0; way < WAYS && !lower; ++way) {
            double angle = 6.283185307179586 * way / WAYS + 0.1 * tries;
            abut_vec3 next = abut_unit(abut_add_scaled(abut_add_scaled(d, step * cos(angle), u), step * sin(angle), v));
            double depth = extent(a, next) + extent(b, abut_neg(next));
            lower = depth < least;
            least = lower ? depth : least;
            d = lower ? next : d;
        }
        step = lower ? step : 0.5 * step;
    }
    return least;
}

double smooth_body_least(const smooth_body *a, const smooth_body *b) {
    placed pa = place(a), pb = place(b);
    double depth[GRID], best = INFINITY;
    for (int i = 0; i < GRID; ++i) {
        depth[i] = extent(&pa, grid_direction(i)) + extent(&pb, abut_neg(grid_direction(i)));
    }
    for (int start = 0; start < STARTS; ++start) {
        int lowest = 0;
        for (int i = 1; i < GRID; ++i) {
            lowest = depth[i] < depth[lowest] ? i : lowest;
        }
        if (!(depth[lowest] < INFINITY)) {
            break;
        }
        abut_vec3 d = grid_direction(lowest);
        best = fmin(best, settle(&pa, &pb, d, depth[lowest]));
        if (best < 0.0) {
            break; /* for bodies apart the minimum is unique */
        }
        for (int i = 0; i < GRID; ++i) {
            depth[i] = abut_dot(grid_direction(i), d) > 0.97 ? INFINITY : depth[i];
        }
    }
    return best;
}
