/**
 * The colours of the pages. Those of bodies are from the palette of Okabe and Ito, which all common kinds of colour vision tell apart, made a little
 * milder; scales run from dark blue to yellow, evenly in lightness, so that they read in grey, too.
 */
import { Color } from 'three';

export interface Palette {
  background: Color;
  ground: Color;
  grid: Color;
  still: Color;
  edge: Color;
  selected: Color;
  point: Color;
  normal: Color;
  force: Color;
  friction: Color;
  patch: Color;
  bounds: Color;
  voided: Color;
  bodyA: Color;
  bodyB: Color;
  joint: Color;
  sensor: Color;
  lit: Color;
}

const color = (hex: string) => new Color(hex);

export const LIGHT: Palette = {
  background: color('#f4f5f2'), ground: color('#e6e8e2'), grid: color('#c9cdc4'), still: color('#b9bdb5'), edge: color('#2b2f33'),
  selected: color('#d55e00'), point: color('#1b1e22'), normal: color('#0072b2'), force: color('#b03a00'), friction: color('#8a5a83'),
  patch: color('#e69f00'), bounds: color('#009e73'), voided: color('#cc2f8c'), bodyA: color('#6aaed6'), bodyB: color('#e8b35a'),
  joint: color('#4b2e83'), sensor: color('#56b4e9'), lit: color('#f0c300'),
};

export const DARK: Palette = {
  background: color('#15181b'), ground: color('#1f2428'), grid: color('#343b41'), still: color('#59616a'), edge: color('#0b0d0f'),
  selected: color('#ff9a4d'), point: color('#ffffff'), normal: color('#6cc3ff'), force: color('#ff9b70'), friction: color('#dca6d3'),
  patch: color('#ffd166'), bounds: color('#4fd6ad'), voided: color('#ff85c8'), bodyA: color('#3f88b5'), bodyB: color('#b98632'),
  joint: color('#b9a5ff'), sensor: color('#56b4e9'), lit: color('#ffe14d'),
};

const BODY_HUES = ['#7fb5d6', '#e8b765', '#6fbfa3', '#d9a0c3', '#e08e5f', '#b9b46a', '#8d9fd6', '#c7c2b8'].map(color);

/** The colour of body `index` of a scene, the same in every page and run. */
export function bodyColor(index: number): Color {
  return BODY_HUES[index % BODY_HUES.length];
}

// Lightness grows evenly from the first stop to the last.
const SCALE = ['#1d2f6f', '#3a5a9b', '#5f7f8f', '#8d9b70', '#c2b44f', '#f5d547'].map(color);

/** A colour for `share` of a scale, 0 to 1; outside it the ends. Anything that is not a number counts as 0. */
export function scaleColor(share: number, into = new Color()): Color {
  const place = Math.min(Math.max(share || 0, 0), 1) * (SCALE.length - 1);
  const low = Math.min(Math.floor(place), SCALE.length - 2);
  return into.copy(SCALE[low]).lerp(SCALE[low + 1], place - low);
}

/** The same scale as a CSS gradient, for legends. */
export function scaleGradient(): string {
  return `linear-gradient(to right, ${SCALE.map((stop) => `#${stop.getHexString()}`).join(', ')})`;
}
