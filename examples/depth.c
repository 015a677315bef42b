/* Penetration depth of two deforming tetrahedra: the depth, the least displacements of the vertices that separate them, and the gradient of the
 * depth, which an optimiser or a penalty force needs. */
#include <stdio.h>

#include <abut/abut.h>

static int fail(const char *what, abut_status status) {
    fprintf(stderr, "%s: %s\n", what, abut_status_message(status));
    return 1;
}

/* Prints the displacements along the normal. They have no other components. */
static void print_moves(const char *name, const abut_vec3 *moves, abut_vec3 normal) {
    printf("%s moves along it by", name);
    for (int i = 0; i < 4; i++) {
        printf(" %.3f", abut_dot(moves[i], normal));
    }
    printf("\n");
}

int main(void) {
    /* A, the upper tetrahedron, reaches 0.1 below the face z = 0 of B. The unit of length and the winding do not matter. */
    abut_simplex a = abut_simplex_make_tetra(abut_vec3_make(0.3, 0.3, -0.1), abut_vec3_make(1.0, 0.0, 1.0), abut_vec3_make(0.0, 1.0, 1.0),
                                             abut_vec3_make(0.3, 0.3, 1.5));
    abut_simplex b = abut_simplex_make_tetra(abut_vec3_make(0.0, 0.0, 0.0), abut_vec3_make(1.0, 0.0, 0.0), abut_vec3_make(0.0, 1.0, 0.0),
                                             abut_vec3_make(0.0, 0.0, -1.0));

    /* This mode minimises the depth over all normals. The default mode tries only the normals of faces and of pairs of edges. */
    abut_depth_settings settings = abut_depth_settings_default();
    settings.mode = ABUT_DEPTH_FREE;
    abut_depth depth;
    abut_status status = abut_simplex_depth(&a, &b, &settings, &depth);
    if (status != ABUT_OK) {
        return fail("depth", status);
    }
    if (depth.relation != ABUT_DEPTH_INTERSECTING) {
        printf("they do not intersect\n");
        return 0;
    }
    printf("depth %.4f, rigid %.4f, normal from B into A (%.3f, %.3f, %.3f)\n", depth.depth, -depth.rigid.gap, depth.normal.x,
           depth.normal.y, depth.normal.z);
    print_moves("A", depth.displacement_a, depth.normal);
    print_moves("B", depth.displacement_b, depth.normal);

    /* Minus the gradient, times a stiffness and the depth, is a penalty force on each vertex. The sums of all forces and of all torques are zero. */
    abut_vec3 of_a[4], of_b[4], sum = {0.0, 0.0, 0.0};
    status = abut_depth_gradient(&a, &b, &settings, &depth, of_a, of_b);
    if (status != ABUT_OK) {
        return fail("gradient", status);
    }
    for (int i = 0; i < 4; i++) {
        sum = abut_add(sum, abut_add(of_a[i], of_b[i]));
    }
    printf("d depth / d z of A's lowest vertex: %.4f; all together: %.0e\n", of_a[0].z, abut_length(sum) < 1e-12 ? 0.0 : abut_length(sum));

    /* After the vertices are displaced, the tetrahedra at most touch. */
    for (int i = 0; i < 4; i++) {
        a.vertex[i] = abut_add(a.vertex[i], depth.displacement_a[i]);
        b.vertex[i] = abut_add(b.vertex[i], depth.displacement_b[i]);
    }
    status = abut_simplex_depth(&a, &b, &settings, &depth);
    if (status != ABUT_OK) {
        return fail("depth", status);
    }
    printf("moved: depth %.4f\n", depth.depth);
    return depth.depth < 1e-9 ? 0 : 1;
}
