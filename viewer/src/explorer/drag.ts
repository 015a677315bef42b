/**
 * Moving things of the scene with a pointer: what lies under it at the beginning follows it, in the plane that faces the camera, or is turned about the
 * camera's axes. Beginning anywhere else moves the camera, as does everything with two fingers.
 */
import { Plane, Quaternion, Vector3 } from 'three';
import type { Stage } from '../scene/stage';

export interface Grab {
  /** where the thing is held, scene's frame */
  point: Vector3;
  /** by how much since the beginning, scene's frame */
  move(by: Vector3): void;
  turn?(by: Quaternion): void;
}

export interface DragSettings {
  /** what is under a point of the page; null for nothing that can be moved */
  grab(x: number, y: number): Grab | null;
  /** whether dragging turns */
  turning(event: PointerEvent): boolean;
  end(): void;
}

const RADIANS_A_PIXEL = 0.008;

export function followPointer(stage: Stage, settings: DragSettings): void {
  const { canvas } = stage, host = canvas.parentElement as HTMLElement;
  let held: { grab: Grab; id: number; x: number; y: number; plane: Plane } | null = null;
  const release = () => {
    if (!held) return;
    held = null;
    stage.controls.enabled = true;
    canvas.style.cursor = '';
    settings.end();
  };
  const reach = (event: PointerEvent, plane: Plane): Vector3 | null => {
    const hit = stage.ray(event.clientX, event.clientY).ray.intersectPlane(plane, new Vector3());
    return hit ? stage.world.worldToLocal(hit) : null;
  };
  // In the capture phase, before the camera's own controls.
  host.addEventListener('pointerdown', (event) => {
    if (event.target !== canvas) return;
    if (held) {
      release();
      return;
    }
    if (!event.isPrimary || event.button !== 0) return;
    const grab = settings.grab(event.clientX, event.clientY);
    if (!grab) return;
    const normal = stage.camera.getWorldDirection(new Vector3());
    const plane = new Plane().setFromNormalAndCoplanarPoint(normal, stage.world.localToWorld(grab.point.clone()));
    held = { grab, id: event.pointerId, x: event.clientX, y: event.clientY, plane };
    stage.controls.enabled = false;
    canvas.setPointerCapture(event.pointerId);
    canvas.style.cursor = 'grabbing';
    canvas.focus({ preventScroll: true });
    event.stopPropagation();
  }, { capture: true });
  canvas.addEventListener('pointermove', (event) => {
    if (held?.id !== event.pointerId) return;
    if (held.grab.turn && settings.turning(event)) {
      const up = new Vector3(0, 1, 0).applyQuaternion(stage.camera.quaternion), right = new Vector3(1, 0, 0).applyQuaternion(stage.camera.quaternion);
      const back = stage.world.quaternion.clone().invert();
      const by = new Quaternion().setFromAxisAngle(up.applyQuaternion(back), (event.clientX - held.x) * RADIANS_A_PIXEL)
        .multiply(new Quaternion().setFromAxisAngle(right.applyQuaternion(back), (event.clientY - held.y) * RADIANS_A_PIXEL));
      held.grab.turn(by);
    } else {
      const point = reach(event, held.plane);
      if (point) held.grab.move(point.sub(held.grab.point));
    }
  });
  for (const name of ['pointerup', 'pointercancel', 'lostpointercapture'] as const) {
    canvas.addEventListener(name, (event) => held?.id === event.pointerId && release());
  }
}
