/** The player's time, without a clock. */
import { expect, test } from 'vitest';
import { lastAt, mergeTimes, Player, speedsFor } from '../../src/ui/player';

const times = [0, 0.1, 0.2, 0.3, 0.5];

function playing(): Player {
  const player = new Player(times);
  player.playing = true;
  return player;
}

test('the frame that is shown is the last one whose time has come', () => {
  expect([-1, 0, 0.05, 0.1, 0.49, 0.5, 9].map((time) => lastAt(times, time))).toEqual([0, 0, 0, 1, 3, 4, 4]);
  expect(lastAt([0, 0.1, 0.2, 0.30000000000000004], 0.3)).toBe(3);
});

test('time goes on by the clock and the speed', () => {
  const player = playing();
  player.advance(0.12);
  expect(player.index).toBe(1);
  player.setSpeed(0.5);
  player.advance(0.2);
  expect([player.index, player.time]).toEqual([2, expect.closeTo(0.22, 12)]);
});

test('it ends at the end, or begins again', () => {
  const once = playing();
  once.advance(2);
  expect([once.playing, once.index, once.time]).toEqual([false, 4, 0.5]);
  const again = playing();
  again.setLoop(true);
  again.advance(0.6);
  expect([again.playing, again.time]).toEqual([true, expect.closeTo(0.1, 12)]);
});

test('it waits for what is not at hand', () => {
  const player = playing();
  player.isReady = () => false;
  player.advance(0.3);
  expect(player.time).toBe(0);
});

test('steps stop it and stay within the run', () => {
  const player = playing();
  player.step(2);
  expect([player.playing, player.index, player.time]).toEqual([false, 2, 0.2]);
  player.step(-9);
  expect(player.index).toBe(0);
  player.step(9);
  expect(player.index).toBe(4);
});

test('play at the end begins anew; a single frame cannot be played', () => {
  const player = new Player(times);
  player.seek(0.5);
  player.play();
  expect([player.playing, player.index]).toEqual([true, 0]);
  const still = new Player([0]);
  still.play();
  expect(still.playing).toBe(false);
});

test('times of two runs are one list', () => {
  expect([...mergeTimes([[0, 0.1, 0.2], [0, 0.1 + 1e-15, 0.15, 0.2, 0.4]])]).toEqual([0, 0.1, 0.15, 0.2, 0.4]);
});

test('short runs have small speeds', () => {
  expect(speedsFor(10)).toEqual({ speeds: [0.125, 0.25, 0.5, 1, 2, 4, 8], usual: 1 });
  const short = speedsFor(2e-3);
  expect(2e-3 / short.usual).toBeGreaterThan(2);
  expect(short.speeds).toContain(1);
});

test('a run that grows keeps its time', () => {
  const player = new Player([0, 1]);
  player.seek(1);
  player.setTimes([0, 1, 2]);
  expect([player.index, player.count, player.end]).toEqual([1, 3, 2]);
});
