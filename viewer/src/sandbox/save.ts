/**
 * The present state as a scene file that `abut check` accepts and `abut run` goes on from. Bodies stand where they are and move as they move; shapes that
 * came from mesh files are written out, so that the file needs no other. Actions are left out, or, when they are to happen, those that are still to
 * come, with their times counted from now.
 */
import { Quaternion, Vector3 } from 'three';
import { JOINT_CELLS, JOINT_HOLDS, REMOVED, type Body, type Cast, type Frame, type Joint, type Shape } from '../run/run';

type Json = Record<string, unknown>;

const FILED = new Set(['mesh', 'trimesh', 'facetmesh']);

/** original: the scene as it was loaded; actions: whether they happen. */
export function saveScene(original: Json, cast: Cast, frame: Frame, actions: boolean): Json {
  const entries = new Map((original['bodies'] as Json[]).map((entry) => [String(entry['name']), entry]));
  const named = (original['shapes'] ?? {}) as Json;
  const saved: Json = { ...original };
  for (const key of ['$schema', 'shapes', 'actions', 'joints', 'never_touch']) delete saved[key];
  const used: Json = {};
  saved['bodies'] = cast.bodies.flatMap((body, index) => {
    if (frame.presence[index] === REMOVED) return [];
    const own = entries.get(body.name);
    const base = own ?? entries.get(body.name.slice(0, body.name.lastIndexOf('.'))) ?? entries.get(body.name.slice(0, body.name.indexOf('.')));
    if (base?.['deform'] || base?.['cell']) throw new Error(`'${body.name}' deforms: such scenes cannot be saved here`);
    // An entry that stands for one body keeps its shape as it is written; of one that stands for many, and of mesh files, the shape is written out.
    const plain = own !== undefined && !own['fill'] && !isFiled(own['shape'], named);
    if (plain && typeof own['shape'] === 'string') keepShape(own['shape'], named, used);
    const shape = plain ? own['shape'] : withSides(shapeJson(cast.shapes, body.shape), base?.['shape'], named);
    return [bodyEntry(body, index, frame, shape, base, plain)];
  });
  if (Object.keys(used).length > 0) saved['shapes'] = used;
  const left = actions ? remaining((original['actions'] ?? []) as Json[], cast, frame) : [];
  if (left.length > 0) saved['actions'] = left;
  const joints = jointEntries((original['joints'] ?? []) as Json[], cast, frame);
  if (joints.length > 0) saved['joints'] = joints;
  const there = new Set(cast.bodies.filter((_, index) => frame.presence[index] !== REMOVED).map((body) => body.name));
  const apart = ((original['never_touch'] ?? []) as string[][]).filter((pair) => pair.every((name) => there.has(name)));
  if (apart.length > 0) saved['never_touch'] = apart;
  const order = [
    'abut_scene', 'title', 'description', 'gravity', 'dt', 'duration', 'stepper', 'until', 'contact', 'materials', 'material_pairs',
    'shapes', 'bodies', 'never_touch', 'joints', 'actions',
  ];
  return Object.fromEntries(order.filter((key) => key in saved).map((key) => [key, saved[key]]));
}

/** Keys of a body that stay as they are written. */
const KEPT = [
  'material', 'density', 'friction', 'restitution', 'rolling_friction', 'spinning_friction', 'rolling_resistance',
  'twisting_resistance', 'mass', 'mass_centre', 'inertia', 'continuous', 'category', 'touches', 'group',
  'sensor', 'surfaces', 'surface_velocity', 'surface_angular_velocity',
];

function bodyEntry(body: Body, index: number, frame: Frame, shape: unknown, base: Json | undefined, plain: boolean): Json {
  const at = (array: Float64Array, first: number, count: number) => Array.from(array.slice(first, first + count));
  const entry: Json = { name: body.name, kind: body.kind, shape };
  for (const key of KEPT) if (base && key in base) entry[key] = base[key];
  if (!plain && body.kind === 'dynamic') {
    delete entry['density'];
    entry['mass'] = body.mass;
  }
  if (!base) Object.assign(entry, { friction: body.friction, restitution: body.restitution });
  entry['position'] = at(frame.poses, 7 * index, 3);
  entry['rotation'] = { quaternion: at(frame.poses, 7 * index + 3, 4) };
  const velocities = frame.velocities;
  if (velocities && body.kind !== 'static') {
    const v = at(velocities, 6 * index, 3), w = at(velocities, 6 * index + 3, 3);
    if (v.some((x) => x !== 0)) entry['velocity'] = v;
    if (w.some((x) => x !== 0)) entry['angular_velocity'] = w;
  }
  return entry;
}

/** The joints that hold, with their frames where they are now. */
function jointEntries(original: Json[], cast: Cast, frame: Frame): Json[] {
  return (cast.joints ?? []).flatMap((joint, index) => {
    const table = frame.joints, entry = original[index];
    if (!table || table.hold[index] !== JOINT_HOLDS || !entry) return [];
    const at = table.cells[JOINT_CELLS * index], spin = table.cells[JOINT_CELLS * index + 1];
    const saved: Json = { ...entry, a: cast.bodies[joint.a].name, b: cast.bodies[joint.b].name };
    Object.assign(saved, placed(frame, joint.a, joint.frame_a, ''), placed(frame, joint.b, joint.frame_b, '_b'));
    if (joint.kind === 'distance') saved['rest'] = joint.rest;
    return [countedAnew(saved, joint, at, spin)];
  });
}

/** A frame on a body as it lies in the world. */
function placed(frame: Frame, body: number, own: number[], which: '' | '_b'): Json {
  const pose = frame.poses.slice(7 * body, 7 * body + 7);
  const turn = new Quaternion(pose[3], pose[4], pose[5], pose[6]).normalize();
  const position = new Vector3(own[0], own[1], own[2]).applyQuaternion(turn).add(new Vector3(pose[0], pose[1], pose[2]));
  const rotation = turn.multiply(new Quaternion(own[3], own[4], own[5], own[6])).normalize();
  return { [`position${which}`]: position.toArray(), [`rotation${which}`]: { quaternion: rotation.toArray() } };
}

/** A scene begins between half a turn back and half a turn on: limits, spring and target of an angle are counted from there. */
function countedAnew(saved: Json, joint: Joint, at: number, spin: number): Json {
  const away = (angle: number) => 2 * Math.PI * Math.round(angle / (2 * Math.PI));
  const turns = away(joint.kind === 'revolute' ? at : joint.kind === 'wheel' ? spin : 0);
  if (turns === 0) return saved;
  if (joint.kind === 'revolute') for (const key of ['lower', 'upper']) if (key in saved) saved[key] = (saved[key] as number) - turns;
  if (joint.kind === 'revolute' && (joint.stiffness > 0 || 'damping' in saved)) saved['rest'] = joint.rest - turns;
  if (joint.motor === 'position') saved['motor'] = { ...(saved['motor'] as Json), position: joint.target - turns };
  return saved;
}

/** Whether a shape needs a mesh file, itself or one of its parts. */
function isFiled(shape: unknown, named: Json): boolean {
  if (typeof shape === 'string') return isFiled(named[shape], named);
  const [kind, value] = Object.entries((shape ?? {}) as Json)[0] ?? [];
  if (kind === 'compound') return (value as Json[]).some((part) => isFiled(part['shape'], named));
  return FILED.has(kind) && 'file' in (value as Json);
}

/** With what the cast does not say of a mesh: that it has two sides, or smooth edges. */
function withSides(shape: Json, original: unknown, named: Json): Json {
  const written = (typeof original === 'string' ? named[original] : original) as Json | undefined;
  const mesh = written?.['trimesh'] as Json | undefined;
  if (!mesh || !shape['trimesh']) return shape;
  const kept = Object.fromEntries(['two_sided', 'smooth_angle_degrees'].filter((key) => mesh[key]).map((key) => [key, mesh[key]]));
  return { trimesh: { ...(shape['trimesh'] as Json), ...kept } };
}

function keepShape(name: string, named: Json, used: Json): void {
  if (name in used) return;
  const compound = (named[name] as Json)?.['compound'] as Json[] | undefined;
  // A name must stand before it is used.
  for (const part of compound ?? []) if (typeof part['shape'] === 'string') keepShape(part['shape'], named, used);
  used[name] = named[name];
}

function triples(values: ArrayLike<number>): number[][] {
  return Array.from({ length: values.length / 3 }, (_, i) => [values[3 * i], values[3 * i + 1], values[3 * i + 2]]);
}

/** A shape of the cast as a scene file has it. */
export function shapeJson(shapes: Shape[], index: number): Json {
  const shape = shapes[index], vertices = shape.vertices ?? [];
  const faces = Array.from({ length: (shape.face_first?.length ?? 1) - 1 }, (_, f) =>
    (shape.face_vertices ?? []).slice(shape.face_first![f], shape.face_first![f + 1]));
  switch (shape.kind) {
    case 'sphere':
      return { sphere: { radius: shape.radius } };
    case 'capsule':
      return { capsule: { radius: shape.radius, half_length: shape.half_length } };
    case 'cylinder':
      return { cylinder: { radius: shape.radius, half_height: (shape.height ?? 0) / 2 } };
    case 'cone':
      return { cone: { radius: shape.radius, top_radius: shape.top_radius, height: shape.height } };
    case 'box':
      return { box: { half: [0, 1, 2].map((k) => Math.max(...triples(vertices).map((v) => v[k]))) } };
    case 'plane':
      return { plane: { normal: shape.normal, offset: shape.offset ?? 0 } };
    case 'ellipsoid':
      return { ellipsoid: { half: shape.semi_axes } };
    case 'superquadric':
      return { superquadric: { half: shape.semi_axes, exponents: shape.exponents } };
    case 'polytope':
      return { polytope: { vertices: triples(vertices), faces } };
    case 'trimesh':
      return { trimesh: { vertices: triples(vertices), triangles: faces } };
    case 'facetmesh':
      return { facetmesh: { vertices: triples(vertices), triangles: faces, radii: (shape.radii ?? []).map((radius) => radius ?? 'flat') } };
    case 'compound':
      return {
        compound: (shape.parts ?? []).map((part) => ({
          shape: shapeJson(shapes, part.shape), position: part.pose.slice(0, 3), rotation: { quaternion: part.pose.slice(3, 7) },
        })),
      };
    default:
      throw new Error(`a scene file has no shape of the kind '${shape.kind}'`);
  }
}

/** Actions that are still to come or last, with times from now on. */
function remaining(all: Json[], cast: Cast, frame: Frame): Json[] {
  const here = new Set(cast.bodies.filter((_, index) => frame.presence[index] !== REMOVED).map((body) => body.name));
  return all.flatMap((action) => {
    const of = action['remove'] ?? ((action['spring'] ?? action['force'] ?? action['velocity']) as Json)['body'];
    const at = Number(action['at']) - frame.time, until = action['until'] === undefined ? at : Number(action['until']) - frame.time;
    if (!here.has(String(of)) || (action['until'] === undefined ? at < -1e-9 : until <= 1e-9)) return [];
    const moved: Json = { ...action, at: Math.max(at, 0) };
    if (action['until'] !== undefined) moved['until'] = until;
    const spring = action['spring'] as Json | undefined;
    if (spring?.['target_end'] && at < 0) {
      const [from, to] = [spring['target'] as number[], spring['target_end'] as number[]], share = -at / (until - at);
      moved['spring'] = { ...spring, target: from.map((x, k) => x + share * (to[k] - x)) };
    }
    return [moved];
  });
}
