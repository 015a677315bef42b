/**
 * Contacts in the scene graph, a layer for each thing they say: points, normals, forces, forces of friction, patches (coloured by depth), and the edges
 * and vertices of triangle meshes that a contact voids (P. Terdiman, "Contact generation for meshes": a triangle that touches voids the features
 * that it shares with its neighbours, so that no inner edge is felt twice).
 */
import { Color, Group, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, SphereGeometry, Vector3 } from 'three';
import type { Intersection } from 'three';
import { CONTACT_WITNESS, type Cast, type ContactTable, type Frame, type Shape } from '../run/run';
import { scaleColor } from './palette';
import type { Stage } from './stage';
import { perpendicular, Strokes } from './strokes';
import { takeOut } from './takeout';

export const CONTACT_LAYERS = ['points', 'normals', 'forces', 'friction', 'patches', 'voiding'] as const;
export type ContactLayerName = (typeof CONTACT_LAYERS)[number];

const FACE = 1, EDGE = 2, VERTEX = 3;

export class ContactLayer {
  readonly group = new Group();
  readonly shown: Record<ContactLayerName, boolean> = {
    points: true, normals: true, forces: false, friction: false, patches: true, voiding: false,
  };
  /** the row of the contact that is shown as chosen, or -1 */
  selected = -1;
  /** length of an arrow for a force of 1; 0: so that the largest has three sizes of a body */
  forceScale = 0;
  /** the depth that has the last colour of the scale; 0: the largest of the frame */
  depthScale = 0;
  private marks: InstancedMesh;
  private readonly normals = new Strokes(false, 1);
  private readonly forces = new Strokes(false, 1);
  private readonly patches = new Strokes(true, 0.55);
  private readonly outlines = new Strokes(false, 0.9);
  private readonly voids = new Strokes(false, 1);
  private frame: Frame | null = null;
  private radius: number;
  private readonly forgetTheme: () => void;

  constructor(private readonly stage: Stage, private readonly cast: Cast) {
    this.radius = 0.045 * cast.size;
    this.marks = this.makeMarks(64);
    this.group.add(this.patches.object, this.outlines.object, this.normals.object, this.forces.object, this.voids.object);
    stage.world.add(this.group);
    this.forgetTheme = stage.onTheme(() => this.redraw());
  }

  dispose(): void {
    this.forgetTheme();
    takeOut(this.group);
  }

  /** What can be picked: instance i is contact i. */
  get pickable(): InstancedMesh {
    return this.marks;
  }

  contactOf(hit: Intersection): number {
    return hit.object === this.marks ? (hit.instanceId ?? -1) : -1;
  }

  /** Radius of the points, as a share of the bodies' size. */
  setPointSize(share: number): void {
    this.radius = share * this.cast.size;
    this.redraw();
  }

  show(frame: Frame): void {
    this.frame = frame;
    this.redraw();
  }

  /** Draws anew, after `shown` or `selected` has changed. */
  redraw(): void {
    const contacts = this.frame?.contacts ?? null;
    for (const strokes of [this.normals, this.forces, this.patches, this.outlines, this.voids]) strokes.clear();
    if (contacts) {
      this.drawPoints(contacts);
      if (this.shown.patches) this.drawPatches(contacts);
      if (this.shown.normals) this.drawNormals(contacts);
      if (this.shown.forces || this.shown.friction) this.drawForces(contacts);
      if (this.shown.voiding) this.drawVoids(contacts);
    } else {
      this.marks.count = 0;
    }
    for (const strokes of [this.normals, this.forces, this.patches, this.outlines, this.voids]) strokes.finish();
    this.stage.invalidate();
  }

  private makeMarks(capacity: number): InstancedMesh {
    const material = new MeshBasicMaterial({ depthTest: false, transparent: true });
    const made = new InstancedMesh(new SphereGeometry(1, 12, 8), material, capacity);
    made.frustumCulled = false;
    made.renderOrder = 4;
    made.count = 0;
    this.group.add(made);
    return made;
  }

  private drawPoints(c: ContactTable): void {
    if (c.count > this.marks.instanceMatrix.count) {
      takeOut(this.marks);
      this.marks = this.makeMarks(2 * c.count);
    }
    const matrix = new Matrix4(), at = new Vector3(), none = new Quaternion(), size = new Vector3(), colour = new Color();
    for (let i = 0; i < c.count; i++) {
      const chosen = i === this.selected;
      size.setScalar(this.shown.points || chosen ? this.radius * (chosen ? 1.5 : c.flags[i] & CONTACT_WITNESS ? 0.7 : 1) : 0);
      this.marks.setMatrixAt(i, matrix.compose(middle(c, i, at), none, size));
      this.marks.setColorAt(i, colour.copy(chosen ? this.stage.palette.selected : this.stage.palette.point));
    }
    this.marks.count = c.count;
    this.marks.boundingSphere = null;
    this.marks.instanceMatrix.needsUpdate = true;
    if (this.marks.instanceColor) this.marks.instanceColor.needsUpdate = true;
  }

  private drawNormals(c: ContactTable): void {
    const from = new Vector3(), n = new Vector3(), across = new Vector3();
    for (let i = 0; i < c.count; i++) {
      n.fromArray(c.normal, 3 * i);
      this.normals.arrow(middle(c, i, from), from.clone().addScaledVector(n, 0.8 * this.cast.size), perpendicular(n, across), this.stage.palette.normal);
    }
  }

  private drawForces(c: ContactTable): void {
    const most = strongest(c);
    const scale = this.forceScale || (most > 0 ? (3 * this.cast.size) / most : 0);
    const from = new Vector3(), f = new Vector3(), across = new Vector3();
    for (let i = 0; i < c.count; i++) {
      middle(c, i, from);
      f.fromArray(c.normal, 3 * i).multiplyScalar(scale * c.normalForce[i]);
      if (this.shown.forces && f.lengthSq() > 0) {
        this.forces.arrow(from, from.clone().add(f), perpendicular(f, across), this.stage.palette.force);
      }
      f.fromArray(c.friction, 3 * i).multiplyScalar(scale);
      if (this.shown.friction && f.lengthSq() > 0) {
        this.forces.arrow(from, from.clone().add(f), perpendicular(f, across), this.stage.palette.friction);
      }
    }
  }

  /** Patches are fans; each corner has the colour of its depth. */
  private drawPatches(c: ContactTable): void {
    const most = this.depthScale || deepest(c);
    const points: Vector3[] = [], colours: Color[] = [];
    for (let first = 0, end = 0; first < c.count; first = end) {
      points.length = colours.length = 0;
      for (end = first; end < c.count && samePatch(c, first, end); end++) {
        if (c.flags[end] & CONTACT_WITNESS) continue;
        points.push(middle(c, end, new Vector3()));
        colours.push(most > 0 ? scaleColor(-c.gap[end] / most) : this.stage.palette.patch);
      }
      for (let k = 1; k + 1 < points.length; k++) {
        for (const corner of [0, k, k + 1]) this.patches.point(points[corner].x, points[corner].y, points[corner].z, colours[corner]);
      }
      for (let k = 0; points.length > 1 && k < points.length; k++) {
        this.outlines.line(points[k], points[(k + 1) % points.length], this.stage.palette.patch);
      }
    }
  }

  /** Of each mesh that is touched: the triangle, edge or vertex that makes the contact, and crosses on what it voids. */
  private drawVoids(c: ContactTable): void {
    for (let i = 0; i < c.count; i++) {
      this.drawVoided(c.a[i], c.kindA[i], c.indexA[i]);
      this.drawVoided(c.b[i], c.kindB[i], c.indexB[i]);
    }
  }

  private drawVoided(body: number, kind: number, index: number): void {
    const shape = this.cast.shapes[this.cast.bodies[body].shape], frame = this.frame;
    if (shape.kind !== 'trimesh' || !frame) return;
    const place = new Vector3().fromArray(frame.poses, 7 * body), turn = new Quaternion().fromArray(frame.poses, 7 * body + 3);
    const corners = featureVertices(shape, kind, index).map((v) =>
      new Vector3().fromArray(shape.vertices ?? [], 3 * v).applyQuaternion(turn).add(place));
    const { bounds, voided } = this.stage.palette;
    corners.forEach((p, k) => {
      const q = corners[(k + 1) % corners.length];
      if (kind !== VERTEX) this.voids.line(p, q, bounds);
      if (kind === FACE) this.cross(p.clone().add(q).multiplyScalar(0.5), voided);
      if (kind === FACE || kind === EDGE) this.cross(p, voided);
      else this.cross(p, bounds);
    });
  }

  private cross(at: Vector3, colour: Color): void {
    const arm = 1.6 * this.radius;
    for (const [x, y, z] of [[1, 1, 1], [1, -1, 1], [-1, 1, 1], [-1, -1, 1]]) {
      const reach = new Vector3(x, y, z).multiplyScalar(arm / Math.sqrt(3));
      this.voids.line(at.clone().sub(reach), at.clone().add(reach), colour);
    }
  }
}

/** The point between the two surfaces. */
export function middle(c: ContactTable, row: number, into: Vector3): Vector3 {
  const at = 3 * row;
  return into.set((c.onA[at] + c.onB[at]) / 2, (c.onA[at + 1] + c.onB[at + 1]) / 2, (c.onA[at + 2] + c.onB[at + 2]) / 2);
}

/** The largest depth of the contacts; 0 when none is deep. */
export function deepest(c: ContactTable): number {
  let most = 0;
  for (let i = 0; i < c.count; i++) most = Math.max(most, -c.gap[i]);
  return most;
}

/** The largest normal force of the contacts. */
export function strongest(c: ContactTable): number {
  let most = 0;
  for (let i = 0; i < c.count; i++) most = Math.max(most, c.normalForce[i]);
  return most;
}

function samePatch(c: ContactTable, i: number, j: number): boolean {
  return c.a[i] === c.a[j] && c.b[i] === c.b[j] && c.patch[i] === c.patch[j];
}

/**
 * The vertices of a mesh's feature. Faces are triangles; edges are counted three to a triangle, edge 3 t + k of triangle t from its corner k to the next;
 * vertices by their own index.
 */
function featureVertices(shape: Shape, kind: number, index: number): number[] {
  const corners = shape.face_vertices ?? [];
  if (kind === FACE) return corners.slice(3 * index, 3 * index + 3);
  if (kind === EDGE) {
    const triangle = Math.floor(index / 3), k = index % 3;
    return [corners[3 * triangle + k], corners[3 * triangle + ((k + 1) % 3)]];
  }
  return kind === VERTEX ? [index] : [];
}
