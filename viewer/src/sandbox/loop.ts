/**
 * The life of the worker: it owns the engine, keeps simulated time up with the clock, does what the page asks between two steps, and sends frames no
 * faster than the page draws them. Clock, timer and channel are given from outside, so that tests run it without a worker.
 */
import type { RunEvent, Vec3 } from '../run/run';
import { Sensors } from '../run/sensors';
import type { Head, SandboxEngine } from './engine';
import { Meter, Pace } from './pace';
import type { Arrays, Doing, FromWorker, FrameMessage, Moment, Recorded, ToWorker } from './protocol';

/** After so long [ms] the steps of one go end, so that the page is heard. */
const LONGEST_GO = 30;
/** Events that a frame has at most. */
const MOST_EVENTS = 500;
/** A push has its full force after so long [simulated s]. */
const PUSH_RISE = 1;

export interface Host {
  /** milliseconds */
  now(): number;
  later(milliseconds: number, run: () => void): void;
  post(message: FromWorker, transfer: Transferable[]): void;
}

interface Push { body: number; anchor: Vec3; force: Vec3; steps: number }

export class Loop {
  private head: Head | null = null;
  private load = 0;
  private playing = false;
  private actions = false;
  private speed = 1;
  private wantContacts = false;
  private recording: { contacts: boolean } | null = null;
  private recorded: Recorded[] = [];
  /** what happened since the last frame was sent */
  private events: RunEvent[] = [];
  private readonly sensors = new Sensors();
  /** the engine's name of it, or -1 */
  private spring = -1;
  private push: Push | null = null;
  private awaited = false;
  /** the first frame of the scene was seen: until then time stands */
  private seen = false;
  private changed = false;
  private ticking = false;
  private spare: Arrays | null = null;
  private readonly pace = new Pace(1 / 60);
  private readonly meter = new Meter();

  constructor(private readonly engine: SandboxEngine, private readonly host: Host) {}

  handle(message: ToWorker): void {
    switch (message.kind) {
      case 'start':
        break;
      case 'load':
        this.loadScene(message.load, () => {
          for (const file of message.files) this.engine.writeFile(file.path, file.content);
          return this.engine.load(message.path);
        });
        break;
      case 'play':
        this.play(message.on);
        break;
      case 'speed':
        this.speed = message.value;
        this.pace.setSpeed(message.value, this.host.now());
        this.meter.restart(this.host.now());
        break;
      case 'actions':
        this.actions = message.on;
        break;
      case 'step':
        this.play(false);
        this.make(message.count);
        this.changed = true;
        this.sendFrame();
        break;
      case 'want':
        this.wantContacts = message.contacts;
        this.changed = true;
        this.sendFrame();
        break;
      case 'record':
        this.recording = message.on ? { contacts: message.contacts } : null;
        if (message.on && this.head) this.keep();
        this.changed = true;
        this.sendFrame();
        break;
      case 'drawn':
        if (message.load !== this.load) break;
        this.awaited = false;
        if (message.spare) this.spare = message.spare;
        if (!this.seen) this.beginTime();
        this.sendFrame();
        break;
      default:
        this.act(message);
    }
  }

  private attempt(doing: Doing, run: () => void, load = this.load): boolean {
    try {
      run();
      return true;
    } catch (error) {
      this.host.post({ kind: 'failed', load, doing, message: error instanceof Error ? error.message : String(error) }, []);
      return false;
    }
  }

  private loadScene(load: number, read: () => Head): void {
    this.attempt('load', () => {
      const head = read();
      this.head = head;
      this.load = load;
      this.spring = -1;
      this.push = null;
      this.spare = null;
      this.recording = null;
      this.recorded = [];
      this.events = [];
      this.sensors.forget();
      this.pace.setStep(head.dt);
      this.host.post({ kind: 'loaded', load, head }, []);
      this.seen = false;
      this.awaited = false;
      this.changed = true;
      this.sendFrame();
    }, load);
  }

  private beginTime(): void {
    this.seen = true;
    this.pace.restart(this.host.now());
    this.meter.restart(this.host.now());
    this.tickSoon();
  }

  private play(on: boolean): void {
    if (on === this.playing) return;
    this.playing = on;
    this.pace.restart(this.host.now());
    this.meter.restart(this.host.now());
    if (!on) this.meter.stand();
    this.changed = true;
    this.tickSoon();
    this.sendFrame();
  }

  /** What happens to a body between two steps. */
  private act(message: ToWorker): void {
    if (!this.head) return;
    this.attempt('act', () => {
      switch (message.kind) {
        case 'grab':
          this.letGo();
          this.spring = this.engine.springBegin(message.body, message.anchor, message.target, message.frequency, message.dampingRatio, message.maxForce);
          break;
        case 'pull':
          if (this.spring >= 0) this.engine.springMove(this.spring, message.target);
          break;
        case 'release':
          this.letGo();
          break;
        case 'push':
          this.push = { body: message.body, anchor: message.anchor, force: message.force, steps: 0 };
          break;
        case 'pushEnd':
          this.push = null;
          break;
        case 'remove':
          this.letGo();
          if (this.push?.body === message.body) this.push = null;
          this.engine.remove(message.body);
          break;
        case 'throw': {
          const head = this.engine.addBody(message.shape, message.pose, message.density, message.friction);
          this.engine.setVelocity(head.bodies.length - 1, message.velocity, [0, 0, 0]);
          this.head = head;
          this.spare = null;
          this.host.post({ kind: 'added', load: this.load, head }, []);
          break;
        }
      }
    });
    this.changed = true;
    this.sendFrame();
  }

  private letGo(): void {
    const held = this.spring;
    this.spring = -1;
    if (held >= 0) this.engine.springEnd(held);
  }

  private tickSoon(): void {
    if (this.ticking || !this.playing || !this.seen) return;
    this.ticking = true;
    this.host.later(this.pace.wait(), () => this.tick());
  }

  private tick(): void {
    this.ticking = false;
    if (!this.playing || !this.seen) return;
    const due = this.pace.due(this.host.now());
    if (due > 0) {
      this.pace.made(this.make(due));
      this.changed = true;
    }
    this.sendFrame();
    this.tickSoon();
  }

  /** Makes steps, at most so many, until it has taken too long; after a step that failed the simulation stands. The number made. */
  private make(most: number): number {
    const begin = this.host.now();
    let made = 0, right = this.head !== null;
    while (right && made < most && (made === 0 || !this.playing || this.host.now() - begin < LONGEST_GO)) {
      right = this.attempt('step', () => {
        this.applyPush();
        this.engine.step(this.actions);
      });
      if (!right) {
        this.playing = false;
        this.meter.stand();
        break;
      }
      made++;
      this.hear();
      if (this.recording) this.keep();
    }
    this.meter.count(made, this.host.now() - begin);
    return made;
  }

  /** What happened in the last step. */
  private hear(): void {
    const heard = this.engine.events();
    for (const event of heard) this.sensors.take(event);
    this.events.push(...heard);
    if (this.events.length > 2 * MOST_EVENTS) this.events = this.events.slice(-MOST_EVENTS);
  }

  private applyPush(): void {
    const push = this.push, head = this.head;
    if (!push || !head) return;
    const poses = new Float64Array(7 * head.bodies.length);
    this.engine.copyPoses(poses);
    push.steps++;
    const share = Math.min((push.steps * head.dt) / PUSH_RISE, 1);
    this.engine.force(push.body, push.force.map((x) => share * x) as Vec3, pointOf(poses, push.body, push.anchor));
  }

  private arrays(): Arrays {
    const count = this.head?.bodies.length ?? 0;
    const arrays = this.spare?.presence.length === count
      ? this.spare
      : { poses: new Float64Array(7 * count), velocities: new Float64Array(6 * count), presence: new Uint8Array(count) };
    this.spare = null;
    this.engine.copyPoses(arrays.poses);
    this.engine.copyVelocities(arrays.velocities);
    this.engine.copyPresence(arrays.presence);
    return arrays;
  }

  /** Keep the present state for the recording. */
  private keep(): void {
    const spare = this.spare;
    this.spare = null;
    this.recorded.push(this.moment(this.recording?.contacts ?? false));
    this.spare = spare;
  }

  private moment(contacts: boolean): Moment {
    const { engine } = this;
    return {
      ...this.arrays(), step: engine.stepCount(), time: engine.time(), contacts: contacts ? engine.contacts() : null, joints: engine.joints(),
      lit: new Set(this.sensors.lit), report: engine.report(),
    };
  }

  private sendFrame(): void {
    if (!this.head || this.awaited || !this.changed) return;
    this.awaited = true;
    this.changed = false;
    const { stepsPerSecond, millisecondsPerStep } = this.meter.read(this.host.now());
    const wanted = this.speed / this.head.dt;
    const frame: FrameMessage = {
      kind: 'frame', load: this.load, playing: this.playing,
      ...this.moment(this.wantContacts),
      vertices: this.engine.vertices(),
      events: this.events.slice(-MOST_EVENTS),
      counters: {
        stepsPerSecond, millisecondsPerStep,
        capacity: millisecondsPerStep > 0 ? 1000 / millisecondsPerStep : 0,
        pace: this.playing && stepsPerSecond > 0 && wanted !== Infinity ? Math.min(stepsPerSecond / wanted, 1) : 1,
      },
      hash: this.playing ? null : this.engine.hash(),
      recorded: this.recorded,
    };
    this.recorded = [];
    this.events = [];
    // Columns of a table may share a buffer, which can be handed over once only.
    this.host.post(frame, [...new Set([frame, ...frame.recorded].flatMap(buffers))]);
  }
}

function buffers(of: Arrays & { contacts: FrameMessage['contacts'] }): ArrayBuffer[] {
  const columns = of.contacts ? Object.values(of.contacts).filter((column): column is Int32Array | Float64Array => typeof column !== 'number') : [];
  return [of.poses, of.velocities, of.presence, ...columns].map((array) => array.buffer as ArrayBuffer);
}

/** A point of a body, given in its shape's frame, in the world: p + v + 2 w (q x v) + 2 q x (q x v). */
export function pointOf(poses: ArrayLike<number>, body: number, v: ArrayLike<number>): Vec3 {
  const at = 7 * body, [x, y, z, w] = [poses[at + 3], poses[at + 4], poses[at + 5], poses[at + 6]];
  const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
  return [
    poses[at] + v[0] + w * t[0] + y * t[2] - z * t[1],
    poses[at + 1] + v[1] + w * t[1] + z * t[0] - x * t[2],
    poses[at + 2] + v[2] + w * t[2] + x * t[1] - y * t[0],
  ];
}
