/** Moves that are hard to make by hand: until the bodies just touch or overlap by so much, until two faces are parallel, until both are at one place. */
import { Quaternion, Vector3 } from 'three';
import type { Vec3 } from '../run/run';
import { askCollide, poseNumbers, type CollideAnswer, type Drawn, type Engine } from './question';
import { turnedBy } from './view';
import type { CollideState } from './state';

const digits = (x: number) => Number(x.toPrecision(12)) + 0;

/** The contact with the least gap, however far apart the bodies are. */
function nearest(engine: Engine, state: CollideState, reach: number): CollideAnswer['contacts'][number] | null {
  const { answer } = askCollide(engine, { ...state, settings: { ...state.settings, reduce: 0, margin: Math.max(state.settings.margin, reach) } });
  return answer?.contacts.reduce<CollideAnswer['contacts'][number] | null>((best, contact) => (!best || contact.gap < best.gap ? contact : best), null) ?? null;
}

/** Moves A along the normal, which may turn on the way, until the least gap is the one that is wanted. */
export function moveToGap(engine: Engine, state: CollideState, gap: number, size: number): boolean {
  const reach = 100 * size + Math.hypot(...state.poseA.position.map((x, k) => x - state.poseB.position[k]));
  for (let i = 0; i < 12; i++) {
    const contact = nearest(engine, state, reach);
    if (!contact) return i > 0;
    const by = gap - contact.gap;
    if (Math.abs(by) < 1e-9 * size) return true;
    state.poseA.position = state.poseA.position.map((x, k) => digits(x + by * contact.normal[k])) as Vec3;
  }
  return true;
}

/** The normals of a shape's faces in the world; a plane has one. */
function worldNormals(drawn: Drawn, pose: number[]): Vector3[] {
  const shape = drawn.shapes[drawn.root], own = shape.kind === 'plane' ? [shape.normal ?? [0, 0, 1] as Vec3] : drawn.gauss?.normals ?? [];
  const turn = new Quaternion(pose[3], pose[4], pose[5], pose[6]);
  return own.map((n) => new Vector3(...n).applyQuaternion(turn));
}

/** Turns A so that its face that looks most at B is parallel to the face of B that looks most at A. False where there are no faces. */
export function alignFaces(state: CollideState, answer: CollideAnswer | null, a: Drawn, b: Drawn): boolean {
  const facesA = worldNormals(a, poseNumbers(state.poseA)), facesB = worldNormals(b, poseNumbers(state.poseB));
  if (facesA.length === 0 || facesB.length === 0) return false;
  const found = answer?.contacts[0]?.normal ?? answer?.growth?.normal;
  const between = new Vector3(...state.poseA.position).sub(new Vector3(...state.poseB.position));
  const n = found ? new Vector3(...found) : between.lengthSq() > 0 ? between.normalize() : new Vector3(0, 0, 1);
  const most = (faces: Vector3[], direction: Vector3) => faces.reduce((best, face) => (face.dot(direction) > best.dot(direction) ? face : best));
  const onB = most(facesB, n), onA = most(facesA, n.clone().negate());
  state.poseA.rotation = turnedBy(state.poseA.rotation, new Quaternion().setFromUnitVectors(onA, onB.clone().negate()), 12);
  return true;
}
