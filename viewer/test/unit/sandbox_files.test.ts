/** Recordings in memory, scenes that are saved, and files that are dropped. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyContacts, type Cast, type Frame, type JointKind } from '../../src/run/run';
import type { Head } from '../../src/sandbox/engine';
import { openFiles } from '../../src/sandbox/files';
import type { Recorded } from '../../src/sandbox/protocol';
import { Recording } from '../../src/sandbox/recording';
import { saveScene, shapeJson } from '../../src/sandbox/save';
import { meshFiles, methodOf, OFFERS, sceneText, solverOf, withMethod } from '../../src/sandbox/scenes';
import { command, scratch } from '../support/browser';

const box = [-1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1, -1, -1, 1, 1, -1, 1, -1, 1, 1, 1, 1, 1];
const cast: Cast = {
  bodies: ['floor', 'brick', 'grain.1', 'grain.2', 'stone'].map((name, shape) => ({
    name, kind: shape ? 'dynamic' : 'static', shape: [0, 1, 2, 2, 3][shape], mass: shape ? 3 : 0, friction: 0.5, restitution: 0, centre: [0, 0, 0],
  })),
  shapes: [
    { kind: 'plane', normal: [0, 0, 1], offset: 0 },
    { kind: 'box', vertices: box.map((x, i) => x * [0.1, 0.2, 0.3][i % 3]) },
    { kind: 'sphere', radius: 0.05 },
    { kind: 'polytope', vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], face_first: [0, 3, 6, 9, 12], face_vertices: [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2] },
  ],
  gravity: [0, 0, -9.81], size: 0.1,
};
const original = {
  abut_scene: 1, title: 'Some', duration: 3, dt: 0.01, materials: { clay: { density: 1500 } },
  shapes: { brick: { box: { half: [0.1, 0.2, 0.3] } }, unused: { sphere: { radius: 1 } } },
  bodies: [
    { name: 'floor', kind: 'static', shape: { plane: { normal: [0, 0, 1] } } },
    { name: 'brick', shape: 'brick', material: 'clay', position: [0, 0, 5] },
    { name: 'grain', shape: { sphere: { radius: 0.05 } }, material: 'clay', fill: { count: 2, lower: [0, 0, 0], upper: [1, 1, 1] } },
    { name: 'stone', shape: { mesh: { file: 'stone.obj' } }, density: 2000, velocity: [9, 9, 9] },
  ],
  actions: [
    { at: 1, remove: 'brick' },
    { at: 3, remove: 'brick' },
    { at: 4, remove: 'grain.1' },
    { at: 1, until: 4, spring: { body: 'stone', target: [0, 0, 0], target_end: [3, 0, 0] } },
  ],
};

function frame(presence: number[]): Frame {
  return {
    index: 0, step: 200, time: 2, presence: Uint8Array.from(presence), contacts: null, vertices: null,
    poses: Float64Array.from(cast.bodies.flatMap((_, i) => [i, 0, 0.1 * i, 0, 0, 0, 1])),
    velocities: Float64Array.from(cast.bodies.flatMap((_, i) => [i, 0, 0, 0, 0, 0])),
  };
}

function check(scene: unknown): string {
  const path = join(mkdtempSync(join(scratch, 'scene-')), 'saved.json');
  writeFileSync(path, JSON.stringify(scene, null, 1));
  return execFileSync(command, ['check', path], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

describe('a scene that is saved', () => {
  it('has the bodies that are there, where they are', () => {
    const saved = saveScene(original, cast, frame([1, 2, 0, 2, 2]), true);
    expect(saved['shapes']).toEqual({ brick: original.shapes.brick });
    const bodies = saved['bodies'] as Record<string, unknown>[];
    expect(bodies.map((body) => body['name'])).toEqual(['floor', 'brick', 'grain.2', 'stone']);
    expect(bodies[1]).toEqual({
      name: 'brick', kind: 'dynamic', shape: 'brick', material: 'clay', position: [1, 0, 0.1], rotation: { quaternion: [0, 0, 0, 1] }, velocity: [1, 0, 0],
    });
    expect(bodies[2]).toMatchObject({ shape: { sphere: { radius: 0.05 } }, mass: 3, material: 'clay' });
    expect(bodies[3]).not.toHaveProperty('density');
    expect(bodies[3]).toHaveProperty('shape.polytope.vertices');
  });

  it('has the actions that are to come, counted from now', () => {
    const saved = saveScene(original, cast, frame([1, 2, 0, 2, 2]), true);
    expect(saved['actions']).toEqual([
      { at: 1, remove: 'brick' },
      { at: 0, until: 2, spring: { body: 'stone', target: [1, 0, 0], target_end: [3, 0, 0] } },
    ]);
    expect(saveScene(original, cast, frame([1, 2, 0, 2, 2]), false)).not.toHaveProperty('actions');
  });

  it.skipIf(!existsSync(command))('is one that the command accepts', () => {
    expect(check(saveScene(original, cast, frame([1, 2, 2, 2, 2]), true))).toContain('OK, 5 bodies');
  });

  it('knows a body that was thrown in', () => {
    const more = { ...cast, bodies: [...cast.bodies, { ...cast.bodies[2], name: 'body_6', shape: 2 }] };
    const now = frame([1, 2, 2, 2, 2]);
    const saved = saveScene(original, more, {
      ...now, presence: Uint8Array.from([1, 2, 2, 2, 2, 2]), poses: Float64Array.from([...now.poses, 9, 9, 9, 0, 0, 0, 1]), velocities: new Float64Array(36),
    }, false);
    expect((saved['bodies'] as unknown[]).at(-1)).toMatchObject({ name: 'body_6', mass: 3, friction: 0.5, shape: { sphere: { radius: 0.05 } } });
  });

  it('does not lose a body that deforms without a word', () => {
    const deforming = { ...original, bodies: original.bodies.map((body) => ({ ...body, deform: [] })) };
    expect(() => saveScene(deforming, cast, frame([1, 2, 2, 2, 2]), false)).toThrow(/deforms/);
  });

  it('writes shapes out', () => {
    expect(shapeJson(cast.shapes, 1)).toEqual({ box: { half: [expect.closeTo(0.1), expect.closeTo(0.2), expect.closeTo(0.3)] } });
    expect(shapeJson([{ kind: 'compound', parts: [{ shape: 1, pose: [1, 2, 3, 0, 0, 0, 1] }] }, { kind: 'capsule', radius: 1, half_length: 2 }], 0)).toEqual({
      compound: [{ shape: { capsule: { radius: 1, half_length: 2 } }, position: [1, 2, 3], rotation: { quaternion: [0, 0, 0, 1] } }],
    });
    expect(() => shapeJson([{ kind: 'implicit' }], 0)).toThrow(/implicit/);
  });

  it('keeps both sides of a mesh', () => {
    const sheet = { ...cast, shapes: [...cast.shapes.slice(0, 3), { kind: 'trimesh' as const, vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0], face_first: [0, 3], face_vertices: [0, 1, 2] }] };
    const scene = (shape: unknown) => ({
      ...original, shapes: { ...original.shapes, sheet: { trimesh: { file: 'sheet.obj', two_sided: true } } },
      bodies: [...original.bodies.slice(0, 3), { name: 'stone', kind: 'static', shape }],
    });
    const saved = (shape: unknown) => (saveScene(scene(shape), sheet, frame([1, 2, 2, 2, 2]), false)['bodies'] as { shape: unknown }[]).at(-1)?.shape;
    const whole = { vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 2]] };
    expect(saved('sheet')).toEqual({ trimesh: { ...whole, two_sided: true } });
    expect(saved({ trimesh: { file: 'sheet.obj' } })).toEqual({ trimesh: whole });
  });
});

/** A hinge that a motor turns three times round, a rope, a wheel on a spring, and a ball joint whose ball is taken away; frames on bodies as a scene places them. */
describe('joints that are saved', () => {
  const bodies = [
    { name: 'post', kind: 'static', shape: { sphere: { radius: 0.1 } }, position: [0, 0, 3] },
    { name: 'arm', shape: { box: { half: [0.5, 0.05, 0.05] } }, position: [0.6, 0, 3], touches: [] },
    { name: 'bob', shape: { sphere: { radius: 0.1 } }, position: [1.1, 0, 2.5], mass: 0.5, mass_centre: [0, 0, -0.05], touches: [] },
    { name: 'rim', shape: { sphere: { radius: 0.2 } }, position: [0, 3, 3], group: -1 },
    { name: 'gone', shape: { sphere: { radius: 0.1 } }, position: [5, 0, 3], rolling_friction: 0.01 },
  ];
  const joints = [
    { kind: 'revolute', a: 'post', b: 'arm', position: [0, 0, 3], rotation: { quaternion: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] }, lower: -1, upper: 30, motor: { position: 20, max_speed: 12, max_force: 1e4 } },
    { kind: 'distance', a: 'arm', b: 'bob', position: [1.1, 0, 3], position_b: [1.1, 0, 2.6], break_force: 1e6 },
    { kind: 'wheel', a: 'post', b: 'rim', position: [0, 3, 3], rotation: { quaternion: [0, -Math.SQRT1_2, 0, Math.SQRT1_2] }, stiffness: 4000, damping: 100, motor: { speed: 5, max_force: 3 } },
    { kind: 'spherical', a: 'post', b: 'gone', position: [4, 0, 3] },
  ];
  const scene = { abut_scene: 1, title: 'Joined', duration: 1.5, dt: 1 / 60, bodies, joints, never_touch: [['arm', 'rim'], ['rim', 'gone']] };
  const index = (name: string) => bodies.findIndex((body) => body.name === name);
  const joined: Cast = {
    bodies: bodies.map(({ name, kind }, shape) => ({ name, kind: kind === 'static' ? 'static' : 'dynamic', shape, mass: 1, friction: 0.5, restitution: 0, centre: [0, 0, 0] })),
    shapes: bodies.map(() => ({ kind: 'sphere', radius: 1 })), gravity: [0, 0, -9.81], size: 0.1,
    joints: joints.map((joint) => {
      const turn = joint.rotation?.quaternion ?? [0, 0, 0, 1], limits = joint as { lower?: number; upper?: number };
      const own = (body: string, at: number[]) => [...at.map((x, i) => x - bodies[index(body)].position[i]), ...turn];
      return {
        kind: joint.kind as JointKind, a: index(joint.a), b: index(joint.b), frame_a: own(joint.a, joint.position), frame_b: own(joint.b, joint.position_b ?? joint.position),
        lower: limits.lower ?? null, upper: limits.upper ?? null, motor: joint.motor ? ('speed' in joint.motor ? 'speed' : 'position') : 'off',
        target: (joint.motor as { position?: number } | undefined)?.position ?? 5, stiffness: 0, rest: joint.kind === 'distance' ? 0.4 : 0, ratio: 1, break_force: null, break_torque: null,
      };
    }),
  };
  const folder = () => mkdtempSync(join(scratch, 'joined-'));

  /** The bodies and joints of the last frame of a run. */
  function run(what: unknown, seconds: number): { poses: number[][]; velocities: number[][]; joints: number[][] } {
    const at = folder(), file = join(at, 'scene.json'), recording = join(at, 'run.h5');
    writeFileSync(file, JSON.stringify(what));
    execFileSync(command, ['run', file, '-o', recording, '--duration', String(seconds), '--quiet']);
    const table = (name: string) => {
      const rows = execFileSync(command, ['export', recording, '-', '--table', name], { encoding: 'utf8' }).trim().split('\n').map((line) => line.split(','));
      return rows.filter((row) => row[0] === rows.at(-1)![0]);
    };
    const rows = table('bodies'), of = bodies.map(({ name }) => rows.find((row) => row[2] === name));
    return {
      poses: of.map((row) => (row ? row.slice(4, 11).map(Number) : [0, 0, 0, 0, 0, 0, 1])), velocities: of.map((row) => (row ? row.slice(11, 17).map(Number) : [0, 0, 0, 0, 0, 0])),
      joints: table('joints').map((row) => row.slice(7, 9).map(Number)),
    };
  }

  it.skipIf(!existsSync(command))('go on as in the run that was not saved', () => {
    const half = run(scene, 1);
    const now: Frame = {
      index: 0, step: 60, time: 1, presence: Uint8Array.from([1, 2, 2, 2, 0]), contacts: null, vertices: null,
      poses: Float64Array.from(half.poses.flat()), velocities: Float64Array.from(half.velocities.flat()),
      joints: { hold: Uint8Array.from([2, 2, 2, 0]), cells: Float64Array.from(half.joints.flatMap((cells) => [...cells, 0, 0, 0, 0, 0, 0])) },
    };
    const saved = saveScene(scene, joined, now, false);
    const entries = saved['joints'] as Record<string, unknown>[];
    expect(entries.map((entry) => entry['kind'])).toEqual(['revolute', 'distance', 'wheel']);
    expect(entries[1]).toMatchObject({ rest: 0.4, break_force: 1e6 });
    const turned = half.joints[0][0];
    expect(turned).toBeGreaterThan(3.2);
    const turns = 2 * Math.PI * Math.round(turned / (2 * Math.PI));
    expect(entries[0]).toMatchObject({ lower: -1 - turns, upper: 30 - turns, motor: { position: 20 - turns, max_speed: 12, max_force: 1e4 } });
    expect(saved['never_touch']).toEqual([['arm', 'rim']]);
    expect((saved['bodies'] as Record<string, unknown>[])[2]).toMatchObject({ name: 'bob', touches: [], mass: 0.5, mass_centre: [0, 0, -0.05] });
    expect(check(saved)).toContain('OK, 4 bodies');
    const whole = run({ ...scene, bodies: bodies.slice(0, 4), joints: joints.slice(0, 3), never_touch: [] }, 1.5), rest = run(saved, 0.5);
    for (const body of [1, 2, 3]) for (const [i, x] of whole.poses[body].slice(0, 3).entries()) expect(rest.poses[body][i]).toBeCloseTo(x, 6);
    expect(rest.joints[0][0] + turns).toBeCloseTo(whole.joints[0][0], 6);
  });
});

describe('a recording', () => {
  const head: Head = { ...cast, title: 'Some', dt: 0.01 };
  const one = (step: number): Recorded => ({
    ...frame([1, 2, 2, 2, 2]), step, time: step / 100, velocities: new Float64Array(30), contacts: emptyContacts(2), joints: null, lit: new Set([step]),
    report: { contacts: 2, awake: 4, maxPenetration: 0, kineticEnergy: step, potentialEnergy: 0, springEnergy: 0 },
  });

  it('is a run', async () => {
    const recording = new Recording('some', head, true);
    expect(recording.add([one(0), one(1), one(2)])).toBe(true);
    expect(recording.frameCount).toBe(3);
    expect((await recording.frame(1)).step).toBe(1);
    expect(recording.frameTime(2)).toBe(0.02);
    expect([...(await recording.steps()).get('kinetic_energy')!]).toEqual([0, 1, 2]);
    await expect(recording.frame(3)).rejects.toThrow(RangeError);
    expect(recording.peek(-1)).toBeNull();
  });

  it('takes no more than it has room for, and keeps what it has', () => {
    const each = 5 * (13 * 8 + 1) + 2 * 176, recording = new Recording('some', head, true, 10 * each);
    expect(recording.add(Array.from({ length: 9 }, (_, i) => one(i)))).toBe(true);
    expect(recording.add([one(9), one(10)])).toBe(false);
    expect(recording.add([one(11)])).toBe(false);
    expect(recording.frameCount).toBe(10);
    expect(recording.used).toBe(1);
    expect(recording.lasts).toBeCloseTo(0.1);
  });

  it('gives frames from before a body came without it', () => {
    const recording = new Recording('some', head, false);
    recording.add([one(0)]);
    recording.extend({ ...cast, bodies: [...cast.bodies, cast.bodies[1]] });
    expect([...recording.peek(0)!.presence]).toEqual([1, 2, 2, 2, 2, 0]);
  });

  it('is a table with a line for each body that is there', () => {
    const recording = new Recording('some', head, false);
    recording.add([{ ...one(5), presence: Uint8Array.from([1, 0, 1, 0, 2]) }]);
    const lines = recording.csv().join('').trimEnd().split('\n');
    expect(lines).toEqual([
      'step,time,body,awake,x,y,z,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz',
      '5,0.05,floor,0,0,0,0,0,0,0,1,0,0,0,0,0,0',
      '5,0.05,grain.1,0,2,0,0.2,0,0,0,1,0,0,0,0,0,0',
      '5,0.05,stone,1,4,0,0.4,0,0,0,1,0,0,0,0,0,0',
    ]);
  });
});

describe('scenes', () => {
  it('come along with the meshes that they name', () => {
    for (const offer of OFFERS) {
      const text = sceneText(offer.name), names = meshFiles(text).map((file) => file.path);
      const wanted = [...text.matchAll(/"file": "([^"]*)"/g)].map((match) => match[1]);
      expect(names.sort(), offer.name).toEqual([...new Set(wanted)].sort());
      expect(offer.task.length).toBeGreaterThan(20);
    }
  });

  it('have contacts by the method that was chosen', () => {
    const text = sceneText('wall');
    expect(methodOf(text)).toBe('patch');
    expect(withMethod(text, 'patch')).toBe(text);
    const other = withMethod(text, 'tracking');
    expect(methodOf(other)).toBe('tracking');
    expect(JSON.parse(other)).toMatchObject({ title: 'Brick wall', contact: { method: 'tracking' } });
    expect(withMethod('{"a', 'tracking')).toBe('{"a');
  });

  it('name what solves their contacts', () => {
    expect(solverOf('{"bodies": []}')).toBe('quick, effort 8');
    expect(solverOf('{"stepper": {"kind": "fixed", "effort": 4}}')).toBe('quick, effort 4');
    expect(solverOf('{"stepper": {"exact": true, "effort": 4}}')).toBe('exact');
    expect(solverOf(withMethod(sceneText('wall'), 'tracking'))).toBe('exact');
    expect(solverOf('{"stepper": {"kind": "event"}}')).toBe('event');
    expect(solverOf('{"a')).toBe('–');
  });

  it('are opened with meshes where they look for them', async () => {
    const scene = new File(['{"bodies": [{"shape": {"mesh": {"file": "../parts/gear.obj"}}}]}'], 'my.json');
    const opened = await openFiles([new File(['v 0 0 0'], 'gear.obj'), scene, new File(['x'], 'other.stl')]);
    expect(opened.name).toBe('my.json');
    expect(opened.files.map((file) => file.path)).toEqual(['../parts/gear.obj', 'other.stl']);
    await expect(openFiles([new File([''], 'a.obj')])).rejects.toThrow(/No scene/);
    await expect(openFiles([scene, scene])).rejects.toThrow(/More than one/);
  });
});

