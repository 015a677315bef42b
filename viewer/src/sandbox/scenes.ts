/** The scenes that the page brings along, with the mesh files that they name, and what is to be done in each. */
import type { SceneFile } from './protocol';

export interface Offer {
  name: string;
  title: string;
  /** one sentence: what to do or to look at */
  task: string;
  group: 'Tasks' | 'Joints' | 'Meshes' | 'Smooth bodies' | 'Piles';
  /** what the pointer does at first */
  mode?: 'drag' | 'push' | 'throw';
  /** of the hand, in weights of the body */
  strength?: number;
  /** the pointer pulls level with the ground, and from where the camera looks */
  level?: boolean;
  from?: [number, number, number];
  /** it looks at the whole scene, not only at what moves */
  whole?: boolean;
}

export const OFFERS: Offer[] = [
  { name: 'wall', title: 'Brick wall', group: 'Tasks', level: true, task: 'Take bricks out one by one: press on a brick and pull it towards you. The wall should stand.' },
  {
    name: 'tower', title: 'Tower of objects and gears', group: 'Tasks', mode: 'push', strength: 12,
    task: 'Push the edge of the topmost object down: hold until the tower tilts. Or drag objects to build another.',
  },
  {
    name: 'gears', title: 'Two gears', group: 'Tasks', level: true, whole: true, strength: 4, from: [0.1, -0.75, 1],
    task: 'Drag the handle of the small gear round and round: it turns the large one by its teeth alone.',
  },
  { name: 'chain', title: 'Chain', group: 'Joints', strength: 100, task: 'A chain of 20 links swings with a heavy weight at its end. Pull the weight, or a link.' },
  { name: 'newtons_cradle', title: "Newton's cradle", group: 'Joints', task: 'The ball that swings in sends the last one out. Lift two balls together, and let go.' },
  { name: 'car_on_axles', title: 'Car on axles', group: 'Joints', whole: true, task: 'A car with sprung wheels drives on the track by its rear motors. Hold it back, or push it off.' },
  { name: 'gear_train', title: 'Gear train', group: 'Joints', whole: true, task: 'A motor turns a dial over three gears, by their teeth alone. Hold the dial, or turn it back.' },
  { name: 'gripper', title: 'Gripper', group: 'Joints', whole: true, task: 'Two fingers grip a box and a hand lifts it. Pull the box out of the fingers.' },
  { name: 'robot_arm', title: 'Robot arm', group: 'Joints', whole: true, strength: 10, task: 'Motors turn four links to their angles and hold a load. Pull the load down, and let go.' },
  { name: 'conveyor', title: 'Conveyor', group: 'Joints', whole: true, task: 'Boxes ride over two belts to a turntable. Put one back to the start.' },
  { name: 'ball_on_terrain', title: 'Balls on a terrain', group: 'Meshes', whole: true, task: 'Balls roll over a height field. Drag one uphill, or throw more in.' },
  { name: 'boxes_on_stairs', title: 'Boxes on stairs', group: 'Meshes', whole: true, task: 'Boxes tumble down stairs that are a mesh of triangles. Carry them up again.' },
  { name: 'car_on_track', title: 'Car on a track', group: 'Meshes', whole: true, task: 'A car without friction slides over separate tiles: its speed would show every seam that it felt.' },
  { name: 'superquadric_pile', title: 'Pile of superquadrics', group: 'Smooth bodies', whole: true, task: 'Smooth bodies fall on each other, without friction. Pull one out of the pile.' },
  { name: 'rocking_ellipsoid', title: 'Rocking ellipsoid', group: 'Smooth bodies', task: 'An ellipsoid rocks on a plane and loses nothing. Pull its end down.' },
  { name: 'fractured_block', title: 'Fractured block', group: 'Piles', whole: true, task: 'A block of 324 pieces falls on a step. Throw a ball at it, or dig in the rubble.', mode: 'throw' },
  { name: 'drums', title: 'Drums, wheels and cones', group: 'Piles', whole: true, task: 'Cylinders and cones stand on each other and roll over the floor. Stop the wheel, or knock the tower down.', mode: 'throw' },
  { name: 'tower_of_ten', title: 'Tower of ten boxes', group: 'Piles', task: 'Ten cubes stand exactly on each other. Throw a ball at them.', mode: 'throw' },
];

const scenes = import.meta.glob<string>(
  '../../../scenes/{wall,tower,gears,chain,newtons_cradle,car_on_axles,gear_train,gripper,robot_arm,conveyor,ball_on_terrain,boxes_on_stairs,car_on_track,superquadric_pile,rocking_ellipsoid,fractured_block,drums,tower_of_ten}.json',
  { query: '?raw', import: 'default', eager: true });
const meshes = import.meta.glob<string>('../../../scenes/meshes/{gear,gear_small,gear_18,stairs,block}.obj', { query: '?raw', import: 'default', eager: true });

const FOLDER = '../../../scenes/';

export function sceneText(name: string): string {
  return scenes[`${FOLDER}${name}.json`];
}

/** Files of the meshes that a scene names, in a folder beside it. */
export function meshFiles(text: string): SceneFile[] {
  return Object.entries(meshes)
    .map(([path, content]) => ({ path: path.slice(FOLDER.length), content }))
    .filter((file) => text.includes(JSON.stringify(file.path)));
}

/** The same scene with contacts by the other method; the text itself when it says so already, or when it cannot be read. */
export function withMethod(text: string, method: 'patch' | 'tracking' | null): string {
  if (!method) return text;
  try {
    const scene = JSON.parse(text) as Record<string, unknown>;
    const contact = (scene['contact'] ?? {}) as Record<string, unknown>;
    if ((contact['method'] ?? 'patch') === method) return text;
    return JSON.stringify({ ...scene, contact: { ...contact, method } }, null, 1);
  } catch {
    return text; // the library says what is wrong with it, and where
  }
}

export function methodOf(text: string): 'patch' | 'tracking' {
  try {
    return (JSON.parse(text) as { contact?: { method?: string } }).contact?.method === 'tracking' ? 'tracking' : 'patch';
  } catch {
    return 'patch';
  }
}

/** What solves the contacts of a scene, and with how many substeps the quick solver does. */
export function solverOf(text: string): string {
  const defaultEffort = 8; // of abut_world_def_default()
  try {
    const stepper = (JSON.parse(text) as { stepper?: { kind?: string; exact?: boolean; effort?: number } }).stepper ?? {};
    if (stepper.kind === 'event' || stepper.kind === 'dem') return stepper.kind;
    return stepper.exact || methodOf(text) === 'tracking' ? 'exact' : `quick, effort ${stepper.effort ?? defaultEffort}`;
  } catch {
    return '–';
  }
}
