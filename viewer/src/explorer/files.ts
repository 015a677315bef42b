/**
 * The mesh files that the page has: some of scenes/meshes, the surfaces of the figures of docs/methods/meshes.md, hulls of points that are written out as files
 * because the command takes them so, and files that somebody opens. The command sees them in a file system of its own, in memory.
 */
import gear from '../../../scenes/meshes/gear.obj?raw';
import gearSmall from '../../../scenes/meshes/gear_small.obj?raw';
import grainBall from '../../../scenes/meshes/grain_ball.obj?raw';
import gummyBear from '../../../scenes/meshes/gummy_bear.obj?raw';
import pear from '../../../scenes/meshes/pear.obj?raw';
import pebble from '../../../scenes/meshes/pebble.obj?raw';
import stairs from '../../../scenes/meshes/stairs.obj?raw';
import type { Vec3 } from '../run/run';
import figures from './figures.json';
import type { CollideState } from './state';

interface Surface { vertices: number[][]; triangles: number[][] }

export function surfaceFile({ vertices, triangles }: Surface): string {
  const lines = [...vertices.map((p) => `v ${p.join(' ')}`), ...triangles.map((t) => `f ${t.map((corner) => corner + 1).join(' ')}`)];
  return `${lines.join('\n')}\n`;
}

const SCENES = 'scenes/meshes';

/** The pieces of figure `key`, as the names of their files. */
export function figureFiles(key: string): string[] {
  const { pieces } = figures.meshes.find((figure) => figure.key === key) as { pieces: Surface[] };
  return pieces.map((_, i) => (pieces.length > 1 ? `${key}_${i + 1}.obj` : `${key}.obj`));
}

/** The names of triangles and corners in a figure, in the frame of its mesh; none for other files. */
export function figureLabels(argument: string): [string, Vec3][] {
  const figure = figures.meshes.find(({ key }) => figureFiles(key).some((file) => argument === `trimesh:${file}`));
  return Object.entries((figure?.labels ?? {}) as unknown as Record<string, Vec3>);
}

/** By the path that the command is given. */
export const BUNDLED: ReadonlyMap<string, string> = new Map([
  [`${SCENES}/gear.obj`, gear], [`${SCENES}/gear_small.obj`, gearSmall], [`${SCENES}/pear.obj`, pear], [`${SCENES}/pebble.obj`, pebble],
  [`${SCENES}/gummy_bear.obj`, gummyBear], [`${SCENES}/grain_ball.obj`, grainBall], [`${SCENES}/stairs.obj`, stairs],
  ...figures.meshes.flatMap((figure) => figureFiles(figure.key).map((name, i): [string, string] => [name, surfaceFile(figure.pieces[i])])),
]);

/** A hull of points as a file: triangles that name every point, whose hull --hull then takes. */
export function hullFile(numbers: number[]): string {
  const count = Math.floor(numbers.length / 3);
  const vertices = Array.from({ length: count }, (_, i) => numbers.slice(3 * i, 3 * i + 3));
  const triangles = Array.from({ length: Math.max(count - 2, 0) }, (_, i) => [i, i + 1, i + 2]);
  return surfaceFile({ vertices, triangles });
}

/** The state as the command can be asked about it: hulls of points as names of files, and what these files hold. */
export function resolved(state: CollideState): { state: CollideState; files: [string, string][] } {
  const files: [string, string][] = [];
  const name = (argument: string, path: string): string => {
    if (!argument.startsWith('hull:')) return argument;
    files.push([path, hullFile(argument.slice(5).split(',').map(Number))]);
    return path;
  };
  const a = name(state.a, 'points_a.obj'), b = state.b.map((argument, i) => name(argument, `points_b${i || ''}.obj`));
  const settings = files.length > 0 ? { ...state.settings, hull: true } : state.settings;
  return { state: { ...state, a, b, settings }, files };
}
