/**
 * Gauss maps on the unit sphere: the normals that a polytope's surface has. A face has one, a point of the sphere; an edge those of the great arc between
 * its faces' normals; a vertex those of the cell that the arcs about it enclose. A contact normal n (from B into A) meets B's surface where B's map has n,
 * and A's where A's map has -n; so A's is drawn turned through the centre, and the two features that meet lie under the same point.
 */
import { Vector3 } from 'three';

/** Of each face the outward normal, of each edge its two faces, of each vertex the faces about it in order. */
export interface GaussMap { normals: [number, number, number][]; edges: [number, number][]; vertices: number[][] }

export interface Feature { kind: 'none' | 'face' | 'edge' | 'vertex' | 'smooth'; index: number }

/** The faces that have the feature: corners of its part of the map. */
export function facesOf(map: GaussMap, feature: Feature): number[] {
  if (feature.kind === 'face') return feature.index < map.normals.length ? [feature.index] : [];
  if (feature.kind === 'edge') return map.edges[feature.index] ?? [];
  return feature.kind === 'vertex' ? map.vertices[feature.index] ?? [] : [];
}

/**
 * The feature that takes part, from the features on which the corners of the patch lie: one corner is its own; corners on one edge make that edge, unless
 * the normal of a face that they share is as near as `degrees` to the direction, outward in the map's own frame; else the face that all of them share.
 */
export function takingPart(map: GaussMap, corners: Feature[], direction: Vector3, degrees: number): Feature | null {
  if (corners.length === 0 || corners.some((corner) => facesOf(map, corner).length === 0)) return null;
  const distinct = corners.filter((c, i) => corners.findIndex((d) => d.kind === c.kind && d.index === c.index) === i);
  if (corners.length === 1) return corners[0];
  const shared = facesOf(map, distinct[0]).filter((face) => distinct.every((corner) => facesOf(map, corner).includes(face)));
  if (shared.length === 0) return null;
  const cosine = (face: number) => new Vector3(...map.normals[face]).dot(direction);
  const nearest = shared.reduce((best, face) => (cosine(face) > cosine(best) ? face : best));
  if (corners.length === 2 && shared.length > 1 && cosine(nearest) < Math.cos((degrees * Math.PI) / 180)) {
    const edge = map.edges.findIndex(([f, g]) => shared.includes(f) && shared.includes(g));
    if (edge >= 0) return { kind: 'edge', index: edge };
  }
  return { kind: 'face', index: nearest };
}

/** Points along the great arc from p to q, both ends with them, no farther apart than `step` radians. */
export function greatArc(p: Vector3, q: Vector3, step = Math.PI / 36): Vector3[] {
  const angle = p.angleTo(q), pieces = Math.max(1, Math.ceil(angle / step)), sine = Math.sin(angle);
  return Array.from({ length: pieces + 1 }, (_, i) => {
    const share = i / pieces;
    if (sine < 1e-9) return (share < 0.5 ? p : q).clone();
    return p.clone().multiplyScalar(Math.sin((1 - share) * angle) / sine).addScaledVector(q, Math.sin(share * angle) / sine);
  });
}

/** Parts of a line of points in front of the picture's plane (z of the eye's frame from 0 up) and behind it. */
export function split(points: Vector3[]): { front: Vector3[][]; back: Vector3[][] } {
  const parts: { front: Vector3[][]; back: Vector3[][] } = { front: [], back: [] };
  let run: Vector3[] = [], before = true;
  points.forEach((point, i) => {
    const front = point.z >= 0;
    if (i > 0 && front !== before) {
      const last = points[i - 1], rim = last.clone().lerp(point, last.z / (last.z - point.z || 1));
      if (rim.lengthSq() > 0) rim.normalize();
      run.push(rim);
      (before ? parts.front : parts.back).push(run);
      run = [rim];
    }
    before = front;
    run.push(point);
  });
  if (run.length > 1) (before ? parts.front : parts.back).push(run);
  return parts;
}
