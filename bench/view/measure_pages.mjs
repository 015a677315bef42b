/*
 * How fast the pages are in Chromium, drawn without a graphics card: prints JSON.
 *
 *   node bench/view/measure_pages.mjs [REPLAY.html]
 *
 * The sandbox: milliseconds until its first picture is there and it can be used, steps per second of the wall. The replay page given (make_run.py and
 * `abut view` make a large one): milliseconds until the first picture, and processor time of the main thread for each picture while it plays. Both are
 * opened in a browser that has finished its own beginning.
 * ABUT_PAGES is the folder of the built pages (default build/release/viewer).
 */
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const { chromium } = createRequire(join(root, 'viewer/package.json'))('playwright-core');
const pages = process.env.ABUT_PAGES ?? join(root, 'build/release/viewer');

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

async function open(path) {
  const browser = await chromium.launch({
    executablePath: process.env.ABUT_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-background-networking'],
  });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.waitForTimeout(1500);
  await page.goto(pathToFileURL(resolve(path)).href, { waitUntil: 'commit' });
  return { browser, page };
}

const mark = (page, name) => page.waitForFunction((mark) => performance.getEntriesByName(mark)[0]?.startTime, name, { timeout: 120_000 }).then((found) => found.jsonValue());

/** Seconds that the page's main thread was busy. */
async function busy(session) {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find((metric) => metric.name === 'TaskDuration').value;
}

async function measureSandbox() {
  const ready = [], rest = [];
  for (let i = 0; i < 3; i++) {
    const { browser, page } = await open(join(pages, 'sandbox.html'));
    ready.push(await mark(page, 'abut-ready'));
    await page.waitForTimeout(4000);
    rest.push(await page.evaluate(() => new Promise((done) => {
      // The page says the step a few times in a second: from one time to another.
      const said = [];
      new MutationObserver(() => {
        said.push([performance.now(), Number(document.documentElement.dataset.step)]);
        const [from, to] = [said[0], said.at(-1)];
        if (to[0] - from[0] > 5000) done((1000 * (to[1] - from[1])) / (to[0] - from[0]));
      }).observe(document.documentElement, { attributeFilter: ['data-step'] });
    })));
    await browser.close();
  }
  return { milliseconds_until_ready: median(ready), wall_steps_per_second: median(rest) };
}

async function measureReplay(path) {
  const first = [];
  let playing;
  for (let i = 0; i < 3; i++) {
    const { browser, page } = await open(path);
    first.push(await mark(page, 'abut-first-frame'));
    await page.waitForLoadState('load');
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const count = () => page.evaluate(() => new Promise((done) => {
      let pictures = 0;
      const end = performance.now() + 5000;
      const tick = () => (pictures++, performance.now() < end ? requestAnimationFrame(tick) : done(pictures));
      requestAnimationFrame(tick);
    }));
    if (!(await page.getByRole('button', { name: /pause/i }).count())) await page.getByRole('button', { name: /^play/i }).click();
    const before = await busy(session), pictures = await count();
    playing = { pictures_per_second: pictures / 5, main_thread_ms_per_picture: (1000 * ((await busy(session)) - before)) / pictures };
    await browser.close();
  }
  return { milliseconds_until_first_picture: median(first), ...playing };
}

const result = { sandbox: await measureSandbox() };
if (process.argv[2]) result.replay = await measureReplay(process.argv[2]);
console.log(JSON.stringify(result, null, 2));
