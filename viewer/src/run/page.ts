/**
 * Runs that stand in the page itself, as `abut view` puts them there: a head in JSON, and blocks that are unpacked when they are needed. Frames come in
 * chunks; those used last stay, up to a bound of memory, and the next one in the direction of travel is fetched ahead.
 */
import {
  blockBytes, CONTACT_COLUMNS as C, EVENT_COLUMNS as E, type Block, type BlockEntry, type ContactsBlock, type EventsBlock, type JointsBlock, type PosesBlock,
  type TableBlock, type VelocitiesBlock, type VerticesBlock,
} from './blocks';
import { BACKGROUND, Decoder, Dropped, NOW, SOON, type Order } from './decoder';
import { BadData } from './planes';
import { JOINT_CELLS, type Body, type ContactTable, type Frame, type Joint, type JointTable, type PoseVisitor, type Run, type RunEvent, type Shape, type StepTable, type Vec3 } from './run';

interface Head {
  format: string;
  version: number;
  name: string;
  title: string;
  abut_version: string;
  complete: boolean;
  dt: number;
  gravity: Vec3;
  every: number;
  frame_count: number;
  step_count: number;
  quantum: { length: number; turn: number; normal: number };
  size: number;
  has_contacts: boolean;
  has_velocities: boolean;
  bodies: Body[];
  shapes: Shape[];
  columns: string[];
  blocks: BlockEntry[];
  /** how many runs the page has; not said by earlier versions */
  run_count?: number;
  joints?: Joint[];
  events_left_out?: number;
}

/** Bytes of unpacked chunks that are kept. */
const KEPT = 192 * 2 ** 20;

const CHUNK_KINDS = ['poses', 'velocities', 'contacts', 'vertices', 'joints'] as const;
type ChunkKind = (typeof CHUNK_KINDS)[number];

/** A chunk: which blocks it has, and what is unpacked of it. */
interface Chunk {
  first: number;
  count: number;
  blocks: Partial<Record<ChunkKind, number>>;
}

/** waiters: how many are promised it */
interface Unpacked { block: Block | null; order: Order | null; bytes: number; waiters: number }

/** Where the texts of a run's blocks are. */
export interface BlockTexts {
  text(block: number): string;
  /** when the block is there */
  ready?(block: number): Promise<void>;
}

/**
 * The runs of the page, in their order; none in a bare template. A long page is read for seconds, and its first run is at hand long before, if its head says
 * how many runs there are. Throws BadData.
 */
export async function readRuns(page: Document, decoder = new Decoder()): Promise<Run[]> {
  const runs: Run[] = [];
  for (let r = 0; ; r++) {
    if (r > 0 && r === (runs[0] as PageRun).runCount) return runs;
    const id = `run-${r}`;
    await untilRead(page, id);
    const head = page.getElementById(id);
    if (!head) return runs;
    const text = (block: number) => page.getElementById(`${id}-block-${block}`)?.textContent ?? missing(block);
    runs.push(await PageRun.open(head.textContent ?? '', { text, ready: (block) => untilRead(page, `${id}-block-${block}`) }, decoder));
  }
}

/** Until the browser has read an element to its end, or the whole page. */
async function untilRead(page: Document, id: string): Promise<void> {
  while (page.readyState === 'loading' && !page.getElementById(id)?.nextElementSibling) await new Promise((resolve) => setTimeout(resolve, 15));
}

function missing(block: number): never {
  throw new BadData(`block ${block} is missing from the page`);
}

export class PageRun implements Run {
  readonly bodies: Body[];
  readonly shapes: Shape[];
  readonly gravity: Vec3;
  readonly size: number;
  readonly name: string;
  readonly title: string;
  readonly dt: number;
  readonly complete: boolean;
  readonly frameCount: number;
  readonly stepCount: number;
  readonly hasContacts: boolean;
  readonly hasVelocities: boolean;
  readonly joints: Joint[];
  readonly eventsLeftOut: number;
  private readonly chunks: Chunk[] = [];
  /** by block, in the order of their last use */
  private readonly unpacked = new Map<number, Unpacked>();
  private memory = 0;
  private frameSteps = new Float64Array(0);
  private frameTimes = new Float64Array(0);
  private table: Promise<StepTable> | null = null;
  private told: Promise<RunEvent[]> | null = null;
  private lastFrame: Frame | null = null;
  private lastIndex = 0;

  static async open(head: string, texts: BlockTexts, decoder: Decoder): Promise<PageRun> {
    let parsed: Head;
    try {
      parsed = JSON.parse(head) as Head;
    } catch {
      throw new BadData('The head of a run is not JSON.');
    }
    if (parsed.format !== 'abut replay' || parsed.version !== 1) {
      throw new BadData(`The page's data are '${String(parsed.format)}' of version ${String(parsed.version)}, which this page does not know.`);
    }
    const run = new PageRun(parsed, texts, decoder);
    await run.readFrames();
    return run;
  }

  private constructor(private readonly head: Head, private readonly texts: BlockTexts, private readonly decoder: Decoder) {
    this.bodies = head.bodies;
    this.shapes = head.shapes;
    this.gravity = head.gravity;
    this.size = head.size;
    this.name = head.name;
    this.title = head.title;
    this.dt = head.dt;
    this.complete = head.complete;
    this.frameCount = head.frame_count;
    this.stepCount = head.step_count;
    this.hasContacts = head.has_contacts;
    this.hasVelocities = head.has_velocities;
    this.joints = head.joints ?? [];
    this.eventsLeftOut = head.events_left_out ?? 0;
    const byFirst = new Map<number, Chunk>();
    head.blocks.forEach((entry, index) => {
      if (!CHUNK_KINDS.includes(entry.kind as ChunkKind)) return;
      if (entry.kind === 'poses') {
        const chunk = { first: entry.first, count: entry.count, blocks: {} };
        byFirst.set(entry.first, chunk);
        this.chunks.push(chunk);
      }
      const chunk = byFirst.get(entry.first);
      if (!chunk || chunk.count !== entry.count) throw new BadData(`Block ${index} of ${head.name} does not go with its chunk.`);
      chunk.blocks[entry.kind as ChunkKind] = index;
    });
    const end = this.chunks.reduce((next, chunk) => (chunk.first === next ? next + chunk.count : -1), 0);
    if (end !== this.frameCount || end < 1) throw new BadData(`${head.name} has ${this.frameCount} frames, its blocks have others.`);
  }

  /** Of the page, where it is said. */
  get runCount(): number | undefined {
    return this.head.run_count;
  }

  frameStep(index: number): number {
    return this.frameSteps[index];
  }

  frameTime(index: number): number {
    return this.frameTimes[index];
  }

  peek(index: number): Frame | null {
    this.dropOthers(this.chunkOf(index));
    return this.look(index);
  }

  private look(index: number): Frame | null {
    if (this.lastFrame?.index === index) return this.lastFrame;
    const chunk = this.chunkOf(index), here = this.chunks[chunk];
    const ahead = index >= this.lastIndex ? 1 : -1;
    this.lastIndex = index;
    const complete = this.want(chunk, NOW);
    // A third of a chunk before its end the next one is fetched.
    const left = ahead > 0 ? here.first + here.count - index : index - here.first;
    if (3 * left < 2 * here.count && this.chunks[chunk + ahead]) this.want(chunk + ahead, SOON);
    if (!complete) return null;
    this.lastFrame = this.build(index, here);
    return this.lastFrame;
  }

  async frame(index: number): Promise<Frame> {
    for (;;) {
      const frame = this.look(index);
      if (frame) return frame;
      const awaited = Object.values(this.chunks[this.chunkOf(index)].blocks).flatMap((block) => this.unpacked.get(block) ?? []);
      for (const one of awaited) one.waiters++;
      try {
        await Promise.all(awaited.map((one) => one.order?.promise));
      } finally {
        for (const one of awaited) one.waiters--;
      }
    }
  }

  steps(): Promise<StepTable> {
    this.table ??= this.single('steps').then((block) => {
      const { values, rows } = block as TableBlock;
      return new Map(this.head.columns.map((name, column) => [name, values.subarray(column * rows, (column + 1) * rows)]));
    });
    return this.table;
  }

  events(): Promise<RunEvent[]> {
    this.told ??= this.head.blocks.some(({ kind }) => kind === 'events') ? this.single('events').then((block) => eventsOf(block as EventsBlock)) : Promise.resolve([]);
    return this.told;
  }

  /** Poses alone, which need no more than their own blocks; none of them pushes out a chunk that is being looked at. */
  async scanPoses(visit: PoseVisitor, pause: (done: number) => Promise<boolean>): Promise<void> {
    const { length, turn } = this.head.quantum;
    const width = 7 * this.bodies.length, poses = new Float64Array(width);
    let next = this.posesOf(this.chunks[0]);
    for (let c = 0; c < this.chunks.length; c++) {
      const chunk = this.chunks[c], { fixed, presence, units } = await next;
      if (c + 1 < this.chunks.length) next = this.posesOf(this.chunks[c + 1]);
      for (let f = 0; f < chunk.count; f++) {
        scale(fixed, f * width, poses, length, units, turn);
        visit(chunk.first + f, poses, presence.subarray(f * this.bodies.length, (f + 1) * this.bodies.length));
        if (!(await pause(chunk.first + f + 1))) return;
      }
    }
  }

  private posesOf(chunk: Chunk): Promise<PosesBlock> {
    const index = chunk.blocks.poses as number, known = this.unpacked.get(index);
    const promise = known?.block ? Promise.resolve(known.block) : this.order(index, BACKGROUND).promise;
    promise.catch(() => undefined);
    return promise as Promise<PosesBlock>;
  }

  private async readFrames(): Promise<void> {
    const { values, rows } = (await this.single('frames')) as TableBlock;
    this.frameSteps = values.slice(0, rows);
    this.frameTimes = values.slice(rows);
    if (rows !== this.frameCount) throw new BadData(`${this.name} has ${this.frameCount} frames, but times of ${rows}.`);
  }

  private single(kind: 'steps' | 'frames' | 'events'): Promise<Block> {
    const index = this.head.blocks.findIndex((entry) => entry.kind === kind);
    if (index < 0) return Promise.reject(new BadData(`${this.name} has no block of ${kind}.`));
    return this.order(index, NOW).promise;
  }

  private order(index: number, urgency: number): Order {
    const entry = this.head.blocks[index];
    const spec = { entry, bodies: this.bodies.length, joints: this.joints.length, columns: this.head.columns.length, steps: this.stepCount };
    const order = this.decoder.order(() => this.texts.text(index), spec, urgency, this.texts.ready?.(index));
    const promise = order.promise.catch((error: Error) => {
      throw error instanceof Dropped ? error : new BadData(`Block ${index} of ${this.name} (${entry.kind}) cannot be read: ${error.message}.`);
    });
    promise.catch(() => undefined);
    return { ...order, promise };
  }

  private chunkOf(frame: number): number {
    let low = 0, high = this.chunks.length - 1;
    while (low < high) {
      const mid = (low + high + 1) >> 1;
      if (this.chunks[mid].first <= frame) low = mid;
      else high = mid - 1;
    }
    return low;
  }

  /** Whether all of a chunk is at hand; what is not is ordered. */
  private want(chunk: number, urgency: number): boolean {
    let complete = true;
    for (const kind of CHUNK_KINDS) {
      const index = this.chunks[chunk].blocks[kind];
      if (index === undefined) continue;
      const known = this.unpacked.get(index);
      if (known) {
        this.unpacked.delete(index);
        this.unpacked.set(index, known); // used last
        known.order?.hurry(urgency);
        if (!known.block) complete = false;
        continue;
      }
      complete = false;
      this.fetch(index, urgency);
    }
    return complete;
  }

  /** What was ordered for other chunks, has not begun and is promised to nobody is not wanted any more, but for neighbours. */
  private dropOthers(chunk: number): void {
    for (const [index, { order, waiters }] of this.unpacked) {
      if (!order || waiters > 0 || Math.abs(this.chunkOf(this.head.blocks[index].first) - chunk) <= 1) continue;
      if (order.drop()) this.unpacked.delete(index);
    }
  }

  private fetch(index: number, urgency: number): void {
    const order = this.order(index, urgency);
    const made: Unpacked = { block: null, order, bytes: 0, waiters: 0 };
    this.unpacked.set(index, made);
    order.promise.then((block) => {
      made.block = block;
      made.order = null;
      made.bytes = blockBytes(block);
      this.memory += made.bytes;
      this.forget(index);
    }, () => undefined); // what is damaged stays so
  }

  /** Keeps within the bound; what is used now, and what has just come, stays. */
  private forget(fresh: number): void {
    const current = this.chunks[this.chunkOf(this.lastIndex)];
    for (const [index, { block, bytes }] of this.unpacked) {
      if (this.memory <= KEPT) return;
      if (!block || index === fresh || Object.values(current.blocks).includes(index)) continue;
      this.unpacked.delete(index);
      this.memory -= bytes;
    }
  }

  private build(index: number, chunk: Chunk): Frame {
    const at = index - chunk.first, bodies = this.bodies.length;
    const block = <T extends Block>(kind: ChunkKind): T | null => {
      const found = chunk.blocks[kind];
      return found === undefined ? null : (this.unpacked.get(found)?.block as T);
    };
    const poses = block<PosesBlock>('poses') as PosesBlock;
    const velocities = block<VelocitiesBlock>('velocities'), contacts = block<ContactsBlock>('contacts');
    const frame: Frame = {
      index,
      step: this.frameSteps[index],
      time: this.frameTimes[index],
      poses: new Float64Array(7 * bodies),
      presence: poses.presence.subarray(at * bodies, (at + 1) * bodies),
      velocities: velocities ? Float64Array.from(velocities.values.subarray(6 * at * bodies, 6 * (at + 1) * bodies)) : null,
      contacts: contacts ? this.contacts(contacts, at, this.head.blocks[chunk.blocks.contacts as number].shift ?? 0) : null,
      vertices: lastVertices(block<VerticesBlock>('vertices'), index),
      joints: jointsOf(block<JointsBlock>('joints'), at, this.joints.length),
    };
    const { length, turn } = this.head.quantum;
    scale(poses.fixed, 7 * at * bodies, frame.poses, length, poses.units, turn);
    return frame;
  }

  private contacts(block: ContactsBlock, at: number, shift: number): ContactTable {
    const { rows, cells, reals } = block;
    const first = block.first[at], count = block.count[at];
    const ints = (column: number) => cells.subarray(column * rows + first, column * rows + first + count);
    const real = (column: number) => Float64Array.from(reals.subarray(column * rows + first, column * rows + first + count));
    const vectors = (from: ArrayLike<number>, column: number, unit: number) => {
      const made = new Float64Array(3 * count);
      for (let k = 0; k < 3; k++) {
        const base = (column + k) * rows + first;
        for (let i = 0; i < count; i++) made[3 * i + k] = unit * from[base + i];
      }
      return made;
    };
    const unit = this.head.quantum.length * 2 ** shift;
    return {
      count,
      a: ints(C.a), b: ints(C.b), kindA: ints(C.kindA), indexA: ints(C.indexA), partA: ints(C.partA), kindB: ints(C.kindB), indexB: ints(C.indexB),
      partB: ints(C.partB), patch: ints(C.patch), flags: ints(C.flags), idLow: ints(C.idLow), idHigh: ints(C.idHigh),
      onA: vectors(cells, C.onA, unit), onB: vectors(cells, C.onB, unit), normal: vectors(cells, C.normal, this.head.quantum.normal),
      gap: real(C.gap), area: real(C.area), normalForce: real(C.normalForce), friction: vectors(reals, C.friction, 1),
    };
  }
}

/** Fixed point to numbers; quaternions get their unit length back. */
function scale(fixed: Int32Array, from: number, poses: Float64Array, length: number, units: Float64Array, turn: number): void {
  for (let body = 0, at = 0; at < poses.length; body++, at += 7, from += 7) {
    for (let k = 0; k < 3; k++) poses[at + k] = length * units[body] * fixed[from + k];
    const x = turn * fixed[from + 3], y = turn * fixed[from + 4], z = turn * fixed[from + 5], w = turn * fixed[from + 6];
    const size = Math.sqrt(x * x + y * y + z * z + w * w);
    poses[at + 3] = size > 0 ? x / size : 0;
    poses[at + 4] = size > 0 ? y / size : 0;
    poses[at + 5] = size > 0 ? z / size : 0;
    poses[at + 6] = size > 0 ? w / size : 1;
  }
}

function jointsOf(block: JointsBlock | null, at: number, joints: number): JointTable | null {
  if (!block) return null;
  const width = JOINT_CELLS * joints;
  return { hold: block.hold.subarray(at * joints, (at + 1) * joints), cells: Float64Array.from(block.values.subarray(at * width, (at + 1) * width)) };
}

function eventsOf({ rows, cells, reals }: EventsBlock): RunEvent[] {
  return Array.from({ length: rows }, (_, row) => {
    const whole = (column: number) => cells[column * rows + row], real = (column: number) => reals[column * rows + row];
    return {
      step: whole(E.step), kind: whole(E.kind), a: whole(E.a), b: whole(E.b), joint: whole(E.joint),
      point: [real(E.point), real(E.point + 1), real(E.point + 2)], impulse: real(E.impulse), speed: real(E.speed),
    };
  });
}

/** The vertices that each deforming body has in a frame: its last entry up to there. */
function lastVertices(block: VerticesBlock | null, frame: number): Map<number, Float32Array> | null {
  if (!block) return null;
  const found = new Map<number, Float32Array>();
  for (const entry of block.entries) {
    if (entry.frame > frame) break;
    found.set(entry.body, entry.vertices);
  }
  return found;
}
