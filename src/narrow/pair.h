#pragma once

#include <abut/collide.h>
#include <abut/placed.h>

#include "narrow/normal/contact_normal.h"
#include "narrow/normal/convex.h"
#include "narrow/patch/patch.h"

/*
 * A pair of shapes in its own frame. The pair's frame has A's axes and A's origin. Positions are subtracted first, so that two shapes far from the world's
 * origin lose no digits.
 */

/* The default: 2 degrees. */
#define COLLIDE_FEATURE_ANGLE 0.034906585039886591
#define COLLIDE_FEATURE_SINE 0.034899496702500971

#define COLLIDE_WELD 1e-6

#define COLLIDE_DEFAULTS                                                                                             \
    {                                                                                                                \
        .feature_angle = COLLIDE_FEATURE_ANGLE, .normal = ABUT_NORMAL_MINIMUM, .contraction = ABUT_CONTRACTION_CORE, \
        .refine_normal = true, .weld = COLLIDE_WELD                                                                  \
    }

typedef struct collide_pair {
    const abut_shape *a, *b;
    const struct trimesh *mesh_a, *mesh_b; /* the closed convex mesh whose polytope a or b is (solids.h); NULL for other shapes */
    abut_mat3 rotation_b;                  /* B's frame to A's frame */
    abut_vec3 position_b;                  /* of B's origin, in A's frame */
    abut_vec3 apart;                       /* world frame: from A's origin to B's */
    abut_quat turn_b;                      /* B's frame to the world */
    int order;       /* of the shapes by their data: below 0 A comes first, above 0 B comes first, 0 when they are alike */
    abut_vec3 aside; /* a direction fixed in the world, given in the pair's frame; breaks ties */
    normal_settings normal;
    double feature_angle;
    double weld; /* relative to the smaller body's size */
    abut_mesh_rule mesh_rule;
    abut_mesh_identity mesh_identity;
} collide_pair;

/* A shape at any pose: is_valid tells whether the pose is a rotation. Who asks about a body many times places it once. */
abut_placed collide_place_body(const abut_shape *shape, const abut_pose *pose);

/* Places both bodies of a pair. False when there is none, or no shape. */
bool collide_place_both(const abut_pair *pair, abut_placed *a, abut_placed *b);

/* Checks poses and settings (NULL: defaults) and places the pair. The rotation of A turns the pair's frame to the world. Statuses of collide_place(). */
abut_status collide_place_bodies(const abut_placed *a, const abut_placed *b, const abut_collide_settings *settings, collide_pair *placed);

/* Whether the caller placed both shapes. */
static inline bool collide_are_placed(const abut_placed *a, const abut_placed *b) {
    return a != NULL && b != NULL && a->is_valid && b->is_valid && a->shape != NULL && b->shape != NULL;
}

/* Checks shapes, poses and settings (NULL: defaults) and places the pair. rotation_a receives the rotation from the pair's frame to the world; the pair's
 * frame has its origin at pose_a.position. Returns ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_NOT_FINITE, also when products of distances overflow. */
abut_status collide_place(const abut_pair *pair, const abut_collide_settings *settings, collide_pair *placed, abut_mat3 *rotation_a);

/* A direction fixed in the world that breaks ties. It lies along no axis of a tidy scene, nor across one. */
#define COLLIDE_ASIDE \
    { 0.31, 0.47, 0.83 }
extern const abut_vec3 collide_aside;

/* Orders two shapes by their data and not by their poses: below 0 A comes first, above 0 B, 0 when they are alike. */
int collide_order_of(const abut_shape *a, const abut_shape *b);

/* Whether products of distances stay finite for as many factors as any method here multiplies. apart: from A's origin to B's. Shapes are checked in the same
 * way when they are made. */
static inline bool collide_is_within_arithmetic(const abut_shape *a, const abut_shape *b, abut_vec3 apart) {
    double far = fabs(apart.x) + fabs(apart.y) + fabs(apart.z) + fabs(a->offset) + fabs(b->offset), volume = far * far * far;
    return isfinite(volume * volume);
}

/* Orders the shapes by their data, and the directions that break ties. collide_place() does it, and who puts other shapes into a placed pair. */
void collide_set_order(collide_pair *pair);

/* The pair with A and B exchanged, in B's frame: bit for bit what collide_place() makes of the exchanged arguments. */
void collide_exchange(const collide_pair *pair, collide_pair *exchanged);

/* Whether A counts as the smaller one: by the shapes' data, and where they are alike along a direction fixed in the world. For methods that treat A and B
 * differently. */
bool collide_is_a_smaller(const collide_pair *pair);

/* Checks every field of the settings. The world checks its definition with it, too. ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_NOT_FINITE. */
abut_status collide_check_settings(const abut_collide_settings *settings);

/* Places both shapes, which must be bounded and convex, in the pair's frame. */
void collide_place_convex(const collide_pair *pair, convex *a, convex *b);

/* Returns ABUT_OK; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_INVALID_ARGUMENT for a pose that is not a rotation. */
abut_status collide_check_poses(const abut_pose *a, const abut_pose *b);

/* Tell the log why the public function `call` gives that status, and return it. The pair is *pair, or pairs[index] when index is 0 or more. Other statuses
 * than those of arguments are not told. */
abut_status collide_refuse(abut_status status, const char *call, int32_t index, const abut_pair *pair,
                           const abut_collide_settings *settings);
/* The same for placed shapes: a and b, or those of pairs[index] when index is 0 or more. A shape that is NULL or not placed is ABUT_ERROR_INVALID_ARGUMENT. */
abut_status collide_refuse_placed(abut_status status, const char *call, int32_t index, const abut_placed *a, const abut_placed *b,
                                  const abut_collide_settings *settings);
/* The same for two poses, or for one when both are the same. place: what stands before their names, "pair->" or "". */
abut_status collide_refuse_poses(abut_status status, const char *call, const char *place, const abut_pose *a, const abut_pose *b);
/* The same for settings; settings: what stands before the names of the fields, "settings->" for example. */
void collide_refuse_settings(const char *call, const char *settings, const abut_collide_settings *s);

/* The sine of a feature angle that is not the default one. */
double collide_sine_of(double feature_angle);

/* The sine of a feature angle. Most callers keep the default angle, whose sine is a constant: computing a sine takes longer than a pair of separated boxes.
 * Most pairs are apart and never ask for it, so it is not part of the pair. */
static inline double collide_sine(double feature_angle) {
    return feature_angle == COLLIDE_FEATURE_ANGLE ? COLLIDE_FEATURE_SINE : collide_sine_of(feature_angle);
}

static inline patch_settings collide_patch_settings(const collide_pair *pair, double smaller_size) {
    return (patch_settings){
        .margin = pair->normal.margin, .feature_sine = collide_sine(pair->feature_angle), .weld = pair->weld * smaller_size};
}
