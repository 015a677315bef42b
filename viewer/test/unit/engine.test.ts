/** The module and its wrapper, in Node: both variants. Needs `make module`. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { AWAKE, REMOVED, type Shape } from '../../src/run/run';
import { createEngine, type Engine, EngineError, type EngineFactory, hasVectors } from '../../src/engine/engine';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = process.env.ABUT_MODULE ?? join(root, 'build/viewer-module');

async function makeEngine(name: string): Promise<Engine> {
  // Vite must not look at it.
  const code = readFileSync(join(folder, `${name}.js`)).toString('base64');
  const { default: factory } = (await import(/* @vite-ignore */ `data:text/javascript;base64,${code}`)) as { default: EngineFactory };
  const engine = await createEngine(factory, new Uint8Array(readFileSync(join(folder, `${name}.wasm`))).buffer);
  for (const scene of ['wall.json', 'first_contact.json', 'two_cells.json', 'boxes_on_stairs.json']) {
    engine.writeFile(`scenes/${scene}`, readFileSync(join(root, 'scenes', scene)));
  }
  for (const mesh of readdirSync(join(root, 'scenes/meshes'))) {
    engine.writeFile(`scenes/meshes/${mesh}`, readFileSync(join(root, 'scenes/meshes', mesh)));
  }
  return engine;
}

/** Two boxes, one above the other, and the ground. */
const small = JSON.stringify({
  abut_scene: 1, title: 'Small', duration: 1, dt: 0.01,
  shapes: { cube: { box: { half: [0.5, 0.5, 0.5] } }, ground: { plane: { normal: [0, 0, 1] } } },
  bodies: [
    { name: 'ground', kind: 'static', shape: 'ground' },
    { name: 'lower', shape: 'cube', position: [0, 0, 0.5] },
    { name: 'upper', shape: 'cube', position: [0, 0, 1.5] },
  ],
  actions: [{ at: 0.5, remove: 'upper' }],
});

const near = (a: ArrayLike<number>, b: ArrayLike<number>, digits = 9) => Array.from(b).forEach((v, i) => expect(a[i]).toBeCloseTo(v, digits));

it('knows whether this machine has vectors', () => {
  expect(hasVectors()).toBe(true);
});

describe.skipIf(!existsSync(join(folder, 'abut.wasm')))('the module', () => {
  describe.each(['abut', 'abut-simd'])('%s', (name) => {
    let engine: Engine;
    beforeAll(async () => {
      engine = await makeEngine(name);
      engine.writeFile('small.json', small);
    });

    it('says what it is', () => {
      expect(engine.version).toMatch(/^\d+\.\d+\.\d+$/);
      expect(engine.simd).toBe(name.endsWith('simd'));
    });

    it('runs the command, again and again', () => {
      for (let i = 0; i < 3; i++) {
        const answer = engine.command(['collide', 'box:1,1,1', 'box:1,1,1', '--pose', '0.5,0.5,1.99', '--json']);
        expect(answer.status).toBe(0);
        expect((JSON.parse(answer.out) as { contacts: unknown[] }).contacts).toHaveLength(4);
        const wrong = engine.command(['collide', 'box:1', 'box:1,1,1']);
        expect(wrong).toMatchObject({ status: 2, out: '' });
        expect(wrong.err).toContain('HALF_X');
      }
      expect(engine.command(['--help']).out).not.toMatch(/^ +(run|export|view) /m);
      expect(engine.command(['run', 'small.json']).err).toContain("unknown command 'run'");
      expect(engine.command(['check', 'small.json']).status).toBe(0);
      expect(engine.command(['depth', 'scenes/meshes/tet_ball.msh', 'scenes/meshes/tet_torus.msh', '--pose', '1.9,0,0']).status).toBe(0);
    });

    it('leaves nothing on the stack, which a page would use up in some minutes of dragging', () => {
      const { native } = engine as unknown as { native: { stackSave(): number } };
      const before = native.stackSave();
      for (let i = 0; i < 5; i++) engine.command(['collide', 'box:1,1,1', 'sphere:1']);
      expect(native.stackSave()).toBe(before);
    });

    it('puts files where paths lead, also by way of folders above', () => {
      for (const path of ['./a.obj', '../b.obj', 'x/../c.obj', 'y/./d.obj']) engine.writeFile(path, path);
      for (const [path, text] of [['a.obj', './a.obj'], ['b.obj', '../b.obj'], ['c.obj', 'x/../c.obj'], ['y/d.obj', 'y/./d.obj']]) {
        expect(new TextDecoder().decode(engine.readFile(path))).toBe(text);
      }
      engine.writeFile('up.json', JSON.stringify({ abut_scene: 1, duration: 1, bodies: [{ name: 'gear', shape: { mesh: { file: '../other/gear.obj' } } }] }));
      engine.writeFile('../other/gear.obj', readFileSync(join(root, 'scenes/meshes/gear.obj')));
      expect(engine.load('up.json').bodies).toHaveLength(1);
    });

    it('loads a scene and says what is in it', () => {
      const head = engine.load('small.json');
      expect(head).toMatchObject({ title: 'Small', dt: 0.01, steps: 100, stepper: 'fixed', actions: 1, warnings: [], gravity: [0, 0, -9.81] });
      expect(head.bodies.map((body) => [body.name, body.kind, head.shapes[body.shape].kind])).toEqual([
        ['ground', 'static', 'plane'], ['lower', 'dynamic', 'box'], ['upper', 'dynamic', 'box']]);
      expect(head.bodies[1].mass).toBeCloseTo(1000);
      expect(head.shapes).toHaveLength(2);
      expect(head.shapes[head.bodies[1].shape].vertices).toHaveLength(24);
      expect(head.size).toBeCloseTo(Math.sqrt(3) / 2);
      expect(engine.bodyCount).toBe(3);
    });

    it('says what joints bear, and what happens', () => {
      const ball = (name: string, x: number) => ({ name, shape: { sphere: { radius: 0.1 } }, position: [x, 0, 1], mass: 2 });
      const rope = (b: string, x: number, most: number) => ({ kind: 'distance', a: 'gate', b, position: [x, 0, 2], position_b: [x, 0, 1], break_force: most });
      engine.writeFile('ropes.json', JSON.stringify({
        abut_scene: 1, dt: 0.01, duration: 1,
        bodies: [{ name: 'gate', kind: 'static', sensor: true, shape: { box: { half: [3, 3, 0.1] } }, position: [0, 0, 0.6] }, ball('left', -1), ball('right', 1)],
        joints: [rope('left', -1, 5), rope('right', 1, 1000)],
      }));
      const head = engine.load('ropes.json');
      expect(head.bodies.map(({ sensor }) => sensor)).toEqual([true, false, false]);
      expect(head.joints).toMatchObject([{ kind: 'distance', a: 0, b: 1, upper: null, break_force: 5, break_torque: null }, { b: 2, rest: 1 }]);
      engine.step(1);
      expect(engine.events(1)).toMatchObject([{ step: 1, kind: 8, a: 0, b: 1, joint: 0 }]);
      engine.step(30);
      const { hold, cells } = engine.joints(2);
      expect([...hold]).toEqual([1, 2]);
      expect(cells[8]).toBeCloseTo(1, 9);
      expect(cells[8 + 4]).toBeCloseTo(2 * 9.81, 6);
      engine.load('ropes.json');
      const told = Array.from({ length: 40 }, (_, i) => (engine.step(1), engine.events(i + 1))).flat();
      expect(told.map(({ kind, a, b }) => [kind, a, b])).toContainEqual([4, 0, 1]);
      engine.remove(1);
      expect([...engine.joints(2).hold]).toEqual([0, 2]);
    });

    it('names the place of a mistake, and keeps the scene', () => {
      engine.load('small.json');
      engine.writeFile('wrong.json', small.replace('"cube","position"', '"cubes","position"'));
      expect(() => engine.load('wrong.json')).toThrow(/^wrong\.json:1:\d+: /);
      expect(() => engine.load('none.json')).toThrow(EngineError);
      expect(engine.head().title).toBe('Small');
    });

    it('steps, reports and finds contacts', () => {
      engine.load('small.json');
      expect(engine.report()).toMatchObject({ step: 0, time: 0, bodies: 3 });
      engine.step(10);
      const report = engine.report(), contacts = engine.contacts();
      expect(report.step).toBe(10);
      expect(report.time).toBeCloseTo(0.1);
      expect(report.contacts).toBe(contacts.count);
      expect(contacts.count).toBe(8);
      const weight = contacts.normalForce.reduce((sum, force, i) => sum + (contacts.a[i] === 0 || contacts.b[i] === 0 ? force : 0), 0);
      expect(weight / (2000 * 9.81)).toBeCloseTo(1, 1);
      for (let i = 0; i < contacts.count; i++) {
        expect(Math.hypot(...contacts.normal.subarray(3 * i, 3 * i + 3))).toBeCloseTo(1);
        const apart = [0, 1, 2].reduce((sum, k) => sum + contacts.normal[3 * i + k] * (contacts.onA[3 * i + k] - contacts.onB[3 * i + k]), 0);
        expect(apart).toBeCloseTo(contacts.gap[i], 12);
        expect(contacts.kindA[i]).toBeGreaterThan(0);
      }
      near(engine.poses().subarray(7, 14), [0, 0, 0.5, 0, 0, 0, 1], 3);
      expect(engine.velocities()).toHaveLength(18);
      expect(Array.from(engine.presence())).toEqual([1, AWAKE, AWAKE]);
    });

    it('performs the actions of the scene, or leaves them out', () => {
      engine.load('small.json');
      engine.step(60);
      expect(engine.presence()[2]).toBe(REMOVED);
      expect(engine.poses()[14]).toBeNaN();
      expect(engine.finished()).toBe(false);
      engine.step(40);
      expect(engine.finished()).toBe(true);
      engine.load('small.json');
      engine.step(60, false);
      expect(engine.presence()[2]).not.toBe(REMOVED);
    });

    it('lets a hand pull, push, put and take', () => {
      engine.load('small.json');
      const spring = engine.springBegin(2, [0, 0, 0.5], [0, 0, 4], 4);
      engine.step(80, false);
      expect(engine.poses()[14 + 2]).toBeGreaterThan(2.5);
      engine.springMove(spring, [0, 3, 4]);
      engine.step(80, false);
      expect(engine.poses()[14 + 1]).toBeGreaterThan(1.5);
      engine.springEnd(spring);
      engine.springEnd(spring);
      expect(() => engine.springMove(spring, [0, 0, 0])).toThrow(EngineError);
      engine.setPose(2, [5, 0, 7, 0, 0, 0, 2]);
      near(engine.poses().subarray(14, 21), [5, 0, 7, 0, 0, 0, 1]);
      engine.setVelocity(2, [1, 2, 3, 0, 0, 4]);
      near(engine.velocities().subarray(12), [1, 2, 3, 0, 0, 4]);
      engine.setVelocity(2, [0, 0, 0, 0, 0, 0]);
      engine.force(2, [1000 / 0.01, 0, 0], [5, 0, 7]);
      engine.step(1, false);
      expect(engine.velocities()[12]).toBeCloseTo(1, 6);
      engine.remove(2);
      expect(() => engine.remove(2)).toThrow(/'upper' was removed/);
      expect(() => engine.setPose(9, [0, 0, 0, 0, 0, 0, 1])).toThrow(EngineError);
    });

    it('takes new bodies', () => {
      engine.load('small.json');
      const ball = engine.addBody({ shape: 'sphere:0.25', pose: [3, 0, 2, 0, 0, 0, 1], velocity: [0, 0, -1, 0, 0, 0], density: 500 });
      expect(ball).toMatchObject({ index: 3, firstShape: 2, body: { name: 'added 1', kind: 'dynamic', shape: 2 } });
      expect(ball.shapes).toEqual([{ kind: 'sphere', radius: 0.25 }]);
      const again = engine.addBody({ shape: 'sphere:0.25', pose: [4, 0, 2, 0, 0, 0, 1], name: 'second' });
      expect(again).toMatchObject({ index: 4, shapes: [], body: { name: 'second', shape: 2 } });
      expect(() => engine.addBody({ shape: 'sphere:-1', pose: [0, 0, 0, 0, 0, 0, 1] })).toThrow(/RADIUS/);
      expect(() => engine.addBody({ shape: 'sphere:1', pose: [0, 0, 0, 0, 0, 0, 1], density: -1 })).toThrow(EngineError);
      engine.step(100, false);
      expect(engine.poses()[3 * 7 + 2]).toBeCloseTo(0.25, 2);
      expect(engine.head().bodies).toHaveLength(5);
      expect(Array.from(engine.contacts().a).concat(Array.from(engine.contacts().b))).toContain(4);
    });

    it('goes back to the last bit, whatever came and went', () => {
      engine.load('small.json');
      engine.step(20);
      engine.remove(2);
      engine.addBody({ shape: 'sphere:0.5', pose: [0, 0, 2, 0, 0, 0, 1] });
      engine.step(5);
      const saved = engine.save(), report = engine.report();
      engine.step(30);
      const expected = engine.hash();
      engine.addBody({ shape: 'box:0.1,0.1,0.1', pose: [0, 0, 3, 0, 0, 0, 1] });
      engine.remove(1);
      engine.remove(3);
      engine.step(30);
      engine.restore(saved);
      expect(engine.report()).toEqual(report);
      expect(engine.bodyCount).toBe(4);
      expect(Array.from(engine.presence())).toEqual([1, AWAKE, REMOVED, AWAKE]);
      engine.step(30);
      expect(engine.hash()).toBe(expected);
      engine.load('small.json');
      expect(() => engine.restore(saved)).toThrow(EngineError);
    });

    it('finds what a ray meets', () => {
      engine.load('small.json');
      const hit = engine.ray([0.1, 0.2, 10], [0, 0, -2], 100);
      expect(hit?.body).toBe(2);
      expect(hit?.distance).toBeCloseTo(8);
      near(hit?.point ?? [], [0.1, 0.2, 2]);
      near(hit?.normal ?? [], [0, 0, 1]);
      expect(engine.ray([0.1, 0.2, 10], [0, 0, -1], 5)).toBeNull();
      expect(engine.ray([0, 0, 1.5], [0, 0, -1], 50)?.body).toBe(1);
      expect(() => engine.ray([0, 0, 0], [0, 0, 0], 1)).toThrow(EngineError);
    });

    it('gives vertices of bodies that deform', () => {
      const head = engine.load('scenes/two_cells.json');
      engine.step(3);
      const deformed = head.bodies.map((_, i) => engine.vertices(i));
      expect(deformed.some((vertices) => vertices !== null)).toBe(true);
      deformed.forEach((vertices, i) => vertices && expect(vertices.length).toBe(head.shapes[head.bodies[i].shape].vertices?.length));
      expect(engine.vertices(0)).toBeNull();
    });

    it('draws shapes and Gauss maps', () => {
      for (const argument of ['box:1,2,3', 'prism:1,1,7', 'pyramid:1,2,5']) {
        const { shapes, root: whole, gauss, placement } = engine.shapeJson(argument);
        const shape: Shape = shapes[whole], faces = (shape.face_first?.length ?? 0) - 1, vertices = (shape.vertices?.length ?? 0) / 3;
        expect(placement).toBeNull();
        expect(gauss?.normals).toHaveLength(3 * faces);
        expect(gauss?.vertices).toHaveLength(vertices);
        expect(gauss?.edges).toHaveLength(vertices + faces - 2);
        const pairs = new Set(gauss?.edges.flatMap(([f, g]) => [`${f},${g}`, `${g},${f}`]));
        expect(pairs.size).toBe(2 * (gauss?.edges.length ?? 0));
        let around = 0;
        gauss?.vertices.forEach((cycle, v) => {
          // Neighbours in the cycle share an edge, and normals turn counter-clockwise about the vertex.
          around += cycle.length;
          const normal = (f: number) => gauss.normals.slice(3 * f, 3 * f + 3);
          const middle = cycle.reduce((sum, f) => sum.map((x, k) => x + normal(f)[k]), [0, 0, 0]);
          cycle.forEach((f, i) => {
            const g = cycle[(i + 1) % cycle.length], [a, b] = [normal(f), normal(g)];
            expect(pairs.has(`${f},${g}`)).toBe(true);
            const cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
            expect(cross[0] * middle[0] + cross[1] * middle[1] + cross[2] * middle[2]).toBeGreaterThan(0);
            const first = shape.face_first?.[f] ?? 0, end = shape.face_first?.[f + 1] ?? 0;
            expect(shape.face_vertices?.slice(first, end)).toContain(v);
          });
        });
        expect(around).toBe(2 * (gauss?.edges.length ?? 0));
      }
      expect(engine.shapeJson('sphere:1').gauss).toBeNull();
      expect(engine.shapeJson('trimesh:at=1,2,3:scenes/meshes/stairs.obj').placement).toEqual([1, 2, 3, 0, 0, 0, 1]);
      expect(engine.shapeJson('plane:0,0,1,0').centre).toBeNull();
      expect(() => engine.shapeJson('spere:1')).toThrow(/sphere/);
    });

    it('gives all back', () => {
      engine.load('small.json');
      engine.unload();
      expect(engine.bodyCount).toBe(0);
      expect(() => engine.step()).toThrow('no scene is loaded');
      expect(() => engine.poses()).toThrow('no scene is loaded');
    });
  });

  it('gives the same in both variants', async () => {
    const [scalar, simd] = [await makeEngine('abut'), await makeEngine('abut-simd')];
    for (const engine of [scalar, simd]) {
      engine.load('scenes/wall.json');
      engine.step(50);
    }
    expect(simd.hash()).toBe(scalar.hash());
  });
});
