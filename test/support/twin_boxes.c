#include "support/twin_boxes.h"

#include <string.h>

#include "support/shapes.h"

void twin_box_make(abut_vec3 half, twin_box *t) {
    t->box = box(half.x, half.y, half.z);
    t->polytope = *t->box;
    t->polytope.kind = ABUT_SHAPE_POLYTOPE;
    for (int i = 0; i < 6; i++) {
        t->face[i] = t->box->surface.face[i];
        t->face[i].offset = t->box->surface.offsets[i];
    }
    t->polytope.surface.face = t->face;
}

static void build(const convex *a, const convex *b, const contact_normal *normal, const patch_settings *settings, contact_list *list) {
    memset(list->few, 0, sizeof list->few);
    contact_list_init(list, 0, abut_vec3_make(0.31, 0.47, 0.83));
    patch_build(a, b, normal, settings, 0, list);
}

bool twin_boxes_meet(const twin_box *first, const twin_box *second, abut_mat3 rotation, abut_vec3 position, const patch_settings *settings,
                     twin_patches *patches) {
    enum { PART = 3 }; /* features tell the part */
    abut_mat3 aligned = abut_mat3_identity();
    abut_vec3 origin = abut_vec3_make(0, 0, 0);
    const normal_settings how = {.margin = settings->margin, .minimum = true, .aside = {0.31, 0.47, 0.83}};
    convex a, b;
    convex_set(&a, first->box, &aligned, &origin, 0);
    convex_set(&b, second->box, &rotation, &position, PART);
    if (!contact_normal_find(&a, &b, &how, &patches->normal)) {
        return false;
    }
    build(&a, &b, &patches->normal, settings, &patches->of_boxes);
    convex_set(&a, &first->polytope, &aligned, &origin, 0);
    convex_set(&b, &second->polytope, &rotation, &position, PART);
    build(&a, &b, &patches->normal, settings, &patches->of_polytopes);
    return true;
}

bool twin_patches_agree(const twin_patches *patches) {
    const contact_list *p = &patches->of_boxes, *q = &patches->of_polytopes;
    return p->count == q->count && memcmp(p->items, q->items, (size_t)p->count * sizeof *p->items) == 0;
}
