"""Files made to exhaust memory or time: every reader refuses them with a message, or reads them, within 64 MiB and 10 s for each megabyte of the file.

The limits are those of the process: its address space is that which the same command needs for a small file and 64 MiB, its processor time 10 s for each
megabyte of input that is begun: a scene of one line may ask for a million bodies. A command that ran into a limit without noticing would end by a signal.
"""

import base64
import json
import math
import pathlib
import resource
import struct
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import demo
from demo import abut, abut_well, fresh_folder

try:
    import h5py
    import numpy
except ImportError:
    print("skipped: h5py or numpy is missing")
    sys.exit(77)

MIB = 1 << 20
HUGE = (2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**40, 2**62, 2**63 - 1, 2**63, 2**64, 10**30, -1, -2**31, -2**63)
SOME = (2**31 - 1, 2**32, 2**62, -1)

SCENE = {"abut_scene": 1, "duration": 1, "bodies": []}
OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def repeated(text, size=MIB):
    return text * (size // len(text) + 1)


def rows(line, size=MIB):
    """Numbered lines."""
    made, used, i = [], 0, 0
    while used < size:
        made.append(line(i))
        used += len(made[-1])
        i += 1
    return "".join(made)


# ---- scenes ----

def scene_text(**members):
    return json.dumps({**SCENE, **members})


def scenes():
    head = '{"abut_scene": 1, "duration": 1, "bodies": ['
    yield "deep arrays", "[" * MIB
    yield "deep objects", repeated('{"a":')
    yield "deep arrays, closed", "[" * (MIB // 2) + "]" * (MIB // 2)
    yield "empty arrays", head + repeated("[],") + "[]]}"
    yield "empty objects", head + repeated("{},") + "{}]}"
    yield "empty arrays, 4 MiB", head + repeated("[],", 4 * MIB) + "[]]}"
    yield "zeros", head + repeated("0,") + "0]}"
    yield "zeros beside", '{"abut_scene": 1, "x": [' + repeated("0,") + "0]}"
    yield "one key again and again", "{" + repeated('"abut_scene":1,') + '"duration":1}'
    yield "many keys", "{" + rows(lambda i: f'"k{i}":0,') + '"duration":1}'
    yield "many shapes", '{"abut_scene": 1, "duration": 1, "bodies": [], "shapes": {' + rows(lambda i: f'"s{i}":{{"sphere":{{"radius":1}}}},') + '"t":{"sphere":{"radius":1}}}}'
    yield "many materials", '{"abut_scene": 1, "duration": 1, "bodies": [], "materials": {' + rows(lambda i: f'"s{i}":{{"density":1}},') + '"t":{"density":1}}}'
    yield "many bodies", head + rows(lambda i: f'{{"name":"b{i}","shape":{{"sphere":{{"radius":1}}}},"position":[{3 * i},0,0]}},') + '{"name":"x","shape":{"sphere":{"radius":1}}}]}'
    yield "many bodies in one place", head + rows(lambda i: f'{{"name":"b{i}","shape":{{"sphere":{{"radius":1}}}}}},') + '{"name":"x","shape":{"sphere":{"radius":1}}}]}'
    yield "bodies of one name", head + repeated('{"name":"x","shape":{"sphere":{"radius":1}}},') + '{"shape":{"sphere":{"radius":1}}}]}'
    yield "a chain of compounds", '{"abut_scene": 1, "duration": 1, "bodies": [], "shapes": {' + rows(
        lambda i: f'"s{i}":{{"compound":[{{"shape":"s{i + 1}"}}]}},') + '"t":{"sphere":{"radius":1}}}}'
    yield "doubling compounds", scene_text(shapes={"s0": {"sphere": {"radius": 1}},
                                                   **{f"s{i + 1}": {"compound": [{"shape": f"s{i}"}, {"shape": f"s{i}"}]} for i in range(40)}})
    yield "a compound of a million", scene_text(shapes={"s0": {"sphere": {"radius": 1}},
                                                        **{f"s{i + 1}": {"compound": 8 * [{"shape": f"s{i}"}]} for i in range(6)}},
                                                bodies=[{"name": "x", "shape": "s6"}])
    yield "compounds of many bodies", scene_text(shapes={"s0": {"sphere": {"radius": 1}},
                                                         **{f"s{i + 1}": {"compound": 8 * [{"shape": f"s{i}"}]} for i in range(5)}},
                                                 bodies=[{"name": f"b{i}", "shape": "s5", "position": [0, 0, 3 * i]} for i in range(200)])
    yield "a compound of itself", scene_text(shapes={"s": {"compound": [{"shape": "s"}]}}, bodies=[{"name": "x", "shape": "s"}])
    yield "a long string", '{"abut_scene": 1, "title": "' + "x" * MIB + '"}'
    yield "a long number", '{"abut_scene": 1, "duration": ' + "1" * MIB + "}"
    yield "a long fraction", '{"abut_scene": 1, "duration": 0.' + "1" * MIB + ', "bodies": []}'
    yield "escapes", '{"abut_scene": 1, "title": "' + repeated("\\u0001") + '"}'
    yield "no text", "\0" * MIB
    yield "blanks", " " * MIB
    yield "line ends", "\n" * MIB
    yield "a long vector", head + '{"position":[' + repeated("0,") + '0],"shape":{"sphere":{"radius":1}}}]}'
    yield "points of a hull", head + '{"name":"x","kind":"static","shape":{"hull":{"points":[' + rows(
        lambda i: f"[{math.cos(i):.6f},{math.sin(i):.6f},{math.sin(1e-2 * i):.6f}],", MIB // 4) + '[0,0,0.5]]}}}]}'
    yield "points of a sphere", head + '{"name":"x","kind":"static","shape":{"hull":{"points":[' + rows(
        lambda i: f"[{math.cos(i) * math.sin(0.7 * i):.15f},{math.sin(i) * math.sin(0.7 * i):.15f},{math.cos(0.7 * i):.15f}],") + '[0,0,0.5]]}}}]}'
    yield "points of a parabola", head + '{"name":"x","kind":"static","shape":{"hull":{"points":[' + rows(lambda i: f"[{i},{i * i},{i * i * i}],") + '[0,0,0.5]]}}}]}'
    for count in HUGE:
        yield f"a fill of {count}", scene_text(bodies=[{"name": "x", "shape": {"sphere": {"radius": 1e-9}}, "fill": {"count": count, "lower": [0, 0, 0], "upper": [1, 1, 1], "seed": 1}}])
        yield f"a prism of {count} sides", scene_text(bodies=[{"name": "x", "shape": {"prism": {"radius": 1, "half_height": 1, "sides": count}}}])
        yield f"a duration of {count}", scene_text(duration=count)
    for count in (10**5, 10**6, 2**20, 10**7, 10**9):
        yield f"a prism of {count} sides", scene_text(bodies=[{"name": "x", "shape": {"prism": {"radius": 1, "half_height": 1, "sides": count}}}])
        yield f"a fill of {count}", scene_text(bodies=[{"name": "x", "shape": {"sphere": {"radius": 1e-9}}, "fill": {"count": count, "lower": [0, 0, 0], "upper": [1, 1, 1], "seed": 1}}])
        yield f"a narrow fill of {count}", scene_text(bodies=[{"name": "x", "shape": {"sphere": {"radius": 0.1}}, "fill": {"count": count, "lower": [0, 0, 0], "upper": [1, 1, 1], "seed": 1}}])
    yield "a polytope of one face", head + '{"name":"x","shape":{"polytope":{"vertices":[[0,0,0],[1,0,0],[0,1,0],[0,0,1]],"faces":[[' + repeated("0,") + '0]]}}}]}'
    yield "a polytope of many faces", head + '{"name":"x","shape":{"polytope":{"vertices":[[0,0,0],[1,0,0],[0,1,0],[0,0,1]],"faces":[' + repeated(
        "[0,2,1],") + '[0,1,2]]}}}]}'
    yield "a mesh of one triangle", head + '{"name":"x","kind":"static","shape":{"trimesh":{"vertices":[[0,0,0],[1,0,0],[0,1,0]],"triangles":[' + repeated(
        "[0,1,2],") + '[0,1,2]]}}}]}'
    yield "a mesh of a fan", head + '{"name":"x","kind":"static","shape":{"trimesh":{"vertices":[[0,0,0],[0,0,1]' + rows(
        lambda i: f",[{math.cos(i):.4f},{math.sin(i):.4f},0]", MIB // 2) + '],"triangles":[[0,1,2]' + rows(lambda i: f",[0,1,{i + 3}]", MIB // 4) + ']}}}]}'
    yield "a field of zeros", head + '{"name":"x","kind":"static","shape":{"heightfield":{"spacing":[1,1],"heights":[[' + repeated("0,") + "0],[" + repeated(
        "0,") + '0]]}}}]}'
    yield "rounded triangles", head + '{"name":"x","shape":{"facetmesh":{"vertices":[[0,0,0],[1,0,0],[0,1,0]],"triangles":[' + repeated("[0,1,2],") + '[0,1,2]]}}}]}'
    yield "overlapping spheres", scene_text(bodies=[{"name": f"b{i}", "shape": {"sphere": {"radius": 1}}} for i in range(4000)])
    yield "overlapping meshes", scene_text(shapes={"m": {"heightfield": {"spacing": [1, 1], "heights": 100 * [100 * [0]]}}},
                                           bodies=[{"name": f"b{i}", "kind": "kinematic", "shape": "m"} for i in range(200)])
    yield "overlapping hulls", scene_text(shapes={"m": {"prism": {"radius": 1, "half_height": 1, "sides": 200}}},
                                          bodies=[{"name": f"b{i}", "shape": "m", "position": [1e-3 * i, 0, 0]} for i in range(1000)])
    yield "many actions", '{"abut_scene": 1, "duration": 1, "bodies": [{"name": "b", "shape": {"sphere": {"radius": 1}}}], "actions": [' + repeated(
        '{"at":0,"velocity":{"body":"b","velocity":[0,0,1]}},') + '{"at":0,"remove":"b"}]}'
    yield "an atom every line", "[\n" + repeated("0,\n") + "0]"


# ---- meshes ----

def stl(count, triangles=1):
    return bytes(80) + struct.pack("<I", count) + struct.pack("<12fH", *([0] * 3 + [0, 0, 0, 1, 0, 0, 0, 1, 0]), 0) * triangles


def ply(vertices, faces, body=b"", form="ascii"):
    return (f"ply\nformat {form} 1.0\nelement vertex {vertices}\nproperty float x\nproperty float y\nproperty float z\n"
            f"element face {faces}\nproperty list uchar int vertex_indices\nend_header\n").encode() + body


def gltf(**members):
    data = base64.b64encode(struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)).decode()
    whole = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
             "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
             "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
             "bufferViews": [{"buffer": 0, "byteLength": 36}],
             "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64," + data}]}
    return json.dumps({**whole, **members})


def glb(length, chunk, text="{}"):
    return struct.pack("<IIIII", 0x46546C67, 2, length, chunk, 0x4E4F534A) + text.encode()


def meshes():
    yield "vertices.obj", repeated("v 0 0 0\n")
    yield "faces.obj", OBJ + repeated("f 1 2 3\n")
    yield "groups.obj", OBJ + rows(lambda i: f"g a{i}\nf 1 2 3\n")
    yield "pieces.obj", rows(lambda i: f"v {i} 0 0\nv {i} 1 0\nv {i} 0 1\nv {i + 0.5} 0 0\nf -4 -2 -3\nf -4 -3 -1\nf -4 -1 -2\nf -3 -2 -1\n")
    yield "one-group.obj", OBJ + repeated("g a\nf 1 2 3\ng b\nf 1 3 2\n")
    yield "polygon.obj", OBJ + "f " + repeated("1 2 3 ") + "\n"
    yield "polygons.obj", OBJ + repeated("f " + 1000 * "1 2 3 4 " + "\n")
    yield "long.obj", "v " + "1" * MIB + " 0 0\n"
    yield "words.obj", repeated("x" * 1000 + " ")
    yield "no-lines.obj", repeated("v 0 0 0 ")
    yield "fan.obj", rows(lambda i: f"v {math.cos(i):.5f} {math.sin(i):.5f} {1e-3 * i}\n", MIB // 2) + rows(lambda i: f"f 1 {i % 9000 + 2} {i % 9000 + 3}\n", MIB // 2)
    for count in HUGE:
        yield f"index{count}.obj", OBJ + f"f 1 2 {count}\n"
        yield f"vertices{count}.ply", ply(count, 1, b"0 0 0\n")
        yield f"faces{count}.ply", ply(3, count, b"0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
        yield f"vertices{count}b.ply", ply(count, 1, bytes(1000), "binary_little_endian")
        yield f"corners{count}.ply", ply(3, 1, f"0 0 0\n1 0 0\n0 1 0\n{count} 0 1 2\n".encode())
        yield f"accessor{count}.gltf", gltf(accessors=[{"bufferView": 0, "componentType": 5126, "count": count, "type": "VEC3"}])
        yield f"sparse{count}.gltf", gltf(accessors=[{"componentType": 5126, "count": count, "type": "VEC3"}])
        yield f"buffer{count}.gltf", gltf(buffers=[{"byteLength": count}])
        yield f"view{count}.gltf", gltf(bufferViews=[{"buffer": 0, "byteOffset": count, "byteLength": count}])
    for count in (0, 1, 2**31 - 1, 2**31, 2**32 - 1):
        yield f"count{count}.stl", stl(count)
        yield f"length{count}.glb", glb(count, count)
        yield f"chunk{count}.glb", glb(24, count, 4 * " ")
        yield f"sparse{count + 7}.gltf", gltf(accessors=[{"componentType": 5126, "count": count, "type": "VEC3"}])
    yield "triangles.stl", stl(20000, 20000)
    yield "text.stl", "solid x\n" + repeated("facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n") + "endsolid\n"
    yield "solids.stl", rows(lambda i: f"solid s{i}\nendsolid\n")
    yield "elements.ply", "ply\nformat ascii 1.0\n" + rows(lambda i: f"element e{i} 4000000000\nproperty float x\n") + "end_header\n"
    yield "empty.ply", "ply\nformat ascii 1.0\nelement none 2000000000\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n1 0 0\n0 1 0\n"
    yield "properties.ply", "ply\nformat ascii 1.0\nelement vertex 1\n" + rows(lambda i: f"property float p{i}\n") + "end_header\n"
    yield "comments.ply", "ply\nformat ascii 1.0\n" + repeated("comment\n")
    yield "deep.gltf", '{"asset":{"version":"2.0"},"x":' + "[" * MIB
    yield "chain.gltf", gltf(nodes=[{"children": [i + 1]} for i in range(30000)] + [{"mesh": 0}])
    yield "circle.gltf", gltf(nodes=[{"children": [1]}, {"children": [0]}])
    yield "doubling.gltf", gltf(nodes=[{"children": [i + 1, i + 1]} for i in range(60)] + [{"mesh": 0}])
    yield "reused.gltf", gltf(scenes=[{"nodes": list(range(40000))}], nodes=40000 * [{"mesh": 0}])
    primitive = {"attributes": {"POSITION": 0}}
    yield "many-reused.gltf", gltf(scenes=[{"nodes": list(range(5000))}], nodes=5000 * [{"mesh": 0}], meshes=[{"primitives": 5000 * [primitive]}])
    yield "itself.gltf", gltf(buffers=[{"byteLength": 36, "uri": "itself.gltf"}])
    yield "zeros.gltf", gltf(buffers=[{"byteLength": 36, "uri": "/dev/zero"}])
    for kind in ("obj", "stl", "ply", "gltf", "glb"):
        yield f"zeros.{kind}", bytes(MIB)
        yield f"blanks.{kind}", " " * MIB
        yield f"lines.{kind}", "\n" * MIB


# ---- tetrahedral meshes ----

def msh2(nodes, elements, rows_of_nodes="1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n", rows_of_elements="1 4 0 1 2 3 4\n"):
    return f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{nodes}\n{rows_of_nodes}$EndNodes\n$Elements\n{elements}\n{rows_of_elements}$EndElements\n"


def msh4(nodes, elements, entities=""):
    return (f"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n{entities}$Nodes\n{nodes}\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n"
            f"$Elements\n{elements}\n3 1 4 1\n1 1 2 3 4\n$EndElements\n")


def vtk(points, cells, numbers, types):
    return (f"# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS {points} double\n0 0 0 1 0 0 0 1 0 0 0 1\n"
            f"CELLS {cells} {numbers}\n4 0 1 2 3\nCELL_TYPES {types}\n10\n")


def tets():
    for count in HUGE:
        yield f"n{count}.msh", msh2(count, 1)
        yield f"e{count}.msh", msh2(4, count)
        yield f"t{count}.msh", msh2(4, 1, rows_of_elements=f"1 4 {count} 1 2 3 4\n")
        yield f"tag{count}.msh", msh2(4, 1, rows_of_nodes=f"{count} 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n")
        yield f"n4{count}.msh", msh4(f"{count} {count} 1 {count}", "1 1 1 1")
        yield f"e4{count}.msh", msh4("1 4 1 4", f"{count} {count} 1 {count}")
        yield f"b4{count}.msh", msh4("1 4 1 4", "1 1 1 1", f"$Entities\n0 0 0 {count}\n$EndEntities\n")
        yield f"p4{count}.msh", msh4("1 4 1 4", "1 1 1 1", f"$Entities\n0 0 0 1\n1 0 0 0 1 1 1 {count} 1 0\n$EndEntities\n")
        yield f"p{count}.vtk", vtk(count, 1, 5, 1)
        yield f"c{count}.vtk", vtk(4, count, 5, count)
        yield f"x{count}.vtk", vtk(4, 1, count, 1)
        yield f"y{count}.vtk", vtk(4, 1, 5, count)
        yield f"n{count}.node", f"{count} 3 0 0\n1 0 0 0\n"
        yield f"a{count}.node", f"1 3 {count} 0\n1 0 0 0\n"
    for size in (4, 8):
        for count in (2**31 - 1, 2**63 - 1, 2**40):
            for mode in (1, ):
                yield f"binary{size}-{count}.msh", (f"$MeshFormat\n4.1 {mode} {size}\n".encode() + struct.pack("<i", 1) + b"\n$EndMeshFormat\n$Nodes\n" +
                                                    4 * struct.pack("<Q", count) + bytes(1000))
    for count in SOME:
        yield f"binary{count}.msh", b"$MeshFormat\n2.2 1 8\n" + struct.pack("<i", 1) + f"\n$EndMeshFormat\n$Nodes\n{count}\n".encode() + bytes(1000)
        yield f"binary{count}.vtk", f"# vtk DataFile Version 3.0\nx\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS {count} double\n".encode() + bytes(1000)
    yield "elements.msh", msh2(4, MIB // 16, rows_of_elements=rows(lambda i: f"{i + 1} 4 0 1 2 3 4\n"))
    yield "one-tag.msh", msh2(MIB // 8, 1, rows_of_nodes=repeated("1 0 0 0\n"))
    yield "tags.msh", msh2(MIB // 32, 1, rows_of_nodes=rows(lambda i: f"{(i * 2**40) % (2**62)} 0 0 0\n"))
    yield "points.vtk", vtk(4, 0, 0, 0) + repeated("FIELD x 0\n")
    yield "fields.vtk", "# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\n" + repeated("FIELD x 0\n")
    yield "field.vtk", "# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nFIELD x 4000000000\n" + repeated("a 0 4000000000 int\n")
    yield "sections.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n" + repeated("$X\n$EndX\n")
    yield "open-sections.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n" + repeated("$X\n")
    yield "nodes.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n" + repeated("$Nodes\n0\n$EndNodes\n")
    yield from newer_tetrahedra()
    for kind in ("msh", "vtk", "vtu", "mesh", "inp", "node"):
        yield f"zeros.{kind}", bytes(MIB)
        yield f"blanks.{kind}", " " * MIB
        yield f"lines.{kind}", "\n" * MIB
        yield f"digits.{kind}", "1" * MIB
        yield f"ones.{kind}", repeated("1 ")


def newer_tetrahedra():
    """Files of Medit, Abaqus and VTK XML."""
    medit, abaqus, root = "MeshVersionFormatted 2\nDimension 3\n", "*NODE\n1, 0, 0, 0\n", '<VTKFile type="UnstructuredGrid">\n'
    for count in HUGE:
        yield f"v{count}.mesh", f"{medit}Vertices {count}\n0 0 0 0\n"
        yield f"t{count}.mesh", f"{medit}Vertices 1\n0 0 0 0\nTetrahedra {count}\n1 1 1 1 0\n"
        yield f"n{count}.inp", f"*NODE\n{count}, 0, 0, 0\n"
        yield f"e{count}.inp", f"{abaqus}*ELEMENT, TYPE=C3D4\n1, 1, 1, 1, {count}\n"
        yield f"p{count}.vtu", f'{root}<Piece NumberOfPoints="{count}" NumberOfCells="{count}"><Points><DataArray type="Int8">0</DataArray></Points></Piece></VTKFile>'
        yield f"o{count}.vtu", (f'{root}<Piece NumberOfPoints="1" NumberOfCells="1"><Points><DataArray type="Int8" format="appended" offset="{count}"/></Points>'
                                '</Piece><AppendedData encoding="raw">_</AppendedData></VTKFile>')
    yield "comments.mesh", medit + repeated("#\n")
    yield "words.mesh", medit + repeated("Edges 0\n")
    yield "commas.inp", "*NODE\n" + repeated(",")
    yield "keyword.inp", "*NODE" + repeated(",\n")
    yield "parts.inp", repeated("*PART\n" + abaqus)
    yield "one.inp", "*NODE\n" + repeated("1, 0, 0, 0\n")
    yield "elements.inp", abaqus + "*ELEMENT, TYPE=C3D4\n" + repeated("1,1,1,1,1\n") + "1,1,1,1,2\n"  # refused: so many equal elements would be a question of hours
    yield "tags.vtu", root + repeated("<a>")
    yield "pieces.vtu", root + repeated('<Piece NumberOfPoints="1" NumberOfCells="1">')
    yield "comments.vtu", root + repeated("<!---->")
    yield "quotes.vtu", root + "<a " + repeated("b='\"' ") + ">"


def pairs():
    corners = "0,0,0,1,0,0,0,1,0,0,0,1,0.2,0.2,0.2,2,0,0,0,2,0,0,0,2\n"
    yield "many", repeated(corners)
    yield "commas", "," * MIB
    yield "columns", repeated("0,")
    yield "digits", "1" * MIB
    yield "names", repeated("name,") + "\n" + corners
    yield "comments", repeated("#\n")
    yield "zeros", bytes(MIB)
    yield "lines", "\n" * MIB
    yield "quotes", '"' * MIB
    yield "infinite", repeated("1e999," * 23 + "1\n")


# ---- recordings ----

def replace(file, path, shape, chunks=None, **options):
    """The dataset with another extent. Nothing is written, so the file stays small."""
    kind = file[path].dtype
    del file[path]
    file.create_dataset(path, shape=shape, dtype=kind, chunks=chunks, **options)


def bomb(file, path, count, inner=()):
    """The dataset full of zeros, compressed a thousand times."""
    kind = file[path].dtype
    del file[path]
    made = file.create_dataset(path, shape=(0, *inner), maxshape=(None, *inner), dtype=kind, chunks=(1 << 20, *inner), compression=9)
    made.resize(count, axis=0)
    step = 1 << 20
    for first in range(0, count, step):
        made[first:first + step] = numpy.zeros((min(step, count - first), *inner), dtype=kind)


def recordings():
    """Functions that damage a recording."""
    vectors = ("steps/step", "steps/time", "frames/step", "frames/time", "frames/contact_first", "frames/contact_count", "bodies/kind", "bodies/name",
               "shapes/kind", "shapes/vertex_first", "shapes/corners", "contacts/gap")
    for path in vectors:
        for count in (10**6, 2**31 - 1, 2**40, 2**60):
            yield f"{path} of {count}", lambda file, path=path, count=count: replace(file, path, (count, ), chunks=(1 << 16, ))
        yield f"{path}, one chunk of 2 GiB", lambda file, path=path: replace(file, path, (2**28, ), chunks=(2**28, ))
    for path in ("frames/pose", "frames/velocity", "frames/presence"):
        def large(file, path=path):
            inner = file[path].shape[1:]
            replace(file, path, (2**40, *inner), chunks=(1000, *inner))
        yield f"{path} of 2^40", large

    def frames(file, count):
        for path in ("frames/step", "frames/time", "frames/contact_first", "frames/contact_count"):
            bomb(file, path, count)
        for path in ("frames/pose", "frames/velocity", "frames/presence"):
            bomb(file, path, count, file[path].shape[1:])
    yield "a million compressed steps", lambda file: [bomb(file, f"steps/{name}", 2**20) for name in list(file["steps"])]
    yield "16 million compressed steps", lambda file: bomb(file, "steps/step", 2**24)
    yield "64 million compressed steps", lambda file: bomb(file, "steps/step", 2**26)
    yield "compressed frames", lambda file: bomb(file, "frames/step", 2**25)
    yield "linked steps", lambda file: [bomb(file, "steps/step", 2**22)] + [file.__delitem__(f"steps/{name}") or file.__setitem__(f"steps/{name}", file["steps/step"])
                                                                           for name in list(file["steps"]) if name != "step"]

    def long_names(file):
        count = len(file["bodies/name"])
        del file["bodies/name"]
        file.create_dataset("bodies/name", shape=(count, ), dtype="S100000000")
    yield "long names", long_names

    def long_scene(file):
        del file["scene"]
        file.create_dataset("scene", shape=(), dtype="S1000000000")
    yield "a long scene", long_scene

    def repeated_contacts(file):
        count = len(file["contacts/gap"])
        file["frames/contact_first"][:] = 0
        file["frames/contact_count"][:] = count
    yield "contacts of all frames in all frames", repeated_contacts

    def elsewhere(file):
        kind = file["steps/time"].dtype
        count = len(file["steps/time"])
        del file["steps/time"]
        file.create_dataset("steps/time", shape=(count, ), dtype=kind, external=[("/dev/zero", 0, h5py.h5f.UNLIMITED)])
    yield "data in another file", elsewhere

    def virtual(file):
        kind, count = file["steps/time"].dtype, len(file["steps/time"])
        del file["steps/time"]
        layout = h5py.VirtualLayout(shape=(count, ), dtype=kind)
        layout[:] = h5py.VirtualSource("demo.h5", "steps/time", shape=(count, ))
        file.create_virtual_dataset("steps/time", layout)
    yield "values in another recording", virtual

    def linked(file):
        del file["steps/time"]
        file["steps/time"] = h5py.ExternalLink("demo.h5", "/steps/time")
    yield "a link to another recording", linked

    def large_chunk(file):
        count = len(file["steps/time"])
        del file["steps/time"]
        made = file.create_dataset("steps/time", shape=(count, ), maxshape=(None, ), dtype="f8", chunks=(2**22, ), compression=9)
        made[:] = 0.0
    yield "one chunk of 32 MiB", large_chunk

    def many_frames(file, count=2**13, chunk=2**15):
        for path in list(file["steps"]):
            bomb(file, f"steps/{path}", 1)
        for path in ("step", "time", "contact_first", "contact_count"):
            bomb(file, f"frames/{path}", count)
        bodies = len(file["bodies/name"])
        for path, inner in (("pose", (bodies, 7)), ("velocity", (bodies, 6)), ("presence", (bodies, ))):
            kind = file[f"frames/{path}"].dtype
            del file[f"frames/{path}"]
            made = file.create_dataset(f"frames/{path}", shape=(count, *inner), maxshape=(None, *inner), dtype=kind, chunks=(chunk, *inner), compression=9)
            made[:] = numpy.zeros((count, *inner), kind)
    yield "many frames in large chunks", many_frames

    def soft(file):
        del file["steps"]
        file["steps"] = h5py.SoftLink("/steps")
    yield "a link to itself", soft

    def other(file):
        del file["steps"]
        file["steps"] = h5py.ExternalLink("hostile.h5", "/steps")
    yield "a link to its own file", other


# ---- the commands ----

class Hostile(unittest.TestCase):
    def setUp(self):
        self.folder = fresh_folder(f"hostile-{self._testMethodName}")
        self.count = 0

    def limited(self, memory, seconds, *arguments):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        return abut(*arguments, cwd=self.folder, preexec_fn=limit)

    def bare(self, *arguments):
        """The least address space in which the command does its work with a small file, to 256 KiB."""
        low, high = 0, 1 << 32
        if self.limited(high, 60, *arguments).returncode != 0:
            self.assertEqual(abut(*arguments, cwd=self.folder).returncode, 0, arguments)
            self.skipTest("the command needs more than 4 GiB of address space, as with a sanitizer")
        while high - low > 1 << 18:
            middle = (low + high) // 2
            low, high = (low, middle) if self.limited(middle, 60, *arguments).returncode == 0 else (middle, high)
        return high

    def check(self, name, path, memory, *arguments, says=None):
        """The command ends by itself, with a message unless it succeeds."""
        size = path.stat().st_size
        seconds = 10 * max(1, math.ceil(size / MIB))
        result = self.limited(memory + 64 * MIB, seconds, *arguments)
        self.count += 1
        said = [line for line in result.stderr.splitlines() if ": warning: " not in line]
        with self.subTest(name):
            self.assertIn(result.returncode, (0, 1, 2), (arguments, result.stderr[:300], seconds))
            if says:
                self.assertRegex(result.stderr, says)
            if result.returncode:
                self.assertTrue(said and len(said[0]) > 20, (arguments, result.returncode, result.stderr[:300]))
                self.assertNotIn("internal error", result.stderr)

    def write(self, name, data):
        path = self.folder / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    def test_scenes(self):
        memory = self.bare("check", self.write("small.json", scene_text(bodies=[{"name": "x", "shape": {"sphere": {"radius": 1}}}])))
        for name, text in scenes():
            path = self.write("hostile.json", text)
            self.check(name, path, memory, "check", path)
        print(f"{self.count} scenes; a small one needs {memory / MIB:.0f} MiB of address space")

    def test_meshes(self):
        small = self.write("small.obj", OBJ)
        memory = self.bare("collide", small, "sphere:1")
        for name, data in meshes():
            path = self.write(name, data)
            for argument in (path.name, f"trimesh:{path.name}", f"facetmesh:{path.name}"):
                self.check(f"{argument}", path, memory, "collide", argument, "sphere:0.5")
            path.unlink()
        print(f"{self.count} meshes; a small one needs {memory / MIB:.0f} MiB of address space")

    def test_tetrahedra(self):
        memory = self.bare("depth", self.write("small.msh", demo.tetrahedron(0)))
        self.write("small.vtk", vtk(4, 1, 5, 1))
        for name, data in tets():
            path = self.write(name, data)
            if path.suffix == ".node":
                path.with_suffix(".ele").write_text("1 4 0\n1 1 2 3 4\n")
            self.check(name, path, memory, "depth", path.name)
            path.unlink()
        self.write("small.node", "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n")
        for count in HUGE:
            path = self.write("small.ele", f"{count} 4 0\n1 1 2 3 4\n")
            self.check(f"{count} elements", path, memory, "depth", "small.node")
            path = self.write("small.ele", f"1 {count} 0\n1 1 2 3 4\n")
            self.check(f"{count} corners", path, memory, "depth", "small.node")
        print(f"{self.count} tetrahedral meshes; a small one needs {memory / MIB:.0f} MiB of address space")

    def test_pairs(self):
        small = self.write("small.csv", "0,0,0,1,0,0,0,1,0,0,0,1,0.2,0.2,0.2,2,0,0,0,2,0,0,0,2\n")
        memory = self.bare("depth", "--pairs", small)
        for name, data in pairs():
            path = self.write("hostile.csv", data)
            self.check(name, path, memory, "depth", "--pairs", path.name)
        print(f"{self.count} tables of pairs; a small one needs {memory / MIB:.0f} MiB of address space")

    def test_recordings(self):
        whole = demo.record(self.folder)
        (self.folder / "template.html").write_text("<!--abut:runs-->\n")
        view = ("view", "hostile.h5", "-o", "page.html", "--template", "template.html")
        export = ("export", "hostile.h5", "out.csv", "--table", "bodies")
        path = self.write("hostile.h5", whole.read_bytes())
        start = ("check", "start.json")
        self.write("start.json", json.dumps({**demo.SCENE, "start": {"recording": "hostile.h5"}}))
        memory = {view: self.bare(*view), export: self.bare(*export), start: self.bare(*start)}
        for name, damage in recordings():
            self.write("hostile.h5", whole.read_bytes())
            with h5py.File(path, "r+") as file:
                try:
                    damage(file)
                except KeyError as missing:
                    self.fail(f"{name}: {missing}")
            for arguments in (view, export, start):
                elsewhere = "another" in name or "2^" in name or " of 1" in name
                self.check(f"{name}: {arguments[0]}", path, memory[arguments], *arguments, says="is damaged" if elsewhere else None)
        for size in (0, 1, 8, 100, 1000):
            self.write("hostile.h5", whole.read_bytes()[:size] + bytes(MIB))
            self.check(f"{size} bytes and zeros", path, memory[view], *view)
        print(f"{self.count} recordings; a small one needs {memory[view] / MIB:.0f} MiB of address space")

    def test_templates(self):
        demo.record(self.folder)
        self.write("template.html", "<!--abut:runs-->\n")
        view = ("view", "demo.h5", "-o", "page.html", "--template", "template.html")
        memory = self.bare(*view)
        for name, data in (("zeros", bytes(8 * MIB)), ("comments", repeated("<!--")), ("marks", repeated("<!--abut:runs-->"))):
            self.check(name, self.write("template.html", data), memory, *view)

    def test_checkpoints(self):
        demo.write_scene(self.folder / "scene.json")
        abut_well("run", self.folder / "scene.json", "-o", self.folder / "whole.h5", "-q", "--steps", 20)
        made = self.checkpoint()
        resume = ("run", "--resume", "hostile.checkpoint.h5", "-q", "-o", "resumed.h5", "--threads", 1)
        path = self.write("hostile.checkpoint.h5", made)
        memory = self.bare(*resume)

        def state(count, **options):
            def damage(file):
                replace(file, "checkpoint/state", (count, ), **options)
            return damage
        damages = [(f"a state of {count}", state(count, chunks=(1 << 20, ))) for count in (10**8, 2**31, 2**40, 2**60)]
        damages += [("a compressed state", lambda file: bomb(file, "checkpoint/state", 2**28))]
        damages += list(recordings())
        for name, damage in damages:
            path.write_bytes(made)
            with h5py.File(path, "r+") as file:
                damage(file)
            self.check(name, path, memory, *resume)
        print(f"{self.count} checkpoints; a small one needs {memory / MIB:.0f} MiB of address space")

    def checkpoint(self):
        """The bytes of a checkpoint."""
        import signal
        import subprocess
        import time
        demo.write_scene(self.folder / "long.json", {**demo.SCENE, "duration": 1e4})
        path = self.folder / "long.checkpoint.h5"
        process = subprocess.Popen([demo.COMMAND, "run", "long.json", "-q", "--checkpoint-steps", "20"], cwd=self.folder)
        while not path.exists():
            self.assertIsNone(process.poll())
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        process.wait()
        with h5py.File(path, "r+") as file:
            group = file["checkpoint"]
            group.attrs.modify("steps_wanted", int(file["steps/step"][-1]) + 2)
        return path.read_bytes()


if __name__ == "__main__":
    unittest.main()
