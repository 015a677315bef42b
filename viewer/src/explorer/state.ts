/**
 * All that the explorer shows, and the link that says it: two shapes and a question about their contacts, or two tetrahedra and one about their depth,
 * with what is drawn and from where. In a link everything has the name of the command's option; what is as by default is left out.
 *
 *   #a=box:0.5,0.5,0.5&b=box:0.5,0.5,0.5&pose-a=0.25,0.25,0.999&margin=0.01&normal=growth
 */
import type { Vec3 } from '../run/run';

export type Quat = [number, number, number, number];
export interface Pose { position: Vec3; rotation: Quat }

/** The words that an option takes, the default first. */
export const WORDS = {
  normal: ['minimum', 'growth'],
  contraction: ['core', 'centroid'],
  method: ['expansion', 'ray-cast'],
  'mesh-rule': ['surface', 'published', 'closest', 'triangles', 'three-passes', 'smoothed', 'voronoi'],
  'mesh-identity': ['place', 'index', 'position'],
  mode: ['exact44', 'paper', 'accelerated', 'best-k', 'free-local', 'free'],
} as const;
export type Word<K extends keyof typeof WORDS> = (typeof WORDS)[K][number];

export interface Settings {
  margin: number;
  featureAngle: number;
  normal: Word<'normal'>;
  contraction: Word<'contraction'>;
  method: Word<'method'>;
  refine: boolean;
  /** contacts that are kept of each patch; 0 for all */
  reduce: number;
  meshRule: Word<'mesh-rule'>;
  meshIdentity: Word<'mesh-identity'>;
  hull: boolean;
}

export const LAYERS = ['points', 'numbers', 'normals', 'patch', 'growth', 'witness', 'bounds', 'voided', 'gauss', 'plane', 'arrows', 'parted'] as const;
export type Layer = (typeof LAYERS)[number];
export type Layers = Record<Layer, boolean>;

/** Where the camera is and what it looks at: six numbers. */
export type Camera = [number, number, number, number, number, number];

interface Seen { layers: Layers; camera: Camera | null }

export interface CollideState extends Seen {
  kind: 'collide';
  /** shapes as the command takes them; more than one of B: meshes that are one surface */
  a: string;
  b: string[];
  poseA: Pose;
  poseB: Pose;
  settings: Settings;
}

export type Weight = number | 'static';

export interface DepthState extends Seen {
  kind: 'depth';
  /** x, y, z of the four corners of A, then of B */
  corners: number[];
  mode: Word<'mode'>;
  bestK: number;
  weightA: Weight;
  weightB: Weight;
}

export type State = CollideState | DepthState;

export const identityPose = (): Pose => ({ position: [0, 0, 0], rotation: [0, 0, 0, 1] });

export const defaultSettings = (): Settings => ({
  margin: 0, featureAngle: 2, normal: 'minimum', contraction: 'core', method: 'expansion', refine: true, reduce: 0, meshRule: 'surface',
  meshIdentity: 'place', hull: false,
});

const SHOWN: Layer[] = ['points', 'numbers', 'normals', 'patch', 'gauss', 'plane', 'arrows', 'parted'];

export const layersOf = (shown: readonly Layer[]): Layers =>
  Object.fromEntries(LAYERS.map((layer) => [layer, shown.includes(layer)])) as Layers;

export const defaultLayers = (): Layers => layersOf(SHOWN);

export const collideState = (a: string, b: string | string[], more: Partial<Omit<CollideState, 'settings'>> & { settings?: Partial<Settings> } = {}): CollideState => ({
  kind: 'collide', a, b: Array.isArray(b) ? b : [b], poseA: identityPose(), poseB: identityPose(), layers: defaultLayers(), camera: null, ...more,
  settings: { ...defaultSettings(), ...more.settings },
});

export const depthState = (corners: number[], more: Partial<DepthState> = {}): DepthState => ({
  kind: 'depth', corners, mode: 'exact44', bestK: 6, weightA: 1, weightB: 1, layers: defaultLayers(), camera: null, ...more,
});

/** The shortest text that reads as the same number. */
export const number = (x: number): string => String(x === 0 ? 0 : x).replace('e+', 'e');
export const numbers = (values: readonly number[]): string => values.map(number).join(',');

export const isTurned = ({ rotation: [x, y, z] }: Pose): boolean => x !== 0 || y !== 0 || z !== 0;

/** As --pose takes it; empty for none. */
export function poseText(pose: Pose): string {
  if (isTurned(pose)) return numbers([...pose.position, ...pose.rotation]);
  return pose.position.some((x) => x !== 0) ? numbers(pose.position) : '';
}

// ---- writing ----

/** Percent-encoded where a link needs it; colons, commas and slashes stay readable. */
const encoded = (text: string) => encodeURIComponent(text).replace(/%3A/g, ':').replace(/%2C/g, ',').replace(/%2F/g, '/');

export function settingsEntries(s: Settings): [string, string][] {
  const usual = defaultSettings();
  const entries: [string, string, boolean][] = [
    ['margin', number(s.margin), s.margin !== usual.margin],
    ['feature-angle', number(s.featureAngle), s.featureAngle !== usual.featureAngle],
    ['normal', s.normal, s.normal !== usual.normal],
    ['contraction', s.contraction, s.contraction !== usual.contraction],
    ['method', s.method, s.method !== usual.method],
    ['no-refine', '', !s.refine],
    ['reduce', number(s.reduce), s.reduce > 0],
    ['mesh-rule', s.meshRule, s.meshRule !== usual.meshRule],
    ['mesh-identity', s.meshIdentity, s.meshIdentity !== usual.meshIdentity],
    ['hull', '', s.hull],
  ];
  return entries.filter(([, , given]) => given).map(([name, value]) => [name, value]);
}

export function depthEntries(s: DepthState): [string, string][] {
  const entries: [string, string, boolean][] = [
    ['mode', s.mode, s.mode !== 'exact44'],
    ['best-k', number(s.bestK), s.mode === 'best-k' && s.bestK !== 6],
    ['weight-a', String(s.weightA), s.weightA !== 1],
    ['weight-b', String(s.weightB), s.weightB !== 1],
  ];
  return entries.filter(([, , given]) => given).map(([name, value]) => [name, value]);
}

/** What stands behind the # of the state's link. */
export function writeState(state: State): string {
  const entries: [string, string][] = [];
  if (state.kind === 'collide') {
    entries.push(['a', state.a], ...state.b.map((b): [string, string] => ['b', b]));
    const poseA = poseText(state.poseA), poseB = poseText(state.poseB);
    if (poseA) entries.push(['pose-a', poseA]);
    if (poseB) entries.push(['pose', poseB]);
    entries.push(...settingsEntries(state.settings));
  } else {
    entries.push(['tetrahedra', numbers(state.corners)], ...depthEntries(state));
  }
  const shown = LAYERS.filter((layer) => state.layers[layer]);
  if (shown.join() !== LAYERS.filter((layer) => SHOWN.includes(layer)).join()) entries.push(['show', shown.join(',') || 'nothing']);
  if (state.camera) entries.push(['view', numbers(state.camera)]);
  return entries.map(([name, value]) => (value ? `${name}=${encoded(value)}` : name)).join('&');
}

// ---- reading ----

class Malformed extends Error {}

function realsOf(name: string, text: string): number[] {
  return text.split(',').map((word) => {
    const value = Number(word);
    if (word.trim() === '' || !Number.isFinite(value)) throw new Malformed(`${name}: '${word}' is not a number`);
    return value;
  });
}

function realsCounted(name: string, text: string, ...counts: number[]): number[] {
  const values = realsOf(name, text);
  if (!counts.includes(values.length)) throw new Malformed(`${name} takes ${counts.join(' or ')} numbers, not ${values.length}`);
  return values;
}

function realWithin(name: string, text: string, least: number, most: number): number {
  const [value] = realsCounted(name, text, 1);
  if (value < least || value > most) throw new Malformed(`${name}: ${text} is not between ${least} and ${most}`);
  return value;
}

function wordOf<K extends keyof typeof WORDS>(name: K, text: string): Word<K> {
  const words: readonly string[] = WORDS[name];
  if (!words.includes(text)) throw new Malformed(`${name}: '${text}' is none of ${words.join(', ')}`);
  return text as Word<K>;
}

export function poseOf(name: string, text: string): Pose {
  const n = realsCounted(name, text, 3, 7);
  const rotation = (n.length === 7 ? n.slice(3) : [0, 0, 0, 1]) as Quat;
  if (Math.hypot(...rotation) === 0) throw new Malformed(`${name}: the quaternion is zero`);
  return { position: n.slice(0, 3) as Vec3, rotation };
}

const weightOf = (name: string, text: string): Weight => {
  if (text === 'static') return 'static';
  const weight = realWithin(name, text, 0, Number.MAX_VALUE);
  if (weight === 0) throw new Malformed(`${name} must be above 0`);
  return weight;
};

function wholeWithin(name: string, text: string, least: number, most: number): number {
  const value = realWithin(name, text, least, most);
  if (!Number.isInteger(value)) throw new Malformed(`${name}: ${text} is not a whole number`);
  return value;
}

type Reader<S> = (state: S, value: string, name: string) => void;

const SEEN: Record<string, Reader<Seen>> = {
  show: (state, value) => {
    const words = value === 'nothing' ? [] : value.split(',');
    for (const word of words) if (!(LAYERS as readonly string[]).includes(word)) throw new Malformed(`show: there is no '${word}'`);
    state.layers = layersOf(words as Layer[]);
  },
  view: (state, value, name) => (state.camera = realsCounted(name, value, 6) as Camera),
};

const COLLIDE: Record<string, Reader<CollideState>> = {
  ...SEEN,
  a: (state, value) => (state.a = value),
  b: (state, value) => state.b.push(value),
  'pose-a': (state, value, name) => (state.poseA = poseOf(name, value)),
  pose: (state, value, name) => (state.poseB = poseOf(name, value)),
  margin: ({ settings }, value, name) => (settings.margin = realWithin(name, value, 0, 1e50)),
  'feature-angle': ({ settings }, value, name) => (settings.featureAngle = realWithin(name, value, 0, 45)),
  normal: ({ settings }, value) => (settings.normal = wordOf('normal', value)),
  contraction: ({ settings }, value) => (settings.contraction = wordOf('contraction', value)),
  method: ({ settings }, value) => (settings.method = wordOf('method', value)),
  'no-refine': ({ settings }) => (settings.refine = false),
  reduce: ({ settings }, value, name) => (settings.reduce = wholeWithin(name, value, 1, 1e6)),
  'mesh-rule': ({ settings }, value) => (settings.meshRule = wordOf('mesh-rule', value)),
  'mesh-identity': ({ settings }, value) => (settings.meshIdentity = wordOf('mesh-identity', value)),
  hull: ({ settings }) => (settings.hull = true),
};

const DEPTH: Record<string, Reader<DepthState>> = {
  ...SEEN,
  tetrahedra: (state, value, name) => (state.corners = realsCounted(name, value, 24)),
  mode: (state, value) => (state.mode = wordOf('mode', value)),
  'best-k': (state, value, name) => (state.bestK = wholeWithin(name, value, 1, 88)),
  'weight-a': (state, value, name) => (state.weightA = weightOf(name, value)),
  'weight-b': (state, value, name) => (state.weightB = weightOf(name, value)),
};

function take<S>(state: S, readers: Record<string, Reader<S>>, entries: [string, string][]): S {
  for (const [name, value] of entries) {
    const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
    if (!reader) throw new Malformed(`there is no '${name}'`);
    reader(state, value, name);
  }
  return state;
}

function entriesOf(text: string): [string, string][] {
  return text.split('&').filter(Boolean).map((entry) => {
    const equals = entry.indexOf('=');
    try {
      return equals < 0 ? [decodeURIComponent(entry), ''] : [decodeURIComponent(entry.slice(0, equals)), decodeURIComponent(entry.slice(equals + 1))];
    } catch {
      throw new Malformed(`'${entry}' cannot be decoded`);
    }
  });
}

/** The state of a link; `problem` says in words what is wrong with one that has none. An empty one has neither. */
export function readState(hash: string): { state: State | null; problem: string } {
  const text = hash.replace(/^#/, '');
  if (!text) return { state: null, problem: '' };
  try {
    const entries = entriesOf(text);
    if (entries.some(([name]) => name === 'tetrahedra')) return { state: take(depthState([]), DEPTH, entries), problem: '' };
    const state = take(collideState('', []), COLLIDE, entries);
    if (!state.a || state.b.length === 0 || state.b.some((b) => !b)) throw new Malformed('it does not name two shapes');
    return { state, problem: '' };
  } catch (error) {
    if (error instanceof Malformed) return { state: null, problem: error.message };
    throw error;
  }
}
