/** The replay page: the runs that `abut view` put into it. */
import '../ui/style.css';
import './replay.css';
import { readRuns } from '../run/page';
import { h, need } from '../ui/dom';
import { themeButton } from '../ui/theme';
import { startReplay, type Replay } from './replay';

declare global {
  interface Window {
    /** for the console, and for tests */
    abutReplay?: Replay;
  }
}

function notice(title: string, ...rest: (Node | string)[]): void {
  need('views').replaceChildren(h('div', { class: 'notice', role: 'status' }, h('h2', {}, title), ...rest));
}

/** The page has pictures, but something of its data is damaged. */
function fail(error: Error): void {
  need('about').textContent = `Damaged data: ${error.message}`;
  need('about').classList.add('bad');
}

async function start(): Promise<void> {
  need('tools').append(themeButton());
  notice('Reading the run …');
  const runs = await readRuns(document);
  if (runs.length === 0) {
    document.body.classList.add('bare');
    notice('There is no run in this page', h('p', {}, 'The command makes a page of a recording:'),
      h('pre', { tabindex: 0, 'aria-label': 'Commands' }, 'abut run scenes/wall.json -o wall.h5\nabut view wall.h5 -o wall.html'),
      h('p', {}, 'Two recordings are shown side by side:'), h('pre', { tabindex: 0, 'aria-label': 'Command' }, 'abut view patch.h5 tracking.h5 -o both.html'));
    return;
  }
  const titles = runs.map((run) => run.title || run.name);
  const title = runs.length > 1 && titles[0] !== titles[1] ? titles.join(' and ') : titles[0];
  document.title = `${title} – abut replay`;
  need('views').classList.toggle('two', runs.length > 1);
  document.querySelector('header h1')?.replaceChildren(title);
  need('about').textContent = runs.map(({ name, bodies, frameCount, complete }) =>
    [name, `${bodies.length} bodies`, `${frameCount} frames`, complete ? '' : 'interrupted'].filter(Boolean).join(' · ')).join(' beside ');
  const replay = await startReplay(runs, { views: need('views'), panel: need('panel'), timeline: need('timeline') }, fail);
  window.abutReplay = replay;
  // Until there is a picture nothing of the run should pass.
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  await Promise.all(replay.views.map((view) => view.stage?.finished()));
  performance.mark('abut-first-frame');
  if (!window.matchMedia('(prefers-reduced-motion: reduce)').matches) replay.player.play();
}

start().catch((error: Error) => {
  document.body.classList.add('bare');
  notice('This page cannot be shown', h('p', { class: 'bad', role: 'alert' }, error.message), h('p', {}, 'Its file may be damaged or cut off: make it again with abut view.'));
});
