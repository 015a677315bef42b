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

/** How much of a fragment is a line; the triangle's sides are where parts of vSide are 0. */
const LINE = `vec3 pixels = vSide / max(fwidth(vSide), vec3(1e-9));
  float nearest = min(min(pixels.x, pixels.y), pixels.z);
  float line = edgeWidth > 0.0 ? 0.75 * clamp(0.5 + edgeWidth - nearest, 0.0, 1.0) : 0.0;`;

// The lights of stage.ts over pi. Of a surface that is seen from behind the normal is turned round. What the screen is given is computed here, too: a
// power for each fragment takes half a second to compile.
const PLAIN_VERTICES = `attribute vec3 side;
uniform vec3 diffuse;
varying vec3 vSide;
varying vec3 vShade;
void main() {
  vSide = side;
  vec4 place = vec4(position, 1.0);
  vec3 lit = normal, shade = diffuse;
  #ifdef USE_INSTANCING
    place = instanceMatrix * place;
    lit = mat3(instanceMatrix) * lit;
  #endif
  #ifdef USE_INSTANCING_COLOR
    shade *= instanceColor;
  #endif
  place = modelMatrix * place;
  lit = normalize(mat3(modelMatrix) * lit);
  if (dot(lit, cameraPosition - place.xyz) < 0.0) lit = -lit;
  shade *= 0.08 + mix(0.11, 0.41, 0.5 + 0.5 * lit.z) + 0.6 * max(dot(lit, normalize(vec3(${SUN.join(', ')}))), 0.0);
  vShade = max(1.055 * pow(max(shade, 0.0), vec3(1.0 / 2.4)) - 0.055, 0.0);
  gl_Position = projectionMatrix * viewMatrix * place;
}`;

const PLAIN_FRAGMENTS = `varying vec3 vSide;
varying vec3 vShade;
uniform vec3 edgeColor;
uniform float edgeWidth;
uniform float opacity;
void main() {
  ${LINE}
  gl_FragColor = vec4(mix(vShade, edgeColor, line), opacity);
}`;

const LIT_VERTICES = `#include <begin_vertex>
  vSide = side;`;
const LIT_FRAGMENTS = `${LINE}
  outgoingLight = mix(outgoingLight, edgeColor, line);
  #include <opaque_fragment>`;

/** width: of the lines, in pixels; 0 for none. plain: for a machine without a graphics card. */
export function bodyMaterial(edge: Color, width: number, plain = false): BodyMaterial {
  const made = plain ? new MeshBasicMaterial({ side: DoubleSide }) : new MeshLambertMaterial({ side: DoubleSide });
  const material = made as unknown as BodyMaterial;
  const { userData } = material;
  Object.assign(userData, { edge: { value: edge.clone() }, width: { value: width } });
  material.onBeforeCompile = (shader) => {
    shader.uniforms['edgeWidth'] = userData.width;
    if (plain) {
      shader.uniforms['edgeColor'] = { get value() { return userData.edge.value.clone().convertLinearToSRGB(); } };
      shader.vertexShader = PLAIN_VERTICES;
      shader.fragmentShader = PLAIN_FRAGMENTS;
      return;
    }
    shader.uniforms['edgeColor'] = userData.edge;
    shader.vertexShader = `attribute vec3 side;\nvarying vec3 vSide;\n${shader.vertexShader}`.replace('#include <begin_vertex>', LIT_VERTICES);
    shader.fragmentShader = `varying vec3 vSide;\nuniform vec3 edgeColor;\nuniform float edgeWidth;\n${shader.fragmentShader}`.replace(
      '#include <opaque_fragment>', LIT_FRAGMENTS);
  };
  material.customProgramCacheKey = () => (plain ? 'plain' : 'lit');
  return material;
}

/** Of the ground: the same light, no edges. */
export function groundMaterial(plain: boolean): MeshBasicMaterial | MeshLambertMaterial {
  return plain ? new MeshBasicMaterial() : new MeshLambertMaterial();
}
