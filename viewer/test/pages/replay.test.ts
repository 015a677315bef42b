/** The replay page in a browser, on recordings that the command has made: what one sees and reads is what was simulated. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Replay } from '../../src/replay/replay';
import { format } from '../../src/ui/dom';
import { command, LAPTOP, pages, PHONE, scratch, sources, startBrowser, Visit, withoutWebGL } from '../support/browser';
import { madeRun, makePage } from '../support/make_page';

let browser: Browser;
const abut = (...words: string[]) => execFileSync(command, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** A recording of a scene, made once. */
function record(scene: string, steps: number, ...options: string[]): string {
  const path = join(scratch, [scene, steps, ...options].join('_').replaceAll('-', '') + '.h5');
  const folder = ['joints', 'series', 'lump'].includes(scene) ? 'viewer/test/support' : 'scenes';
  if (!existsSync(path)) abut('run', join(sources, folder, `${scene}.json`), '--steps', String(steps), '-q', '-o', path, ...options);
  return path;
}

function view(name: string, ...recordings: string[]): string {
  const path = join(scratch, `${name}.html`);
  abut('view', ...recordings, '-o', path, '--template', join(pages, 'replay.html'));
  return path;
}

function write(name: string, html: string): string {
  const path = join(scratch, `${name}.html`);
  writeFileSync(path, html);
  return path;
}

async function open(path: string, options = LAPTOP): Promise<Visit> {
  const visit = await Visit.open(browser, path, options);
  await visit.page.waitForFunction(() => performance.getEntriesByName('abut-first-frame').length > 0);
  return visit;
}

const replay = <T>(visit: Visit, ask: (replay: Replay) => T): Promise<T> =>
  visit.page.evaluate(`(${ask.toString()})(window.abutReplay)`) as Promise<T>;

/** Seeks to a frame and waits until it is shown. */
async function seek(visit: Visit, index: number): Promise<void> {
  await visit.page.evaluate(`abutReplay.player.seekIndex(${index})`);
  await visit.page.waitForFunction('abutReplay.views.every((view) => view.isCurrent)');
  await settle(visit);
}

/** Two pictures later all is drawn. */
async function settle(visit: Visit): Promise<void> {
  await visit.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))));
}

/** Where a body's centre, or a contact's point, is on the page. */
const placeOfBody = (visit: Visit, body: number) => visit.page.evaluate(`(() => {
  const view = abutReplay.views[0], box = view.stage.canvas.getBoundingClientRect(), p = view.stage.project(view.centre(${body}));
  return { x: box.left + p.x, y: box.top + p.y };
})()`) as Promise<{ x: number; y: number }>;

const placeOfContact = (visit: Visit, row: number) => visit.page.evaluate(`(() => {
  const { stage, frame, centre } = abutReplay.views[0], box = stage.canvas.getBoundingClientRect(), c = frame.contacts, at = 3 * ${row};
  const point = abutReplay.views[0].centre(0).set((c.onA[at] + c.onB[at]) / 2, (c.onA[at + 1] + c.onB[at + 1]) / 2, (c.onA[at + 2] + c.onB[at + 2]) / 2);
  const p = stage.project(point);
  return { x: box.left + p.x, y: box.top + p.y };
})()`) as Promise<{ x: number; y: number }>;

/** Of a point, which `what` gives by the first view. */
const placeOf = (visit: Visit, what: string) => visit.page.evaluate(`(() => {
  const view = abutReplay.views[0], box = view.stage.canvas.getBoundingClientRect(), p = view.stage.project(${what});
  return [box.left + p.x, box.top + p.y];
})()`) as Promise<[number, number]>;

const value = (visit: Visit, name: string) => visit.page.locator(`#panel-picked dt:text-is("${name}") + dd`).first().textContent();
const picture = (visit: Visit) => visit.page.locator('canvas').first().screenshot();

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.close());

describe('a wall', () => {
  let path: string, recording: string;
  beforeAll(() => {
    recording = record('wall', 300);
    path = view('wall', recording);
  });

  test('is there, plays, stops, and is gone through', async () => {
    const visit = await open(path);
    expect(await visit.page.title()).toMatch(/ – abut replay$/);
    expect(await replay(visit, (r) => [r.player.count, r.player.playing, r.views[0].frame?.index])).toEqual([301, false, 0]);
    await visit.screenshot('replay_wall');
    const before = await picture(visit);
    await visit.page.getByRole('button', { name: 'Play' }).click();
    await visit.page.waitForFunction('abutReplay.player.index > 20');
    await visit.page.getByRole('button', { name: 'Pause' }).click();
    const stopped = await replay(visit, (r) => r.player.index);
    await visit.page.waitForTimeout(200);
    expect(await replay(visit, (r) => r.player.index)).toBe(stopped);
    await visit.page.getByRole('slider', { name: 'Frame' }).fill('250');
    await visit.page.waitForFunction('abutReplay.views[0].frame.index === 250');
    await settle(visit);
    expect(await visit.page.locator('.readout').textContent()).toContain('step 250 of 300');
    expect((await picture(visit)).equals(before)).toBe(false);
    await visit.screenshot('replay_wall_later');
    await visit.close();
  });

  test('a body that is clicked says its name and where it is', async () => {
    const visit = await open(path), index = 200;
    await seek(visit, index);
    const table = join(scratch, 'wall_bodies.csv');
    abut('export', recording, table, '--table', 'bodies');
    const lines = readFileSync(table, 'utf8').trim().split('\n').map((line) => line.split(',')), columns = lines[0];
    const cell = (line: string[], name: string) => line[columns.indexOf(name)];
    // The body nearest to the camera is not hidden by another.
    const body = await replay(visit, (r) => {
      const { stage, run, frame } = r.views[0];
      let best = -1, nearest = Infinity;
      run.bodies.forEach((one, b) => {
        const centre = one.kind === 'dynamic' && frame && frame.presence[b] > 0 ? r.views[0].centre(b) : null;
        const distance = centre && stage ? stage.world.localToWorld(centre).distanceTo(stage.camera.position) : Infinity;
        if (distance < nearest) [best, nearest] = [b, distance];
      });
      return { index: best, name: run.bodies[best].name };
    });
    await visit.page.getByRole('tab', { name: 'Layers' }).click();
    await visit.page.getByLabel('Points', { exact: true }).uncheck();
    const place = await placeOfBody(visit, body.index);
    await visit.page.mouse.click(place.x, place.y);
    await settle(visit);
    expect(await value(visit, 'name')).toBe(body.name);
    const wanted = lines.find((line) => cell(line, 'step') === String(index) && cell(line, 'body') === body.name) as string[];
    const shown = ((await value(visit, 'position')) as string).replace(' m', '').trim().split(/\s+/).map((x) => Number(x.replace('−', '-')));
    ['x', 'y', 'z'].forEach((axis, k) => expect(Math.abs(shown[k] - Number(cell(wanted, axis)))).toBeLessThan(2e-4));
    await visit.screenshot('replay_wall_body');
    expect(await visit.accessibility()).toEqual([]);
    await visit.page.keyboard.press('Escape');
    expect(await replay(visit, (r) => r.selection.current)).toBeNull();
    await visit.close();
  });

  test('a contact that is clicked says its gap, its normal and its features', async () => {
    const visit = await open(path);
    await seek(visit, 200);
    const place = await placeOfContact(visit, 0);
    await visit.page.mouse.click(place.x, place.y);
    await settle(visit);
    const found = await replay(visit, (r) => {
      const view = r.views[0], table = view.frame?.contacts, row = r.selection.contactIn(0, table ?? null);
      return table && row >= 0 ? { gap: table.gap[row], normal: table.normal[3 * row + 2], low: table.idLow[row] >>> 0 } : null;
    });
    expect(found).not.toBeNull();
    expect(Number((await value(visit, 'gap'))?.replace(' m', '').replace('−', '-'))).toBeCloseTo(found?.gap ?? NaN, 9);
    expect(await value(visit, 'feature of A')).toMatch(/^(face|edge|vertex) \d+/);
    expect(await value(visit, 'id')).toMatch(new RegExp(`^[0-9a-f]{8}${(found?.low ?? 0).toString(16).padStart(8, '0')}$`));
    await visit.screenshot('replay_wall_contact');
    await visit.close();
  });

  test('each layer changes the picture', async () => {
    const visit = await open(path);
    await seek(visit, 200);
    await visit.page.getByRole('tab', { name: 'Layers' }).click();
    for (const name of ['Points', 'Normals, from B into A', 'Normal forces', 'Forces of friction', 'Patches, by depth', 'Bounding boxes', 'Edges']) {
      const before = await picture(visit);
      await visit.page.getByLabel(name, { exact: true }).click();
      await settle(visit);
      expect((await picture(visit)).equals(before), name).toBe(false);
    }
    for (const colour of ['awake', 'speed', 'penetration']) {
      const before = await picture(visit);
      await visit.page.getByRole('combobox', { name: 'Colour' }).selectOption(colour);
      await settle(visit);
      expect((await picture(visit)).equals(before), colour).toBe(false);
    }
    await visit.page.getByLabel('Opacity').fill('0.35');
    await settle(visit);
    await visit.screenshot('replay_wall_layers');
    expect(await visit.accessibility()).toEqual([]);
    await visit.close();
  });

  test('what is picked has the numbers of the frame that is shown, also when playing stops', async () => {
    const visit = await open(path);
    await visit.page.evaluate('abutReplay.selection.set({ run: 0, body: 50, contact: null })');
    const shown = async () => Number(((await value(visit, 'position')) as string).trim().split(/\s+/)[2].replace('−', '-'));
    for (const stop of ['abutReplay.player.pause()', 'abutReplay.player.seek(1e9)']) {
      await visit.page.evaluate('abutReplay.player.seekIndex(0), abutReplay.player.play()');
      await visit.page.waitForFunction('abutReplay.player.index > 20');
      await visit.page.evaluate(stop);
      await visit.page.waitForFunction('!abutReplay.player.playing');
      await visit.page.waitForTimeout(200); // longer than numbers wait
      expect(await shown()).toBeCloseTo(await replay(visit, (r) => r.views[0].frame?.poses[7 * 50 + 2] ?? NaN), 3);
    }
    await visit.close();
  });

  test('plots that came while another panel was open are there when they are looked at', async () => {
    const visit = await Visit.open(browser, path);
    await visit.page.getByRole('tab', { name: 'Layers' }).click();
    await visit.page.waitForFunction(() => document.querySelectorAll('[data-plot]').length > 3);
    await visit.page.getByRole('tab', { name: 'Plots' }).click();
    for (const plot of await visit.page.locator('[data-plot]').all()) await plot.locator('canvas').waitFor();
    // Another choice of plots leaves the others as they are.
    const log = visit.page.locator('[data-plot="penetration"]').getByLabel('log');
    await log.check();
    await visit.page.getByText('Choose plots').click();
    await visit.page.getByLabel('Contacts', { exact: true }).uncheck();
    expect(await visit.page.locator('[data-plot="contacts"]').count()).toBe(0);
    expect(await log.isChecked()).toBe(true);
    await visit.close();
  });

  test('a plot says the values of the moment, and a click in it goes there', async () => {
    const visit = await open(path);
    const plot = visit.page.locator('[data-plot="energy"]');
    await plot.locator('canvas').waitFor();
    await visit.page.locator('[data-plot="alignment"] canvas').waitFor();
    const area = (await plot.locator('.u-over').boundingBox()) as { x: number; y: number; width: number; height: number };
    await visit.page.mouse.click(area.x + area.width / 2, area.y + area.height / 2);
    const time = await replay(visit, (r) => [r.player.time, r.player.end]);
    expect(Math.abs(time[0] / time[1] - 0.5)).toBeLessThan(0.06);
    await seek(visit, 300);
    expect(await plot.locator('.key').textContent()).toMatch(/kinetic.*\d.*potential, change.*\d.*sum/);
    await visit.screenshot('replay_wall_plots');
    expect(await visit.accessibility()).toEqual([]);
    await visit.close();
  });

  test('by keyboard alone', async () => {
    const visit = await open(path), { page } = visit;
    const focus = async (name: string) => {
      for (let i = 0; i < 40; i++) {
        await page.keyboard.press('Tab');
        const now = await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '');
        if (now === name || now.startsWith(`${name}.`)) return;
      }
      throw new Error(`no key leads to ${name}`);
    };
    await focus('Scene');
    const before = await picture(visit);
    await page.keyboard.press('ArrowLeft');
    await settle(visit);
    expect((await picture(visit)).equals(before)).toBe(false);
    await page.keyboard.press('Space');
    await page.waitForFunction('abutReplay.player.index > 3');
    await page.keyboard.press('Space');
    expect(await replay(visit, (r) => r.player.playing)).toBe(false);
    const at = await replay(visit, (r) => r.player.index);
    await page.keyboard.press('.');
    expect(await replay(visit, (r) => r.player.index)).toBe(at + 1);
    await focus('Plots');
    await page.keyboard.press('ArrowLeft');
    expect(await replay(visit, (r) => r.tabs.current)).toBe('picked');
    await page.keyboard.press('Tab');
    const name = await replay(visit, (r) => r.views[0].run.bodies[5].name);
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    await settle(visit);
    expect(await replay(visit, (r) => r.selection.current?.body)).toBe(5);
    await focus('Frame');
    await page.keyboard.press('End');
    expect(await replay(visit, (r) => r.player.index)).toBe(300);
    await page.keyboard.press('Escape');
    expect(await replay(visit, (r) => r.selection.current)).toBeNull();
    await visit.close();
  });

  test('on a phone', async () => {
    const visit = await open(path, PHONE);
    await seek(visit, 120);
    expect(await visit.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth && document.documentElement.scrollHeight <= window.innerHeight)).toBe(true);
    await visit.screenshot('replay_phone');
    const place = await placeOfBody(visit, 5);
    await visit.page.touchscreen.tap(place.x, place.y);
    await settle(visit);
    expect(await replay(visit, (r) => r.selection.current !== null)).toBe(true);
    await visit.screenshot('replay_phone_picked');
    expect(await visit.accessibility()).toEqual([]);
    await visit.close();
  });

  test('it plays by itself where motion is welcome, and nowhere else', async () => {
    const visit = await open(path, { ...LAPTOP, reducedMotion: 'no-preference' });
    await visit.page.waitForFunction('abutReplay.player.index > 2');
    await visit.close();
  });
});

describe('patch and tracking side by side', () => {
  test('have one time, one camera and one scale', async () => {
    const visit = await open(view('walls', record('wall', 200), record('wall_tracking', 150)), { ...LAPTOP, colorScheme: 'dark' });
    expect(await visit.page.locator('.view canvas').count()).toBe(2);
    await seek(visit, 120);
    expect(await replay(visit, (r) => r.views.map((v) => v.frame?.index))).toEqual([120, 120]);
    await visit.page.locator('[data-plot="alignment"] canvas').waitFor();
    await visit.screenshot('replay_compared');
    await visit.page.locator('.view canvas').first().focus();
    for (let i = 0; i < 4; i++) await visit.page.keyboard.press('ArrowRight');
    await settle(visit);
    const cameras = await replay(visit, (r) => r.views.map((v) => v.stage?.camera.position.toArray()));
    for (let k = 0; k < 3; k++) expect(cameras[1]?.[k]).toBeCloseTo(cameras[0]?.[k] ?? NaN, 9);
    const scales = await replay(visit, (r) => r.views.map((v) => v.contacts?.depthScale));
    expect(scales[1]).toBe(scales[0]);
    // Both pictures have the scale of both frames, and the legend says it.
    await visit.page.getByRole('tab', { name: 'Layers' }).click();
    await visit.page.getByRole('combobox', { name: 'Colour' }).selectOption('speed');
    for (const index of [30, 5]) {
      await seek(visit, index);
      const drawn = await replay(visit, (r) => ({
        scales: r.views.map((v) => v.bodies?.scale ?? NaN), fastest: Math.max(...r.views.map((v) => v.bodies?.fastest() ?? NaN)),
      }));
      expect(drawn.scales).toEqual([drawn.fastest, drawn.fastest]);
      await visit.page.waitForTimeout(150);
      expect(await visit.page.locator('.legend-row .ends span').last().textContent()).toBe(`${format(drawn.fastest, 3)} m/s`);
    }
    // The camera goes along with a body: as far as that moves, in both.
    await visit.page.evaluate('abutReplay.selection.set({ run: 1, body: 60, contact: null })');
    await visit.page.getByLabel('The camera goes along with it').check();
    await seek(visit, 6);
    const where = () => replay(visit, (r) => ({ body: r.views[1].centre(60)?.toArray() ?? [], targets: r.views.map((v) => v.stage?.controls.target.toArray() ?? []) }));
    await visit.page.waitForTimeout(500);
    const from = await where();
    await seek(visit, 40);
    const to = await where();
    expect(Math.hypot(...to.body.map((x, k) => x - from.body[k]))).toBeGreaterThan(1e-5);
    // On a busy machine the camera follows some pictures later.
    const left = async () => {
      const now = await where();
      return Math.max(...now.targets.flatMap((target, v) => target.map((x, k) => Math.abs(x - from.targets[v][k] - (now.body[k] - from.body[k])))));
    };
    await expect.poll(left, { timeout: 10_000 }).toBeLessThan(5e-10);
    // The shorter one stays at its end.
    await seek(visit, 200);
    expect(await replay(visit, (r) => r.views.map((v) => v.frame?.index))).toEqual([200, 150]);
    await visit.page.evaluate('abutReplay.selection.set({ run: 0, body: 4, contact: null })');
    await settle(visit);
    expect(await visit.page.locator('table.both thead th').allTextContents()).toEqual(await replay(visit, (r) => r.views.map((v) => v.run.name)));
    await visit.screenshot('replay_compared_body');
    expect(await visit.accessibility()).toEqual([]);
    await visit.close();
  });

  test('on a phone one is above the other', async () => {
    const visit = await open(view('walls', record('wall', 200), record('wall_tracking', 150)), PHONE);
    const boxes = await Promise.all([0, 1].map((i) => visit.page.locator('.view').nth(i).boundingBox()));
    expect(boxes[1]?.y).toBeGreaterThanOrEqual((boxes[0]?.y ?? 0) + (boxes[0]?.height ?? 0));
    await visit.screenshot('replay_phone_compared');
    await visit.close();
  });
});

describe('joints, sensors and events', () => {
  let path: string;
  beforeAll(() => (path = view('joints', record('joints', 240))));
  const GATE = 19, HINGE = 2;

  test('a sensor is lit while something is in it', async () => {
    const visit = await open(path), lit = () => replay(visit, (r) => [...(r.views[0].frame?.lit ?? [])]);
    for (const [index, wanted] of [[60, []], [100, []], [78, [GATE]]] as const) {
      await seek(visit, index);
      expect(await lit()).toEqual(wanted);
    }
    await visit.screenshot('replay_joints');
    await visit.page.mouse.click(...await placeOf(visit, `view.centre(${GATE})`));
    await settle(visit);
    expect(await value(visit, 'kind')).toBe('static sensor, box');
    expect(await value(visit, 'state')).toBe('something is in it');
    await visit.close();
  });

  test('a joint that is clicked says its coordinate, its limits and its load', async () => {
    const visit = await open(path);
    await seek(visit, 30);
    await visit.page.mouse.click(...await placeOf(visit, `view.joints.anchor(${HINGE})`));
    await settle(visit);
    expect(await replay(visit, (r) => r.selection.current?.joint)).toBe(HINGE);
    expect(await value(visit, 'kind')).toBe('revolute');
    expect(await value(visit, 'limits')).toBe('-1.2 … 1 rad');
    // The angle is that by which the arm has turned, and the hinge bears what does not accelerate it.
    const pose = await replay(visit, (r) => [...(r.views[0].frame?.poses.slice(7 * 6, 7 * 6 + 7) ?? [])]);
    expect(Math.abs(Number((await value(visit, 'coordinate'))!.split(' ')[0]))).toBeCloseTo(2 * Math.abs(Math.atan2(pose[4], pose[6])), 4);
    expect(await value(visit, 'force')).toMatch(/^[0-9.]+ N$/);
    expect(await visit.page.locator('.joints button').allTextContents()).toEqual(['revolute: post_2, arm_2']);
    expect(await visit.accessibility()).toEqual([]);
    await visit.screenshot('replay_joint');
    // Without a pointer: by the name of a body.
    await visit.page.getByRole('combobox', { name: 'Body' }).fill('gear_large');
    await visit.page.keyboard.press('Enter');
    await visit.page.getByRole('button', { name: 'gear: gear_small, gear_large' }).click();
    expect(await value(visit, 'ratio')).toBe('2');
    expect(await replay(visit, (r) => r.views[0].run.joints?.[r.selection.current?.joint ?? -1].kind)).toBe('gear');
    await visit.close();
  });

  test('each layer changes the picture, and broken joints are marked', async () => {
    const visit = await open(path);
    await seek(visit, 20);
    await visit.page.getByRole('tab', { name: 'Layers' }).click();
    let before = await picture(visit);
    for (const name of ['Forces on B', 'Axes, rails and limits']) {
      await visit.page.getByLabel(name).click();
      await settle(visit);
      const after = await picture(visit);
      expect(after.equals(before), name).toBe(false);
      before = after;
    }
    const holds = (index: number) => replay(visit, (r) => [...(r.views[0].frame?.joints?.hold ?? [])].filter((hold) => hold === 1).length).then((n) => [index, n]);
    expect(await holds(20)).toEqual([20, 0]);
    await seek(visit, 60);
    expect(await holds(60)).toEqual([60, 2]);
    await visit.page.evaluate('abutReplay.selection.set({ run: 0, body: 21, contact: null, joint: 10 })');
    await settle(visit);
    expect(await value(visit, 'state')).toBe('broken');
    await visit.close();
  });

  test('events are listed, marked in the bar of time, and lead to their moment', async () => {
    const visit = await open(path);
    await seek(visit, 240);
    expect(await visit.page.locator('.track path').count()).toBe(4);
    await visit.page.getByRole('tab', { name: 'Events' }).click();
    const rows = visit.page.locator('.events button'), first = rows.last();
    expect(await first.textContent()).toMatch(/^0\.\d+ sjoint breaks \(distance\): bar, ball_\d$/);
    expect(await rows.count()).toBeGreaterThan(6);
    await visit.screenshot('replay_events');
    expect(await visit.accessibility()).toEqual([]);
    const step = Math.round(120 * Number((await first.textContent())!.split(' ')[0]));
    await first.click();
    await visit.page.waitForFunction(`abutReplay.views[0].frame.step === ${step}`);
    await expect.poll(() => visit.page.locator('.events .now').count()).toBeGreaterThan(0);
    const before = await rows.count();
    await visit.page.getByLabel('Joints').uncheck();
    await expect.poll(() => rows.count()).toBeLessThan(before);
    expect(await visit.page.locator('.track path').count()).toBe(3);
    await visit.close();
  });
});

describe('bonds', () => {
  test('those that break are listed in their steps', async () => {
    const recording = record('lump', 25), csv = join(scratch, 'lump.csv');
    abut('export', recording, csv, '--table', 'steps');
    const [head, ...rows] = readFileSync(csv, 'utf8').trim().split('\n').map((line) => line.split(','));
    const broken = rows.map((row) => Number(row[head.indexOf('dem_broken')])), first = broken.findIndex((count) => count > 0);
    expect(first).toBeGreaterThan(0);
    const visit = await open(view('lump', recording));
    await visit.page.getByRole('tab', { name: 'Events' }).click();
    const texts = () => visit.page.locator('.events li').allTextContents();
    await seek(visit, first - 1);
    await visit.page.waitForTimeout(200); // longer than the list waits
    expect((await texts()).filter((text) => text.includes('bond breaks'))).toEqual([]);
    await seek(visit, first);
    await visit.page.waitForTimeout(200);
    const told = (await texts()).filter((text) => text.includes('bond breaks'));
    expect(told.length).toBe(broken[first]);
    expect(told[0]).toMatch(/bond breaks: ball_\d{3}, ball_\d{3}$/);
    await visit.close();
  });
});

describe('time series', () => {
  let path: string, table: string[][];

  beforeAll(() => {
    const recording = record('series', 80), csv = join(scratch, 'series.csv');
    path = view('series', recording);
    abut('export', recording, csv, '--table', 'series');
    table = readFileSync(csv, 'utf8').trim().split('\n').map((line) => line.split(','));
  });

  const plotOf = (visit: Visit, name: string) => visit.page.locator(`[data-plot="series/${name}"]`);

  test('some are shown, the others are chosen by name, and each says its value of the moment', async () => {
    const visit = await open(path), { page } = visit;
    // Of grain.waiting, which is always 0, there is no plot at first.
    for (const name of ['grain.count', 'grain.mass', 'load.force_x']) await plotOf(visit, name).locator('canvas').waitFor();
    expect(await page.locator('[data-plot^="series/"]').count()).toBe(3);

    await page.getByText('Choose time series').click();
    await page.getByLabel('Part of a name').fill('Force_Z');
    expect(await page.locator('.series label:visible').allTextContents()).toEqual(['load.force_z']);
    await page.getByLabel('load.force_z').check();
    await plotOf(visit, 'load.force_z').locator('canvas').waitFor();
    await page.getByLabel('Part of a name').fill('nothing');
    await page.getByText('No time series has this in its name.').waitFor();
    await page.getByLabel('Part of a name').fill('');
    await page.getByLabel('grain.waiting').check();
    await plotOf(visit, 'grain.waiting').locator('canvas').waitFor();

    for (const index of [0, 40, 80]) {
      await seek(visit, index);
      await page.waitForTimeout(150); // longer than words wait
      for (const name of ['grain.count', 'load.force_z']) {
        const row = table[1 + index], value = Number(row[table[0].indexOf(name)]);
        expect(await plotOf(visit, name).locator('dd').textContent()).toBe(format(Math.fround(value), 3));
      }
    }
    expect(await visit.accessibility()).toEqual([]);
    await visit.screenshot('replay_series');
    await visit.close();
  });

  test('a click in one goes there, and the cursor is at the present time', async () => {
    const visit = await open(path), plot = plotOf(visit, 'grain.count');
    await plot.locator('canvas').waitFor();
    await plot.scrollIntoViewIfNeeded();
    const area = (await plot.locator('.u-over').boundingBox()) as { x: number; y: number; width: number; height: number };
    await visit.page.mouse.click(area.x + area.width / 2, area.y + area.height / 2);
    const [time, end] = await replay(visit, (r) => [r.player.time, r.player.end]);
    expect(Math.abs(time / end - 0.5)).toBeLessThan(0.06);
    const cursor = (await plot.locator('.now').boundingBox()) as { x: number; width: number };
    expect(Math.abs(cursor.x + cursor.width / 2 - (area.x + area.width / 2))).toBeLessThan(0.1 * area.width);
    await visit.close();
  });
});

describe('other scenes', () => {
  test('meshes show what their contacts void', async () => {
    const visit = await open(view('meshes', record('mesh_figures', 120)));
    await seek(visit, 100);
    await visit.page.getByRole('tab', { name: 'Layers' }).click();
    const before = await picture(visit);
    await visit.page.getByLabel('Voided edges and vertices of meshes').check();
    await settle(visit);
    expect((await picture(visit)).equals(before)).toBe(false);
    await visit.screenshot('replay_meshes');
    await visit.close();
  });

  test('an event stepper’s run has its hits and misses', async () => {
    const visit = await open(view('jack', record('jack', 120)));
    await visit.page.locator('[data-plot="events"] canvas').waitFor();
    await seek(visit, 60);
    await visit.screenshot('replay_jack');
    await visit.close();
  });

  test('bodies deform', async () => {
    const visit = await open(view('two_cells', record('two_cells', 40)));
    const before = await picture(visit);
    const last = await replay(visit, (r) => r.player.count - 1);
    await seek(visit, last);
    expect((await picture(visit)).equals(before)).toBe(false);
    await visit.screenshot('replay_two_cells');
    await visit.close();
  });
});

describe('what is not as it should be', () => {
  test('a page without a run says how to make one', async () => {
    const visit = await Visit.open(browser, join(pages, 'replay.html'));
    await visit.page.getByText('There is no run in this page').waitFor();
    await visit.screenshot('replay_bare');
    expect(await visit.accessibility()).toEqual([]);
    await visit.close();
  });

  test('damaged data are said to be damaged', async () => {
    const whole = makePage(pages, [madeRun(64, 3, { chunk: 16 })]);
    const head = await Visit.open(browser, write('damaged_head', whole.replace('"abut replay"', '"something"')));
    await head.page.getByRole('alert').waitFor();
    await head.screenshot('replay_damaged');
    await head.close();
    // A block in the middle: what is before it can be seen.
    const later = await open(write('damaged_block', whole.replace(/(id="run-0-block-8">).{40}/, '$1AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')));
    await later.page.evaluate('abutReplay.player.seekIndex(40)');
    await later.page.locator('.view .message:not([hidden])').waitFor();
    expect(await later.page.locator('#about').textContent()).toContain('cannot be read');
    // It is played over, and what is whole is shown without the message.
    await later.page.evaluate('abutReplay.player.play()');
    await later.page.waitForFunction('abutReplay.views[0].frame.index >= 48');
    expect(await later.page.locator('.view .message').isHidden()).toBe(true);
    await later.close();
  });

  test('a page of very many bodies opens, and offers names that match', async () => {
    const run = madeRun(1, 150000);
    run.frames[0].contacts = [];
    const context = await browser.newContext(LAPTOP), page = await context.newPage();
    await page.addInitScript(withoutWebGL);
    await page.goto(`file://${write('many', makePage(pages, [run]))}`);
    await page.getByRole('tab', { name: 'Selection' }).click();
    const name = page.getByPlaceholder('Name of a body');
    await name.fill('box_149999');
    expect(await page.locator('#bodies option').evaluateAll((options) => options.map((o) => (o as HTMLOptionElement).value))).toEqual(['box_149999']);
    await name.press('Enter');
    await page.locator('#panel-picked dd').first().waitFor();
    expect(await page.evaluate('abutReplay.selection.current.body')).toBe(149999);
    await context.close();
  }, 120000);

  test('without WebGL the numbers are still there', async () => {
    const context = await browser.newContext(LAPTOP), page = await context.newPage();
    await page.addInitScript(withoutWebGL);
    await page.goto(`file://${write('no_webgl', makePage(pages, [madeRun(64, 3)]))}`);
    await page.getByText('offers no WebGL').waitFor();
    await page.locator('[data-plot="energy"] canvas').waitFor();
    await page.evaluate('abutReplay.selection.set({ run: 0, body: 1, contact: null })');
    await page.locator('#panel-picked dd').first().waitFor();
    await context.close();
  });
});
