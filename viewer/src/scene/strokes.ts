/** Lines, arrows and triangles that change from frame to frame, each with a colour of its own. */
import { BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, Vector3 } from 'three';
import type { Color } from 'three';

/** A list of lines or triangles that grows as it must and is drawn over everything else, so that what lies between two bodies can be seen. */
export class Strokes {
  readonly object: LineSegments | Mesh;
  private positions = new Float32Array(0);
  private colours = new Float32Array(0);
  private used = 0;

  constructor(triangles: boolean, opacity: number) {
    const settings = { vertexColors: true, transparent: true, opacity, depthTest: false, depthWrite: false };
    const geometry = new BufferGeometry();
    this.object = triangles
      ? new Mesh(geometry, new MeshBasicMaterial({ ...settings, side: DoubleSide }))
      : new LineSegments(geometry, new LineBasicMaterial(settings));
    this.object.frustumCulled = false;
    this.object.renderOrder = triangles ? 2 : 3;
  }

  clear(): void {
    this.used = 0;
  }

  point(x: number, y: number, z: number, colour: Color): void {
    if (3 * this.used + 3 > this.positions.length) {
      const size = Math.max(3 * 256, 2 * this.positions.length);
      const grow = (old: Float32Array) => {
        const grown = new Float32Array(size);
        grown.set(old);
        return grown;
      };
      this.positions = grow(this.positions);
      this.colours = grow(this.colours);
      this.object.geometry.setAttribute('position', new BufferAttribute(this.positions, 3).setUsage(DynamicDrawUsage));
      this.object.geometry.setAttribute('color', new BufferAttribute(this.colours, 3).setUsage(DynamicDrawUsage));
    }
    this.positions.set([x, y, z], 3 * this.used);
    this.colours.set([colour.r, colour.g, colour.b], 3 * this.used);
    this.used++;
  }

  line(from: Vector3, to: Vector3, colour: Color): void {
    this.point(from.x, from.y, from.z, colour);
    this.point(to.x, to.y, to.z, colour);
  }

  /** An arrow whose head is a fraction of its length, in the plane that `across` spans with it. */
  arrow(from: Vector3, to: Vector3, across: Vector3, colour: Color): void {
    this.line(from, to, colour);
    const shaft = to.clone().sub(from), wing = across.clone().normalize().multiplyScalar(0.12 * shaft.length());
    const neck = to.clone().addScaledVector(shaft, -0.25);
    this.line(to, neck.clone().add(wing), colour);
    this.line(to, neck.sub(wing), colour);
  }

  finish(): void {
    const { geometry } = this.object;
    geometry.setDrawRange(0, this.used);
    for (const name of ['position', 'color']) {
      const attribute = geometry.getAttribute(name);
      if (attribute) attribute.needsUpdate = true;
    }
    this.object.visible = this.used > 0;
  }
}

/** A direction across v. */
export function perpendicular(v: Vector3, into: Vector3): Vector3 {
  return Math.abs(v.z) < 0.9 * v.length() ? into.set(-v.y, v.x, 0) : into.set(0, -v.z, v.y);
}
