/**
 * Bodies in the scene graph: one instanced mesh for each shape, one mesh of its own for each body that deforms, a square for each plane. Frames move
 * them; colours say which body it is, how fast, whether it is awake, or how deep it is in another. Sensors can be seen through, and are lit while something
 * is in them.
 */
import {
  BufferAttribute, Color, DynamicDrawUsage, Group, InstancedMesh, LineBasicMaterial, LineSegments, Matrix4, Mesh, PlaneGeometry,
  Quaternion, Vector3,
} from 'three';
import { BufferGeometry } from 'three';
import type { Intersection, Object3D } from 'three';
import { ASLEEP, REMOVED, type Cast, type Frame, type Shape } from '../run/run';
import { shapeBounds, shapeGeometry } from './geometry';
import { bodyMaterial, groundMaterial, type BodyMaterial } from './material';
import { bodyColor, scaleColor } from './palette';
import type { Box, Stage } from './stage';
import { takeOut } from './takeout';

export type Colouring = 'body' | 'awake' | 'speed' | 'penetration';

const ROUND = new Set(['sphere', 'capsule', 'ellipsoid', 'superquadric', 'implicit', 'parametric']);

/** Of the lines along edges, in pixels: round surfaces have none, meshes of many triangles thin ones. */
const EDGE_WIDTH: Record<string, number> = { smooth: 0, mesh: 0.6, solid: 1.1 };

const SENSOR_OPACITY = 0.28;

/** Where one body's instance is, and how large: all balls are instances of one. */
interface Place { mesh: InstancedMesh; slot: number; scale: number }

export class BodyLayer {
  readonly group = new Group();
  /** what can be picked */
  readonly pickable: Object3D[] = [];
  colouring: Colouring = 'body';
  /** the body that is shown as chosen, or -1 */
  selected = -1;
  /** the depth, or the speed, that has the last colour of the scale; 0: the largest of the frame */
  scale = 0;
  /** colours by body, where a page has its own: the explorer's A and B */
  private own: (Color | null)[] = [];
  private readonly places: (Place | null)[] = [];
  private readonly bodiesOf = new Map<Object3D, number[]>();
  private readonly deforming = new Map<number, Mesh>();
  /** the vertices that deforming bodies are drawn with */
  private readonly deformed = new Map<number, Float32Array>();
  private readonly materials: BodyMaterial[] = [];
  private readonly planes: { body: number; square: Group }[] = [];
  private frame: Frame | null = null;
  private opacity = 1;
  /** materials of sensors */
  private readonly clear = new Set<BodyMaterial>();
  private readonly forget: (() => void)[] = [];

  /** reach: half the size of the squares that stand for planes. */
  constructor(private readonly stage: Stage, readonly cast: Cast, reach: number) {
    stage.world.add(this.group);
    for (const sensors of [false, true]) {
      const byShape = new Map<number, number[]>(), balls: number[] = [];
      cast.bodies.forEach((body, index) => {
        if (Boolean(body.sensor) !== sensors) return;
        this.places[index] = null;
        if (cast.shapes[body.shape].kind === 'sphere') {
          balls.push(index);
          return;
        }
        const same = byShape.get(body.shape);
        if (same) same.push(index);
        else byShape.set(body.shape, [index]);
      });
      if (balls.length > 0) this.addInstances([{ kind: 'sphere', radius: 1 }], 0, balls, sensors);
      for (const [shape, bodies] of byShape) {
        if (cast.shapes[shape].kind === 'plane') {
          for (const body of bodies) this.addPlane(body, cast.shapes[shape], reach);
        } else {
          this.addInstances(cast.shapes, shape, bodies, sensors);
        }
      }
    }
    this.forget.push(stage.onTheme((palette) => {
      for (const material of this.materials) material.userData.edge.value.copy(palette.edge);
      this.paint();
    }));
  }

  /** Take everything out of the scene. */
  dispose(): void {
    for (const forget of this.forget) forget();
    takeOut(this.group);
  }

  /** The body that a picked object belongs to; -1 for none. */
  bodyOf(hit: Intersection): number {
    return this.bodiesOf.get(hit.object)?.[hit.instanceId ?? 0] ?? -1;
  }

  /** What is meant by that which a ray meets: a dynamic body in or behind a sensor rather than the sensor. */
  meant(hits: Intersection[]): Intersection | undefined {
    const solid = hits.find((hit) => !this.cast.bodies[this.bodyOf(hit)]?.sensor);
    return solid && this.cast.bodies[this.bodyOf(solid)]?.kind === 'dynamic' ? solid : hits[0];
  }

  setColour(body: number, colour: Color | null): void {
    this.own[body] = colour;
    this.paint();
  }

  /** 0 to 1: bodies that can be seen through show the contacts between them. */
  setOpacity(opacity: number): void {
    this.opacity = opacity;
    for (const material of this.materials) {
      const own = this.clear.has(material) ? Math.min(opacity, SENSOR_OPACITY) : opacity;
      material.transparent = own < 1;
      material.opacity = own;
      material.depthWrite = own >= 0.5;
      material.needsUpdate = true;
    }
    this.stage.invalidate();
  }

  setEdges(shown: boolean): void {
    for (const material of this.materials) material.userData.width.value = shown ? EDGE_WIDTH[material.name] : 0;
    this.stage.invalidate();
  }

  /** Show the frame. */
  show(frame: Frame): void {
    this.frame = frame;
    const matrix = new Matrix4(), place = new Vector3(), turn = new Quaternion(), full = new Vector3(1, 1, 1), none = new Vector3(0, 0, 0);
    frame.vertices?.forEach((vertices, body) => this.deform(body, vertices));
    const touched = new Set<InstancedMesh>();
    for (let body = 0; body < this.places.length; body++) {
      const at = 7 * body, here = frame.presence[body] !== REMOVED;
      const p = here ? frame.poses : null;
      place.set(p?.[at] ?? 0, p?.[at + 1] ?? 0, p?.[at + 2] ?? 0);
      turn.set(p?.[at + 3] ?? 0, p?.[at + 4] ?? 0, p?.[at + 5] ?? 0, p?.[at + 6] ?? 1);
      const instance = this.places[body], own = this.deforming.get(body);
      if (own) {
        own.visible = here;
        own.position.copy(place);
        own.quaternion.copy(turn);
      }
      if (instance) {
        instance.mesh.setMatrixAt(instance.slot, matrix.compose(place, turn, here && !own ? full.setScalar(instance.scale) : none));
        touched.add(instance.mesh);
      }
    }
    for (const { body, square } of this.planes) {
      square.visible = frame.presence[body] !== REMOVED;
      square.position.fromArray(frame.poses, 7 * body);
      square.quaternion.fromArray(frame.poses, 7 * body + 3);
    }
    for (const mesh of touched) {
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null;
    }
    this.paint();
  }

  /** Colours anew, after `colouring` or `selected` has changed. */
  paint(): void {
    const colour = new Color();
    const deepest = this.colouring === 'penetration' ? this.depths() : null;
    const most = this.scale || (deepest ? deepest.reduce((p, q) => Math.max(p, q), 1e-300) : this.colouring === 'speed' ? this.fastest() : 1);
    const touched = new Set<InstancedMesh>();
    this.cast.bodies.forEach((_, body) => {
      this.bodyColour(body, deepest, most, colour);
      const instance = this.places[body], own = this.deforming.get(body);
      if (instance) {
        instance.mesh.setColorAt(instance.slot, colour);
        touched.add(instance.mesh);
      }
      if (own) (own.material as BodyMaterial).color.copy(colour);
    });
    for (const mesh of touched) if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    this.stage.invalidate();
  }

  /** The least box around the bodies of a frame that are bounded; null when there are none. */
  bounds(frame: Frame, only?: (body: number) => boolean): Box | null {
    return frameBounds(this.cast, frame, only);
  }

  private material(shape: Shape): BodyMaterial {
    const smooth = ROUND.has(shape.kind), mesh = shape.kind === 'trimesh' || shape.kind === 'facetmesh';
    const made = bodyMaterial(this.stage.palette.edge, EDGE_WIDTH[smooth ? 'smooth' : mesh ? 'mesh' : 'solid'], this.stage.plain);
    made.name = smooth ? 'smooth' : mesh ? 'mesh' : 'solid';
    this.materials.push(made);
    return made;
  }

  private addInstances(shapes: Shape[], shape: number, bodies: number[], sensors: boolean): void {
    const rings = bodies.length > 200000 ? 4 : bodies.length > 1500 ? 6 : bodies.length > 500 ? 8 : bodies.length > 60 ? 12 : bodies.length > 8 ? 24 : 40;
    const material = this.material(shapes[shape]);
    const mesh = new InstancedMesh(shapeGeometry(shapes, shape, rings), material, bodies.length);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.castShadow = mesh.receiveShadow = !sensors;
    if (sensors) {
      mesh.renderOrder = 1;
      this.clear.add(material);
      this.setOpacity(this.opacity);
    }
    bodies.forEach((body, slot) => {
      const own = this.cast.shapes[this.cast.bodies[body].shape];
      this.places[body] = { mesh, slot, scale: own.kind === 'sphere' ? (own.radius ?? 0) : 1 };
    });
    this.bodiesOf.set(mesh, bodies);
    this.pickable.push(mesh);
    this.group.add(mesh);
  }

  /** A plane is a square with a grid, larger than the scene. */
  private addPlane(body: number, shape: Shape, reach: number): void {
    const square = new Group(), inner = new Group();
    const surface = new Mesh(new PlaneGeometry(2 * reach, 2 * reach), groundMaterial(this.stage.plain));
    surface.receiveShadow = true;
    const spacing = 10 ** Math.round(Math.log10(reach / 8));
    const cells = Math.min(Math.floor(reach / spacing), 100), lines: number[] = [];
    for (let i = -cells; i <= cells; i++) {
      lines.push(-reach, i * spacing, 0, reach, i * spacing, 0, i * spacing, -reach, 0, i * spacing, reach, 0);
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(lines), 3));
    const grid = new LineSegments(geometry, new LineBasicMaterial({ polygonOffset: true }));
    surface.material.polygonOffset = true;
    surface.material.polygonOffsetFactor = surface.material.polygonOffsetUnits = 2;
    inner.add(surface, grid);
    const normal = new Vector3(...(shape.normal ?? [0, 0, 1]));
    inner.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), normal);
    inner.position.copy(normal).multiplyScalar(shape.offset ?? 0);
    square.add(inner);
    this.group.add(square);
    this.planes.push({ body, square });
    this.pickable.push(surface);
    this.bodiesOf.set(surface, [body]);
    // From behind a plane is not there, and neither is its grid.
    const outward = new Vector3(), away = new Vector3();
    grid.onBeforeRender = () => {
      outward.set(0, 0, 1).transformDirection(inner.matrixWorld);
      away.setFromMatrixPosition(inner.matrixWorld).sub(this.stage.camera.position);
      grid.geometry.setDrawRange(0, outward.dot(away) < 0 ? Infinity : 0);
    };
    this.forget.push(this.stage.onTheme((palette) => {
      surface.material.color.copy(palette.ground);
      grid.material.color.copy(palette.grid);
    }));
  }

  private deform(body: number, vertices: Float32Array): void {
    if (this.deformed.get(body) === vertices) return;
    this.deformed.set(body, vertices);
    const shape = this.cast.bodies[body].shape;
    const geometry = shapeGeometry(this.cast.shapes, shape, 24, vertices);
    const known = this.deforming.get(body);
    if (known) {
      known.geometry.dispose();
      known.geometry = geometry;
      return;
    }
    const made = new Mesh(geometry, this.material(this.cast.shapes[shape]));
    made.castShadow = made.receiveShadow = true;
    this.deforming.set(body, made);
    this.bodiesOf.set(made, [body]);
    this.pickable.push(made);
    this.group.add(made);
    if (this.opacity < 1) this.setOpacity(this.opacity);
  }

  private bodyColour(body: number, deepest: Float64Array | null, most: number, into: Color): void {
    const own = this.own[body], frame = this.frame;
    const dynamic = this.cast.bodies[body].kind === 'dynamic';
    if (own) into.copy(own);
    else if (this.colouring === 'penetration' && deepest) scaleColor(deepest[body] / most, into);
    else if (this.colouring === 'speed' && frame?.velocities) scaleColor(speed(frame.velocities, body) / most, into);
    else if (this.cast.bodies[body].sensor) into.copy(frame?.lit?.has(body) ? this.stage.palette.lit : this.stage.palette.sensor);
    else if (!dynamic) into.copy(this.stage.palette.still);
    else if (this.colouring === 'awake' && frame) into.copy(frame.presence[body] === ASLEEP ? this.stage.palette.still : bodyColor(1));
    else into.copy(bodyColor(body));
    if (body === this.selected) into.lerp(this.stage.palette.selected, 0.75);
  }

  /** The largest speed of the bodies of the frame. */
  fastest(): number {
    const v = this.frame?.velocities;
    let most = 1e-300;
    for (let body = 0; v && body < this.cast.bodies.length; body++) {
      if (this.frame?.presence[body] !== REMOVED) most = Math.max(most, speed(v, body) || 0);
    }
    return most;
  }

  /** The deepest penetration of each body's contacts. */
  private depths(): Float64Array {
    const depth = new Float64Array(this.cast.bodies.length), c = this.frame?.contacts;
    for (let i = 0; c && i < c.count; i++) {
      depth[c.a[i]] = Math.max(depth[c.a[i]], -c.gap[i]);
      depth[c.b[i]] = Math.max(depth[c.b[i]], -c.gap[i]);
    }
    return depth;
  }
}

/** The least box around the bodies of a frame that are bounded (of those that `only` takes); null when there are none. */
export function frameBounds(cast: Cast, frame: Frame, only?: (body: number) => boolean): Box | null {
  const low = new Vector3(Infinity, Infinity, Infinity), high = low.clone().negate();
  cast.bodies.forEach((body, index) => {
    if (frame.presence[index] === REMOVED || cast.shapes[body.shape].kind === 'plane' || (only && !only(index))) return;
    const box = shapeBounds(cast.shapes, body.shape, frame.poses, 7 * index, frame.vertices?.get(index));
    low.min(new Vector3(box[0], box[1], box[2]));
    high.max(new Vector3(box[3], box[4], box[5]));
  });
  return low.x <= high.x ? { low, high } : null;
}

function speed(velocities: Float64Array, body: number): number {
  return Math.hypot(velocities[6 * body], velocities[6 * body + 1], velocities[6 * body + 2]);
}
