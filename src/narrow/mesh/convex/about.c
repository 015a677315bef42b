/* The triangles at a corner, with the ways out over them: see about.h. Set frame. */
#include "narrow/mesh/convex/about.h"

#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"

static void clear(mesh_about *about) {
    mesh_set_init(&about->set);
    about->range = NULL;
    about->way = about->spoke = NULL;
    about->way_count = about->way_room = about->spoke_count = about->spoke_room = 0;
    about->made = about->spoked = false;
}

static void forget(mesh_about *about) {
    mesh_set_free(&about->set);
    memory_release(about->range);
    memory_release(about->way);
    memory_release(about->spoke);
    clear(about);
}

void mesh_abouts_init(mesh_abouts *abouts) {
    clear(&abouts->many);
    clear(&abouts->few);
}

void mesh_abouts_free(mesh_abouts *abouts) {
    forget(&abouts->many);
    forget(&abouts->few);
}

static bool is_at(const mesh_about *about, abut_vec3 point) {
    return about->made && about->point.x == point.x && about->point.y == point.y && about->point.z == point.z;
}

static mesh_about *make(mesh_about *about, const mesh_surface *surface, abut_vec3 point) {
    forget(about);
    mesh_surface_gather(surface, point, surface->same, &about->set);
    about->made = true;
    about->point = point;
    about->from = INFINITY;
    about->below = -INFINITY;
    about->range = memory_allocate((size_t)about->set.count, sizeof *about->range);
    return about->range == NULL || about->set.out_of_memory ? NULL : about;
}

/* Of many triangles the block of the set moves from one to the other. */
static mesh_about *take_many(mesh_abouts *abouts) {
    forget(&abouts->many);
    abouts->many = abouts->few;
    clear(&abouts->few);
    return &abouts->many;
}

mesh_about *mesh_abouts_go_to(mesh_abouts *abouts, const mesh_surface *surface, abut_vec3 point) {
    if (is_at(&abouts->many, point)) {
        return &abouts->many;
    }
    if (is_at(&abouts->few, point)) {
        return &abouts->few;
    }
    mesh_about *made = make(&abouts->few, surface, point);
    return made != NULL && made->set.count > MESH_SET_FEW ? take_many(abouts) : made;
}

void mesh_about_widen(mesh_about *about, double from, double below, double spare) {
    if (from < about->from || below > about->below) {
        about->from = real_min(about->from, from - spare);
        about->below = real_max(about->below, below + spare);
        memset(about->range, 0, (size_t)about->set.count * sizeof *about->range);
        about->way_count = 0;
    }
}

static bool add(about_way **list, int32_t *count, int32_t *room, int32_t item, const mesh_way_out *way) {
    if (!array_extend(list, room, *count, *count + 1, sizeof **list)) {
        return false;
    }
    (*list)[(*count)++] = (about_way){*way, item, false};
    return true;
}

bool mesh_about_keep(mesh_about *about, int32_t item, const mesh_way_out *ways, int32_t count) {
    about->range[item] = (about_range){about->way_count, count, true};
    for (int32_t i = 0; i < count; ++i) {
        if (!add(&about->way, &about->way_count, &about->way_room, item, &ways[i])) {
            return false;
        }
    }
    return true;
}

bool mesh_about_keep_spoke(mesh_about *about, int32_t item, const mesh_way_out *way) {
    return add(&about->spoke, &about->spoke_count, &about->spoke_room, item, way);
}
