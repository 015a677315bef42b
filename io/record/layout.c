/*
 * The fields of a recorded contact.
 */
#include "io/record/layout.h"

#include "io/record/recording.h"

const layout_field layout_contact[LAYOUT_CONTACT_FIELDS] = {
    {"a", offsetof(abut_recorded_contact, a), LAYOUT_INT32, 1},
    {"b", offsetof(abut_recorded_contact, b), LAYOUT_INT32, 1},
    {"on_a", offsetof(abut_recorded_contact, contact.on_a), LAYOUT_DOUBLE, 3},
    {"on_b", offsetof(abut_recorded_contact, contact.on_b), LAYOUT_DOUBLE, 3},
    {"normal", offsetof(abut_recorded_contact, contact.normal), LAYOUT_DOUBLE, 3},
    {"gap", offsetof(abut_recorded_contact, contact.gap), LAYOUT_DOUBLE, 1},
    {"area", offsetof(abut_recorded_contact, contact.area), LAYOUT_DOUBLE, 1},
    {"feature_a", offsetof(abut_recorded_contact, contact.feature_a), LAYOUT_INT32, 3},
    {"feature_b", offsetof(abut_recorded_contact, contact.feature_b), LAYOUT_INT32, 3},
    {"id", offsetof(abut_recorded_contact, contact.id), LAYOUT_UINT64, 1},
    {"patch", offsetof(abut_recorded_contact, contact.patch), LAYOUT_INT32, 1},
    {"flags", offsetof(abut_recorded_contact, contact.flags), LAYOUT_UINT32, 1},
    {"normal_force", offsetof(abut_recorded_contact, normal_force), LAYOUT_DOUBLE, 1},
    {"friction_force", offsetof(abut_recorded_contact, friction_force), LAYOUT_DOUBLE, 3},
};

/* A feature is stored as a row of three integers. */
_Static_assert(sizeof(abut_feature) == 3 * sizeof(int32_t), "abut_feature is three packed integers");
_Static_assert(sizeof(abut_vec3) == 3 * sizeof(double), "abut_vec3 is three packed doubles");
