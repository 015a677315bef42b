/**
 * Steps that the sandbox keeps in memory, as a run that can be gone through and written to a file. It has room for so many bytes; when they are used up
 * it is full and takes no more: what it has stays.
 */
import { AWAKE, REMOVED, type Body, type Cast, type Frame, type Joint, type Run, type Shape, type StepTable, type Vec3 } from '../run/run';
import type { Head } from './engine';
import type { Recorded } from './protocol';

export const ROOM = 128 * 2 ** 20;

const CONTACT_BYTES = 12 * 4 + 16 * 8;

export class Recording implements Run {
  readonly complete = true;
  readonly hasVelocities = true;
  readonly name: string;
  readonly title: string;
  readonly dt: number;
  readonly gravity: Vec3;
  readonly size: number;
  bodies: Body[];
  shapes: Shape[];
  readonly joints: Joint[];
  private readonly kept: Recorded[] = [];
  private bytes = 0;

  constructor(name: string, head: Head, readonly hasContacts: boolean, private readonly room = ROOM) {
    this.name = name;
    this.title = head.title;
    this.dt = head.dt;
    this.gravity = head.gravity;
    this.size = head.size;
    this.bodies = head.bodies;
    this.shapes = head.shapes;
    this.joints = head.joints ?? [];
  }

  /** A body came in while it recorded: frames from before do not have it. */
  extend(cast: Cast): void {
    this.bodies = cast.bodies;
    this.shapes = cast.shapes;
  }

  /** Takes what it has room for; false when that was not all. */
  add(steps: Recorded[]): boolean {
    for (const step of steps) {
      const size = step.poses.byteLength + step.velocities.byteLength + step.presence.byteLength + (step.contacts?.count ?? 0) * CONTACT_BYTES +
        (step.joints ? step.joints.hold.byteLength + step.joints.cells.byteLength : 0);
      if (this.bytes + size > this.room) return false;
      this.bytes += size;
      this.kept.push(step);
    }
    return true;
  }

  get frameCount(): number {
    return this.kept.length;
  }

  get stepCount(): number {
    return this.kept.length;
  }

  /** Of the room, 0 to 1. */
  get used(): number {
    return this.bytes / this.room;
  }

  /** How long all of it lasts [simulated s], as it goes; before the first step a guess without contacts. */
  get lasts(): number {
    const each = this.kept.length > 0 ? this.bytes / this.kept.length : this.bodies.length * (13 * 8 + 1);
    return (this.room / Math.max(each, 1)) * this.dt;
  }

  frameStep(index: number): number {
    return index;
  }

  frameTime(index: number): number {
    return this.kept[index].time;
  }

  peek(index: number): Frame | null {
    const kept = this.kept[index];
    if (!kept) return null;
    const bodies = this.bodies.length;
    if (kept.presence.length < bodies) {
      // Bodies that came later are not there yet: the value 0 of a presence says so.
      const widen = <T extends Float64Array | Uint8Array>(into: T, from: T): T => (into.set(from), into);
      kept.poses = widen(new Float64Array(7 * bodies), kept.poses);
      kept.velocities = widen(new Float64Array(6 * bodies), kept.velocities);
      kept.presence = widen(new Uint8Array(bodies), kept.presence);
    }
    return {
      index, step: kept.step, time: kept.time, poses: kept.poses, presence: kept.presence, velocities: kept.velocities, contacts: kept.contacts,
      vertices: null, joints: kept.joints, lit: kept.lit,
    };
  }

  frame(index: number): Promise<Frame> {
    const frame = this.peek(index);
    return frame ? Promise.resolve(frame) : Promise.reject(new RangeError(`no frame ${index}`));
  }

  steps(): Promise<StepTable> {
    const column = (of: (step: Recorded) => number) => Float64Array.from(this.kept, of);
    return Promise.resolve(new Map([
      ['step', column((k) => k.step)],
      ['time', column((k) => k.time)],
      ['contacts', column((k) => k.report.contacts)],
      ['awake', column((k) => k.report.awake)],
      ['max_penetration', column((k) => k.report.maxPenetration)],
      ['kinetic_energy', column((k) => k.report.kineticEnergy)],
      ['potential_energy', column((k) => k.report.potentialEnergy)],
      ['spring_energy', column((k) => k.report.springEnergy)],
    ]));
  }

  /** A line for each body in each frame, with the columns of `abut export --table bodies`. */
  csv(): string[] {
    const lines = ['step,time,body,awake,x,y,z,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz\n'];
    const names = this.bodies.map((body) => (/[",\n]/.test(body.name) ? `"${body.name.replaceAll('"', '""')}"` : body.name));
    for (const { step, time, poses, velocities, presence } of this.kept) {
      let text = '';
      for (let body = 0; body < presence.length; body++) {
        if (presence[body] === REMOVED) continue;
        text += `${step},${time},${names[body]},${presence[body] === AWAKE ? 1 : 0}`;
        for (let k = 7 * body; k < 7 * body + 7; k++) text += `,${poses[k]}`;
        for (let k = 6 * body; k < 6 * body + 6; k++) text += `,${velocities[k]}`;
        text += '\n';
      }
      lines.push(text);
    }
    return lines;
  }
}
