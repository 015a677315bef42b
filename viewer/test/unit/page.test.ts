/** Reading the data of a replay page: against pages packed by test/support/make_page.ts, and with every kind of damage. */
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { Decoder } from '../../src/run/decoder';
import { PageRun } from '../../src/run/page';
import type { Frame, RunEvent } from '../../src/run/run';
import { Sensors } from '../../src/run/sensors';
import { boxShape, floatOrder, madeJoint, madeRun, makeBlocks, makeHead, type MadeBlock, type MadeContact, type MadeRun } from '../support/make_page';

async function open(made: MadeRun, change?: (head: Record<string, unknown>, blocks: MadeBlock[]) => void): Promise<PageRun> {
  const blocks = makeBlocks(made), head = makeHead(made, blocks);
  change?.(head, blocks);
  return PageRun.open(JSON.stringify(head), { text: (block) => blocks[block].text }, new Decoder(false));
}

function compare(frame: Frame, made: MadeRun, tolerance: number): void {
  const wanted = made.frames[frame.index];
  expect(frame.time).toBe(wanted.time);
  expect(frame.step).toBe(wanted.step);
  expect([...frame.presence]).toEqual(wanted.presence);
  wanted.poses.forEach((pose, b) => {
    if (!pose) return;
    const found = [...frame.poses.slice(7 * b, 7 * b + 7)];
    const sign = Math.sign(pose.slice(3).reduce((sum, q, k) => sum + q * found[3 + k], 0));
    for (let k = 0; k < 7; k++) expect(Math.abs(found[k] - (k < 3 ? 1 : sign) * pose[k])).toBeLessThan(k < 3 ? tolerance : 2e-6);
  });
  wanted.velocities?.forEach((velocity, b) => velocity?.forEach((v, k) => expect(frame.velocities?.[6 * b + k]).toBe(Math.fround(v))));
  expect(frame.contacts?.count).toBe(wanted.contacts?.length);
  wanted.contacts?.forEach((c, i) => {
    const t = frame.contacts!;
    expect([t.a[i], t.b[i], t.kindA[i], t.indexA[i], t.partA[i], t.kindB[i], t.indexB[i], t.partB[i], t.patch[i], t.flags[i]]).toEqual(
      [c.a, c.b, c.kindA, c.indexA, c.partA, c.kindB, c.indexB, c.partB, c.patch, c.flags]);
    expect((BigInt(t.idHigh[i] >>> 0) << 32n) | BigInt(t.idLow[i] >>> 0)).toBe(c.id);
    expect([t.gap[i], t.area[i], t.normalForce[i]]).toEqual([c.gap, c.area, c.normalForce].map(Math.fround));
    for (let k = 0; k < 3; k++) {
      expect(Math.abs(t.onA[3 * i + k] - c.onA[k])).toBeLessThan(tolerance);
      expect(Math.abs(t.onB[3 * i + k] - c.onB[k])).toBeLessThan(tolerance);
      expect(Math.abs(t.normal[3 * i + k] - c.normal[k])).toBeLessThan(1e-6);
      expect(t.friction[3 * i + k]).toBe(Math.fround(c.friction[k]));
    }
  });
}

/** Numbers that look random, the same at every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Bodies that jump about, contacts that come, go and change their order, bodies that are removed. */
function wildRun(frames: number, bodies: number, seed: number): MadeRun {
  const next = random(seed), around = (size: number) => size * (2 * next() - 1);
  const made = madeRun(frames, bodies - 1, { chunk: 16, size: 1 });
  let contacts: MadeContact[] = [];
  const gone = new Set<number>();
  for (const frame of made.frames) {
    if (next() < 0.1) gone.add(Math.floor(next() * bodies));
    frame.poses = Array.from({ length: bodies }, (_, b) => {
      const turn = [around(1), around(1), around(1), around(1)], size = Math.hypot(...turn);
      return gone.has(b) ? null : [around(100), around(1e-3), around(3e4), ...turn.map((q) => q / size)];
    });
    frame.presence = frame.poses.map((pose) => (pose ? 1 + Math.floor(2 * next()) : 0));
    frame.velocities = frame.poses.map((pose) => pose && Array.from({ length: 6 }, () => around(10 ** around(20))));
    if (next() < 0.7) {
      contacts = contacts.filter(() => next() < 0.9).sort(() => (next() < 0.3 ? next() - 0.5 : 0)).map((c) => ({ ...c, gap: around(1e-3), onA: [around(9), around(9), around(9)] }));
      while (next() < 0.7) {
        contacts.push({
          a: Math.floor(next() * bodies), b: Math.floor(next() * bodies), kindA: 1, indexA: 70000, partA: 3, kindB: 3, indexB: -1, partB: 0, patch: 2, flags: -1,
          id: BigInt.asUintN(64, BigInt(Math.floor(next() * 2 ** 32)) * 0x9E3779B97F4A7C15n), onA: [around(9), 0, 0], onB: [0, around(9), 0],
          normal: [0, 0.6, -0.8], gap: -1e-30, area: 1e-30, normalForce: 1e30, friction: [around(1), 0, -1e-40],
        });
      }
    }
    frame.contacts = contacts;
  }
  return made;
}

describe('frames', () => {
  test('come back as they were written, to the quantum', async () => {
    const made = madeRun(100, 5, { chunk: 16 });
    const run = await open(made);
    expect([run.frameCount, run.stepCount, run.hasContacts, run.hasVelocities, run.title]).toEqual([100, 100, true, true, 'Boxes that slide']);
    for (const index of [0, 1, 2, 15, 16, 17, 99, 50, 0]) compare(await run.frame(index), made, 2 ** -16);
    expect(run.frameTime(60)).toBe(1);
  });

  for (let seed = 1; seed <= 5; seed++) {
    test(`of bodies that jump, seed ${seed}`, async () => {
      const made = wildRun(50, 7, seed), run = await open(made);
      for (let index = 0; index < 50; index++) compare(await run.frame(index), made, 2 ** -12);
    });
  }

  test('have the vertices that deforming bodies have by then', async () => {
    const made = madeRun(40, 2, { chunk: 16 });
    const shape = (x: number) => boxShape(x).vertices as number[];
    made.frames[5].vertices = new Map([[1, shape(0.3)]]);
    made.frames[20].vertices = new Map([[1, shape(0.4)], [2, shape(0.1)]]);
    const run = await open(made);
    const first = async (index: number, b: number) => (await run.frame(index)).vertices?.get(b)?.[0];
    expect(await first(4, 1)).toBe(-0.25);
    expect(await first(5, 1)).toBe(Math.fround(-0.3));
    expect(await first(19, 1)).toBe(Math.fround(-0.3));
    expect(await first(39, 1)).toBe(Math.fround(-0.4));
    expect(await first(39, 2)).toBe(Math.fround(-0.1));
  });

  test('are at hand when their chunk is, and their neighbours are fetched ahead', async () => {
    const run = await open(madeRun(64, 3, { chunk: 16 }));
    expect(run.peek(0)).toBeNull();
    await run.frame(0);
    expect(run.peek(12)?.index).toBe(12);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(run.peek(16)?.index).toBe(16);
    expect(run.peek(48)).toBeNull();
  });

  test('of a chunk that was given up for another come when they are asked for again', async () => {
    const run = await open(madeRun(160, 3, { chunk: 16 }));
    for (let index = 0; index < 160; index += 16) run.peek(index);
    const frames = await Promise.all([0, 150, 40, 80].map((index) => run.frame(index)));
    expect(frames.map((frame) => frame.index)).toEqual([0, 150, 40, 80]);
  });

  test('may have neither contacts nor velocities', async () => {
    const made = madeRun(10, 2);
    for (const frame of made.frames) {
      delete frame.contacts;
      delete frame.velocities;
    }
    const frame = await (await open(made)).frame(3);
    expect([frame.contacts, frame.velocities]).toEqual([null, null]);
  });
});

/** A run with joints that break and go, and events at random steps. */
function jointedRun(): MadeRun {
  const next = random(3), around = (size: number) => size * (2 * next() - 1), made = madeRun(40, 3, { chunk: 16 });
  made.joints = [madeJoint('revolute', 0, 1), madeJoint('weld', 1, 2)];
  made.frames.forEach((frame, f) => {
    frame.joints = [0, 1].map((j) => ({
      hold: j === 0 ? 2 : f < 7 ? 2 : f < 20 ? 1 : 0, cells: Array.from({ length: 8 }, () => Math.fround(around(10 ** around(20)))),
    }));
  });
  made.events = Array.from({ length: 50 }, (_, i): RunEvent => ({
    step: Math.floor((40 * i) / 50), kind: Math.floor(9 * next()), a: Math.floor(4 * next()), b: Math.floor(5 * next()) - 1, joint: Math.floor(3 * next()) - 1,
    point: [around(1), around(1e9), 0].map(Math.fround) as RunEvent['point'], impulse: Math.fround(around(1)), speed: Math.fround(around(1e-9)),
  }));
  return made;
}

describe('joints and events', () => {
  test('come back as they were written', async () => {
    const made = jointedRun(), run = await open(made);
    expect(run.joints).toEqual(made.joints);
    expect(run.eventsLeftOut).toBe(7);
    expect(await run.events()).toEqual(made.events);
    for (const index of [0, 6, 7, 16, 25, 39, 3]) {
      const table = (await run.frame(index)).joints!;
      made.frames[index].joints!.forEach(({ hold, cells }, j) => {
        expect(table.hold[j]).toBe(hold);
        if (hold > 0) expect([...table.cells.slice(8 * j, 8 * j + 8)]).toEqual(cells);
      });
    }
  });

  test('may be missing', async () => {
    const run = await open(madeRun(5, 2));
    expect([run.joints, run.eventsLeftOut, await run.events(), (await run.frame(2)).joints]).toEqual([[], 0, [], null]);
  });

  test('that there are not are damage', async () => {
    for (const change of [{ kind: 10 }, { kind: -1 }, { a: 4 }, { a: -1 }, { b: 4 }, { b: -2 }, { joint: 2 }, { joint: -2 }]) {
      const made = jointedRun();
      Object.assign(made.events![20], change);
      await expect(open(made).then((run) => run.events())).rejects.toThrow(/names bodies, joints or kinds/);
    }
  });

  test('say which sensors have something in them, forth and back', () => {
    const event = (step: number, kind: number, a: number, b: number): RunEvent => ({ step, kind, a, b, joint: -1, point: [0, 0, 0], impulse: 0, speed: 0 });
    const sensors = new Sensors([event(2, 4, 7, 1), event(3, 4, 7, 2), event(3, 4, 8, 2), event(3, 0, 9, 2), event(5, 5, 7, 1), event(6, 5, 7, 2), event(9, 4, 7, 1)]);
    const lit = new Map([[0, []], [2, [7]], [3, [7, 8]], [5, [7, 8]], [6, [8]], [9, [7, 8]], [99, [7, 8]]]);
    for (const step of [0, 2, 3, 5, 6, 9, 99, 5, 0, 6, 99, 3]) expect([...sensors.at(step)].sort()).toEqual(lit.get(step));
  });
});

test('poses alone are gone through in order, and no further than wanted', async () => {
  const made = madeRun(50, 3, { chunk: 16 }), run = await open(made), seen: number[] = [];
  await run.scanPoses((index, poses) => {
    seen.push(index);
    expect(Math.abs(poses[8] - made.frames[index].poses[1]![1])).toBeLessThan(1e-4);
  }, (done) => Promise.resolve(done < 40));
  expect(seen).toEqual(Array.from({ length: 40 }, (_, i) => i));
});

test('the table of steps has its columns, exact where they must be', async () => {
  const made = madeRun(30, 2), steps = await (await open(made)).steps();
  expect([...steps.keys()]).toEqual([...made.columns.keys()]);
  expect([...steps.get('time')!]).toEqual(made.columns.get('time'));
  expect([...steps.get('kinetic_energy')!]).toEqual(made.columns.get('kinetic_energy')!.map(Math.fround));
});

test('float order grows with the number', () => {
  const numbers = [-Infinity, -1e30, -1, -1e-45, 0, 1e-45, 1e-3, 1, 1e30, Infinity];
  const ordered = numbers.map(floatOrder);
  expect([...ordered].sort((p, q) => p - q)).toEqual(ordered);
});

describe('damage has a name:', () => {
  const cases: [string, RegExp, (head: Record<string, unknown>, blocks: MadeBlock[]) => void][] = [
    ['another version', /version 2/, (head) => (head['version'] = 2)],
    ['too few frames', /has 33 frames/, (head) => (head['frame_count'] = 33)],
    ['a block that is no base64', /not base64/, (_, blocks) => (blocks[2].text = '***')],
    ['a block that is cut off', /damaged/, (_, blocks) => (blocks[2].text = blocks[2].text.slice(0, 40))],
    ['a block that is too long', /more than/, (_, blocks) => (blocks[2].text = deflateSync(Buffer.concat([blocks[2].raw, Buffer.alloc(9)])).toString('base64'))],
    ['a block that is too short', /were written/, (_, blocks) => (blocks[2].text = deflateSync(blocks[2].raw.subarray(9)).toString('base64'))],
    ['a block of any size', /cannot hold 4398046511104 bytes/, (_, blocks) => (blocks[2].entry['bytes'] = 2 ** 42)],
    ['a contact of nobody', /names body|refers to none/, (_, blocks) => {
      const at = blocks.findIndex((block) => block.entry['kind'] === 'contacts'), raw = Buffer.from(blocks[at].raw);
      const rows = blocks[at].entry['rows'] as number, frames = blocks[at].entry['count'] as number;
      raw.fill(77, 4 * frames + 28 * rows, 4 * frames + 28 * rows + 3 * rows);
      blocks[at].text = deflateSync(raw).toString('base64');
    }],
  ];
  for (const [name, message, change] of cases) {
    test(name, async () => {
      await expect(open(madeRun(32, 2, { chunk: 16 }), change).then((run) => run.frame(3))).rejects.toThrow(message);
    });
  }

  test('a head that is no JSON', async () => {
    await expect(PageRun.open('{', { text: () => '' }, new Decoder(false))).rejects.toThrow(/not JSON/);
  });
});

