/** A stand-in for the WebAssembly module: a floor and balls that fall on it without feeling each other, and a clock that stands still but for them. */
import { emptyContacts, type ContactTable, type RunEvent, type Vec3 } from '../../src/run/run';
import type { Head, Report, SandboxEngine } from '../../src/sandbox/engine';
import type { Host } from '../../src/sandbox/loop';
import type { FrameMessage, FromWorker } from '../../src/sandbox/protocol';

export class FakeEngine implements SandboxEngine {
  readonly files = new Map<string, string | Uint8Array>();
  readonly calls: string[] = [];
  head!: Head;
  steps = 0;
  z: number[] = [];
  v: number[] = [];
  removed = new Set<number>();
  failAt = Infinity;

  /** cost: of a step, in milliseconds of the clock */
  constructor(private readonly clock: FakeHost, readonly cost = 1) {}

  writeFile(path: string, content: string | Uint8Array): void {
    this.files.set(path, content);
  }

  /** The scene's text is the number of its balls. */
  load(path: string): Head {
    const count = Number(this.files.get(path));
    if (!Number.isInteger(count)) throw new Error(`${path}:1:1: not a number of balls`);
    this.head = {
      title: `${count} balls`, dt: 0.01, gravity: [0, 0, -10], size: 0.1,
      bodies: Array.from({ length: count + 1 }, (_, i) => ({
        name: i ? `ball_${i}` : 'floor', kind: i ? 'dynamic' : 'static', shape: i ? 1 : 0, mass: i ? 2 : 0, friction: 0.5, restitution: 0, centre: [0, 0, 0],
      })),
      shapes: [{ kind: 'plane', normal: [0, 0, 1], offset: 0 }, { kind: 'sphere', radius: 0.1 }],
    };
    this.steps = 0;
    this.z = this.head.bodies.map((_, i) => i);
    this.v = this.head.bodies.map(() => 0);
    this.removed.clear();
    return this.head;
  }

  step(actions: boolean): void {
    if (this.steps === this.failAt) throw new Error('step 7: out of breath');
    this.calls.push(actions ? 'step with actions' : 'step');
    this.clock.time += this.cost;
    this.steps++;
    for (let i = 1; i < this.z.length; i++) {
      this.v[i] -= 10 * this.head.dt;
      this.z[i] = Math.max(this.z[i] + this.v[i] * this.head.dt, 0.1);
      if (this.z[i] === 0.1) this.v[i] = 0;
    }
  }

  stepCount = () => this.steps;
  time = () => this.steps * this.head.dt;
  report = (): Report => ({ contacts: 1, awake: 1, maxPenetration: 0, kineticEnergy: 1, potentialEnergy: 2, springEnergy: 0 });
  copyPoses = (into: Float64Array) => this.z.forEach((z, i) => into.set([0, 0, z, 0, 0, 0, 1], 7 * i));
  copyVelocities = (into: Float64Array) => this.v.forEach((v, i) => into.set([0, 0, v, 0, 0, 0], 6 * i));
  copyPresence = (into: Uint8Array) => into.set(this.head.bodies.map((_, i) => (this.removed.has(i) ? 0 : i ? 2 : 1)));
  contacts = (): ContactTable => emptyContacts(3);
  vertices = () => null;
  joints = () => null;
  /** what the next steps tell */
  told: RunEvent[][] = [];
  events = (): RunEvent[] => this.told.shift() ?? [];
  hash = () => this.steps.toString(16).padStart(16, '0');

  springBegin(body: number, anchor: Vec3, target: Vec3, frequency: number, dampingRatio: number, maxForce: number): number {
    if (body === 0) throw new Error('body 0 is not dynamic');
    this.calls.push(`spring ${body} ${anchor} ${target} ${frequency} ${dampingRatio} ${maxForce}`);
    return 0;
  }

  springMove = (spring: number, target: Vec3) => void this.calls.push(`move ${spring} ${target}`);
  springEnd = (spring: number) => void this.calls.push(`end ${spring}`);
  force = (body: number, force: Vec3, point: Vec3) => void this.calls.push(`force ${body} ${force.map((x) => x.toFixed(3))} ${point.map((x) => x.toFixed(3))}`);
  remove = (body: number) => void this.removed.add(body);
  setVelocity = (body: number, velocity: Vec3) => void (this.v[body] = velocity[2]);

  addBody(shape: string, pose: number[]): Head {
    this.calls.push(`add ${shape}`);
    this.z.push(pose[2]);
    this.v.push(0);
    this.head = { ...this.head, bodies: [...this.head.bodies, { ...this.head.bodies[1], name: 'thrown' }] };
    return this.head;
  }
}

/** Time passes only when the test says so, or a step takes some. */
export class FakeHost implements Host {
  time = 1000;
  readonly messages: FromWorker[] = [];
  private timers: { at: number; run: () => void }[] = [];

  now = () => this.time;

  later(milliseconds: number, run: () => void): void {
    this.timers.push({ at: this.time + milliseconds, run });
  }

  post(message: FromWorker): void {
    this.messages.push(message);
  }

  /** Lets the clock go on to a time; each(): after every timer. */
  until(time: number, each: () => void = () => {}): void {
    for (;;) {
      this.timers.sort((a, b) => a.at - b.at);
      const next = this.timers[0];
      if (!next || next.at > time) break;
      this.timers.shift();
      this.time = Math.max(this.time, next.at);
      next.run();
      each();
      if (this.time > time) break;
    }
    this.time = Math.max(this.time, time);
  }

  frames(): FrameMessage[] {
    return this.messages.filter((message): message is FrameMessage => message.kind === 'frame');
  }
}
