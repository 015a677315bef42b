/* Bodies that go through surfaces: see sunk_body.h. */
#include "accuracy/sunk_body.h"

#include <abut/shape.h>
#include <abut/smooth.h>

#include <math.h>

static double piece_reach(const sunk_piece *p, abut_vec3 d) {
    double most = -INFINITY;
    switch (p->kind) {
    case SUNK_CAPSULE:
        return p->half.x * abut_length(d) + p->half.y * fabs(d.z);
    case SUNK_BOX:
        return p->half.x * fabs(d.x) + p->half.y * fabs(d.y) + p->half.z * fabs(d.z);
    case SUNK_ELLIPSOID:
        return abut_length(abut_vec3_make(p->half.x * d.x, p->half.y * d.y, p->half.z * d.z));
    default:
        for (int32_t i = 0; i < p->points; i++) {
            most = fmax(most, abut_dot(d, p->point[i]));
        }
        return most;
    }
}

double sunk_body_part_reach(const sunk_body *b, int32_t part, abut_vec3 d) {
    const sunk_piece *p = &b->piece[part];
    abut_pose at = abut_pose_compose(b->pose, p->pose);
    return abut_dot(d, at.position) + piece_reach(p, abut_quat_rotate(abut_quat_conjugate(at.rotation), d));
}

double sunk_body_reach(const sunk_body *b, abut_vec3 d) {
    double most = -INFINITY;
    for (int32_t i = 0; i < b->pieces; i++) {
        most = fmax(most, sunk_body_part_reach(b, i, d));
    }
    return most;
}

double sunk_body_immersion(const sunk_body *b) {
    double most = -1.0;
    for (int32_t i = 0; i < b->pieces; i++) {
        double below = sunk_body_part_reach(b, i, abut_vec3_make(0, 0, -1));
        most = sunk_body_part_reach(b, i, abut_vec3_make(0, 0, 1)) > 0.0 && below > 0.0 ? fmax(most, below) : most;
    }
    return most;
}

static abut_shape *make_piece(const sunk_piece *p) {
    abut_shape *shape = NULL;
    switch (p->kind) {
    case SUNK_CAPSULE:
        assert_ok(abut_shape_create_capsule(p->half.x, p->half.y, &shape));
        break;
    case SUNK_BOX:
        assert_ok(abut_shape_create_box(p->half, &shape));
        break;
    case SUNK_ELLIPSOID:
        assert_ok(abut_shape_create_ellipsoid(p->half, &shape));
        break;
    default:
        assert_ok(abut_shape_create_hull(p->point, p->points, &shape));
    }
    return shape;
}

abut_shape *sunk_body_shape(const sunk_body *b) {
    abut_shape *shape[SUNK_PARTS], *whole = NULL;
    abut_part part[SUNK_PARTS];
    for (int32_t i = 0; i < b->pieces; i++) {
        shape[i] = make_piece(&b->piece[i]);
        part[i] = (abut_part){shape[i], b->piece[i].pose};
    }
    if (b->pieces == 1) {
        return shape[0];
    }
    assert_ok(abut_shape_create_compound(part, b->pieces, &whole));
    for (int32_t i = 0; i < b->pieces; i++) {
        abut_shape_release(shape[i]);
    }
    return whole;
}

double sunk_number(random_state *random, double lower, double upper) {
    static const double steps[4] = {0.0, 0.01, 0.05, 0.25};
    double step = steps[random_below(random, 4)], x = random_range(random, lower, upper);
    return step > 0.0 ? step * round(x / step) : x;
}

static double length_of(random_state *random, double lower, double upper) { return fmax(lower, sunk_number(random, lower, upper)); }

static sunk_piece random_piece(random_state *random) {
    sunk_piece p = {.kind = (sunk_kind)random_below(random, SUNK_KINDS), .pose = abut_pose_identity()};
    bool slim = random_below(random, 2) == 0;
    p.half.x = slim ? length_of(random, 0.02, 0.1) : length_of(random, 0.1, 0.6);
    p.half.y = slim ? length_of(random, 0.02, 0.1) : length_of(random, 0.1, 0.6);
    p.half.z = slim ? length_of(random, 0.5, 1.5) : length_of(random, 0.1, 0.6);
    if (p.kind == SUNK_CAPSULE) {
        p.half.y = p.half.z;
    }
    p.points = 6 + random_below(random, 18);
    for (int32_t i = 0; i < p.points; i++) {
        abut_vec3 d = random_direction(random);
        p.point[i] = abut_vec3_make(p.half.x * d.x, p.half.y * d.y, p.half.z * d.z);
    }
    return p;
}

static abut_quat random_turn(random_state *random) {
    const double right = 1.5707963267948966;
    switch (random_below(random, 5)) {
    case 0:
        return abut_quat_identity();
    case 1:
        return abut_quat_about(abut_unit(abut_vec3_make(random_below(random, 2), random_below(random, 2), 1)),
                               right * random_below(random, 4));
    case 2:
        return abut_quat_about(abut_vec3_make(0, 0, 1), random_range(random, 0, 7));
    case 3:
        return abut_quat_about(random_direction(random), random_range(random, -0.3, 0.3));
    default:
        return random_rotation(random);
    }
}

sunk_body sunk_body_random(random_state *random, bool compound) {
    sunk_body b = {.pieces = compound && random_below(random, 5) == 0 ? 2 + random_below(random, 2) : 1, .pose = abut_pose_identity()};
    for (int32_t i = 0; i < b.pieces; i++) {
        b.piece[i] = random_piece(random);
        if (b.pieces > 1) {
            b.piece[i].kind = b.piece[i].kind == SUNK_ELLIPSOID ? SUNK_BOX : b.piece[i].kind;
            b.piece[i].pose = (abut_pose){random_vec3(random, -0.5, 0.5), random_turn(random)};
        }
    }
    b.pose.rotation = random_turn(random);
    return b;
}

void sunk_body_scale(sunk_body *b, double s) {
    for (int32_t i = 0; i < b->pieces; i++) {
        sunk_piece *p = &b->piece[i];
        p->half = abut_scale(s, p->half);
        p->pose.position = abut_scale(s, p->pose.position);
        for (int32_t k = 0; k < p->points; k++) {
            p->point[k] = abut_scale(s, p->point[k]);
        }
    }
    b->pose.position = abut_scale(s, b->pose.position);
}
