/** The kinds of shapes that can be chosen, as the command takes them: what their numbers are called, and an argument taken apart and put together. */
import { number } from './state';

export interface NumberField { name: string; least?: number; most?: number; step?: number; whole?: boolean }

export interface Kind {
  name: string;
  title: string;
  fields: NumberField[];
  /** a file of triangles stands behind the numbers */
  file?: true;
  usual: number[];
}

const positive = (name: string): NumberField => ({ name, least: 0, step: 0.05 });
const halves = ['half x', 'half y', 'half z'].map(positive);

export const KINDS: Kind[] = [
  { name: 'box', title: 'Box', fields: halves, usual: [0.5, 0.5, 0.5] },
  { name: 'sphere', title: 'Sphere', fields: [positive('radius')], usual: [0.5] },
  { name: 'capsule', title: 'Capsule', fields: [positive('radius'), positive('half length')], usual: [0.3, 0.4] },
  { name: 'cylinder', title: 'Cylinder', fields: [positive('radius'), positive('half height')], usual: [0.5, 0.5] },
  { name: 'cone', title: 'Cone', fields: [positive('radius'), positive('height')], usual: [0.5, 1] },
  { name: 'frustum', title: 'Truncated cone', fields: [positive('radius'), positive('top radius'), positive('height')], usual: [0.5, 0.3, 0.8] },
  { name: 'prism', title: 'Prism', fields: [positive('radius'), positive('half height'), { name: 'sides', least: 3, most: 4096, step: 1, whole: true }], usual: [0.5, 0.5, 32] },
  { name: 'pyramid', title: 'Pyramid', fields: [positive('radius'), positive('height'), { name: 'sides', least: 3, most: 4096, step: 1, whole: true }], usual: [0.5, 1, 32] },
  { name: 'ellipsoid', title: 'Ellipsoid', fields: halves, usual: [0.7, 0.5, 0.35] },
  {
    name: 'superquadric', title: 'Superquadric', usual: [0.6, 0.5, 0.5, 0.4, 0.6],
    fields: [...halves, { name: 'exponent 1', least: 0.2, most: 1.8, step: 0.1 }, { name: 'exponent 2', least: 0.2, most: 1.8, step: 0.1 }],
  },
  { name: 'plane', title: 'Plane', fields: [{ name: 'normal x' }, { name: 'normal y' }, { name: 'normal z' }, { name: 'offset' }], usual: [0, 0, 1, 0] },
  { name: 'hull', title: 'Hull of points', fields: [], usual: [] },
  { name: 'mesh', title: 'Mesh file: convex pieces', fields: [], file: true, usual: [] },
  { name: 'trimesh', title: 'Mesh file: its triangles', fields: [], file: true, usual: [] },
  { name: 'facetmesh', title: 'Mesh file: rounded triangles', fields: [], file: true, usual: [] },
];

/** An argument taken apart: numbers of a kind, points of a hull, or a file with the words before it (each with its colon). */
export interface Parts { kind: Kind; numbers: number[]; words: string; file: string }

const kindOf = (name: string): Kind => KINDS.find((kind) => kind.name === name) as Kind;

const parsed = (text: string): number[] => text.split(',').map(Number);

export function takeApart(argument: string): Parts {
  const colon = argument.indexOf(':'), name = argument.slice(0, Math.max(colon, 0)), rest = argument.slice(colon + 1);
  const kind = KINDS.find((known) => known.name === name && name !== 'mesh');
  if (!kind) return { kind: kindOf('mesh'), numbers: [], words: '', file: argument };
  if (kind.file) {
    const words = /^(?:(?:two-sided|[a-z]+=[^:]*):)*/.exec(rest)?.[0] ?? '';
    return { kind, numbers: [], words, file: rest.slice(words.length) };
  }
  const numbers = parsed(rest);
  // Sides that are left out are the command's 32; the field shows them.
  return { kind, numbers: kind.name === 'hull' ? numbers : kind.usual.map((usual, i) => numbers[i] ?? usual), words: '', file: '' };
}

export function putTogether({ kind, numbers, words, file }: Parts): string {
  if (kind.name === 'mesh') return file;
  return kind.file ? `${kind.name}:${words}${file}` : `${kind.name}:${numbers.map(number).join(',')}`;
}

/** A shape of that kind to begin with; file: of those that need one. */
export const usualShape = (name: string, file: string): string =>
  name === 'hull' ? 'hull:0.5,0.5,-0.4,-0.5,0.5,-0.4,-0.5,-0.5,-0.4,0.5,-0.5,-0.4,0.3,0,0.5,-0.3,0.1,0.5' : putTogether({ kind: kindOf(name), numbers: kindOf(name).usual, words: '', file });
