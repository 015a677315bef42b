/** The material of bodies: lit, with the shape's edges as lines of constant width, drawn by the fragments that are near them (geometry.ts). */
import { Color, DoubleSide, MeshStandardMaterial } from 'three';

export interface BodyMaterial extends MeshStandardMaterial {
  userData: { edge: { value: Color }; width: { value: number } };
}

/** width: of the lines, in pixels; 0 for none. */
export function bodyMaterial(edge: Color, width: number): BodyMaterial {
  const material = new MeshStandardMaterial({ roughness: 0.85, metalness: 0.0, side: DoubleSide }) as BodyMaterial;
  material.userData = { edge: { value: edge.clone() }, width: { value: width } };
  material.onBeforeCompile = (shader) => {
    shader.uniforms['edgeColor'] = material.userData.edge;
    shader.uniforms['edgeWidth'] = material.userData.width;
    shader.vertexShader = `attribute vec3 side;\nvarying vec3 vSide;\n${shader.vertexShader}`.replace(
      '#include <begin_vertex>', '#include <begin_vertex>\n  vSide = side;');
    shader.fragmentShader = `varying vec3 vSide;\nuniform vec3 edgeColor;\nuniform float edgeWidth;\n${shader.fragmentShader}`.replace(
      '#include <opaque_fragment>',
      `vec3 pixels = vSide / max(fwidth(vSide), vec3(1e-9));
       float nearest = min(min(pixels.x, pixels.y), pixels.z);
       float line = edgeWidth > 0.0 ? 1.0 - smoothstep(edgeWidth - 0.5, edgeWidth + 0.5, nearest) : 0.0;
       outgoingLight = mix(outgoingLight, edgeColor, 0.75 * line);
       #include <opaque_fragment>`);
  };
  return material;
}
