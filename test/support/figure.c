/* Convex bodies described in one line, and known contacts of pairs of them. See figure.h. World frame; normals from B into A. */
#include "support/figure.h"

#include <float.h>
#include <stdlib.h>

abut_pose figure_pose(const figure *f, double scale) {
    abut_quat x = abut_quat_about(abut_vec3_make(1, 0, 0), f->turn.x), y = abut_quat_about(abut_vec3_make(0, 1, 0), f->turn.y),
              z = abut_quat_about(abut_vec3_make(0, 0, 1), f->turn.z);
    return (abut_pose){abut_scale(scale, f->at), abut_quat_mul(z, abut_quat_mul(y, x))};
}

solid figure_solid(const figure *f, double scale) {
    double p = scale * f->p, q = scale * f->q, r = scale * f->r;
    switch (f->kind) {
    case FIGURE_BOX:
        return solid_box(abut_vec3_make(p, q, r));
    case FIGURE_PRISM:
        return solid_prism(p, q, (int32_t)f->r);
    case FIGURE_CONE:
        return solid_pyramid(p, q, (int32_t)f->r);
    default:
        return solid_tetrahedron(abut_vec3_make(0, 0, 0), abut_vec3_make(p, 0, 0), abut_vec3_make(0, q, 0), abut_vec3_make(0, 0, r));
    }
}

static bool is_round(const figure *f) { return f->kind == FIGURE_SPHERE || f->kind == FIGURE_CAPSULE; }

abut_shape *figure_shape(const figure *f, double scale) {
    abut_shape *shape = NULL;
    double p = scale * f->p, q = scale * f->q, r = scale * f->r;
    solid s;
    switch (f->kind) {
    case FIGURE_SPHERE:
        assert_ok(abut_shape_create_sphere(p, &shape));
        break;
    case FIGURE_CAPSULE:
        assert_ok(abut_shape_create_capsule(p, q, &shape));
        break;
    case FIGURE_BOX:
        assert_ok(abut_shape_create_box(abut_vec3_make(p, q, r), &shape));
        break;
    case FIGURE_PRISM:
        assert_ok(abut_shape_create_prism(p, q, (int32_t)f->r, &shape));
        break;
    case FIGURE_CONE:
        assert_ok(abut_shape_create_pyramid(p, q, (int32_t)f->r, &shape));
        break;
    case FIGURE_WEDGE:
        s = figure_solid(f, scale);
        shape = solid_shape(&s);
        solid_free(&s);
        break;
    case FIGURE_PLANE:
        assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, 1), 0.0, &shape));
        break;
    }
    return shape;
}

oracle_body figure_oracle(const figure *f, abut_pose pose, double scale) {
    if (is_round(f)) {
        return oracle_capsule(scale * f->p, f->kind == FIGURE_CAPSULE ? scale * f->q : 0.0, pose);
    }
    solid s = figure_solid(f, scale);
    oracle_body body = oracle_solid(&s, pose);
    solid_free(&s);
    return body;
}

double figure_reach(const figure *f) {
    if (f->kind == FIGURE_PLANE) {
        return 0.0;
    }
    oracle_body body = figure_oracle(f, abut_pose_identity(), 1.0);
    double reach = 0.0;
    for (int32_t i = 0; i < body.vertex_count; i++) {
        reach = fmax(reach, abut_length(body.vertices[i]));
    }
    reach += body.radius;
    oracle_free(&body);
    return reach;
}

/* The pair of a case in one of its variants. */
typedef struct guise {
    const figure_case *c;
    check_pair pair;
    abut_collide_settings settings;
    abut_vec3 normal;    /* expected, or zero */
    double gap, area;    /* expected */
    double depth_factor; /* the gap found may be up to this many times as deep as the gap expected */
    double placing;      /* rounding error of the bodies' positions */
    double rounding;     /* and of the gap */
} guise;

static check_answer answer;

static void check_numbers(tally *t, const guise *g) {
    double deepest = check_deepest(&answer), lowest = g->gap < 0.0 ? g->depth_factor * g->gap : g->gap;
    if (!(deepest <= g->gap + g->rounding && deepest >= lowest - g->rounding)) {
        tally_fail(t, "gap", "%.17g, expected %.17g", deepest, g->gap);
    }
    if (g->depth_factor > 1.0) {
        return; /* another normal, and so other points */
    }
    abut_vec3 n = answer.contacts[0].normal;
    /* Across a gap, the error of the direction is that of the bodies' positions over the gap. */
    double turned = g->gap > 0.0 ? fmax(1e-9, g->placing / g->gap) : 1e-9;
    if (abut_length(g->normal) > 0.0 && !(abut_distance_between(n, g->normal) <= turned)) {
        tally_fail(t, "normal", "(%.9f, %.9f, %.9f), expected (%.9f, %.9f, %.9f)", n.x, n.y, n.z, g->normal.x, g->normal.y, g->normal.z);
    }
    if (g->c->count > 0 && answer.count != g->c->count) {
        tally_fail(t, "number of contacts", "%d, expected %d", (int)answer.count, (int)g->c->count);
    }
    if (g->c->area > 0.0 && !(fabs(check_area(&answer) - g->area) <= 1e-9 * g->area)) {
        tally_fail(t, "area", "%.17g, expected %.17g", check_area(&answer), g->area);
    }
}

/* The settings hold the margin. */
static void check_answer_of(tally *t, const guise *g) {
    double margin = g->settings.margin;
    check_collide(t, &g->pair, &g->settings, &answer);
    if ((answer.count > 0) != (g->gap <= margin) && fabs(g->gap - margin) > g->rounding) {
        tally_fail(t, answer.count > 0 ? "a contact of bodies apart" : "no contact", "%d contacts, gap expected %.17g, margin %.17g",
                   (int)answer.count, g->gap, margin);
    }
    if (answer.count == 0) {
        return;
    }
    check_contacts(t, &g->pair, &answer, margin, false);
    if (g->pair.oracle_a && g->pair.oracle_b) {
        check_certificate(t, &g->pair, &answer, margin);
    }
    check_numbers(t, g);
}

/* Margins of zero, of exactly the gap, and larger ones: the values do not depend on the margin. */
static void check_margins(tally *t, guise *g, double size) {
    g->settings.margin = 0.0;
    check_answer_of(t, g);
    if (g->gap > 0.0) {
        g->settings.margin = 0.999 * g->gap;
        check_answer_of(t, g);
        g->settings.margin = 1.001 * g->gap;
        check_answer_of(t, g);
        return;
    }
    figure_case any_count = *g->c;
    any_count.count = 0; /* a margin adds corners that are apart */
    any_count.area = 0.0;
    guise wide = *g;
    wide.c = &any_count;
    wide.settings.margin = size;
    check_answer_of(t, &wide);
}

static void check_guise(tally *t, const figure_case *c, abut_shape *const shapes[2], abut_pose motion, double scale, bool swapped) {
    const figure *first = swapped ? &c->b : &c->a, *second = swapped ? &c->a : &c->b;
    double size = scale * fmax(figure_reach(&c->a), figure_reach(&c->b));
    guise g = {.c = c, .gap = scale * c->gap, .area = scale * scale * c->area};
    g.pair = (check_pair){.a = shapes[swapped], .b = shapes[!swapped], .size = size, .weld = 1e-6 * size};
    g.pair.pose_a = abut_pose_compose(motion, figure_pose(first, scale));
    g.pair.pose_b = abut_pose_compose(motion, figure_pose(second, scale));
    g.placing = 8.0 * DBL_EPSILON * (abut_length(g.pair.pose_a.position) + abut_length(g.pair.pose_b.position) + size);
    g.rounding = 1e-12 * size + g.placing;
    g.normal = abut_quat_rotate(motion.rotation, swapped ? abut_neg(c->normal) : c->normal);
    oracle_body a = {0}, b = {0};
    if (first->kind != FIGURE_PLANE) {
        a = figure_oracle(first, g.pair.pose_a, scale);
        g.pair.oracle_a = &a;
    }
    if (second->kind != FIGURE_PLANE) {
        b = figure_oracle(second, g.pair.pose_b, scale);
        g.pair.oracle_b = &b;
    }
    if (g.pair.oracle_a && g.pair.oracle_b && !swapped) {
        double found = oracle_signed_distance(&a, &b);
        if (!(fabs(found - g.gap) <= g.rounding)) {
            tally_fail(t, "the table is wrong", "gap %.17g, by the referee %.17g", g.gap, found);
        }
    }
    for (int policy = 0; policy < 2; policy++) {
        g.settings = abut_collide_settings_default();
        g.settings.normal = policy ? ABUT_NORMAL_MINIMUM : ABUT_NORMAL_GROWTH;
        g.depth_factor = !(c->growth > 1.0) ? 1.0 : policy == 0 ? c->growth : 1.0 + 1e-9;
        tally_sample(t, "%s, scale %g%s%s, %s", c->name, scale, swapped ? ", swapped" : "",
                     abut_length(motion.position) > 0.0 ? ", moved" : "", policy ? "minimum" : "growth");
        check_margins(t, &g, size);
    }
    oracle_free(&a);
    oracle_free(&b);
}

void figure_check(tally *t, const figure_case *c, double scale) {
    abut_shape *shapes[2] = {figure_shape(&c->a, scale), figure_shape(&c->b, scale)};
    double size = scale * fmax(figure_reach(&c->a), figure_reach(&c->b));
    abut_vec3 axis = abut_unit(abut_vec3_make(0.3, -0.5, 0.7));
    abut_pose moved = {abut_scale(size, abut_vec3_make(1.7, -0.9, 2.3)), abut_quat_about(axis, 2.0)};
    for (int order = 0; order < 2; order++) {
        check_guise(t, c, shapes, abut_pose_identity(), scale, order);
        check_guise(t, c, shapes, moved, scale, order);
    }
    abut_shape_release(shapes[0]);
    abut_shape_release(shapes[1]);
}

void figure_check_all(const figure_case *cases, size_t count, const double *scales, size_t scale_count) {
    static tally t;
    t = (tally){0};
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < scale_count; k++) {
            figure_check(&t, &cases[i], scales[k]);
        }
    }
    tally_end(&t);
}
