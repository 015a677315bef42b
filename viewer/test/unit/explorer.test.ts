/** The explorer's states, links, questions and the features that a normal picks on Gauss maps. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { EXAMPLES } from '../../src/explorer/examples';
import { hullFile, resolved } from '../../src/explorer/files';
import { anglesOf, rotationOf } from '../../src/explorer/form';
import { collideArguments, commandLine, depthArguments, poseNumbers, readAnswer } from '../../src/explorer/question';
import { KINDS, putTogether, takeApart, usualShape } from '../../src/explorer/shapes';
import { collideState, defaultLayers, depthState, LAYERS, readState, WORDS, writeState, type Pose, type State } from '../../src/explorer/state';
import { facesOf, greatArc, split, takingPart, type GaussMap } from '../../src/scene/gaussmap';
import { sources } from '../support/browser';

/** Numbers that are the same in each run: a linear congruential generator. */
function random(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

const pick = <T>(next: () => number, from: readonly T[]): T => from[Math.floor(next() * from.length)];

function randomPose(next: () => number): Pose {
  const real = () => (next() < 0.2 ? 0 : (next() - 0.5) * 10 ** Math.floor(12 * next() - 6));
  return { position: [real(), real(), real()], rotation: next() < 0.3 ? [0, 0, 0, 1] : [next() + 0.1, real(), real(), real()] };
}

function randomState(next: () => number): State {
  const layers = Object.fromEntries(LAYERS.map((layer) => [layer, next() < 0.5])) as Record<(typeof LAYERS)[number], boolean>;
  const camera = next() < 0.5 ? null : ([1, 2, 3, 4, 5, 6].map(() => next() * 10) as [number, number, number, number, number, number]);
  if (next() < 0.3) {
    const weight = () => (next() < 0.3 ? ('static' as const) : next() + 0.01);
    return depthState(Array.from({ length: 24 }, () => next() - 0.5), { mode: pick(next, WORDS.mode), weightA: weight(), weightB: weight(), layers, camera });
  }
  const shapes = ['box:1,2,3', 'sphere:1e-7', 'superquadric:1,1,1,0.3,1.7', 'trimesh:scale=2:two-sided:a file & more.obj', 'hull:0,0,0,1,0,0,0,1,0,0,0,1', 'gear.obj'];
  return collideState(pick(next, shapes), next() < 0.1 ? ['trimesh:a.obj', 'trimesh:at=1,0,0:b.obj'] : pick(next, shapes), {
    poseA: randomPose(next), poseB: randomPose(next), layers, camera,
    settings: {
      margin: next() < 0.5 ? 0 : next(), featureAngle: next() * 45, normal: pick(next, WORDS.normal), contraction: pick(next, WORDS.contraction),
      method: pick(next, WORDS.method), refine: next() < 0.5, reduce: Math.floor(next() * 5), meshRule: pick(next, WORDS['mesh-rule']),
      meshIdentity: pick(next, WORDS['mesh-identity']), hull: next() < 0.5,
    },
  });
}

describe('links', () => {
  it('restore every state', () => {
    const next = random(7);
    for (let i = 0; i < 3000; i++) {
      const state = randomState(next);
      expect(readState(`#${writeState(state)}`)).toEqual({ state, problem: '' });
    }
  });

  it('restore every example, and are short', () => {
    for (const { state } of EXAMPLES) {
      expect(readState(writeState(state)).state).toEqual(state);
      expect(writeState(state).length).toBeLessThan(260);
    }
    expect(writeState(EXAMPLES[0].state)).toBe('a=box:0.5,0.5,0.5&b=box:0.5,0.5,0.5&pose-a=0.25,0.25,0.99');
  });

  it('say what is wrong with them', () => {
    const wrong = [
      'a', 'a=box:1,1,1', 'b=box:1,1,1', 'a=&b=', 'a=sphere:1&b=sphere:1&pose=1,2', 'a=sphere:1&b=sphere:1&pose=1,2,x', 'a=sphere:1&b=sphere:1&pose=0,0,0,0,0,0,0',
      'a=sphere:1&b=sphere:1&margin=-1', 'a=sphere:1&b=sphere:1&feature-angle=50', 'a=sphere:1&b=sphere:1&normal=other', 'a=sphere:1&b=sphere:1&reduce=1.5',
      'a=sphere:1&b=sphere:1&show=all', 'a=sphere:1&b=sphere:1&view=1,2', 'a=%E0%A4%A&b=sphere:1', 'tetrahedra=1,2,3', 'tetrahedra=1&mode=x', 'nonsense', 'toString=1', '__proto__=1',
      'a=sphere:1&b=sphere:1&margin=NaN', 'a=sphere:1&b=sphere:1&margin=Infinity', 'a=sphere:1&b=sphere:1&margin=',
    ];
    for (const hash of wrong) {
      const { state, problem } = readState(hash);
      expect(state, hash).toBeNull();
      expect(problem, hash).not.toBe('');
    }
    expect(readState('#')).toEqual({ state: null, problem: '' });
  });
});

describe('questions', () => {
  it('have what differs from the defaults as options', () => {
    const state = collideState('box:1,1,1', 'sphere:1', { poseA: { position: [0.5, -0, 1e-7], rotation: [0, 0, 0, 1] }, settings: { normal: 'growth', refine: false, reduce: 4, hull: true } });
    expect(collideArguments(state)).toEqual(
      ['collide', 'box:1,1,1', 'sphere:1', '--pose-a', '0.5,0,1e-7', '--normal', 'growth', '--no-refine', '--reduce', '4', '--hull', '--json']);
    expect(depthArguments(depthState([], { mode: 'best-k', bestK: 3, weightB: 'static' }))).toEqual(
      ['depth', '--pairs', 'pair.csv', '--mode', 'best-k', '--best-k', '3', '--weight-b', 'static', '--json']);
  });

  it('can be typed into a shell', () => {
    expect(commandLine(collideState("it's.obj", 'sphere:1'))).toBe(`abut collide 'it'\\''s.obj' sphere:1 --json`);
  });

  it('tell what the command says is wrong', () => {
    const done = { status: 2, out: '', err: "abut collide: 'box:0,1,1': a box takes HALF_X\nTry 'abut collide --help'.\n" };
    expect(readAnswer(done)).toEqual({ answer: null, text: '', problem: "'box:0,1,1': a box takes HALF_X" });
  });

  it('take hulls of points from files', () => {
    const state = collideState('hull:0,0,0,1,0,0,0,1,0,0,0,1', 'sphere:1');
    expect(resolved(state).state).toMatchObject({ a: 'points_a.obj', settings: { hull: true } });
    expect(hullFile([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1])).toBe('v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 2 3 4\n');
  });

  it('turn by angles and back', () => {
    for (const angles of [[0, 0, 0], [30, -45, 60], [90, 0, 0], [0, 0, -170]]) {
      expect(anglesOf({ position: [0, 0, 0], rotation: rotationOf(angles) }).map((x, k) => Math.abs(x - angles[k]) < 1e-5)).toEqual([true, true, true]);
    }
    expect(poseNumbers({ position: [1, 2, 3], rotation: [0, 0, 2, 2] }).slice(3)).toEqual([0, 0, Math.SQRT1_2, Math.SQRT1_2].map((x) => expect.closeTo(x, 15)));
  });
});

describe('shapes', () => {
  it('come apart and together', () => {
    for (const { name } of KINDS) {
      const argument = usualShape(name, 'x.obj');
      expect(putTogether(takeApart(argument))).toBe(argument);
    }
    expect(takeApart('trimesh:scale=2:two-sided:at=1,0,0:a.obj')).toMatchObject({ words: 'scale=2:two-sided:at=1,0,0:', file: 'a.obj' });
    expect(takeApart('prism:1,2').numbers).toEqual([1, 2, 32]);
  });
});

describe('figures', () => {
  it('are those of the scripts that draw them', () => {
    const made = execFileSync('python3', [join(sources, 'scripts/make/explorer_figures.py'), '--print'], { encoding: 'utf8' });
    expect(readFileSync(join(sources, 'viewer/src/explorer/figures.json'), 'utf8')).toBe(made);
  });
});

/** A cube: faces -x, +x, -y, +y, -z, +z. */
const CUBE: GaussMap = {
  normals: [[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]],
  edges: [[2, 4], [1, 4], [3, 4], [0, 4], [2, 5], [1, 5], [3, 5], [0, 5], [0, 2], [1, 2], [1, 3], [0, 3]],
  vertices: [[0, 2, 4], [1, 4, 2], [0, 4, 3], [1, 3, 4], [0, 5, 2], [1, 2, 5], [0, 3, 5], [1, 5, 3]],
};

describe('Gauss maps', () => {
  const up = new Vector3(0, 0, 1);

  it('know which faces have a feature', () => {
    expect(facesOf(CUBE, { kind: 'edge', index: 5 })).toEqual([1, 5]);
    expect(facesOf(CUBE, { kind: 'vertex', index: 7 })).toEqual([1, 5, 3]);
    expect(facesOf(CUBE, { kind: 'face', index: 9 })).toEqual([]);
    expect(facesOf(CUBE, { kind: 'smooth', index: 0 })).toEqual([]);
  });

  it('know which feature takes part', () => {
    const corners = (...features: ['face' | 'edge' | 'vertex', number][]) => features.map(([kind, index]) => ({ kind, index }));
    expect(takingPart(CUBE, corners(['vertex', 7], ['edge', 5], ['face', 5], ['edge', 6]), up, 2)).toEqual({ kind: 'face', index: 5 });
    expect(takingPart(CUBE, corners(['vertex', 7]), up, 2)).toEqual({ kind: 'vertex', index: 7 });
    const between = new Vector3(1, 0, 1).normalize();
    expect(takingPart(CUBE, corners(['vertex', 5], ['vertex', 7]), between, 2)).toEqual({ kind: 'edge', index: 5 });
    expect(takingPart(CUBE, corners(['vertex', 5], ['vertex', 7]), up, 2)).toEqual({ kind: 'face', index: 5 });
    expect(takingPart(CUBE, [{ kind: 'smooth', index: 0 }], up, 2)).toBeNull();
  });

  it('have arcs on the unit sphere, in front of the picture or behind it', () => {
    const arc = greatArc(new Vector3(1, 0, 1).normalize(), new Vector3(1, 0, -1).normalize());
    expect(arc.every((p) => Math.abs(p.length() - 1) < 1e-12)).toBe(true);
    const { front, back } = split(arc);
    expect([front.length, back.length]).toEqual([1, 1]);
    expect(front[0].at(-1)?.distanceTo(back[0][0])).toBeLessThan(1e-12);
    expect(front[0].at(-1)?.z).toBeCloseTo(0, 12);
    expect(split(greatArc(new Vector3(0, 1, 0), new Vector3(0, 0, 1).applyQuaternion(new Quaternion()))).back).toEqual([]);
  });
});

it('all layers are shown or not', () => expect(Object.keys(defaultLayers())).toEqual([...LAYERS]));
