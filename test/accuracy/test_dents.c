/* The reported dent of a surface that is not convex, with slivers of aspects up to 1e8. A box whose faces have a point pushed in: the hull is the box, and the
 * depth of an edge below it is the least of six linear functions. */
#include "accuracy/accuracy.h"

/* One end of a pushed face's edges: a corner of the box, or the point. Depths below the six faces, exact because coordinates are read as they are. */
typedef struct place {
    long double below[6];
} place;

static place place_of(abut_vec3 half, abut_vec3 p) {
    const double h[3] = {half.x, half.y, half.z}, c[3] = {p.x, p.y, p.z};
    place found;
    for (int i = 0; i < 3; i++) {
        found.below[2 * i] = (long double)h[i] + c[i];
        found.below[2 * i + 1] = (long double)h[i] - c[i];
    }
    return found;
}

static long double depth_of(const place *p, const place *q, long double t) {
    long double least = INFINITY;
    for (int i = 0; i < 6; i++) {
        least = fminl(least, p->below[i] + t * (q->below[i] - p->below[i]));
    }
    return least;
}

/* The largest depth between two places: at an end, or where two of the six functions meet. */
static long double deepest_between(const place *p, const place *q) {
    long double most = fmaxl(depth_of(p, q, 0.0L), depth_of(p, q, 1.0L));
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < i; k++) {
            long double from = p->below[i] - p->below[k], to = q->below[k] - q->below[i];
            long double t = from + to != 0.0L ? from / (from + to) : -1.0L;
            most = t > 0.0L && t < 1.0L ? fmaxl(most, depth_of(p, q, t)) : most;
        }
    }
    return most;
}

typedef struct pushed_box {
    abut_vec3 half, vertex[14];
    int32_t sizes[24], corners[72], vertex_count, face_count, corner_count;
    long double dent;
} pushed_box;

static void add_face(pushed_box *box, int32_t count, const int32_t *corner) {
    for (int32_t i = 0; i < count; i++) {
        box->corners[box->corner_count++] = corner[i];
    }
    box->sizes[box->face_count++] = count;
}

static void push_face(pushed_box *box, random_state *random, const int32_t face[4]) {
    /* Anywhere, or so near to one side that the triangle there is a sliver. */
    double s = random_range(random, 0.01, 0.99),
           t = random_below(random, 2) ? random_range(random, 0.01, 0.99) : random_log_range(random, 1e-8, 1e-1);
    abut_vec3 a = box->vertex[face[0]], along = abut_sub(box->vertex[face[1]], a), across = abut_sub(box->vertex[face[3]], a);
    abut_vec3 inward = abut_scale(-1.0, abut_unit(abut_cross(along, across)));
    double depth = random_log_range(random, 1e-5, 0.3) * fmin(box->half.x, fmin(box->half.y, box->half.z));
    int32_t point = box->vertex_count++;
    box->vertex[point] = abut_add_scaled(abut_add_scaled(abut_add_scaled(a, s, along), t, across), depth, inward);
    place middle = place_of(box->half, box->vertex[point]);
    for (int i = 0; i < 4; i++) {
        place corner = place_of(box->half, box->vertex[face[i]]);
        box->dent = fmaxl(box->dent, deepest_between(&middle, &corner));
        add_face(box, 3, (int32_t[]){face[i], face[(i + 1) % 4], point});
    }
}

static pushed_box make_box(random_state *random) {
    static const int32_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    double size = random_log_range(random, 1e-6, 1e6);
    pushed_box box = {.vertex_count = 8};
    box.half = abut_vec3_make(size * random_log_range(random, 0.05, 1.0), size * random_log_range(random, 0.05, 1.0), size);
    for (int i = 0; i < 8; i++) {
        box.vertex[i] =
            abut_vec3_make(i & 1 ? box.half.x : -box.half.x, i & 2 ? box.half.y : -box.half.y, i & 4 ? box.half.z : -box.half.z);
    }
    int32_t pushed = random_below(random, 6);
    for (int f = 0; f < 6; f++) {
        if (f == pushed || random_below(random, 4) == 0) {
            push_face(&box, random, faces[f]);
        } else {
            add_face(&box, 4, faces[f]);
        }
    }
    return box;
}

static void test_dents(void **state) {
    (void)state;
    if (!ABUT_TEST_HAS_HULL) {
        skip();
    }
    accuracy *row =
        accuracy_begin("dent of a surface that is not convex, with slivers", "six linear functions, long double", "depth / size", 1e-14);
    int32_t count = accuracy_samples(100000);
    for (int32_t i = 0; i < count; i++) {
        random_state random = random_make((uint64_t)i);
        accuracy_next(row, (uint64_t)i);
        pushed_box box = make_box(&random);
        abut_polytope_def def = {box.vertex, box.vertex_count, box.sizes, box.face_count, box.corners, 0.0};
        abut_polytope_report report;
        abut_shape *shape = NULL;
        abut_status status = abut_shape_create_polytope(&def, &report, &shape);
        if (status != ABUT_ERROR_NOT_CONVEX) {
            accuracy_wrong(row, "%s", abut_status_name(status));
            abut_shape_release(shape);
            continue;
        }
        accuracy_error(row, fabs(report.dent - (double)box.dent) / box.half.z, "dent %.17g, exact %.17Lg", report.dent, box.dent);
    }
    accuracy_end(row);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_dents)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
