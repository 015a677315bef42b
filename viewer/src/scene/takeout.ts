/** Takes an object and all that it holds out of the scene, and gives back what they have on the graphics card. */
import { InstancedMesh, LineSegments, Mesh, type Object3D } from 'three';

export function takeOut(object: Object3D): void {
  object.removeFromParent();
  object.traverse((part) => {
    if (!(part instanceof Mesh || part instanceof LineSegments)) return;
    part.geometry.dispose();
    for (const material of [part.material].flat()) material.dispose();
    if (part instanceof InstancedMesh) part.dispose();
  });
}
