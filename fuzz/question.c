#include "question.h"

#include <abut/smooth.h>

#include "shapes.h"
#include "target.h"

static abut_collide_settings read_settings(bytes *in, double scale) {
    abut_collide_settings s = abut_collide_settings_default();
    uint8_t which = bytes_byte(in), how = bytes_byte(in);
    s.normal = how & 1 ? ABUT_NORMAL_MINIMUM : ABUT_NORMAL_GROWTH;
    s.contraction = how & 2 ? ABUT_CONTRACTION_CENTROID : ABUT_CONTRACTION_CORE;
    s.baseline.growth = how & 4 ? ABUT_GROWTH_RAY_CAST : ABUT_GROWTH_EXPANSION;
    s.refine_normal = (how & 8) == 0;
    if (which & 1) {
        s.margin = scale * fabs(bytes_number(in));
    }
    if (which & 2) {
        s.feature_angle = fmin(fabs(bytes_number(in)), 0.78539816339744831);
    }
    if (which & 4) {
        s.previous_normal = shapes_read_vec3(in, 1.0);
    }
    if (which & 8) {
        s.weld = 0.1 * fmin(fabs(bytes_number(in)), 1.0);
    }
    if (how >= 240) { /* may be out of range */
        s.margin = bytes_number(in);
        s.feature_angle = bytes_number(in);
        s.weld = bytes_number(in);
        s.normal = (abut_normal_policy)bytes_below(in, 4);
        s.baseline.growth = (abut_growth_method)bytes_below(in, 4);
        s.contraction = (abut_contraction)bytes_below(in, 4);
    }
    return s;
}

static abut_feature read_feature(bytes *in) {
    uint8_t what = bytes_byte(in);
    abut_feature feature = {.kind = (abut_feature_kind)(what % 6)};
    feature.index = bytes_below(in, 64);
    feature.part = what >= 200 ? bytes_below(in, 8) : 0;
    if (what % 16 == 15) {
        bytes_raw(in, &feature.index, sizeof feature.index);
    }
    return feature;
}

static abut_cache read_cache(bytes *in) {
    abut_cache cache = {.axis = shapes_read_vec3(in, 1.0)};
    cache.feature_a = read_feature(in);
    cache.feature_b = read_feature(in);
    return cache;
}

/* Moves B so that its bounds and those of A nearly touch: stacks, overlaps, grazing contacts. */
static void abut_bounds(bytes *in, question *q) {
    uint8_t how = bytes_byte(in);
    abut_aabb a = abut_shape_bounds(q->a, q->pose_a), b = abut_shape_bounds(q->b, q->pose_b);
    double step = bytes_small(in);
    double *position[3] = {&q->pose_b.position.x, &q->pose_b.position.y, &q->pose_b.position.z};
    const double upper_a[3] = {a.upper.x, a.upper.y, a.upper.z}, lower_b[3] = {b.lower.x, b.lower.y, b.lower.z};
    double size = upper_a[how % 3] - (how % 3 == 0 ? a.lower.x : how % 3 == 1 ? a.lower.y : a.lower.z);
    double moved = *position[how % 3] + upper_a[how % 3] - lower_b[how % 3] + step * size;
    if (isfinite(moved)) {
        *position[how % 3] = moved;
    }
}

static void read_poses(bytes *in, double scale, question *q) {
    uint8_t how = bytes_byte(in);
    q->pose_a = shapes_read_pose(in, scale);
    q->pose_b = shapes_read_pose(in, scale);
    if (how & 1) {
        abut_bounds(in, q);
    }
    if (how & 2) {
        q->pose_b.rotation = q->pose_a.rotation;
    }
    if (how >= 224) { /* both far away */
        abut_vec3 away = shapes_read_vec3(in, scale * pow(10.0, bytes_below(in, 20)));
        q->pose_a.position = abut_add(q->pose_a.position, away);
        q->pose_b.position = abut_add(q->pose_b.position, away);
    }
}

static void describe_pose(const char *name, abut_pose pose) {
    fprintf(stderr, "  %s at {%.17g, %.17g, %.17g} turned {%.17g, %.17g, %.17g, %.17g}\n", name, pose.position.x, pose.position.y,
            pose.position.z, pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w);
}

static void describe(const question *q) {
    const abut_collide_settings *s = &q->settings;
    describe_pose("A", q->pose_a);
    describe_pose("B", q->pose_b);
    fprintf(stderr, "  margin %.17g, feature angle %.17g, normal %d, contraction %d, method %d, refine %d, weld %.17g\n", s->margin,
            s->feature_angle, (int)s->normal, (int)s->contraction, (int)s->baseline.growth, s->refine_normal, s->weld);
    const abut_cache *c = &q->cache;
    fprintf(stderr, "  previous {%.17g, %.17g, %.17g}%s\n", s->previous_normal.x, s->previous_normal.y, s->previous_normal.z,
            q->a == q->b ? ", B is A" : "");
    fprintf(stderr, "  cache {{%.17g, %.17g, %.17g}, {%d, %d, %d}, {%d, %d, %d}}\n", c->axis.x, c->axis.y, c->axis.z,
            (int)c->feature_a.kind, (int)c->feature_a.index, (int)c->feature_a.part, (int)c->feature_b.kind, (int)c->feature_b.index,
            (int)c->feature_b.part);
}

question question_read(bytes *in) {
    question q = {.a = NULL};
    uint8_t how = bytes_byte(in);
    in->wild = (how & 7) == 7;
    double scale = (how & 0x18) == 0x18 ? pow(10.0, bytes_below(in, 120) - 60) : 1.0;
    q.settings = read_settings(in, scale);
    if (how & 0x20) {
        q.cache = read_cache(in);
    }
    q.a = shapes_read(in, scale);
    q.b = (how & 0xc0) == 0xc0 ? (abut_shape *)(uintptr_t)abut_shape_retain(q.a) : shapes_read(in, scale);
    read_poses(in, scale, &q);
    if (q.a != NULL && q.b != NULL && fuzz_describes()) {
        describe(&q);
    }
    return q;
}

static int32_t smooth_parts(const abut_shape *shape) {
    int32_t count = 0;
    for (int32_t i = 0; i < abut_shape_part_count(shape); i++) {
        abut_part part;
        abut_shape_part(shape, i, &part);
        count += abut_shape_semi_axes(part.shape).x > 0.0;
    }
    return count;
}

/* Two smooth parts deep in each other, with many directions that are nearly as good as the best, take up to four milliseconds: the least depth is proved by
 * bounds over the whole sphere (src/narrow/normal/extremal/least.c). */
static int32_t smooth_pairs(const question *q) { return smooth_parts(q->a) * smooth_parts(q->b); }

bool question_is_slow(const question *q) { return smooth_pairs(q) > 16; }

/* Every part of one body may meet every part of the other. A pair of parts takes ten microseconds, and twenty times that with the sanitizers. */
bool question_is_big(const question *q) {
    const int32_t most_pairs = 300, most_smooth_pairs = 64;
    return shapes_vertex_count(q->a) + shapes_vertex_count(q->b) > 400 ||
           abut_shape_part_count(q->a) * abut_shape_part_count(q->b) > most_pairs || smooth_pairs(q) > most_smooth_pairs;
}

question question_swapped(const question *q) {
    question s = *q;
    s.a = q->b;
    s.b = q->a;
    s.pose_a = q->pose_b;
    s.pose_b = q->pose_a;
    s.settings.previous_normal = abut_neg(q->settings.previous_normal);
    return s;
}

abut_cache question_stale_cache(const question *q) {
    abut_cache cache = {.axis = {0, 0, 0}};
    abut_aabb bounds = abut_shape_bounds(q->a, abut_pose_identity());
    double step = 0.1 * (bounds.upper.x - bounds.lower.x);
    abut_pose moved = q->pose_b;
    moved.position.x += isfinite(step) ? step : 0.0;
    int32_t count;
    abut_collide(&(abut_pair){q->a, q->pose_a, q->b, moved}, &q->settings, &cache, NULL, 0, &count);
    return cache;
}

void question_release(question *q) {
    abut_shape_release(q->a);
    abut_shape_release(q->b);
    *q = (question){.a = NULL};
}
