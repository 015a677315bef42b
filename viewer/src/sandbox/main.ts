/** The sandbox page: scenes that run in a worker, and a hand to take hold of their bodies. */
import '../ui/style.css';
import './sandbox.css';
import type { Frame, RunEvent } from '../run/run';
import { button, h, need } from '../ui/dom';
import { themeButton } from '../ui/theme';
import { Hand, MODES, type Mode } from './drag';
import type { Head } from './engine';
import { acceptDrops, openFiles, saveFile } from './files';
import { Link } from './link';
import { Panel } from './panel';
import { PlayBar } from './playbar';
import type { Arrays, FrameMessage, FromWorker, SceneFile } from './protocol';
import { Recording } from './recording';
import { saveScene } from './save';
import { meshFiles, methodOf, OFFERS, sceneText, solverOf, withMethod, type Offer } from './scenes';
import { View } from './view';

const MODE_LABELS: Record<Mode, [string, string]> = {
  drag: ['Drag', 'Press on a body and pull it'],
  push: ['Push', 'Press on a body and hold: a force acts there'],
  throw: ['Throw', 'Press anywhere: something flies there from where you are'],
  remove: ['Remove', 'Press on a body: it is taken out'],
};

/** Events that the page keeps. */
const MOST_EVENTS = 5000;

/** What is loaded, and how. */
interface Loaded {
  offer: Offer | null;
  name: string;
  /** as it was written; and as it was loaded, by the method that was chosen */
  source: string;
  text: string;
  files: SceneFile[];
}

class Sandbox {
  private readonly view = new View(need('views').appendChild(h('div', { class: 'view' })));
  private readonly panel: Panel;
  private readonly bar: PlayBar;
  private readonly hand: Hand;
  private readonly link: Link;
  private readonly notice = h('div', { class: 'notice', role: 'alert', hidden: true });
  private readonly task = h('p', { class: 'task' });
  private readonly modes = new Map<Mode, HTMLButtonElement>();
  private readonly fade = h('p', { class: 'drop', 'aria-hidden': 'true', hidden: true }, 'Drop a scene and its meshes');
  private loaded: Loaded | null = null;
  /** what was asked for and is not there yet */
  private readonly coming = new Map<number, Loaded>();
  /** how often a scene was asked for, and which of these runs */
  private loads = 0;
  private current = 0;
  /** of which a picture was there */
  private seen = 0;
  private head: Head | null = null;
  private frame: FrameMessage | null = null;
  private previous: Arrays | null = null;
  private drawn = true;
  /** what the worker waits for, until the next picture */
  private answer: { load: number; spare: Arrays | null } | null = null;
  private playing = true;
  private actions = false;
  private chosen = -1;
  private joint = -1;
  /** the last ones since the scene began */
  private events: RunEvent[] = [];
  private listed: RunEvent[] = [];
  private recording: Recording | null = null;
  private taking = false;
  private lookingBack = false;
  private counted = 0;

  constructor() {
    this.link = new Link((message) => this.receive(message), (message) => this.say(`The simulation could not be started: ${message}`));
    const send = this.link.send.bind(this.link);
    this.hand = new Hand(this.view.stage, send, (body) => this.choose(body), () => this.task.classList.add('done'),
      () => !this.lookingBack && this.coming.size === 0);
    this.panel = new Panel(need('panel'), this.hand.settings, this.view.layers, {
      scene: (name) => this.offer(name),
      open: (files) => void this.open(files),
      method: (method) => this.loaded && this.load({ ...this.loaded, text: withMethod(this.loaded.source, method) }),
      actions: (on) => {
        this.actions = on;
        this.link.send({ kind: 'actions', on });
        if (on) this.reset();
      },
      layers: () => this.changeLayers(),
      hold: (body) => this.hold(body),
      remove: (body) => this.hand.remove(body),
      choose: (body) => this.choose(body),
      chooseJoint: (joint) => this.chooseJoint(joint),
      saveScene: () => this.saveScene(),
    });
    this.bar = new PlayBar(need('timeline'), {
      play: (on) => this.play(on),
      step: () => this.step(),
      reset: () => this.reset(),
      speed: (value) => this.link.send({ kind: 'speed', value }),
      record: (on) => this.record(on),
      replay: (on) => this.lookBack(on),
      seek: (index) => this.seek(index),
      saveCsv: () => this.recording && saveFile(`${this.recording.name}.csv`, this.recording.csv(), 'text/csv'),
    });
    this.furnish();
    window.addEventListener('keydown', (event) => this.key(event));
    // No picture comes while the page is hidden; the worker goes on.
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden || !this.answer) return;
      this.link.send({ kind: 'drawn', ...this.answer });
      this.answer = null;
    });
    acceptDrops((on) => (this.fade.hidden = !on), (files) => void this.open(files));
    window.addEventListener('hashchange', () => this.offer(location.hash.slice(1)));
    const wanted = location.hash.slice(1);
    this.offer(OFFERS.some((offer) => offer.name === wanted) ? wanted : OFFERS[0].name);
    this.play(true);
  }

  /** What lies over the picture. */
  private furnish(): void {
    need('tools').append(themeButton());
    const bar = h('div', { class: 'modes', role: 'group', 'aria-label': 'What the pointer does' });
    for (const mode of MODES) {
      const [label, title] = MODE_LABELS[mode];
      const made = button(label, () => this.setMode(mode), title);
      made.dataset['mode'] = mode;
      this.modes.set(mode, made);
      bar.append(made);
    }
    this.setMode('drag');
    need('views').append(bar, this.task, this.notice, this.fade);
  }

  // ---- scenes ----

  private offer(name: string): void {
    const offer = OFFERS.find((one) => one.name === name);
    if (!offer) return;
    const text = sceneText(name);
    this.load({ offer, name: `${name}.json`, source: text, text, files: meshFiles(text) });
  }

  private async open(files: FileList): Promise<void> {
    try {
      const { name, text, files: meshes } = await openFiles(files);
      this.load({ offer: null, name, source: text, text, files: meshes });
    } catch (error) {
      this.say((error as Error).message);
    }
  }

  private load(what: Loaded): void {
    this.lookBack(false);
    this.hand.letGo();
    this.coming.set(++this.loads, what);
    this.link.send({ kind: 'load', load: this.loads, files: [...what.files, { path: what.name, content: what.text }], path: what.name });
  }

  private reset(): void {
    if (this.loaded) this.load(this.loaded);
  }

  private begin(what: Loaded, head: Head): void {
    const fresh = this.loaded?.source !== what.source;
    this.loaded = what;
    this.head = head;
    this.frame = null;
    this.previous = null;
    this.dropRecording();
    this.choose(-1);
    this.joint = -1;
    this.events = [];
    this.view.forgetVertices();
    this.view.setCast(head, fresh, what.offer ?? undefined);
    this.hand.setScene(head, this.view.bodies!, true);
    const scene = parse(what.text);
    const any = Array.isArray(scene['actions']) && scene['actions'].length > 0;
    this.panel.setScene(what.offer?.name ?? null, head.title || what.name, String(scene['description'] ?? ''), head,
      methodOf(what.text), solverOf(what.text), { any, on: this.actions });
    need('about').textContent = head.title || what.name;
    this.task.textContent = what.offer?.task ?? '';
    this.panel.events.set([]);
    this.chooseJoint(-1);
    if (fresh) {
      this.task.classList.remove('done');
      this.setMode(what.offer?.mode ?? 'drag');
      this.panel.setLevel(what.offer?.level ?? false);
      this.panel.setStrength(what.offer?.strength ?? 20);
      try {
        history.replaceState(null, '', what.offer ? `#${what.offer.name}` : '#');
      } catch {
        // a page of the disk may not have an address to change
      }
    }
    this.say('');
  }

  // ---- the worker ----

  private receive(message: FromWorker): void {
    switch (message.kind) {
      case 'ready':
        this.wantContacts();
        break;
      case 'loaded':
        this.current = message.load;
        this.begin(this.coming.get(message.load)!, message.head);
        this.coming.delete(message.load);
        break;
      case 'added':
        if (message.load !== this.current) break;
        this.head = message.head;
        this.recording?.extend(message.head);
        this.previous = null;
        if (this.lookingBack) break;
        this.view.setCast(message.head, false);
        this.hand.setScene(message.head, this.view.bodies!, false);
        this.panel.setBodies(message.head);
        break;
      case 'frame':
        this.receiveFrame(message);
        break;
      case 'failed':
        if (message.doing === 'load') this.coming.delete(message.load);
        if (message.doing === 'step') this.setPlaying(false);
        this.say(message.message);
    }
  }

  private receiveFrame(frame: FrameMessage): void {
    if (frame.load !== this.current || !this.head || frame.presence.length !== this.head.bodies.length) {
      this.link.send({ kind: 'drawn', load: frame.load, spare: null });
      return;
    }
    this.view.keepVertices(frame.vertices);
    if (frame.events.length > 0) this.events = [...this.events, ...frame.events].slice(-MOST_EVENTS);
    if (this.taking && this.recording && frame.recorded.length > 0 && !this.recording.add(frame.recorded)) {
      this.record(false);
      this.say(`The recording is full, at ${this.recording.frameCount} steps: it keeps what it has, and the simulation goes on.`);
    }
    const spare = this.previous;
    this.previous = this.frame ? { poses: this.frame.poses, velocities: this.frame.velocities, presence: this.frame.presence } : null;
    this.frame = frame;
    this.setPlaying(frame.playing);
    this.showRecord();
    // A page that is not seen draws nothing, but the worker goes on.
    if (document.hidden) {
      this.link.send({ kind: 'drawn', load: frame.load, spare });
      return;
    }
    this.drawn = false;
    this.answer = { load: frame.load, spare };
    requestAnimationFrame(() => void this.drawFrame());
  }

  /** Time begins when the first picture is there: compiling its shaders may take a second, which nobody should miss of the scene. */
  private async drawFrame(): Promise<void> {
    if (!this.drawn) {
      this.drawn = true;
      this.draw();
    }
    const { answer } = this;
    if (!answer) return;
    this.answer = null;
    if (answer.load !== this.seen) {
      this.seen = answer.load;
      await this.view.stage.finished();
    }
    this.link.send({ kind: 'drawn', ...answer });
    const root = document.documentElement;
    if (!root.dataset['ready']) {
      root.dataset['ready'] = performance.now().toFixed(0);
      performance.mark('abut-ready');
    }
  }

  private draw(): void {
    const frame = this.frame;
    if (!frame || !this.head) return;
    if (!this.lookingBack) {
      this.view.show(asFrame(frame));
      this.hand.show(asFrame(frame));
      this.view.stage.flush();
    }
    // People do not read numbers sixty times a second.
    const now = performance.now();
    if (now - this.counted < 200 && frame.playing) return;
    this.counted = now;
    const slow = frame.counters.pace < 0.95 && frame.playing;
    this.bar.show(`${frame.time.toFixed(2)} s`, `step ${frame.step}`, frame.playing ? `${Math.round(frame.counters.stepsPerSecond)} steps/s` : 'paused',
      slow ? `${Math.round(100 * frame.counters.pace)} % of real time` : '');
    this.panel.showCounters(frame);
    if (!this.lookingBack) this.tell(frame);
    if (!this.lookingBack) this.panel.showChosen(this.chosen, this.head, asFrame(frame), this.hand.holding >= 0 ? this.hand.force : 0);
    const root = document.documentElement;
    root.dataset['scene'] = this.loaded?.name ?? '';
    root.dataset['load'] = String(frame.load);
    root.dataset['step'] = String(frame.step);
    root.dataset['awake'] = String(frame.report.awake);
    if (frame.hash) root.dataset['hash'] = frame.hash;
    else delete root.dataset['hash'];
  }

  private chooseJoint(joint: number): void {
    this.joint = joint;
    this.view.chooseJoint(joint);
    this.panel.showJoint(joint, this.head, this.view.frame);
  }

  /** Of joints and events, what is known of a moment. */
  private tell(frame: { step: number }): void {
    this.panel.showJoint(this.joint, this.head, this.view.frame);
    if (this.events.length > 0 && this.events !== this.listed) this.panel.events.set((this.listed = this.events));
    this.panel.events.show(frame.step);
  }

  // ---- time ----

  private play(on: boolean): void {
    this.setPlaying(on);
    this.link.send({ kind: 'play', on });
  }

  private setPlaying(on: boolean): void {
    this.playing = on;
    this.bar.setPlaying(on);
  }

  private step(): void {
    this.setPlaying(false);
    this.link.send({ kind: 'step', count: 1 });
  }

  // ---- the hand ----

  private setMode(mode: Mode): void {
    this.hand.settings.mode = mode;
    for (const [name, made] of this.modes) made.setAttribute('aria-pressed', String(name === mode));
    need('views').dataset['mode'] = mode;
    this.panel.showMode(mode);
  }

  private choose(body: number): void {
    this.chosen = body;
    this.view.choose(body);
    this.counted = 0;
    this.panel.showChosen(body, this.head, this.view.frame, 0);
  }

  private hold(body: number): void {
    this.view.stage.canvas.focus();
    this.hand.hold(body);
  }

  private nextBody(by: number): void {
    const bodies = this.head?.bodies ?? [], frame = this.frame;
    if (!frame) return;
    for (let k = 1; k <= bodies.length; k++) {
      const body = (((this.chosen < 0 && by < 0 ? 0 : this.chosen) + by * k) % bodies.length + bodies.length) % bodies.length;
      if (bodies[body].kind === 'dynamic' && frame.presence[body] !== 0) {
        this.choose(body);
        return;
      }
    }
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const on = event.target instanceof Element ? event.target.closest('input, select, textarea, button') : null;
    const typed = on !== null && (on.tagName !== 'BUTTON' || event.key === ' ' || event.key === 'Enter');
    if (typed) return;
    const past = this.lookingBack;
    const actions: Record<string, () => void> = {
      ' ': () => this.play(!this.playing),
      '.': () => this.step(),
      r: () => this.reset(),
      n: () => this.nextBody(1),
      p: () => this.nextBody(-1),
      Enter: () => this.hold(this.chosen),
      Delete: () => this.hand.remove(this.chosen),
      Backspace: () => this.hand.remove(this.chosen),
      Escape: () => (past ? this.lookBack(false) : this.hand.letGo()),
    };
    MODES.forEach((mode, i) => (actions[String(i + 1)] = () => this.setMode(mode)));
    const action = actions[event.key] ?? actions[event.key.toLowerCase()];
    if (!action || (past && event.key !== 'Escape')) return;
    action();
    event.preventDefault();
  }

  // ---- layers ----

  private changeLayers(): void {
    this.view.applyLayers();
    this.wantContacts();
  }

  private wantContacts(): void {
    this.link.send({ kind: 'want', contacts: this.view.needsContacts() });
  }

  // ---- recordings and files ----

  private record(on: boolean): void {
    if (on && this.head && this.loaded) {
      this.recording = new Recording(stem(this.loaded.name), this.head, this.view.needsContacts());
    }
    this.taking = on;
    this.link.send({ kind: 'record', on, contacts: this.recording?.hasContacts ?? false });
    this.showRecord();
  }

  private dropRecording(): void {
    if (this.taking) this.record(false);
    this.recording = null;
    this.showRecord();
  }

  private showRecord(): void {
    const { recording } = this;
    const seconds = recording && recording.frameCount > 0 ? recording.frameTime(recording.frameCount - 1) - recording.frameTime(0) : 0;
    this.bar.setRecording(this.taking, this.taking && recording ? `Recording ${seconds.toFixed(0)} s of ${lasting(recording.lasts)}` : 'Record', recording?.frameCount ?? 0);
  }

  private lookBack(on: boolean): void {
    if (on === this.lookingBack || (on && !this.recording?.frameCount)) return;
    this.hand.letGo();
    if (on && this.recording) {
      if (this.taking) this.record(false);
      this.play(false);
      this.lookingBack = true;
      document.documentElement.dataset['past'] = '';
      const recording = this.recording;
      this.bar.lookBack(Float64Array.from({ length: recording.frameCount }, (_, index) => recording.frameTime(index)));
    } else {
      this.lookingBack = false;
      delete document.documentElement.dataset['past'];
      this.bar.lookAhead();
      if (this.head && this.view.cast !== this.head) {
        this.view.setCast(this.head, false);
        this.hand.setScene(this.head, this.view.bodies!, false);
      }
      this.draw();
    }
  }

  private seek(index: number): void {
    const frame = this.recording?.peek(index);
    if (!frame) return;
    this.view.show(frame);
    this.panel.showChosen(this.chosen, this.head, frame);
    this.tell(frame);
  }

  private saveScene(): void {
    if (!this.loaded || !this.head || !this.frame) return;
    try {
      const scene = saveScene(parse(this.loaded.text), this.head, asFrame(this.frame), this.actions);
      saveFile(`${stem(this.loaded.name)}_${this.frame.step}.json`, [JSON.stringify(scene, null, 1), '\n'], 'application/json');
    } catch (error) {
      this.say((error as Error).message);
    }
  }

  /** What went wrong, until the next thing goes right. */
  private say(text: string): void {
    this.notice.hidden = text === '';
    this.notice.replaceChildren(h('span', {}, text), button('Close', () => this.say('')));
  }
}

function asFrame(message: FrameMessage): Frame {
  return { index: 0, ...message };
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function stem(name: string): string {
  return name.replace(/\.json$/i, '');
}

function lasting(seconds: number): string {
  return seconds < 120 ? `${Math.floor(seconds)} s` : `${Math.floor(seconds / 60)} min`;
}

try {
  new Sandbox();
} catch (error) {
  need('views').append(h('div', { class: 'notice', role: 'alert' }, `This browser cannot show the page, which needs WebGL: ${(error as Error).message}`));
}
