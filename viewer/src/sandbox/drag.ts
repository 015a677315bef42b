/**
 * The hand: what pointer, touch and keyboard do to bodies. A press on a dynamic body picks the point under the pointer; in the mode "drag" a spring pulls
 * that point to the pointer, in the plane through it that is parallel to the screen or level with the ground, in "push" a force acts there while the press lasts, in
 * "remove" the body goes; in "throw" a ball flies from the camera to where the press was. Elsewhere the press is the camera's.
 *
 * By keyboard: a chosen body is held at its centre of mass, and the arrow keys move where it is pulled to.
 */
import { Mesh, MeshBasicMaterial, CylinderGeometry, ConeGeometry, Group, Quaternion, SphereGeometry, Vector3, Plane } from 'three';
import { REMOVED, type Cast, type Frame, type Vec3 } from '../run/run';
import type { BodyLayer } from '../scene/bodies';
import type { Stage } from '../scene/stage';
import { pointOf } from './loop';
import type { ToWorker } from './protocol';

export type Mode = 'drag' | 'push' | 'throw' | 'remove';
export const MODES: Mode[] = ['drag', 'push', 'throw', 'remove'];

export interface HandSettings {
  mode: Mode;
  /** the most that a spring pulls and what a push has, in weights of the body */
  strength: number;
  /** of the spring [1/s] */
  frequency: number;
  /** where the pointer pulls to: the plane that is parallel to the screen, or level with the ground */
  level: boolean;
  /** a push goes down, or away from the viewer */
  pushDown: boolean;
  missile: 'ball' | 'box';
}

interface Held { body: number; anchor: Vec3; target: Vector3; kind: 'spring' | 'push'; pointer: number | null; plane: Plane; force: Vector3 }

/** A rod between two points, with a ball at its end or a head: lines of one pixel are too thin to be seen. */
class Rod {
  readonly group = new Group();
  private readonly shaft: Mesh;
  private readonly ball: Mesh;
  private readonly head: Mesh;

  constructor(stage: Stage) {
    const material = new MeshBasicMaterial({ depthTest: false, transparent: true });
    this.shaft = new Mesh(new CylinderGeometry(1, 1, 1, 8), material);
    this.ball = new Mesh(new SphereGeometry(1, 16, 12), material);
    this.head = new Mesh(new ConeGeometry(1, 1, 16), material);
    for (const part of [this.shaft, this.ball, this.head]) part.renderOrder = 6;
    this.group.add(this.shaft, this.ball, this.head);
    this.group.visible = false;
    stage.world.add(this.group);
    stage.onTheme((palette) => material.color.copy(palette.selected));
  }

  /** arrow: the head is at the end; else a ball is. */
  place(from: Vector3, to: Vector3, radius: number, arrow: boolean): void {
    const along = to.clone().sub(from), length = along.length();
    const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), length > 0 ? along.clone().divideScalar(length) : new Vector3(0, 1, 0));
    this.shaft.position.copy(from).add(to).multiplyScalar(0.5);
    this.shaft.quaternion.copy(turn);
    this.shaft.scale.set(radius, Math.max(length, 1e-9), radius);
    this.ball.visible = !arrow;
    this.ball.position.copy(to);
    this.ball.scale.setScalar(2.4 * radius);
    this.head.visible = arrow;
    this.head.position.copy(to);
    this.head.quaternion.copy(turn);
    this.head.scale.set(3 * radius, 7 * radius, 3 * radius);
    this.group.visible = true;
  }
}

export class Hand {
  readonly settings: HandSettings = { mode: 'drag', strength: 20, frequency: 5, level: false, pushDown: true, missile: 'ball' };
  /** the force that the spring or the push has now [N], 0 when nothing is held */
  force = 0;
  private held: Held | null = null;
  private cast: Cast | null = null;
  private bodies: BodyLayer | null = null;
  private frame: Frame | null = null;
  private rod: Rod;
  private press: { x: number; y: number; pointer: number } | null = null;
  private queued: Vector3 | null = null;

  constructor(
    private readonly stage: Stage,
    private readonly send: (message: ToWorker) => void,
    /** -1: nothing is chosen */
    private readonly choose: (body: number) => void,
    private readonly touched: () => void,
    /** false: what is drawn is not what would be taken */
    private readonly isFree: () => boolean,
  ) {
    this.rod = new Rod(stage);
    const canvas = stage.canvas;
    // Before the camera's own listeners.
    canvas.addEventListener('pointerdown', (event) => this.down(event), { capture: true });
    canvas.addEventListener('pointermove', (event) => this.move(event), { capture: true });
    canvas.addEventListener('pointerup', (event) => this.up(event), { capture: true });
    canvas.addEventListener('pointercancel', (event) => this.up(event), { capture: true });
    canvas.addEventListener('wheel', (event) => this.wheel(event), { capture: true, passive: false });
    canvas.addEventListener('keydown', (event) => this.key(event), { capture: true });
    canvas.addEventListener('blur', () => this.letGo());
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  }

  /** Another scene, or another body in it. Of another scene nothing can be taken until a frame of it was shown. */
  setScene(cast: Cast, bodies: BodyLayer, fresh: boolean): void {
    this.cast = cast;
    this.bodies = bodies;
    if (!fresh) return;
    this.frame = null;
    this.forget();
  }

  get holding(): number {
    return this.held?.body ?? -1;
  }

  /** The frame that is drawn: the rod follows it. */
  show(frame: Frame): void {
    this.frame = frame;
    if (this.held && frame.presence[this.held.body] === REMOVED) this.letGo();
    this.drawRod();
  }

  /** Takes hold of a body's centre of mass, for the keyboard. */
  hold(body: number): void {
    if (!this.cast || !this.frame || !this.canTake(body)) return;
    this.letGo();
    const anchor = this.cast.bodies[body].centre;
    const at = new Vector3(...pointOf(this.frame.poses, body, anchor));
    this.take(body, anchor, at, null);
  }

  letGo(): void {
    if (!this.held) return;
    this.sendPull();
    this.send({ kind: this.held.kind === 'spring' ? 'release' : 'pushEnd' });
    this.forget();
  }

  remove(body: number): void {
    if (!this.canTake(body)) return;
    if (this.held?.body === body) this.letGo();
    this.send({ kind: 'remove', body });
    this.choose(-1);
    this.touched();
  }

  private forget(): void {
    this.held = null;
    this.queued = null;
    this.force = 0;
    this.rod.group.visible = false;
    this.stage.controls.enabled = true;
    this.stage.canvas.classList.remove('holding');
    this.stage.invalidate();
  }

  private canTake(body: number): boolean {
    return body >= 0 && this.frame !== null && this.isFree() && this.cast?.bodies[body]?.kind === 'dynamic' && this.frame.presence[body] !== REMOVED;
  }

  private weight(body: number): number {
    const g = this.cast ? Math.hypot(...this.cast.gravity) : 0;
    return (this.cast?.bodies[body].mass ?? 0) * (g || 9.81);
  }

  private take(body: number, anchor: Vec3, at: Vector3, pointer: number | null): void {
    const { strength, frequency } = this.settings;
    const view = this.stage.camera.getWorldDirection(new Vector3());
    // Seen along the ground a level plane is a line, in which nothing can be aimed at.
    const level = this.settings.level && pointer !== null && Math.abs(view.z) > 0.15;
    const normal = this.toScene(level ? new Vector3(0, 0, -1) : view);
    this.held = {
      body, anchor, target: at.clone(), kind: 'spring', pointer, plane: new Plane().setFromNormalAndCoplanarPoint(normal, at), force: new Vector3(),
    };
    this.send({ kind: 'grab', body, anchor, target: at.toArray(), frequency, dampingRatio: 1, maxForce: strength * this.weight(body) });
    this.begin(pointer);
  }

  private pushAt(body: number, anchor: Vec3, at: Vector3, pointer: number): void {
    const away = this.toScene(this.stage.camera.getWorldDirection(new Vector3()));
    const g = new Vector3(...(this.cast?.gravity ?? [0, 0, -1]));
    const direction = this.settings.pushDown && g.lengthSq() > 0 ? g.normalize() : away;
    const force = direction.multiplyScalar(this.settings.strength * this.weight(body));
    this.held = { body, anchor, target: at.clone(), kind: 'push', pointer, plane: new Plane(), force };
    this.send({ kind: 'push', body, anchor, force: force.toArray() });
    this.begin(pointer);
  }

  private begin(pointer: number | null): void {
    if (pointer !== null) this.stage.controls.enabled = false;
    this.stage.canvas.classList.add('holding');
    this.drawRod();
    this.touched();
  }

  private down(event: PointerEvent): void {
    this.stage.canvas.focus({ preventScroll: true });
    if (event.button !== 0 || !event.isPrimary || !this.bodies || !this.frame || !this.isFree()) return;
    const mode: Mode = event.shiftKey ? 'push' : this.settings.mode;
    this.press = { x: event.clientX, y: event.clientY, pointer: event.pointerId };
    if (mode === 'throw') return; // a press that does not move throws; one that does is the camera's
    const hit = this.bodies.meant(this.stage.pick(event.clientX, event.clientY, this.bodies.pickable));
    const body = hit ? this.bodies.bodyOf(hit) : -1;
    if (!hit || !this.canTake(body)) return;
    if (mode === 'remove') {
      // The press ends here: the camera does not take it.
      event.stopImmediatePropagation();
      this.press = null;
      this.remove(body);
      return;
    }
    const at = this.stage.world.worldToLocal(hit.point.clone());
    const anchor = this.anchorOf(body, at);
    this.choose(body);
    event.stopImmediatePropagation();
    event.preventDefault();
    this.stage.canvas.setPointerCapture(event.pointerId);
    this.letGo();
    if (mode === 'push') this.pushAt(body, anchor, at, event.pointerId);
    else this.take(body, anchor, at, event.pointerId);
  }

  private anchorOf(body: number, at: Vector3): Vec3 {
    const p = this.frame!.poses, i = 7 * body;
    const turn = new Quaternion(p[i + 3], p[i + 4], p[i + 5], p[i + 6]).invert();
    return at.clone().sub(new Vector3(p[i], p[i + 1], p[i + 2])).applyQuaternion(turn).toArray();
  }

  private move(event: PointerEvent): void {
    const held = this.held;
    if (!held || held.pointer !== event.pointerId) return;
    event.stopImmediatePropagation();
    if (held.kind !== 'spring') return;
    const ray = this.stage.ray(event.clientX, event.clientY).ray.clone().applyMatrix4(this.stage.world.matrixWorld.clone().invert());
    const target = ray.intersectPlane(held.plane, new Vector3());
    // Near the horizon a level plane is met far away.
    const reach = 3 * this.stage.camera.position.distanceTo(this.stage.controls.target);
    if (target && target.distanceTo(ray.origin) < reach) this.pull(target);
  }

  private pull(target: Vector3): void {
    if (!this.held) return;
    this.held.target.copy(target);
    this.drawRod();
    // One message for each picture is enough.
    if (!this.queued) requestAnimationFrame(() => this.sendPull());
    this.queued = target.clone();
  }

  private sendPull(): void {
    if (this.queued) this.send({ kind: 'pull', target: this.queued.toArray() });
    this.queued = null;
  }

  private up(event: PointerEvent): void {
    if (this.held?.pointer === event.pointerId) {
      event.stopImmediatePropagation();
      this.letGo();
    } else if (this.press?.pointer === event.pointerId && event.type === 'pointerup' && event.button === 0) {
      const still = Math.hypot(event.clientX - this.press.x, event.clientY - this.press.y) < 5;
      if (still && !event.shiftKey && this.settings.mode === 'throw') this.throwAt(event.clientX, event.clientY);
      else if (still && this.bodies) this.choose(this.firstBody(event.clientX, event.clientY));
    }
    this.press = null;
  }

  private firstBody(x: number, y: number): number {
    const hit = this.bodies?.meant(this.stage.pick(x, y, this.bodies.pickable));
    return hit && this.bodies ? this.bodies.bodyOf(hit) : -1;
  }

  private wheel(event: WheelEvent): void {
    if (this.held?.kind !== 'spring') return;
    event.preventDefault();
    event.stopImmediatePropagation();
    // Away from the viewer, or down, for a wheel that is turned forth.
    const distance = this.stage.camera.position.distanceTo(this.stage.world.localToWorld(this.held.target.clone()));
    this.shift(this.held.plane.normal.clone().multiplyScalar(-Math.sign(event.deltaY) * 0.04 * distance));
  }

  private shift(by: Vector3): void {
    const held = this.held;
    if (!held) return;
    held.plane.translate(by);
    this.pull(held.target.clone().add(by));
  }

  /** A ball or a box from the camera to what lies under the point, so fast that it is there in half a second. */
  private throwAt(x: number, y: number): void {
    if (!this.cast || !this.bodies || !this.isFree()) return;
    const { ray } = this.stage.ray(x, y);
    const hit = this.stage.pick(x, y, this.bodies.pickable)[0];
    const goal = hit ? hit.point : this.stage.controls.target;
    const distance = Math.max(goal.distanceTo(this.stage.camera.position), this.cast.size);
    const from = this.stage.camera.position.clone().addScaledVector(ray.direction, 0.35 * distance);
    const flight = 0.5, way = goal.clone().sub(from);
    const g = new Vector3(...this.cast.gravity);
    const velocity = this.toScene(way.divideScalar(flight)).addScaledVector(g, -flight / 2);
    const at = this.stage.world.worldToLocal(from);
    const size = 0.9 * this.cast.size, short = (value: number) => String(Number(value.toPrecision(6)));
    const shape = this.settings.missile === 'ball' ? `sphere:${short(size)}` : `box:${[1, 1, 1].map((k) => short(0.8 * k * size)).join(',')}`;
    const friction = 0.5, density = 1000;
    this.send({ kind: 'throw', shape, pose: [...at.toArray(), 0, 0, 0, 1], velocity: velocity.toArray(), density, friction });
    this.touched();
  }

  /** A direction of the page's world in the scene's own frame. */
  private toScene(direction: Vector3): Vector3 {
    return direction.clone().applyQuaternion(this.stage.world.quaternion.clone().invert());
  }

  private key(event: KeyboardEvent): void {
    const held = this.held;
    if (!held || held.pointer !== null || event.ctrlKey || event.metaKey || event.altKey) return;
    const camera = this.stage.camera, size = this.cast?.size ?? 1;
    const axis = (v: Vector3) => this.toScene(v.applyQuaternion(camera.quaternion)).multiplyScalar(0.3 * size);
    const steps: Record<string, () => Vector3> = {
      ArrowLeft: () => axis(new Vector3(-1, 0, 0)),
      ArrowRight: () => axis(new Vector3(1, 0, 0)),
      ArrowUp: () => axis(new Vector3(0, 1, 0)),
      ArrowDown: () => axis(new Vector3(0, -1, 0)),
      PageUp: () => axis(new Vector3(0, 0, -1)),
      PageDown: () => axis(new Vector3(0, 0, 1)),
    };
    if (event.key === 'Escape' || event.key === 'Enter') this.letGo();
    else if (steps[event.key]) this.shift(steps[event.key]());
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  private drawRod(): void {
    const held = this.held, frame = this.frame, cast = this.cast;
    if (!held || !frame || !cast) return;
    const at = new Vector3(...pointOf(frame.poses, held.body, held.anchor));
    const distance = this.stage.camera.position.distanceTo(this.stage.world.localToWorld(at.clone()));
    const radius = 0.0022 * distance;
    if (held.kind === 'spring') {
      this.rod.place(at, held.target, radius, false);
      const stiffness = cast.bodies[held.body].mass * (2 * Math.PI * this.settings.frequency) ** 2;
      this.force = Math.min(stiffness * at.distanceTo(held.target), this.settings.strength * this.weight(held.body));
    } else {
      const way = held.force.clone().normalize().multiplyScalar(0.1 * distance);
      this.rod.place(at.clone().sub(way), at, radius, true);
      this.force = held.force.length();
    }
    this.stage.invalidate();
  }
}
