/** The contact explorer: two shapes, the command's answer about them, and what it means, drawn. */
import '../ui/style.css';
import './explorer.css';
import type { Vec3 } from '../run/run';
import { button, h, need } from '../ui/dom';
import { themeButton } from '../ui/theme';
import { EXAMPLES, type Example } from './examples';
import { BUNDLED, resolved } from './files';
import { bundledNames, Form, type Snap } from './form';
import { loadEngine } from './load';
import { askCollide, askDepth, commandLine, type Answered, type CollideAnswer, type DepthAnswer, type Drawn, type Engine } from './question';
import { reportCollide, reportDepth } from './report';
import { putTogether, takeApart } from './shapes';
import { alignFaces, moveToGap } from './snap';
import { defaultLayers, defaultSettings, readState, writeState, type CollideState, type State } from './state';
import { View } from './view';

/** What an example asks, whatever is shown of the answer; of shapes also without the settings. */
const asking = (state: State) => writeState({ ...state, camera: null, layers: defaultLayers() });
const placing = (state: State) => (state.kind === 'collide' ? asking({ ...state, settings: defaultSettings() }) : asking(state));
const ASKING = new Map(EXAMPLES.map((example) => [asking(example.state), example]));
const PLACING = new Map(EXAMPLES.map((example) => [placing(example.state), example]));

/** The example that the state is, or at least the one with the same shapes in the same places, otherwise asked about. */
const exampleOf = (state: State): Example | null => ASKING.get(asking(state)) ?? PLACING.get(placing(state)) ?? null;

class Page {
  private state: State = structuredClone(EXAMPLES[0].state);
  private shapesKey = '';
  private drawn: Drawn[] = [];
  private problem = '';
  private collide: Answered<CollideAnswer> = { answer: null, text: '', problem: '' };
  private linkTimer = 0;
  private ownHash = '';
  private readonly opened: string[] = [];
  private readonly known = new Map<string, Drawn | { problem: string }>();
  private readonly view: View;
  private readonly form: Form;
  private readonly message = h('div', { class: 'message', role: 'status', hidden: true });
  private readonly command = h('code', { id: 'command', tabindex: 0, role: 'region', 'aria-label': 'The same question as a command' });
  private readonly report = h('div', { id: 'answer' });
  /** the answer as the command printed it */
  private readonly raw = h('script', { type: 'application/json', id: 'answer-json' });

  constructor(private readonly engine: Engine) {
    for (const [path, text] of BUNDLED) engine.writeFile(path, new TextEncoder().encode(text));
    this.view = new View(need('views'), {
      state: () => this.state, changed: () => this.refresh(), select: (contact) => this.select(contact),
      cameraMoved: () => {
        this.state.camera = this.view.camera;
        this.linkSoon();
      },
    });
    this.form = new Form(need('question'), {
      state: () => this.state,
      changed: () => this.refresh(),
      example: (example) => this.take(example.state),
      open: (file, side) => void this.open(file, side),
      snap: (how) => this.snap(how),
      files: () => [...bundledNames(), ...this.opened],
    });
    need('views').append(this.message);
    need('panel').append(this.report, this.raw);
    need('tools').append(button('Copy link', () => this.copy(this.link(), 'The link is copied: it shows all that you see.')), themeButton());
    need('command-bar').append(this.command, button('Copy command', () => this.copy(commandLine(this.asked()), 'The command is copied.')),
      button('Copy JSON', () => this.copy(this.raw.textContent ?? '', 'The answer is copied, as the command prints it.')));
    this.acceptDrops(need('views'));
    window.addEventListener('hashchange', () => location.hash !== this.ownHash && this.readLink());
    this.readLink();
  }

  // ---- states ----

  private take(state: State): void {
    this.state = structuredClone(state);
    this.view.selected = -1;
    this.refresh(true);
    if (state.camera) this.view.camera = state.camera;
  }

  private readLink(): void {
    const { state, problem } = readState(location.hash);
    this.take(state ?? EXAMPLES[0].state);
    if (problem) this.say(`This link cannot be read: ${problem}. Shown is an example.`, true);
  }

  private link(): string {
    return `${location.href.replace(/#.*$/, '')}#${writeState({ ...this.state, camera: this.view.camera })}`;
  }

  /** Browsers let a page change its address only so often. */
  private linkSoon(): void {
    window.clearTimeout(this.linkTimer);
    this.linkTimer = window.setTimeout(() => {
      history.replaceState(null, '', `#${writeState(this.state)}`);
      this.ownHash = location.hash;
    }, 350);
  }

  // ---- asking and showing ----

  /** The state as the command is asked about it. */
  private asked(): State {
    return this.state.kind === 'collide' ? resolved(this.state).state : this.state;
  }

  private refresh(fit = false): void {
    this.message.hidden = true;
    try {
      if (this.state.kind === 'depth') this.showDepth(this.state);
      else this.showCollide(this.state);
    } catch (error) {
      this.say(`The library could not answer: ${(error as Error).message}. What is shown is the answer before; load the page anew.`, true);
      return;
    }
    if (fit) this.view.fit();
    this.command.textContent = commandLine(this.asked()).replace('\n', '; ');
    this.form.nameExample(exampleOf(this.state));
    this.view.summary.textContent = document.getElementById('status')?.textContent ?? '';
    this.form.update();
    this.linkSoon();
  }

  private showDepth(state: State & { kind: 'depth' }): void {
    this.shapesKey = '';
    this.view.setTetrahedra();
    const answered: Answered<DepthAnswer> = askDepth(this.engine, state);
    this.setRaw(answered.text);
    this.view.showDepth(state, answered);
    reportDepth(this.report, answered, state);
  }

  private showCollide(state: CollideState): void {
    const { state: asked, files } = resolved(state);
    for (const [path, text] of files) this.engine.writeFile(path, new TextEncoder().encode(text));
    this.takeShapes(asked, files.map(([, text]) => text).join());
    this.collide = this.problem ? { answer: null, text: '', problem: this.problem } : askCollide(this.engine, asked);
    const lost = asked.settings.reduce > 0 && this.collide.answer ? this.lostContacts(asked, this.collide.answer) : [];
    this.setRaw(this.collide.text);
    if (!this.problem) this.view.showCollide(state, this.collide, lost);
    else this.view.clear();
    this.reportNow(state);
  }

  private reportNow(state: CollideState): void {
    reportCollide(this.report, this.collide, state, { select: (contact) => this.select(contact), selected: this.view.selected });
  }

  /** Where contacts lay that --reduce has taken away. */
  private lostContacts(asked: CollideState, kept: CollideAnswer): Vec3[] {
    const all = askCollide(this.engine, { ...asked, settings: { ...asked.settings, reduce: 0 } }).answer?.contacts ?? [];
    const ids = new Set(kept.contacts.map(({ id }) => id));
    return all.filter(({ id }) => !ids.has(id)).map(({ on_a, on_b }) => on_a.map((x, k) => (x + on_b[k]) / 2) as Vec3);
  }

  /** Shapes for drawing, made anew when they are others than before. */
  private takeShapes(asked: CollideState, files: string): void {
    const key = [asked.a, ...asked.b, asked.settings.hull, files].join('\n');
    if (key === this.shapesKey) return;
    this.shapesKey = key;
    const drawn: Drawn[] = [];
    this.problem = '';
    for (const argument of [asked.a, ...asked.b]) {
      const own = `${argument}\n${String(asked.settings.hull)}\n${files}`;
      const made = this.known.get(own) ?? this.engine.shape(argument, asked.settings.hull);
      this.known.set(own, made);
      if (this.known.size > 200) this.known.delete(this.known.keys().next().value as string);
      if ('problem' in made) this.problem ||= this.explained(argument, made.problem);
      else drawn.push(made);
    }
    this.drawn = this.problem ? [] : drawn;
    if (!this.problem) this.view.setShapes(drawn);
  }

  private explained(argument: string, problem: string): string {
    const { file } = takeApart(argument), known = [...bundledNames(), ...this.opened];
    return file && !known.includes(file) && !file.startsWith('points_') ? `This link needs the file '${file}': open it, or drop it on the view.` : problem;
  }

  private setRaw(text: string): void {
    this.raw.textContent = text.replace(/</g, '\\u003c');
  }

  private select(contact: number): void {
    this.view.selected = contact;
    if (this.state.kind === 'collide') this.showCollide(this.state);
  }

  // ---- what is done ----

  private snap(how: Snap): void {
    if (this.state.kind !== 'collide' || this.drawn.length === 0) return;
    const state = this.state;
    if (how.to === 'middle') state.poseA.position = [...state.poseB.position];
    let problem = '';
    if (how.to === 'gap') {
      const { state: asked } = resolved(state);
      if (!moveToGap(this.engine, asked, how.gap, this.view.size)) problem = 'No distance is known between these two.';
      state.poseA.position = asked.poseA.position;
    }
    if (how.to === 'faces' && !alignFaces(state, this.collide.answer, this.drawn[0], this.drawn[1])) problem = 'Only two bodies with faces can be aligned.';
    this.refresh();
    if (problem) this.say(problem, true);
  }

  private async open(file: File, side: 'a' | 'b'): Promise<void> {
    const path = file.name.replace(/[^\w.-]+/g, '_');
    this.engine.writeFile(path, new Uint8Array(await file.arrayBuffer()));
    if (!this.opened.includes(path)) this.opened.push(path);
    this.known.clear();
    this.shapesKey = '';
    if (this.state.kind !== 'collide') this.state = structuredClone(EXAMPLES[0].state) as CollideState;
    const parts = takeApart(side === 'a' ? this.state.a : this.state.b[0]);
    const argument = parts.kind.file ? putTogether({ ...parts, file: path }) : `trimesh:${path}`;
    if (side === 'a') this.state.a = argument;
    else this.state.b = [argument];
    this.refresh(true);
  }

  private acceptDrops(host: HTMLElement): void {
    const over = (event: DragEvent, on: boolean) => {
      event.preventDefault();
      host.classList.toggle('drop', on);
    };
    host.addEventListener('dragover', (event) => over(event, true));
    host.addEventListener('dragleave', (event) => over(event, false));
    host.addEventListener('drop', (event) => {
      over(event, false);
      const file = event.dataTransfer?.files[0];
      if (file) void this.open(file, this.view.active);
    });
  }

  private say(words: string, error = false): void {
    this.message.replaceChildren(h('span', {}, words), button('Close', () => (this.message.hidden = true)));
    this.message.classList.toggle('error', error);
    this.message.hidden = false;
  }

  private copy(text: string, done: string): void {
    const fallback = () => {
      const area = h('textarea', { 'aria-hidden': 'true' });
      area.value = text;
      document.body.append(area);
      area.select();
      const copied = document.execCommand('copy');
      area.remove();
      this.say(copied ? done : `Copy this: ${text}`);
    };
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(() => this.say(done), fallback);
    else fallback();
  }
}

function fail(what: string, error: unknown): void {
  need('panel').append(h('p', { class: 'status bad', id: 'status', role: 'alert' }, `${what}: ${error instanceof Error ? error.message : String(error)}`));
}

loadEngine().then((engine) => {
  try {
    new Page(engine);
  } catch (error) {
    fail('This browser cannot show the page, which needs WebGL', error);
  }
}, (error: unknown) => fail('The library does not load', error));
