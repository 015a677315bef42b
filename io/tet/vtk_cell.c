/*
 * The numbers are those of VTK's documentation ("VTK File Formats", vtkCellType).
 */
#include "io/tet/vtk_cell.h"

enum { TETRA = 10, QUADRATIC_TETRA = 24, LAGRANGE_TETRA = 71 };

bool vtk_cell_is_tetra(int64_t type) { return type == TETRA || type == QUADRATIC_TETRA || type == LAGRANGE_TETRA; }

bool vtk_cell_has_size(int64_t type, int64_t size) { return type == TETRA ? size == 4 : type == QUADRATIC_TETRA ? size == 10 : size >= 4; }

cell_kind vtk_cell_kind(int64_t type) {
    /* One more than the kind by type; 0 for other types. */
    static const unsigned char kinds[] = {
        [1] = CELL_POINT + 1,         [2] = CELL_POINT + 1,          [3] = CELL_LINE + 1,           [4] = CELL_LINE + 1,
        [5] = CELL_TRIANGLE + 1,      [6] = CELL_TRIANGLE + 1,       [7] = CELL_POLYGON + 1,        [8] = CELL_QUADRILATERAL + 1,
        [9] = CELL_QUADRILATERAL + 1, [11] = CELL_HEXAHEDRON + 1,    [12] = CELL_HEXAHEDRON + 1,    [13] = CELL_PRISM + 1,
        [14] = CELL_PYRAMID + 1,      [15] = CELL_POLYHEDRON + 1,    [16] = CELL_POLYHEDRON + 1,    [21] = CELL_LINE + 1,
        [22] = CELL_TRIANGLE + 1,     [23] = CELL_QUADRILATERAL + 1, [25] = CELL_HEXAHEDRON + 1,    [26] = CELL_PRISM + 1,
        [27] = CELL_PYRAMID + 1,      [28] = CELL_QUADRILATERAL + 1, [29] = CELL_HEXAHEDRON + 1,    [30] = CELL_QUADRILATERAL + 1,
        [31] = CELL_PRISM + 1,        [32] = CELL_PRISM + 1,         [33] = CELL_HEXAHEDRON + 1,    [34] = CELL_TRIANGLE + 1,
        [35] = CELL_LINE + 1,         [36] = CELL_POLYGON + 1,       [37] = CELL_PYRAMID + 1,       [42] = CELL_POLYHEDRON + 1,
        [68] = CELL_LINE + 1,         [69] = CELL_TRIANGLE + 1,      [70] = CELL_QUADRILATERAL + 1, [72] = CELL_HEXAHEDRON + 1,
        [73] = CELL_PRISM + 1,        [74] = CELL_PYRAMID + 1};
    bool known = type >= 0 && type < (int64_t)sizeof kinds && kinds[type] > 0;
    return known ? (cell_kind)(kinds[type] - 1) : CELL_OTHER;
}
