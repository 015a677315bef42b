#include "support/pressed.h"

#include <stdlib.h>

#include "support/check.h"

static void keep(pressed *p, int32_t *capacity, const abut_facet_contact *c, int32_t i, int32_t k) {
    if (p->count == *capacity) {
        *capacity = 2 * *capacity + 64;
        p->contacts = realloc(p->contacts, (size_t)*capacity * sizeof *p->contacts);
        p->ids = realloc(p->ids, (size_t)*capacity * sizeof *p->ids);
        assert_true(p->contacts != NULL && p->ids != NULL);
    }
    p->contacts[p->count] = *c;
    p->ids[p->count++] = (abut_pressure_id){.facet_a = i, .facet_b = k};
}

pressed pressed_make(const abut_facet *a, int32_t count_a, const abut_facet *b, int32_t count_b, double reach) {
    pressed p = {.count = 0};
    int32_t capacity = 0;
    for (int32_t i = 0; i < count_a; ++i) {
        for (int32_t k = 0; k < count_b; ++k) {
            abut_facet_contact c;
            assert_ok(abut_facet_collide_within(&a[i], &b[k], reach, &c));
            if (c.relation == ABUT_FACET_CONTACT) {
                keep(&p, &capacity, &c, i, k);
            }
        }
    }
    return p;
}

pressed pressed_on_plane(const abut_facet *a, int32_t count, double height, double reach) {
    pressed p = {.count = 0};
    int32_t capacity = 0;
    for (int32_t i = 0; i < count; ++i) {
        abut_facet_contact c;
        assert_ok(abut_facet_collide_plane_within(&a[i], abut_vec3_make(0, 0, 1), height, reach, &c));
        if (c.relation == ABUT_FACET_CONTACT) {
            keep(&p, &capacity, &c, i, 0);
        }
    }
    return p;
}

void pressed_free(pressed *p) {
    free(p->contacts);
    free(p->ids);
    *p = (pressed){.count = 0};
}

void pressed_swap(pressed *p) {
    for (int32_t i = 0; i < p->count; ++i) {
        abut_facet_contact *c = &p->contacts[i];
        abut_pressure_id id = p->ids[i];
        c->normal = abut_neg(c->normal);
        for (int32_t k = 0; k < c->corner_count / 2; ++k) {
            abut_vec3 corner = c->corner[k];
            c->corner[k] = c->corner[c->corner_count - 1 - k];
            c->corner[c->corner_count - 1 - k] = corner;
        }
        p->ids[i] = (abut_pressure_id){id.facet_b, id.facet_a, id.surface_b, id.surface_a};
    }
}

void pressed_move(pressed *p, abut_pose motion) {
    for (int32_t i = 0; i < p->count; ++i) {
        abut_facet_contact *c = &p->contacts[i];
        c->normal = abut_quat_rotate(motion.rotation, c->normal);
        c->centre = abut_pose_apply(motion, c->centre);
        c->point = abut_pose_apply(motion, c->point);
        for (int32_t k = 0; k < c->corner_count; ++k) {
            c->corner[k] = abut_pose_apply(motion, c->corner[k]);
        }
    }
}

abut_pressure_result pressed_pair(const abut_pair *pair, const abut_pressure_law *law) {
    enum { ROOM = 60000 };
    abut_facetmesh_contact *found = check_memory(ROOM, sizeof *found);
    abut_facet_contact *contacts = check_memory(ROOM, sizeof *contacts);
    int32_t count;
    assert_ok(abut_collide_facets(pair, found, ROOM, &count));
    for (int32_t i = 0; i < count; i++) {
        contacts[i] = found[i].contact;
    }
    const abut_pressure_body bodies[2] = {{.centre = pair->pose_a.position}, {.centre = pair->pose_b.position}};
    abut_pressure_result result;
    assert_ok(abut_pressure_pair(contacts, NULL, count, law, bodies, 0.0, NULL, NULL, &result));
    free(found);
    free(contacts);
    return result;
}
