/** Two shapes (or one and several meshes) and their contacts in the scene graph. */
import { Quaternion, Vector3 } from 'three';
import { ASLEEP, type Body, type Cast, type Frame, type Shape } from '../run/run';
import { BodyLayer } from '../scene/bodies';
import { BoundsLayer } from '../scene/bounds';
import { ContactLayer, middle } from '../scene/contacts';
import { shapeBounds } from '../scene/geometry';
import type { Box, Stage } from '../scene/stage';
import { GrowthLayer } from './ghosts';
import { contactTable, poseNumbers, type CollideAnswer, type Drawn } from './question';
import type { CollideState, Layers, Pose } from './state';

/** The pose of a shape's own frame: the question's, and behind it what the argument says (at=…). */
function placed(pose: Pose, placement: number[] | null): number[] {
  const outer = poseNumbers(pose);
  if (!placement) return outer;
  const turn = new Quaternion(...outer.slice(3) as [number, number, number, number]);
  const point = new Vector3(...placement.slice(0, 3) as [number, number, number]).applyQuaternion(turn).add(new Vector3(...outer.slice(0, 3) as [number, number, number]));
  const both = turn.multiply(new Quaternion(...placement.slice(3) as [number, number, number, number]));
  return [...point.toArray(), ...both.toArray()];
}

/** Half the longest side of the least box about a shape; 0 for a plane. */
export function halfSize({ shapes, root }: Drawn): number {
  const box = shapeBounds(shapes, root, [0, 0, 0, 0, 0, 0, 1]);
  const size = Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]) / 2;
  return Number.isFinite(size) ? size : 0;
}

export class CollideScene {
  readonly size: number;
  readonly contacts: ContactLayer;
  readonly bodies: BodyLayer;
  private readonly cast: Cast;
  private readonly bounds: BoundsLayer;
  private readonly growth: GrowthLayer | null;
  private readonly forget: () => void;
  private frame: Frame | null = null;

  /** drawn: A, then B, or the meshes that are B. */
  constructor(private readonly stage: Stage, private readonly drawn: Drawn[]) {
    const shapes: Shape[] = [], bodies: Body[] = [];
    drawn.forEach(({ shapes: own, root }, i) => {
      const first = shapes.length;
      shapes.push(...own.map((shape) => (shape.parts ? { ...shape, parts: shape.parts.map((part) => ({ ...part, shape: part.shape + first })) } : shape)));
      bodies.push({ name: i === 0 ? 'A' : 'B', kind: 'dynamic', shape: first + root, mass: 1, friction: 0, restitution: 0, centre: [0, 0, 0] });
    });
    const sizes = drawn.map(halfSize).filter((size) => size > 0);
    this.size = sizes.length > 0 ? Math.min(...sizes) : 1;
    this.cast = { shapes, bodies, gravity: [0, 0, -1], size: this.size };
    this.bodies = new BodyLayer(stage, this.cast, 6 * Math.max(this.size, ...sizes));
    this.contacts = new ContactLayer(stage, this.cast);
    this.bounds = new BoundsLayer(stage, this.cast);
    this.growth = drawn.length === 2 && sizes.length === 2 ? new GrowthLayer(stage, drawn[0], drawn[1], 0.04 * this.size) : null;
    this.forget = stage.onTheme((palette) => bodies.forEach((_, i) => this.bodies.setColour(i, i === 0 ? palette.bodyA : palette.bodyB)));
  }

  dispose(): void {
    this.forget();
    for (const layer of [this.bodies, this.contacts, this.bounds, this.growth]) layer?.dispose();
  }

  show(state: CollideState, answer: CollideAnswer | null): void {
    const poses = this.drawn.flatMap(({ placement }, i) => placed(i === 0 ? state.poseA : state.poseB, placement));
    this.frame = {
      index: 0, step: 0, time: 0, poses: Float64Array.from(poses), presence: new Uint8Array(this.drawn.length).fill(ASLEEP), velocities: null,
      contacts: answer ? contactTable(answer) : null, vertices: null,
    };
    this.bodies.show(this.frame);
    this.setLayers(state.layers);
    this.contacts.show(this.frame);
    this.bounds.show(this.frame);
    this.growth?.show(answer?.growth ?? null, state.poseA, state.poseB, state.layers);
  }

  private setLayers(layers: Layers): void {
    Object.assign(this.contacts.shown, { points: layers.points, normals: layers.normals, patches: layers.patch, voiding: layers.voided });
    this.bounds.setShown(layers.bounds);
    this.bodies.setOpacity(layers.growth || layers.witness ? 0.3 : 0.62);
  }

  /** Where contact i is, scene's frame; null when there is none. */
  place(contact: number): Vector3 | null {
    const table = this.frame?.contacts;
    return table && contact < table.count ? middle(table, contact, new Vector3()) : null;
  }

  box(): Box | null {
    return this.frame ? this.bodies.bounds(this.frame) : null;
  }

  /** Body 0 is A, all others are B. */
  bodyAt(x: number, y: number): { body: number; point: Vector3; plane: boolean } | null {
    for (const hit of this.stage.pick(x, y, this.bodies.pickable)) {
      const body = this.bodies.bodyOf(hit);
      if (body >= 0) return { body, point: this.stage.world.worldToLocal(hit.point.clone()), plane: this.cast.shapes[this.cast.bodies[body].shape].kind === 'plane' };
    }
    return null;
  }

  contactAt(x: number, y: number): number {
    const [hit] = this.stage.pick(x, y, [this.contacts.pickable]);
    return hit ? this.contacts.contactOf(hit) : -1;
  }
}
