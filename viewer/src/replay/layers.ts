/** The choice of what is drawn, and what the colours mean. */
import type { Colouring } from '../scene/bodies';
import { CONTACT_LAYERS, deepest, strongest, type ContactLayerName } from '../scene/contacts';
import { scaleGradient } from '../scene/palette';
import type { Run } from '../run/run';
import { checkBox, choice, format, h, slider } from '../ui/dom';
import { throttled } from '../ui/throttle';
import type { RunView } from './view';

const NAMES: Record<ContactLayerName, [name: string, variable: string]> = {
  points: ['Points', '--mark-point'], normals: ['Normals, from B into A', '--mark-normal'], forces: ['Normal forces', '--mark-force'],
  friction: ['Forces of friction', '--mark-friction'], patches: ['Patches, by depth', '--mark-patch'],
  voiding: ['Voided edges and vertices of meshes', '--mark-voided'],
};

const COLOURINGS: [Colouring, string][] = [
  ['body', 'Which body it is'], ['awake', 'Awake or asleep'], ['speed', 'Speed'], ['penetration', 'Penetration'],
];

/** More bodies than these have too many contacts to show all of them. */
const CROWD = 40;

export class Layers {
  private readonly legend = h('div', { class: 'legend-row', hidden: true });
  private readonly highest = h('span', {});
  private readonly what = h('span', {});
  private colouring: Colouring = 'body';
  /** the depth of the last colour, for the whole run; 0: the largest of each frame */
  private runDepth = 0;
  /** what the last colour means in the frames that are shown */
  private depth = 0;
  private speed = 0;
  private ofRun = true;
  /** pictures that are drawn with a scale that is no more */
  private readonly behind = new Set<RunView>();
  private readonly describe = throttled(100, () => this.showScale());

  constructor(host: HTMLElement, private readonly views: RunView[]) {
    const runs = views.map((view) => view.run);
    // Arrows and patches of hundreds of contacts hide the bodies; they are a click away.
    const isCrowded = runs.some((run) => run.hasContacts && run.bodies.length > CROWD);
    for (const { contacts } of views) if (contacts && isCrowded) contacts.shown.normals = contacts.shown.patches = false;
    for (const view of views) view.prepare = () => this.scale(view);
    const hasContacts = runs.some((run) => run.hasContacts), hasMeshes = runs.some((run) => run.shapes.some(({ kind }) => kind === 'trimesh'));
    const colourings = COLOURINGS.filter(([value]) => (value !== 'speed' || runs.some((run) => run.hasVelocities)) && (value !== 'penetration' || hasContacts));
    host.append(...h('div', {},
      h('section', {},
        h('h2', {}, 'Bodies'),
        slider('Opacity', { min: 0.05, max: 1, step: 0.05 }, 1, (opacity) => views.forEach((view) => view.bodies?.setOpacity(opacity))),
        choice('Colour', colourings, 'body', (value) => {
          this.colouring = value as Colouring;
          this.redraw();
        }),
        checkBox('Edges', true, (on) => views.forEach((view) => view.bodies?.setEdges(on))),
        checkBox('Bounding boxes', false, (on) => views.forEach((view) => view.bounds?.setShown(on)))),
      runs.some((run) => run.joints?.length) && h('section', {},
        h('h2', {}, 'Joints'),
        checkBox('Axes, rails and limits', true, (on) => views.forEach(({ joints }) => joints && ((joints.shown = on), joints.redraw()))),
        checkBox('Forces on B', false, (on) => views.forEach(({ joints }) => joints && ((joints.forces = on), joints.redraw())))),
      h('section', {},
        h('h2', {}, 'Contacts'),
        ...(hasContacts ? this.contactControls(hasMeshes) : [h('p', { class: 'hint' }, 'The page was made without contacts.')])),
      h('section', { class: 'scale', hidden: !hasContacts && colourings.length < 3 },
        h('h2', {}, 'Colour scale'),
        choice('Largest depth', [['run', 'usual in the run'], ['frame', 'of each frame']], 'run', (value) => {
          this.ofRun = value === 'run';
          this.redraw();
        }),
        this.legend)).childNodes);
    this.legend.append(h('div', { class: 'legend', style: `background: ${scaleGradient()}` }), h('div', { class: 'ends' }, h('span', {}, '0'), this.what, this.highest));
    void this.readDepth(runs);
    this.redraw();
  }

  private contactControls(hasMeshes: boolean): HTMLElement[] {
    const { views } = this;
    const boxes = CONTACT_LAYERS.filter((name) => name !== 'voiding' || hasMeshes).map((name) => {
      const on = views[0]?.contacts?.shown[name] ?? false;
      const box = checkBox(NAMES[name][0], on, (checked) => {
        for (const { contacts } of views) if (contacts) contacts.shown[name] = checked;
        this.redraw();
      });
      box.append(h('span', { class: 'dot', style: `background: var(${NAMES[name][1]})` }));
      return box;
    });
    return [...boxes, slider('Size of points', { min: 0.01, max: 0.15, step: 0.005 }, 0.045, (share) => views.forEach((view) => view.contacts?.setPointSize(share)))];
  }

  /** The depth that all but few steps stay below: one hard impact must not make the rest of the run look alike. */
  private async readDepth(runs: Run[]): Promise<void> {
    const depths = await Promise.all(runs.map((run) => run.steps().then((steps) => steps.get('max_penetration') ?? new Float64Array(0), () => new Float64Array(0))));
    const sorted = depths.map((column) => Float64Array.from(column).filter((depth) => depth > 0).sort());
    this.runDepth = Math.max(0, ...sorted.map((column) => column[Math.floor(0.95 * (column.length - 1))] ?? 0));
    this.redraw();
  }

  private redraw(): void {
    for (const view of this.views) {
      if (view.bodies) view.bodies.colouring = this.colouring;
      view.redraw();
    }
  }

  /** Before a view is drawn. Pictures beside each other have one scale, so what it is depends on the frames of all of them. */
  private scale(drawn: RunView): void {
    const frames = this.views.flatMap(({ frame }) => frame ?? []);
    const ofFrames = () => Math.max(0, ...frames.map(({ contacts }) => (contacts ? deepest(contacts) : 0)));
    // What is no more than rounding has no colour.
    const depth = Math.max((this.ofRun && this.runDepth) || ofFrames(), 1e-9 * this.views[0].run.size);
    const force = Math.max(0, ...frames.map(({ contacts }) => (contacts ? strongest(contacts) : 0)));
    const speed = this.colouring === 'speed' ? Math.max(0, ...frames.map(({ velocities, presence }) => fastest(velocities, presence))) : 0;
    this.depth = depth;
    this.speed = speed;
    this.behind.delete(drawn);
    for (const view of this.views) {
      const { bodies, contacts, run } = view;
      const scale = this.colouring === 'speed' ? speed : depth, forceScale = force > 0 ? (3 * run.size) / force : 0;
      const same = (!bodies || bodies.scale === scale) && (!contacts || (contacts.depthScale === depth && contacts.forceScale === forceScale));
      if (same) continue;
      if (bodies) bodies.scale = scale;
      if (contacts) Object.assign(contacts, { depthScale: depth, forceScale });
      if (view !== drawn) this.catchUp(view);
    }
    this.describe();
  }

  /** Another view's frame has changed the scale of this one, which may be about to be drawn anyway. */
  private catchUp(view: RunView): void {
    if (this.behind.size === 0) {
      queueMicrotask(() => {
        for (const late of [...this.behind]) late.redraw();
      });
    }
    this.behind.add(view);
  }

  private showScale(): void {
    const shown = this.colouring === 'speed' || this.views.some(({ contacts, frame }) => contacts && frame?.contacts);
    this.legend.hidden = !shown;
    this.what.textContent = this.colouring === 'speed' ? 'speed' : 'depth';
    this.highest.textContent = this.colouring === 'speed' ? `${format(this.speed, 3)} m/s` : `${format(this.depth, 3)} m`;
  }
}

function fastest(v: Float64Array | null, presence: Uint8Array): number {
  let most = 0;
  for (let b = 0; v && b < presence.length; b++) if (presence[b] > 0) most = Math.max(most, Math.hypot(v[6 * b], v[6 * b + 1], v[6 * b + 2]) || 0);
  return most;
}
