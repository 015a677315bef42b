/** The picture of the question and its answer: bodies or tetrahedra, names and numbers on them, Gauss maps, and what pointer and keys do to them. */
import { Quaternion, Vector3 } from 'three';
import type { Vec3 } from '../run/run';
import { GaussView, type GaussSide } from '../scene/gauss';
import { takingPart, type GaussMap } from '../scene/gaussmap';
import { Stage } from '../scene/stage';
import { button, format, h } from '../ui/dom';
import { CollideScene } from './collidescene';
import { DepthScene } from './depthscene';
import { followPointer, type Grab } from './drag';
import { figureLabels } from './files';
import { rounded } from './form';
import { poseNumbers, type Answered, type CollideAnswer, type DepthAnswer, type Drawn } from './question';
import { contactNumbers } from './report';
import type { Camera, CollideState, DepthState, Pose, Quat, State } from './state';

export interface ViewActions {
  state(): State;
  changed(): void;
  select(contact: number): void;
  cameraMoved(): void;
}

const MOST_TAGS = 80;
const MANY_PARTS = new Set<string>(['trimesh', 'facetmesh', 'compound']);

/** A length to round to, a thousandth of a size or a little less, so that links stay short. */
export const grain = (size: number): number => 10 ** Math.floor(Math.log10(size / 500));
export const onGrain = (x: number, step: number): number => Number((Math.round(x / step) * step).toPrecision(12)) + 0;

export class View {
  readonly stage: Stage;
  /** 'a' or 'b': what keys move; of tetrahedra the corner, 0 to 7 */
  active: 'a' | 'b' = 'a';
  turning = false;
  selected = -1;
  private corner = 0;
  private scene: CollideScene | DepthScene | null = null;
  private drawn: Drawn[] = [];
  private answer: CollideAnswer | null = null;
  private lost: Vec3[] = [];
  private readonly tags = h('div', { class: 'tags', 'aria-hidden': 'true' });
  private readonly tip = h('div', { class: 'tip', hidden: true });
  private readonly gauss: GaussView;
  private readonly gaussBox: HTMLElement;
  private readonly gaussWords = h('span', {});
  private readonly bar: HTMLElement;
  /** the answer in one line, where the panel is out of sight */
  readonly summary = h('span', { class: 'summary', 'aria-hidden': 'true' });
  private readonly pressed: (() => void)[] = [];
  private stepShare = 0.1;

  constructor(host: HTMLElement, private readonly actions: ViewActions) {
    const view = h('div', { class: 'view' });
    host.append(view);
    this.stage = new Stage(view, 'The two shapes. Letters x, y, z move the chosen shape along an axis, with Shift backwards; T changes between moving and turning');
    this.bar = h('div', { class: 'bar' }, this.modeButtons(), this.bodyButtons(), this.keysHelp(), this.summary);
    const figure = h('figure', { class: 'gauss-box', id: 'gauss', hidden: true });
    this.gauss = new GaussView(figure);
    figure.append(h('figcaption', {}, h('details', {}, h('summary', {}, 'Gauss maps of ', h('b', { class: 'a' }, '−A'), ' and ', h('b', { class: 'b' }, 'B'), this.gaussWords),
      'Each face is the point of its normal, each edge an arc, each vertex a cell. A’s map is turned through the centre: what meets along n lies under n.')));
    this.gaussBox = figure;
    view.append(this.tags, this.bar, figure, this.tip);
    this.stage.onRender(() => {
      this.gauss.follow(this.stage.camera, this.stage.world.quaternion);
      this.placeTags();
    });
    this.stage.controls.addEventListener('end', () => actions.cameraMoved());
    this.stage.canvas.addEventListener('wheel', () => actions.cameraMoved(), { passive: true });
    this.stage.canvas.addEventListener('keydown', (event) => this.onKey(event));
    followPointer(this.stage, { grab: (x, y) => this.grab(x, y), turning: (event) => this.turning !== event.shiftKey, end: () => this.actions.changed() });
    this.stage.canvas.addEventListener('pointermove', (event) => event.buttons === 0 && this.hover(event));
    this.stage.canvas.addEventListener('pointerleave', () => (this.tip.hidden = true));
    this.followTaps();
  }

  get camera(): Camera {
    const { position } = this.stage.camera, { target } = this.stage.controls;
    return [...position.toArray(), ...target.toArray()].map((x) => Number(x.toPrecision(4))) as Camera;
  }

  set camera(camera: Camera) {
    this.stage.look(new Vector3(camera[0], camera[1], camera[2]), new Vector3(camera[3], camera[4], camera[5]));
  }

  /** Look at everything. */
  fit(): void {
    const box = this.scene?.box();
    if (!box) return;
    if (this.scene instanceof CollideScene && box.low.distanceTo(box.high) === 0) return;
    this.makeRoom();
    this.stage.fit(box, new Vector3(0.7, -1, 0.42));
  }

  /** Off the middle, so that the Gauss maps hide nothing, and on a phone the buttons and the answer at the top. */
  private makeRoom(): void {
    const { camera } = this.stage, { aspect } = camera, wide = window.matchMedia('(min-width: 50rem)').matches, maps = !this.gaussBox.hidden;
    const right = maps ? (wide ? 0.11 : 0.1) : 0, up = wide ? (maps ? 0.03 : 0) : -0.06;
    camera.setViewOffset(1, 1, -right, up, 1, 1);
    camera.aspect = aspect;
    camera.updateProjectionMatrix();
  }

  /** Other shapes. */
  setShapes(drawn: Drawn[]): void {
    this.scene?.dispose();
    this.drawn = drawn;
    this.scene = new CollideScene(this.stage, drawn);
  }

  /** Tetrahedra in place of shapes. */
  setTetrahedra(): void {
    if (this.scene instanceof DepthScene) return;
    this.scene?.dispose();
    this.drawn = [];
    this.scene = new DepthScene(this.stage);
  }

  clear(): void {
    this.scene?.dispose();
    this.scene = null;
    this.drawn = [];
    this.stage.invalidate();
  }

  /** lost: where contacts were that are not kept. */
  showCollide(state: CollideState, { answer }: Answered<CollideAnswer>, lost: Vec3[]): void {
    if (!(this.scene instanceof CollideScene)) return;
    this.answer = answer;
    this.lost = lost;
    if (this.selected >= (answer?.contacts.length ?? 0)) this.selected = -1;
    this.scene.contacts.selected = this.selected;
    this.scene.show(state, answer);
    this.showGauss(state);
    this.update();
  }

  showDepth(state: DepthState, { answer }: Answered<DepthAnswer>): void {
    if (!(this.scene instanceof DepthScene)) return;
    this.answer = null;
    this.lost = [];
    const pair = answer?.pairs[0];
    this.scene.show(state, pair && !pair.problem ? pair : null);
    this.gaussBox.hidden = true;
    this.update();
  }

  get size(): number {
    return this.scene?.size ?? 1;
  }

  // ---- Gauss maps ----

  /** A plane's map is one point. Of other shapes without faces there is none. */
  private mapOf(i: number): GaussMap | null {
    const drawn = this.drawn[i], shape = drawn?.shapes[drawn.root];
    if (shape?.kind === 'plane') return { normals: [shape.normal ?? [0, 0, 1]], edges: [], vertices: [] };
    return drawn?.gauss ?? null;
  }

  private side(state: CollideState, i: number, normal: Vector3 | null): GaussSide {
    const map = this.mapOf(i), pose = poseNumbers(i === 0 ? state.poseA : state.poseB), contacts = this.answer?.contacts ?? [];
    const turn = new Quaternion(pose[3], pose[4], pose[5], pose[6]);
    const own = contacts.filter((contact) => contact.patch === contacts[0].patch).map((contact) => (i === 0 ? contact.feature_a : contact.feature_b));
    const outward = normal ? normal.clone().multiplyScalar(i === 0 ? -1 : 1).applyQuaternion(turn.clone().invert()) : new Vector3();
    return { map, turn, corners: map ? own : [], takingPart: map && normal ? takingPart(map, own, outward, Math.max(state.settings.featureAngle, 1)) : null };
  }

  private showGauss(state: CollideState): void {
    // Shapes of many parts have no map, and two of them nothing to show.
    const manyParts = ({ shapes, root }: Drawn) => MANY_PARTS.has(shapes[root].kind);
    this.gaussBox.hidden = !state.layers.gauss || this.drawn.length === 0 || this.drawn.every((drawn, i) => manyParts(drawn) || (!this.mapOf(i) && this.drawn.some(manyParts)));
    if (this.gaussBox.hidden) return;
    const found = this.answer?.contacts[0]?.normal ?? this.answer?.growth?.normal;
    const normal = found ? new Vector3(...found) : null;
    const sides = [this.side(state, 0, normal), this.side(state, 1, normal)];
    const words = sides.map((side, i) => {
      const { shapes, root } = this.drawn[i] ?? { shapes: [], root: 0 }, kind = shapes[root]?.kind, name = i === 0 ? 'A' : 'B';
      if (side.takingPart) return `${name}: ${side.takingPart.kind} ${side.takingPart.index}`;
      if (side.map) return '';
      if (kind === 'cylinder' || kind === 'cone') return `${name} is round: its side one circle, its rims all between`;
      if (kind === 'capsule') return `${name} is round: two half spheres, its side one circle`;
      return kind && MANY_PARTS.has(kind) ? `${name} has many parts: no map` : `${name} is smooth: its map is one to one`;
    }).filter(Boolean).join('; ');
    this.gaussWords.textContent = words ? `. ${words}` : '';
    this.gauss.show(sides[0], sides[1], normal, `Gauss maps of A, turned through the centre, and of B on the unit sphere. ${words}`);
  }

  // ---- names, numbers, what is under the pointer ----

  private update(): void {
    for (const update of this.pressed) update();
    const state = this.actions.state();
    const tag = (text: string, kind = '') => h('span', { class: kind }, text);
    if (state.kind === 'depth') {
      this.tags.replaceChildren(...(state.layers.numbers ? Array.from({ length: 8 }, (_, i) => tag(`${i < 4 ? 'A' : 'B'}${i % 4}`, i < 4 ? 'name-a' : 'name-b')) : []));
    } else {
      const count = state.layers.numbers ? Math.min(this.answer?.contacts.length ?? 0, MOST_TAGS) : 0;
      this.tags.replaceChildren(
        ...this.drawn.slice(0, 2).map((_, i) => tag(i === 0 ? 'A' : 'B', i === 0 ? 'name-a' : 'name-b')),
        ...(state.layers.voided ? figureLabels(state.b[0]).map(([name]) => tag(name, 'triangle')) : []),
        ...Array.from({ length: count }, (_, i) => tag(String(i + 1), i === this.selected ? 'selected' : '')),
        ...(state.layers.points ? this.lost.slice(0, MOST_TAGS).map(() => tag('○', 'lost')) : []));
    }
    this.stage.invalidate();
  }

  private tagPlaces(state: State): (Vector3 | null)[] {
    if (state.kind === 'depth') return Array.from({ length: 8 }, (_, i) => new Vector3().fromArray(state.corners, 3 * i));
    const names = [state.poseA, state.poseB].slice(0, this.drawn.length).map((pose, i) => {
      // Above the shape, so that its name does not lie among the contacts.
      const box = this.scene instanceof CollideScene ? this.scene.bodies.bounds(this.frameOf(state), (body) => (i === 0 ? body === 0 : body > 0)) : null;
      if (!box) return new Vector3(...pose.position);
      const middle = box.low.clone().add(box.high).multiplyScalar(0.5);
      return middle.setZ(i === 0 ? box.high.z : box.low.z);
    });
    const count = state.layers.numbers ? Math.min(this.answer?.contacts.length ?? 0, MOST_TAGS) : 0;
    const contacts = Array.from({ length: count }, (_, i) => (this.scene instanceof CollideScene ? this.scene.place(i) : null));
    const [x, y, z, ...turn] = poseNumbers(state.poseB), place = new Vector3(x, y, z), rotation = new Quaternion(...turn as Quat);
    const triangles = state.layers.voided ? figureLabels(state.b[0]).map(([, p]) => new Vector3(...p).applyQuaternion(rotation).add(place)) : [];
    return [...names, ...triangles, ...contacts, ...(state.layers.points ? this.lost.slice(0, MOST_TAGS).map((p) => new Vector3(...p)) : [])];
  }

  private frameOf(state: CollideState) {
    const poses = this.drawn.flatMap((_, i) => poseNumbers(i === 0 ? state.poseA : state.poseB));
    return {
      index: 0, step: 0, time: 0, poses: Float64Array.from(poses), presence: new Uint8Array(this.drawn.length).fill(1), velocities: null, contacts: null, vertices: null,
    };
  }

  private placeTags(): void {
    const places = this.tagPlaces(this.actions.state());
    [...this.tags.children].forEach((child, i) => {
      const point = places[i], element = child as HTMLElement;
      const at = point ? this.stage.project(point) : null;
      element.hidden = !at?.visible;
      const cross = element.classList.contains('lost') || element.classList.contains('triangle');
      if (at) element.style.transform = `translate(${(at.x + (cross ? 0 : 7)).toFixed(1)}px, ${(at.y - (cross ? 0 : 18)).toFixed(1)}px)${cross ? ' translate(-50%, -50%)' : ''}`;
    });
  }

  private hover(event: PointerEvent): void {
    if (event.pointerType === 'touch') return;
    const contact = this.scene instanceof CollideScene ? this.scene.contactAt(event.clientX, event.clientY) : -1;
    this.tip.hidden = contact < 0 || !this.answer;
    if (!this.tip.hidden && this.answer) {
      const rows = contactNumbers(this.answer.contacts[contact]).filter(([name]) => !['on A', 'on B', 'normal'].includes(name));
      this.tip.replaceChildren(h('b', {}, `Contact ${contact + 1}`), h('dl', { class: 'numbers' }, ...rows.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])));
      const box = this.stage.canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
      this.tip.style.left = `${Math.min(x + 14, box.width - 190)}px`;
      this.tip.style.top = `${Math.max(Math.min(y + 14, box.height - 170), 0)}px`;
    }
    const movable = this.scene instanceof CollideScene ? this.scene.bodyAt(event.clientX, event.clientY)?.plane === false : this.scene?.cornerAt(event.clientX, event.clientY) !== -1;
    this.stage.canvas.style.cursor = contact >= 0 ? 'pointer' : movable ? 'grab' : '';
  }

  /** A press that moves nothing chooses the contact under it. */
  private followTaps(): void {
    let start: { x: number; y: number } | null = null;
    const view = this.stage.canvas.parentElement as HTMLElement;
    view.addEventListener('pointerdown', (event) => (start = event.target === this.stage.canvas && event.isPrimary ? { x: event.clientX, y: event.clientY } : null), { capture: true });
    this.stage.canvas.addEventListener('pointerup', (event) => {
      if (!start || Math.hypot(event.clientX - start.x, event.clientY - start.y) > 5 || !(this.scene instanceof CollideScene)) return;
      const contact = this.scene.contactAt(event.clientX, event.clientY);
      if (contact >= 0) this.actions.select(contact === this.selected ? -1 : contact);
    });
  }

  // ---- moving ----

  private pose(state: CollideState, body: 'a' | 'b'): Pose {
    return body === 'a' ? state.poseA : state.poseB;
  }

  private grab(x: number, y: number): Grab | null {
    const state = this.actions.state();
    if (state.kind === 'depth') return this.grabCorner(state, x, y);
    if (!(this.scene instanceof CollideScene) || this.scene.contactAt(x, y) >= 0) return null;
    const hit = this.scene.bodyAt(x, y);
    if (!hit || hit.plane) return null;
    this.active = hit.body === 0 ? 'a' : 'b';
    const pose = this.pose(state, this.active), begin: Pose = { position: [...pose.position], rotation: [...pose.rotation] }, step = grain(this.size);
    this.update();
    return {
      point: hit.point,
      move: (by) => {
        pose.position = begin.position.map((c, k) => onGrain(c + by.getComponent(k), step)) as Vec3;
        this.actions.changed();
      },
      turn: (by) => {
        pose.rotation = turnedBy(begin.rotation, by, 5);
        this.actions.changed();
      },
    };
  }

  private grabCorner(state: DepthState, x: number, y: number): Grab | null {
    if (!(this.scene instanceof DepthScene)) return null;
    const corner = this.scene.cornerAt(x, y), hit = corner < 0 ? this.scene.bodyAt(x, y) : null;
    if (corner < 0 && !hit) return null;
    const first = corner >= 0 ? 3 * corner : 12 * (hit as { body: number }).body, last = corner >= 0 ? first + 3 : first + 12;
    if (corner >= 0) this.corner = corner;
    const begin = state.corners.slice(), step = grain(this.size);
    return {
      point: hit ? hit.point : new Vector3().fromArray(begin, first),
      move: (by) => {
        for (let i = first; i < last; i++) state.corners[i] = onGrain(begin[i] + by.getComponent(i % 3), step);
        this.actions.changed();
      },
    };
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase(), axis = ['x', 'y', 'z'].indexOf(key), state = this.actions.state();
    const count = this.answer?.contacts.length ?? 0;
    const actions: Record<string, () => void> = {
      a: () => this.choose('a'), b: () => this.choose('b'), t: () => this.setTurning(!this.turning),
      '[': () => (this.stepShare = Math.max(this.stepShare / 2, 1 / 1280)), ']': () => (this.stepShare = Math.min(this.stepShare * 2, 0.8)),
      n: () => count > 0 && this.actions.select((this.selected + 1) % count), p: () => count > 0 && this.actions.select((this.selected + count - 1) % count),
      escape: () => this.actions.select(-1),
      c: () => {
        this.corner = (this.corner + 1) % 8;
        this.update();
      },
    };
    if (axis >= 0) this.nudge(state, axis, event.shiftKey ? -1 : 1);
    else if (actions[key]) actions[key]();
    else return;
    event.preventDefault();
  }

  private nudge(state: State, axis: number, sign: number): void {
    const length = Number((sign * this.stepShare * this.size).toPrecision(2)), step = grain(this.size);
    if (state.kind === 'depth') {
      const i = 3 * this.corner + axis;
      state.corners[i] = onGrain(state.corners[i] + length, step / 10);
    } else {
      const pose = this.pose(state, this.active);
      if (this.turning) {
        const unit = new Vector3().setComponent(axis, 1);
        pose.rotation = turnedBy(pose.rotation, new Quaternion().setFromAxisAngle(unit, (sign * this.stepShare * Math.PI) / 3.6), 10);
      } else {
        pose.position[axis] = onGrain(pose.position[axis] + length, step / 10);
      }
    }
    this.actions.changed();
  }

  // ---- the bar ----

  choose(body: 'a' | 'b'): void {
    this.active = body;
    this.update();
  }

  setTurning(turning: boolean): void {
    this.turning = turning;
    this.update();
  }

  private together(label: string, ...choices: [text: string, is: () => boolean, press: () => void][]): HTMLElement {
    return h('div', { class: 'together', role: 'group', 'aria-label': label }, ...choices.map(([text, is, press]) => {
      const made = button(text, press);
      this.pressed.push(() => made.setAttribute('aria-pressed', String(is())));
      return made;
    }));
  }

  private modeButtons(): HTMLElement {
    const made = this.together('Dragging', ['Move', () => !this.turning, () => this.setTurning(false)], ['Turn', () => this.turning, () => this.setTurning(true)]);
    this.pressed.push(() => (made.hidden = this.actions.state().kind === 'depth'));
    return made;
  }

  private bodyButtons(): HTMLElement {
    const made = this.together('Keys move', ['A', () => this.active === 'a', () => this.choose('a')], ['B', () => this.active === 'b', () => this.choose('b')]);
    this.pressed.push(() => (made.hidden = this.actions.state().kind === 'depth'));
    return made;
  }

  private keysHelp(): HTMLElement {
    const row = (keys: string[], words: string, kind = '') => [h('dt', { class: kind }, ...keys.flatMap((key, i) => [i > 0 ? ' ' : '', h('kbd', {}, key)])), h('dd', { class: kind }, words)];
    const size = h('span', {});
    this.pressed.push(() => (size.textContent = this.turning ? `${format(this.stepShare * 50, 3)}°` : format(this.stepShare * this.size, 2)));
    return h('details', { class: 'keys' }, h('summary', {}, 'How to'),
      h('dl', {}, ...row(['drag a body'], 'moves it in the plane of the view; with Turn, or Shift, turns it'), ...row(['drag beside'], 'turns the view; wheel or pinch zooms'),
        ...row(['a point'], 'its gap, features and id'),
        ...row(['a', 'b'], 'choose the body that keys move', 'keyboard'), ...row(['x', 'y', 'z'], 'a step along the axis, with Shift backwards', 'keyboard'),
        ...row(['t'], 'turning instead of moving', 'keyboard'), ...row(['[', ']'], 'smaller and larger steps', 'keyboard'), ...row(['n', 'p'], 'next contact, and the one before', 'keyboard'),
        ...row(['c'], 'next corner of the tetrahedra', 'keyboard'), ...row(['← → ↑ ↓'], 'turn the view', 'keyboard'), ...row(['Home'], 'shows everything', 'keyboard')),
      h('p', { class: 'hint keyboard', style: 'margin: 0 0.7rem 0.6rem' }, 'Keys act when the view has the focus. A step is ', size, '.'));
  }
}

/** The rotation, turned by another one in the world's frame, with so many digits behind the point. */
export function turnedBy(rotation: Quat, by: Quaternion, digits: number): Quat {
  return by.clone().multiply(new Quaternion(...rotation).normalize()).normalize().toArray().map((x) => rounded(x as number, digits)) as Quat;
}
