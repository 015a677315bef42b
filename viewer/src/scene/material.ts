/**
 * The material of bodies: lit, with the shape's edges as lines of constant width, drawn by the fragments that are near them (geometry.ts).
 *
 * Without a graphics card every shader is compiled and run by the processor, where a full one takes seconds to come and a tenth of a second for each
 * picture. The plain material computes the same lights at the vertices, which for flat faces is the same, and knows no shadows.
 */
import { Color, DoubleSide, Material, MeshBasicMaterial, MeshLambertMaterial } from 'three';

export interface BodyMaterial extends Material {
  color: Color;
  userData: { edge: { value: Color }; width: { value: number } };
}

/** Towards the sun; z is up. */
export const SUN: [number, number, number] = [-0.5, -0.7, 1.6];

const EDGES = `vec3 pixels = vSide / max(fwidth(vSide), vec3(1e-9));
  float nearest = min(min(pixels.x, pixels.y), pixels.z);
  float line = edgeWidth > 0.0 ? 1.0 - smoothstep(edgeWidth - 0.5, edgeWidth + 0.5, nearest) : 0.0;
  outgoingLight = mix(outgoingLight, edgeColor, 0.75 * line);
  #include <opaque_fragment>`;

// The lights of stage.ts over pi. Of a surface that is seen from behind the normal is turned round.
const LIGHT = `vec3 lit = normal;
  #ifdef USE_INSTANCING
    lit = mat3(instanceMatrix) * lit;
  #endif
  lit = normalize(mat3(modelMatrix) * lit);
  vec3 eye = cameraPosition - (modelMatrix * vec4(transformed, 1.0)).xyz;
  #ifdef USE_INSTANCING
    eye = cameraPosition - (modelMatrix * instanceMatrix * vec4(transformed, 1.0)).xyz;
  #endif
  if (dot(lit, eye) < 0.0) lit = -lit;
  vLight = 0.08 + mix(0.11, 0.41, 0.5 + 0.5 * lit.z) + 0.6 * max(dot(lit, normalize(vec3(${SUN.join(', ')}))), 0.0);`;

/** width: of the lines, in pixels; 0 for none. plain: for a machine without a graphics card. */
export function bodyMaterial(edge: Color, width: number, plain = false): BodyMaterial {
  const made = plain ? new MeshBasicMaterial({ side: DoubleSide }) : new MeshLambertMaterial({ side: DoubleSide });
  const material = made as unknown as BodyMaterial;
  material.userData = { edge: { value: edge.clone() }, width: { value: width } };
  material.onBeforeCompile = (shader) => {
    shader.uniforms['edgeColor'] = material.userData.edge;
    shader.uniforms['edgeWidth'] = material.userData.width;
    shader.vertexShader = `attribute vec3 side;\nvarying vec3 vSide;\nvarying float vLight;\n${shader.vertexShader}`.replace(
      '#include <begin_vertex>', `#include <begin_vertex>\n  vSide = side;\n${plain ? LIGHT : '  vLight = 1.0;'}`);
    shader.fragmentShader = `varying vec3 vSide;\nvarying float vLight;\nuniform vec3 edgeColor;\nuniform float edgeWidth;\n${shader.fragmentShader}`.replace(
      '#include <opaque_fragment>', `outgoingLight *= vLight;\n  ${EDGES}`);
  };
  material.customProgramCacheKey = () => (plain ? 'plain' : 'lit');
  return material;
}

/** Of the ground: the same light, no edges. */
export function groundMaterial(plain: boolean): MeshBasicMaterial | MeshLambertMaterial {
  return plain ? new MeshBasicMaterial() : new MeshLambertMaterial();
}
