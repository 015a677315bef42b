/**
 * The Gauss maps of two shapes on one unit sphere, seen from where the main camera looks: a small picture of lines (SVG) that turns with it. What is on
 * the sphere's far side is faint. The features of the contacts are bright: points, arcs and cells; the ring is the contact normal.
 */
import { Matrix4, Quaternion, Vector3, type Camera } from 'three';
import { facesOf, greatArc, split, type Feature, type GaussMap } from './gaussmap';

/** One shape's map: how it is turned, which feature takes part, and which those of the single contacts are. */
export interface GaussSide { map: GaussMap | null; turn: Quaternion; takingPart: Feature | null; corners: Feature[] }

const SVG = 'http://www.w3.org/2000/svg', RADIUS = 100, MOST_ARCS = 3000;

function element<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Record<string, string | number>): SVGElementTagNameMap[K] {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}

const place = (p: Vector3) => `${(RADIUS * p.x).toFixed(1)} ${(-RADIUS * p.y).toFixed(1)}`;
const path = (lines: Vector3[][]) => lines.map((line) => `M${line.map(place).join('L')}`).join('');

export class GaussView {
  readonly svg = element('svg', { viewBox: '-128 -128 256 256', role: 'img', class: 'gauss' });
  private a: GaussSide | null = null;
  private b: GaussSide | null = null;
  private normal: Vector3 | null = null;
  private readonly eye = new Quaternion();

  constructor(host: HTMLElement) {
    host.append(this.svg);
  }

  /** normal: from B into A; null when there is no contact. label: what a screen reader says. */
  show(a: GaussSide, b: GaussSide, normal: Vector3 | null, label: string): void {
    this.a = a;
    this.b = b;
    this.normal = normal;
    this.svg.setAttribute('aria-label', label);
    this.draw();
  }

  /** Look from where the camera looks. world: what turns the scene's own frame into the camera's. */
  follow(camera: Camera, world: Quaternion): void {
    const eye = new Quaternion().setFromRotationMatrix(new Matrix4().extractRotation(camera.matrixWorld)).invert().multiply(world);
    if (eye.angleTo(this.eye) < 1e-6) return;
    this.eye.copy(eye);
    this.draw();
  }

  private draw(): void {
    this.svg.replaceChildren(element('circle', { r: RADIUS, class: 'ball' }));
    if (this.a) this.drawSide(this.a, 'a', -1);
    if (this.b) this.drawSide(this.b, 'b', 1);
    if (this.normal) this.drawNormal(this.normal);
  }

  /** The map's normals in the eye's frame; sign: -1 turns them through the centre. */
  private directions(side: GaussSide, sign: number): Vector3[] {
    return (side.map?.normals ?? []).map((n) => new Vector3(...n).applyQuaternion(side.turn).multiplyScalar(sign).applyQuaternion(this.eye));
  }

  private drawSide(side: GaussSide, name: 'a' | 'b', sign: number): void {
    const { map } = side;
    if (!map) return;
    const n = this.directions(side, sign), front: Vector3[][] = [], back: Vector3[][] = [];
    for (const [f, g] of map.edges.slice(0, MOST_ARCS)) {
      const parts = split(greatArc(n[f], n[g]));
      front.push(...parts.front);
      back.push(...parts.back);
    }
    const chosen = side.takingPart ? [side.takingPart] : [];
    const corners = side.corners.filter(({ kind, index }) => kind !== chosen[0]?.kind || index !== chosen[0].index);
    for (const feature of [...chosen, ...corners]) if (feature.kind === 'vertex') this.drawCell(map, feature, n, name, feature === chosen[0]);
    this.svg.append(element('path', { d: path(back), class: `arc ${name} far` }), element('path', { d: path(front), class: `arc ${name}` }));
    for (const feature of [...corners, ...chosen]) {
      if (feature.kind !== 'edge') continue;
      const [f, g] = facesOf(map, feature), parts = split(greatArc(n[f], n[g])), strength = feature === chosen[0] ? 'chosen' : 'corner';
      this.svg.append(
        element('path', { d: path(parts.back), class: `arc ${name} far ${strength}` }),
        element('path', { d: path(parts.front), class: `arc ${name} ${strength}`, 'data-feature': `${name} edge ${feature.index}` }),
      );
    }
    const faces = new Map(corners.filter(({ kind }) => kind === 'face').map(({ index }) => [index, 'corner']));
    for (const { kind, index } of chosen) if (kind === 'face') faces.set(index, 'chosen');
    n.forEach((p, face) => {
      const strength = faces.get(face);
      if (n.length > 400 && !strength) return;
      const plain = n.length > 60 ? 1.3 : n.length > 24 ? 2 : 3;
      // Where both maps have the same point, that of A shows around that of B.
      const radius = (strength === 'chosen' ? 6.5 : strength ? 5 : plain) + (name === 'a' ? (strength ? 2.5 : 0.9) : 0);
      const dot = element('circle', {
        cx: (RADIUS * p.x).toFixed(1), cy: (-RADIUS * p.y).toFixed(1), r: radius, class: `dot ${name} ${p.z < 0 ? 'far' : ''} ${strength ?? ''}`,
        ...(strength ? { 'data-feature': `${name} face ${face}` } : {}),
      });
      const title = element('title', {});
      title.textContent = `${name.toUpperCase()}: face ${face}`;
      dot.append(title);
      this.svg.append(dot);
    });
  }

  /** A vertex's cell; what of it is on the far side ends at the rim. */
  private drawCell(map: GaussMap, feature: Feature, n: Vector3[], name: 'a' | 'b', chosen: boolean): void {
    const faces = facesOf(map, feature), outline: Vector3[] = [];
    faces.forEach((face, i) => outline.push(...greatArc(n[face], n[faces[(i + 1) % faces.length]]).slice(0, -1)));
    if (outline.length < 3) return;
    const seen = outline.some((p) => p.z > 0);
    const flat = outline.map((p) => (seen && p.z < 0 ? new Vector3(p.x, p.y, 0).normalize() : p));
    this.svg.append(element('path', {
      d: `${path([flat])}Z`, class: `cell ${name} ${seen ? '' : 'far'} ${chosen ? 'chosen' : 'corner'}`, 'data-feature': `${name} vertex ${feature.index}`,
    }));
  }

  private drawNormal(normal: Vector3): void {
    const p = normal.clone().applyQuaternion(this.eye), tip = p.clone().multiplyScalar(1.22), far = p.z < 0 ? ' far' : '';
    const across = new Vector3(-p.y, p.x, 0).multiplyScalar(0.045), neck = p.clone().multiplyScalar(1.12);
    this.svg.append(
      element('path', { d: path([[p, tip], [neck.clone().add(across), tip, neck.sub(across)]]), class: `normal${far}` }),
      element('circle', { cx: (RADIUS * p.x).toFixed(1), cy: (-RADIUS * p.y).toFixed(1), r: 5, class: `ring${far}` }),
    );
    const word = element('text', { x: (RADIUS * 1.24 * p.x + 7).toFixed(1), y: (-RADIUS * 1.18 * p.y + 4).toFixed(1), class: `name${far}` });
    word.textContent = 'n';
    this.svg.append(word);
  }
}
