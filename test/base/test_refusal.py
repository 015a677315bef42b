"""Every public function that returns a status has refusals in test_refusal.c: one for each argument that can be refused."""
import os
import re
import sys
from pathlib import Path

SOURCE = Path(os.environ["ABUT_TEST_SOURCE_DIR"])

# Arguments that are never refused: what may be NULL without being looked at, flags, and ids, which are looked up and may be stale.
ACCEPTED = {"cache", "caches", "parallel", "reduction", "sigma", "touched", "pulls", "vertex"}
ACCEPTED_OF = {
    "abut_shape_create_polytope": {"report"},
    "abut_shape_create_trimesh": {"report"},
    "abut_shape_create_facetmesh": {"report"},
    "abut_shape_create_facetmesh_moved": {"report"},
    "abut_implicit_check": {"report"},
    "abut_shape_create_implicit_formula": {"error"},
    "abut_shape_create_parametric_formula": {"error"},
    "abut_parametric_check": {"report"},
    "abut_shape_surface_mesh": {"error"},
    "abut_lcp_solve": {"w", "result"},
    "abut_world_step": {"report"},
    "abut_world_save": {"capacity"},
    "abut_world_bond_near": {"bodies", "made"},
    "abut_world_set_body_filter": {"filter"},
    "abut_world_exclude_pair": {"b"},
    "abut_world_include_pair": {"b"},
    "abut_world_is_pair_excluded": {"b"},
    "abut_world_ray_cast": {"filter"},
    "abut_world_ray_cast_all": {"filter"},
    "abut_world_ray_cast_batch": {"filter"},
    "abut_world_shape_cast": {"filter"},
    "abut_world_shape_cast_batch": {"filter"},
    "abut_world_overlap_box": {"filter"},
    "abut_world_overlap_shape": {"filter"},
    "abut_world_closest": {"filter"},
    "abut_world_closest_to_point": {"filter"},
    "abut_world_restore": {"size"},
}


def declared():
    """The functions with their arguments: pairs of a name and a list of names."""
    for header in sorted((SOURCE / "include" / "abut").glob("*.h")):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
        for name, arguments in re.findall(r"ABUT_API\s+abut_status\s+(abut_\w+)\(([^;]*)\);", text):
            yield name, [re.search(r"(\w+)(\[\d*\])?$", a.strip()).group(1) for a in arguments.split(",")]


def refused():
    """For each function the first words of its refusals."""
    found = {}
    text = (SOURCE / "test" / "base" / "test_refusal.c").read_text()
    for words, name in re.findall(r'REFUSES\(\s*\w+,\s*"([^"]*)",\s*(abut_\w+)\(', text):
        found.setdefault(name, []).append(words)
    return found


def main():
    known = refused()
    faults, functions = [], dict(declared())
    assert len(functions) > 80, "the headers were not understood"
    for name, arguments in functions.items():
        if name not in known:
            faults.append(f"{name}: no refusal is tested")
            continue
        for argument in arguments:
            free = argument in ACCEPTED or argument in ACCEPTED_OF.get(name, ())
            is_id = argument == "id"
            if not free and not is_id and not any(re.match(rf"{argument}\b", words) for words in known[name]):
                faults.append(f"{name}: no refusal of {argument} is tested")
    for name in known:
        if name not in functions:
            faults.append(f"{name}: tested, but not declared")
    print("\n".join(faults) or f"{len(functions)} functions")
    return bool(faults)


sys.exit(main())
