/* Finds the places where two bodies touch: connected sets of facet contacts, each grown from its first contact. */
#include "narrow/facet/regions.h"

static bool are_neighbours(const facet_topology *mesh, int32_t f, int32_t g) {
    if (f == g || mesh == NULL) {
        return true;
    }
    const int32_t *p = &mesh->corners[3 * (size_t)f], *q = &mesh->corners[3 * (size_t)g];
    for (int i = 0; i < 3; ++i) {
        int32_t place = mesh->place[p[i]];
        if (place == mesh->place[q[0]] || place == mesh->place[q[1]] || place == mesh->place[q[2]]) {
            return true;
        }
    }
    return false;
}

/* The two sides of an edge or of a valley are separate places although their facets are neighbours; their normals differ. */
static bool belong_together(const facet_topology *a, const facet_topology *b, const abut_facetmesh_contact *p,
                            const abut_facetmesh_contact *q) {
    const double least_cosine = 0.7;
    return abut_dot(p->contact.normal, q->contact.normal) > least_cosine && are_neighbours(a, p->facet_a, q->facet_a) &&
           are_neighbours(b, p->facet_b, q->facet_b);
}

/* The contacts of finished places stand in front of the others. */
static void exchange(int32_t *order, int32_t i, int32_t k) {
    int32_t kept = order[i];
    order[i] = order[k];
    order[k] = kept;
}

int32_t facet_regions_find(const facet_topology *a, const facet_topology *b, const abut_facetmesh_contact *items, int32_t count,
                           int32_t *order, int32_t *first) {
    int32_t regions = 0, placed = 0;
    for (int32_t i = 0; i < count; ++i) {
        order[i] = i;
    }
    for (int32_t at = 0; at < count; ++at) {
        if (at == placed) {
            first[regions++] = placed++;
        }
        for (int32_t k = placed; k < count; ++k) {
            if (belong_together(a, b, &items[order[at]], &items[order[k]])) {
                exchange(order, placed++, k);
            }
        }
    }
    first[regions] = count;
    return regions;
}
