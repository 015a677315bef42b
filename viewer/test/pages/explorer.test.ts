/**
 * The contact explorer in a browser: what it shows is what the command answers, number by number; bodies and corners follow pointer and keys; links,
 * figures, a phone, the dark.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXAMPLES } from '../../src/explorer/examples';
import { BUNDLED, resolved } from '../../src/explorer/files';
import { collideArguments, commandLine, depthArguments, PAIR_FILE, pairTable, type CollideAnswer, type DepthAnswer } from '../../src/explorer/question';
import { collideState, defaultLayers, depthState, identityPose, readState, writeState, type CollideState, type State } from '../../src/explorer/state';
import { format } from '../../src/ui/dom';
import { command, LAPTOP, pages, PHONE, scratch, startBrowser, Visit, withoutWebGL } from '../support/browser';

let browser: Browser;
const folder = join(scratch, 'explorer');

beforeAll(async () => {
  for (const [path, text] of BUNDLED) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  browser = await startBrowser();
});
afterAll(() => browser?.close());

/** What the command answers, run by itself. */
function asked(state: State): unknown {
  let args: string[];
  if (state.kind === 'depth') {
    writeFileSync(join(folder, PAIR_FILE), pairTable(state));
    args = depthArguments(state);
  } else {
    const { state: plain, files } = resolved(state);
    for (const [path, text] of files) writeFileSync(join(folder, path), text);
    args = collideArguments(plain);
  }
  return JSON.parse(execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
}

async function answer<T>(page: Page): Promise<T> {
  return JSON.parse((await page.locator('#answer-json').textContent()) ?? '') as T;
}

const explorer = (hash = '', options = LAPTOP) => Visit.open(browser, 'explorer', options, hash ? `#${hash}` : '').then(async (visit) => {
  await visit.page.locator('#status').waitFor();
  return visit;
});

/** Another state by its link, in the page that is open. */
async function go(page: Page, state: State): Promise<void> {
  const hash = writeState(state);
  await page.evaluate((to) => (location.hash = to), hash);
  const line = commandLine(state.kind === 'collide' ? resolved(state).state : state).replace('\n', '; ');
  await page.waitForFunction((now) => document.getElementById('command')?.textContent === now, line);
  await settle(page);
}

/** Until the page has drawn. */
const settle = (page: Page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Where two JSON documents differ; how long something took differs always. */
function differences(a: unknown, b: unknown, path = ''): string[] {
  if (path.endsWith('.seconds')) return [];
  if (a !== null && b !== null && typeof a === 'object' && typeof b === 'object') {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...keys].flatMap((key) => differences((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key], `${path}.${key}`));
  }
  return Object.is(a, b) ? [] : [`${path}: ${String(a)} and ${String(b)}`];
}

const example = (key: string): State => EXAMPLES.find((known) => known.key === key)!.state;
const turned = { position: [0.1, 0.2, 0.9], rotation: [0.1, 0.2, 0.3, 0.9] } as const;
const posed = { poseA: { position: [...turned.position], rotation: [...turned.rotation] } } as Partial<CollideState> as { poseA: CollideState['poseA'] };

const ASKED: [string, State][] = [
  ...EXAMPLES.map(({ key, state }): [string, State] => [key, state]),
  ['a capsule and a sphere', collideState('capsule:0.5,1', 'sphere:0.5', posed)],
  ['a polytope and a sphere', collideState('prism:0.5,0.6,9', 'sphere:0.5', posed)],
  ['an ellipsoid and a polytope', collideState('ellipsoid:0.5,0.7,0.4', 'pyramid:0.9,1,7', posed)],
  ['a superquadric on a plane', collideState('superquadric:1,1,0.9,0.4,0.8', 'plane:0,0.1,1,0', posed)],
  ['a facet mesh on a plane', collideState('facetmesh:scenes/meshes/pear.obj', 'plane:0,0,1,0', { poseA: { position: [0, 0, 0.0066], rotation: [0, 0, 0, 1] } })],
  ['two triangle meshes', collideState('trimesh:scenes/meshes/gear.obj', 'trimesh:scenes/meshes/gear_small.obj', { poseB: { position: [0.33, 0, 0.01], rotation: [0, 0, 0, 1] } })],
  ['a compound and a triangle mesh', collideState('scenes/meshes/gear.obj', 'trimesh:scenes/meshes/stairs.obj', { poseA: { position: [2.4, 0, 1.02], rotation: [0, 0, 0, 1] } })],
  ['growth normal', collideState('prism:0.5,0.5,12', 'pyramid:0.7,1.5,9', { ...posed, settings: { normal: 'growth' } })],
  ['a ray cast', collideState('prism:0.5,0.5,12', 'pyramid:0.7,1.5,9', { ...posed, settings: { method: 'ray-cast', refine: false } })],
  ['the published rule', { ...(example('figure_6') as CollideState), settings: { ...(example('figure_6') as CollideState).settings, meshRule: 'published', meshIdentity: 'index' } }],
  ['ghosts', { ...(example('figure_4') as CollideState), settings: { ...(example('figure_4') as CollideState).settings, meshRule: 'closest' } }],
  ['a reduced polygon', { ...(example('turned') as CollideState), settings: { ...(example('turned') as CollideState).settings, reduce: 3 } }],
  ...(['paper', 'accelerated', 'best-k', 'free-local'] as const).map((mode): [string, State] => [mode, depthState((example('both') as State & { kind: 'depth' }).corners, { mode, bestK: 4 })]),
  ['a heavy tetrahedron', depthState((example('both') as State & { kind: 'depth' }).corners, { weightA: 3, weightB: 0.5 })],
];

describe('what is shown is what the command answers', () => {
  it('to the last bit, for every generator', async () => {
    const visit = await explorer();
    for (const [name, state] of ASKED) {
      await go(visit.page, state);
      expect(differences(await answer(visit.page), asked(state)).slice(0, 5), name).toEqual([]);
      if (state.kind === 'collide') {
        const { contacts } = asked(state) as CollideAnswer;
        const shown = await visit.page.locator('#panel tbody tr').evaluateAll((rows) => rows.map((row) => (row as HTMLTableRowElement).cells[1].textContent));
        expect(shown, name).toEqual(contacts.slice(0, 200).map(({ gap }) => format(gap, 4)));
      } else {
        const [pair] = (asked(state) as DepthAnswer).pairs;
        expect(await visit.page.locator('#status').textContent(), name).toBe(`They intersect: depth ${format(pair.depth)}`);
      }
    }
    await visit.close();
  });

  it('and says what the command says is wrong', async () => {
    const visit = await explorer(writeState(collideState('plane:0,0,1,0', 'plane:0,0,1,0')));
    expect(await visit.page.locator('#status').textContent()).toContain('there are no contacts between a plane and a plane');
    await go(visit.page, collideState('superquadric:1,1,1,9,9', 'sphere:1'));
    expect(await visit.page.locator('#status').textContent()).toContain('E1,E2 from 0.2 to 1.8');
    await go(visit.page, collideState('trimesh:missing.obj', 'sphere:1'));
    expect(await visit.page.locator('#status').textContent()).toContain("needs the file 'missing.obj'");
    await go(visit.page, example('quarter'));
    expect(await visit.page.locator('#status').textContent()).toBe('4 contacts in 1 patch, least gap -0.01');
    await visit.close();
  });
});

describe('moving', () => {
  const poseOf = async (page: Page, option: string) => new RegExp(`--${option} ([^ ]+)`).exec((await page.locator('#command').textContent()) ?? '')?.[1].split(',').map(Number) ?? [];

  it('a body follows the mouse, and the answer with it', async () => {
    const visit = await explorer(), { page } = visit, canvas = (await page.locator('main canvas').boundingBox())!;
    const x = canvas.x + canvas.width * 0.61, y = canvas.y + canvas.height * 0.26;
    const before = await answer<CollideAnswer>(page);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 30, y + 8, { steps: 4 });
    await page.mouse.up();
    const after = await answer<CollideAnswer>(page), moved = await poseOf(page, 'pose-a');
    expect(after).not.toEqual(before);
    expect(moved.slice(0, 3)).not.toEqual([0.25, 0.25, 0.99]);
    expect(after.a.position).toEqual(moved.slice(0, 3));
    expect(after.b.position).toEqual([0, 0, 0]);
    // Turning, by Shift.
    await page.keyboard.down('Shift');
    await page.mouse.move(x + 20, y);
    await page.mouse.down();
    await page.mouse.move(x + 60, y + 10, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    const last = await poseOf(page, 'pose-a');
    expect(last.slice(0, 3)).toEqual(moved.slice(0, 3));
    expect(last).toHaveLength(7);
    // The address is a link to what is seen.
    await page.waitForTimeout(600);
    const { state } = readState(await page.evaluate(() => location.hash));
    expect((state as CollideState).poseA.position).toEqual(last.slice(0, 3));
    await visit.close();
  });

  it('beside the bodies the view turns, and nothing else', async () => {
    const visit = await explorer(), { page } = visit, canvas = (await page.locator('main canvas').boundingBox())!;
    const sphere = () => page.locator('.gauss').innerHTML();
    const before = await answer(page), map = await sphere();
    await page.mouse.move(canvas.x + canvas.width - 40, canvas.y + 120);
    await page.mouse.down();
    await page.mouse.move(canvas.x + canvas.width - 140, canvas.y + 150, { steps: 4 });
    await page.mouse.up();
    await settle(page);
    expect(await answer(page)).toEqual(before);
    expect(await sphere()).not.toBe(map);
    await visit.close();
  });

  it('by keys', async () => {
    const visit = await explorer(), { page } = visit;
    await page.locator('main canvas').focus();
    await page.keyboard.press('x');
    expect(await poseOf(page, 'pose-a')).toEqual([0.3, 0.25, 0.99]);
    await page.keyboard.press('Shift+X');
    await page.keyboard.press('b');
    await page.keyboard.press('z');
    expect(await poseOf(page, 'pose')).toEqual([0, 0, 0.05]);
    await page.keyboard.press('t');
    await page.keyboard.press('y');
    const turn = await poseOf(page, 'pose');
    expect(2 * Math.acos(turn[6]) * (180 / Math.PI)).toBeCloseTo(5, 4);
    await page.keyboard.press('n');
    expect(await page.locator('#panel tr.selected').count()).toBe(1);
    await visit.close();
  });

  it('by numbers', async () => {
    const visit = await explorer(), { page } = visit;
    const field = (group: string, name: string) => page.getByRole('group', { name: group }).getByLabel(name, { exact: true });
    await field('Position of A', 'z').fill('0.95');
    expect((await answer<CollideAnswer>(page)).contacts[0].gap).toBeCloseTo(-0.05, 12);
    await field('Turn of A', 'about z °').fill('45');
    expect((await answer<CollideAnswer>(page)).a.rotation[2]).toBeCloseTo(Math.sin(Math.PI / 8), 9);
    await field('Position of A', 'z').fill('');
    expect(await field('Position of A', 'z').getAttribute('aria-invalid')).toBe('true');
    await field('Position of A', 'x').press('ArrowUp');
    expect((await answer<CollideAnswer>(page)).a.position).toEqual([0.3, 0.25, 0.95]);
    await page.locator('#kind-a').selectOption('sphere');
    expect((await answer<CollideAnswer>(page)).a.kind).toBe('sphere');
    await visit.close();
  });

  it('until they touch, overlap by a depth, or are parallel', async () => {
    const visit = await explorer(writeState(collideState('prism:0.5,0.5,7', 'box:0.5,0.5,0.5', { poseA: { position: [0.3, 0.1, 2], rotation: [0.1, 0.05, 0.2, 0.97] } }))), { page } = visit;
    await page.getByRole('button', { name: 'Touch' }).click();
    let found = await answer<CollideAnswer>(page);
    expect(found.growth?.alpha).toBeCloseTo(1, 7);
    await page.getByRole('button', { name: 'Align faces' }).click();
    await page.getByLabel('Depth of the overlap').fill('0.02');
    await page.getByRole('button', { name: 'Overlap by' }).click();
    found = await answer<CollideAnswer>(page);
    expect(Math.min(...found.contacts.map(({ gap }) => gap))).toBeCloseTo(-0.02, 8);
    expect(found.contacts.length).toBeGreaterThan(3);
    expect(found.contacts.every(({ gap }) => Math.abs(gap + 0.02) < 1e-8)).toBe(true);
    await page.getByRole('button', { name: 'Middle' }).click();
    expect((await answer<CollideAnswer>(page)).a.position).toEqual([0, 0, 0]);
    await go(page, example('wall'));
    await page.getByRole('button', { name: 'Touch' }).click();
    expect(await page.locator('.message').textContent()).toContain('No distance is known');
    await visit.close();
  });
});

describe('Gauss maps', () => {
  const features = (page: Page) => page.locator('.gauss [data-feature]').evaluateAll((found) =>
    found.map((element) => `${element.getAttribute('data-feature')}${element.classList.contains('chosen') ? ' chosen' : ''}`));

  it('highlight the features that the contact normal selects', async () => {
    const visit = await explorer(), { page } = visit;
    const chosen = async () => (await features(page)).filter((name) => name.endsWith('chosen')).sort();
    expect(await chosen()).toEqual(['a face 4 chosen', 'b face 5 chosen']);
    await go(page, example('edges'));
    const { contacts: [edge] } = await answer<CollideAnswer>(page);
    expect(await chosen()).toEqual([`a edge ${edge.feature_a.index} chosen`, `b edge ${edge.feature_b.index} chosen`]);
    await go(page, example('vertex'));
    const { contacts: [vertex] } = await answer<CollideAnswer>(page);
    expect(vertex.feature_a.kind).toBe('vertex');
    expect(await chosen()).toEqual([`a vertex ${vertex.feature_a.index} chosen`, `b face ${vertex.feature_b.index} chosen`]);
    await go(page, example('ellipsoids'));
    expect(await page.locator('#gauss').textContent()).toContain('A is smooth: its map is one to one');
    await visit.close();
  });

  it('have the features under the normal', async () => {
    const visit = await explorer(writeState(example('edges'))), { page } = visit;
    const distance = await page.evaluate(() => {
      const ring = document.querySelector('.gauss .ring')!, x = Number(ring.getAttribute('cx')), y = Number(ring.getAttribute('cy'));
      return [...document.querySelectorAll('.gauss .arc.chosen[data-feature]')].map((arc) => {
        const points = [...arc.getAttribute('d')!.matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(([, px, py]) => Math.hypot(Number(px) - x, Number(py) - y));
        return Math.min(...points);
      });
    });
    expect(distance).toHaveLength(2);
    expect(Math.max(...distance)).toBeLessThan(6);
    await visit.close();
  });
});

describe('links', () => {
  it('restore everything', async () => {
    const state = collideState('prism:0.4,0.6,9', 'box:0.5,0.6,0.7', {
      ...posed, poseB: { position: [0.01, 0, 0], rotation: [0, 0, 0, 1] }, settings: { margin: 0.05, normal: 'growth', reduce: 3, refine: false },
      layers: { ...defaultLayers(), growth: true, normals: false }, camera: [3, -2, 2.5, 0.1, 0, 0.2],
    });
    const visit = await explorer(writeState(state)), { page } = visit;
    expect(differences(await answer(page), asked(state))).toEqual([]);
    expect(await page.getByLabel('Normals', { exact: true }).isChecked()).toBe(false);
    expect(await page.getByLabel(/^Growth distance/).isChecked()).toBe(true);
    expect(await page.getByLabel('margin').inputValue()).toBe('0.05');
    await page.waitForTimeout(500);
    expect(readState(await page.evaluate(() => location.hash)).state).toEqual(state);
    const link = await page.evaluate(async () => {
      let copied = '';
      Object.defineProperty(navigator, 'clipboard', { value: { writeText: (text: string) => Promise.resolve((copied = text)) } });
      [...document.querySelectorAll('button')].find((found) => found.textContent === 'Copy link')!.click();
      return Promise.resolve(copied);
    });
    expect(readState(new URL(link).hash).state).toEqual(state);
    await visit.close();
  });

  it('with a view have the size of what is seen, too', async () => {
    const pictures: Buffer[] = [];
    for (const camera of [null, [0.3, -0.2, 0.25, 0, 0, 0] as [number, number, number, number, number, number]]) {
      const visit = await explorer(writeState({ ...(example('pears') as CollideState), camera })), { page } = visit;
      await page.locator('main canvas').focus();
      pictures.push(await page.locator('main canvas').screenshot());
      await page.keyboard.press('Home');
      await settle(page);
      pictures.push(await page.locator('main canvas').screenshot());
      await visit.close();
    }
    expect(pictures[1].equals(pictures[0])).toBe(true);
    expect(pictures[2].equals(pictures[0])).toBe(false);
    expect(pictures[3].equals(pictures[0])).toBe(true);
  });

  it('that are malformed are ignored, with a message', async () => {
    for (const hash of ['a=box:1,1,1&b=sphere:1&margin=wide', '%E0%A4%A', 'tetrahedra=1,2', '<img src=x onerror=alert(1)>']) {
      const visit = await explorer(hash);
      expect(await visit.page.locator('.message').textContent()).toContain('This link cannot be read');
      expect(await visit.page.locator('#status').textContent()).toBe('4 contacts in 1 patch, least gap -0.01');
      await visit.close();
    }
  });
});

describe('figures and files', () => {
  it('mesh figures with every rule', async () => {
    const visit = await explorer(), { page } = visit;
    await page.getByLabel('Example', { exact: true }).selectOption('figure_8');
    await page.getByLabel('Mesh rule').selectOption('closest');
    const state = { ...(example('figure_8') as CollideState), settings: { ...(example('figure_8') as CollideState).settings, meshRule: 'closest' as const } };
    expect(differences(await answer(page), asked(state))).toEqual([]);
    expect((await answer<CollideAnswer>(page)).contacts.length).toBeGreaterThan(1);
    await visit.screenshot('explorer-figure-8-ghosts');
    await page.getByLabel('Mesh rule').selectOption('published');
    await page.getByLabel('Same by').selectOption('index');
    // The paper's figure: the vertex alone.
    expect((await answer<CollideAnswer>(page)).contacts).toHaveLength(1);
    await page.getByLabel('Mesh rule').selectOption('surface');
    expect((await answer<CollideAnswer>(page)).contacts).toHaveLength(1);
    await visit.screenshot('explorer-figure-8');
    await visit.close();
  });

  it('a file of one’s own', async () => {
    const visit = await explorer(writeState(collideState('trimesh:figure_2.obj', 'sphere:0.5', { poseB: { position: [0, 0, 0.45], rotation: [0, 0, 0, 1] } }))), { page } = visit;
    const tetrahedron = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n';
    await page.getByLabel('Open a mesh file for A').setInputFiles({ name: 'my corner.obj', mimeType: 'text/plain', buffer: Buffer.from(tetrahedron) });
    await page.waitForFunction(() => document.getElementById('command')?.textContent?.includes('trimesh:my_corner.obj'));
    writeFileSync(join(folder, 'my_corner.obj'), tetrahedron);
    expect(differences(await answer(page), asked(collideState('trimesh:my_corner.obj', 'sphere:0.5', { poseB: { position: [0, 0, 0.45], rotation: [0, 0, 0, 1] } })))).toEqual([]);
    await visit.close();
  });

  it('hulls of points', async () => {
    const visit = await explorer(), { page } = visit;
    await page.locator('#kind-a').selectOption('hull');
    await page.getByLabel(/^Points of A/).fill('0.5 0 -0.5\n-0.5 0.5 -0.5\n-0.5 -0.5 -0.5\n0 0 0.5');
    const found = await answer<CollideAnswer>(page);
    expect(found.a.kind).toBe('polytope');
    const state = collideState('hull:0.5,0,-0.5,-0.5,0.5,-0.5,-0.5,-0.5,-0.5,0,0,0.5', 'box:0.5,0.5,0.5', { poseA: { ...identityPose(), position: [0.25, 0.25, 0.99] } });
    expect(differences(found, asked(state))).toEqual([]);
    await visit.close();
  });
});

describe('tetrahedra', () => {
  it('corners follow the mouse, and the depth with them', async () => {
    const visit = await explorer(writeState(example('both'))), { page } = visit;
    await settle(page);
    await visit.screenshot('explorer-tetrahedra');
    const tag = (await page.locator('.tags span', { hasText: 'A0' }).boundingBox())!;
    const before = (await answer<DepthAnswer>(page)).pairs[0];
    // A name stands 7 right of its corner and 18 above it.
    const x = tag.x - 7, y = tag.y + 18;
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 25, y + 30, { steps: 4 });
    await page.mouse.up();
    const after = (await answer<DepthAnswer>(page)).pairs[0];
    expect(after.displacement_a).not.toEqual(before.displacement_a);
    await page.waitForTimeout(500);
    const { state } = readState(await page.evaluate(() => location.hash));
    const moved = (state as State & { kind: 'depth' }).corners.map((c, i) => (c === (example('both') as State & { kind: 'depth' }).corners[i] ? -1 : i)).filter((i) => i >= 0);
    expect(moved.every((i) => i < 3)).toBe(true);
    expect(differences(await answer(page), asked(state!))).toEqual([]);
    await page.getByLabel('static').nth(1).check();
    expect((await answer<DepthAnswer>(page)).pairs[0].displacement_b.flat().every((d) => d === 0)).toBe(true);
    await page.getByLabel('Normals').selectOption('free');
    expect((await answer<DepthAnswer>(page)).pairs[0].certified).toBe(true);
    await visit.close();
  });
});

describe('for everyone', () => {
  it('on a laptop', async () => {
    const visit = await explorer();
    await settle(visit.page);
    await visit.screenshot('explorer');
    expect(await visit.accessibility()).toEqual([]);
    for (const key of ['edges', 'cylinder', 'deep', 'figure_4', 'gears']) {
      await go(visit.page, example(key));
      await visit.screenshot(`explorer-${key}`);
    }
    await go(visit.page, example('both'));
    expect(await visit.accessibility()).toEqual([]);
    await visit.close();
  });

  it('says so where the browser cannot draw', async () => {
    const context = await browser.newContext(LAPTOP), page = await context.newPage();
    await page.addInitScript(withoutWebGL);
    await page.goto(pathToFileURL(join(pages, 'explorer.html')).href);
    await page.getByText('which needs WebGL').waitFor();
    await context.close();
  });

  it('in the dark', async () => {
    const visit = await explorer(writeState(example('turned')), { ...LAPTOP, colorScheme: 'dark' });
    await settle(visit.page);
    await visit.screenshot('explorer-dark');
    expect(await visit.accessibility()).toEqual([]);
    await visit.page.getByRole('button', { name: 'Use light colours' }).click();
    expect(await visit.accessibility()).toEqual([]);
    await visit.close();
  });

  it('on a phone, by touch', async () => {
    const visit = await explorer('', PHONE), { page } = visit;
    await settle(page);
    await visit.screenshot('explorer-phone');
    expect(await visit.accessibility()).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    const tag = (await page.locator('.tags span', { hasText: /^2$/ }).boundingBox())!;
    await page.touchscreen.tap(tag.x - 7, tag.y + 18);
    expect(await page.locator('#panel tr.selected').getAttribute('data-contact')).toBe('1');
    // A finger on a body moves it.
    const canvas = (await page.locator('main canvas').boundingBox())!, session = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) => session.send('Input.dispatchTouchEvent', { type, touchPoints });
    const x = canvas.x + canvas.width * 0.55, y = canvas.y + canvas.height * 0.3, before = await answer<CollideAnswer>(page);
    await touch('touchStart', { x, y });
    await touch('touchMove', { x: x + 10, y: y + 3 });
    await touch('touchMove', { x: x + 20, y: y + 6 });
    await touch('touchEnd');
    expect((await answer<CollideAnswer>(page)).a.position).not.toEqual(before.a.position);
    await visit.close();
  });
});
