/** What is said of joints, the same in every page. */
import { JOINT_BROKEN, JOINT_CELLS, JOINT_GONE, type Cast, type Frame, type Joint } from '../run/run';
import { format, formatVector } from './dom';

type Row = [name: string, value: string];

/** Of the coordinate; empty for kinds without one. */
function unitOf(kind: Joint['kind']): string {
  return kind === 'revolute' || kind === 'spherical' ? 'rad' : kind === 'prismatic' || kind === 'distance' || kind === 'wheel' ? 'm' : '';
}

/** Three numbers without what is rounding beside the largest of them. */
function rounded(cells: ArrayLike<number>, at: number): number[] {
  const values = [cells[at], cells[at + 1], cells[at + 2]], unit = 10 ** Math.ceil(Math.log10(Math.max(...values.map(Math.abs), 1e-300)) - 6);
  return values.map((value) => Math.round(value / unit) * unit + 0);
}

/** "revolute: post, arm" */
export function jointName(cast: Cast, index: number): string {
  const joint = cast.joints![index];
  return `${joint.kind}: ${cast.bodies[joint.a].name}, ${cast.bodies[joint.b].name}`;
}

/** The numbers of a joint in a frame; none when there is no such joint. */
export function jointRows(cast: Cast, frame: Frame | null, index: number): Row[] {
  const joint = cast.joints?.[index], table = frame?.joints;
  if (!joint || !table) return [];
  const { hold, cells } = table, at = JOINT_CELLS * index, unit = unitOf(joint.kind), wheel = joint.kind === 'wheel', missing = '–';
  const here = hold[index] !== JOINT_GONE;
  const size = (from: number) => format(Math.hypot(cells[from], cells[from + 1], cells[from + 2]), 5);
  const load = (name: string, from: number, units: string): Row[] => [
    [name, here ? `${size(from)} ${units}` : missing], [`${name} on b`, here ? formatVector(rounded(cells, from)) : missing],
  ];
  const limit = (value: number | null, none: string) => (value === null ? none : format(value, 4));
  return [
    ['kind', joint.kind],
    ['bodies', `${cast.bodies[joint.a].name}, ${cast.bodies[joint.b].name}`],
    ['state', hold[index] === JOINT_BROKEN ? 'broken' : here ? 'holds' : 'gone with its body'],
    ...(unit ? [['coordinate', here ? `${format(cells[at], 5)} ${unit}` : missing] as Row] : []),
    ...(wheel ? [['turned', here ? `${format(cells[at + 1], 5)} rad` : missing] as Row] : []),
    ...(unit ? [['limits', joint.lower === null && joint.upper === null ? 'none' : `${limit(joint.lower, '−∞')} … ${limit(joint.upper, '∞')} ${unit}`] as Row] : []),
    ...(joint.motor === 'off' ? [] : [['motor', `${joint.motor} ${format(joint.target, 4)} ${wheel ? 'rad' : unit}${joint.motor === 'speed' ? '/s' : ''}`] as Row]),
    ...(joint.stiffness > 0 ? [['spring', `${format(joint.stiffness, 4)} N${unit === 'rad' ? ' m/rad' : '/m'}, relaxed at ${format(joint.rest, 4)} ${unit}`] as Row] : []),
    ...(joint.kind === 'gear' ? [['ratio', format(joint.ratio, 5)] as Row] : []),
    ...load('force', at + 2, 'N'),
    ...load('torque', at + 5, 'N m'),
    ...(joint.break_force === null && joint.break_torque === null ? []
      : [['breaks at', [joint.break_force === null ? '' : `${format(joint.break_force, 4)} N`, joint.break_torque === null ? '' : `${format(joint.break_torque, 4)} N m`].filter(Boolean).join(', ')] as Row]),
  ];
}
