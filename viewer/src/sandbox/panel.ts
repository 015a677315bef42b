/** The panel beside the picture: which scene, what the hand does, what is drawn, and numbers. It holds no state of the simulation, and says what was chosen. */
import type { Cast, Frame } from '../run/run';
import type { ContactLayerName } from '../scene/contacts';
import type { Colouring } from '../scene/bodies';
import { button, checkBox, choice, format, formatVector, h, slider } from '../ui/dom';
import { EventList } from '../ui/eventlist';
import { jointName, jointRows } from '../ui/joints';
import type { HandSettings, Mode } from './drag';
import type { Head } from './engine';
import type { FrameMessage } from './protocol';
import { OFFERS } from './scenes';
import type { Layers } from './view';

export interface PanelEvents {
  scene(name: string): void;
  open(files: FileList): void;
  method(method: 'patch' | 'tracking'): void;
  actions(on: boolean): void;
  layers(): void;
  hold(body: number): void;
  remove(body: number): void;
  choose(body: number): void;
  chooseJoint(joint: number): void;
  saveScene(): void;
}

const CONTACT_LABELS: [ContactLayerName, string][] = [
  ['points', 'Points'], ['normals', 'Normals'], ['forces', 'Forces'], ['friction', 'Friction'], ['patches', 'Patches'], ['voiding', 'Voided edges'],
];

function section(title: string, ...children: (Node | null)[]): HTMLElement {
  return h('section', {}, h('h2', {}, title), ...children);
}

export class Panel {
  private readonly scenes: HTMLSelectElement;
  private readonly about = h('p', { class: 'hint' });
  private readonly actionsBox: HTMLLabelElement;
  private readonly method: HTMLSelectElement;
  private readonly strengthText = h('output', { class: 'hint' });
  private readonly bodyList: HTMLSelectElement;
  private readonly bodyHint = h('p', { class: 'hint' }, 'Press on a body, or choose one here.');
  private readonly bodyNumbers = h('dl', { class: 'numbers', 'aria-label': 'Numbers of the chosen body' });
  private readonly jointList: HTMLSelectElement;
  private readonly jointNumbers = h('dl', { class: 'numbers', 'aria-label': 'Numbers of the chosen joint' });
  private readonly jointSection: HTMLElement;
  private cast: Cast | null = null;
  private dt = 0;
  readonly events = new EventList(() => this.cast!, () => this.dt);
  private readonly counters = h('dl', { class: 'numbers', 'aria-label': 'Counters' });
  private readonly holdButton: HTMLButtonElement;
  private readonly removeButton: HTMLButtonElement;
  private readonly cells = new Map<string, HTMLElement>();
  private readonly contactBoxes: HTMLElement;
  private names = '';
  private solver = '';

  constructor(host: HTMLElement, private readonly hand: HandSettings, layers: Layers, events: PanelEvents) {
    const groups = [...new Set(OFFERS.map((offer) => offer.group))];
    this.scenes = h('select', { id: 'scene', onchange: () => events.scene(this.scenes.value) }, ...groups.map((group) =>
      h('optgroup', { label: group }, ...OFFERS.filter((offer) => offer.group === group).map((offer) => h('option', { value: offer.name }, offer.title)))));
    const chooser = h('input', { type: 'file', id: 'open-file', multiple: true, accept: '.json,.obj,.stl,.ply,.gltf,.glb', hidden: true });
    chooser.addEventListener('change', () => {
      if (chooser.files?.length) events.open(chooser.files);
      chooser.value = '';
    });
    const open = button('Open…', () => chooser.click(), 'A scene file, together with the mesh files that it names; they may be dropped on the page, too');
    const methods = choice('Contacts by', [['patch', 'whole patches'], ['tracking', 'tracking']], 'patch', (value) =>
      events.method(value as 'patch' | 'tracking'));
    this.method = methods.querySelector('select')!;
    this.method.id = 'method';
    methods.title = 'Tracking, the usual method, finds one new point a step and keeps four: to compare with';
    this.actionsBox = checkBox('Let the scene act by itself', false, (on) => events.actions(on));
    host.append(section('Scene', h('div', { class: 'row' }, h('label', { for: 'scene', class: 'unseen' }, 'Scene'), this.scenes, open, chooser),
      this.about, methods, this.actionsBox,
      h('div', { class: 'row' }, button('Save scene', () => events.saveScene(), 'The present state as a scene file for abut run'))));

    host.append(this.handSection());

    this.bodyList = h('select', { id: 'body', onchange: () => events.choose(Number(this.bodyList.value)) });
    this.holdButton = button('Hold', () => events.hold(Number(this.bodyList.value)), 'Then the arrow keys pull it, Page Up and Page Down move it away and nearer, Escape lets go');
    this.removeButton = button('Remove', () => events.remove(Number(this.bodyList.value)), 'Take it out of the scene (Delete)');
    host.append(section('Chosen body', h('div', { class: 'row' }, h('label', { for: 'body', class: 'unseen' }, 'Chosen body'), this.bodyList, this.holdButton, this.removeButton),
      this.bodyHint, this.bodyNumbers));

    this.jointList = h('select', { id: 'joint', onchange: () => events.chooseJoint(Number(this.jointList.value)) });
    this.jointSection = section('Chosen joint', h('div', { class: 'row' }, h('label', { for: 'joint', class: 'unseen' }, 'Chosen joint'), this.jointList), this.jointNumbers);
    host.append(this.jointSection);

    this.contactBoxes = h('div', { class: 'columns' }, ...CONTACT_LABELS.map(([name, label]) =>
      checkBox(label, layers.contacts[name], (on) => {
        layers.contacts[name] = on;
        events.layers();
      })));
    host.append(section('Layers', this.contactBoxes, h('div', { class: 'columns' },
      checkBox('Joints', layers.joints, (on) => ((layers.joints = on), events.layers())),
      checkBox('Bounds', layers.bounds, (on) => ((layers.bounds = on), events.layers())),
      checkBox('Edges', layers.edges, (on) => ((layers.edges = on), events.layers()))),
    choice('Colours', [['body', 'by body'], ['awake', 'awake, asleep'], ['speed', 'speed'], ['penetration', 'penetration']], layers.colouring, (value) => {
      layers.colouring = value as Colouring;
      events.layers();
    }),
    slider('Opacity', { min: 0.1, max: 1, step: 0.05 }, layers.opacity, (value) => {
      layers.opacity = value;
      events.layers();
    })));
    host.append(section('Events', this.events.element));
    host.append(section('Counters', this.counters));
    host.append(section('Keys', h('dl', { class: 'numbers keys' }, ...([
      ['Space', 'run or pause'], ['.', 'one step'], ['R', 'from the beginning'], ['1 2 3 4', 'drag, push, throw, remove'], ['N  P', 'choose the next, the previous body'],
      ['Enter', 'hold the chosen body; arrows, Page Up, Page Down pull'], ['Escape', 'let go'], ['Delete', 'remove the chosen body'],
      ['Shift', 'and press: push'], ['Wheel', 'while dragging: farther and nearer'], ['Arrows + −', 'turn the view, go nearer and away; Home shows everything'],
    ] as const).flatMap(([key, what]) => [h('dt', {}, ...key.split(' ').filter(Boolean).map((k) => h('kbd', {}, k))), h('dd', {}, what)]))));
    this.showChosen(-1, null, null);
  }

  setScene(name: string | null, title: string, description: string, cast: Head, method: 'patch' | 'tracking', solver: string, actions: { any: boolean; on: boolean }): void {
    this.solver = solver;
    this.dt = cast.dt;
    const other = this.scenes.querySelector('option[value=""]');
    if (name === null && !other) this.scenes.prepend(h('option', { value: '' }, title));
    else if (name === null && other) other.textContent = title;
    else other?.remove();
    this.scenes.value = name ?? '';
    this.about.textContent = description;
    this.method.value = method;
    const box = this.actionsBox.querySelector('input')!;
    box.checked = actions.on;
    box.disabled = !actions.any;
    this.actionsBox.hidden = !actions.any;
    this.setBodies(cast);
  }

  setBodies(cast: Cast): void {
    this.cast = cast;
    this.jointSection.hidden = !cast.joints?.length;
    const joints = cast.joints?.map((_, index) => jointName(cast, index)) ?? [], key = joints.join('\n');
    if (this.jointList.dataset['key'] !== key) {
      this.jointList.dataset['key'] = key;
      this.jointList.replaceChildren(h('option', { value: '-1' }, 'none'), ...joints.map((name, index) => h('option', { value: index }, name)));
    }
    const names = cast.bodies.map((body) => body.name).join('\n');
    if (names === this.names) return;
    this.names = names;
    const chosen = this.bodyList.value;
    this.bodyList.replaceChildren(h('option', { value: '-1' }, 'none'),
      ...cast.bodies.flatMap((body, index) => (body.kind === 'dynamic' ? [h('option', { value: index }, body.name)] : [])),
      ...cast.bodies.flatMap((body, index) => (body.kind === 'dynamic' ? [] : [h('option', { value: index }, `${body.name} (${body.kind})`)])));
    this.bodyList.value = chosen || '-1';
  }

  /** Numbers of the chosen body; force: with which the hand pulls or pushes it. */
  showChosen(body: number, cast: Cast | null, frame: Frame | null, force = 0): void {
    const known = cast !== null && frame !== null && body >= 0 && body < cast.bodies.length;
    if (this.bodyList.value !== String(body)) this.bodyList.value = String(body);
    const dynamic = known && cast.bodies[body].kind === 'dynamic' && frame.presence[body] !== 0;
    this.holdButton.disabled = this.removeButton.disabled = !dynamic;
    if (!known) {
      this.bodyNumbers.replaceChildren();
      this.bodyHint.hidden = false;
      return;
    }
    this.bodyHint.hidden = true;
    const of = cast.bodies[body], v = frame.velocities;
    const touching = frame.contacts ? count(frame.contacts.a, body, frame.contacts.count) + count(frame.contacts.b, body, frame.contacts.count) : null;
    this.fill(this.bodyNumbers, [
      ['mass', of.kind === 'dynamic' ? `${format(of.mass, 4)} kg` : `${of.kind}${of.sensor ? ' sensor' : ''}`],
      ['position', frame.presence[body] ? formatVector(fixed(frame.poses, 7 * body, 3)) : 'removed'],
      ['velocity', v && frame.presence[body] ? formatVector(fixed(v, 6 * body, 3)) : '–'],
      ['spin', v && frame.presence[body] ? formatVector(fixed(v, 6 * body + 3, 3)) : '–'],
      ['state', ['removed', 'asleep', 'awake'][frame.presence[body]]],
      ...(touching === null ? [] : [['contacts', String(touching)] as [string, string]]),
      ['hand', force > 0 ? `${format(force, 3)} N` : 'none'],
    ]);
  }

  showJoint(joint: number, cast: Cast | null, frame: Frame | null): void {
    if (this.jointList.value !== String(joint)) this.jointList.value = String(joint);
    this.fill(this.jointNumbers, cast ? jointRows(cast, frame, joint) : []);
  }

  showCounters(frame: FrameMessage): void {
    const { counters: c, report } = frame;
    const slow = c.pace < 0.95;
    this.fill(this.counters, [
      ['steps per second', `${Math.round(c.stepsPerSecond)}${slow ? ` (${Math.round(100 * c.pace)} % of real time)` : ''}`],
      ['it could make', c.capacity > 0 ? `${Math.round(c.capacity)} per second` : '–'],
      ['a step takes', c.millisecondsPerStep > 0 ? `${c.millisecondsPerStep.toFixed(2)} ms` : '–'],
      ['solver', this.solver],
      ['contacts', String(report.contacts)],
      ['awake bodies', String(report.awake)],
      ['deepest', `${format(1000 * report.maxPenetration, 3)} mm`],
      ['energy', `${format(report.kineticEnergy + report.potentialEnergy + report.springEnergy, 5)} J`],
      ['state', frame.hash ?? 'while it stands'],
    ]);
  }

  /** Terms and values; the elements stay, so that a screen reader does not lose its place. */
  private fill(list: HTMLElement, rows: [string, string][]): void {
    if (list.childElementCount !== 2 * rows.length || [...list.querySelectorAll('dt')].some((dt, i) => dt.textContent !== rows[i][0])) {
      list.replaceChildren(...rows.flatMap(([name]) => [h('dt', {}, name), h('dd', {})]));
    }
    list.querySelectorAll('dd').forEach((dd, i) => {
      if (dd.textContent !== rows[i][1]) dd.textContent = rows[i][1];
    });
  }

  private handSection(): HTMLElement {
    const strength = slider('Strength', { min: 0, max: 2.3, step: 0.05 }, Math.log10(this.hand.strength), (value) => {
      this.hand.strength = 10 ** value;
      this.sayStrength();
    });
    strength.querySelector('input')!.id = 'strength';
    this.cells.set('strength', strength);
    const frequency = slider('Stiffness', { min: 1, max: 12, step: 0.5 }, this.hand.frequency, (value) => {
      this.hand.frequency = value;
      this.sayStrength();
    });
    const plane = choice('Pull in', [['screen', 'screen plane'], ['level', 'level plane']], 'screen', (value) => (this.hand.level = value === 'level'));
    plane.querySelector('select')!.id = 'plane';
    this.cells.set('plane', plane);
    const direction = choice('Push', [['down', 'down'], ['away', 'away from me']], 'down', (value) => (this.hand.pushDown = value === 'down'));
    const missile = choice('Throw', [['ball', 'a ball'], ['box', 'a box']], 'ball', (value) => (this.hand.missile = value as 'ball' | 'box'));
    this.sayStrength();
    const removes = h('p', { class: 'hint' }, 'Press on a body: it is taken out.');
    const of: [HTMLElement, Mode[]][] = [
      [strength, ['drag', 'push']], [frequency, ['drag']], [plane, ['drag']], [direction, ['push']], [missile, ['throw']], [removes, ['remove']],
      [this.strengthText, ['drag', 'push']],
    ];
    this.showMode = (mode) => {
      for (const [element, modes] of of) element.hidden = !modes.includes(mode);
    };
    return section('Hand', strength, frequency, plane, direction, missile, removes, this.strengthText);
  }

  /** The settings of what the pointer does. */
  showMode: (mode: Mode) => void = () => {};

  setLevel(level: boolean): void {
    this.hand.level = level;
    this.cells.get('plane')!.querySelector('select')!.value = level ? 'level' : 'screen';
  }

  setStrength(value: number): void {
    this.hand.strength = value;
    this.cells.get('strength')!.querySelector('input')!.value = String(Math.log10(value));
    this.sayStrength();
  }

  private sayStrength(): void {
    this.strengthText.textContent = `At most ${format(this.hand.strength, 2)} times the body's weight.`;
  }
}

function count(of: Int32Array, body: number, rows: number): number {
  let found = 0;
  for (let i = 0; i < rows; i++) if (of[i] === body) found++;
  return found;
}

/** Rounded to what a reader can use: a tenth of a millimetre; without minus zeros. */
function fixed(values: ArrayLike<number>, at: number, width: number): number[] {
  return Array.from({ length: width }, (_, k) => Math.round(values[at + k] * 1e4) / 1e4 + 0);
}
