/** One run in its picture: bodies, contacts and bounds of the frame that is asked for, as soon as it is at hand. */
import { Vector3 } from 'three';
import type { Frame, Run, RunEvent } from '../run/run';
import { BodyLayer, frameBounds } from '../scene/bodies';
import { BoundsLayer } from '../scene/bounds';
import { ContactLayer, middle } from '../scene/contacts';
import { JointLayer } from '../scene/joints';
import { Sensors } from '../run/sensors';
import { Stage, type Box } from '../scene/stage';
import { h } from '../ui/dom';
import { lastAt } from '../ui/player';
import { contactAt, type Picked } from './selection';

/** The times of a run's frames. */
export function frameTimes(run: Run): Float64Array {
  return Float64Array.from({ length: run.frameCount }, (_, index) => run.frameTime(index));
}

export class RunView {
  /** missing where the browser cannot draw */
  readonly stage: Stage | null = null;
  readonly bodies: BodyLayer | null = null;
  readonly contacts: ContactLayer | null = null;
  readonly bounds: BoundsLayer | null = null;
  readonly joints: JointLayer | null = null;
  /** what happened; empty until it is read */
  private sensors = new Sensors();
  /** the box around the picked body, which its colour alone does not make plain */
  private readonly mark: BoundsLayer | null = null;
  frame: Frame | null = null;
  readonly times: Float64Array;
  private wanted = 0;
  private fetching = false;
  /** the frame that was asked for last and could not be read, or -1 */
  private failed = -1;
  /** what is said as long as nothing else is */
  private lasting = '';
  /** Asked before a frame is drawn: which body, which contact of it and which joint are shown as chosen. */
  chosen: (frame: Frame) => { body: number; contact: number; joint: number } = () => ({ body: -1, contact: -1, joint: -1 });
  /** Called before a frame is drawn, for scales that depend on it. */
  prepare: (frame: Frame) => void = () => undefined;
  private readonly frameHandlers: ((frame: Frame) => void)[] = [];
  private readonly message = h('p', { class: 'message', role: 'status', hidden: true });

  /** host: where the picture goes, in its place already. */
  constructor(readonly host: HTMLElement, readonly run: Run, readonly number: number, first: Frame, later: Frame[], labelled: boolean, private readonly fail: (error: Error) => void) {
    this.times = frameTimes(run);
    try {
      const stage = new Stage(this.host, labelled ? `Scene of ${run.name}` : 'Scene', run.gravity);
      const box = sceneBox(run, first, later);
      this.stage = stage;
      this.bodies = new BodyLayer(stage, run, 3 * Math.max(box.low.distanceTo(box.high), 1e-9));
      this.contacts = new ContactLayer(stage, run);
      this.joints = new JointLayer(stage, run);
      this.bounds = new BoundsLayer(stage, run);
      this.mark = new BoundsLayer(stage, run, 'selected');
      this.mark.lines.material.depthTest = false;
      this.mark.lines.renderOrder = 5;
      stage.fit(box);
    } catch (error) {
      this.lasting = `This browser cannot draw the scene: it offers no WebGL (${(error as Error).message}). Plots and numbers work.`;
      this.say(this.lasting);
    }
    if (labelled) this.host.append(h('h2', { class: 'label' }, run.name));
    this.host.append(this.message);
    this.show(first);
  }

  /** Called with every frame that is shown. */
  onFrame(handler: (frame: Frame) => void): void {
    this.frameHandlers.push(handler);
    if (this.frame) handler(this.frame);
  }

  /** Whether what was asked for last is shown, or cannot be. */
  get isCurrent(): boolean {
    return this.frame?.index === this.wanted || this.failed === this.wanted;
  }

  /** Goes to a time. True: its frame is at hand, and redraw() shows it, once the other views have theirs; else it is shown when it comes. */
  seek(time: number): boolean {
    this.wanted = lastAt(this.times, time);
    if (this.isCurrent) return false;
    const frame = this.run.peek(this.wanted);
    if (frame) this.frame = frame;
    else if (!this.fetching) void this.fetch();
    return frame !== null;
  }

  /** Events from which follows which sensors have something in them. */
  setEvents(events: RunEvent[]): void {
    this.sensors = new Sensors(events);
    this.redraw();
  }

  /** What a click at a point of the page means: the nearest contact or joint within reach, else the body. */
  pick(x: number, y: number, reach: number): Picked | null {
    const { stage, bodies, contacts, frame } = this;
    if (!stage || !bodies || !frame) return null;
    const table = contacts?.shown.points ? frame.contacts : null, at = new Vector3();
    const contact = this.nearest(x, y, reach, table?.count ?? 0, (i) => middle(table!, i, at));
    const joint = this.nearest(x, y, contact.distance, this.run.joints?.length ?? 0, (j) => this.joints?.anchor(j) ?? null);
    if (joint.index >= 0) return { run: this.number, body: this.run.joints![joint.index].b, contact: null, joint: joint.index };
    if (contact.index >= 0) return { run: this.number, body: table!.a[contact.index], contact: contactAt(table!, contact.index) };
    const hit = bodies.meant(stage.pick(x, y, bodies.pickable)), body = hit ? bodies.bodyOf(hit) : -1;
    return body >= 0 ? { run: this.number, body, contact: null } : null;
  }

  /** The nearest of some points in the picture; the distance is the reach when none is within it. */
  private nearest(x: number, y: number, reach: number, count: number, place: (i: number) => Vector3 | null): { index: number; distance: number } {
    const found = { index: -1, distance: reach }, box = this.stage!.canvas.getBoundingClientRect();
    for (let i = 0; i < count; i++) {
      const at = place(i), p = at && this.stage!.project(at);
      const distance = p?.visible ? Math.hypot(p.x + box.left - x, p.y + box.top - y) : Infinity;
      if (distance < found.distance) Object.assign(found, { index: i, distance });
    }
    return found;
  }

  /** The centre of mass of a body that is there. */
  centre(body: number): Vector3 | null {
    const { frame } = this;
    if (!frame || body < 0 || frame.presence[body] === 0) return null;
    const [x, y, z, w] = frame.poses.subarray(7 * body + 3, 7 * body + 7), c = this.run.bodies[body].centre;
    const q = new Vector3(x, y, z), centre = new Vector3(...c);
    const t = q.clone().cross(centre).multiplyScalar(2);
    return centre.addScaledVector(t, w).add(q.cross(t)).add(new Vector3().fromArray(frame.poses, 7 * body));
  }

  /** Draws the frame anew, after what is chosen or how it is shown has changed. */
  redraw(): void {
    if (this.frame) this.show(this.frame);
  }

  private show(shown: Frame): void {
    const frame = { ...shown, lit: this.sensors.at(shown.step) };
    this.frame = frame;
    if (this.failed >= 0) this.say(this.lasting);
    this.failed = -1;
    const { body, contact, joint } = this.chosen(frame);
    if (this.bodies) this.bodies.selected = body;
    if (this.contacts) this.contacts.selected = contact;
    if (this.joints) this.joints.selected = joint;
    this.prepare(frame);
    this.bodies?.show(frame);
    this.contacts?.show(frame);
    this.joints?.show(frame);
    this.bounds?.show(frame);
    if (this.mark) {
      this.mark.only = body;
      this.mark.setShown(body >= 0 && joint < 0);
      this.mark.show(frame);
    }
    for (const handler of this.frameHandlers) handler(frame);
  }

  /** Fetches until what is wanted is there; what comes in between is shown, too, so that the picture follows. */
  private async fetch(): Promise<void> {
    this.fetching = true;
    const slow = setTimeout(() => this.host.classList.add('waiting'), 250);
    while (!this.isCurrent) {
      const { wanted } = this;
      try {
        this.show(await this.run.frame(wanted));
      } catch (error) {
        // The picture stays as it is, and time goes on: behind what is damaged there may be more.
        this.failed = wanted;
        this.say((error as Error).message);
        this.fail(error as Error);
      }
    }
    clearTimeout(slow);
    this.host.classList.remove('waiting');
    this.fetching = false;
  }

  private say(text: string): void {
    this.message.textContent = text;
    this.message.hidden = text === '';
  }
}

/** What to look at: the bodies that move, where they are now and later, and of the others what is near them. */
export function sceneBox(run: Run, first: Frame, later: Frame[]): Box {
  const whole = frameBounds(run, first);
  const moving = frameBounds(run, first, (body) => run.bodies[body].kind === 'dynamic');
  if (!whole) return { low: new Vector3(-1, -1, -1).multiplyScalar(run.size || 1), high: new Vector3(1, 1, 1).multiplyScalar(run.size || 1) };
  if (!moving) return whole;
  // Not all the way with what flies off.
  const margin = Math.max(0.6 * moving.low.distanceTo(moving.high), 1e-9), far = new Vector3().setScalar(6 * margin);
  const least = moving.low.clone().sub(far), most = moving.high.clone().add(far);
  for (const frame of later) {
    const then = frameBounds(run, frame, (body) => run.bodies[body].kind === 'dynamic');
    if (!then) continue;
    moving.low.min(then.low.max(least));
    moving.high.max(then.high.min(most));
  }
  const near = new Vector3().setScalar(margin);
  return {
    low: whole.low.max(moving.low.clone().sub(near)).min(moving.low),
    high: whole.high.min(moving.high.clone().add(near)).max(moving.high),
  };
}
