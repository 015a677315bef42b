/** The question as a form: examples, both shapes and where they are, settings, layers. Every control changes the state and says so. */
import { Euler, Quaternion } from 'three';
import { button, h } from '../ui/dom';
import { GROUPS, type Example } from './examples';
import { checkControl, choiceControl, numberControl, type Control } from './fields';
import { BUNDLED } from './files';
import { KINDS, putTogether, takeApart, usualShape, type Parts } from './shapes';
import type { CollideState, DepthState, Layer, Pose, Quat, State } from './state';

/** What the form tells the page. */
export interface FormActions {
  state(): State;
  /** the state was changed */
  changed(): void;
  example(example: Example): void;
  open(file: File, side: 'a' | 'b'): void;
  snap(how: Snap): void;
  files(): string[];
}

export type Snap = { to: 'gap'; gap: number } | { to: 'faces' } | { to: 'middle' };

/** A part of the form; on a phone they are closed at first, so that the answer is near. */
const section = (title: string, ...children: (HTMLElement | null)[]) =>
  h('details', { class: 'part', open: !window.matchMedia('(max-width: 50rem)').matches }, h('summary', {}, h('h2', {}, title)), ...children);

const DEGREES = Math.PI / 180;
export const rounded = (x: number, digits: number): number => Number(x.toFixed(digits)) + 0;

export function anglesOf(pose: Pose): [number, number, number] {
  const { x, y, z } = new Euler().setFromQuaternion(new Quaternion(...pose.rotation).normalize(), 'XYZ');
  return [x, y, z].map((angle) => rounded(angle / DEGREES, 6)) as [number, number, number];
}

export function rotationOf(angles: readonly number[]): Quat {
  const [x, y, z] = angles.map((angle) => angle * DEGREES);
  return new Quaternion().setFromEuler(new Euler(x, y, z, 'XYZ')).toArray().map((part) => rounded(part as number, 10)) as Quat;
}

/** A form that is built anew where the kind of question or of a shape changes, and else brought up to date. */
export class Form {
  private controls: Control[] = [];
  private built = '';
  private readonly about = h('p', { class: 'hint about' });
  private readonly examples: HTMLSelectElement;
  private readonly body = h('div', {});
  private depthToAdd = 0.01;

  constructor(host: HTMLElement, private readonly actions: FormActions) {
    this.examples = h('select', { 'aria-label': 'Example', onchange: () => this.choose() },
      h('option', { value: '' }, 'One of your own'),
      ...GROUPS.map((group) => h('optgroup', { label: group.title }, ...group.examples.map(({ key, title }) => h('option', { value: key }, title)))));
    const step = (by: number) => {
      const keys = GROUPS.flatMap((group) => group.examples.map(({ key }) => key)), now = keys.indexOf(this.examples.value);
      this.examples.value = keys[(now + by + keys.length) % keys.length];
      this.choose();
    };
    host.append(
      h('section', { class: 'examples' }, h('h2', {}, 'Example'),
        h('div', { class: 'stepper' }, button('‹', () => step(-1), 'Example before'), this.examples, button('›', () => step(1), 'Next example')), this.about),
      this.body);
  }

  /** Say which example is shown; null for none. */
  nameExample(example: Example | null): void {
    this.examples.value = example?.key ?? '';
    this.about.textContent = example?.about ?? '';
    this.about.hidden = !example;
  }

  update(): void {
    const state = this.actions.state();
    const key = state.kind === 'depth' ? 'depth' : `${[state.a, ...state.b].map((argument) => takeApart(argument).kind.name + (argument.includes('.') ? takeApart(argument).file : '')).join()}`;
    const focused = document.activeElement?.id ?? '';
    if (key !== this.built) {
      this.built = key;
      this.controls = [];
      this.body.replaceChildren(...(state.kind === 'depth' ? this.depthParts() : this.collideParts(state)));
      if (focused) document.getElementById(focused)?.focus();
    }
    for (const control of this.controls) control.update();
  }

  private choose(): void {
    const example = GROUPS.flatMap((group) => group.examples).find(({ key }) => key === this.examples.value);
    if (example) this.actions.example(example);
  }

  private add<C extends Control>(control: C): HTMLElement {
    this.controls.push(control);
    return control.element;
  }

  private collide(): CollideState {
    return this.actions.state() as CollideState;
  }

  private depth(): DepthState {
    return this.actions.state() as DepthState;
  }

  // ---- contacts ----

  private collideParts(state: CollideState): HTMLElement[] {
    return [
      this.shapePart('a', 'Body A'), this.shapePart('b', state.b.length > 1 ? `Body B: ${state.b.length} meshes as one surface` : 'Body B'), this.snapPart(), this.settingsPart(state),
      this.layersPart([
        ['points', 'Points'], ['numbers', 'Their numbers'], ['normals', 'Normals'], ['patch', 'Patch, coloured by depth'], ['growth', 'Growth distance: bodies grown until they touch'],
        ['witness', 'Witness points of the growth distance'], ['bounds', 'Bounding boxes'], ['voided', 'Features of meshes that are voided'], ['gauss', 'Gauss maps'],
      ]),
    ];
  }

  private parts(side: 'a' | 'b'): Parts {
    const state = this.collide();
    return takeApart(side === 'a' ? state.a : state.b[0]);
  }

  private setShape(side: 'a' | 'b', argument: string): void {
    const state = this.collide();
    if (side === 'a') state.a = argument;
    else state.b = [argument];
    this.actions.changed();
  }

  private shapePart(side: 'a' | 'b', title: string): HTMLElement {
    const pose = () => (side === 'a' ? this.collide().poseA : this.collide().poseB);
    const parts = this.parts(side);
    const kind = choiceControl('Shape', KINDS.map(({ name, title: words }) => [name, words] as const), () => this.parts(side).kind.name, (name) => {
      const file = this.parts(side).file || 'scenes/meshes/stairs.obj';
      this.setShape(side, usualShape(name, name === 'facetmesh' && !this.parts(side).file ? 'scenes/meshes/pear.obj' : file));
    });
    kind.element.querySelector('select')!.id = `kind-${side}`;
    const numbers = parts.kind.fields.map((field, i) => this.add(numberControl(field.name, () => this.parts(side).numbers[i], (value) => {
      const now = this.parts(side);
      now.numbers[i] = value;
      this.setShape(side, putTogether(now));
    }, { ...field, above: field.least === 0 })));
    const place = ['x', 'y', 'z'].map((axis, i) => this.add(numberControl(axis, () => pose().position[i], (value) => {
      pose().position[i] = value;
      this.actions.changed();
    }, { step: 0.05 })));
    const turn = ['about x', 'about y', 'about z'].map((axis, i) => this.add(numberControl(`${axis} °`, () => anglesOf(pose())[i], (value) => {
      const angles = anglesOf(pose());
      angles[i] = value;
      pose().rotation = rotationOf(angles);
      this.actions.changed();
    }, { step: 5, digits: 5 })));
    return section(title,
      this.add(kind),
      parts.kind.name === 'hull' ? this.pointsField(side) : null,
      parts.kind.file ? this.fileField(side) : null,
      numbers.length > 0 ? h('div', { class: 'numbers-row' }, ...numbers) : null,
      h('div', { class: 'numbers-row three', role: 'group', 'aria-label': `Position of ${side.toUpperCase()}` }, ...place),
      h('div', { class: 'numbers-row three', role: 'group', 'aria-label': `Turn of ${side.toUpperCase()}` }, ...turn));
  }

  private pointsField(side: 'a' | 'b'): HTMLElement {
    const area = h('textarea', { rows: 5, spellcheck: false, 'aria-label': `Points of ${side.toUpperCase()}, x y z on each line` });
    area.addEventListener('input', () => {
      const values = area.value.split(/[\s,;]+/).filter(Boolean).map(Number), right = values.length >= 12 && values.length % 3 === 0 && values.every(Number.isFinite);
      area.setAttribute('aria-invalid', String(!right));
      if (right) this.setShape(side, `hull:${values.join(',')}`);
    });
    const update = () => {
      if (document.activeElement === area) return;
      const { numbers } = this.parts(side);
      area.value = numbers.map((x, i) => `${x}${i % 3 === 2 ? '\n' : '  '}`).join('').trimEnd();
    };
    return this.add({ element: h('label', { class: 'area' }, h('span', {}, 'Points: x y z, a line each'), area), update });
  }

  private fileField(side: 'a' | 'b'): HTMLElement {
    const files = this.actions.files();
    const now = this.parts(side).file;
    const choice = choiceControl('File', [...new Set([...files, now])].map((file) => [file, file.replace(/^.*\//, '')] as const), () => this.parts(side).file, (file) => {
      this.setShape(side, putTogether({ ...this.parts(side), file }));
    });
    const input = h('input', { type: 'file', accept: '.obj,.stl,.ply,.glb,.gltf', 'aria-label': `Open a mesh file for ${side.toUpperCase()}`, onchange: () => input.files?.[0] && this.actions.open(input.files[0], side) });
    return h('div', {}, this.add(choice), h('label', { class: 'field' }, h('span', {}, 'Open one'), input),
      h('p', { class: 'hint' }, 'OBJ, STL, PLY or glTF; or drop it on the view. It stays in this page.'));
  }

  private snapPart(): HTMLElement {
    const depth = h('input', { type: 'number', step: 'any', min: 0, value: this.depthToAdd, 'aria-label': 'Depth of the overlap', oninput: () => (this.depthToAdd = depth.valueAsNumber) });
    return h('section', { class: 'snap', 'aria-label': 'Move A' }, h('div', { class: 'row' },
      h('span', { class: 'lead' }, 'Move A:'),
      button('Touch', () => this.actions.snap({ to: 'gap', gap: 0 }), 'Move A along the normal until the bodies just touch'),
      button('Align faces', () => this.actions.snap({ to: 'faces' }), 'Turn A so that the faces which look at each other are parallel'),
      button('Middle', () => this.actions.snap({ to: 'middle' }), 'Put A where B is'),
      h('span', { class: 'pair' }, button('Overlap by', () => Number.isFinite(this.depthToAdd) && this.actions.snap({ to: 'gap', gap: -this.depthToAdd }), 'Move A along the normal until it is so deep in B'), depth)));
  }

  private settingsPart(state: CollideState): HTMLElement {
    const s = () => this.collide().settings;
    const change = <T>(set: (value: T) => void) => (value: T) => {
      set(value);
      this.actions.changed();
    };
    const meshes = [state.a, ...state.b].some((argument) => argument.startsWith('trimesh:'));
    return section('Settings',
      h('div', { class: 'numbers-row three' },
        this.add(numberControl('margin', () => s().margin, change((v: number) => (s().margin = v)), { least: 0, step: 0.01 })),
        this.add(numberControl('feature angle °', () => s().featureAngle, change((v: number) => (s().featureAngle = v)), { least: 0, most: 45, step: 1 })),
        this.add(numberControl('keep (0: all)', () => s().reduce, change((v: number) => (s().reduce = v)), { least: 0, most: 1e6, step: 1, whole: true }))),
      this.add(choiceControl('Normal', [['minimum', 'least depth'], ['growth', 'growth distance']], () => s().normal, change((v: string) => (s().normal = v as never)))),
      this.add(choiceControl('Grow about', [['core', 'core points'], ['centroid', 'centroids']], () => s().contraction, change((v: string) => (s().contraction = v as never)))),
      this.add(choiceControl('Growth by', [['expansion', 'expansion, from inside'], ['ray-cast', 'ray cast, from outside']], () => s().method, change((v: string) => (s().method = v as never)))),
      this.add(checkControl('Refine the growth normal', () => s().refine, change((v: boolean) => (s().refine = v)))),
      meshes ? this.add(choiceControl('Mesh rule', [['surface', 'the surface'], ['published', 'as published'], ['closest', 'closest points'], ['triangles', 'triangles’ normals'], ['three-passes', 'three passes, unsorted'], ['smoothed', 'smoothed normals'], ['voronoi', 'Voronoi regions']], () => s().meshRule, change((v: string) => (s().meshRule = v as never)))) : null,
      meshes ? this.add(choiceControl('Same by', [['place', 'place'], ['index', 'index'], ['position', 'position']], () => s().meshIdentity, change((v: string) => (s().meshIdentity = v as never)))) : null,
      [state.a, ...state.b].some((argument) => !argument.includes(':')) ? this.add(checkControl('Hulls for pieces that are not convex', () => s().hull, (v) => {
        s().hull = v;
        this.actions.changed();
      })) : null);
  }

  private layersPart(layers: [Layer, string][]): HTMLElement {
    const state = () => this.actions.state();
    return section('Shown', ...layers.map(([layer, words]) => this.add(checkControl(words, () => state().layers[layer], (shown) => {
      state().layers[layer] = shown;
      this.actions.changed();
    }))));
  }

  // ---- depth ----

  private onlyFor(mode: DepthState['mode'], control: Control): Control {
    return { element: control.element, update: () => {
      control.update();
      control.element.hidden = this.depth().mode !== mode;
    } };
  }

  private depthParts(): HTMLElement[] {
    const corner = (i: number) => h('div', { class: 'numbers-row three', role: 'group', 'aria-label': `Corner ${i % 4} of ${i < 4 ? 'A' : 'B'}` },
      ...['x', 'y', 'z'].map((axis, k) => this.add(numberControl(`${axis} of ${i % 4}`, () => this.depth().corners[3 * i + k], (value) => {
        this.depth().corners[3 * i + k] = value;
        this.actions.changed();
      }, { step: 0.05 }))));
    const weight = (side: 'a' | 'b') => {
      const get = () => (side === 'a' ? this.depth().weightA : this.depth().weightB);
      const set = (value: number | 'static') => {
        if (side === 'a') this.depth().weightA = value;
        else this.depth().weightB = value;
        this.actions.changed();
      };
      const still = checkControl('static', () => get() === 'static', (on) => set(on ? 'static' : 1));
      const value = numberControl(`weight of ${side.toUpperCase()}`, () => (get() === 'static' ? 1 : get() as number), set, { least: 0, above: true, step: 0.5 });
      const input = value.element.querySelector('input') as HTMLInputElement;
      return h('div', { class: 'numbers-row' }, this.add(value), this.add({ element: still.element, update: () => {
        still.update();
        input.disabled = get() === 'static';
      } }));
    };
    return [
      section('Tetrahedron A', ...[0, 1, 2, 3].map(corner)),
      section('Tetrahedron B', ...[4, 5, 6, 7].map(corner)),
      section('Settings',
        this.add(choiceControl('Normals', [['exact44', 'the 44 of faces and edges'], ['paper', 'as printed in the paper'], ['accelerated', 'of the rigid depth'], ['best-k', 'of least overlap'], ['free-local', 'any, near the best'], ['free', 'any']],
          () => this.depth().mode, (mode) => {
            this.depth().mode = mode as never;
            this.actions.changed();
          })),
        this.add(this.onlyFor('best-k', numberControl('how many', () => this.depth().bestK, (value) => {
          this.depth().bestK = value;
          this.actions.changed();
        }, { least: 1, most: 88, step: 1, whole: true }))),
        weight('a'), weight('b')),
      this.layersPart([['plane', 'The plane that parts them'], ['arrows', 'How far corners move'], ['parted', 'The tetrahedra afterwards'], ['numbers', 'Numbers of the corners']]),
    ];
  }
}

export const bundledNames = (): string[] => [...BUNDLED.keys()];
