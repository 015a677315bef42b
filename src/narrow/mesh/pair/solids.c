/* Contacts of two closed convex meshes, as polytopes: see solids.h. Pair's frame. */
#include "narrow/mesh/pair/solids.h"

#include "base/real.h"
#include "narrow/normal/facet_memory.h"
#include "narrow/normal/normal.h"
#include "narrow/patch/patch.h"
#include "shape/closed/convex_mesh.h"

static bool is_solid(const abut_shape *shape) { return shape->kind == ABUT_SHAPE_TRIMESH && shape->mesh->convex != NULL; }

bool mesh_are_solids(const collide_pair *pair) { return is_solid(pair->a) && is_solid(pair->b); }

/* The id is that of the lowest names, so that it stays while the body slides from one triangle of a flat side to the next. */
static void name(contact_list *list, abut_contact *contact, const trimesh *a, const trimesh *b, const convex *body_a,
                 const convex *body_b) {
    contact->id =
        contact_list_id(list, convex_mesh_name_any(a, contact->feature_a), convex_mesh_name_any(b, contact->feature_b), contact->normal);
    contact->feature_a = convex_mesh_name(a, contact->feature_a, convex_to_local(body_a, contact->on_a));
    contact->feature_b = convex_mesh_name(b, contact->feature_b, convex_to_local(body_b, contact->on_b));
}

void mesh_solids(const collide_pair *pair, contact_list *list) {
    const trimesh *mesh_a = pair->a->mesh, *mesh_b = pair->b->mesh;
    convex a = convex_place(mesh_a->convex->solid, abut_mat3_identity(), abut_vec3_make(0.0, 0.0, 0.0), 0);
    convex b = convex_place(mesh_b->convex->solid, pair->rotation_b, pair->position_b, 0);
    normal_settings settings = pair->normal;
    settings.minimum = true;
    contact_normal normal;
    bool touching = contact_normal_find(&a, &b, &settings, &normal);
    int32_t first = list->count;
    if (touching) {
        patch_settings patch = collide_patch_settings(pair, real_min(a.size, b.size));
        patch_build(&a, &b, &normal, &patch, 0, list);
    }
    facet_memory_write(settings.cache, &normal, touching);
    for (int32_t i = first; i < list->count; ++i) {
        name(list, &list->items[i], mesh_a, mesh_b, &a, &b);
    }
}
