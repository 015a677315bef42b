/** Cameras of pictures beside each other look the same way; a camera can go along with a body. */
import { Vector3 } from 'three';
import type { Stage } from '../scene/stage';
import type { RunView } from './view';

export function linkCameras(views: RunView[]): void {
  const stages = views.flatMap(({ stage }) => stage ?? []);
  // What each stage had when it was last looked at or set: setting rounds, and what rounding alone has changed must not travel back.
  const seen = new Map(stages.map((stage) => [stage, { position: new Vector3(Infinity), target: new Vector3() }]));
  const note = (stage: Stage) => {
    const { position, target } = seen.get(stage)!;
    position.copy(stage.camera.position);
    target.copy(stage.controls.target);
  };
  for (const stage of stages) {
    stage.onRender(() => {
      const { position, target } = seen.get(stage)!;
      if (stage.camera.position.equals(position) && stage.controls.target.equals(target)) return;
      note(stage);
      for (const other of stages) {
        if (other === stage) continue;
        other.look(position, target);
        note(other);
      }
    });
  }
}

/** Moves the cameras of all pictures as the body `which` of one moves; -1 for none. All at once: a picture drawn in between must not take its own camera for the newest. */
export function followBody(view: RunView, views: RunView[], which: () => number): void {
  let body = -1, last: Vector3 | null = null;
  view.onFrame(() => {
    const now = which(), centre = view.centre(now);
    if (centre && last && now === body) {
      const way = centre.clone().sub(last);
      for (const { stage } of views) stage?.move(way);
    }
    body = now;
    last = centre;
  });
}
