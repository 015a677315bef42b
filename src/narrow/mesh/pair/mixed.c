/* A solid and an open surface: see mixed.h. Set frame. */
#include "narrow/mesh/pair/mixed.h"

#include "narrow/mesh/pair/cross.h"
#include "narrow/mesh/pair/open.h"

static bool are_solid(const mesh_surface *surface) {
    for (int32_t i = 0; i < surface->count; ++i) {
        if (!trimesh_has_inside(surface->mesh[i].mesh)) {
            return false;
        }
    }
    return true;
}

static bool is_touching(const contact_list *found) {
    for (int32_t i = 0; i < found->count; ++i) {
        if (found->items[i].gap <= 0.0) {
            return true;
        }
    }
    return false;
}

bool mesh_mixed_correct(const mesh_surface *a, const mesh_surface *b, const mesh_pair_settings *settings, contact_list *found,
                        contact_list *list) {
    bool crossing = false;
    if (are_solid(a) && are_solid(b)) {
        return true;
    }
    if (is_touching(found)) {
        bool apart = mesh_open_is_apart(a, b);
        found->count = apart ? 0 : found->count;
        return !apart || mesh_open_face(a, b, settings, list);
    }
    bool fine = !(settings->margin > 0.0) || mesh_open_complete(a, b, settings, found, &crossing);
    return fine && (!crossing || mesh_cross(a, b, settings->weld, found));
}
