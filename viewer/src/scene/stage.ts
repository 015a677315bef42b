/**
 * A canvas with a camera that looks at a scene: renders when something has changed, follows the size of its element and the theme, orbits by pointer,
 * touch and keyboard, and says what lies under the pointer. "Up" is against gravity.
 */
import {
  AmbientLight, Color, DirectionalLight, Group, HemisphereLight, PCFShadowMap, PerspectiveCamera, Quaternion, Raycaster, Scene, Vector2, Vector3,
  WebGLRenderer,
} from 'three';
import type { Intersection, Object3D } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { SUN } from './material';
import { DARK, LIGHT, type Palette } from './palette';

export interface Box { low: Vector3; high: Vector3 }

export class Stage {
  readonly scene = new Scene();
  /** Everything in the scene's own frame, in which gravity may point anywhere; the stage turns it so that it points down the z axis of the page. */
  readonly world = new Group();
  readonly camera = new PerspectiveCamera(40, 1, 0.01, 1000);
  readonly controls: OrbitControls;
  readonly canvas: HTMLCanvasElement;
  palette: Palette;
  /** there is no graphics card: shadows and lights for each pixel would take too long */
  readonly plain: boolean;
  private readonly renderer: WebGLRenderer;
  private readonly sun = new DirectionalLight(0xffffff, 1.9);
  private readonly themeHandlers = new Set<(palette: Palette) => void>();
  private readonly renderHandlers = new Set<() => void>();
  private pending = 0;
  private home: Box = { low: new Vector3(-1, -1, -1), high: new Vector3(1, 1, 1) };
  private from = new Vector3(0.55, -1, 0.45);
  /** nobody has turned the camera since fit() */
  private isHome = false;
  /** nobody drags the camera */
  private isStill = true;

  /** label: what a screen reader says of the canvas. */
  constructor(private readonly host: HTMLElement, label: string, gravity: ArrayLike<number> = [0, 0, -1]) {
    this.plain = drawnByProcessor();
    this.renderer = new WebGLRenderer({ antialias: !this.plain, powerPreference: 'high-performance' });
    this.renderer.setPixelRatio(this.plain ? 1 : Math.min(window.devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = !this.plain;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'application');
    this.canvas.setAttribute('aria-label', `${label}. Arrow keys turn the view, plus and minus come closer and go away, Home shows everything.`);
    host.append(this.canvas);
    this.camera.up.set(0, 0, 1);
    const sky = new HemisphereLight(0xffffff, 0x8d8d80, 1.3);
    sky.position.set(0, 0, 1); // which is up
    this.scene.add(this.world, this.camera, sky, new AmbientLight(0xffffff, 0.25), this.sun, this.sun.target);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    this.sun.shadow.bias = -0.0005;
    this.sun.shadow.normalBias = 0.02;
    this.setGravity(gravity);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener('change', () => this.invalidate());
    this.controls.addEventListener('start', () => (this.isHome = this.isStill = false));
    this.controls.addEventListener('end', () => (this.isStill = true));
    // The controls call a millimetre no change, which may be as large as the scene.
    this.canvas.addEventListener('pointermove', () => this.isStill || this.invalidate());
    this.canvas.addEventListener('keydown', (event) => this.onKey(event));
    new ResizeObserver(() => {
      this.resize();
      this.render(); // at once: a canvas of another size is empty
    }).observe(host);
    this.palette = isDark() ? DARK : LIGHT;
    const follow = () => this.setTheme(isDark() ? DARK : LIGHT);
    window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', follow);
    window.addEventListener('abut-theme', follow);
    follow();
    this.resize();
  }

  setGravity(gravity: ArrayLike<number>): void {
    const down = new Vector3(gravity[0], gravity[1], gravity[2]);
    this.world.quaternion.copy(down.lengthSq() > 0 ? new Quaternion().setFromUnitVectors(down.normalize(), new Vector3(0, 0, -1)) : new Quaternion());
    this.world.updateMatrixWorld(true);
    this.invalidate();
  }

  /** Called now and whenever the theme changes, until the function that this returns is called. */
  onTheme(handler: (palette: Palette) => void): () => void {
    this.themeHandlers.add(handler);
    handler(this.palette);
    return () => this.themeHandlers.delete(handler);
  }

  /** Called before each picture, until the function that this returns is called. */
  onRender(handler: () => void): () => void {
    this.renderHandlers.add(handler);
    return () => this.renderHandlers.delete(handler);
  }

  /** Draw again, soon. */
  invalidate(): void {
    this.pending ||= requestAnimationFrame(() => {
      this.pending = 0;
      this.render();
    });
  }

  /** Draw now what would be drawn soon. */
  flush(): void {
    if (this.pending === 0) return;
    cancelAnimationFrame(this.pending);
    this.pending = 0;
    this.render();
  }

  /** When what was drawn last is a picture: the first one waits until shaders are compiled, which no call does that draws. */
  finished(): Promise<void> {
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    return new Promise((done) => {
      const look = () => {
        // Of a context that was lost there is no fence, or its wait fails.
        if (fence && gl.clientWaitSync(fence, 0, 0) === gl.TIMEOUT_EXPIRED) {
          setTimeout(look, 4);
          return;
        }
        gl.deleteSync(fence);
        done();
      };
      look();
    });
  }

  render(): void {
    this.camera.updateMatrixWorld(); // for those who ask where something is on the page
    for (const handler of this.renderHandlers) handler();
    this.renderer.render(this.scene, this.camera);
  }

  /** Look at the box (frame of `world`) from the front, the right and above; Home comes back to it, and so does a change of the picture's size. */
  fit(box: Box, from = new Vector3(0.55, -1, 0.45)): void {
    this.home = { low: box.low.clone(), high: box.high.clone() };
    const centre = box.low.clone().add(box.high).multiplyScalar(0.5).applyQuaternion(this.world.quaternion);
    const radius = Math.max(box.high.distanceTo(box.low) / 2, 1e-9);
    const distance = this.distanceFor(box, centre, from);
    this.camera.position.copy(from).normalize().multiplyScalar(distance).add(centre);
    this.camera.near = distance / 200;
    this.camera.far = distance * 60;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(centre);
    this.controls.minDistance = radius / 50;
    this.controls.maxDistance = distance * 20;
    this.controls.update();
    this.placeSun(centre, radius);
    this.from = from;
    this.isHome = true;
    this.invalidate();
  }

  /** Look from one point at another, after fit(), which knows how large things are. */
  look(from: Vector3, at: Vector3): void {
    this.isHome = false;
    this.camera.position.copy(from);
    this.controls.target.copy(at);
    this.controls.update();
    this.invalidate();
  }

  /** Move the eye and what it looks at by a way (frame of `world`). */
  move(way: Vector3): void {
    const turned = way.clone().applyQuaternion(this.world.quaternion);
    this.look(this.camera.position.clone().add(turned), this.controls.target.clone().add(turned));
  }

  /** Look at everything again. */
  showAll(): void {
    this.fit(this.home, this.from);
  }

  /** From where, in that direction, all corners of the box are within the picture. */
  private distanceFor(box: Box, centre: Vector3, from: Vector3): number {
    const back = from.clone().normalize(), side = new Vector3().crossVectors(this.camera.up, back).normalize(), up = back.clone().cross(side);
    const high = Math.tan((this.camera.fov * Math.PI) / 360), wide = high * this.camera.aspect;
    let distance = 1e-9;
    for (let corner = 0; corner < 8; corner++) {
      const p = new Vector3(corner & 1 ? box.high.x : box.low.x, corner & 2 ? box.high.y : box.low.y, corner & 4 ? box.high.z : box.low.z);
      p.applyQuaternion(this.world.quaternion).sub(centre);
      distance = Math.max(distance, p.dot(back) + Math.abs(p.dot(side)) / wide, p.dot(back) + Math.abs(p.dot(up)) / high);
    }
    return 1.12 * distance;
  }

  /** What of the objects lies under a point of the page (clientX, clientY), nearest first. */
  pick(x: number, y: number, objects: Object3D[]): Intersection[] {
    return this.ray(x, y).intersectObjects(objects, false);
  }

  /** The ray under a point of the page, in the coordinates of the page's world (z up); world.worldToLocal takes points into the scene's own. */
  ray(x: number, y: number): Raycaster {
    const box = this.canvas.getBoundingClientRect();
    const caster = new Raycaster();
    caster.setFromCamera(new Vector2((2 * (x - box.left)) / box.width - 1, 1 - (2 * (y - box.top)) / box.height), this.camera);
    caster.params.Line = { threshold: this.camera.position.distanceTo(this.controls.target) / 150 };
    return caster;
  }

  /** Where a point of the scene's own frame is on the page, in pixels of the canvas. */
  project(point: Vector3): { x: number; y: number; visible: boolean } {
    const p = this.world.localToWorld(point.clone()).project(this.camera);
    return { x: ((p.x + 1) / 2) * this.canvas.clientWidth, y: ((1 - p.y) / 2) * this.canvas.clientHeight, visible: p.z < 1 };
  }

  private placeSun(centre: Vector3, radius: number): void {
    this.sun.target.position.copy(centre);
    this.sun.position.copy(centre).add(new Vector3(...SUN).normalize().multiplyScalar(4 * radius));
    const eye = this.sun.shadow.camera;
    eye.left = eye.bottom = -1.6 * radius;
    eye.right = eye.top = 1.6 * radius;
    eye.near = 0.5 * radius;
    eye.far = 10 * radius;
    eye.updateProjectionMatrix();
  }

  private setTheme(palette: Palette): void {
    this.palette = palette;
    this.scene.background = new Color(palette.background);
    for (const handler of this.themeHandlers) handler(palette);
    this.invalidate();
  }

  private resize(): void {
    const width = Math.max(this.host.clientWidth, 1), height = Math.max(this.host.clientHeight, 1);
    this.renderer.setSize(width, height, false);
    this.canvas.style.width = '100%';
    this.canvas.style.height = '100%';
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (this.isHome) this.showAll();
    this.invalidate();
  }

  private onKey(event: KeyboardEvent): void {
    const turn = Math.PI / 36;
    const offset = this.camera.position.clone().sub(this.controls.target);
    const side = new Vector3().crossVectors(this.camera.up, offset).normalize();
    const actions: Record<string, () => void> = {
      ArrowLeft: () => offset.applyAxisAngle(this.camera.up, -turn),
      ArrowRight: () => offset.applyAxisAngle(this.camera.up, turn),
      ArrowUp: () => tilt(-turn),
      ArrowDown: () => tilt(turn),
      '+': () => offset.multiplyScalar(1 / 1.15),
      '=': () => offset.multiplyScalar(1 / 1.15),
      '-': () => offset.multiplyScalar(1.15),
      Home: () => this.showAll(),
    };
    const tilt = (angle: number) => {
      const turned = offset.clone().applyAxisAngle(side, angle);
      const height = turned.clone().normalize().dot(this.camera.up);
      if (Math.abs(height) < 0.995) offset.copy(turned);
    };
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    action();
    event.preventDefault();
    if (event.key !== 'Home') {
      this.isHome = false;
      this.camera.position.copy(this.controls.target).add(offset);
      this.controls.update();
    }
    this.invalidate();
  }
}

/** Whether there is no graphics card and the processor draws: by the name that the browser gives to what draws. */
function drawnByProcessor(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2');
  const info = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = gl && info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

/** Whether the page is dark: as chosen on it (data-theme of the root element), else as the system says. */
export function isDark(): boolean {
  const chosen = document.documentElement.dataset['theme'];
  return chosen ? chosen === 'dark' : window.matchMedia('(prefers-color-scheme: dark)').matches;
}
