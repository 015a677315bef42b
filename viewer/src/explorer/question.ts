/**
 * What the page asks and what it is answered: the arguments of `abut collide --json` or `abut depth --json`, and their JSON. The page has the command
 * itself, as WebAssembly, so that its answers are the command's.
 */
import { CONTACT_NORMAL_CHOSEN, CONTACT_WITNESS, emptyContacts, FEATURE_NAMES, type ContactTable, type Shape, type Vec3 } from '../run/run';
import { depthEntries, isTurned, numbers, poseText, settingsEntries, type CollideState, type DepthState, type Pose, type State } from './state';

/** What a run of the command left. */
export interface Done { status: number; out: string; err: string }

/** The Gauss map of a polytope: of each face the outward normal, of each edge its two faces, of each vertex the faces about it. */
export interface GaussMap { normals: Vec3[]; edges: [number, number][]; vertices: number[][] }

/** A shape to be drawn. */
export interface Drawn {
  shapes: Shape[];
  root: number;
  /** where the shape lies in the frame that its pose places; null: at its origin */
  placement: number[] | null;
  gauss: GaussMap | null;
}

/** What the page needs of the WebAssembly module. */
export interface Engine {
  command(args: string[]): Done;
  shape(argument: string, hull: boolean): Drawn | { problem: string };
  writeFile(path: string, bytes: Uint8Array): void;
}

export interface Feature { kind: (typeof FEATURE_NAMES)[number]; index: number; part: number }

export interface Contact {
  on_a: Vec3; on_b: Vec3; normal: Vec3; gap: number; area: number; feature_a: Feature; feature_b: Feature; id: string; patch: number;
  normal_chosen: boolean; witness: boolean;
}

export interface Patch {
  first: number; count: number; found: number; area: number; normal: Vec3; support_area_before?: number; support_area_after?: number;
}

export interface Growth {
  alpha: number; alpha_lower: number; normal: Vec3; gap: number; touch: Vec3; on_a: Vec3; on_b: Vec3; contraction_a: Vec3; contraction_b: Vec3;
  iterations: number; normal_chosen: boolean; exact: boolean;
}

interface Posed { shape: string; kind: string; position: Vec3; rotation: [number, number, number, number] }

export interface CollideAnswer {
  a: Posed; b: Posed; margin: number; contacts: Contact[]; patches: Patch[]; growth: Growth | null; meshes?: Posed[];
}

type Corners = [Vec3, Vec3, Vec3, Vec3];

export interface DepthPair {
  relation: 'none' | 'disjoint' | 'touching' | 'intersecting';
  problem?: string;
  depth: number; sigma_a: number; sigma_b: number; normal: Vec3; offset: number; displacement_a: Corners; displacement_b: Corners;
  direction: string; feature_a: number; feature_b: number; certified: boolean;
  rigid: { depth: number; normal: Vec3; direction: string; feature_a: number; feature_b: number };
}

export interface DepthAnswer { pairs: DepthPair[] }

/** An answer with its text as the command printed it, or why there is none. */
export type Answered<T> = { answer: T; text: string; problem: null } | { answer: null; text: string; problem: string };

const options = (entries: [string, string][]) => entries.flatMap(([name, value]) => (value ? [`--${name}`, value] : [`--${name}`]));

/** The arguments that ask about the state. */
export function collideArguments(state: CollideState): string[] {
  const poseA = poseText(state.poseA), poseB = poseText(state.poseB);
  return [
    'collide', state.a, ...state.b, ...(poseA ? ['--pose-a', poseA] : []), ...(poseB ? ['--pose', poseB] : []), ...options(settingsEntries(state.settings)),
    '--json',
  ];
}

export const PAIR_FILE = 'pair.csv';

export function depthArguments(state: DepthState): string[] {
  return ['depth', '--pairs', PAIR_FILE, ...options(depthEntries(state)), '--json'];
}

export const pairTable = (state: DepthState): string => `${numbers(state.corners)}\n`;

const quoted = (word: string) => (/^[\w.,:/=+-]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`);

/** What to type into a shell to ask the same. */
export function commandLine(state: State): string {
  const words = (args: string[]) => ['abut', ...args].map(quoted).join(' ');
  if (state.kind === 'collide') return words(collideArguments(state));
  return `echo ${numbers(state.corners)} > ${PAIR_FILE}\n${words(depthArguments(state))}`;
}

/** The command's own words, without its name before them and the hint behind them. */
function problemOf(done: Done): string {
  const lines = done.err.split('\n').filter((line) => line.trim() && !/--help/.test(line));
  return lines.map((line) => line.replace(/^abut( \w+)?: /, '')).join(' ') || `the command ended with status ${done.status}`;
}

export function readAnswer<T>(done: Done): Answered<T> {
  if (done.status !== 0) return { answer: null, text: '', problem: problemOf(done) };
  return { answer: JSON.parse(done.out) as T, text: done.out, problem: null };
}

export const askCollide = (engine: Engine, state: CollideState): Answered<CollideAnswer> => readAnswer(engine.command(collideArguments(state)));

export function askDepth(engine: Engine, state: DepthState): Answered<DepthAnswer> {
  engine.writeFile(PAIR_FILE, new TextEncoder().encode(pairTable(state)));
  return readAnswer(engine.command(depthArguments(state)));
}

/**
 * The contacts as the scene graph draws them: body 0 is A, body 1 B, of several meshes 1 and those after it.
 */
export function contactTable(answer: CollideAnswer): ContactTable {
  const table = emptyContacts(answer.contacts.length), meshes = answer.meshes?.length ?? 1;
  answer.contacts.forEach((contact, i) => {
    table.a[i] = 0;
    table.b[i] = meshes > 1 ? 1 + contact.feature_b.part : 1;
    table.patch[i] = contact.patch;
    table.flags[i] = (contact.normal_chosen ? CONTACT_NORMAL_CHOSEN : 0) | (contact.witness ? CONTACT_WITNESS : 0);
    table.kindA[i] = FEATURE_NAMES.indexOf(contact.feature_a.kind);
    table.indexA[i] = contact.feature_a.index;
    table.partA[i] = contact.feature_a.part;
    table.kindB[i] = FEATURE_NAMES.indexOf(contact.feature_b.kind);
    table.indexB[i] = contact.feature_b.index;
    table.partB[i] = contact.feature_b.part;
    table.idHigh[i] = parseInt(contact.id.slice(0, 8), 16);
    table.idLow[i] = parseInt(contact.id.slice(8), 16);
    table.onA.set(contact.on_a, 3 * i);
    table.onB.set(contact.on_b, 3 * i);
    table.normal.set(contact.normal, 3 * i);
    table.gap[i] = contact.gap;
    table.area[i] = contact.area;
  });
  return table;
}

/** A pose as seven numbers, of unit length where it is a rotation. */
export function poseNumbers(pose: Pose): number[] {
  const size = isTurned(pose) ? Math.hypot(...pose.rotation) : 1;
  return [...pose.position, ...(isTurned(pose) ? pose.rotation.map((x) => x / size) : [0, 0, 0, 1])];
}
