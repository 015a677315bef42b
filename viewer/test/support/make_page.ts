/**
 * Replay pages for tests, written from the description of their data alone, so that the reader is checked against something other than itself: every
 * value is packed one by one, nothing is shared with src/run.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { Body, Joint, RunEvent, Shape, Vec3 } from '../../src/run/run';

/** A contact as plain numbers. */
export interface MadeContact {
  a: number; b: number; kindA: number; indexA: number; partA: number; kindB: number; indexB: number; partB: number; patch: number; flags: number;
  id: bigint; onA: number[]; onB: number[]; normal: number[]; gap: number; area: number; normalForce: number; friction: number[];
}

export interface MadeFrame {
  step: number;
  time: number;
  /** of each body; null when it is removed */
  poses: (number[] | null)[];
  presence: number[];
  velocities?: (number[] | null)[];
  contacts?: MadeContact[];
  /** bodies whose shape has changed in this frame */
  vertices?: Map<number, number[]>;
  /** of each joint: 0 gone, 1 broken, 2 holds; and its eight numbers */
  joints?: { hold: number; cells: number[] }[];
}

export interface MadeRun {
  name: string;
  title: string;
  bodies: Body[];
  shapes: Shape[];
  joints?: Joint[];
  events?: RunEvent[];
  gravity?: Vec3;
  size: number;
  dt: number;
  complete?: boolean;
  columns: Map<string, number[]>;
  frames: MadeFrame[];
  /** frames to a chunk */
  chunk?: number;
  /** binary digits behind the point */
  digits?: number;
  level?: number;
}

export interface MadeBlock { entry: Record<string, unknown>; raw: Buffer; text: string }

function planes(values: Int32Array): Buffer {
  const n = values.length, bytes = Buffer.alloc(4 * n);
  for (let i = 0; i < n; i++) for (let k = 0; k < 4; k++) bytes[k * n + i] = (values[i] >>> (8 * k)) & 255;
  return bytes;
}

function doublePlanes(values: number[]): Buffer {
  const n = values.length, bytes = Buffer.alloc(8 * n), one = Buffer.alloc(8);
  values.forEach((value, i) => {
    one.writeDoubleLE(value);
    for (let k = 0; k < 8; k++) bytes[k * n + i] = one[k];
  });
  return bytes;
}

const float = new Float32Array(1), bits = new Int32Array(float.buffer);

export function floatOrder(value: number): number {
  float[0] = value;
  return bits[0] < 0 ? (0x80000000 - (bits[0] >>> 0)) | 0 : bits[0];
}

/** The least shift with which all coordinates fit into 30 bits. */
function shiftFor(coordinates: number[], digits: number): number {
  const most = coordinates.reduce((p, q) => (Number.isFinite(q) ? Math.max(p, Math.abs(q)) : p), 0);
  let shift = 0;
  while (most * 2 ** (digits - shift) >= 2 ** 30) shift++;
  return shift;
}

function packPoses(run: MadeRun, first: number, count: number): Buffer {
  const bodies = run.bodies.length, digits = run.digits ?? 16;
  const frames = run.frames.slice(first, first + count);
  const shifts = Int32Array.from({ length: bodies }, (_, b) => shiftFor(frames.flatMap((frame) => frame.poses[b]?.slice(0, 3) ?? []), digits));
  const presence = Buffer.alloc(bodies * count), residuals = new Int32Array(7 * bodies * count);
  for (let b = 0; b < bodies; b++) {
    const values: number[][] = [];
    let before: number[] | null = null;
    frames.forEach((frame, f) => {
      presence[b * count + f] = frame.presence[b];
      const pose = frame.poses[b];
      if (!pose) {
        values.push(values[f - 1] ?? [0, 0, 0, 0, 0, 0, 0]);
        return;
      }
      const turn = pose.slice(3);
      const dot: number = before ? turn.reduce((sum, q, k) => sum + q * before![k], 0) : 1;
      const signed = turn.map((q) => (dot < 0 ? -q : q));
      before = signed;
      values.push([...pose.slice(0, 3).map((x) => Math.round(x * 2 ** (digits - shifts[b]))), ...signed.map((q) => Math.round(q * 2 ** 20))]);
    });
    for (let k = 0; k < 7; k++) {
      for (let f = 0; f < count; f++) {
        const v = (i: number) => values[i][k];
        const predicted = f === 0 ? 0 : f === 1 ? v(0) : (2 * v(f - 1) - v(f - 2)) | 0;
        residuals[(k * bodies + b) * count + f] = (v(f) - predicted) | 0;
      }
    }
  }
  return Buffer.concat([presence, planes(shifts), planes(residuals)]);
}

function packVelocities(run: MadeRun, first: number, count: number): Buffer {
  const bodies = run.bodies.length, residuals = new Int32Array(6 * bodies * count);
  for (let b = 0; b < bodies; b++) {
    for (let k = 0; k < 6; k++) {
      let last = 0;
      for (let f = 0; f < count; f++) {
        const given = run.frames[first + f].velocities?.[b];
        const value = given ? floatOrder(given[k]) : last;
        residuals[(k * bodies + b) * count + f] = (value - last) | 0;
        last = value;
      }
    }
  }
  return planes(residuals);
}

function packContacts(run: MadeRun, first: number, count: number): { raw: Buffer; shift: number; rows: number } {
  const digits = run.digits ?? 16, frames = run.frames.slice(first, first + count).map((frame) => frame.contacts ?? []);
  const shift = shiftFor(frames.flat().flatMap((c) => [...c.onA, ...c.onB]), digits);
  const counts = Buffer.alloc(4 * count), rows: number[][] = [];
  let stored: MadeContact[] | null = null, storedRows: number[][] = [];
  const same = (p: MadeContact[], q: MadeContact[]) => p.length === q.length && p.every((c, i) => c === q[i]);
  frames.forEach((contacts, f) => {
    if (stored && same(stored, contacts)) {
      counts.writeInt32LE(-1, 4 * f);
      return;
    }
    counts.writeInt32LE(contacts.length, 4 * f);
    const fixed = (x: number) => Math.round(x * 2 ** (digits - shift));
    const whole = contacts.map((c) => [
      c.a, c.b, c.kindA, c.indexA, c.partA, c.kindB, c.indexB, c.partB, c.patch, c.flags, Number(BigInt.asIntN(32, c.id)), Number(BigInt.asIntN(32, c.id >> 32n)),
      ...c.onA.map(fixed), ...c.onB.map(fixed), ...c.normal.map((x) => Math.round(x * 2 ** 20)),
      floatOrder(c.gap), floatOrder(c.area), floatOrder(c.normalForce), ...c.friction.map(floatOrder),
    ]);
    let last = -1;
    contacts.forEach((c, i) => {
      const m = stored?.findIndex((d) => d.a === c.a && d.b === c.b && d.id === c.id) ?? -1;
      if (m < 0) {
        rows.push([1, ...whole[i]]);
        return;
      }
      const off = m - (last + 1);
      rows.push([2 * (off < 0 ? -2 * off - 1 : 2 * off), ...whole[i].map((value, k) => (value - storedRows[m][k]) | 0)]);
      last = m;
    });
    stored = contacts;
    storedRows = whole;
  });
  const cells = new Int32Array(28 * rows.length);
  rows.forEach((row, i) => row.forEach((value, k) => (cells[k * rows.length + i] = value)));
  return { raw: Buffer.concat([counts, planes(cells)]), shift, rows: rows.length };
}

function packVertices(run: MadeRun, first: number, count: number): Buffer | null {
  const deforming = new Set(run.frames.flatMap((frame) => [...(frame.vertices?.keys() ?? [])]));
  const current = new Map<number, number[]>(), entries: Buffer[] = [];
  let fresh = false;
  for (let f = 0; f < first + count; f++) {
    run.frames[f].vertices?.forEach((vertices, body) => current.set(body, vertices));
    if (f < first) continue;
    for (const body of deforming) {
      const changed = run.frames[f].vertices?.has(body) ?? false;
      if (f !== first && !changed) continue;
      fresh ||= changed;
      const vertices = current.get(body) ?? run.shapes[run.bodies[body].shape].vertices ?? [];
      const entry = Buffer.alloc(12 + 4 * vertices.length);
      [f, body, vertices.length / 3].forEach((n, i) => entry.writeInt32LE(n, 4 * i));
      vertices.forEach((x, i) => entry.writeFloatLE(x, 12 + 4 * i));
      entries.push(entry);
    }
  }
  const head = Buffer.alloc(4);
  head.writeInt32LE(entries.length);
  return deforming.size > 0 && (fresh || entries.length > 0) ? Buffer.concat([head, ...entries]) : null;
}

function packJoints(run: MadeRun, first: number, count: number): Buffer {
  const joints = run.joints?.length ?? 0, hold = Buffer.alloc(joints * count), residuals = new Int32Array(8 * joints * count);
  for (let j = 0; j < joints; j++) {
    for (let k = 0; k < 8; k++) {
      let last = 0;
      for (let f = 0; f < count; f++) {
        const given = run.frames[first + f].joints![j];
        hold[j * count + f] = given.hold;
        const value = given.hold > 0 ? floatOrder(given.cells[k]) : last;
        residuals[(k * joints + j) * count + f] = (value - last) | 0;
        last = value;
      }
    }
  }
  return Buffer.concat([hold, planes(residuals)]);
}

function packEvents(events: RunEvent[]): Buffer {
  const columns: ((event: RunEvent) => number)[] = [
    (e) => e.step, (e) => e.kind, (e) => e.a, (e) => e.b, (e) => e.joint, ...[0, 1, 2].map((k) => (e: RunEvent) => floatOrder(e.point[k])),
    (e) => floatOrder(e.impulse), (e) => floatOrder(e.speed)];
  return planes(Int32Array.from(columns.flatMap((column) => events.map(column))));
}

export function makeBlocks(run: MadeRun): MadeBlock[] {
  const blocks: MadeBlock[] = [];
  const add = (entry: Record<string, unknown>, raw: Buffer) => {
    blocks.push({ entry: { ...entry, bytes: raw.length }, raw, text: deflateSync(raw, { level: run.level ?? 6 }).toString('base64') });
  };
  const n = run.frames.length, rows = [...run.columns.values()][0].length;
  add({ kind: 'steps', first: 0, count: rows }, Buffer.concat([...run.columns.entries()].map(([name, values]) =>
    doublePlanes(['step', 'time', 'potential_energy'].includes(name) ? values : values.map(Math.fround)))));
  add({ kind: 'frames', first: 0, count: n }, Buffer.concat([doublePlanes(run.frames.map((f) => f.step)), doublePlanes(run.frames.map((f) => f.time))]));
  if (run.events) add({ kind: 'events', first: 0, count: n, rows: run.events.length }, packEvents(run.events));
  const size = run.chunk ?? Math.min(Math.max(Math.floor(32768 / run.bodies.length), 16), 1024);
  for (let first = 0; first < n; first += size) {
    const count = Math.min(size, n - first), place = { first, count };
    add({ kind: 'poses', ...place }, packPoses(run, first, count));
    if (run.frames[0].velocities) add({ kind: 'velocities', ...place }, packVelocities(run, first, count));
    if (run.frames[0].contacts) {
      const contacts = packContacts(run, first, count);
      add({ kind: 'contacts', ...place, shift: contacts.shift, rows: contacts.rows }, contacts.raw);
    }
    const vertices = packVertices(run, first, count);
    if (vertices) add({ kind: 'vertices', ...place }, vertices);
    if (run.joints) add({ kind: 'joints', ...place }, packJoints(run, first, count));
  }
  return blocks;
}

export function makeHead(run: MadeRun, blocks: MadeBlock[]): Record<string, unknown> {
  return {
    format: 'abut replay', version: 1, name: run.name, title: run.title, abut_version: '0.0.0', complete: run.complete ?? true, dt: run.dt,
    gravity: run.gravity ?? [0, 0, -9.81], every: 1, frame_count: run.frames.length, step_count: [...run.columns.values()][0].length,
    quantum: { length: 2 ** -(run.digits ?? 16), turn: 2 ** -20, normal: 2 ** -20 }, size: run.size,
    has_contacts: Boolean(run.frames[0].contacts), has_velocities: Boolean(run.frames[0].velocities), bodies: run.bodies, shapes: run.shapes,
    ...(run.joints ? { joints: run.joints } : {}), ...(run.events ? { event_kinds: [], events_left_out: 7 } : {}),
    columns: [...run.columns.keys()], blocks: blocks.map((block) => block.entry),
  };
}

/** The elements of some runs, as they stand in a page. */
export function makeElements(runs: MadeRun[]): string {
  return runs.map((run, r) => {
    const blocks = makeBlocks(run);
    const head = JSON.stringify({ ...makeHead(run, blocks), run_count: runs.length }).replaceAll('<', '\\u003c');
    return [
      `<script type="application/json" id="run-${r}">${head}</script>`,
      ...blocks.map((block, k) => `<script type="text/plain" id="run-${r}-block-${k}">${block.text}</script>`),
    ].join('\n');
  }).join('\n');
}

/** The built page with some runs in it. */
export function makePage(pages: string, runs: MadeRun[]): string {
  const template = readFileSync(join(pages, 'replay.html'), 'utf8');
  if (!template.includes('<!--abut:runs-->')) throw new Error('the template has no place for runs');
  return template.replace('<!--abut:runs-->', () => makeElements(runs));
}

// ---- runs that are made up ----

const CORNERS = [-1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1, -1, -1, 1, 1, -1, 1, -1, 1, 1, 1, 1, 1];
const FACES = [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5];

export function boxShape(x: number, y = x, z = x): Shape {
  return { kind: 'box', vertices: CORNERS.map((c, i) => c * [x, y, z][i % 3]), face_first: [0, 4, 8, 12, 16, 20, 24], face_vertices: FACES };
}

export function body(name: string, shape: number, kind: Body['kind'] = 'dynamic'): Body {
  return { name, kind, shape, mass: kind === 'dynamic' ? 2 : 0, friction: 0.5, restitution: 0.1, centre: [0, 0, 0] };
}

export function madeJoint(kind: Joint['kind'], a: number, b: number): Joint {
  return {
    kind, a, b, frame_a: [0, 0, 0, 0, 0, 0, 1], frame_b: [0, 0, 0, 0, 0, 0, 1], lower: null, upper: null, motor: 'off', target: 0, stiffness: 0, rest: 0, ratio: 1,
    break_force: null, break_torque: null,
  };
}

/** Boxes in a row that sink a little into a floor, one after the other tilting; each lies on the floor by the four corners of its lower face. */
export function madeRun(frames: number, boxes: number, options: Partial<MadeRun> = {}): MadeRun {
  const half = 0.25;
  const bodies = [body('floor', 0, 'static'), ...Array.from({ length: boxes }, (_, i) => body(`box_${i + 1}`, 1))];
  const columns = new Map<string, number[]>(
    ['step', 'time', 'contacts', 'touching', 'candidates', 'max_penetration', 'kinetic_energy', 'potential_energy', 'seconds_narrow', 'seconds_total']
      .map((name) => [name, []]));
  const made: MadeFrame[] = [];
  for (let f = 0; f < frames; f++) {
    const time = f / 60, frame: Required<Omit<MadeFrame, 'vertices' | 'joints'>> = { step: f, time, poses: [[0, 0, 0, 0, 0, 0, 1]], presence: [1], velocities: [[0, 0, 0, 0, 0, 0]], contacts: [] };
    for (let i = 0; i < boxes; i++) {
      const depth = 1e-3 * (1 + Math.sin(time + i)), angle = 0.1 * Math.sin(0.5 * time + i);
      const x = (i - (boxes - 1) / 2) * 0.8, y = 0.3 * Math.sin(0.7 * time + i);
      frame.poses.push([x, y, half - depth, 0, 0, Math.sin(angle / 2), Math.cos(angle / 2)]);
      frame.presence.push(i % 7 === 6 ? 1 : 2);
      frame.velocities.push([0, 0.21 * Math.cos(0.7 * time + i), -1e-3 * Math.cos(time + i), 0, 0, 0.05 * Math.cos(0.5 * time + i)]);
      [[-1, -1], [1, -1], [1, 1], [-1, 1]].forEach(([u, v], corner) => {
        const px = x + half * (u * Math.cos(angle) - v * Math.sin(angle)), py = y + half * (u * Math.sin(angle) + v * Math.cos(angle));
        frame.contacts.push({
          a: i + 1, b: 0, kindA: 3, indexA: corner, partA: 0, kindB: 1, indexB: 0, partB: 0, patch: 0, flags: 0, id: (BigInt(i + 1) << 40n) + BigInt(corner),
          onA: [px, py, -depth], onB: [px, py, 0], normal: [0, 0, 1], gap: -depth, area: half * half, normalForce: 4.9 + corner * 0.1, friction: [0, -0.2, 0],
        });
      });
    }
    made.push(frame);
    const values = [f, time, frame.contacts.length, boxes, boxes + 2, 2e-3 + 1e-3 * Math.sin(time), 0.02 * boxes * Math.cos(0.7 * time) ** 2, 9.81 * 0.25 * boxes, 1e-4, 3e-4];
    [...columns.values()].forEach((column, k) => column.push(values[k]));
  }
  return {
    name: 'made.h5', title: 'Boxes that slide', bodies, shapes: [{ kind: 'plane', normal: [0, 0, 1], offset: 0 }, boxShape(half)], size: half * Math.sqrt(3),
    dt: 1 / 60, columns, frames: made, ...options,
  };
}
