/**
 * The library in a page: a scene that is simulated, shapes, and the abut command, all in the WebAssembly module. What each call means, its units and
 * signs are in viewer/module/module.h. Arrays that come back are copies; failures are thrown as EngineError with the library's message.
 *
 * It works in pages, in workers and in Node.
 */
import { JOINT_CELLS, type Body, type ContactTable, type Joint, type JointTable, type RunEvent, type Shape, type Vec3 } from '../run/run';

/** What a call of the library failed with, for a person. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
}

/** What abut.js exports: Emscripten's factory of the module. */
export type EngineFactory = (settings: Record<string, unknown>) => Promise<unknown>;

/** A scene, as it is at the beginning; with what was added since. */
export interface SceneHead {
  title: string;
  description: string;
  dt: number;
  /** from beginning to end */
  steps: number;
  duration: number;
  gravity: Vec3;
  stepper: 'fixed' | 'event' | 'dem';
  /** how many things happen to bodies by themselves */
  actions: number;
  /** FILE:LINE:COLUMN: what is right but probably not meant */
  warnings: string[];
  /** median radius of the bodies that are not planes */
  size: number;
  bodies: Body[];
  shapes: Shape[];
  joints: Joint[];
}

export interface NewBody {
  /** as `abut collide` takes it: "box:1,1,1", "trimesh:FILE" */
  shape: string;
  /** position and quaternion */
  pose: ArrayLike<number>;
  name?: string;
  kind?: Body['kind'];
  /** of the centre of mass, and angular: six numbers */
  velocity?: ArrayLike<number>;
  density?: number;
  friction?: number;
  restitution?: number;
}

export interface AddedBody {
  /** its number */
  index: number;
  body: Body;
  /** the index of the first of the shapes */
  firstShape: number;
  /** those that it brought with it: none when another body has its shape already */
  shapes: Shape[];
}

/** What a ray met. */
export interface RayHit {
  body: number;
  distance: number;
  point: Vec3;
  normal: Vec3;
  feature: { kind: number; index: number; part: number };
}

/** The Gauss map of a polytope: faces are points of the sphere, edges arcs between two of them, vertices the cells between. */
export interface GaussMap {
  /** of the faces, outward; x, y, z of each in turn */
  normals: number[];
  /** the two faces of each edge */
  edges: [number, number][];
  /** the faces around each vertex, counter-clockwise seen from outside */
  vertices: number[][];
}

/** A shape by itself. */
export interface ShapeDrawing {
  shapes: Shape[];
  /** which of them is the whole */
  root: number;
  /** where it lies by its own words (at=...): position and quaternion */
  placement: number[] | null;
  /** of mass; null for planes and meshes without an inside */
  centre: Vec3 | null;
  /** of a box or a polytope */
  gauss: GaussMap | null;
}

/** The exit status of a command, and what it printed. */
export interface CommandResult {
  status: number;
  out: string;
  err: string;
}

/** The module itself, as far as it is used here. Pointers and statuses are numbers. */
interface Native {
  HEAPU8: Uint8Array;
  FS: {
    writeFile(path: string, data: string | Uint8Array): void;
    readFile(path: string): Uint8Array;
    unlink(path: string): void;
    mkdirTree(path: string): void;
    chdir(path: string): void;
    analyzePath(path: string): { exists: boolean };
  };
  callMain(args: string[]): number;
  stackSave(): number;
  stackRestore(stack: number): void;
  UTF8ToString(pointer: number): string;
  stringToUTF8(text: string, pointer: number, size: number): void;
  lengthBytesUTF8(text: string): number;
  _malloc(size: number): number;
  _free(pointer: number): void;
  _module_version(): number;
  _module_has_simd(): number;
  _module_error(): number;
  _module_load(path: number): number;
  _module_unload(): void;
  _module_scene_json(): number;
  _module_add_body(
    shape: number, name: number, kind: number, pose: number, velocity: number, density: number, friction: number, restitution: number,
  ): number;
  _module_body_json(body: number): number;
  _module_step(count: number, actions: number): number;
  _module_report(): number;
  _module_report_names(): number;
  _module_finished(): number;
  _module_state_hash(): number;
  _module_save(): number;
  _module_save_size(): number;
  _module_restore(saved: number, size: number): number;
  _module_body_count(): number;
  _module_poses(): number;
  _module_velocities(): number;
  _module_presence(): number;
  _module_contacts(): number;
  _module_contact_integers(): number;
  _module_contact_reals(): number;
  _module_joints(): number;
  _module_events(): number;
  _module_event_reals(): number;
  _module_vertices(body: number): number;
  _module_vertex_count(): number;
  _module_spring_begin(body: number, anchor: number, target: number, frequency: number, dampingRatio: number, maxForce: number): number;
  _module_spring_move(spring: number, x: number, y: number, z: number): number;
  _module_spring_end(spring: number): number;
  _module_force(body: number, force: number, point: number): number;
  _module_remove(body: number): number;
  _module_set_pose(body: number, pose: number): number;
  _module_set_velocity(body: number, velocity: number): number;
  _module_ray(origin: number, direction: number, length: number): number;
  _module_shape_json(argument: number, hull: number): number;
}

const KINDS: Body['kind'][] = ['dynamic', 'static', 'kinematic'];

/** What standard output and error take, byte by byte. */
interface Printed {
  out: number[];
  err: number[];
}

/** Sixteen bytes of a module that no engine without vectors takes: a function that gives a vector of zeros. */
const VECTOR_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/** Whether this machine runs the variant with vectors, abut-simd.wasm. */
export function hasVectors(): boolean {
  return WebAssembly.validate(VECTOR_PROBE);
}

/** A module, once its code is compiled. */
export async function createEngine(factory: EngineFactory, wasmBinary: ArrayBuffer): Promise<Engine> {
  const printed: Printed = { out: [], err: [] };
  const native = await factory({
    wasmBinary,
    stdin: () => null,
    stdout: (byte: number | null) => byte === null || printed.out.push(byte),
    stderr: (byte: number | null) => byte === null || printed.err.push(byte),
  });
  return new Engine(native as Native, printed);
}

export class Engine {
  private readonly reportNames: string[];

  constructor(private readonly native: Native, private readonly printed: Printed) {
    this.reportNames = native.UTF8ToString(native._module_report_names()).split(',');
  }

  /** Of the library. */
  get version(): string {
    return this.native.UTF8ToString(this.native._module_version());
  }

  /** Whether this is the variant with vectors. */
  get simd(): boolean {
    return this.native._module_has_simd() !== 0;
  }

  // ---- the command

  /** `abut ARGS...`, with the files that writeFile() made. */
  command(args: string[]): CommandResult {
    this.printed.out.length = this.printed.err.length = 0;
    // What Emscripten puts on the stack for main() it leaves there.
    const stack = this.native.stackSave();
    let status: number;
    try {
      status = this.native.callMain(args);
    } finally {
      this.native.stackRestore(stack);
    }
    const text = (bytes: number[]) => new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte & 255));
    return { status, out: text(this.printed.out), err: text(this.printed.err) };
  }

  /** A file in memory; folders on its way are made. All lie below the root, above which '..' does not lead. */
  writeFile(path: string, data: string | Uint8Array): void {
    const parts: string[] = [];
    for (const part of path.split('/')) {
      if (part === '..') parts.pop();
      else if (part !== '' && part !== '.') parts.push(part);
    }
    if (parts.length > 1) this.native.FS.mkdirTree(`/${parts.slice(0, -1).join('/')}`);
    this.native.FS.writeFile(`/${parts.join('/')}`, data);
  }

  readFile(path: string): Uint8Array {
    return this.native.FS.readFile(path);
  }

  removeFile(path: string): void {
    if (this.native.FS.analyzePath(path).exists) this.native.FS.unlink(path);
  }

  // ---- the scene

  /** Reads a scene file; mesh files that it names lie beside it. On an error the scene of before stays. */
  load(path: string): SceneHead {
    this.check(this.withText(path, (text) => this.native._module_load(text)));
    return this.head();
  }

  unload(): void {
    this.native._module_unload();
  }

  head(): SceneHead {
    return this.json<SceneHead>(this.native._module_scene_json());
  }

  addBody(def: NewBody): AddedBody {
    const { shape, pose, name = '', kind = 'dynamic', velocity = [0, 0, 0, 0, 0, 0], density = 1000, friction = 0.5, restitution = 0 } = def;
    const index = this.withText(shape, (shapeText) => this.withText(name, (nameText) => this.withNumbers([pose, velocity], (at) =>
      this.native._module_add_body(shapeText, nameText, KINDS.indexOf(kind), at[0], at[1], density, friction, restitution))));
    this.checkIndex(index);
    const { body, first, shapes } = this.json<{ body: Body; first: number; shapes: Shape[] }>(this.native._module_body_json(index));
    return { index, body, firstShape: first, shapes };
  }

  // ---- time

  /** actions: false ends what the scene does by itself, also in later steps. */
  step(count = 1, actions = true): void {
    this.check(this.native._module_step(count, actions ? 1 : 0));
  }

  /** What the last step did, by the names of /steps in recordings. */
  report(): Record<string, number> {
    const values = this.reals(this.native._module_report(), this.reportNames.length);
    return Object.fromEntries(this.reportNames.map((name, i) => [name, values[i]]));
  }

  /** All steps of the scene were made, or it is at rest. */
  finished(): boolean {
    return this.native._module_finished() !== 0;
  }

  /** Sixteen hexadecimal digits: equal for equal states. */
  hash(): string {
    return this.native.UTF8ToString(this.pointer(this.native._module_state_hash()));
  }

  save(): Uint8Array {
    const at = this.pointer(this.native._module_save());
    return this.native.HEAPU8.slice(at, at + this.native._module_save_size());
  }

  /** Back, or forth, to a state of the scene that save() gave since it was loaded. Bodies that were added later are gone, and springs let go. */
  restore(saved: Uint8Array): void {
    const at = this.allocate(saved.length);
    try {
      this.native.HEAPU8.set(saved, at);
      this.check(this.native._module_restore(at, saved.length));
    } finally {
      this.native._free(at);
    }
  }

  // ---- the present state

  get bodyCount(): number {
    return this.native._module_body_count();
  }

  /** Seven numbers for each body. */
  poses(): Float64Array {
    return this.reals(this.native._module_poses(), 7 * this.bodyCount);
  }

  /** Six numbers for each body. */
  velocities(): Float64Array {
    return this.reals(this.native._module_velocities(), 6 * this.bodyCount);
  }

  /** REMOVED, ASLEEP or AWAKE, for each body. */
  presence(): Uint8Array {
    const at = this.pointer(this.native._module_presence());
    return this.native.HEAPU8.slice(at, at + this.bodyCount);
  }

  /** Those of the last step. */
  contacts(): ContactTable {
    const count = this.native._module_contacts();
    this.checkIndex(count);
    const integers = this.integers(this.native._module_contact_integers(), 12 * count);
    const reals = this.reals(this.native._module_contact_reals(), 15 * count);
    const column = (index: number) => integers.subarray(index * count, (index + 1) * count);
    const wide = (index: number, width: number) => reals.subarray(index * count, (index + width) * count);
    return {
      count,
      a: column(0), b: column(1), kindA: column(2), indexA: column(3), partA: column(4), kindB: column(5), indexB: column(6),
      partB: column(7), patch: column(8), flags: column(9), idLow: column(10), idHigh: column(11),
      onA: wide(0, 3), onB: wide(3, 3), normal: wide(6, 3), gap: wide(9, 1), area: wide(10, 1), normalForce: wide(11, 1), friction: wide(12, 3),
    };
  }

  /** Of so many joints of the scene. */
  joints(count: number): JointTable {
    const width = JOINT_CELLS + 1, from = this.reals(this.native._module_joints(), width * count);
    const table = { hold: new Uint8Array(count), cells: new Float64Array(JOINT_CELLS * count) };
    for (let j = 0; j < count; j++) {
      table.hold[j] = from[width * j];
      table.cells.set(from.subarray(width * j + 1, width * (j + 1)), JOINT_CELLS * j);
    }
    return table;
  }

  /** What happened in the last step, but touches that persist. step: the number that they get. */
  events(step: number): RunEvent[] {
    const count = this.native._module_events(), width = 9;
    this.checkIndex(count);
    const from = count > 0 ? this.reals(this.native._module_event_reals(), width * count) : [];
    return Array.from({ length: count }, (_, i) => {
      const [kind, a, b, joint, x, y, z, impulse, speed] = from.slice(width * i, width * (i + 1));
      return { step, kind, a, b, joint, point: [x, y, z], impulse, speed };
    });
  }

  /** Vertices of a body that deforms, in its shape's frame; null when they are as they were when last asked for. */
  vertices(body: number): Float64Array | null {
    const at = this.native._module_vertices(body);
    return at === 0 ? null : this.reals(at, 3 * this.native._module_vertex_count());
  }

  // ---- what a hand does

  /** Pulls a point of a body, in its shape's frame, to a point of the world; returns a handle. */
  springBegin(body: number, anchor: ArrayLike<number>, target: ArrayLike<number>, frequency = 5, dampingRatio = 1, maxForce = Infinity): number {
    const spring = this.withNumbers([anchor, target], (at) =>
      this.native._module_spring_begin(body, at[0], at[1], frequency, dampingRatio, maxForce));
    this.checkIndex(spring);
    return spring;
  }

  springMove(spring: number, target: ArrayLike<number>): void {
    this.check(this.native._module_spring_move(spring, target[0], target[1], target[2]));
  }

  springEnd(spring: number): void {
    this.check(this.native._module_spring_end(spring));
  }

  /** Acts on the body during the next step. */
  force(body: number, force: ArrayLike<number>, point: ArrayLike<number>): void {
    this.check(this.withNumbers([force, point], (at) => this.native._module_force(body, at[0], at[1])));
  }

  remove(body: number): void {
    this.check(this.native._module_remove(body));
  }

  setPose(body: number, pose: ArrayLike<number>): void {
    this.check(this.withNumbers([pose], (at) => this.native._module_set_pose(body, at[0])));
  }

  /** Of the centre of mass, and angular: six numbers. */
  setVelocity(body: number, velocity: ArrayLike<number>): void {
    this.check(this.withNumbers([velocity], (at) => this.native._module_set_velocity(body, at[0])));
  }

  /** The body that a ray meets first; one in which it begins is looked through. */
  ray(origin: ArrayLike<number>, direction: ArrayLike<number>, length: number): RayHit | null {
    const at = this.withNumbers([origin, direction], (from) => this.native._module_ray(from[0], from[1], length));
    const [body, distance, px, py, pz, nx, ny, nz, kind, index, part] = this.reals(at, 12);
    return body < 0 ? null : { body, distance, point: [px, py, pz], normal: [nx, ny, nz], feature: { kind, index, part } };
  }

  // ---- shapes by themselves

  /** A shape as `abut collide` takes it. hull: pieces of a mesh file that are not convex are replaced by their hulls. */
  shapeJson(argument: string, hull = false): ShapeDrawing {
    return this.json<ShapeDrawing>(this.withText(argument, (text) => this.native._module_shape_json(text, hull ? 1 : 0)));
  }

  // ---- to and from the module's memory

  private fail(): never {
    throw new EngineError(this.native.UTF8ToString(this.native._module_error()));
  }

  private check(status: number): void {
    if (status !== 0) this.fail();
  }

  private checkIndex(index: number): void {
    if (index < 0) this.fail();
  }

  private pointer(at: number): number {
    if (at === 0) this.fail();
    return at;
  }

  /** A copy of numbers in the module's memory. */
  private reals(at: number, count: number): Float64Array {
    return new Float64Array(this.native.HEAPU8.slice(this.pointer(at), at + 8 * count).buffer);
  }

  private integers(at: number, count: number): Int32Array {
    return new Int32Array(this.native.HEAPU8.slice(this.pointer(at), at + 4 * count).buffer);
  }

  private json<T>(at: number): T {
    return JSON.parse(this.native.UTF8ToString(this.pointer(at))) as T;
  }

  private allocate(size: number): number {
    const at = this.native._malloc(Math.max(size, 1));
    if (at === 0) throw new EngineError('no memory');
    return at;
  }

  private withText<T>(text: string, use: (at: number) => T): T {
    const size = this.native.lengthBytesUTF8(text) + 1;
    const at = this.allocate(size);
    try {
      this.native.stringToUTF8(text, at, size);
      return use(at);
    } finally {
      this.native._free(at);
    }
  }

  /** Several lists of numbers, each at a place of its own. */
  private withNumbers<T>(lists: ArrayLike<number>[], use: (at: number[]) => T): T {
    const values = Float64Array.from(lists.flatMap((list) => Array.from(list)));
    const at = this.allocate(values.byteLength);
    let place = at;
    const places = lists.map((list) => {
      const begin = place;
      place += 8 * list.length;
      return begin;
    });
    try {
      this.native.HEAPU8.set(new Uint8Array(values.buffer), at);
      return use(places);
    } finally {
      this.native._free(at);
    }
  }
}
