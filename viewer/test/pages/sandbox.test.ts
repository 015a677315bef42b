/** The sandbox in a browser: scenes run, bodies are dragged, pushed, thrown and taken out, and what was done can be saved. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OFFERS } from '../../src/sandbox/scenes';
import { command, LAPTOP, pages, PHONE, scratch, screenshots, sources, startBrowser, Visit, withoutWebGL } from '../support/browser';

let browser: Browser;
/** A program of the native tests: the state of a scene after so many steps. */
const stateHash = join(dirname(command), 'test/state_hash');

/** Times are kept for people to look at; no test depends on them. */
const measured: Record<string, unknown> = {};

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  writeFileSync(join(screenshots, 'sandbox.json'), `${JSON.stringify(measured, null, 1)}\n`);
});

interface Saved { bodies: { name: string; position: number[]; rotation: { quaternion: number[] } }[] }

/** The page, and what a person at it does. */
class Sandbox {
  constructor(readonly visit: Visit) {}

  static async open(scene: string, options: BrowserContextOptions = LAPTOP): Promise<Sandbox> {
    const box = new Sandbox(await Visit.open(browser, 'sandbox', { ...options, acceptDownloads: true }, `#${scene}`));
    await box.page.waitForSelector('html[data-ready]', { state: 'attached', timeout: 90_000 });
    return box;
  }

  get page() {
    return this.visit.page;
  }

  data(name: string): Promise<string> {
    return this.page.evaluate((key) => document.documentElement.dataset[key] ?? '', name);
  }

  async step(): Promise<number> {
    return Number(await this.data('step'));
  }

  /** Until so many steps were made since the beginning. */
  async until(step: number): Promise<void> {
    await this.page.waitForFunction((least) => Number(document.documentElement.dataset['step']) >= least, step, { timeout: 100_000 });
  }

  async more(steps: number): Promise<void> {
    await this.until((await this.step()) + steps);
  }

  async untilRest(): Promise<void> {
    await this.page.waitForFunction(() => document.documentElement.dataset['awake'] === '0', null, { timeout: 100_000 });
  }

  async begin(scene: string): Promise<void> {
    await this.fresh(() => this.page.locator('#scene').selectOption(scene));
    expect(await this.data('scene')).toBe(`${scene}.json`);
  }

  /** Does what begins a scene anew, until the first picture of it is there: what was read before would be of the old one. */
  async fresh(act: () => Promise<unknown>): Promise<void> {
    const before = await this.data('load');
    await act();
    await this.page.waitForFunction((load) => document.documentElement.dataset['load'] !== load, before, { timeout: 90_000 });
  }

  async canvas(): Promise<{ x: number; y: number; width: number; height: number }> {
    return (await this.page.locator('main canvas').boundingBox())!;
  }

  async middle(): Promise<{ x: number; y: number }> {
    const { x, y, width, height } = await this.canvas();
    return { x: x + width / 2, y: y + height / 2 };
  }

  async chosen(): Promise<string> {
    return this.page.locator('#body').evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text ?? '');
  }

  async save(): Promise<{ path: string; scene: Saved }> {
    const [download] = await Promise.all([this.page.waitForEvent('download'), this.page.getByRole('button', { name: 'Save scene' }).click()]);
    const path = join(scratch, download.suggestedFilename());
    await download.saveAs(path);
    return { path, scene: JSON.parse(readFileSync(path, 'utf8')) as Saved };
  }

  async pause(): Promise<void> {
    if ((await this.page.locator('#play').innerText()) === 'Pause') await this.page.locator('#play').click();
    await this.page.waitForSelector('html[data-hash]', { state: 'attached' });
  }
}

function moved(one: Saved, other: Saved): Map<string, number> {
  const places = new Map(one.bodies.map((body) => [body.name, body.position]));
  return new Map(other.bodies.flatMap(({ name, position }): [string, number][] => {
    const was = places.get(name);
    return was ? [[name, Math.hypot(...position.map((x, k) => x - was[k]))]] : [];
  }));
}

describe('the sandbox', () => {
  it('opens and runs the wall', async () => {
    const box = await Sandbox.open('wall');
    measured['ready_ms'] = Number(await box.data('ready'));
    await box.until(120);
    await box.visit.screenshot('sandbox_wall');
    measured['wall'] = await box.page.locator('dl[aria-label="Counters"] dd').allInnerTexts();
    expect(await box.visit.accessibility()).toEqual([]);
    await box.visit.close();
  });

  it('pauses, steps and begins again', async () => {
    const box = await Sandbox.open('tower_of_ten');
    await box.until(10);
    await box.pause();
    const before = await box.step();
    await box.page.locator('#step').click();
    await box.until(before + 1);
    await box.page.locator('main canvas').focus();
    await box.page.keyboard.press('.');
    await box.until(before + 2);
    expect(await box.step()).toBe(before + 2);
    await box.fresh(() => box.page.locator('#reset').click());
    expect(await box.step()).toBe(0);
    await box.page.locator('#play').click();
    await box.until(5);
    await box.visit.close();
  });

  it.skipIf(!existsSync(stateHash))('comes to the same state as the native library, to the last bit', async () => {
    const box = await Sandbox.open('wall');
    await box.until(60);
    await box.pause();
    const [step, hash] = [await box.step(), await box.data('hash')];
    const native = execFileSync(stateHash, [String(step), join(sources, 'scenes/wall.json')], { encoding: 'utf8' }).trim();
    expect(step).toBeLessThan(600); // then the scene's own actions begin
    expect(hash).toBe(native);
    await box.visit.close();
  });

  it('lets a brick be dragged out of the wall, and the rest settles', async () => {
    const box = await Sandbox.open('wall');
    await box.until(60);
    await box.untilRest();
    const before = (await box.save()).scene;
    const { x, y } = await box.middle();
    await box.page.mouse.move(x, y);
    await box.page.mouse.down();
    for (let i = 1; i <= 25; i++) {
      await box.page.mouse.move(x - 3 * i, y + 9 * i);
      await box.page.waitForTimeout(60);
      if (i === 15) await box.visit.screenshot('sandbox_drag');
    }
    await box.more(60);
    const brick = await box.chosen();
    expect(brick).toMatch(/^brick_/);
    await box.page.mouse.up();
    await box.more(30);
    await box.untilRest();
    const way = moved(before, (await box.save()).scene);
    await box.visit.screenshot('sandbox_brick_out');
    expect(way.get(brick)).toBeGreaterThan(0.15);
    const others = [...way].filter(([name]) => name !== brick).map(([, distance]) => distance).sort((a, b) => a - b);
    expect(others[Math.floor(others.length / 2)]).toBeLessThan(0.01);
    expect(others.filter((distance) => distance > 0.1).length).toBeLessThan(6);
    await box.visit.close();
  });

  it('runs every scene that it brings', async () => {
    const box = await Sandbox.open('tower_of_ten');
    const rates: Record<string, string[]> = {};
    for (const offer of OFFERS) {
      await box.begin(offer.name);
      await box.until(30);
      expect(await box.page.locator('.notice').isVisible(), offer.name).toBe(false);
      rates[offer.name] = (await box.page.locator('dl[aria-label="Counters"] dd').allInnerTexts()).slice(0, 3);
      await box.visit.screenshot(`sandbox_scene_${offer.name}`);
    }
    measured['scenes'] = rates;
    await box.visit.close();
  }, 400_000);

  it('shows joints and lists events', async () => {
    const box = await Sandbox.open('chain'), { page } = box;
    await box.fresh(() => page.locator('#open-file').setInputFiles(join(sources, 'viewer/test/support/joints.json')));
    await box.until(80);
    await box.pause();
    await page.locator('#joint').selectOption({ label: 'revolute: post_2, arm_2' });
    const numbers = await page.locator('dl[aria-label="Numbers of the chosen joint"]').innerText();
    expect(numbers).toMatch(/coordinate\s+-?[0-9.]+ rad\s+limits\s+-1.2 … 1 rad\s+force\s+[0-9.]+ N/);
    await page.locator('#body').selectOption({ label: 'gate (static)' });
    expect(await page.locator('dl[aria-label="Numbers of the chosen body"]').innerText()).toContain('static sensor');
    await box.visit.screenshot('sandbox_joints');
    expect(await box.visit.accessibility()).toEqual([]);
    const events = await page.locator('.events li').allInnerTexts();
    expect(events.filter((text) => text.includes('joint breaks (distance): bar, ball_'))).toHaveLength(2);
    expect(events.some((text) => text.includes('sensor begins: gate, ball_0'))).toBe(true);
    const saved = (await box.save()).scene as unknown as { joints: Record<string, unknown>[] };
    expect(saved.joints).toHaveLength(12); // of 14: two are broken
    for (const joint of saved.joints) expect(Object.keys(joint)).toEqual(expect.arrayContaining(['kind', 'a', 'b', 'position', 'rotation', 'position_b', 'rotation_b']));
    await box.visit.close();
  });

  it('turns a gear by the other', async () => {
    const box = await Sandbox.open('gears');
    await box.until(40);
    const before = (await box.save()).scene;
    // The scene's own hand goes round with the handle.
    await box.fresh(() => box.page.getByLabel('Let the scene act by itself').check());
    await box.until(200);
    await box.visit.screenshot('sandbox_gears');
    const after = (await box.save()).scene;
    const angle = (scene: Saved, name: string) => {
      const q = scene.bodies.find((body) => body.name === name)!.rotation.quaternion;
      return 2 * Math.atan2(q[2], q[3]);
    };
    const small = angle(after, 'gear_small') - angle(before, 'gear_small'), large = angle(after, 'gear_large') - angle(before, 'gear_large');
    expect(Math.abs(small)).toBeGreaterThan(1);
    expect(-large / small).toBeCloseTo(2 / 3, 1);
    await box.visit.close();
  });

  it('turns gears by the hand at the handle', async () => {
    const box = await Sandbox.open('gears');
    await box.until(40);
    const before = (await box.save()).scene;
    await box.page.locator('#body').selectOption({ label: 'gear_large' });
    // Somewhere to the right of the middle the larger gear lies; its rim is pulled towards the viewer.
    const { x, y, width } = await box.canvas(), { y: middle } = await box.middle();
    expect(y).toBeGreaterThan(0);
    await box.page.mouse.move(x + 0.7 * width, middle);
    await box.page.mouse.down();
    const held = await box.chosen();
    for (let i = 1; i <= 12; i++) {
      await box.page.mouse.move(x + 0.7 * width - 4 * i, middle + 14 * i);
      await box.page.waitForTimeout(60);
    }
    await box.more(30);
    await box.visit.screenshot('sandbox_gears_hand');
    await box.page.mouse.up();
    const after = (await box.save()).scene;
    expect(held).toBe('gear_large');
    const turn = (name: string) => {
      const [p, q] = [before, after].map((scene) => scene.bodies.find((body) => body.name === name)!.rotation.quaternion);
      return 2 * Math.acos(Math.min(Math.abs(p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]), 1));
    };
    expect(turn('gear_large')).toBeGreaterThan(0.1);
    expect(turn('gear_small')).toBeGreaterThan(0.1);
    await box.visit.close();
  });

  it('tilts the tower with a push', async () => {
    const box = await Sandbox.open('tower');
    expect(await box.page.locator('.modes [data-mode="push"]').getAttribute('aria-pressed')).toBe('true');
    await box.until(60);
    const before = (await box.save()).scene;
    // The lid is what is met first from above on the middle line of the picture; then on to its right edge.
    const { x, y, width, height } = await box.canvas();
    await box.page.getByRole('button', { name: 'Drag', exact: true }).click();
    const place = { x: x + width / 2, y: 0 };
    for (let at = y + 60; at < y + height / 2 && place.y === 0; at += 8) {
      await box.page.mouse.click(place.x, at);
      if ((await box.chosen()) === 'lid') place.y = at + 2;
    }
    expect(place.y).toBeGreaterThan(0);
    for (let at = place.x + 8; at < place.x + 150; at += 8) {
      await box.page.mouse.click(at, place.y);
      if ((await box.chosen()) !== 'lid') break;
      place.x = at - 2;
    }
    await box.page.getByRole('button', { name: 'Push', exact: true }).click();
    await box.page.locator('#strength').fill('1.6');
    await box.page.mouse.move(place.x, place.y);
    await box.page.mouse.down();
    await box.more(40);
    await box.visit.screenshot('sandbox_push');
    await box.more(150);
    await box.page.mouse.up();
    await box.visit.screenshot('sandbox_tower_tilted');
    expect(moved(before, (await box.save()).scene).get('lid')).toBeGreaterThan(0.1);
    await box.visit.close();
  });

  it('throws and removes', async () => {
    const box = await Sandbox.open('tower_of_ten');
    await box.until(20);
    const { x, y } = await box.middle();
    await box.page.keyboard.press('3');
    await box.page.mouse.click(x, y);
    await box.page.waitForFunction(() => document.querySelectorAll('#body option').length === 13);
    await box.more(25);
    await box.visit.screenshot('sandbox_throw');
    await box.fresh(() => box.page.locator('#reset').click());
    expect(await box.page.locator('#body option').count()).toBe(12);
    await box.page.locator('main canvas').focus();
    await box.page.keyboard.press('4');
    await box.until(10);
    await box.page.mouse.click(x, y);
    await box.more(5);
    expect((await box.save()).scene.bodies.length).toBe(10);
    await box.visit.close();
  });

  it('takes hold of nothing that is not what is seen', async () => {
    const listen = () => {
      const sent: string[] = [], { postMessage } = Worker.prototype;
      Object.assign(window, { sent });
      Worker.prototype.postMessage = function (this: Worker, message: { kind: string }, ...rest: never[]) {
        sent.push(message.kind);
        postMessage.call(this, message, ...rest);
      } as Worker['postMessage'];
    };
    const box = new Sandbox(await Visit.open(browser, 'sandbox', { ...LAPTOP, acceptDownloads: true }, '#fractured_block', listen));
    const { page } = box, { x, y } = await box.middle();
    const sent = () => page.evaluate(() => (window as unknown as { sent: string[] }).sent.splice(0).filter((kind) => kind !== 'drawn'));
    await box.until(5);
    await page.getByRole('button', { name: 'Drag', exact: true }).click();
    await page.mouse.move(x, y);
    await page.locator('main canvas').focus();
    await sent();
    // While another scene is under way, which this one is, a press is the camera's; what is held then is let go before.
    await page.mouse.down();
    await box.fresh(() => page.evaluate(([clientX, clientY]) => {
      const canvas = document.querySelector('main canvas')!, pointer = { bubbles: true, isPrimary: true, pointerId: 1, button: 0, clientX, clientY };
      canvas.dispatchEvent(new KeyboardEvent('keydown', { key: 'r', bubbles: true }));
      for (const kind of ['pointerup', 'pointerdown', 'pointermove', 'pointerup']) canvas.dispatchEvent(new PointerEvent(kind, pointer));
    }, [x, y]));
    await page.mouse.up();
    expect(await sent()).toEqual(['grab', 'release', 'load']);
    // A recording is only looked at.
    await box.begin('tower_of_ten');
    await page.locator('#record').click();
    await box.more(20);
    await page.locator('#record').click();
    await page.locator('#replay').click();
    await page.waitForSelector('html[data-past]', { state: 'attached' });
    await page.locator('.modes [data-mode="remove"]').click();
    await sent();
    await page.mouse.click(x, y);
    await page.locator('#back').click();
    expect(await sent()).toEqual([]);
    await page.mouse.click(x, y);
    expect(await sent()).toEqual(['remove']);
    await box.visit.close();
  });

  it('goes to the scene of its address, whatever that is', async () => {
    const box = await Sandbox.open('100%');
    expect(await box.data('scene')).toBe('wall.json');
    await box.fresh(() => box.page.evaluate(() => (location.hash = 'tower')));
    expect(await box.data('scene')).toBe('tower.json');
    await box.visit.close();
  });

  it('gives the graphics card back what a scene had', async () => {
    const count = () => {
      const made = { buffers: 0, arrays: 0 }, P = WebGL2RenderingContext.prototype;
      Object.assign(window, { made });
      const { createBuffer, deleteBuffer, createVertexArray, deleteVertexArray } = P;
      P.createBuffer = function () { return made.buffers++, createBuffer.call(this); };
      P.deleteBuffer = function (...args) { made.buffers--, deleteBuffer.apply(this, args); };
      P.createVertexArray = function () { return made.arrays++, createVertexArray.call(this); };
      P.deleteVertexArray = function (...args) { made.arrays--, deleteVertexArray.apply(this, args); };
    };
    const visit = await Visit.open(browser, 'sandbox', LAPTOP, '#tower_of_ten', count);
    const box = new Sandbox(visit);
    await visit.page.waitForSelector('html[data-ready]', { state: 'attached', timeout: 90_000 });
    for (const label of ['Points', 'Forces', 'Patches', 'Bounds']) await visit.page.getByLabel(label, { exact: true }).check();
    const after: unknown[] = [];
    for (let i = 0; i < 4; i++) {
      await box.fresh(() => visit.page.locator('#reset').click());
      await box.until(10);
      after.push(await visit.page.evaluate(() => ({ ...(window as unknown as { made: Record<string, number> }).made })));
    }
    expect(after[3]).toEqual(after[1]);
    await visit.close();
  });

  it('takes a scene that is dropped, and says what is wrong with another', async () => {
    const box = await Sandbox.open('tower_of_ten');
    const drop = async (files: { name: string; text: string }[]) => {
      const transfer = await box.page.evaluateHandle((list) => {
        const made = new DataTransfer();
        for (const { name, text } of list) made.items.add(new File([text], name));
        return made;
      }, files);
      await box.page.dispatchEvent('main canvas', 'drop', { dataTransfer: transfer });
    };
    const own = {
      abut_scene: 1, title: 'A gear of my own', duration: 1,
      bodies: [
        { name: 'floor', kind: 'static', shape: { plane: { normal: [0, 0, 1] } } },
        { name: 'gear', shape: { mesh: { file: 'parts/gear.obj' } }, position: [0, 0, 0.5] },
      ],
    };
    await drop([{ name: 'mine.json', text: JSON.stringify(own) }, { name: 'gear.obj', text: readFileSync(join(sources, 'scenes/meshes/gear.obj'), 'utf8') }]);
    await box.page.waitForFunction(() => document.documentElement.dataset['scene'] === 'mine.json');
    await box.until(10);
    expect(await box.page.locator('#about').innerText()).toBe('A gear of my own');
    await drop([{ name: 'wrong.json', text: JSON.stringify({ ...own, bodies: [{ name: 'gear', shap: {} }] }, null, 1) }]);
    await box.page.waitForSelector('.notice:not([hidden])');
    expect(await box.page.locator('.notice span').innerText()).toMatch(/^wrong\.json:\d+:\d+: unknown key 'shap'/);
    // What was there goes on.
    await box.more(10);
    await box.visit.screenshot('sandbox_error');
    expect(await box.visit.accessibility()).toEqual([]);
    await box.visit.close();
  });

  it('records, and goes through what it recorded', async () => {
    const box = await Sandbox.open('boxes_on_stairs');
    await box.page.getByLabel('Forces').check();
    await box.page.locator('#record').click();
    await box.more(90);
    await box.page.locator('#record').click();
    await box.page.locator('#replay').click();
    await box.page.waitForSelector('html[data-past]', { state: 'attached' });
    const slider = box.page.getByRole('slider', { name: 'Frame' });
    const frames = Number(await slider.getAttribute('max')) + 1;
    expect(frames).toBeGreaterThan(60);
    await slider.fill('45');
    await box.visit.screenshot('sandbox_recording');
    const [download] = await Promise.all([box.page.waitForEvent('download'), box.page.locator('#save-csv').click()]);
    const path = join(scratch, 'recording.csv');
    await download.saveAs(path);
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(lines[0]).toBe('step,time,body,awake,x,y,z,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz');
    expect(lines.length).toBe(1 + 10 * frames);
    expect(await box.visit.accessibility()).toEqual([]);
    await box.page.locator('#back').click();
    const back = await box.step(); // read first: the step may be done before the next line
    await box.page.locator('#step').click();
    await box.until(back + 1);
    await box.visit.close();
  });

  it.skipIf(!existsSync(command))('saves scenes that the command accepts', async () => {
    const box = await Sandbox.open('tower');
    for (const name of ['tower', 'fractured_block', 'superquadric_pile', 'boxes_on_stairs', 'gears']) {
      await box.begin(name);
      await box.until(20);
      const { path, scene } = await box.save();
      expect(execFileSync(command, ['check', path], { encoding: 'utf8' })).toContain(`OK, ${scene.bodies.length} bodies`);
    }
    await box.visit.close();
  }, 300_000);

  it('shows contacts, forces and numbers, by either method', async () => {
    const box = await Sandbox.open('tower');
    for (const label of ['Points', 'Normals', 'Forces', 'Patches', 'Bounds']) await box.page.getByLabel(label, { exact: true }).check();
    await box.page.getByLabel('Opacity').fill('0.4');
    await box.page.locator('#body').selectOption({ label: 'bowl' });
    await box.until(60);
    await box.visit.screenshot('sandbox_layers');
    const numbers = await box.page.locator('dl[aria-label="Numbers of the chosen body"]').innerText();
    expect(numbers).toMatch(/mass\s+[\d.]+ kg/);
    expect(numbers).toMatch(/contacts\s+\d+/);
    await box.fresh(() => box.page.locator('#method').selectOption('tracking'));
    await box.until(30);
    await box.visit.close();
  });

  it('is used by keyboard alone', async () => {
    const box = await Sandbox.open('tower_of_ten');
    await box.until(10);
    const canvas = box.page.locator('main canvas');
    await canvas.focus();
    await box.page.keyboard.press('p');
    const body = await box.chosen();
    expect(body).not.toBe('none');
    const before = (await box.save()).scene;
    await canvas.focus();
    await box.page.keyboard.press('Enter');
    for (let i = 0; i < 30; i++) {
      await box.page.keyboard.press(i < 10 ? 'ArrowUp' : 'ArrowRight');
      await box.page.waitForTimeout(30);
    }
    await box.more(20);
    await box.visit.screenshot('sandbox_keyboard');
    await box.page.keyboard.press('Escape');
    expect(moved(before, (await box.save()).scene).get(body)).toBeGreaterThan(0.3);
    await canvas.focus();
    await box.page.keyboard.press(' ');
    await box.page.waitForSelector('html[data-hash]', { state: 'attached' });
    await box.page.keyboard.press('Delete');
    const deleted = await box.step();
    await box.page.keyboard.press('.');
    await box.until(deleted + 1);
    expect((await box.save()).scene.bodies.map((one) => one.name)).not.toContain(body);
    await box.visit.close();
  });

  it('works on a phone, in the dark', async () => {
    const box = await Sandbox.open('wall', PHONE);
    await box.until(30);
    await box.untilRest();
    const before = (await box.save()).scene;
    await box.visit.screenshot('sandbox_phone');
    const { x, y } = await box.middle();
    const touch = await box.page.context().newCDPSession(box.page);
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) => touch.send('Input.dispatchTouchEvent', { type, touchPoints: points });
    await send('touchStart', [{ x, y }]);
    for (let i = 1; i <= 20; i++) {
      await send('touchMove', [{ x: x - 2 * i, y: y + 7 * i }]);
      await box.page.waitForTimeout(60);
    }
    await box.more(60);
    await box.visit.screenshot('sandbox_phone_drag');
    await send('touchEnd', []);
    const brick = await box.chosen();
    expect(moved(before, (await box.save()).scene).get(brick)).toBeGreaterThan(0.1);
    expect(await box.visit.accessibility()).toEqual([]);
    await box.visit.close();
  });

  it('says so where the browser cannot draw', async () => {
    const context = await browser.newContext(LAPTOP), page = await context.newPage();
    await page.addInitScript(withoutWebGL);
    await page.goto(pathToFileURL(join(pages, 'sandbox.html')).href);
    await page.getByText('which needs WebGL').waitFor();
    await context.close();
  });

  it('is dark on a laptop, too', async () => {
    const box = await Sandbox.open('fractured_block', { ...LAPTOP, colorScheme: 'dark' });
    await box.until(80);
    await box.visit.screenshot('sandbox_dark');
    expect(await box.visit.accessibility()).toEqual([]);
    await box.visit.close();
  });
});
