/* Contacts of bodies of rounded triangles. All contacts of a pair are computed in ascending order, either as pairs of facets
 * (abut_collide_facets()) or as records like those of all other generators (abut_collide()). Normals point from B into A. */
#include "narrow/facet/mesh.h"

#include "base/argument.h"
#include "base/memory.h"
#include "base/real.h"
#include "narrow/curved/curved.h"
#include "narrow/generators.h"
#include "shape/facet/mesh.h"
#include "shape/shape.h"

/* ---- either of the two may be the mesh ---- */

/* For a pair whose A is not whole. */
static abut_status meet(const abut_shape *a, const abut_shape *b, const facet_placement *b_in_a, facet_found *found) {
    const abut_shape *skin_a, *skin_b;
    abut_status status = facetmesh_skin_of(a, &skin_a);
    if (status == ABUT_OK && b->kind == ABUT_SHAPE_SPHERE) {
        facetmesh_meet_sphere(skin_a, b_in_a->position, b->radius, found);
    } else if (status == ABUT_OK && b->kind == ABUT_SHAPE_PLANE) {
        abut_vec3 normal = abut_mat3_apply(b_in_a->rotation, b->normal);
        facetmesh_meet_plane(skin_a, normal, b->offset + abut_dot(normal, b_in_a->position), found);
    } else if (status == ABUT_OK) {
        status = facetmesh_skin_of(b, &skin_b);
        if (status == ABUT_OK) {
            facetmesh_meet(skin_a, skin_b, b_in_a, found);
        }
    }
    return status;
}

static void transform(abut_facet_contact *c, const facet_placement *at) {
    c->normal = abut_mat3_apply(at->rotation, c->normal);
    c->tilt = abut_mat3_apply(at->rotation, c->tilt);
    if (c->saddle.x != 0.0 || c->saddle.y != 0.0 || c->saddle.z != 0.0) {
        c->saddle = abut_mat3_apply(at->rotation, c->saddle);
        c->summit = abut_add(abut_mat3_apply(at->rotation, c->summit), at->position);
    }
    c->centre = abut_add(abut_mat3_apply(at->rotation, c->centre), at->position);
    c->point = abut_add(abut_mat3_apply(at->rotation, c->point), at->position);
    for (int32_t i = 0; i < c->corner_count; ++i) {
        c->corner[i] = abut_add(abut_mat3_apply(at->rotation, c->corner[i]), at->position);
    }
}

/* Names the sides of a reversed polygon: side i was side count - 2 - i, and what was A's is B's. */
static uint32_t reversed_sides(const abut_facet_contact *c) {
    uint32_t sides = 0;
    for (int32_t i = 0; i < c->corner_count && !(c->radius < INFINITY); ++i) {
        int32_t was = i + 1 < c->corner_count ? c->corner_count - 2 - i : c->corner_count - 1;
        sides |= (c->sides_of_b >> was & 1U) == 0U ? 1U << i : 0U;
    }
    return sides;
}

/* Exchanges A and B. The polygon is then reversed, so that it stays counter-clockwise about the normal. */
static void turn(abut_facetmesh_contact *item) {
    int32_t facet = item->facet_a;
    item->facet_a = item->facet_b;
    item->facet_b = facet;
    abut_facet_contact *c = &item->contact;
    c->normal = abut_neg(c->normal);
    c->sides_of_b = reversed_sides(c);
    for (int32_t i = 0, k = c->corner_count - 1; i < k; ++i, --k) {
        abut_vec3 corner = c->corner[i];
        c->corner[i] = c->corner[k];
        c->corner[k] = corner;
    }
}

static abut_status meet_in_order(const collide_pair *pair, facet_found *found) {
    const facet_placement b_in_a = {pair->rotation_b, pair->position_b};
    if (curved_stand_in(pair->a) == NULL || curved_stand_in(pair->b) == NULL || (facet_is_whole(pair->a) && facet_is_whole(pair->b))) {
        return ABUT_ERROR_UNSUPPORTED_PAIR;
    }
    if (!facet_is_whole(pair->a)) {
        return meet(pair->a, pair->b, &b_in_a, found);
    }
    const facet_placement a_in_b = facet_placement_back(&b_in_a);
    abut_status status = meet(pair->b, pair->a, &a_in_b, found);
    for (int32_t i = 0; i < found->count; ++i) {
        transform(&found->items[i].contact, &b_in_a);
        turn(&found->items[i]);
    }
    return status;
}

abut_status facet_contacts_make(const collide_pair *pair, facet_contacts *contacts) {
    facet_found *found = &contacts->found;
    facet_found_init(found);
    contacts->order = contacts->few_order;
    abut_status status = meet_in_order(pair, found);
    if (status != ABUT_OK) {
        return status;
    }
    if (found->count > FACET_FOUND_FEW) {
        contacts->order = memory_allocate((size_t)found->count, sizeof *contacts->order);
    }
    if (found->out_of_memory || contacts->order == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    facet_found_sort(found, contacts->order);
    return found->not_finite ? ABUT_ERROR_NOT_FINITE : ABUT_OK;
}

void facet_contacts_free(facet_contacts *contacts) {
    if (contacts->order != contacts->few_order) {
        memory_release(contacts->order);
    }
    facet_found_free(&contacts->found);
}

/* ---- as pairs of facets ---- */

static abut_status collide_placed(const collide_pair *pair, const facet_placement *a, abut_facetmesh_contact *contacts, int32_t capacity,
                                  int32_t *count) {
    facet_contacts made;
    abut_status status = facet_contacts_make(pair, &made);
    if (status == ABUT_OK) {
        *count = made.found.count;
        for (int32_t i = 0; i < made.found.count && i < capacity; ++i) {
            contacts[i] = made.found.items[made.order[i]];
            transform(&contacts[i].contact, a);
        }
        status = *count > capacity ? ABUT_ERROR_CAPACITY : ABUT_OK;
    }
    facet_contacts_free(&made);
    return status;
}

abut_status abut_collide_facets(const abut_pair *pair, abut_facetmesh_contact *contacts, int32_t capacity, int32_t *count) {
    if (argument_is_null(CALL_NAME, "count", count)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    *count = 0;
    if (argument_is_no_buffer(CALL_NAME, "contacts", contacts, capacity) || argument_is_null(CALL_NAME, "pair", pair)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    collide_pair placed;
    facet_placement at = {.position = pair->pose_a.position};
    abut_status status = collide_place(pair, NULL, &placed, &at.rotation);
    status = status == ABUT_OK ? collide_placed(&placed, &at, contacts, capacity, count) : status;
    return status == ABUT_OK ? ABUT_OK : collide_refuse(status, CALL_NAME, -1, pair, NULL);
}

/* ---- as contacts ---- */

/* The skin of a shape whose contacts have been found; NULL for a whole surface. */
static const facetmesh *skin_of(const abut_shape *shape) {
    const abut_shape *skin;
    return !facet_is_whole(shape) && facetmesh_skin_of(shape, &skin) == ABUT_OK ? skin->facets : NULL;
}

static double radius_of(const abut_shape *shape, int32_t facet) {
    return facet >= 0 ? skin_of(shape)->side[facet].radius : shape->kind == ABUT_SHAPE_SPHERE ? shape->radius : INFINITY;
}

abut_feature facet_feature_of(const abut_shape *shape, int32_t facet) {
    const facetmesh *skin = skin_of(shape);
    return skin == NULL            ? (abut_feature){.kind = shape->kind == ABUT_SHAPE_SPHERE ? ABUT_FEATURE_SMOOTH : ABUT_FEATURE_FACE}
           : skin->feature != NULL ? skin->feature[facet]
                                   : (abut_feature){.kind = ABUT_FEATURE_FACE, .index = facet};
}

/* How far the surface of A extends past the contact plane at the contact point. */
static double height_of(const abut_facet_contact *c, double radius) {
    double height = facet_sagitta(radius, c->circle_radius * c->circle_radius) - facet_sagitta(radius, c->offset * c->offset);
    return real_max(0.0, real_min(height, -c->gap));
}

static void add_contact(const collide_pair *pair, const abut_facetmesh_contact *item, contact_list *list) {
    const abut_facet_contact *c = &item->contact;
    double height = height_of(c, radius_of(pair->a, item->facet_a));
    abut_contact contact = {.normal = c->normal,
                            .gap = c->gap,
                            .area = c->area_in_circle,
                            .on_a = abut_add_scaled(c->point, -height, c->normal),
                            .on_b = abut_add_scaled(c->point, -c->gap - height, c->normal),
                            .feature_a = facet_feature_of(pair->a, item->facet_a),
                            .feature_b = facet_feature_of(pair->b, item->facet_b),
                            .patch = list->count};
    contact.id = contact_list_id(list, contact.feature_a, contact.feature_b, contact.normal);
    contact_list_add(list, &contact);
}

/* Of two flat facets: the corners of their polygon that overlap, as the patch of two faces. */
static void add_flat_contacts(const collide_pair *pair, const abut_facetmesh_contact *item, contact_list *list) {
    const abut_facet_contact *c = &item->contact;
    double overlap[6];
    int32_t count = 0, patch = list->count;
    for (int32_t i = 0; i < c->corner_count; ++i) {
        overlap[i] = abut_dot(c->tilt, abut_sub(c->corner[i], c->point)) - c->gap;
        count += overlap[i] > 0.0;
    }
    for (int32_t i = 0; i < c->corner_count; ++i) {
        abut_contact contact = {.normal = c->normal,
                                .gap = -overlap[i],
                                .area = c->area_in_circle / count,
                                .on_a = abut_add_scaled(c->corner[i], -0.5 * overlap[i], c->normal),
                                .on_b = abut_add_scaled(c->corner[i], 0.5 * overlap[i], c->normal),
                                .feature_a = facet_feature_of(pair->a, item->facet_a),
                                .feature_b = facet_feature_of(pair->b, item->facet_b),
                                .patch = patch};
        contact.id = contact_list_id(list, contact.feature_a, contact.feature_b, contact.normal);
        if (overlap[i] > 0.0) {
            contact_list_add(list, &contact);
        }
    }
}

void collide_facetmesh(const collide_pair *pair, contact_list *list) {
    facet_contacts made;
    abut_status status = facet_contacts_make(pair, &made);
    list->out_of_memory = list->out_of_memory || status == ABUT_ERROR_OUT_OF_MEMORY;
    for (int32_t i = 0; status == ABUT_OK && i < made.found.count; ++i) {
        const abut_facetmesh_contact *item = &made.found.items[made.order[i]];
        if (item->contact.radius < INFINITY) {
            add_contact(pair, item, list);
        } else {
            add_flat_contacts(pair, item, list);
        }
    }
    facet_contacts_free(&made);
}
