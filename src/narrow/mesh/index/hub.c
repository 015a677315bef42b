/* Triangles that meet at one point: see hub.h. Set frame. */
#include "narrow/mesh/index/hub.h"

#include "base/array.h"
#include "base/memory.h"

enum { WORTH_A_LIST = 3 }; /* making the list takes about as long as this many searches */

static void forget(mesh_hub *hub) {
    point_tree_release(&hub->tree);
    memory_release(hub->way);
    memory_release(hub->blunt);
    hub->way = NULL;
    hub->blunt = NULL;
    hub->made = false;
    hub->count = hub->blunt_count = 0;
}

void mesh_hub_free(mesh_hub *hub) {
    forget(hub);
    memory_release(hub->item);
    *hub = (mesh_hub){.count = 0};
}

/* False without memory, or if one of the triangles has no face. */
static bool list_triangles(mesh_hub *hub, const mesh_set *set, mesh_near *near, double same) {
    mesh_near_walk walk;
    mesh_near_begin(&walk, near, hub->point, set->count);
    for (int32_t i = mesh_near_next(&walk); i >= 0; i = mesh_near_next(&walk)) {
        const mesh_triangle *t = &set->items[i];
        if (mesh_set_holds(t, hub->point, same)) {
            if (t->flat || !array_extend(&hub->item, &hub->room, hub->count, hub->count + 1, sizeof *hub->item)) {
                return false;
            }
            hub->item[hub->count++] = i;
        }
    }
    return hub->count > 0;
}

/* False without memory. */
static bool list_blunt(mesh_hub *hub, const mesh_set *set, double same) {
    hub->blunt = memory_allocate((size_t)hub->count, sizeof *hub->blunt);
    for (int32_t i = 0; hub->blunt != NULL && i < hub->count; ++i) {
        if (!mesh_set_is_sharp_at(&set->items[hub->item[i]], hub->point, same)) {
            hub->blunt[hub->blunt_count++] = hub->item[i];
        }
    }
    return hub->blunt != NULL;
}

static bool make(mesh_hub *hub, const mesh_set *set, mesh_near *near, double same) {
    if (!list_triangles(hub, set, near, same) || !list_blunt(hub, set, same)) {
        return false;
    }
    hub->way = memory_allocate(3 * (size_t)hub->count, sizeof *hub->way);
    for (int32_t i = 0; hub->way != NULL && i < 3 * hub->count; ++i) {
        hub->way[i] = abut_sub(set->items[hub->item[i / 3]].corner[i % 3], hub->point);
    }
    return hub->way != NULL && point_tree_make(&hub->tree, hub->way, NULL, 3 * hub->count) == ABUT_OK;
}

bool mesh_hub_is_at(mesh_hub *hub, const mesh_set *set, mesh_near *near, abut_vec3 point, double same) {
    if (hub->asked == 0 || point.x != hub->point.x || point.y != hub->point.y || point.z != hub->point.z) {
        forget(hub);
        hub->point = point;
        hub->asked = 0;
    }
    hub->asked += hub->asked <= WORTH_A_LIST;
    if (hub->asked == WORTH_A_LIST && set->count > MESH_SET_FEW) {
        hub->made = make(hub, set, near, same);
    }
    return hub->made;
}

int32_t mesh_hub_risen(const mesh_hub *hub, const mesh_set *set, abut_vec3 normal, double level) {
    double height;
    int32_t highest = point_tree_farthest(&hub->tree, normal, level, &height);
    if (highest < 0) {
        return -1;
    }
    int32_t item = hub->item[highest / 3];
    if (mesh_set_rises(&set->items[item], hub->point, normal, level, FLAT_SINE)) {
        return item;
    }
    for (int32_t i = 0; i < hub->count; ++i) { /* the highest one rises by the length and not by the sine */
        if (mesh_set_rises(&set->items[hub->item[i]], hub->point, normal, level, FLAT_SINE)) {
            return hub->item[i];
        }
    }
    return -1;
}

int32_t mesh_hub_climbs(const mesh_hub *hub, const mesh_set *set, abut_vec3 normal, double same) {
    for (int32_t i = 0; i < hub->blunt_count; ++i) {
        if (mesh_set_climbs(&set->items[hub->blunt[i]], hub->point, normal, same)) {
            return hub->blunt[i];
        }
    }
    return -1;
}
