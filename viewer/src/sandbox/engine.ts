/**
 * What the sandbox asks of the simulation: a part of the WebAssembly module's engine, small enough that tests put a stand-in of a few lines in its place.
 * Every call may throw an Error with the library's own message.
 */
import type { Cast, ContactTable, JointTable, RunEvent, Vec3 } from '../run/run';

/** What a scene is, once it is loaded. */
export interface Head extends Cast {
  title: string;
  dt: number;
}

/** What the last step did, of abut_step_report. */
export interface Report {
  contacts: number;
  awake: number;
  maxPenetration: number;
  kineticEnergy: number;
  potentialEnergy: number;
  springEnergy: number;
}

export interface SandboxEngine {
  writeFile(path: string, content: string | Uint8Array): void;
  /** Replaces the scene that was loaded; on an error that one stays. */
  load(path: string): Head;
  /** One step; with the scene's own actions or without. */
  step(actions: boolean): void;
  stepCount(): number;
  time(): number;
  report(): Report;
  /** Copies of 7 numbers for each body, 6, and 1 into arrays of the caller's. */
  copyPoses(into: Float64Array): void;
  copyVelocities(into: Float64Array): void;
  copyPresence(into: Uint8Array): void;
  contacts(): ContactTable;
  /** null for scenes without joints */
  joints(): JointTable | null;
  /** of the last step */
  events(): RunEvent[];
  /** Vertices of bodies that deform; null when there are none. */
  vertices(): Map<number, Float32Array> | null;
  /** anchor: frame of the shape; target: world. The name of the spring. */
  springBegin(body: number, anchor: Vec3, target: Vec3, frequency: number, dampingRatio: number, maxForce: number): number;
  springMove(spring: number, target: Vec3): void;
  springEnd(spring: number): void;
  /** During the next step; the world's frame. */
  force(body: number, force: Vec3, point: Vec3): void;
  remove(body: number): void;
  setVelocity(body: number, velocity: Vec3, angularVelocity: Vec3): void;
  /** shape: as the command's arguments have it, "sphere:0.1" or "box:1,2,3". The scene with the new body in the last place. */
  addBody(shape: string, pose: number[], density: number, friction: number): Head;
  /** 16 hexadecimal digits: abut_world_hash. */
  hash(): string;
}
