/** Cameras of pictures beside each other look the same way; a camera can go along with a body. */
import { Vector3 } from 'three';
import type { RunView } from './view';

export function linkCameras(views: RunView[]): void {
  const stages = views.flatMap(({ stage }) => stage ?? []);
  const [position, target] = [new Vector3(Infinity), new Vector3()];
  for (const stage of stages) {
    stage.onRender(() => {
      const { camera, controls } = stage;
      if (camera.position.equals(position) && controls.target.equals(target)) return;
      position.copy(camera.position);
      target.copy(controls.target);
      for (const other of stages) {
        if (other === stage) continue;
        other.camera.position.copy(position);
        other.controls.target.copy(target);
        other.controls.update();
        other.invalidate();
      }
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
