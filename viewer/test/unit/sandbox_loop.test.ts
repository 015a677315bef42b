/** The worker's loop: time keeps up with the clock, never piles up, and what the page asks happens between two steps. */
import { beforeEach, describe, expect, it } from 'vitest';
import { Loop, pointOf } from '../../src/sandbox/loop';
import { Meter, Pace } from '../../src/sandbox/pace';
import { FakeEngine, FakeHost } from '../support/fake_engine';

let host: FakeHost, engine: FakeEngine, loop: Loop;

function start(cost = 1, balls = 2): void {
  host = new FakeHost();
  engine = new FakeEngine(host, cost);
  loop = new Loop(engine, host);
  loop.handle({ kind: 'load', load: 1, files: [{ path: 'a.json', content: String(balls) }], path: 'a.json' });
}

const draw = () => loop.handle({ kind: 'drawn', load: 1, spare: null });
/** A page that draws each frame at once. */
const run = (seconds: number) => host.until(host.time + 1000 * seconds, draw);

describe('the loop', () => {
  beforeEach(() => start());

  it('says what was loaded, and sends the first frame with the state', () => {
    expect(host.messages.map((message) => message.kind)).toEqual(['loaded', 'frame']);
    expect(host.frames()[0]).toMatchObject({ load: 1, step: 0, time: 0, playing: false, hash: '0000000000000000', contacts: null });
  });

  it('keeps up with the clock', () => {
    draw();
    loop.handle({ kind: 'play', on: true });
    run(2);
    // 100 steps a second.
    expect(engine.steps).toBeGreaterThanOrEqual(199);
    expect(engine.steps).toBeLessThanOrEqual(201);
    const { counters, playing, hash } = host.frames().at(-1)!;
    expect(playing).toBe(true);
    expect(hash).toBeNull();
    expect(counters.stepsPerSecond).toBeCloseTo(100, -0.5);
    expect(counters.millisecondsPerStep).toBeCloseTo(1, 6);
    expect(counters.capacity).toBeCloseTo(1000, 3);
    expect(counters.pace).toBeGreaterThan(0.95);
  });

  it('begins when the first frame was seen, of each scene', () => {
    loop.handle({ kind: 'play', on: true });
    host.until(host.time + 1500);
    expect(engine.steps).toBe(0);
    draw();
    host.until(host.time + 25);
    expect(engine.steps).toBe(2);
    loop.handle({ kind: 'load', load: 2, files: [{ path: 'b.json', content: '3' }], path: 'b.json' });
    const before = engine.steps;
    host.until(host.time + 1000, draw); // what is said of the scene before does not count
    expect(engine.steps).toBe(before);
    loop.handle({ kind: 'drawn', load: 2, spare: null });
    host.until(host.time + 25);
    expect(engine.steps).toBe(before + 2);
  });

  it('tells what happened since the frame before, and which sensors have something in them', () => {
    const event = (step: number, kind: number) => ({ step, kind, a: 0, b: 1, joint: -1, point: [0, 0, 0] as [number, number, number], impulse: 0, speed: 0 });
    engine.told = [[], [event(2, 4), event(2, 3)], [], [event(4, 5)]];
    draw();
    loop.handle({ kind: 'record', on: true, contacts: false });
    draw();
    loop.handle({ kind: 'step', count: 3 });
    expect(host.frames().at(-1)!.events.map(({ step, kind }) => [step, kind])).toEqual([[2, 4], [2, 3]]);
    expect([...host.frames().at(-1)!.lit]).toEqual([0]);
    expect(host.frames().at(-1)!.recorded.map(({ lit }) => lit.size)).toEqual([0, 1, 1]);
    draw();
    loop.handle({ kind: 'step', count: 1 });
    expect(host.frames().at(-1)!.events.map(({ step, kind }) => [step, kind])).toEqual([[4, 5]]);
    expect(host.frames().at(-1)!.lit.size).toBe(0);
  });

  it('goes slower and faster', () => {
    for (const [speed, steps] of [[0.25, 25], [4, 400]]) {
      start();
      draw();
      loop.handle({ kind: 'speed', value: speed });
      loop.handle({ kind: 'play', on: true });
      run(1);
      expect(Math.abs(engine.steps - steps)).toBeLessThanOrEqual(1);
    }
  });

  it('makes as many steps as it can, and hears the page between them', () => {
    draw();
    loop.handle({ kind: 'speed', value: Infinity });
    loop.handle({ kind: 'play', on: true });
    run(1);
    expect(engine.steps).toBeGreaterThanOrEqual(999);
    // No go of steps was longer than 30 ms.
    const times = host.frames().map((frame) => frame.step);
    for (let i = 1; i < times.length; i++) expect(times[i] - times[i - 1]).toBeLessThanOrEqual(31);
  });

  it('gives up time that a slow machine cannot make up, and says how much', () => {
    start(40);
    draw();
    loop.handle({ kind: 'play', on: true });
    run(4);
    expect(engine.steps).toBeGreaterThanOrEqual(95);
    expect(engine.steps).toBeLessThanOrEqual(101);
    expect(host.frames().at(-1)!.counters.pace).toBeCloseTo(0.25, 1);
    // When it gets faster it does not hurry after what was lost.
    (engine as { cost: number }).cost = 1;
    const before = engine.steps;
    run(1);
    expect(engine.steps - before).toBeLessThanOrEqual(110);
  });

  it('does not owe the time of a pause', () => {
    draw();
    loop.handle({ kind: 'play', on: true });
    run(0.1);
    loop.handle({ kind: 'play', on: false });
    host.until(host.time + 5000, draw);
    const before = engine.steps;
    loop.handle({ kind: 'play', on: true });
    run(0.1);
    expect(engine.steps - before).toBeLessThanOrEqual(11);
  });

  it('sends no frame before the last was drawn, and then the newest', () => {
    draw();
    loop.handle({ kind: 'play', on: true });
    host.until(host.time + 500);
    expect(host.frames().length).toBe(2);
    draw();
    expect(host.frames().length).toBe(3);
    expect(host.frames()[2].step).toBeGreaterThanOrEqual(49);
  });

  it('fills arrays that come back', () => {
    const { poses, velocities, presence } = host.frames()[0];
    loop.handle({ kind: 'drawn', load: 1, spare: { poses, velocities, presence } });
    loop.handle({ kind: 'step', count: 1 });
    expect(host.frames()[1].poses).toBe(poses);
  });

  it('makes single steps, all of them even when they take long', () => {
    start(100);
    draw();
    loop.handle({ kind: 'step', count: 30 });
    expect(engine.steps).toBe(30);
    expect(host.frames().at(-1)).toMatchObject({ step: 30, playing: false, hash: '000000000000001e' });
  });

  it('stands after a step that failed, with the message of the library', () => {
    engine.failAt = 6;
    draw();
    loop.handle({ kind: 'play', on: true });
    run(1);
    expect(engine.steps).toBe(6);
    expect(host.messages.find((message) => message.kind === 'failed')).toMatchObject({ doing: 'step', message: 'step 7: out of breath' });
    expect(host.frames().at(-1)!.playing).toBe(false);
  });

  it('keeps the scene that it has when another is wrong', () => {
    draw();
    loop.handle({ kind: 'load', load: 2, files: [{ path: 'b.json', content: 'none' }], path: 'b.json' });
    expect(host.messages.at(-1)).toMatchObject({ kind: 'failed', load: 2, doing: 'load', message: 'b.json:1:1: not a number of balls' });
    loop.handle({ kind: 'step', count: 1 });
    expect(host.frames().at(-1)).toMatchObject({ load: 1, step: 1 });
  });

  it('passes the actions of the scene on', () => {
    loop.handle({ kind: 'step', count: 1 });
    loop.handle({ kind: 'actions', on: true });
    loop.handle({ kind: 'step', count: 1 });
    expect(engine.calls).toEqual(['step', 'step with actions']);
  });

  it('sends contacts when they are wanted', () => {
    draw();
    loop.handle({ kind: 'want', contacts: true });
    expect(host.frames().at(-1)!.contacts?.count).toBe(3);
  });
});

describe('the hand', () => {
  beforeEach(() => start());

  it('has one spring, whose name may be 0', () => {
    loop.handle({ kind: 'pull', target: [9, 9, 9] });
    loop.handle({ kind: 'grab', body: 1, anchor: [0, 0, 0.1], target: [1, 2, 3], frequency: 5, dampingRatio: 1, maxForce: 60 });
    loop.handle({ kind: 'pull', target: [4, 5, 6] });
    loop.handle({ kind: 'grab', body: 2, anchor: [0, 0, 0], target: [0, 0, 0], frequency: 5, dampingRatio: 1, maxForce: 60 });
    loop.handle({ kind: 'release' });
    loop.handle({ kind: 'release' });
    expect(engine.calls).toEqual(['spring 1 0,0,0.1 1,2,3 5 1 60', 'move 0 4,5,6', 'end 0', 'spring 2 0,0,0 0,0,0 5 1 60', 'end 0']);
  });

  it('says what is wrong with a body', () => {
    loop.handle({ kind: 'grab', body: 0, anchor: [0, 0, 0], target: [0, 0, 0], frequency: 5, dampingRatio: 1, maxForce: 60 });
    expect(host.messages.find((message) => message.kind === 'failed')).toMatchObject({ doing: 'act', message: 'body 0 is not dynamic' });
  });

  it('pushes with a force that grows for a second', () => {
    loop.handle({ kind: 'push', body: 1, anchor: [0, 0, 0], force: [0, 0, -50] });
    loop.handle({ kind: 'step', count: 150 });
    loop.handle({ kind: 'pushEnd' });
    loop.handle({ kind: 'step', count: 1 });
    const forces = engine.calls.filter((call) => call.startsWith('force')).map((call) => Number(call.split(' ')[2].split(',')[2]));
    expect(forces.length).toBe(150);
    expect(forces[0]).toBe(-0.5);
    expect(forces[49]).toBe(-25);
    expect(forces[149]).toBe(-50);
  });

  it('throws a body in', () => {
    draw();
    loop.handle({ kind: 'throw', shape: 'sphere:0.1', pose: [0, 0, 5, 0, 0, 0, 1], velocity: [0, 0, 3], density: 1000, friction: 0.5 });
    expect(host.messages.find((message) => message.kind === 'added')).toMatchObject({ load: 1, head: { bodies: { length: 4 } } });
    expect(host.frames().at(-1)!.poses.length).toBe(28);
    expect(host.frames().at(-1)!.velocities[20]).toBe(3);
  });

  it('takes a body out', () => {
    loop.handle({ kind: 'grab', body: 1, anchor: [0, 0, 0], target: [0, 0, 0], frequency: 5, dampingRatio: 1, maxForce: 60 });
    loop.handle({ kind: 'remove', body: 1 });
    draw();
    expect(engine.calls.at(-1)).toBe('end 0');
    expect([...host.frames().at(-1)!.presence]).toEqual([1, 0, 2]);
  });

  it('finds points of turned bodies', () => {
    const half = Math.SQRT1_2;
    // A quarter of a turn about z takes x to y.
    expect(pointOf([1, 2, 3, 0, 0, half, half], 0, [1, 0, 0]).map((x) => Math.round(x * 1e9) / 1e9)).toEqual([1, 3, 3]);
  });
});

describe('recordings', () => {
  it('have every step, also those that were not drawn', () => {
    start();
    draw();
    loop.handle({ kind: 'record', on: true, contacts: true });
    loop.handle({ kind: 'speed', value: 4 });
    loop.handle({ kind: 'play', on: true });
    let n = 0;
    host.until(host.time + 1000, () => {
      if (n++ % 10 === 0) draw();
    });
    loop.handle({ kind: 'play', on: false });
    draw();
    const steps = host.frames().flatMap((frame) => frame.recorded.map((one) => one.step));
    expect(steps).toEqual(steps.map((_, i) => i));
    expect(steps.length).toBe(engine.steps + 1);
    expect(host.frames().at(-1)!.recorded.at(-1)!.contacts?.count).toBe(3);
    loop.handle({ kind: 'record', on: false, contacts: false });
    draw();
    loop.handle({ kind: 'step', count: 3 });
    expect(host.frames().at(-1)!.recorded).toEqual([]);
  });
});

describe('pace', () => {
  it('makes each step when its time has come', () => {
    const pace = new Pace(0.02);
    pace.restart(0);
    expect(pace.due(19)).toBe(0);
    expect(pace.wait()).toBeCloseTo(1, 9);
    expect(pace.due(20)).toBe(1);
    pace.made(1);
    expect(pace.wait()).toBeCloseTo(20, 9);
    expect(pace.due(10_000)).toBe(8);
    pace.made(8);
    expect(pace.due(10_001)).toBe(0);
  });

  it('heeds a clock that goes back', () => {
    const pace = new Pace(0.02);
    pace.restart(100);
    expect(pace.due(50)).toBe(0);
    expect(pace.due(75)).toBe(1);
  });

  it('is measured over half a second', () => {
    const meter = new Meter();
    meter.restart(0);
    for (let i = 0; i < 30; i++) meter.count(1, 5);
    expect(meter.read(500)).toEqual({ stepsPerSecond: 60, millisecondsPerStep: 5 });
    meter.stand();
    expect(meter.read(600).stepsPerSecond).toBe(0);
  });
});
