/* Shared assertions and invariants of the contact tests. See check.h. World frame; normals from B into A. */
#include "support/check.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *check_memory(size_t count, size_t size) {
    void *block = calloc(count ? count : 1, size);
    assert_non_null(block);
    return block;
}

void check_near(double actual, double expected, double tolerance, const char *what, const char *file, int line) {
    if (!(fabs(actual - expected) <= tolerance)) {
        print_error("%s: %.17g, expected %.17g, off by %.3g > %.3g\n", what, actual, expected, actual - expected, tolerance);
        _fail(file, line);
    }
}

void check_vec3_near(abut_vec3 actual, abut_vec3 expected, double tolerance, const char *what, const char *file, int line) {
    if (!(abut_distance_between(actual, expected) <= tolerance)) {
        print_error("%s: (%.15g, %.15g, %.15g), expected (%.15g, %.15g, %.15g), off by %.3g > %.3g\n", what, actual.x, actual.y, actual.z,
                    expected.x, expected.y, expected.z, abut_distance_between(actual, expected), tolerance);
        _fail(file, line);
    }
}

void check_status(abut_status actual, abut_status expected, const char *what, const char *file, int line) {
    if (actual != expected) {
        print_error("%s: %s, expected %s\n", what, abut_status_name(actual), abut_status_name(expected));
        _fail(file, line);
    }
}

void tally_sample(tally *t, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(t->sample, sizeof t->sample, format, arguments);
    va_end(arguments);
}

void tally_fail(tally *t, const char *what, const char *format, ...) {
    for (int32_t k = 0; k < t->kinds; k++) {
        if (strcmp(t->kind[k].what, what) == 0) {
            t->kind[k].count++;
            return;
        }
    }
    assert_true(t->kinds < TALLY_KINDS);
    tally_kind *kind = &t->kind[t->kinds++];
    char detail[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    snprintf(kind->what, sizeof kind->what, "%s", what);
    snprintf(kind->first, sizeof kind->first, "%s [%s]", detail, t->sample);
    kind->count = 1;
}

void tally_end(const tally *t) {
    for (int32_t k = 0; k < t->kinds; k++) {
        print_error("%6d x %s\n         first: %s\n", (int)t->kind[k].count, t->kind[k].what, t->kind[k].first);
    }
    assert_int_equal(t->kinds, 0);
}

void check_collide(tally *t, const check_pair *pair, const abut_collide_settings *settings, check_answer *answer) {
    answer->count = -1;
    abut_status status = abut_collide(&(abut_pair){pair->a, pair->pose_a, pair->b, pair->pose_b}, settings, NULL, answer->contacts,
                                      CHECK_CAPACITY, &answer->count);
    if (status != ABUT_OK || answer->count < 0 || answer->count > CHECK_CAPACITY) {
        tally_fail(t, "abut_collide status", "%s, count %d", abut_status_name(status), (int)answer->count);
        answer->count = 0;
    }
}

static abut_vec3 local_vertex(const abut_polytope_view *view, int32_t i) { return view->vertices[i]; }

static double feature_distance_polytope(const abut_polytope_view *view, abut_feature feature, abut_vec3 x) {
    if (feature.kind == ABUT_FEATURE_VERTEX && feature.index >= 0 && feature.index < view->vertex_count) {
        return abut_distance_between(x, local_vertex(view, feature.index));
    }
    if (feature.kind == ABUT_FEATURE_EDGE && feature.index >= 0 && feature.index < view->edge_count) {
        const int32_t *edge = view->edge_vertices + 2 * feature.index;
        return abut_distance_between(x, oracle_on_segment(x, local_vertex(view, edge[0]), local_vertex(view, edge[1])));
    }
    if (feature.kind == ABUT_FEATURE_FACE && feature.index >= 0 && feature.index < view->face_count) {
        const int32_t *loop = view->face_vertices + view->face_first[feature.index];
        int32_t size = view->face_first[feature.index + 1] - view->face_first[feature.index];
        double least = DBL_MAX;
        for (int32_t i = 1; i + 1 < size; i++) {
            abut_vec3 y = oracle_on_triangle(x, local_vertex(view, loop[0]), local_vertex(view, loop[i]), local_vertex(view, loop[i + 1]));
            least = fmin(least, abut_distance_between(x, y));
        }
        return least;
    }
    return INFINITY;
}

/* Distance of the point from its reported feature; infinite for a feature that the shape does not have. */
static double feature_distance(const abut_shape *shape, abut_pose pose, abut_feature feature, abut_vec3 point) {
    abut_part part;
    if (abut_shape_part(shape, feature.part, &part) != ABUT_OK) {
        return INFINITY;
    }
    abut_vec3 x = abut_pose_apply_inverse(part.pose, abut_pose_apply_inverse(pose, point));
    abut_polytope_view view;
    double radius = abut_shape_radius(part.shape), half = abut_shape_half_length(part.shape);
    abut_vec3 top = abut_vec3_make(0, 0, half), bottom = abut_vec3_make(0, 0, -half);
    switch (abut_shape_kind(part.shape)) {
    case ABUT_SHAPE_BOX:
    case ABUT_SHAPE_POLYTOPE:
        return abut_shape_polytope(part.shape, &view) == ABUT_OK ? feature_distance_polytope(&view, feature, x) : INFINITY;
    case ABUT_SHAPE_SPHERE:
        return feature.kind == ABUT_FEATURE_SMOOTH && feature.index == 0 ? fabs(abut_length(x) - radius) : INFINITY;
    case ABUT_SHAPE_CAPSULE:
        if (feature.kind != ABUT_FEATURE_SMOOTH || feature.index < 0 || feature.index > 2) {
            return INFINITY;
        }
        /* Along a normal that is not quite perpendicular to the axis, the point of an end lies slightly down the side. */
        return fabs(abut_distance_between(x, oracle_on_segment(x, bottom, top)) - radius);
    case ABUT_SHAPE_PLANE:
        return feature.kind == ABUT_FEATURE_FACE && feature.index == 0
                   ? fabs(abut_dot(abut_shape_plane_normal(part.shape), x) - abut_shape_plane_offset(part.shape))
                   : INFINITY;
    default:
        return INFINITY;
    }
}

static void check_points(tally *t, const check_pair *pair, const abut_contact *c, double tolerance) {
    abut_vec3 a = abut_sub(c->on_a, pair->origin), b = abut_sub(c->on_b, pair->origin);
    double off_a = pair->oracle_a ? fabs(oracle_outside(pair->oracle_a, a)) : 0.0;
    double off_b = pair->oracle_b ? fabs(oracle_outside(pair->oracle_b, b)) : 0.0;
    const char *kind = c->flags & ABUT_CONTACT_WITNESS ? "witness point off the surface" : "point off the surface";
    if (!(off_a <= tolerance && off_b <= tolerance)) {
        tally_fail(t, kind, "A off by %.3g, B by %.3g, allowed %.3g, gap %.3g", off_a, off_b, tolerance, c->gap);
    }
    /* Positions of features are exact within the weld distance. */
    tolerance = fmax(tolerance, 2e-6 * pair->size);
    off_a = feature_distance(pair->a, pair->pose_a, c->feature_a, c->on_a);
    off_b = feature_distance(pair->b, pair->pose_b, c->feature_b, c->on_b);
    if (!(off_a <= tolerance)) {
        tally_fail(t, c->flags & ABUT_CONTACT_WITNESS ? "witness point off its feature of A" : "point off its feature of A",
                   "kind %d index %d part %d, off by %.3g", (int)c->feature_a.kind, (int)c->feature_a.index, (int)c->feature_a.part, off_a);
    }
    if (!(off_b <= tolerance)) {
        tally_fail(t, c->flags & ABUT_CONTACT_WITNESS ? "witness point off its feature of B" : "point off its feature of B",
                   "kind %d index %d part %d, off by %.3g", (int)c->feature_b.kind, (int)c->feature_b.index, (int)c->feature_b.part, off_b);
    }
}

/* `alone`: the patch has no other contact, and none was left out. */
static void check_contact(tally *t, const check_pair *pair, const abut_contact *c, bool alone, double margin, double tolerance) {
    if (!abut_vec3_is_finite(c->on_a) || !abut_vec3_is_finite(c->on_b) || !abut_vec3_is_finite(c->normal) || !isfinite(c->gap) ||
        !isfinite(c->area)) {
        tally_fail(t, "not finite", "normal (%g, %g, %g) gap %g area %g", c->normal.x, c->normal.y, c->normal.z, c->gap, c->area);
        return;
    }
    if (!(fabs(abut_length(c->normal) - 1.0) <= 1e-12)) {
        tally_fail(t, "normal not unit", "length %.17g", abut_length(c->normal));
    }
    abut_vec3 between = abut_sub(c->on_a, c->on_b);
    if (!(fabs(abut_dot(c->normal, between) - c->gap) <= tolerance)) {
        tally_fail(t, "gap is not n . (a - b)", "gap %.17g, n . (a - b) %.17g", c->gap, abut_dot(c->normal, between));
    }
    /* Two edges parallel within the feature angle touch along a line. The two points of a contact on it are not exactly opposite each other. */
    bool edges = c->feature_a.kind != ABUT_FEATURE_FACE && c->feature_b.kind != ABUT_FEATURE_FACE && !alone;
    double allowed = edges ? fmax(tolerance, 0.04 * pair->size) : tolerance;
    if (!(c->flags & ABUT_CONTACT_WITNESS) && !(abut_length(abut_add_scaled(between, -c->gap, c->normal)) <= allowed)) {
        tally_fail(t, "a - b is not along the normal", "off by %.3g", abut_length(abut_add_scaled(between, -c->gap, c->normal)));
    }
    if (!(c->gap <= margin + 1e-2 * tolerance)) {
        tally_fail(t, "gap above the margin", "gap %.17g margin %.17g", c->gap, margin);
    }
    if (!(c->area >= 0.0)) {
        tally_fail(t, "negative area", "%.17g", c->area);
    }
    check_points(t, pair, c, tolerance);
}

int32_t check_patch_count(const check_answer *answer, int32_t first) {
    int32_t count = 1;
    while (first + count < answer->count && answer->contacts[first + count].patch == answer->contacts[first].patch) {
        count++;
    }
    return count;
}

static void patch_polygon(const abut_contact *contacts, int32_t first, int32_t count, oracle_point2 *polygon) {
    abut_vec3 u, v, origin = contacts[first].on_b;
    abut_tangent_frame(contacts[first].normal, &u, &v);
    for (int32_t i = 0; i < count; i++) {
        abut_vec3 p = abut_sub(contacts[first + i].on_b, origin);
        polygon[i].x = abut_dot(u, p);
        polygon[i].y = abut_dot(v, p);
    }
}

double check_patch_area(const abut_contact *contacts, int32_t first, int32_t count) {
    oracle_point2 polygon[CHECK_CAPACITY];
    patch_polygon(contacts, first, count, polygon);
    return oracle_polygon_area(polygon, count);
}

static void check_convex(tally *t, const abut_contact *contacts, int32_t first, int32_t count, double tolerance) {
    oracle_point2 polygon[CHECK_CAPACITY];
    patch_polygon(contacts, first, count, polygon);
    double area = oracle_polygon_area(polygon, count), hull = oracle_hull_area(polygon, count), reach = 0.0;
    for (int32_t i = 0; i < count; i++) {
        oracle_point2 p = polygon[i], q = polygon[(i + 1) % count], r = polygon[(i + 2) % count];
        double ux = q.x - p.x, uy = q.y - p.y, vx = r.x - q.x, vy = r.y - q.y;
        double height = (ux * vy - uy * vx) / fmax(hypot(ux, uy), DBL_MIN);
        reach = fmax(reach, hypot(ux, uy));
        if (!(height >= -tolerance)) {
            tally_fail(t, "patch not convex and counter-clockwise", "corner %d of %d lies %.3g to the right", (int)((i + 2) % count),
                       (int)count, -height);
            return;
        }
    }
    if (!(fabs(area - hull) <= tolerance * reach * count)) {
        tally_fail(t, "patch winds more than once", "%d corners, area %.17g, hull %.17g", (int)count, area, hull);
    }
}

static void check_patch(tally *t, const check_pair *pair, const abut_contact *contacts, int32_t first, int32_t count, bool whole,
                        double tolerance) {
    double shares = 0.0;
    for (int32_t i = first; i < first + count; i++) {
        shares += contacts[i].area;
        if (abut_length(abut_sub(contacts[i].normal, contacts[first].normal)) > (pair->compound ? 1e-12 : 0.0)) {
            tally_fail(t, "a patch with two normals", "differ by %.3g", abut_length(abut_sub(contacts[i].normal, contacts[first].normal)));
        }
        for (int32_t j = first; j < i; j++) {
            double apart =
                fmax(abut_distance_between(contacts[i].on_a, contacts[j].on_a), abut_distance_between(contacts[i].on_b, contacts[j].on_b));
            if (apart <= tolerance) {
                tally_fail(t, "the same point twice in a patch", "%d corners, %d and %d are %.3g apart", (int)count, (int)(j - first),
                           (int)(i - first), apart);
            }
        }
    }
    if (count >= 3) {
        check_convex(t, contacts, first, count, tolerance);
    }
    if (pair->compound) {
        return;
    }
    double area = check_patch_area(contacts, first, count), slack = 1e-9 * pair->size * pair->size;
    if (whole && !(shares >= area - slack && shares <= area + slack + 8.0 * pair->weld * pair->size)) {
        tally_fail(t, "area shares do not add up to the patch", "%d corners, shares %.17g, polygon %.17g", (int)count, shares, area);
    }
    if (!whole && !(shares >= area - slack)) {
        tally_fail(t, "area shares less than the polygon of the kept corners", "%d corners, shares %.17g, polygon %.17g", (int)count,
                   shares, area);
    }
}

void check_contacts(tally *t, const check_pair *pair, const check_answer *answer, double margin, bool whole) {
    double far = fmax(abut_length(pair->pose_a.position), abut_length(pair->pose_b.position));
    double tolerance = 1e-9 * pair->size + 16.0 * DBL_EPSILON * far;
    bool cut = !whole && margin > 0.0; /* one of two corners may lie beyond the margin */
    for (int32_t i = 0; i < answer->count; i++) {
        bool alone = !cut && (i == 0 || answer->contacts[i - 1].patch != answer->contacts[i].patch) && check_patch_count(answer, i) == 1;
        check_contact(t, pair, &answer->contacts[i], alone, margin, tolerance);
        for (int32_t j = 0; j < i; j++) {
            if (answer->contacts[i].id == answer->contacts[j].id) {
                tally_fail(t, "an id twice", "contacts %d and %d of %d", (int)j, (int)i, (int)answer->count);
            }
        }
    }
    int32_t patch = 0;
    for (int32_t first = 0; first < answer->count;) {
        int32_t count = check_patch_count(answer, first);
        if (answer->contacts[first].patch != patch++) {
            tally_fail(t, "patches are not numbered from 0 in turn", "patch %d at contact %d", (int)answer->contacts[first].patch,
                       (int)first);
        }
        check_patch(t, pair, answer->contacts, first, count, whole, tolerance);
        first += count;
    }
}

double check_area(const check_answer *answer) {
    double area = 0.0;
    for (int32_t i = 0; i < answer->count; i++) {
        area += answer->contacts[i].area;
    }
    return area;
}

double check_deepest(const check_answer *answer) {
    double deepest = INFINITY;
    for (int32_t i = 0; i < answer->count; i++) {
        deepest = fmin(deepest, answer->contacts[i].gap);
    }
    return deepest;
}

void check_certificate(tally *t, const check_pair *pair, const check_answer *answer, double margin) {
    if (answer->count == 0) {
        return;
    }
    double along = oracle_gap_along(pair->oracle_a, pair->oracle_b, answer->contacts[0].normal), deepest = check_deepest(answer);
    double tolerance = 1e-9 * pair->size;
    if (!(deepest >= along - tolerance)) {
        tally_fail(t, "a gap below the separation along the normal", "deepest %.17g, separation %.17g", deepest, along);
    }
    if (!(deepest <= along + tolerance) && along <= margin) {
        tally_fail(t, "the deepest gap is above the separation along the normal",
                   "deepest %.17g, separation %.17g, %d contacts, flags %u, features %d %d", deepest, along, (int)answer->count,
                   (unsigned)answer->contacts[0].flags, (int)answer->contacts[0].feature_a.kind, (int)answer->contacts[0].feature_b.kind);
    }
}

const abut_contact *check_find(const check_answer *answer, uint64_t id) {
    for (int32_t i = 0; i < answer->count; i++) {
        if (answer->contacts[i].id == id) {
            return &answer->contacts[i];
        }
    }
    return NULL;
}

static const abut_contact *find_nearest(const check_answer *answer, abut_vec3 on_a) {
    const abut_contact *nearest = NULL;
    double least = INFINITY;
    for (int32_t i = 0; i < answer->count; i++) {
        double distance = abut_distance_between(answer->contacts[i].on_a, on_a);
        if (distance < least) {
            least = distance;
            nearest = &answer->contacts[i];
        }
    }
    return nearest;
}

void check_same(tally *t, const char *what, const check_answer *actual, const check_answer *expected, abut_pose motion, double scale,
                bool by_id, double tolerance) {
    if (actual->count != expected->count) {
        tally_fail(t, what, "%d contacts, expected %d; deepest %.17g, expected %.17g", (int)actual->count, (int)expected->count,
                   check_deepest(actual), scale * check_deepest(expected));
        return;
    }
    for (int32_t i = 0; i < expected->count; i++) {
        const abut_contact *e = &expected->contacts[i];
        abut_vec3 on_a = abut_scale(scale, abut_pose_apply(motion, e->on_a)), on_b = abut_scale(scale, abut_pose_apply(motion, e->on_b));
        abut_vec3 normal = abut_quat_rotate(motion.rotation, e->normal);
        const abut_contact *c = by_id ? check_find(actual, e->id) : find_nearest(actual, on_a);
        if (!c) {
            tally_fail(t, what, "no contact with the id %016llx", (unsigned long long)e->id);
            return;
        }
        double off_a = abut_distance_between(c->on_a, on_a), off_b = abut_distance_between(c->on_b, on_b);
        double off_gap = fabs(c->gap - scale * e->gap), off_area = fabs(c->area - scale * scale * e->area),
               off_normal = abut_distance_between(c->normal, normal);
        bool same = off_a <= tolerance && off_b <= tolerance && off_gap <= tolerance && off_area <= tolerance * scale * 10.0 &&
                    off_normal <= 1e-9 && c->flags == e->flags;
        if (!same) {
            tally_fail(t, what, "contact %d of %d: on_a off %.3g, on_b %.3g, gap %.3g, area %.3g, normal %.3g, flags %u and %u", (int)i,
                       (int)expected->count, off_a, off_b, off_gap, off_area, off_normal, (unsigned)c->flags, (unsigned)e->flags);
            return;
        }
    }
}

void check_swap(const check_answer *answer, check_answer *swapped) {
    swapped->count = answer->count;
    for (int32_t i = 0; i < answer->count; i++) {
        abut_contact c = answer->contacts[i], s = c;
        s.on_a = c.on_b;
        s.on_b = c.on_a;
        s.normal = abut_neg(c.normal);
        s.feature_a = c.feature_b;
        s.feature_b = c.feature_a;
        swapped->contacts[i] = s;
    }
}

static abut_vec3 mirror(abut_vec3 v) { return abut_vec3_make(-v.x, v.y, v.z); }

void check_mirror(const check_answer *answer, check_answer *mirrored) {
    mirrored->count = answer->count;
    for (int32_t i = 0; i < answer->count; i++) {
        abut_contact c = answer->contacts[i];
        c.on_a = mirror(c.on_a);
        c.on_b = mirror(c.on_b);
        c.normal = mirror(c.normal);
        mirrored->contacts[i] = c;
    }
}

abut_pose check_mirror_pose(abut_pose pose) {
    pose.position = mirror(pose.position);
    pose.rotation = abut_quat_make(pose.rotation.x, -pose.rotation.y, -pose.rotation.z, pose.rotation.w);
    return pose;
}
