/** Cameras of pictures beside each other look the same way; a camera can go along with a body. */
import { Vector3 } from 'three';
import type { RunView } from './view';

export function linkCameras(views: RunView[]): void {
  let busy = false;
  for (const { stage } of views) {
    stage?.controls.addEventListener('change', () => {
      if (busy) return;
      busy = true;
      for (const other of views) {
        if (!other.stage || other.stage === stage) continue;
        other.stage.camera.position.copy(stage.camera.position);
        other.stage.controls.target.copy(stage.controls.target);
        other.stage.controls.update();
      }
      busy = false;
    });
  }
}

/** Moves a picture's camera as the body `which` moves; -1 for none. */
export function followBody(view: RunView, which: () => number): void {
  let body = -1, last: Vector3 | null = null;
  view.onFrame(() => {
    const { stage } = view, now = which(), centre = view.centre(now);
    if (stage && centre && last && now === body) {
      const way = centre.clone().sub(last).applyQuaternion(stage.world.quaternion);
      stage.camera.position.add(way);
      stage.controls.target.add(way);
      stage.controls.update();
    }
    body = now;
    last = centre;
  });
}
