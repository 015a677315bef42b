/**
 * How far bodies are from lying flat: of each the angle between the vertical and its nearest face normal (0 for a box at rest on a floor), as
 * scripts/measure/recording.py has it; over all bodies that move and have flat faces, the worst and the mean. All frames must be gone through for it, which is done
 * in slices, while the page goes on.
 */
import { REMOVED, type Cast, type Run, type Shape } from '../run/run';

/** Outward unit normals of a shape's flat faces, in its frame, three numbers each, those that are equal once; none for round shapes. */
export function faceNormals(shapes: Shape[], index: number): number[] {
  const shape = shapes[index], found: number[] = [];
  const add = (n: number[]) => {
    for (let i = 0; i < found.length; i += 3) if (Math.hypot(found[i] - n[0], found[i + 1] - n[1], found[i + 2] - n[2]) < 1e-12) return;
    found.push(...n);
  };
  if (shape.kind === 'compound') {
    for (const part of shape.parts ?? []) {
      const own = faceNormals(shapes, part.shape);
      for (let i = 0; i < own.length; i += 3) add(rotate(part.pose.slice(3, 7), own.slice(i, i + 3)));
    }
  } else if (shape.kind === 'box' || shape.kind === 'polytope') {
    const first = shape.face_first ?? [], corner = shape.face_vertices ?? [], v = shape.vertices ?? [];
    for (let f = 0; f + 1 < first.length; f++) {
      const ring = corner.slice(first[f], first[f + 1]), n = [0, 0, 0];
      ring.forEach((p, i) => {
        const q = ring[(i + 1) % ring.length];
        for (let k = 0; k < 3; k++) {
          const [s, t] = [(k + 1) % 3, (k + 2) % 3];
          n[k] += (v[3 * p + s] - v[3 * q + s]) * (v[3 * p + t] + v[3 * q + t]);
        }
      });
      const size = Math.hypot(...n);
      if (size > 0) add(n.map((x) => x / size));
    }
  }
  return found;
}

function rotate([x, y, z, w]: number[], v: number[]): number[] {
  const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
  return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]];
}

/** Measures frames of one cast. */
export class AlignmentMeter {
  private readonly bodies: { body: number; normals: Float64Array }[] = [];
  private readonly down: number[];
  worst = 0;
  mean = 0;

  constructor(cast: Cast) {
    const size = Math.hypot(...cast.gravity);
    this.down = size > 0 ? cast.gravity.map((g) => g / size) : [0, 0, -1];
    const known = new Map<number, Float64Array>();
    cast.bodies.forEach(({ kind, shape }, body) => {
      if (kind !== 'dynamic') return;
      const normals = known.get(shape) ?? Float64Array.from(faceNormals(cast.shapes, shape));
      known.set(shape, normals);
      if (normals.length > 0) this.bodies.push({ body, normals });
    });
  }

  /** Whether any body has an angle. */
  get applies(): boolean {
    return this.bodies.length > 0;
  }

  /** Sets `worst` and `mean`, in radians; not numbers when no body is there. */
  measure(poses: Float64Array, presence: Uint8Array): void {
    const [gx, gy, gz] = this.down;
    let worst = 0, sum = 0, count = 0;
    for (const { body, normals } of this.bodies) {
      if (presence[body] === REMOVED) continue;
      const at = 7 * body;
      // The vertical in the body's frame: turned back.
      const x = -poses[at + 3], y = -poses[at + 4], z = -poses[at + 5], w = poses[at + 6];
      const tx = 2 * (y * gz - z * gy), ty = 2 * (z * gx - x * gz), tz = 2 * (x * gy - y * gx);
      const dx = gx + w * tx + y * tz - z * ty, dy = gy + w * ty + z * tx - x * tz, dz = gz + w * tz + x * ty - y * tx;
      let nearest = 0, most = -Infinity;
      for (let i = 0; i < normals.length; i += 3) {
        const cosine = dx * normals[i] + dy * normals[i + 1] + dz * normals[i + 2];
        if (cosine > most) {
          most = cosine;
          nearest = i;
        }
      }
      const nx = normals[nearest], ny = normals[nearest + 1], nz = normals[nearest + 2];
      const sine = Math.hypot(dy * nz - dz * ny, dz * nx - dx * nz, dx * ny - dy * nx);
      const angle = Math.atan2(sine, most);
      worst = Math.max(worst, angle);
      sum += angle;
      count++;
    }
    this.worst = count > 0 ? worst : NaN;
    this.mean = count > 0 ? sum / count : NaN;
  }
}

export interface Alignment { worst: Float64Array; mean: Float64Array }

/** Milliseconds of work at a time, and how long the page has for itself in between. */
const SLICE = 6;

/** Of all frames of a run; null when no body has flat faces, or when `progress` (called with the share that is done) says false. */
export async function measureAlignment(run: Run, progress: (share: number) => boolean): Promise<Alignment | null> {
  const meter = new AlignmentMeter(run);
  if (!meter.applies) return null;
  const worst = new Float64Array(run.frameCount).fill(NaN), mean = worst.slice();
  let began = performance.now(), ended = false;
  const visit = (index: number, poses: Float64Array, presence: Uint8Array) => {
    meter.measure(poses, presence);
    worst[index] = meter.worst;
    mean[index] = meter.mean;
  };
  const pause = async (done: number) => {
    if (performance.now() - began > SLICE) {
      ended = !progress(done / run.frameCount);
      await new Promise((resolve) => setTimeout(resolve));
      began = performance.now();
    }
    return !ended;
  };
  if (run.scanPoses) {
    await run.scanPoses(visit, pause);
  } else {
    for (let index = 0; index < run.frameCount; index++) {
      const frame = await run.frame(index);
      visit(index, frame.poses, frame.presence);
      if (!(await pause(index + 1))) break;
    }
  }
  return ended ? null : { worst, mean };
}
