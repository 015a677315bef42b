/**
 * Plots over time, of one run or of two: each has a cursor at the time that is shown, goes there where it is clicked, and says its values at that time in
 * words, which are also the key to its curves. A second run's curves are dashed.
 */
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Run, StepTable } from '../run/run';
import { checkBox, format, h } from '../ui/dom';
import { AlignmentMeter, measureAlignment } from './alignment';
import { lastAt, type Player } from '../ui/player';
import { frameTimes } from './view';

interface Curve { label: string; time: ArrayLike<number>; values: ArrayLike<number> }

export interface Kind {
  id: string;
  title: string;
  unit: string;
  /** a logarithmic scale is of use */
  canBeLog: boolean;
  isLog?: boolean;
  /** shown from the beginning */
  shown: boolean;
}

/** Time series are columns of the table of steps with this beginning. */
const SERIES = 'series/';

/** Units of time series by what their names end in; docs/formats/scenes.md. */
const UNITS: [RegExp, string][] = [
  [/\.mass_rate$/, 'kg/s'], [/\.mass$/, 'kg'], [/\.force(_[xyz])?$/, 'N'], [/\.torque_[xyz]$/, 'N m'], [/\.(velocity_[xyz]|speed_limit)$/, 'm/s'], [/\.travel$/, 'm'],
  [/\.kinetic_energy$/, 'J'],
];

/** Series shown from the beginning, mass flows before others; the rest are chosen by name. */
const SHOWN_SERIES = 3;

/** The time series of the runs as plots, in the order of the first run that has them. */
export function seriesKinds(tables: StepTable[]): Kind[] {
  const names = [...new Set(tables.flatMap((table) => [...table.keys()].filter((name) => name.startsWith(SERIES))))];
  const moves = (name: string) => tables.some((table) => table.get(name)?.some((value, _, all) => value !== all[0]));
  const isFlow = (name: string) => name.endsWith('.mass_rate');
  const moving = names.filter(moves);
  const first = [...moving.filter(isFlow), ...moving.filter((name) => !isFlow(name))].slice(0, SHOWN_SERIES);
  return names.map((id) => {
    const title = id.slice(SERIES.length);
    return { id, title, unit: UNITS.find(([ending]) => ending.test(title))?.[1] ?? '', canBeLog: false, shown: first.includes(id) };
  });
}

const KINDS: Kind[] = [
  { id: 'energy', title: 'Energy', unit: 'J', canBeLog: false, shown: true },
  { id: 'penetration', title: 'Largest penetration', unit: 'm', canBeLog: true, shown: true },
  { id: 'alignment', title: 'Alignment error', unit: 'rad', canBeLog: true, shown: true },
  { id: 'contacts', title: 'Contacts', unit: '', canBeLog: false, shown: true },
  { id: 'events', title: 'Hits, repeats and misses', unit: '', canBeLog: false, shown: true },
  { id: 'seconds', title: 'Time per step', unit: 'ms', canBeLog: true, shown: true },
];

/** The curves of a plot that a run's table of steps has; none when it lacks the columns. */
export function curvesOf(id: string, steps: StepTable): Curve[] {
  const time = steps.get('time') ?? new Float64Array(0);
  const column = (label: string, name: string, change = (x: number) => x): Curve[] => {
    const values = steps.get(name);
    return values ? [{ label, time, values: values.map(change) }] : [];
  };
  const milliseconds = (x: number) => 1000 * x;
  switch (id) {
    case 'energy': {
      const from = steps.get('potential_energy')?.[0] ?? 0;
      const parts = [
        ...column('kinetic', 'kinetic_energy'), ...column('potential, change', 'potential_energy', (x) => x - from),
        ...column('springs', 'spring_energy'), ...column('elastic, of contacts', 'dem_elastic_energy'), ...column('springs of friction', 'dem_spring_energy'),
      ];
      const sum = new Float64Array(time.length);
      for (const { values } of parts) for (let i = 0; i < sum.length; i++) sum[i] += values[i];
      return parts.length > 1 ? [...parts, { label: 'sum', time, values: sum }] : parts;
    }
    case 'penetration': return column('largest', 'max_penetration');
    case 'contacts': return [...column('contacts', 'contacts'), ...column('touching pairs', 'touching'), ...column('candidate pairs', 'candidates')];
    case 'events': return [...column('hits', 'event_hits'), ...column('repeats', 'event_repeats'), ...column('misses', 'event_misses')];
    case 'seconds':
      return [
        ...column('broad', 'seconds_broad', milliseconds), ...column('narrow', 'seconds_narrow', milliseconds), ...column('solve', 'seconds_solve', milliseconds),
        ...column('whole step', 'seconds_total', milliseconds),
      ];
    default: return id.startsWith(SERIES) ? column(id.slice(id.lastIndexOf('.') + 1), id) : [];
  }
}

/** Curves as uPlot wants them: one list of times for all. */
export function alignedData(curves: Curve[]): uPlot.AlignedData {
  const same = curves.every(({ time }) => time === curves[0].time || (time.length === curves[0].time.length && allEqual(time, curves[0].time)));
  if (same) return [curves[0].time, ...curves.map(({ values }) => values)] as unknown as uPlot.AlignedData;
  return uPlot.join(curves.map(({ time, values }) => [time, values] as unknown as uPlot.AlignedData));
}

function allEqual(p: ArrayLike<number>, q: ArrayLike<number>): boolean {
  for (let i = 0; i < p.length; i++) if (p[i] !== q[i]) return false;
  return true;
}

const COLOURS = ['--curve-1', '--curve-2', '--curve-3', '--curve-4', '--curve-5', '--curve-6'];
const style = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const DASH = [5, 4];

/** A number on an axis, short. */
function tick(value: number): string {
  return value === 0 ? '0' : Math.abs(value) < 1e-3 || Math.abs(value) >= 1e5 ? value.toExponential(0).replace('e+', 'e') : String(Number(value.toPrecision(4)));
}

class Plot {
  readonly figure: HTMLElement;
  private readonly key: HTMLElement;
  private readonly area = h('div', { class: 'plot' });
  private readonly now = h('div', { class: 'now' });
  private readonly state = h('p', { class: 'hint', role: 'status', hidden: true });
  private readonly outputs: HTMLElement[] = [];
  private curves: { curve: Curve; run: number; colour: string }[] = [];
  private chart: uPlot | null = null;
  private isLog: boolean;

  constructor(private readonly kind: Kind, private readonly player: Player, private readonly runs: Run[]) {
    this.isLog = kind.isLog ?? false;
    this.key = h('dl', { class: 'key' });
    const log = kind.canBeLog && checkBox('log', this.isLog, (on) => {
      this.isLog = on;
      this.draw();
    });
    if (log) log.title = 'Logarithmic scale';
    this.figure = h('figure', { class: 'chart', 'data-plot': kind.id },
      h('figcaption', {}, h('h2', {}, kind.title, kind.unit && h('span', { class: 'unit' }, ` [${kind.unit}]`)), log), this.key, this.area, this.state);
  }

  /** Said instead of the curves; null for nothing. */
  say(text: string | null): void {
    this.state.textContent = text ?? '';
    this.state.hidden = text === null;
  }

  /** curves: of each run. */
  set(curves: Curve[][]): void {
    const labels = [...new Set(curves.flat().map(({ label }) => label))];
    this.curves = labels.flatMap((label, i) => curves.flatMap((own, run) =>
      own.filter((curve) => curve.label === label).map((curve) => ({ curve, run, colour: COLOURS[i % COLOURS.length] }))));
    this.outputs.length = 0;
    this.key.replaceChildren(...labels.map((label) => {
      const own = this.curves.filter(({ curve }) => curve.label === label);
      const alone = this.runs.length === 1 && own[0];
      return h('div', {}, h('dt', {}, alone && swatch(alone.colour, false), label), ...own.map(({ run, colour }) => {
        const output = h('span', {});
        this.outputs[this.curves.findIndex((other) => other.curve.label === label && other.run === run)] = output;
        return h('dd', { title: this.runs.length > 1 && this.runs[run].name }, !alone && swatch(colour, run > 0), output);
      }));
    }));
    this.draw();
    this.showTime();
  }

  /** Moves the cursor, without drawing the curves anew. */
  moveCursor(): void {
    if (!this.chart) return;
    this.now.style.transform = `translateX(${this.chart.valToPos(this.player.time, 'x')}px)`;
  }

  /** The values in words. */
  showTime(): void {
    this.moveCursor();
    this.curves.forEach(({ curve }, i) => {
      if (this.outputs[i]) this.outputs[i].textContent = curve.values.length > 0 ? format(curve.values[lastAt(curve.time, this.player.time)], 3) : '–';
    });
  }

  resize(): void {
    const width = this.area.clientWidth;
    // What came while the panel was out of sight was not drawn.
    if (!this.chart && width > 0) this.draw();
    else if (this.chart && width > 0 && width !== this.chart.width) this.chart.setSize({ width, height: this.chart.height });
    this.moveCursor();
  }

  dispose(): void {
    this.chart?.destroy();
    this.figure.remove();
  }

  recolour(): void {
    this.chart?.redraw(false);
  }

  private draw(): void {
    this.chart?.destroy();
    this.chart = null;
    const { curves } = this;
    if (curves.length === 0 || this.area.clientWidth === 0) return;
    const data = alignedData(curves.map(({ curve }) => curve));
    const positive = curves.some(({ curve }) => Array.prototype.some.call(curve.values, (value: number) => value > 0));
    const axis = { stroke: () => style('--faint'), font: '11px system-ui, sans-serif', ticks: { stroke: () => style('--line'), width: 1, size: 4 },
      grid: { stroke: () => style('--line'), width: 1 } };
    const isLog = this.isLog && positive, only = isLog ? { filter: decades } : {};
    this.chart = new uPlot({
      width: this.area.clientWidth, height: 112,
      legend: { show: false },
      cursor: { show: false },
      padding: [6, 14, 0, 0],
      scales: {
        x: { time: false },
        // Of a logarithmic scale what is 0 is no part.
        y: isLog ? { distr: 3, range: () => logRange(curves.map(({ curve }) => curve.values)) } : { range: (_, low, high) => rangeWithZero(low, high) },
      },
      axes: [
        { ...axis, size: 22, gap: 2, space: 60, values: (_, splits) => splits.map(tick) },
        { ...axis, size: 48, gap: 3, space: 24, ...only, ticks: { ...axis.ticks, ...only }, grid: { ...axis.grid, ...only }, values: (_, splits) => splits.map((split) => (split === null ? '' : tick(split))) },
      ],
      series: [{}, ...curves.map(({ run, colour, curve }): uPlot.Series => ({
        label: curve.label, stroke: () => style(colour), width: 1.5, spanGaps: true, points: { show: false }, ...(run > 0 ? { dash: DASH } : {}),
      }))],
    }, isLog ? data.map((column, i) => (i === 0 ? column : Array.from(column as ArrayLike<number>, (value) => (value > 0 ? value : null)))) as uPlot.AlignedData : data,
    this.area);
    this.describe();
    const { over } = this.chart;
    over.append(this.now);
    over.style.touchAction = 'pan-y';
    const seek = (event: PointerEvent) => {
      const left = event.clientX - over.getBoundingClientRect().left;
      if (this.chart) this.player.seek(this.chart.posToVal(left, 'x'));
    };
    over.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      over.setPointerCapture(event.pointerId);
      this.player.pause();
      seek(event);
    });
    over.addEventListener('pointermove', (event) => {
      if (over.hasPointerCapture(event.pointerId)) seek(event);
    });
    this.moveCursor();
  }

  /** The picture in words, for those who do not see it. */
  private describe(): void {
    const parts = this.curves.map(({ curve, run }) => {
      let low = Infinity, high = -Infinity;
      for (let i = 0; i < curve.values.length; i++) {
        if (curve.values[i] < low) low = curve.values[i];
        if (curve.values[i] > high) high = curve.values[i];
      }
      const name = this.runs.length > 1 ? `${curve.label} of ${this.runs[run].name}` : curve.label;
      return `${name}: ${format(low, 3)} to ${format(high, 3)}`;
    });
    this.area.setAttribute('role', 'img');
    this.area.setAttribute('aria-label', `${this.kind.title}${this.kind.unit && ` in ${this.kind.unit}`} over time. ${parts.join('; ')}.`);
  }
}

/** Zero is part of every linear scale, so that heights can be compared. */
function rangeWithZero(low: number | null, high: number | null): [number, number] {
  const from = Math.min(low ?? 0, 0), to = Math.max(high ?? 0, 0), margin = 0.06 * (to - from);
  return to > from ? [from < 0 ? from - margin : 0, to > 0 ? to + margin : 0] : [0, 1];
}

/** Of a logarithmic scale's marks those at powers of ten, and of many powers every second, or third. */
function decades(_: uPlot, marks: number[]): (number | null)[] {
  const every = Math.ceil(Math.log10(marks[marks.length - 1] / marks[0]) / 4);
  return marks.map((mark) => {
    const power = Math.log10(mark), whole = Math.round(power);
    return Math.abs(power - whole) < 1e-6 && whole % every === 0 ? mark : null;
  });
}

/** The range of what is positive, at most nine decades of it. */
function logRange(columns: ArrayLike<number>[]): [number, number] {
  let low = Infinity, high = 0;
  for (const values of columns) {
    for (let i = 0; i < values.length; i++) {
      if (values[i] > 0 && values[i] < low) low = values[i];
      if (values[i] > high) high = values[i];
    }
  }
  const top = Math.ceil(Math.log10(high) + 1e-9);
  return [10 ** Math.max(Math.floor(Math.log10(low)), top - 9), 10 ** top];
}

/** Boxes of the time series, and a field that leaves those whose names have its text. */
function chooser(series: Kind[], box: (kind: Kind) => HTMLElement): HTMLElement[] {
  const boxes = series.map(box);
  const empty = h('p', { class: 'hint', role: 'status', hidden: true }, 'No time series has this in its name.');
  const field = h('input', { type: 'search', 'aria-label': 'Part of a name', placeholder: 'Part of a name' });
  field.addEventListener('input', () => {
    const part = field.value.trim().toLowerCase();
    series.forEach(({ title }, i) => (boxes[i].hidden = !title.toLowerCase().includes(part)));
    empty.hidden = boxes.some((one) => !one.hidden);
  });
  return [field, ...boxes, empty];
}

function swatch(colour: string, dashed: boolean): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 18 6');
  svg.setAttribute('class', 'swatch');
  svg.setAttribute('aria-hidden', 'true');
  svg.innerHTML = `<path d="M0 3h18" stroke="var(${colour})" stroke-width="2.5"${dashed ? ' stroke-dasharray="4 3"' : ''}/>`;
  return svg;
}

export class Plots {
  private readonly plots = new Map<string, Plot>();
  private readonly list = h('div', { class: 'charts' });
  private readonly wanted = new Set<string>();
  private steps: StepTable[] | null = null;
  private aligned: Promise<(Curve[] | null)[]> | null = null;
  private lastWords = 0;
  private ended = false;

  constructor(private readonly host: HTMLElement, private readonly player: Player, private readonly runs: Run[]) {}

  /** Reads the tables and shows what is in them; once. */
  async start(): Promise<void> {
    if (this.steps) return;
    this.host.append(h('p', { class: 'hint', role: 'status' }, 'Reading the table of steps …'));
    try {
      this.steps = await Promise.all(this.runs.map((run) => run.steps()));
    } catch (error) {
      this.host.replaceChildren(h('p', { class: 'bad', role: 'alert' }, (error as Error).message));
      return;
    }
    const steps = this.steps;
    const possible = KINDS.filter(({ id }) => (id === 'alignment' ? this.runs.some((run) => new AlignmentMeter(run).applies)
      : steps.some((table) => curvesOf(id, table).length > 0)));
    const series = seriesKinds(steps);
    possible.push(...series);
    const box = (kind: Kind) => {
      if (kind.shown) this.wanted.add(kind.id);
      return checkBox(kind.title, kind.shown, (on) => {
        if (on) this.wanted.add(kind.id);
        else this.wanted.delete(kind.id);
        this.arrange(possible);
      });
    };
    const boxes = possible.filter((kind) => !series.includes(kind)).map(box);
    this.host.replaceChildren(
      this.runs.length > 1 ? h('p', { class: 'runs-key' }, ...this.runs.map((run, i) => h('span', {}, swatch('--ink', i > 0), run.name))) : '',
      this.list, h('details', {}, h('summary', {}, 'Choose plots'), ...boxes),
      series.length > 0 ? h('details', { class: 'series' }, h('summary', {}, 'Choose time series'), ...chooser(series, box)) : '');
    this.arrange(possible);
    new ResizeObserver(() => this.plots.forEach((plot) => plot.resize())).observe(this.list);
    window.addEventListener('abut-theme', () => this.plots.forEach((plot) => plot.recolour()));
    window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.plots.forEach((plot) => plot.recolour()));
    this.player.on('time', () => this.showTime());
    this.player.on('state', () => this.showTime());
  }

  /** No more work in the background. */
  dispose(): void {
    this.ended = true;
  }

  private showTime(): void {
    const now = performance.now(), inWords = !this.player.playing || now - this.lastWords > 100;
    if (inWords) this.lastWords = now;
    for (const plot of this.plots.values()) {
      if (inWords) plot.showTime();
      else plot.moveCursor();
    }
  }

  private arrange(possible: Kind[]): void {
    const fill: (() => void)[] = [];
    for (const kind of possible) {
      const known = this.plots.get(kind.id);
      if (!this.wanted.has(kind.id)) {
        known?.dispose();
        this.plots.delete(kind.id);
        continue;
      }
      const plot = known ?? new Plot(kind, this.player, this.runs);
      this.list.append(plot.figure); // behind those before it
      if (known) continue;
      this.plots.set(kind.id, plot);
      fill.push(() => {
        if (kind.id === 'alignment') void this.align(plot);
        else plot.set((this.steps ?? []).map((table) => curvesOf(kind.id, table)));
      });
    }
    // One after the other, so that the page goes on in between.
    const next = () => {
      fill.shift()?.();
      if (fill.length > 0) setTimeout(next);
    };
    next();
  }

  private async align(plot: Plot): Promise<void> {
    this.aligned ??= Promise.all(this.runs.map(async (run, i) => {
      const found = await measureAlignment(run, (share) => {
        this.plots.get('alignment')?.say(`${this.runs.length > 1 ? `Run ${i + 1}: ` : ''}${Math.round(100 * share)} % of the frames are measured …`);
        return !this.ended;
      });
      if (!found) return null;
      const time = frameTimes(run);
      return [{ label: 'worst', time, values: found.worst }, { label: 'mean', time, values: found.mean }];
    }));
    plot.say('Measured in the background …');
    try {
      const curves = await this.aligned;
      plot.say(null);
      if (curves.some((own) => own !== null)) plot.set(curves.map((own) => own ?? []));
    } catch (error) {
      plot.say((error as Error).message);
    }
  }
}
