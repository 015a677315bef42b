/**
 * Two tetrahedra in the scene graph: as they lie, with corners that can be taken; the plane that parts them; how far each corner moves, as an arrow; and
 * the tetrahedra after that, as outlines.
 */
import {
  BufferAttribute, BufferGeometry, Color, DoubleSide, Group, Mesh, MeshBasicMaterial, PlaneGeometry, SphereGeometry, Vector3,
} from 'three';
import { bodyMaterial, type BodyMaterial } from '../scene/material';
import type { Box, Stage } from '../scene/stage';
import { perpendicular, Strokes } from '../scene/strokes';
import { takeOut } from '../scene/takeout';
import type { DepthPair } from './question';
import type { DepthState } from './state';

const FACES = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]], EDGES = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

const cornersOf = (state: DepthState, body: number): Vector3[] => [0, 1, 2, 3].map((i) => new Vector3().fromArray(state.corners, 12 * body + 3 * i));

export class DepthScene {
  readonly handles: Mesh<SphereGeometry, MeshBasicMaterial>[] = [];
  private readonly group = new Group();
  private readonly bodies: Mesh<BufferGeometry, BodyMaterial>[] = [];
  private readonly plane: Mesh<PlaneGeometry, MeshBasicMaterial>;
  private readonly ghosts = new Strokes(false, 1);
  private readonly ghostFaces = new Strokes(true, 0.22);
  private readonly arrows = new Strokes(false, 1);
  private readonly forget: () => void;
  private state: DepthState | null = null;
  private pair: DepthPair | null = null;

  constructor(private readonly stage: Stage) {
    for (let body = 0; body < 2; body++) {
      const geometry = new BufferGeometry(), material = bodyMaterial(new Color(), 1.1, stage.plain);
      geometry.setAttribute('position', new BufferAttribute(new Float32Array(36), 3));
      geometry.setAttribute('normal', new BufferAttribute(new Float32Array(36), 3));
      geometry.setAttribute('side', new BufferAttribute(Float32Array.from({ length: 36 }, (_, i) => (Math.floor(i / 3) % 3 === i % 3 ? 1 : 0)), 3));
      material.transparent = true;
      material.opacity = 0.5;
      const made = new Mesh(geometry, material);
      made.frustumCulled = false;
      this.bodies.push(made);
    }
    for (let corner = 0; corner < 8; corner++) {
      const made = new Mesh(new SphereGeometry(1, 16, 10), new MeshBasicMaterial({ depthTest: false, transparent: true }));
      made.renderOrder = 4;
      this.handles.push(made);
    }
    this.plane = new Mesh(new PlaneGeometry(2, 2), new MeshBasicMaterial({ transparent: true, opacity: 0.22, side: DoubleSide, depthWrite: false }));
    this.group.add(...this.bodies, ...this.handles, this.plane, this.ghosts.object, this.ghostFaces.object, this.arrows.object);
    stage.world.add(this.group);
    this.forget = stage.onTheme((palette) => {
      [palette.bodyA, palette.bodyB].forEach((colour, body) => {
        this.bodies[body].material.color.copy(colour);
        this.bodies[body].material.userData.edge.value.copy(palette.edge);
        for (let i = 0; i < 4; i++) this.handles[4 * body + i].material.color.copy(palette.point);
      });
      this.plane.material.color.copy(palette.bounds);
      this.draw();
    });
  }

  dispose(): void {
    this.forget();
    takeOut(this.group);
  }

  show(state: DepthState, pair: DepthPair | null): void {
    this.state = state;
    this.pair = pair;
    this.draw();
  }

  /** The corner under a point of the page, 0 to 7; -1 for none. */
  cornerAt(x: number, y: number): number {
    const [hit] = this.stage.pick(x, y, this.handles);
    return hit ? this.handles.indexOf(hit.object as Mesh<SphereGeometry, MeshBasicMaterial>) : -1;
  }

  /** The body under it, 0 or 1, and where. */
  bodyAt(x: number, y: number): { body: number; point: Vector3 } | null {
    const [hit] = this.stage.pick(x, y, this.bodies);
    return hit ? { body: this.bodies.indexOf(hit.object as Mesh<BufferGeometry, BodyMaterial>), point: this.stage.world.worldToLocal(hit.point.clone()) } : null;
  }

  get size(): number {
    const box = this.box();
    return box ? box.high.distanceTo(box.low) / 4 : 1;
  }

  box(): Box | null {
    if (!this.state) return null;
    const corners = [...cornersOf(this.state, 0), ...cornersOf(this.state, 1)];
    const low = corners.reduce((p, q) => p.clone().min(q)), high = corners.reduce((p, q) => p.clone().max(q));
    return { low, high };
  }

  private draw(): void {
    const { state, pair } = this, { palette } = this.stage;
    for (const strokes of [this.ghosts, this.ghostFaces, this.arrows]) strokes.clear();
    if (state) {
      const size = this.size, moved = pair?.displacement_a !== undefined;
      for (let body = 0; body < 2; body++) {
        const corners = cornersOf(state, body);
        this.drawBody(this.bodies[body], corners);
        corners.forEach((p, i) => {
          this.handles[4 * body + i].position.copy(p);
          this.handles[4 * body + i].scale.setScalar(0.045 * size);
        });
        if (!moved || !pair) continue;
        const by = (body === 0 ? pair.displacement_a : pair.displacement_b).map((d) => new Vector3(...d));
        const after = corners.map((p, i) => p.clone().add(by[i]));
        const colour = body === 0 ? palette.bodyA : palette.bodyB;
        if (state.layers.parted) {
          for (const [i, j] of EDGES) this.ghosts.line(after[i], after[j], palette.point);
          for (const face of FACES) for (const i of face) this.ghostFaces.point(after[i].x, after[i].y, after[i].z, colour);
        }
        if (state.layers.arrows) {
          by.forEach((d, i) => {
            if (d.length() > 1e-6 * size) this.arrows.arrow(corners[i], after[i], perpendicular(d, new Vector3()), palette.force);
          });
        }
      }
      this.plane.visible = state.layers.plane && moved;
      if (pair && moved) {
        const n = new Vector3(...pair.normal), box = this.box() as Box, centre = box.low.clone().add(box.high).multiplyScalar(0.5);
        this.plane.position.copy(centre).addScaledVector(n, pair.offset - centre.dot(n));
        this.plane.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), n);
        this.plane.scale.setScalar(1.15 * size);
      }
    }
    for (const strokes of [this.ghosts, this.ghostFaces, this.arrows]) strokes.finish();
    this.stage.invalidate();
  }

  private drawBody(mesh: Mesh<BufferGeometry, BodyMaterial>, corners: Vector3[]): void {
    const position = mesh.geometry.getAttribute('position') as BufferAttribute, normal = mesh.geometry.getAttribute('normal') as BufferAttribute;
    const middle = corners.reduce((sum, p) => sum.add(p), new Vector3()).multiplyScalar(0.25);
    FACES.forEach((face, f) => {
      const [p, q, r] = face.map((i) => corners[i]);
      const n = new Vector3().crossVectors(q.clone().sub(p), r.clone().sub(p));
      if (n.dot(p.clone().sub(middle)) < 0) n.negate();
      if (n.lengthSq() > 0) n.normalize();
      [p, q, r].forEach((point, k) => {
        position.setXYZ(3 * f + k, point.x, point.y, point.z);
        normal.setXYZ(3 * f + k, n.x, n.y, n.z);
      });
    });
    position.needsUpdate = normal.needsUpdate = true;
    mesh.geometry.boundingSphere = null;
  }
}
