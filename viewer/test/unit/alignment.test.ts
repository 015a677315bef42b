/** Angles of alignment against closed cases: those of test/assets/test_measures.py, and a run. */
import { describe, expect, test } from 'vitest';
import { AlignmentMeter, faceNormals, measureAlignment } from '../../src/replay/alignment';
import { Decoder } from '../../src/run/decoder';
import { PageRun } from '../../src/run/page';
import type { Cast } from '../../src/run/run';
import { body, boxShape, madeRun, makeBlocks, makeHead } from '../support/make_page';

const about = ([x, y, z]: number[], angle: number) => {
  const size = Math.hypot(x, y, z), s = Math.sin(angle / 2) / size;
  return [s * x, s * y, s * z, Math.cos(angle / 2)];
};
const cast: Cast = {
  bodies: [body('floor', 0, 'static'), body('cube', 1), body('compound', 2), body('ball', 3)],
  shapes: [
    { kind: 'plane', normal: [0, 0, 1], offset: 0 }, boxShape(1),
    { kind: 'compound', parts: [{ shape: 1, pose: [0, 0, 0, ...about([1, 0, 0], 0.2)] }] }, { kind: 'sphere', radius: 1 },
  ],
  gravity: [0, 0, -9.81], size: 1,
};

function measure(turns: (number[] | null)[], of = cast): AlignmentMeter {
  const meter = new AlignmentMeter(of);
  const poses = [[0, 0, 0, 1], ...turns, [0, 0, 0, 1]].flatMap((turn) => [0, 0, 0, ...(turn ?? [NaN, NaN, NaN, NaN])]);
  meter.measure(Float64Array.from(poses), Uint8Array.from([1, ...turns.map((turn) => (turn ? 2 : 0)), 2]));
  return meter;
}

describe('the angle to the nearest face', () => {
  test('normals are outward, those of parts are turned, balls have none', () => {
    expect(faceNormals(cast.shapes, 1).map((n) => Math.round(n)).sort()).toEqual([-1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1]);
    const turned = faceNormals(cast.shapes, 2), wanted = [0, -Math.sin(0.2), Math.cos(0.2)];
    expect(Math.min(...[0, 3, 6, 9, 12, 15].map((i) => Math.hypot(...wanted.map((x, k) => x - turned[i + k]))))).toBeLessThan(1e-15);
    expect(faceNormals(cast.shapes, 3)).toEqual([]);
  });

  const angles = [0, 1e-12, 1e-7, 0.3, Math.PI], ofCompound = [0.2, 0.2 + 1e-12, 0.2 + 1e-7, 0.5, 0.2];
  angles.forEach((angle, i) => test(`turned by ${angle}`, () => {
    const meter = measure([about([1, 1, 0], angle), about([1, 0, 0], angle)]), ofCube = angle === Math.PI ? 0 : angle;
    expect(Math.abs(meter.worst - Math.max(ofCube, ofCompound[i]))).toBeLessThan(1e-14);
    expect(Math.abs(meter.mean - (ofCube + ofCompound[i]) / 2)).toBeLessThan(1e-14);
  }));

  test('a removed body counts nowhere', () => {
    expect(measure([null, about([1, 0, 0], 0)]).worst).toBeCloseTo(0.2, 14);
    expect(measure([null, null]).worst).toBeNaN();
  });

  test('the vertical is where gravity points', () => {
    const sideways: Cast = { ...cast, gravity: [0, 3, 0] };
    expect(measure([about([0, 0, 1], 0.1), null], sideways).worst).toBeCloseTo(0.1, 14);
  });
});

test('all frames of a run, in the background', async () => {
  const made = madeRun(40, 2, { chunk: 16 });
  made.frames.forEach((frame, f) => (frame.poses[1] = [0, 0, 0.25, ...about([1, 0, 0], 0.01 * f)]));
  const blocks = makeBlocks(made);
  const run = await PageRun.open(JSON.stringify(makeHead(made, blocks)), { text: (block) => blocks[block].text }, new Decoder(false));
  const found = await measureAlignment(run, () => true);
  for (const f of [0, 10, 39]) expect(Math.abs((found?.worst[f] ?? 1) - 0.01 * f)).toBeLessThan(3e-6);
});
