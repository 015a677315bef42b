/* Two closed meshes, and what the library says of them: see closed_judge.h. */
#include "accuracy/closed_judge.h"

abut_quat closed_pick_turn(random_state *random) {
    const double root = 0.70710678118654757;
    switch (random_below(random, 5)) {
    case 0:
        return (abut_quat){0, 0, 0, 1};
    case 1:
        return (abut_quat){0, 0, root, root};
    case 2:
        return (abut_quat){0, 0, 0.38268343236508978, 0.92387953251128674};
    default:
        return random_rotation(random);
    }
}

double closed_pick_gap(random_state *random) {
    int which = random_below(random, 30);
    double gap = which < 2 ? 0.0 : which < 26 ? pow(10.0, -13.0 + 0.5 * (which - 2)) : random_log_range(random, 1e-9, 0.3);
    return random_below(random, 2) == 0 ? gap : -gap;
}

double closed_span_of(const abut_shape *mesh) {
    abut_aabb box = abut_shape_bounds(mesh, abut_pose_identity());
    return abut_length(abut_sub(box.upper, box.lower));
}

void closed_pair_release(closed_pair *pair) {
    for (int i = 0; i < 2; i++) {
        abut_shape_release(pair->mesh[i]);
        judged_body_free(&pair->body[i]);
    }
}

void closed_place_b(closed_pair *pair, abut_vec3 at) {
    pair->pose[1].position = at;
    judged_body_place(&pair->body[1], pair->pose[1]);
}

bool closed_bring_near(closed_pair *pair, abut_vec3 way, abut_vec3 aim, double from, double near, judged_gap *gap) {
    double at = from;
    for (int i = 0; i < 200 && at > -3.0 * pair->scale; i++) {
        closed_place_b(pair, abut_add_scaled(aim, at, way));
        *gap = judged_closest(&pair->body[0], &pair->body[1]);
        if ((double)gap->distance <= near) {
            return gap->distance > 0;
        }
        at -= fmax(0.999 * (double)gap->distance - 0.3 * near, 0.3 * near);
    }
    return false;
}

bool closed_is_facet(closed_pair *pair, abut_vec3 at, abut_vec3 n, quad distance, qvec normal, double step) {
    abut_vec3 u, v;
    abut_tangent_frame(n, &u, &v);
    bool flat = true;
    for (int i = 0; i < 4 && flat; i++) {
        abut_vec3 place = abut_add_scaled(at, i % 2 ? step : -step, i < 2 ? u : v);
        closed_place_b(pair, place);
        quad shift = qvec_dot(normal, qvec_sub(qvec_of(place), qvec_of(at)));
        flat = fabs((double)(judged_closest(&pair->body[0], &pair->body[1]).distance - (distance - shift))) <= 1e-14 * step;
    }
    return flat;
}

const abut_contact *closed_deepest_of(const abut_contact *c, int32_t count) {
    const abut_contact *best = c;
    for (int32_t i = 1; i < count; i++) {
        best = c[i].gap < best->gap ? &c[i] : best;
    }
    return best;
}

/* The shortest move of A, nearly, that is as long along every normal as that contact is deep. False if contacts are opposed. */
static bool move_by_all(const abut_contact *c, int32_t count, double rounding, qvec *move) {
    *move = (qvec){0, 0, 0};
    for (int round = 0; round < 200; round++) {
        bool enough = true;
        for (int32_t i = 0; i < count; i++) {
            qvec n = qvec_of(c[i].normal);
            quad missing = -c[i].gap * (quad)(1.0 + 1e-8) + rounding - qvec_dot(*move, n);
            if (c[i].gap < 0.0 && missing > 0) {
                *move = qvec_add(*move, qvec_scale(missing, n));
                enough = enough && missing < -1e-9 * c[i].gap + 0.5 * rounding;
            }
        }
        if (enough) {
            return true;
        }
    }
    return false;
}

/* Whether contacts that are less deep take the bodies apart together: then the depth is another facet's, or that of several. */
static bool are_ways_out(closed_pair *pair, bool swapped, const abut_contact *c, int32_t count, double rounding) {
    qvec by;
    if (!move_by_all(c, count, rounding, &by)) {
        return false;
    }
    by = swapped ? by : qvec_scale(-1, by);
    judged_body_move(&pair->body[1], by);
    bool out = !judged_overlap(&pair->body[0], &pair->body[1]);
    judged_body_move(&pair->body[1], qvec_scale(-1, by));
    return out;
}

/* Whether a move by some rounding errors takes the bodies apart: then they touch, and no contact needs a depth. */
static bool barely_overlap(closed_pair *pair) {
    bool apart = false;
    for (int i = 0; i < 27 && !apart; i++) {
        qvec by = qvec_scale(2e-14 * pair->scale, (qvec){i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1});
        judged_body_move(&pair->body[1], by);
        apart = !judged_overlap(&pair->body[0], &pair->body[1]);
        judged_body_move(&pair->body[1], qvec_scale(-1, by));
    }
    return apart;
}

static void grow_box(double box[2][3], const abut_vec3 *p, bool first) {
    for (int i = 0; i < 3; i++) {
        double x = (&p->x)[i];
        box[0][i] = first || x < box[0][i] ? x : box[0][i];
        box[1][i] = first || x > box[1][i] ? x : box[1][i];
    }
}

/* Whether the third corner of one triangle at a side lies over the plane of the other, and not only by rounding errors. */
static bool is_valley(const judged_body *body, const judged_edge *e) {
    abut_vec3 p = body->rough[e->from], u = abut_sub(body->rough[e->to], p), v = abut_sub(body->rough[e->left], p);
    abut_vec3 across = abut_cross(u, v);
    return abut_dot(across, abut_sub(body->rough[e->right], p)) > 2e-15 * body->size * abut_length(across);
}

/* Whether no valley of either body is in the box where both can be. */
static bool are_convex_together(const closed_pair *pair) {
    double box[2][2][3], both[2][3];
    for (int side = 0; side < 2; side++) {
        for (int32_t v = 0; v < pair->body[side].vertex_count; v++) {
            grow_box(box[side], &pair->body[side].rough[v], v == 0);
        }
    }
    for (int i = 0; i < 3; i++) {
        both[0][i] = fmax(box[0][0][i], box[1][0][i]) - 1e-9 * pair->scale;
        both[1][i] = fmin(box[0][1][i], box[1][1][i]) + 1e-9 * pair->scale;
    }
    bool convex = true;
    for (int side = 0; side < 2; side++) {
        const judged_body *body = &pair->body[side];
        for (int32_t k = 0; k < body->edge_count && convex; k++) {
            const judged_edge *e = &body->edge[k];
            double of[2][3];
            grow_box(of, &body->rough[e->from], true);
            grow_box(of, &body->rough[e->to], false);
            bool near = true;
            for (int i = 0; i < 3; i++) {
                near = near && of[0][i] <= both[1][i] && of[1][i] >= both[0][i];
            }
            convex = !near || !is_valley(body, e);
        }
    }
    return convex;
}

static void judge_overlap(accuracy *row, closed_pair *pair, const closed_known *known, const abut_contact *c, int32_t count) {
    double scale = pair->scale, rounding = 1e-14 * scale, unit = fabs(known->gap) + 1e-6 * scale, nearest = INFINITY;
    const abut_contact *deepest = closed_deepest_of(c, count);
    /* The way back along the normal bounds the depth, also where it is not linear. */
    if (!(deepest->gap < 0.0) && -known->gap > rounding && !barely_overlap(pair)) {
        accuracy_wrong(row, "missed: gap %.6g, contact %.6g", known->gap, deepest->gap);
    }
    for (int32_t i = 0; i < count; i++) {
        nearest = fabs(c[i].gap - known->gap) < fabs(nearest) ? c[i].gap - known->gap : nearest;
    }
    if (known->back && known->gap < 0.0 && -deepest->gap > -known->gap * (1.0 + 1e-8) + rounding && are_convex_together(pair)) {
        accuracy_wrong(row, "depth %.17g, but %.17g is a way out", -deepest->gap, -known->gap);
    }
    if (known->linear && !(deepest->gap > known->gap && are_ways_out(pair, known->swapped, c, count, rounding))) {
        accuracy_error(row, fabs(nearest) / unit, "depth off by %.6g, exact %.17g, deepest %.17g, swapped %d", nearest, -known->gap,
                       -deepest->gap, known->swapped);
    }
}

/* The exact gap is known, and in the neighbourhood of a contact also the depth. */
int32_t closed_judge(accuracy *row, closed_pair *pair, const closed_known *known, abut_contact *c) {
    int32_t count = 0, a = known->swapped ? 1 : 0, b = 1 - a;
    double scale = pair->scale, rounding = 1e-14 * scale, gap = known->gap, unit = fabs(gap) + 1e-6 * scale;
    abut_collide_settings settings = abut_collide_settings_default();
    settings.margin = known->margin;
    const abut_pair asked = {pair->mesh[a], pair->pose[a], pair->mesh[b], pair->pose[b]};
    abut_status status = abut_collide(&asked, &settings, NULL, c, CLOSED_ROOM, &count);
    if (status != ABUT_OK) {
        accuracy_wrong(row, "status %d", (int)status);
        return -1;
    }
    if (count == 0) {
        if (known->overlap ? -gap > rounding && !barely_overlap(pair) : gap < known->margin - rounding) {
            accuracy_wrong(row, "missed: gap %.6g, margin %.3g, overlap %d", gap, known->margin, known->overlap);
        }
        return 0;
    }
    if (known->overlap) {
        judge_overlap(row, pair, known, c, count);
    } else {
        double least = closed_deepest_of(c, count)->gap;
        accuracy_error(row, fabs(least - gap) / unit, "gap %.17g, exact %.17g, swapped %d", least, gap, known->swapped);
    }
    for (int32_t i = 0; i < count; i++) {
        double off = abut_dot(c[i].normal, abut_sub(c[i].on_a, c[i].on_b)) - c[i].gap;
        if (!(fabs(off) <= 1e-13 * scale)) {
            accuracy_wrong(row, "points %.6g off their gap", off);
        }
    }
    return count;
}
