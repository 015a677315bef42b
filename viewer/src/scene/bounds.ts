/** The axis-aligned boxes around the bodies of a frame, as the broad phase sees them but for its margins. */
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, LineBasicMaterial, LineSegments } from 'three';
import { REMOVED, type Cast, type Frame } from '../run/run';
import { shapeBounds } from './geometry';
import type { Palette } from './palette';
import type { Stage } from './stage';
import { takeOut } from './takeout';

// Corners of a box are numbered by their bits: x, y, z at the upper end.
const SIDES = [0, 1, 0, 2, 0, 4, 1, 3, 1, 5, 2, 3, 2, 6, 3, 7, 4, 5, 4, 6, 5, 7, 6, 7];

export class BoundsLayer {
  readonly lines: LineSegments<BufferGeometry, LineBasicMaterial>;
  /** the one body that has a box; null: all have */
  only: number | null = null;
  private frame: Frame | null = null;
  private readonly forget: () => void;

  constructor(private readonly stage: Stage, private readonly cast: Cast, colour: keyof Palette = 'bounds') {
    const geometry = new BufferGeometry();
    const positions = new Float32Array(cast.bodies.length * SIDES.length * 3);
    geometry.setAttribute('position', new BufferAttribute(positions, 3).setUsage(DynamicDrawUsage));
    this.lines = new LineSegments(geometry, new LineBasicMaterial());
    this.lines.frustumCulled = false;
    this.lines.visible = false;
    stage.world.add(this.lines);
    this.forget = stage.onTheme((palette) => this.lines.material.color.copy(palette[colour]));
  }

  dispose(): void {
    this.forget();
    takeOut(this.lines);
  }

  setShown(shown: boolean): void {
    this.lines.visible = shown;
    if (shown && this.frame) this.show(this.frame);
    this.stage.invalidate();
  }

  show(frame: Frame): void {
    this.frame = frame;
    if (!this.lines.visible) return;
    const attribute = this.lines.geometry.getAttribute('position') as BufferAttribute;
    let used = 0;
    this.cast.bodies.forEach((body, index) => {
      if (frame.presence[index] === REMOVED || this.cast.shapes[body.shape].kind === 'plane' || (this.only ?? index) !== index) return;
      const box = shapeBounds(this.cast.shapes, body.shape, frame.poses, 7 * index, frame.vertices?.get(index));
      for (const corner of SIDES) {
        attribute.setXYZ(used++, box[corner & 1 ? 3 : 0], box[corner & 2 ? 4 : 1], box[corner & 4 ? 5 : 2]);
      }
    });
    attribute.needsUpdate = true;
    this.lines.geometry.setDrawRange(0, used);
  }
}
