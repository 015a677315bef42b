/**
 * Triangles of shapes, for drawing. Faces are flat, everything round is smooth. Geometries are not indexed: every triangle has its own three corners,
 * so that each can carry which of its sides are edges of the shape (attribute `side`: a corner's barycentric coordinates; where the side opposite
 * a corner is no edge, that coordinate is lifted by 2 and never gets near 0). edgeMaterial() draws those sides as lines.
 */
import { BufferAttribute, BufferGeometry, Matrix4, Quaternion, Vector3 } from 'three';
import type { Shape } from '../run/run';

/** Triangles under construction. */
class Soup {
  positions: number[] = [];
  normals: number[] = [];
  sides: number[] = [];
  /** the face of the shape that each triangle is of; -1 for round surfaces */
  faces: number[] = [];

  /** lines: for each corner whether the side opposite to it is an edge */
  add(p: Vector3[], n: Vector3[], lines: [boolean, boolean, boolean], face: number): void {
    for (let k = 0; k < 3; k++) {
      this.positions.push(p[k].x, p[k].y, p[k].z);
      this.normals.push(n[k].x, n[k].y, n[k].z);
      for (let j = 0; j < 3; j++) {
        this.sides.push((j === k ? 1 : 0) + (lines[j] ? 0 : 2));
      }
    }
    this.faces.push(face);
  }

  append(other: Soup, pose: number[]): void {
    const turn = new Quaternion(pose[3], pose[4], pose[5], pose[6]);
    const place = new Vector3(pose[0], pose[1], pose[2]);
    const p = new Vector3();
    for (let i = 0; i < other.positions.length; i += 3) {
      p.fromArray(other.positions, i).applyQuaternion(turn).add(place);
      this.positions.push(p.x, p.y, p.z);
      p.fromArray(other.normals, i).applyQuaternion(turn);
      this.normals.push(p.x, p.y, p.z);
    }
    for (const side of other.sides) this.sides.push(side);
    for (const face of other.faces) this.faces.push(face);
  }

  geometry(): BufferGeometry {
    const made = new BufferGeometry();
    made.setAttribute('position', new BufferAttribute(new Float32Array(this.positions), 3));
    made.setAttribute('normal', new BufferAttribute(new Float32Array(this.normals), 3));
    made.setAttribute('side', new BufferAttribute(new Float32Array(this.sides), 3));
    made.userData['faces'] = Int32Array.from(this.faces);
    return made;
  }
}

const NO_LINES: [boolean, boolean, boolean] = [false, false, false];

/** A surface of revolution about z that bulges by `radius` beyond a segment: a ball, or a capsule. */
function addRound(soup: Soup, radius: number, halfLength: number, rings: number): void {
  const sectors = 2 * rings;
  const at = (ring: number, sector: number, z: number): [Vector3, Vector3] => {
    const latitude = Math.PI * (ring / rings - 0.5);
    const angle = (2 * Math.PI * sector) / sectors;
    const n = new Vector3(Math.cos(latitude) * Math.cos(angle), Math.cos(latitude) * Math.sin(angle), Math.sin(latitude));
    return [n.clone().multiplyScalar(radius).add(new Vector3(0, 0, z)), n];
  };
  const band = (lower: number, lowerZ: number, upper: number, upperZ: number) => {
    for (let sector = 0; sector < sectors; sector++) {
      const a = at(lower, sector, lowerZ), b = at(lower, sector + 1, lowerZ), c = at(upper, sector + 1, upperZ), d = at(upper, sector, upperZ);
      soup.add([a[0], b[0], c[0]], [a[1], b[1], c[1]], NO_LINES, -1);
      soup.add([a[0], c[0], d[0]], [a[1], c[1], d[1]], NO_LINES, -1);
    }
  };
  for (let ring = 0; ring < rings; ring++) {
    const z = ring < rings / 2 ? -halfLength : halfLength;
    band(ring, z, ring + 1, z);
  }
  if (halfLength > 0) band(rings / 2, -halfLength, rings / 2, halfLength);
}

const SMOOTH_KINDS = new Set(['ellipsoid', 'superquadric', 'implicit', 'parametric']);

function faceNormal(corners: Vector3[]): Vector3 {
  // Newell's: right for any polygon, and nearly right for one that is a little bent.
  const n = new Vector3();
  corners.forEach((p, i) => {
    const q = corners[(i + 1) % corners.length];
    n.x += (p.y - q.y) * (p.z + q.z);
    n.y += (p.z - q.z) * (p.x + q.x);
    n.z += (p.x - q.x) * (p.y + q.y);
  });
  return n.lengthSq() > 0 ? n.normalize() : new Vector3(0, 0, 1);
}

/** The normal of a strip of a surface of revolution about z, turned to where a corner is. */
function turnedTowards(corner: Vector3, flat: Vector3): Vector3 {
  const rho = Math.hypot(corner.x, corner.y), across = Math.hypot(flat.x, flat.y);
  return rho > 0 ? new Vector3((corner.x / rho) * across, (corner.y / rho) * across, flat.z) : flat;
}

/**
 * Polygons. Smooth shapes share normals at their vertices; the others are flat, with lines along the sides of their polygons. The side of a cylinder or a
 * cone is round, and only its rims have lines.
 */
function addPolygons(soup: Soup, shape: Shape, vertices: ArrayLike<number>): void {
  const first = shape.face_first ?? [0];
  const corner = shape.face_vertices ?? [];
  const point = (v: number) => new Vector3(vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]);
  const smooth = SMOOTH_KINDS.has(shape.kind), turned = shape.kind === 'cylinder' || shape.kind === 'cone';
  const shared: Vector3[] = [];
  const faces = first.length - 1;
  const cornersOf = (f: number) => Array.from(corner.slice(first[f], first[f + 1]), point);
  for (let f = 0; smooth && f < faces; f++) {
    const p = cornersOf(f);
    const n = new Vector3().crossVectors(p[1].clone().sub(p[0]), p[2].clone().sub(p[0]));
    for (let c = first[f]; c < first[f + 1]; c++) {
      (shared[corner[c]] ??= new Vector3()).add(n);
    }
  }
  shared.forEach((n) => n.normalize());
  for (let f = 0; f < faces; f++) {
    const p = cornersOf(f);
    const flat = faceNormal(p);
    for (let k = 1; k + 1 < p.length; k++) {
      const fan = [p[0], p[k], p[k + 1]];
      const normals = smooth ? [0, k, k + 1].map((c) => shared[corner[first[f] + c]]) : fan.map((c) => (turned && Math.abs(flat.z) < 1 ? turnedTowards(c, flat) : flat));
      // Opposite the fan's centre lies a side of the polygon; the other two sides are sides only in the first and the last triangle.
      const lines: [boolean, boolean, boolean] = smooth ? NO_LINES : [true, k + 2 === p.length, k === 1];
      soup.add(fan, normals, turned ? [lines[0] && p[k].z === p[k + 1].z, lines[1] && p[0].z === p[k + 1].z, lines[2] && p[0].z === p[k].z] : lines, f);
    }
  }
}

function fill(soup: Soup, shapes: Shape[], index: number, rings: number, vertices?: ArrayLike<number>): void {
  const shape = shapes[index];
  switch (shape.kind) {
    case 'sphere':
      addRound(soup, shape.radius ?? 0, 0, rings);
      break;
    case 'capsule':
      addRound(soup, shape.radius ?? 0, shape.half_length ?? 0, rings);
      break;
    case 'compound':
      for (const part of shape.parts ?? []) {
        const own = new Soup();
        fill(own, shapes, part.shape, rings);
        soup.append(own, part.pose);
      }
      break;
    case 'plane':
      break;
    default:
      addPolygons(soup, shape, vertices ?? shape.vertices ?? []);
  }
}

/**
 * The surface of shape `index`, in its own frame; empty for a plane. Round surfaces have `rings` rings, an even number. `vertices`: of a body that
 * deforms, in place of the shape's own.
 */
export function shapeGeometry(shapes: Shape[], index: number, rings = 24, vertices?: ArrayLike<number>): BufferGeometry {
  const soup = new Soup();
  fill(soup, shapes, index, rings, vertices);
  return soup.geometry();
}

/** The largest distance of the shape's points from its origin; 0 for a plane. */
export function shapeRadius(shapes: Shape[], index: number): number {
  const shape = shapes[index];
  if (shape.kind === 'compound') {
    return Math.max(0, ...(shape.parts ?? []).map((part) => Math.hypot(...part.pose.slice(0, 3)) + shapeRadius(shapes, part.shape)));
  }
  let most = shape.height === undefined ? (shape.radius ?? 0) + (shape.half_length ?? 0) : 0;
  const v = shape.vertices ?? [];
  for (let i = 0; i < v.length; i += 3) {
    most = Math.max(most, Math.hypot(v[i], v[i + 1], v[i + 2]));
  }
  return shape.kind === 'plane' ? 0 : most;
}

/** The least axis-aligned box of the posed shape: lower x, y, z and upper x, y, z; infinite for a plane. */
export function shapeBounds(shapes: Shape[], index: number, pose: ArrayLike<number>, at = 0, vertices?: ArrayLike<number>): number[] {
  const shape = shapes[index];
  const turn = new Quaternion(pose[at + 3], pose[at + 4], pose[at + 5], pose[at + 6]);
  const place = new Vector3(pose[at], pose[at + 1], pose[at + 2]);
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  const reach = (p: Vector3, radius: number) => {
    p.toArray().forEach((x, k) => {
      low[k] = Math.min(low[k], x - radius);
      high[k] = Math.max(high[k], x + radius);
    });
  };
  if (shape.kind === 'plane') {
    return [-Infinity, -Infinity, -Infinity, Infinity, Infinity, Infinity];
  }
  if (shape.kind === 'compound') {
    const whole = new Matrix4().compose(place, turn, new Vector3(1, 1, 1));
    for (const part of shape.parts ?? []) {
      const own = new Matrix4().compose(new Vector3(...part.pose.slice(0, 3)), new Quaternion(...part.pose.slice(3, 7)), new Vector3(1, 1, 1));
      const p = new Vector3(), q = new Quaternion(), s = new Vector3();
      own.premultiply(whole).decompose(p, q, s);
      const box = shapeBounds(shapes, part.shape, [p.x, p.y, p.z, q.x, q.y, q.z, q.w]);
      reach(new Vector3(box[0], box[1], box[2]), 0);
      reach(new Vector3(box[3], box[4], box[5]), 0);
    }
    return [...low, ...high];
  }
  if (shape.kind === 'sphere' || shape.kind === 'capsule') {
    const axis = new Vector3(0, 0, shape.half_length ?? 0).applyQuaternion(turn);
    reach(place.clone().add(axis), shape.radius ?? 0);
    reach(place.clone().sub(axis), shape.radius ?? 0);
    return [...low, ...high];
  }
  const v = vertices ?? shape.vertices ?? [];
  const p = new Vector3();
  for (let i = 0; i < v.length; i += 3) {
    reach(p.set(v[i], v[i + 1], v[i + 2]).applyQuaternion(turn).add(place), 0);
  }
  return [...low, ...high];
}
