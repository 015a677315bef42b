/**
 * The pictures of the README and of docs/use/viewer.md, of the pages as they are built: scripts/draw/viewer_pictures.sh calls this with the folder of the pictures and
 * the names of those that are wanted, or none for all. Where pages and command are, the environment says as it does to the tests.
 *
 * Pages are told that there is a graphics card, so that they draw with shadows and smooth edges, as they do for most people. The processor takes its time
 * over that: the sandbox stands while its brick is pulled, step by step.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { EXAMPLES } from './src/explorer/examples';
import { writeState } from './src/explorer/state';
import { command, LAPTOP, pages, PHONE, scratch, sources, startBrowser, Visit } from './test/support/browser';

/** No picture is larger [bytes]: whoever clones the project loads all that there ever were. */
const LARGEST = 250_000;

const abut = (...words: string[]) => execFileSync(command, words, { stdio: 'inherit' });

/** In the page, before anything of it runs: what draws has the name of a graphics card. */
function withGraphicsCard(): void {
  const UNMASKED_RENDERER = 0x9246;
  const ask = WebGL2RenderingContext.prototype.getParameter;
  WebGL2RenderingContext.prototype.getParameter = function (name) {
    return name === UNMASKED_RENDERER ? 'a graphics card' : (ask.call(this, name) as unknown);
  };
}

async function open(browser: Browser, path: string, hash = '', options: BrowserContextOptions = LAPTOP): Promise<Visit> {
  return Visit.open(browser, path, options, hash, withGraphicsCard);
}

/** Two pictures later all is drawn. */
const settle = (page: Page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))));

// ---- the sandbox ----

/** Bricks are 0.12 m deep. */
const HALF_OUT = 0.06;

/** The wall, with a brick that the hand has pulled out by half. It stands while the pointer moves, so that it is the same each time. */
async function sandbox(browser: Browser): Promise<Visit> {
  const visit = await open(browser, 'sandbox', '#wall'), { page } = visit, canvas = page.locator('main canvas');
  await page.waitForFunction(() => Number(document.documentElement.dataset['step']) > 60 && document.documentElement.dataset['awake'] === '0', null, { timeout: 200_000 });
  for (const label of ['Points', 'Friction']) await page.getByLabel(label, { exact: true }).check();
  await canvas.focus();
  await page.locator('#play').click();
  await page.waitForSelector('html[data-hash]', { state: 'attached' });
  const box = (await canvas.boundingBox())!, x = box.x + box.width / 2, y = box.y + box.height / 2;
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 20, y + 40, { steps: 10 });
  const out = async () => Math.abs(Number((await page.locator('dt:text-is("position") + dd').textContent())?.trim().split(/\s+/)[1]?.replace('−', '-')));
  for (let i = 0; i < 300 && (await out()) < HALF_OUT; i++) {
    const step = await page.evaluate(() => Number(document.documentElement.dataset['step']));
    await page.evaluate(() => document.getElementById('step')?.click());
    await page.waitForFunction((before) => Number(document.documentElement.dataset['step']) > before, step);
  }
  return visit;
}

// ---- the explorer ----

async function explorer(browser: Browser, example: string, options = LAPTOP): Promise<Visit> {
  const { state } = EXAMPLES.find(({ key }) => key === example)!;
  const visit = await open(browser, 'explorer', `#${writeState(state)}`, options), { page } = visit;
  await page.locator('#status').waitFor();
  await settle(page);
  return visit;
}

// ---- replays ----

/** Recordings of scenes, shown in one page, at a time of them. */
async function replay(browser: Browser, name: string, scenes: string[], time: number, colour = 'body', folder = 'scenes'): Promise<Visit> {
  const recordings = scenes.map((scene) => join(scratch, `${scene}.h5`));
  scenes.forEach((scene, i) => abut('run', join(sources, folder, `${scene}.json`), '-q', '-o', recordings[i]));
  const made = join(scratch, `${name}.html`);
  abut('view', ...recordings, '-o', made, '--template', join(pages, 'replay.html'));
  const visit = await open(browser, made), { page } = visit;
  await page.waitForFunction(() => performance.getEntriesByName('abut-first-frame').length > 0);
  await page.evaluate(`abutReplay.player.seek(${time})`);
  await page.waitForFunction('abutReplay.views.every((view) => view.isCurrent)');
  // The words beside the bar of time are as new as the picture when time moves on.
  await page.evaluate('abutReplay.player.step(1)');
  await page.waitForFunction('abutReplay.views.every((view) => view.isCurrent)');
  await page.getByRole('tab', { name: 'Layers' }).click();
  await page.getByRole('combobox', { name: 'Colour' }).selectOption(colour);
  await page.getByRole('tab', { name: 'Plots' }).click();
  await page.locator('[data-plot="alignment"] canvas').waitFor();
  await page.mouse.move(0, 0);
  await settle(page);
  return visit;
}

/** Joints from near by, one of them chosen, while balls fall through the sensor. */
async function joints(browser: Browser): Promise<Visit> {
  const visit = await replay(browser, 'joints', ['joints'], 0.65, 'body', 'viewer/test/support'), { page } = visit;
  await page.evaluate(`(() => {
    const { stage } = abutReplay.views[0];
    stage.controls.target.set(2.6, 0, 1.25);
    stage.camera.position.set(2.6, -4.6, 2.5);
    stage.controls.update();
    abutReplay.selection.set({ run: 0, body: 6, contact: null, joint: 2 });
  })()`);
  await settle(page);
  return visit;
}

const PICTURES: Record<string, (browser: Browser) => Promise<Visit>> = {
  sandbox,
  explorer: (browser) => explorer(browser, 'turned'),
  phone: (browser) => explorer(browser, 'vertex', PHONE),
  tetrahedra: (browser) => explorer(browser, 'both'),
  replay: (browser) => replay(browser, 'wall', ['wall'], 40),
  joints,
  compared: (browser) => replay(browser, 'walls', ['wall', 'wall_tracking'], 12, 'penetration'),
};

const [folder, ...names] = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(PICTURES, name));
if (!folder || unknown.length > 0) throw new Error(`pictures.ts FOLDER [NAME...], with names of ${Object.keys(PICTURES).join(', ')}`);
mkdirSync(resolve(folder), { recursive: true });
const browser = await startBrowser();
try {
  for (const name of names.length > 0 ? names : Object.keys(PICTURES)) {
    const visit = await PICTURES[name](browser), path = join(resolve(folder), `${name}.png`);
    await visit.page.screenshot({ path });
    await visit.close();
    const { size } = statSync(path);
    console.log(`${path}  ${(size / 1000).toFixed(0)} kB`);
    if (size > LARGEST) throw new Error(`${path} has more than ${LARGEST / 1000} kB`);
  }
} finally {
  await browser.close();
}
