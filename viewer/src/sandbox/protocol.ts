/**
 * What the page and the worker say to each other. Bodies are named by their place in the scene's list, points are in the scene's own frame.
 *
 * Every frame names the load that it is of, so that one that was under way when another scene was loaded is recognised. The worker sends a frame only when
 * the page has drawn the one before it; the page then hands the arrays back, to be filled again. Time begins when the first frame of a scene was seen.
 */
import type { ContactTable, JointTable, RunEvent, Vec3 } from '../run/run';
import type { Head, Report } from './engine';

export interface SceneFile {
  path: string;
  content: string | Uint8Array;
}

export type ToWorker =
  | { kind: 'start'; wasm: ArrayBuffer }
  | { kind: 'load'; load: number; files: SceneFile[]; path: string }
  | { kind: 'play'; on: boolean }
  /** simulated seconds for each second; Infinity for as many as there can be */
  | { kind: 'speed'; value: number }
  /** whether the scene's own actions happen */
  | { kind: 'actions'; on: boolean }
  | { kind: 'step'; count: number }
  | { kind: 'want'; contacts: boolean }
  | { kind: 'record'; on: boolean; contacts: boolean }
  | { kind: 'drawn'; load: number; spare: Arrays | null }
  | { kind: 'grab'; body: number; anchor: Vec3; target: Vec3; frequency: number; dampingRatio: number; maxForce: number }
  | { kind: 'pull'; target: Vec3 }
  | { kind: 'release' }
  /** a force at a point of the body (shape's frame) that grows to its full size in a second and lasts until it is called off */
  | { kind: 'push'; body: number; anchor: Vec3; force: Vec3 }
  | { kind: 'pushEnd' }
  | { kind: 'remove'; body: number }
  | { kind: 'throw'; shape: string; pose: number[]; velocity: Vec3; density: number; friction: number };

/** The arrays of a frame that go back and forth. */
export interface Arrays {
  poses: Float64Array;
  velocities: Float64Array;
  presence: Uint8Array;
}

/** What is shown of one step. */
export interface Moment extends Arrays {
  step: number;
  time: number;
  contacts: ContactTable | null;
  joints: JointTable | null;
  /** sensors with something in them */
  lit: ReadonlySet<number>;
  report: Report;
}

/** One step of a recording. */
export type Recorded = Moment;

export interface Counters {
  /** achieved, and what the time that a step takes would allow */
  stepsPerSecond: number;
  capacity: number;
  millisecondsPerStep: number;
  /** simulated time over the time it should have been: 1 when the machine keeps up */
  pace: number;
}

export interface FrameMessage extends Moment {
  kind: 'frame';
  load: number;
  playing: boolean;
  vertices: Map<number, Float32Array> | null;
  /** since the frame before: the last ones, if there were too many */
  events: RunEvent[];
  counters: Counters;
  /** of the state; null while it plays */
  hash: string | null;
  /** the steps since the frame before, while recording */
  recorded: Recorded[];
}

export type Doing = 'start' | 'load' | 'step' | 'act';

export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'loaded'; load: number; head: Head }
  /** a body was thrown in: the last of the list */
  | { kind: 'added'; load: number; head: Head }
  | FrameMessage
  | { kind: 'failed'; load: number; doing: Doing; message: string };
