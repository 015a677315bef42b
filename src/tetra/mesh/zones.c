/*
 * Zones as a forest of vertices with parities (union-find). Every tree is a zone; the parity of the path to the root tells on which side of
 * the plane a vertex belongs. An element unites its vertices on one side, a pair unites its two elements on opposite sides. A
 * contradiction, which cannot occur between two meshes, tears the zone: its plane still separates as much as it can.
 */
#include "tetra/mesh/zones.h"

#include "base/memory.h"

enum { MOST_LEVELS = 12 };

bool zones_make(zones *z, const joint *j) {
    size_t vertices = (size_t)j->vertex_count;
    *z = (zones){.parent = memory_allocate(vertices, sizeof *z->parent),
                 .odd = memory_allocate(vertices, sizeof *z->odd),
                 .size = memory_allocate(vertices, sizeof *z->size),
                 .state = memory_allocate(vertices, sizeof *z->state),
                 .level = memory_allocate(vertices, sizeof *z->level),
                 .inside = memory_allocate((size_t)j->element_count, sizeof *z->inside)};
    if (z->parent == NULL || z->odd == NULL || z->size == NULL || z->state == NULL || z->level == NULL || z->inside == NULL) {
        zones_release(z);
        return false;
    }
    for (int32_t v = 0; v < j->vertex_count; v++) {
        z->parent[v] = v;
        z->size[v] = 1;
    }
    return true;
}

void zones_release(zones *z) {
    memory_release(z->parent);
    memory_release(z->odd);
    memory_release(z->size);
    memory_release(z->state);
    memory_release(z->level);
    memory_release(z->inside);
    memory_release(z->link);
}

/* Halves the path while walking. */
int32_t zones_root(zones *z, int32_t vertex, uint8_t *odd) {
    uint8_t side = 0;
    while (z->parent[vertex] != vertex) {
        int32_t up = z->parent[vertex];
        if (z->parent[up] != up) {
            z->odd[vertex] = (uint8_t)(z->odd[vertex] ^ z->odd[up]);
            z->parent[vertex] = z->parent[up];
        }
        side = (uint8_t)(side ^ z->odd[vertex]);
        vertex = z->parent[vertex];
    }
    *odd = side;
    return vertex;
}

void zones_unite(zones *z, int32_t p, int32_t q, uint8_t opposite) {
    uint8_t odd_p, odd_q;
    int32_t into = zones_root(z, p, &odd_p), from = zones_root(z, q, &odd_q);
    uint8_t between = (uint8_t)(odd_p ^ odd_q ^ opposite);
    if (into == from) {
        z->state[into] = (uint8_t)(z->state[into] | (between ? ZONE_TORN : 0) | ZONE_DIRTY);
        return;
    }
    if (z->size[into] < z->size[from]) {
        int32_t other = into;
        into = from;
        from = other;
    }
    z->parent[from] = into;
    z->odd[from] = between;
    z->size[into] += z->size[from];
    z->state[into] = (uint8_t)(z->state[into] | z->state[from] | ZONE_DIRTY);
    z->level[into] = z->level[into] > z->level[from] ? z->level[into] : z->level[from];
}

static void take_element(zones *z, const joint *j, int32_t element) {
    int32_t c[4];
    joint_corners(j, element, c);
    z->inside[element] = 1;
    for (int i = 1; i < 4; i++) {
        zones_unite(z, c[0], c[i], 0);
    }
}

static bool keep_link(zones *z, const joint *j, int32_t a, int32_t b) {
    if (z->link_count == z->link_room) {
        int64_t room = 2 * z->link_room + 64;
        zone_link *larger = memory_grow(z->link, (size_t)z->link_count, (size_t)room, sizeof *larger);
        if (larger == NULL) {
            return false;
        }
        z->link = larger;
        z->link_room = room;
    }
    abut_simplex p = joint_element(j, a), q = joint_element(j, b);
    abut_rigid_depth rigid = {.gap = 0.0};
    (void)abut_simplex_rigid_depth(&p, &q, &rigid);
    z->link[z->link_count++] = (zone_link){a, b, rigid.normal, -rigid.gap};
    return true;
}

/* Widens the gap of a zone, once per round. */
static zones_change widen(zones *z, int32_t root) {
    if ((z->state[root] & ZONE_DIRTY) == 0) {
        z->state[root] = (uint8_t)(z->state[root] | ZONE_DIRTY | (z->level[root] == MOST_LEVELS ? ZONE_STUCK : 0));
        z->level[root] = (uint8_t)(z->level[root] + (z->level[root] < MOST_LEVELS));
    }
    return ZONES_CHANGED;
}

zones_change zones_add(zones *z, const joint *j, abut_element_pair pair) {
    int32_t a = pair.a, b = joint_partner(j, pair.b), corner_a[4], corner_b[4];
    joint_corners(j, a, corner_a);
    joint_corners(j, b, corner_b);
    uint8_t odd_a, odd_b;
    int32_t root = zones_root(z, corner_a[0], &odd_a);
    if (z->inside[a] && z->inside[b] && zones_root(z, corner_b[0], &odd_b) == root) {
        z->state[root] = (uint8_t)(z->state[root] | (odd_a == odd_b ? ZONE_TORN : 0));
        return (z->state[root] & (ZONE_STUCK | ZONE_TORN)) ? ZONES_SAME : widen(z, root);
    }
    if (!keep_link(z, j, a, b)) {
        return ZONES_NO_MEMORY;
    }
    take_element(z, j, a);
    take_element(z, j, b);
    zones_unite(z, corner_a[0], corner_b[0], 1);
    return ZONES_CHANGED;
}

zone_count zones_count(const zones *z, const joint *j) {
    zone_count count = {0, 0};
    for (int32_t v = 0; v < j->vertex_count; v++) {
        bool is_zone = z->parent[v] == v && z->size[v] > 1;
        count.all += is_zone;
        count.stuck += is_zone && (z->state[v] & (ZONE_STUCK | ZONE_TORN));
    }
    return count;
}

void zones_groups(zones *z, const joint *j, int32_t *group) {
    for (int32_t e = 0; e < j->element_count; e++) {
        int32_t c[4];
        uint8_t odd;
        joint_corners(j, e, c);
        group[e] = z->inside[e] ? zones_root(z, c[0], &odd) : -1;
    }
}
