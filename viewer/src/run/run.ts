/**
 * What the pages show: bodies of some shapes, and frames that say where they are and how they touch. A recording in a replay page, one that the
 * sandbox makes, and the sandbox itself all look like this, so that one scene graph draws them.
 *
 * World frame, units of the scene; a pose is x, y, z and the quaternion x, y, z, w. Normals point from body B into body A, gaps are negative where
 * bodies penetrate: the conventions of the library (docs/use/conventions.md).
 */

export type Vec3 = [number, number, number];

export type ShapeKind =
  | 'sphere' | 'capsule' | 'box' | 'polytope' | 'plane' | 'compound'
  | 'trimesh' | 'ellipsoid' | 'superquadric' | 'implicit' | 'parametric' | 'facetmesh'
  | 'cylinder' | 'cone';

/** A shape in its own frame; fields that its kind does not name are missing. The same as abut_recorded_shape of io/record/recording.h. */
export interface Shape {
  kind: ShapeKind;
  radius?: number;
  /** of a cylinder or a cone: its radius at +z, and its whole height */
  top_radius?: number;
  height?: number;
  half_length?: number;
  /** of a plane: outward, unit */
  normal?: Vec3;
  offset?: number;
  semi_axes?: Vec3;
  exponents?: [number, number];
  /** x, y, z of each vertex in turn */
  vertices?: number[];
  /** the corners of face f are face_vertices[face_first[f]] to face_vertices[face_first[f + 1] - 1], counter-clockwise seen from outside */
  face_first?: number[];
  face_vertices?: number[];
  /** of rounded triangles; null for flat ones */
  radii?: (number | null)[];
  parts?: { shape: number; pose: number[] }[];
}

export type BodyKind = 'dynamic' | 'static' | 'kinematic';

export interface Body {
  name: string;
  kind: BodyKind;
  /** index into the shapes */
  shape: number;
  /** 0 for static and kinematic bodies */
  mass: number;
  friction: number;
  restitution: number;
  /** centre of mass, frame of the shape */
  centre: Vec3;
  /** it touches nothing, and reports what has a point in common with it */
  sensor?: boolean;
}

export type JointKind = 'weld' | 'spherical' | 'revolute' | 'prismatic' | 'universal' | 'distance' | 'wheel' | 'gear';

/** A joint of two bodies: abut_joint_def of abut/joint.h. null: infinite. */
export interface Joint {
  kind: JointKind;
  a: number;
  b: number;
  /** in the frames of the bodies' shapes: position and quaternion */
  frame_a: number[];
  frame_b: number[];
  lower: number | null;
  upper: number | null;
  motor: 'off' | 'speed' | 'position';
  target: number;
  stiffness: number;
  rest: number;
  ratio: number;
  break_force: number | null;
  break_torque: number | null;
}

export const JOINT_GONE = 0, JOINT_BROKEN = 1, JOINT_HOLDS = 2;

/** The joints in one moment. */
export interface JointTable {
  /** JOINT_GONE with one of its bodies, JOINT_BROKEN or JOINT_HOLDS, for each joint */
  hold: Uint8Array;
  /** for each joint: coordinate, angle of a wheel about its axis, force and torque on body b at the origin of its frame, three numbers each */
  cells: Float64Array;
}

export const JOINT_CELLS = 8;

/** The names of the kinds of events, by the number that stands for them. */
export const EVENT_NAMES = [
  'touch begins', 'touch persists', 'touch ends', 'hit', 'sensor begins', 'sensor ends', 'sleep', 'wake', 'joint breaks', 'bond breaks',
] as const;
export const SENSOR_BEGINS = 4, SENSOR_ENDS = 5;

/** Something that happened in a step; abut/world_events.h. */
export interface RunEvent {
  step: number;
  /** index into EVENT_NAMES */
  kind: number;
  a: number;
  /** -1 for none; likewise the joint */
  b: number;
  joint: number;
  /** of a touch that begins and a hit */
  point: Vec3;
  impulse: number;
  speed: number;
}

/** What does not change from frame to frame. */
export interface Cast {
  bodies: Body[];
  shapes: Shape[];
  gravity: Vec3;
  /** median radius of the bodies that are not planes: markers are sized by it */
  size: number;
  joints?: Joint[];
}

export const FEATURE_NAMES = ['none', 'face', 'edge', 'vertex', 'smooth'] as const;

/** Contacts, a column for each number. */
export interface ContactTable {
  count: number;
  a: Int32Array;
  b: Int32Array;
  /** index into FEATURE_NAMES */
  kindA: Int32Array;
  indexA: Int32Array;
  /** of a compound, or the mesh of several */
  partA: Int32Array;
  kindB: Int32Array;
  indexB: Int32Array;
  partB: Int32Array;
  /** contacts of one patch are consecutive, counter-clockwise about the normal */
  patch: Int32Array;
  flags: Int32Array;
  /** two halves of 64 bits */
  idLow: Int32Array;
  idHigh: Int32Array;
  /** three numbers for each contact; likewise onB, normal and friction */
  onA: Float64Array;
  onB: Float64Array;
  normal: Float64Array;
  gap: Float64Array;
  area: Float64Array;
  normalForce: Float64Array;
  friction: Float64Array;
}

/** Bits of ContactTable.flags. */
export const CONTACT_NORMAL_CHOSEN = 1;
export const CONTACT_WITNESS = 2;

export const REMOVED = 0, ASLEEP = 1, AWAKE = 2;

/** One moment. The arrays belong to whoever made the frame and are not to be changed. */
export interface Frame {
  index: number;
  /** steps made before it */
  step: number;
  time: number;
  /** 7 numbers for each body */
  poses: Float64Array;
  /** REMOVED, ASLEEP or AWAKE, for each body */
  presence: Uint8Array;
  /** velocity of the centre of mass and angular velocity, 6 numbers for each body; null when they were left out */
  velocities: Float64Array | null;
  /** null when they were left out */
  contacts: ContactTable | null;
  /** bodies that deform: their vertices in this frame, in the shape's frame, three numbers each */
  vertices: Map<number, Float32Array> | null;
  /** of scenes with joints */
  joints?: JointTable | null;
  /** sensors with something in them */
  lit?: ReadonlySet<number>;
}

/** The table of steps: a column for each counter, energy and timing, as in /steps of recordings; what was zero in all rows is missing. */
export type StepTable = Map<string, Float64Array>;

/** Frames that can be gone through. */
export interface Run extends Cast {
  name: string;
  title: string;
  dt: number;
  complete: boolean;
  frameCount: number;
  stepCount: number;
  hasContacts: boolean;
  hasVelocities: boolean;
  /** Of frame `index`: the row of the step table that it belongs to, and its time. */
  frameStep(index: number): number;
  frameTime(index: number): number;
  /** The frame when it is at hand, else null, and then it is being fetched. */
  peek(index: number): Frame | null;
  frame(index: number): Promise<Frame>;
  steps(): Promise<StepTable>;
  /** What happened, in the order of the steps; none where nothing of it was kept. */
  events?(): Promise<RunEvent[]>;
  /** Events that were too many to be kept. */
  readonly eventsLeftOut?: number;
  /**
   * Goes through the poses of all frames in their order, for what must see them all; without it, frame() is asked for each. After every frame `pause` is
   * called with the number of frames done: false ends it, a promise that takes a while lets others work. The arrays are the visitor's until it returns.
   */
  scanPoses?(visit: PoseVisitor, pause: (done: number) => Promise<boolean>): Promise<void>;
}

export type PoseVisitor = (index: number, poses: Float64Array, presence: Uint8Array) => void;

/** The text of a contact's 64-bit id, as the command prints it. */
export function contactId(table: ContactTable, row: number): string {
  const hex = (half: number) => (half >>> 0).toString(16).padStart(8, '0');
  return hex(table.idHigh[row]) + hex(table.idLow[row]);
}

export function emptyContacts(count: number): ContactTable {
  const ints = () => new Int32Array(count);
  const reals = (width: number) => new Float64Array(width * count);
  return {
    count,
    a: ints(), b: ints(), kindA: ints(), indexA: ints(), partA: ints(), kindB: ints(), indexB: ints(), partB: ints(),
    patch: ints(), flags: ints(), idLow: ints(), idHigh: ints(),
    onA: reals(3), onB: reals(3), normal: reals(3), gap: reals(1), area: reals(1), normalForce: reals(1), friction: reals(3),
  };
}
