/**
 * What the blocks of a replay page hold, once they are unpacked: predictions undone, a frame's numbers side by side. Everything here is plain data, so that
 * a worker can make it and hand it over.
 */
import { BadData, floatsInPlace, joinDoubles, joinInts } from './planes';
import { EVENT_NAMES, JOINT_CELLS } from './run';

export type BlockKind = 'steps' | 'frames' | 'events' | 'poses' | 'velocities' | 'contacts' | 'vertices' | 'joints';

/** An entry of the head's list of blocks. */
export interface BlockEntry {
  kind: BlockKind;
  /** the frames that it is about */
  first: number;
  count: number;
  /** size before compression */
  bytes: number;
  /** of contacts and events: rows */
  rows?: number;
  /** of contacts: lengths are in units of the quantum times 2^shift */
  shift?: number;
}

/** What must be known besides the block itself. */
export interface BlockSpec {
  entry: BlockEntry;
  bodies: number;
  joints: number;
  /** of the table of steps */
  columns: number;
  steps: number;
}

export interface PosesBlock {
  kind: 'poses';
  /** [frame][body] */
  presence: Uint8Array;
  /** [frame][body][7], fixed point */
  fixed: Int32Array;
  /** [body] the unit of its x, y and z, in quanta */
  units: Float64Array;
}

export interface VelocitiesBlock {
  kind: 'velocities';
  /** [frame][body][6] */
  values: Float32Array;
}

/** The columns of contacts; the first says which earlier row a row was predicted from, and is of no use afterwards. */
export const CONTACT_COLUMNS = {
  a: 1, b: 2, kindA: 3, indexA: 4, partA: 5, kindB: 6, indexB: 7, partB: 8, patch: 9, flags: 10, idLow: 11, idHigh: 12,
  onA: 13, onB: 16, normal: 19, gap: 22, area: 23, normalForce: 24, friction: 25, end: 28,
} as const;
const COLUMNS = CONTACT_COLUMNS.end, FIRST_FLOAT = CONTACT_COLUMNS.gap;

export interface ContactsBlock {
  kind: 'contacts';
  rows: number;
  /** of each frame */
  first: Int32Array;
  count: Int32Array;
  /** [column][row]: integers and fixed point; the columns of floats are in `reals` */
  cells: Int32Array;
  /** the same memory, seen as floats */
  reals: Float32Array;
}

export interface VerticesBlock {
  kind: 'vertices';
  /** in the order of the frames */
  entries: { frame: number; body: number; vertices: Float32Array }[];
}

export interface JointsBlock {
  kind: 'joints';
  /** [frame][joint] */
  hold: Uint8Array;
  /** [frame][joint][JOINT_CELLS] */
  values: Float32Array;
}

export interface EventsBlock {
  kind: 'events';
  rows: number;
  /** [column][row]: integers; the columns of floats are in `reals` */
  cells: Int32Array;
  /** the same memory, seen as floats */
  reals: Float32Array;
}

/** The columns of events. */
export const EVENT_COLUMNS = { step: 0, kind: 1, a: 2, b: 3, joint: 4, point: 5, impulse: 8, speed: 9, end: 10 } as const;

export interface TableBlock {
  kind: 'steps' | 'frames';
  /** column after column */
  values: Float64Array;
  rows: number;
}

export type Block = PosesBlock | VelocitiesBlock | ContactsBlock | VerticesBlock | JointsBlock | EventsBlock | TableBlock;

export function readBlock(bytes: Uint8Array, spec: BlockSpec): Block {
  const { entry } = spec;
  if (bytes.length !== entry.bytes) throw new BadData(`it has ${bytes.length} bytes where ${entry.bytes} were written`);
  switch (entry.kind) {
    case 'steps': return readTable('steps', bytes, spec.columns, spec.steps);
    case 'frames': return readTable('frames', bytes, 2, entry.count);
    case 'poses': return readPoses(bytes, spec.bodies, entry.count);
    case 'velocities': return { kind: 'velocities', values: readLines(bytes, 0, 6, spec.bodies, entry.count) };
    case 'joints': return readJoints(bytes, spec.joints, entry.count);
    case 'events': return readEvents(bytes, entry.rows ?? 0, spec);
    case 'contacts': return readContacts(bytes, entry.count, entry.rows ?? 0, spec.bodies);
    case 'vertices': return readVertices(bytes, spec.bodies);
    default: throw new BadData(`its kind '${String(entry.kind)}' is not known`);
  }
}

/** The memory that a block takes. */
export function blockBytes(block: Block): number {
  switch (block.kind) {
    case 'poses': return block.presence.byteLength + block.fixed.byteLength + block.units.byteLength;
    case 'contacts': case 'events': return block.cells.byteLength;
    case 'vertices': return block.entries.reduce((sum, entry) => sum + entry.vertices.byteLength, 0);
    default: return block.values.byteLength;
  }
}

/** The buffers that can be handed over instead of copied. */
export function blockBuffers(block: Block): ArrayBuffer[] {
  const buffers = (...arrays: ArrayBufferView[]) => [...new Set(arrays.map((array) => array.buffer as ArrayBuffer))];
  switch (block.kind) {
    case 'poses': return buffers(block.presence, block.fixed, block.units);
    case 'contacts': return buffers(block.first, block.count, block.cells);
    case 'events': return buffers(block.cells);
    case 'joints': return buffers(block.hold, block.values);
    case 'vertices': return buffers(...block.entries.map((entry) => entry.vertices));
    default: return buffers(block.values);
  }
}

function readTable(kind: 'steps' | 'frames', bytes: Uint8Array, columns: number, rows: number): TableBlock {
  const values = new Float64Array(columns * rows);
  for (let column = 0; column < columns; column++) values.set(joinDoubles(bytes, 8 * column * rows, rows), column * rows);
  return { kind, values, rows };
}

function readPoses(bytes: Uint8Array, bodies: number, count: number): PosesBlock {
  const cells = bodies * count;
  const units = Float64Array.from(joinInts(bytes, cells, bodies), (shift) => 2 ** shift);
  const residuals = joinInts(bytes, cells + 4 * bodies, 7 * cells);
  const presence = new Uint8Array(cells), fixed = new Int32Array(7 * cells), stride = 7 * bodies;
  for (let body = 0; body < bodies; body++) {
    for (let f = 0; f < count; f++) presence[f * bodies + body] = bytes[body * count + f];
  }
  for (let component = 0; component < 7; component++) {
    for (let body = 0; body < bodies; body++) {
      const from = (component * bodies + body) * count;
      // The motion is taken to go on as it was: second differences are kept.
      let before = 0, last = 0, at = 7 * body + component;
      for (let f = 0; f < count; f++, at += stride) {
        const value = (residuals[from + f] + (f < 2 ? last : 2 * last - before)) | 0;
        fixed[at] = value;
        before = last;
        last = value;
      }
    }
  }
  return { kind: 'poses', presence, fixed, units };
}

/** Numbers of `things` in float order, of which differences from the frame before are kept: [frame][thing][width]. */
function readLines(bytes: Uint8Array, start: number, width: number, things: number, count: number): Float32Array {
  const residuals = joinInts(bytes, start, width * things * count);
  const ordered = new Int32Array(residuals.length), stride = width * things;
  for (let component = 0; component < width; component++) {
    for (let thing = 0; thing < things; thing++) {
      const from = (component * things + thing) * count;
      let last = 0, at = width * thing + component;
      for (let f = 0; f < count; f++, at += stride) {
        last = (last + residuals[from + f]) | 0;
        ordered[at] = last;
      }
    }
  }
  return floatsInPlace(ordered);
}

function readJoints(bytes: Uint8Array, joints: number, count: number): JointsBlock {
  const hold = new Uint8Array(joints * count);
  for (let joint = 0; joint < joints; joint++) {
    for (let f = 0; f < count; f++) hold[f * joints + joint] = bytes[joint * count + f];
  }
  return { kind: 'joints', hold, values: readLines(bytes, joints * count, JOINT_CELLS, joints, count) };
}

function readEvents(bytes: Uint8Array, rows: number, { bodies, joints }: BlockSpec): EventsBlock {
  const E = EVENT_COLUMNS, cells = joinInts(bytes, 0, E.end * rows);
  const right = (column: number, least: number, end: number) =>
    cells.subarray(column * rows, (column + 1) * rows).every((cell) => cell >= least && cell < end);
  if (!right(E.kind, 0, EVENT_NAMES.length) || !right(E.a, 0, bodies) || !right(E.b, -1, bodies) || !right(E.joint, -1, joints)) {
    throw new BadData('it names bodies, joints or kinds of events that there are not');
  }
  floatsInPlace(cells.subarray(E.point * rows));
  return { kind: 'events', rows, cells, reals: new Float32Array(cells.buffer) };
}

function readContacts(bytes: Uint8Array, frames: number, rows: number, bodies: number): ContactsBlock {
  if (bytes.length !== 4 * frames + 4 * COLUMNS * rows) throw new BadData(`${bytes.length} bytes are not those of ${rows} contacts`);
  const stored = new DataView(bytes.buffer, bytes.byteOffset, 4 * frames);
  const first = new Int32Array(frames), count = new Int32Array(frames);
  const cells = joinInts(bytes, 4 * frames, COLUMNS * rows);
  // Of each row the one that it is a difference from, or -1.
  const source = new Int32Array(rows).fill(-1);
  let used = 0, before = -1;
  for (let f = 0; f < frames; f++) {
    const n = stored.getInt32(4 * f, true);
    if (n < 0) {
      if (n !== -1 || before < 0) throw new BadData(`frame ${f} of it has ${n} contacts`);
      first[f] = first[f - 1];
      count[f] = count[f - 1];
      continue;
    }
    if (used + n > rows) throw new BadData('there are more contacts in it than it has rows');
    let last = -1;
    for (let i = 0; i < n; i++) {
      const ref = cells[used + i];
      if (ref & 1) continue;
      const half = ref >>> 1, from = last + 1 + ((half >>> 1) ^ -(half & 1));
      if (before < 0 || from < 0 || from >= count[before]) throw new BadData(`contact ${i} of its frame ${f} refers to none`);
      source[used + i] = first[before] + from;
      last = from;
    }
    first[f] = used;
    count[f] = n;
    used += n;
    before = f;
  }
  if (used !== rows) throw new BadData(`it has ${rows} contacts, its frames ${used}`);
  for (let column = 1; column < COLUMNS; column++) {
    const base = column * rows;
    for (let row = 0; row < rows; row++) {
      const from = source[row];
      if (from >= 0) cells[base + row] = (cells[base + row] + cells[base + from]) | 0;
    }
  }
  for (let row = 0; row < 2 * rows; row++) {
    const body = cells[rows + row];
    if (body < 0 || body >= bodies) throw new BadData(`it names body ${body}`);
  }
  floatsInPlace(cells.subarray(FIRST_FLOAT * rows));
  return { kind: 'contacts', rows, first, count, cells, reals: new Float32Array(cells.buffer) };
}

function readVertices(bytes: Uint8Array, bodies: number): VerticesBlock {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const entries: VerticesBlock['entries'] = [];
  let at = 0;
  const next = () => {
    if (at + 4 > bytes.length) throw new BadData('it ends too soon');
    at += 4;
    return view.getInt32(at - 4, true);
  };
  for (let left = next(); left > 0; left--) {
    const frame = next(), body = next(), count = next();
    if (body < 0 || body >= bodies || count < 0 || at + 12 * count > bytes.length) throw new BadData('its shapes are longer than it');
    const vertices = new Float32Array(3 * count);
    for (let i = 0; i < vertices.length; i++, at += 4) vertices[i] = view.getFloat32(at, true);
    entries.push({ frame, body, vertices });
  }
  return { kind: 'vertices', entries };
}
