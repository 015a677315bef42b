/* Words for pairs of shapes that are refused: what is wrong with the shapes, their poses or the settings. */
#include <stdio.h>

#include "base/argument.h"
#include "base/real.h"
#include "narrow/pair.h"

/* From 0 to `most`. */
static bool refused_range(const char *call, const char *settings, const char *field, double value, double most) {
    char name[80];
    (void)snprintf(name, sizeof name, "%s%s", settings, field);
    return argument_is_not_finite(call, name, value) || argument_is_negative(call, name, value) ||
           argument_is_outside(call, name, value, 0.0, most);
}

static bool refused_choice(const char *call, const char *settings, const char *field, int value, int most) {
    char name[80];
    (void)snprintf(name, sizeof name, "%s%s", settings, field);
    return (value < 0 || value > most) && refused_outside(call, name, value, 0.0, most);
}

void collide_refuse_settings(const char *call, const char *settings, const abut_collide_settings *s) {
    const double quarter_turn = 0.25 * REAL_PI;
    char name[80];
    (void)snprintf(name, sizeof name, "%sprevious_normal", settings);
    bool said = argument_is_no_vector(call, name, s->previous_normal) || refused_range(call, settings, "margin", s->margin, INFINITY) ||
                refused_range(call, settings, "feature_angle", s->feature_angle, quarter_turn) ||
                refused_range(call, settings, "weld", s->weld, 0.1) ||
                refused_choice(call, settings, "contraction", (int)s->contraction, ABUT_CONTRACTION_CENTROID) ||
                refused_choice(call, settings, "normal", (int)s->normal, ABUT_NORMAL_MINIMUM) ||
                refused_choice(call, settings, "baseline.growth", (int)s->baseline.growth, ABUT_GROWTH_RAY_CAST) ||
                refused_choice(call, settings, "baseline.mesh_rule", (int)s->baseline.mesh_rule, ABUT_MESH_VORONOI);
    (void)(said || refused_choice(call, settings, "baseline.mesh_identity", (int)s->baseline.mesh_identity, ABUT_MESH_BY_POSITION));
}

/* True when this pose is to blame for the status: of two bad poses the one that is not finite decides it. */
static bool refused_place(abut_status status, const char *call, const char *place, const char *field, const abut_pose *pose) {
    char name[64];
    (void)snprintf(name, sizeof name, "%s%s", place, field);
    bool blamed = collide_check_poses(pose, pose) == status;
    return blamed && refused_pose(call, name, pose);
}

abut_status collide_refuse_poses(abut_status status, const char *call, const char *place, const abut_pose *a, const abut_pose *b) {
    (void)(refused_place(status, call, place, a == b ? "pose" : "pose_a", a) ||
           (a != b && refused_place(status, call, place, "pose_b", b)));
    return status;
}

static bool refused_shapes(const char *call, const char *place, const abut_pair *pair) {
    bool none = pair->a == NULL || pair->b == NULL;
    return none && refused(call, "%s%s is NULL", place, pair->a == NULL ? "a" : "b");
}

static bool refused_kinds(const char *call, const char *place, const abut_shape *a, const abut_shape *b) {
    return refused(call, "%sa and %sb are a %s and a %s: no method exists for this pair", place, place, abut_kind_name(a->kind),
                   abut_kind_name(b->kind));
}

static bool refused_distance(const char *call, const char *place) {
    return refused(call, "%spose_a and %spose_b are too far apart: products of distances overflow", place, place);
}

static bool is_of_arguments(abut_status status) {
    return status == ABUT_ERROR_INVALID_ARGUMENT || status == ABUT_ERROR_NOT_FINITE || status == ABUT_ERROR_UNSUPPORTED_PAIR;
}

/* Names the pair of a batch; one that stands alone keeps its name. */
static void name_place(int32_t index, char place[32]) {
    if (index >= 0) {
        (void)snprintf(place, 32, "pairs[%d].", (int)index);
    }
}

abut_status collide_refuse(abut_status status, const char *call, int32_t index, const abut_pair *pair,
                           const abut_collide_settings *settings) {
    char place[32] = "pair->";
    if (!is_of_arguments(status)) {
        return status;
    }
    name_place(index, place);
    if (argument_is_null(call, "pair", pair) || refused_shapes(call, place, pair)) {
        return status;
    }
    if (settings != NULL && collide_check_settings(settings) != ABUT_OK) {
        collide_refuse_settings(call, "settings->", settings);
        return status;
    }
    if (collide_check_poses(&pair->pose_a, &pair->pose_b) != ABUT_OK) {
        return collide_refuse_poses(status, call, place, &pair->pose_a, &pair->pose_b);
    }
    (void)(status == ABUT_ERROR_UNSUPPORTED_PAIR ? refused_kinds(call, place, pair->a, pair->b) : refused_distance(call, place));
    return status;
}

static bool refused_unplaced(const char *call, const char *place, const char *name, const abut_placed *placed) {
    return !collide_are_placed(placed, placed) && refused(call, "%s%s is not placed: make it with abut_place()", place, name);
}

abut_status collide_refuse_placed(abut_status status, const char *call, int32_t index, const abut_placed *a, const abut_placed *b,
                                  const abut_collide_settings *settings) {
    char place[32] = "";
    if (!is_of_arguments(status)) {
        return status;
    }
    name_place(index, place);
    if (refused_unplaced(call, place, "a", a) || refused_unplaced(call, place, "b", b)) {
        return status;
    }
    if (settings != NULL && collide_check_settings(settings) != ABUT_OK) {
        collide_refuse_settings(call, "settings->", settings);
    } else if (status == ABUT_ERROR_UNSUPPORTED_PAIR) {
        (void)refused_kinds(call, place, a->shape, b->shape);
    } else {
        (void)refused(call, "%sa and %sb are too far apart: products of distances overflow", place, place);
    }
    return status;
}
