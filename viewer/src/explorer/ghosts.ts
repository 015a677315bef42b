/**
 * The growth distance in the scene: both bodies scaled by alpha about their contraction points as ghosts, which touch in one point, and the two points
 * of the surfaces that the scaling carries there (the witnesses).
 */
import { BufferGeometry, Color, DoubleSide, EdgesGeometry, Group, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial, Quaternion, SphereGeometry, Vector3 } from 'three';
import type { Vec3 } from '../run/run';
import { shapeGeometry } from '../scene/geometry';
import type { Stage } from '../scene/stage';
import { Strokes } from '../scene/strokes';
import { takeOut } from '../scene/takeout';
import { poseNumbers, type Drawn, type Growth } from './question';
import type { Pose } from './state';

const dot = () => {
  const made = new Mesh(new SphereGeometry(1, 16, 10), new MeshBasicMaterial({ depthTest: false, transparent: true }));
  made.renderOrder = 5;
  return made;
};

/** One body's ghost. */
class Ghost {
  readonly group = new Group();
  private readonly surface: Mesh<BufferGeometry, MeshBasicMaterial>;
  private readonly lines: LineSegments<BufferGeometry, LineBasicMaterial>;

  constructor(drawn: Drawn) {
    const geometry = shapeGeometry(drawn.shapes, drawn.root);
    this.surface = new Mesh(geometry, new MeshBasicMaterial({ transparent: true, opacity: 0.1, side: DoubleSide, depthWrite: false, depthTest: false }));
    this.lines = new LineSegments(new EdgesGeometry(geometry, 12), new LineBasicMaterial({ transparent: true, opacity: 0.9, depthTest: false }));
    // Over the bodies, in which they lie where these overlap.
    this.surface.renderOrder = this.lines.renderOrder = 2;
    this.group.matrixAutoUpdate = false;
    this.group.add(this.surface, this.lines);
  }

  /** Scale the posed shape about a point. */
  place(pose: Pose, about: Vec3, factor: number): void {
    const [x, y, z, qx, qy, qz, qw] = poseNumbers(pose);
    const posed = new Matrix4().compose(new Vector3(x, y, z), new Quaternion(qx, qy, qz, qw), new Vector3(1, 1, 1));
    const scaled = new Matrix4().makeTranslation(...about).scale(new Vector3(factor, factor, factor)).multiply(new Matrix4().makeTranslation(-about[0], -about[1], -about[2]));
    this.group.matrix.multiplyMatrices(scaled, posed);
    this.group.matrixWorldNeedsUpdate = true;
  }

  paint(colour: Color): void {
    this.surface.material.color.copy(colour);
    this.lines.material.color.copy(colour);
  }
}

export class GrowthLayer {
  private readonly group = new Group();
  private readonly a: Ghost;
  private readonly b: Ghost;
  private readonly touch = dot();
  private readonly contraction = [dot(), dot()];
  private readonly witness = [dot(), dot()];
  private readonly strokes = new Strokes(false, 1);
  private readonly forget: () => void;
  private shown = { growth: false, witness: false };
  private growth: Growth | null = null;

  constructor(private readonly stage: Stage, a: Drawn, b: Drawn, private readonly radius: number) {
    this.a = new Ghost(a);
    this.b = new Ghost(b);
    this.group.add(this.a.group, this.b.group, this.touch, ...this.contraction, ...this.witness, this.strokes.object);
    stage.world.add(this.group);
    this.forget = stage.onTheme((palette) => {
      this.a.paint(palette.bodyA);
      this.b.paint(palette.bodyB);
      this.touch.material.color.copy(palette.force);
      [palette.bodyA, palette.bodyB].forEach((colour, i) => {
        this.contraction[i].material.color.copy(colour);
        this.witness[i].material.color.copy(palette.bounds);
      });
      this.draw();
    });
  }

  dispose(): void {
    this.forget();
    takeOut(this.group);
  }

  show(growth: Growth | null, poseA: Pose, poseB: Pose, shown: { growth: boolean; witness: boolean }): void {
    this.growth = growth;
    this.shown = shown;
    if (growth) {
      this.a.place(poseA, growth.contraction_a, growth.alpha);
      this.b.place(poseB, growth.contraction_b, growth.alpha);
    }
    this.draw();
  }

  private draw(): void {
    const { growth, shown, radius } = this, { palette } = this.stage;
    const at = (mark: Mesh, point: Vec3, size: number, visible: boolean) => {
      mark.position.set(...point);
      mark.scale.setScalar(size);
      mark.visible = visible;
    };
    this.group.visible = growth !== null && (shown.growth || shown.witness);
    this.strokes.clear();
    if (growth) {
      this.a.group.visible = this.b.group.visible = shown.growth && growth.alpha > 0;
      at(this.touch, growth.touch, 1.1 * radius, shown.growth);
      at(this.contraction[0], growth.contraction_a, 0.8 * radius, shown.growth);
      at(this.contraction[1], growth.contraction_b, 0.8 * radius, shown.growth);
      at(this.witness[0], growth.on_a, 0.9 * radius, shown.witness);
      at(this.witness[1], growth.on_b, 0.9 * radius, shown.witness);
      const v = (p: Vec3) => new Vector3(...p);
      if (shown.growth) {
        this.strokes.line(v(growth.contraction_a), v(growth.touch), palette.force);
        this.strokes.line(v(growth.contraction_b), v(growth.touch), palette.force);
      }
      if (shown.witness) this.strokes.line(v(growth.on_a), v(growth.on_b), palette.bounds);
    }
    this.strokes.finish();
    this.stage.invalidate();
  }
}
