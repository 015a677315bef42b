/**
 * Joints in the scene graph: hinges as axes with the sector of their limits, sliders as rails, balls as points with their cone, distances as lines, wheels
 * with axle and suspension, gears as rings of ticks. What broke is a cross at either end. All of it is drawn over the bodies.
 */
import { Color, Group, Quaternion, Vector3 } from 'three';
import { JOINT_BROKEN, JOINT_CELLS, JOINT_GONE, type Cast, type Frame, type Joint } from '../run/run';
import { shapeRadius } from './geometry';
import type { Stage } from './stage';
import { perpendicular, Strokes } from './strokes';
import { takeOut } from './takeout';

/** A frame of a joint in the world. */
interface Axes { o: Vector3; x: Vector3; y: Vector3; z: Vector3 }

/** What a drawing of one joint needs. */
interface Drawn { joint: Joint; a: Axes; b: Axes; size: number; at: number; colour: Color }

const TURN = 2 * Math.PI, ARC = 48, TEETH = 12;

export class JointLayer {
  readonly group = new Group();
  shown = true;
  /** arrows for the forces on body b; that of the chosen joint is always there */
  forces = false;
  /** the joint that is shown as chosen, or -1 */
  selected = -1;
  private readonly lines = new Strokes(false, 1);
  private readonly areas = new Strokes(true, 0.3);
  private readonly marks = new Strokes(true, 0.95);
  private readonly sizes: number[];
  /** of the rods of the joint that is being drawn */
  private thick = 0;
  private frame: Frame | null = null;
  private readonly forgetTheme: () => void;

  constructor(private readonly stage: Stage, private readonly cast: Cast) {
    const radius = (body: number) => shapeRadius(cast.shapes, cast.bodies[body].shape) || Infinity;
    this.sizes = (cast.joints ?? []).map(({ a, b }) => Math.min(Math.max(Math.min(radius(a), radius(b)), 0.4 * cast.size), 1.5 * cast.size));
    this.group.add(this.areas.object, this.lines.object, this.marks.object);
    stage.world.add(this.group);
    this.forgetTheme = stage.onTheme(() => this.redraw());
  }

  dispose(): void {
    this.forgetTheme();
    takeOut(this.group);
  }

  show(frame: Frame): void {
    this.frame = frame;
    this.redraw();
  }

  /** Draws anew, after `shown`, `forces` or `selected` has changed. */
  redraw(): void {
    const all = [this.lines, this.areas, this.marks], table = this.frame?.joints;
    for (const strokes of all) strokes.clear();
    if (this.frame && table) (this.cast.joints ?? []).forEach((joint, j) => this.draw(joint, j, this.frame!));
    for (const strokes of all) strokes.finish();
    this.stage.invalidate();
  }

  /** Where a joint is picked: at the origin of frame b, or half-way along a distance; null for one that is not drawn. */
  anchor(j: number): Vector3 | null {
    const { frame, cast } = this, joint = cast.joints?.[j];
    if (!this.shown || !joint || !frame?.joints || frame.joints.hold[j] === JOINT_GONE) return null;
    const b = axesOf(frame, joint.b, joint.frame_b).o;
    return joint.kind === 'distance' ? b.lerp(axesOf(frame, joint.a, joint.frame_a).o, 0.5) : b;
  }

  private draw(joint: Joint, j: number, frame: Frame): void {
    const table = frame.joints!, { palette } = this.stage, chosen = j === this.selected;
    if (table.hold[j] === JOINT_GONE || (!this.shown && !chosen)) return;
    const a = axesOf(frame, joint.a, joint.frame_a), b = axesOf(frame, joint.b, joint.frame_b);
    const size = this.sizes[j], colour = chosen ? palette.selected : palette.joint;
    this.thick = 0.02 * size;
    if (table.hold[j] === JOINT_BROKEN) {
      for (const end of [a.o, b.o]) this.cross(end, 0.3 * size, chosen ? palette.selected : palette.voided);
      return;
    }
    this[joint.kind]({ joint, a, b, size, at: table.cells[JOINT_CELLS * j], colour });
    if (this.forces || chosen) this.force(j, b.o);
  }

  // ---- kinds

  private weld({ a, b, size, colour }: Drawn): void {
    for (const way of [b.x, b.y, b.z]) this.along(b.o, way, 0.3 * size, colour);
    this.mark(a.o, 0.14 * size, colour);
  }

  private spherical({ joint, a, b, size, colour }: Drawn): void {
    this.mark(b.o, 0.2 * size, colour);
    if (joint.upper === null) return;
    const angle = Math.min(joint.upper, Math.PI), { patch } = this.stage.palette;
    this.line(b.o, b.o.clone().addScaledVector(b.z, size), colour);
    this.arc(a.o.clone().addScaledVector(a.z, size * Math.cos(angle)), a.x, a.y, size * Math.sin(angle), 0, TURN, patch, a.o);
  }

  private revolute({ joint, a, b, size, at, colour }: Drawn): void {
    this.along(a.o, a.z, size, colour);
    this.mark(a.o, 0.14 * size, colour);
    const { lower, upper } = joint;
    if (lower === null && upper === null) this.arc(a.o, a.x, a.y, 0.5 * size, 0, TURN, colour);
    else this.limits(a, 0.9 * size, lower ?? (upper ?? 0) - TURN, upper ?? (lower ?? 0) + TURN);
    this.line(b.o, spoke(a, at, 0.9 * size), colour);
  }

  private prismatic({ joint, a, b, size, at, colour }: Drawn): void {
    this.rail(a, a.z, a.x, at, joint, size, colour);
    this.mark(b.o, 0.18 * size, colour);
  }

  private universal({ a, b, size, colour }: Drawn): void {
    this.along(a.o, a.z, size, colour);
    this.along(b.o, b.x, size, colour);
    this.mark(b.o, 0.14 * size, colour);
  }

  private distance({ joint, a, b, size, at, colour }: Drawn): void {
    if (joint.stiffness > 0) this.spring(a.o, b.o, 0.15 * size, colour);
    else this.dashed(a.o, b.o, joint.upper !== null && joint.motor === 'off' && at < joint.upper * (1 - 1e-6) ? 0.25 * size : 0, colour);
    for (const end of [a.o, b.o]) this.mark(end, 0.12 * size, colour);
  }

  private wheel({ joint, a, b, size, at, colour }: Drawn): void {
    this.rail(a, a.x, a.z, at, joint, 0.6 * size, colour);
    this.along(b.o, a.z, size, colour);
    this.arc(b.o, b.x, b.y, 0.6 * size, 0, TURN, colour);
    this.line(b.o, b.o.clone().addScaledVector(b.x, 0.6 * size), colour);
    this.mark(b.o, 0.14 * size, colour);
  }

  /** Rings about the centres of both bodies, whose radii would roll on each other. A gear has to do with directions alone. */
  private gear({ joint, a, b, size, colour }: Drawn): void {
    for (const [axes, body] of [[a, joint.a], [b, joint.b]] as const) axes.o = pointOf(this.frame!, body, this.cast.bodies[body].centre);
    const share = Math.min(Math.max(1 / Math.abs(joint.ratio), 0.25), 4), both = Math.sqrt(share);
    for (const [frame, radius] of [[a, size * both], [b, size / both]] as const) {
      this.arc(frame.o, frame.x, frame.y, 0.6 * radius, 0, TURN, colour);
      for (let k = 0; k < TEETH; k++) this.line(spoke(frame, (TURN * k) / TEETH, 0.6 * radius), spoke(frame, (TURN * k) / TEETH, 0.72 * radius), colour);
      this.line(frame.o, spoke(frame, 0, 0.6 * radius), colour);
    }
    this.dashed(a.o, b.o, 0.3 * size, colour);
  }

  // ---- parts

  /** A line, and a rod around it, which can be seen from near by, too. */
  private line(from: Vector3, to: Vector3, colour: Color): void {
    this.lines.line(from, to, colour);
    const way = to.clone().sub(from), side = perpendicular(way, new Vector3()).setLength(this.thick), other = way.normalize().cross(side);
    const at = (o: Vector3, k: number) => spoke({ o, x: side, y: other, z: way }, (TURN * k) / 3, 1);
    for (let k = 0; k < 3; k++) {
      const [p, q, r, s] = [at(from, k), at(from, k + 1), at(to, k + 1), at(to, k)];
      for (const corner of [p, q, r, p, r, s]) this.marks.point(corner.x, corner.y, corner.z, colour);
    }
  }

  /** From -length to length along a direction. */
  private along(o: Vector3, way: Vector3, length: number, colour: Color): void {
    this.line(o.clone().addScaledVector(way, -length), o.clone().addScaledVector(way, length), colour);
  }

  /** A line along `way`, with ticks at the limits; without them it ends somewhat behind the place. */
  private rail({ o }: Axes, way: Vector3, across: Vector3, at: number, { lower, upper }: Joint, size: number, colour: Color): void {
    const from = lower ?? Math.min(at, 0) - 2 * size, to = upper ?? Math.max(at, 0) + 2 * size;
    this.line(o.clone().addScaledVector(way, from), o.clone().addScaledVector(way, to), colour);
    for (const end of [lower, upper]) if (end !== null) this.along(o.clone().addScaledVector(way, end), across, 0.4 * size, this.stage.palette.patch);
  }

  /** The sector between two angles. */
  private limits(frame: Axes, radius: number, lower: number, upper: number): void {
    const { patch } = this.stage.palette;
    this.arc(frame.o, frame.x, frame.y, radius, lower, Math.min(upper, lower + TURN), patch, frame.o);
    if (upper - lower < TURN) for (const angle of [lower, upper]) this.line(frame.o, spoke(frame, angle, radius), patch);
  }

  /** An arc; with a tip, the area between. */
  private arc(o: Vector3, x: Vector3, y: Vector3, radius: number, from: number, to: number, colour: Color, tip?: Vector3): void {
    const steps = Math.max(Math.ceil((ARC * (to - from)) / TURN), 2), ring = { o, x, y, z: x };
    for (let k = 0; k < steps; k++) {
      const p = spoke(ring, from + ((to - from) * k) / steps, radius), q = spoke(ring, from + ((to - from) * (k + 1)) / steps, radius);
      this.line(p, q, colour);
      if (tip) for (const corner of [tip, p, q]) this.areas.point(corner.x, corner.y, corner.z, colour);
    }
  }

  /** gap: of the dashes; 0 for a whole line. */
  private dashed(from: Vector3, to: Vector3, gap: number, colour: Color): void {
    const pieces = gap > 0 ? Math.min(Math.max(2 * Math.round(from.distanceTo(to) / gap / 2) + 1, 3), 101) : 1;
    for (let k = 0; k < pieces; k += 2) this.line(from.clone().lerp(to, k / pieces), from.clone().lerp(to, (k + 1) / pieces), colour);
  }

  private spring(from: Vector3, to: Vector3, radius: number, colour: Color): void {
    const turns = 16, side = perpendicular(to.clone().sub(from), new Vector3()).normalize();
    let last = from;
    for (let k = 1; k <= turns; k++) {
      const next = from.clone().lerp(to, k / turns).addScaledVector(side, k === turns ? 0 : k % 2 ? radius : -radius);
      this.line(last, next, colour);
      last = next;
    }
  }

  /** A small octahedron. */
  private mark(o: Vector3, radius: number, colour: Color): void {
    const tip = (k: number, sign: number) => o.clone().setComponent(k, o.getComponent(k) + sign * radius);
    for (let corner = 0; corner < 8; corner++) {
      for (let k = 0; k < 3; k++) {
        const p = tip(k, corner & (1 << k) ? 1 : -1);
        this.marks.point(p.x, p.y, p.z, colour);
      }
    }
  }

  private cross(at: Vector3, arm: number, colour: Color): void {
    for (const [x, y, z] of [[1, 1, 1], [1, -1, 1], [-1, 1, 1], [-1, -1, 1]]) this.along(at, new Vector3(x, y, z).normalize(), arm, colour);
  }

  private force(j: number, from: Vector3): void {
    const { cells } = this.frame!.joints!, f = new Vector3().fromArray(cells, JOINT_CELLS * j + 2);
    let most = this.forces ? 0 : f.length();
    for (let at = 2; this.forces && at < cells.length; at += JOINT_CELLS) most = Math.max(most, Math.hypot(cells[at], cells[at + 1], cells[at + 2]) || 0);
    if (!(f.lengthSq() > 0)) return;
    f.multiplyScalar((3 * this.cast.size) / most);
    this.lines.arrow(from, from.clone().add(f), perpendicular(f, new Vector3()), this.stage.palette.force);
  }
}

/** A point at an angle about the z axis, from x on. */
function spoke({ o, x, y }: Axes, angle: number, radius: number): Vector3 {
  return o.clone().addScaledVector(x, radius * Math.cos(angle)).addScaledVector(y, radius * Math.sin(angle));
}

/** A point of a body, in the frame of its shape, in the world. */
function pointOf({ poses }: Frame, body: number, own: number[]): Vector3 {
  return new Vector3().fromArray(own).applyQuaternion(new Quaternion().fromArray(poses, 7 * body + 3)).add(new Vector3().fromArray(poses, 7 * body));
}

function axesOf(frame: Frame, body: number, own: number[]): Axes {
  const o = pointOf(frame, body, own), turn = new Quaternion().fromArray(frame.poses, 7 * body + 3).multiply(new Quaternion().fromArray(own, 3));
  const way = (x: number, y: number, z: number) => new Vector3(x, y, z).applyQuaternion(turn);
  return { o, x: way(1, 0, 0), y: way(0, 1, 0), z: way(0, 0, 1) };
}
