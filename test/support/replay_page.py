"""Reads a replay page, from docs/replay-page.md alone."""

import base64
import json
import re
import zlib

import numpy as np

CONTACT_COLUMNS = ("ref", "a", "b", "kind_a", "index_a", "part_a", "kind_b", "index_b", "part_b", "patch", "flags", "id_low", "id_high",
                   "on_a_x", "on_a_y", "on_a_z", "on_b_x", "on_b_y", "on_b_z", "normal_x", "normal_y", "normal_z", "gap", "area", "normal_force",
                   "friction_x", "friction_y", "friction_z")
REALS = ("gap", "area", "normal_force", "friction_x", "friction_y", "friction_z")


def scripts(text):
    """The script elements of a page: id, type, contents."""
    found = re.findall(r'<script type="([^"]*)" id="([^"]*)">(.*?)</script>', text, re.DOTALL)
    return {name: (kind, contents) for kind, name, contents in found}


def int_planes(data, count):
    planes = np.frombuffer(data, "u1", 4 * count).reshape(4, count).astype("u4")
    return (planes[0] | planes[1] << 8 | planes[2] << 16 | planes[3] << 24).view("i4")


def real_planes(data, count):
    return np.ascontiguousarray(np.frombuffer(data, "u1", 8 * count).reshape(8, count).T).view("<f8").ravel()


def from_float_order(numbers):
    numbers = numbers.astype("i8")
    bits = np.where(numbers < 0, 0x80000000 - numbers, numbers)
    return bits.astype("u4").view("f4")


class Run:
    """Run r of a page; the frames of all chunks are joined."""

    def __init__(self, text, r):
        elements = scripts(text)
        kind, head = elements[f"run-{r}"]
        assert kind == "application/json" and "<" not in head
        self.head = json.loads(head)
        assert (self.head["format"], self.head["version"]) == ("abut replay", 1)
        self.blocks = []
        for k, entry in enumerate(self.head["blocks"]):
            kind, contents = elements[f"run-{r}-block-{k}"]
            assert kind == "text/plain"
            data = zlib.decompress(base64.b64decode(contents, validate=True))
            assert len(data) == entry["bytes"], (entry, len(data))
            self.blocks.append((entry, data))
        assert f"run-{r}-block-{len(self.blocks)}" not in elements
        self.bodies, self.frame_count = len(self.head["bodies"]), self.head["frame_count"]

    def of_kind(self, kind):
        return [(entry, data) for entry, data in self.blocks if entry["kind"] == kind]

    def steps(self):
        ((_, data),) = self.of_kind("steps")
        rows = self.head["step_count"]
        assert len(data) == 8 * rows * len(self.head["columns"])
        return {name: real_planes(data[8 * rows * i:], rows) for i, name in enumerate(self.head["columns"])}

    def frames(self):
        ((_, data),) = self.of_kind("frames")
        assert len(data) == 16 * self.frame_count
        return real_planes(data, self.frame_count), real_planes(data[8 * self.frame_count:], self.frame_count)

    def chunks(self, kind):
        """The blocks of a kind, which must cover all frames in order."""
        found, next_frame = self.of_kind(kind), 0
        for entry, data in found:
            assert entry["first"] == next_frame, entry
            next_frame += entry["count"]
            yield entry, data
        assert next_frame == self.frame_count, (kind, next_frame)

    def poses(self):
        """presence [frames][bodies], poses [frames][bodies][7], and the unit of each body's lengths [frames][bodies]."""
        presence, poses, units = [], [], []
        for entry, data in self.chunks("poses"):
            n, b = entry["count"], self.bodies
            presence.append(np.frombuffer(data, "u1", b * n).reshape(b, n).T)
            shift = int_planes(data[b * n:], b)
            v = int_planes(data[b * n + 4 * b:], 7 * b * n).reshape(7, b, n).astype("i8")
            assert len(data) == 29 * b * n + 4 * b
            for f in range(1, n):
                v[..., f] += 2 * v[..., f - 1] - v[..., f - 2] if f > 1 else v[..., 0]
                v[..., f] = (v[..., f] + 2**31) % 2**32 - 2**31
            unit, most = self.head["quantum"]["length"] * 2.0 ** shift, np.abs(v[:3]).max(axis=(0, 2))
            assert (shift >= 0).all() and (most < 2**29).all()
            assert ((shift == 0) | (most >= 2**28 - 1)).all(), "a smaller shift would do"
            pose = v.transpose(2, 1, 0) * self.head["quantum"]["turn"]
            pose[..., :3] = v[:3].transpose(2, 1, 0) * unit[:, None]
            poses.append(pose)
            units += [unit] * n
        return np.concatenate(presence), np.concatenate(poses), np.array(units)

    def velocities(self):
        found = []
        for entry, data in self.chunks("velocities"):
            n, b = entry["count"], self.bodies
            assert len(data) == 24 * b * n
            v = int_planes(data, 6 * b * n).reshape(6, b, n).astype("i8")
            v = (np.cumsum(v, axis=2) + 2**31) % 2**32 - 2**31
            found.append(from_float_order(v).transpose(2, 1, 0))
        return np.concatenate(found)

    def contacts(self):
        """For each frame a dictionary of columns, integers and reals in the units of the recording, and `unit` of lengths; a frame with the same contacts as
        the one before is the same object."""
        found = []
        for entry, data in self.chunks("contacts"):
            n, rows = entry["count"], entry["rows"]
            counts = np.frombuffer(data, "<i4", n)
            assert len(data) == 4 * n + 4 * len(CONTACT_COLUMNS) * rows
            assert counts[0] >= 0 and counts[counts > 0].sum() == rows
            cells = int_planes(data[4 * n:], len(CONTACT_COLUMNS) * rows).reshape(len(CONTACT_COLUMNS), rows).astype("i8")
            unit, at, before = self.head["quantum"]["length"] * 2.0 ** entry["shift"], 0, None
            for count in counts:
                if count < 0:
                    found.append(found[-1])
                    continue
                last = -1
                for row in range(at, at + count):
                    ref = cells[0, row]
                    if ref & 1:
                        assert ref == 1
                        continue
                    half = int(ref) >> 1
                    last += 1 + ((half >> 1) ^ -(half & 1))
                    cells[1:, row] = (cells[1:, row] + before[1:, last] + 2**31) % 2**32 - 2**31
                before = cells[:, at:at + count]
                at += count
                frame = dict(zip(CONTACT_COLUMNS, before))
                values = {name: frame[name] for name in CONTACT_COLUMNS[1:11]}
                values["id"] = (frame["id_high"] % 2**32).astype("u8") << np.uint64(32) | (frame["id_low"] % 2**32).astype("u8")
                for name in REALS:
                    values[name] = from_float_order(frame[name])
                for name in CONTACT_COLUMNS[13:22]:
                    values[name] = frame[name] * (self.head["quantum"]["normal"] if name.startswith("normal") else unit)
                found.append({**values, "unit": unit})
        return found

    def vertices(self):
        """{body: [(frame, vertices)]}"""
        found = {}
        for entry, data in self.chunks("vertices"):
            (n,), at = np.frombuffer(data, "<i4", 1), 4
            seen = set()
            for _ in range(n):
                frame, body, count = np.frombuffer(data, "<i4", 3, at)
                assert entry["first"] <= frame < entry["first"] + entry["count"]
                assert (body in seen) or frame == entry["first"]
                seen.add(body)
                found.setdefault(int(body), []).append((int(frame), np.frombuffer(data, "<f4", 3 * count, at + 12).reshape(-1, 3)))
                at += 12 + 12 * int(count)
            assert at == len(data)
        return found
