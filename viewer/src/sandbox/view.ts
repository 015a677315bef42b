/** What is drawn: the bodies, contacts and bounds of whatever is shown, be it the simulation or a recording of it, under one camera. */
import { Vector3 } from 'three';
import type { Cast, ContactTable, Frame } from '../run/run';
import { BodyLayer, type Colouring } from '../scene/bodies';
import { BoundsLayer } from '../scene/bounds';
import { ContactLayer, type ContactLayerName } from '../scene/contacts';
import { JointLayer } from '../scene/joints';
import { shapeRadius } from '../scene/geometry';
import { Stage } from '../scene/stage';

export interface Layers {
  contacts: Record<ContactLayerName, boolean>;
  joints: boolean;
  bounds: boolean;
  edges: boolean;
  colouring: Colouring;
  opacity: number;
}

/** How a scene is looked at first. */
export interface Sight {
  /** from where, seen from its middle */
  from?: [number, number, number];
  /** all of it, not only what moves */
  whole?: boolean;
}

const FRONT: [number, number, number] = [0.55, -1, 0.45];
const NO_CONTACTS: ContactTable | null = null;

export class View {
  readonly stage: Stage;
  bodies: BodyLayer | null = null;
  frame: Frame | null = null;
  cast: Cast | null = null;
  readonly layers: Layers = {
    contacts: { points: false, normals: false, forces: false, friction: false, patches: false, voiding: false },
    joints: true, bounds: false, edges: true, colouring: 'body', opacity: 1,
  };
  private contacts: ContactLayer | null = null;
  private joints: JointLayer | null = null;
  private bounds: BoundsLayer | null = null;
  private selected = -1;
  /** of bodies that deform, as they are now */
  private readonly vertices = new Map<number, Float32Array>();
  private sight: Sight = {};

  constructor(host: HTMLElement) {
    this.stage = new Stage(host, 'Simulated bodies');
  }

  /** Other bodies. fresh: another scene, at which the camera looks anew when its first frame comes. */
  setCast(cast: Cast, fresh: boolean, sight: Sight = {}): void {
    this.bodies?.dispose();
    this.contacts?.dispose();
    this.joints?.dispose();
    this.bounds?.dispose();
    this.cast = cast;
    if (fresh) {
      this.stage.setGravity(cast.gravity);
      this.frame = null;
      this.selected = -1;
      this.sight = sight;
    }
    this.bodies = new BodyLayer(this.stage, cast, reachOf(cast));
    this.contacts = new ContactLayer(this.stage, cast);
    const joint = fresh ? -1 : (this.joints?.selected ?? -1);
    this.joints = new JointLayer(this.stage, cast);
    this.joints.selected = joint;
    this.bounds = new BoundsLayer(this.stage, cast);
    this.bodies.selected = this.selected;
    this.applyLayers();
  }

  /** Of bodies that deform: the worker says them when they change, and not every frame is drawn. */
  keepVertices(changed: Map<number, Float32Array> | null): void {
    changed?.forEach((vertices, body) => this.vertices.set(body, vertices));
  }

  forgetVertices(): void {
    this.vertices.clear();
  }

  show(shown: Frame): void {
    const first = this.frame === null, frame = { ...shown, vertices: this.vertices };
    this.frame = frame;
    if (!this.bodies || !this.contacts || !this.bounds) return;
    this.bodies.show(frame);
    if (this.contactsShown()) this.contacts.show(frame);
    this.joints?.show(frame);
    this.bounds.show(frame);
    if (first) this.look();
  }

  choose(body: number): void {
    this.selected = body;
    if (!this.bodies) return;
    this.bodies.selected = body;
    this.bodies.paint();
  }

  /** The joint that is shown as chosen; -1 for none. */
  chooseJoint(joint: number): void {
    if (!this.joints || this.joints.selected === joint) return;
    this.joints.selected = joint;
    this.joints.redraw();
  }

  /** Whether contacts are needed for what is drawn. */
  needsContacts(): boolean {
    return this.contactsShown() || this.layers.colouring === 'penetration';
  }

  /** After `layers` has changed. */
  applyLayers(): void {
    if (!this.bodies || !this.contacts || !this.bounds) return;
    Object.assign(this.contacts.shown, this.layers.contacts);
    this.bodies.colouring = this.layers.colouring;
    this.bodies.setOpacity(this.layers.opacity);
    this.bodies.setEdges(this.layers.edges);
    this.bounds.setShown(this.layers.bounds);
    if (this.joints) this.joints.shown = this.layers.joints;
    if (this.frame) {
      this.bodies.show(this.frame);
      this.joints?.show(this.frame);
      this.contacts.show(this.contactsShown() ? this.frame : { ...this.frame, contacts: NO_CONTACTS });
      this.bounds.show(this.frame);
    }
  }

  /** Usually from the front, a little to the right and above: the bodies that move, and some of what they stand on. */
  look(): void {
    if (!this.bodies || !this.cast || !this.frame) return;
    const { cast } = this;
    const moving = this.bodies.bounds(this.frame, (body) => cast.bodies[body].kind === 'dynamic'), all = this.bodies.bounds(this.frame);
    if (!all) return;
    const size = (box: { low: Vector3; high: Vector3 }) => box.high.distanceTo(box.low);
    const box = moving && !this.sight.whole && size(moving) > 0.25 * size(all) ? moving : all;
    const floor = this.floor();
    // What begins in the air falls, and should be seen where it lands, unless something else is there to catch it.
    const caught = cast.bodies.some((body) => body.kind !== 'dynamic' && cast.shapes[body.shape].kind !== 'plane');
    if (!caught && floor < box.low.z && box.low.z - floor < 4 * size(box)) box.low.z = floor;
    const from = new Vector3(...(this.sight.from ?? FRONT));
    this.stage.fit(box, from);
  }

  /** How high the highest level plane lies; -Infinity where there is none, or gravity does not point down. */
  private floor(): number {
    const { cast, frame } = this;
    if (!cast || !frame || cast.gravity[2] >= 0 || cast.gravity[0] !== 0 || cast.gravity[1] !== 0) return -Infinity;
    return Math.max(-Infinity, ...cast.bodies.flatMap((body, index) => {
      const shape = cast.shapes[body.shape];
      return shape.kind === 'plane' && shape.normal?.[2] === 1 ? [(shape.offset ?? 0) + frame.poses[7 * index + 2]] : [];
    }));
  }

  private contactsShown(): boolean {
    return Object.values(this.layers.contacts).some((shown) => shown);
  }
}

/** Half the size of the squares that stand for planes: several times the size of everything else. */
function reachOf(cast: Cast): number {
  const radii = cast.bodies.map((body) => shapeRadius(cast.shapes, body.shape)).sort((a, b) => a - b);
  const largest = radii.at(-1) ?? 1, count = radii.filter((radius) => radius > 0).length;
  return Math.max(6 * largest, 3 * cast.size * Math.sqrt(count), 10 * cast.size);
}
