/** The player's page around some runs: pictures, the bar of time, and the panel. Where the runs come from does not matter. */
import type { Frame, Run, RunEvent } from '../run/run';
import { button, choice, h } from '../ui/dom';
import { EventList, markOf } from '../ui/eventlist';
import { throttled } from '../ui/throttle';
import { Tabs } from '../ui/tabs';
import { Timeline } from '../ui/timeline';
import { followBody, linkCameras } from './cameras';
import { Inspector } from './inspector';
import { Layers } from './layers';
import { lastAt, mergeTimes, Player, speedsFor } from '../ui/player';
import { Plots } from './plots';
import { Selection } from './selection';
import { RunView } from './view';

export interface ReplayHosts { views: HTMLElement; panel: HTMLElement; timeline: HTMLElement }

export interface Replay { player: Player; views: RunView[]; selection: Selection; tabs: Tabs }

/** Milliseconds that the first picture may wait for a look at what comes later. */
const PATIENCE = 250;

/** Pixels from a contact within which it is picked: fingers are wide. */
const REACH = { mouse: 8, touch: 18 };

export async function startReplay(runs: Run[], hosts: ReplayHosts, fail: (error: Error) => void): Promise<Replay> {
  const firsts = await Promise.all(runs.map((run) => run.frame(0)));
  const laters = await Promise.all(runs.map(framesLater));
  const frames = runs.map(() => h('div', { class: 'view' }));
  hosts.views.replaceChildren(...frames);
  const views = runs.map((run, i) => new RunView(frames[i], run, i, firsts[i], laters[i], runs.length > 1, fail));
  const player = new Player(runs.length > 1 ? mergeTimes(views.map((view) => view.times)) : views[0].times);
  const { speeds, usual } = speedsFor(player.end - player.start);
  player.speed = usual;
  player.isReady = () => views.every((view) => view.isCurrent);
  // All of them first: pictures beside each other have one scale.
  player.on('time', () => views.filter((view) => view.seek(player.time)).forEach((view) => view.redraw()));
  linkCameras(views);

  const selection = new Selection(runs);
  for (const view of views) {
    view.chosen = (frame) => ({
      body: selection.bodyIn(view.number), contact: selection.contactIn(view.number, frame.contacts), joint: selection.jointIn(view.number),
    });
    onClick(view, (x, y, reach) => selection.set(view.pick(x, y, reach)));
  }
  const first = views[0];
  const timeline = new Timeline(hosts.timeline, player, { speeds, describe: () => `step ${first.run.frameStep(lastAt(first.times, player.time))} of ${first.run.frameStep(first.run.frameCount - 1)}` });

  const panels = { plots: h('div'), layers: h('div'), picked: h('div'), events: h('div') };
  const told = await Promise.all(runs.map((run) => run.events?.() ?? [])).catch((error: Error): RunEvent[][] => (fail(error), []));
  const tabs = new Tabs([
    { id: 'plots', label: 'Plots', panel: panels.plots }, { id: 'layers', label: 'Layers', panel: panels.layers },
    ...(told.some((events) => events.length > 0) ? [{ id: 'events', label: 'Events', panel: panels.events }] : []),
    { id: 'picked', label: 'Selection', panel: panels.picked },
  ], 'Panel');
  hosts.panel.replaceChildren(tabs.element);
  new Layers(panels.layers, views);
  panels.layers.append(keysHelp());
  const inspector = new Inspector(panels.picked, views, selection, () => player.playing);
  // The other camera goes along with this one.
  for (const view of views) followBody(view, views, () => (inspector.follows && selection.current?.run === view.number ? selection.bodyIn(view.number) : -1));
  selection.onChange(() => {
    if (selection.current && tabs.current !== 'picked') tabs.show('picked');
  });
  showEvents(panels.events, views, told, player, timeline);
  const plots = new Plots(panels.plots, player, runs);
  // After the first picture.
  requestAnimationFrame(() => setTimeout(() => void plots.start()));
  return { player, views, selection, tabs };
}

/** Lights sensors, lists what happened, and marks it in the bar of time. With two runs one of them is told of. */
function showEvents(host: HTMLElement, views: RunView[], told: RunEvent[][], player: Player, timeline: Timeline): void {
  let view = views[0];
  views.forEach((other, i) => told[i] && other.setEvents(told[i]));
  const list = new EventList(() => view.run, () => view.run.dt, ({ step }) => {
    player.pause();
    player.seek(view.run.frameTime(frameOf(view.run, step)));
  });
  const leftOut = h('p', { class: 'hint' });
  const listen = (index: number) => {
    view = views[index];
    list.set(told[index] ?? []);
    list.show(view.frame?.step ?? 0);
    const missing = view.run.eventsLeftOut ?? 0;
    leftOut.textContent = missing > 0 ? `The page leaves out ${missing} other events.` : '';
  };
  const marks = () => {
    const colours = new Map<string, number[]>();
    for (const { step, kind } of list.chosen) {
      const frames = colours.get(markOf(kind)) ?? [];
      frames.push(lastAt(player.times, view.run.frameTime(frameOf(view.run, step))));
      colours.set(markOf(kind), frames);
    }
    timeline.mark([...colours].map(([variable, frames]) => ({ colour: `var(${variable})`, frames })));
  };
  list.onChoice(marks);
  if (views.length > 1) host.append(choice('Run', views.map(({ run }, i) => [String(i), run.name]), '0', (value) => listen(Number(value))));
  host.append(list.element, leftOut);
  const soon = throttled(120, () => list.show(view.frame?.step ?? 0));
  for (const other of views) other.onFrame(() => other === view && soon());
  listen(0);
}

/** The first frame that is not before a step. */
function frameOf(run: Run, step: number): number {
  let low = 0, high = run.frameCount - 1;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (run.frameStep(mid) < step) low = mid + 1;
    else high = mid;
  }
  return low;
}

/** Some frames of the rest of a run, for the picture to have room for what happens; as many as are to be had at once. */
async function framesLater(run: Run): Promise<Frame[]> {
  const found: Frame[] = [], last = run.frameCount - 1;
  const all = (async () => {
    for (const share of [1 / 2, 1]) found.push(await run.frame(Math.floor(share * last)));
  })().catch(() => undefined); // said when one gets there
  await Promise.race([all, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
  return [...found];
}

/** A press that does not drag the camera. */
function onClick(view: RunView, pressed: (x: number, y: number, reach: number) => void): void {
  const canvas = view.stage?.canvas;
  let down: { x: number; y: number; time: number } | null = null;
  canvas?.addEventListener('pointerdown', (event) => {
    down = event.isPrimary && event.button === 0 ? { x: event.clientX, y: event.clientY, time: event.timeStamp } : null;
  });
  canvas?.addEventListener('pointerup', (event) => {
    const still = down && Math.hypot(event.clientX - down.x, event.clientY - down.y) < 5 && event.timeStamp - down.time < 700;
    down = null;
    if (still) pressed(event.clientX, event.clientY, event.pointerType === 'touch' ? REACH.touch : REACH.mouse);
  });
  if (view.stage) {
    const stage = view.stage;
    view.host.append(h('div', { class: 'corner' }, button('Show all', () => stage.showAll(), 'Bring everything into view (Home)')));
  }
}

function keysHelp(): HTMLElement {
  const key = (...names: string[]) => h('dt', {}, ...names.flatMap((name, i) => [i > 0 && ' ', h('kbd', {}, name)]));
  return h('details', { class: 'keys' }, h('summary', {}, 'Keys and gestures'), h('dl', { class: 'numbers' },
    key('space'), h('dd', {}, 'play, pause'), key(',', '.'), h('dd', {}, 'frame before, next frame'), key('Esc'), h('dd', {}, 'clear the selection'),
    key('←', '→', '↑', '↓'), h('dd', {}, 'turn the picture that has the focus'), key('+', '−'), h('dd', {}, 'closer, away'), key('Home'), h('dd', {}, 'show everything'),
    h('dt', {}, 'drag'), h('dd', {}, 'turn; with the right button or two fingers: move'), h('dt', {}, 'wheel, pinch'), h('dd', {}, 'closer, away')));
}
