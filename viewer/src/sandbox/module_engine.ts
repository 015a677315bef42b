/** The WebAssembly module as the loop wants it. */
import { createEngine, type AddedBody, type EngineFactory } from '../engine/engine';
import type { Head, SandboxEngine } from './engine';

export async function moduleEngine(factory: EngineFactory, wasm: ArrayBuffer): Promise<SandboxEngine> {
  const engine = await createEngine(factory, wasm);
  let head: Head | null = null, steps = 0;
  const need = (): Head => {
    if (!head) throw new Error('no scene is loaded');
    return head;
  };
  const withBody = (old: Head, added: AddedBody): Head => ({ ...old, bodies: [...old.bodies, added.body], shapes: [...old.shapes, ...added.shapes] });
  let deforming: number[] = [];
  return {
    writeFile: (path, content) => engine.writeFile(path, content),
    load(path) {
      head = engine.load(path);
      steps = 0;
      const facets = head.shapes.map((shape) => shape.kind === 'facetmesh');
      deforming = head.bodies.flatMap((body, index) => (facets[body.shape] ? [index] : []));
      return head;
    },
    step(actions) {
      engine.step(1, actions);
      steps++;
    },
    stepCount: () => steps,
    time: () => steps * need().dt,
    report() {
      const report = engine.report();
      return {
        contacts: report['contacts'], awake: report['awake'], maxPenetration: report['max_penetration'], kineticEnergy: report['kinetic_energy'],
        potentialEnergy: report['potential_energy'], springEnergy: report['spring_energy'],
      };
    },
    copyPoses: (into) => into.set(engine.poses()),
    copyVelocities: (into) => into.set(engine.velocities()),
    copyPresence: (into) => into.set(engine.presence()),
    contacts: () => engine.contacts(),
    joints: () => (head?.joints?.length ? engine.joints(head.joints.length) : null),
    events: () => (steps > 0 ? engine.events(steps) : []),
    vertices() {
      const moved = deforming.flatMap((body): [number, Float32Array][] => {
        const vertices = engine.vertices(body);
        return vertices ? [[body, Float32Array.from(vertices)]] : [];
      });
      return moved.length > 0 ? new Map(moved) : null;
    },
    springBegin: (body, anchor, target, frequency, dampingRatio, maxForce) => engine.springBegin(body, anchor, target, frequency, dampingRatio, maxForce),
    springMove: (spring, target) => engine.springMove(spring, target),
    springEnd: (spring) => engine.springEnd(spring),
    force: (body, force, point) => engine.force(body, force, point),
    remove: (body) => engine.remove(body),
    setVelocity: (body, velocity, angular) => engine.setVelocity(body, [...velocity, ...angular]),
    addBody(shape, pose, density, friction) {
      head = withBody(need(), engine.addBody({ shape, pose, density, friction }));
      return head;
    },
    hash: () => engine.hash(),
  };
}
