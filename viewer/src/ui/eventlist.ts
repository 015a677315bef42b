/** What happened, as a list that goes along with time: the latest above. Which kinds are told is chosen by boxes. */
import './eventlist.css';
import { EVENT_NAMES, type Cast, type RunEvent } from '../run/run';
import { button, checkBox, format, h } from './dom';

/** Kinds that are told or left out together, their colour, and whether they are told at first. */
const GROUPS: { label: string; kinds: number[]; mark: string; on: boolean }[] = [
  { label: 'Joints', kinds: [8], mark: '--event-joint', on: true },
  { label: 'Bonds', kinds: [9], mark: '--event-joint', on: true },
  { label: 'Sensors', kinds: [4, 5], mark: '--event-sensor', on: true },
  { label: 'Hits', kinds: [3], mark: '--event-hit', on: true },
  { label: 'Sleep', kinds: [6, 7], mark: '--event-sleep', on: true },
  { label: 'Touches', kinds: [0, 2], mark: '--event-touch', on: false },
];

const LISTED = 60;

export function eventText({ kind, a, b, joint, speed }: RunEvent, cast: Cast): string {
  const name = (body: number) => cast.bodies[body]?.name ?? 'removed';
  const who = b < 0 ? name(a) : `${name(a)}, ${name(b)}`;
  return `${EVENT_NAMES[kind]}${joint >= 0 ? ` (${cast.joints?.[joint]?.kind ?? joint})` : ''}: ${who}${speed > 0 ? `, ${format(speed, 3)} m/s` : ''}`;
}

export class EventList {
  readonly element: HTMLElement;
  private readonly list = h('ol', { class: 'events' });
  private readonly none = h('p', { class: 'hint' });
  private readonly entries: { item: HTMLElement; event: RunEvent | null; time: HTMLElement; text: HTMLElement }[] = [];
  private readonly on = new Set(GROUPS.filter((group) => group.on));
  private events: RunEvent[] = [];
  private told: RunEvent[] = [];
  private step = Infinity;
  private readonly handlers: (() => void)[] = [];

  /** press: an event was chosen. */
  constructor(private readonly cast: () => Cast, private readonly dt: () => number, private readonly press?: (event: RunEvent) => void) {
    const boxes = GROUPS.map((group) => {
      const box = checkBox(group.label, group.on, (on) => {
        if (on) this.on.add(group);
        else this.on.delete(group);
        this.choose();
      });
      box.append(h('span', { class: 'dot', style: `background: var(${group.mark})` }));
      return box;
    });
    this.element = h('div', {}, h('div', { class: 'event-kinds' }, ...boxes), this.none, this.list);
    this.choose();
  }

  /** Called when other events, or other kinds, are told. */
  onChoice(handler: () => void): void {
    this.handlers.push(handler);
  }

  /** Those that are told. */
  get chosen(): RunEvent[] {
    return this.told;
  }

  set(events: RunEvent[]): void {
    this.events = events;
    this.choose();
  }

  /** Goes to the moment after a step. */
  show(step: number): void {
    this.step = step;
    const end = firstAfter(this.told, step), first = Math.max(0, end - LISTED);
    for (let i = end - 1, row = 0; i >= first; i--, row++) {
      const entry = (this.entries[row] ??= this.makeEntry()), event = this.told[i];
      if (entry.event !== event) {
        entry.event = event;
        entry.time.textContent = `${format(event.step * this.dt(), 4)} s`;
        entry.text.textContent = eventText(event, this.cast());
        entry.item.style.setProperty('--mark', `var(${markOf(event.kind)})`);
      }
      entry.item.classList.toggle('now', event.step === step);
      if (!entry.item.isConnected) this.list.append(entry.item);
    }
    for (const entry of this.entries.slice(end - first)) entry.item.remove();
    this.none.textContent = end > 0 ? '' : this.told.length > 0 ? 'Nothing yet.' : 'Nothing of these kinds.';
    this.none.hidden = end > 0;
  }

  private choose(): void {
    const kinds = new Set([...this.on].flatMap((group) => group.kinds));
    this.told = this.events.filter((event) => kinds.has(event.kind));
    this.show(this.step);
    for (const handler of this.handlers) handler();
  }

  private makeEntry(): { item: HTMLElement; event: RunEvent | null; time: HTMLElement; text: HTMLElement } {
    const time = h('span', { class: 'when' }), text = h('span', {}), press = this.press;
    const inner = press ? button('', () => entry.event && press(entry.event)) : h('div', {});
    inner.append(time, text);
    const entry = { item: h('li', {}, inner), event: null as RunEvent | null, time, text };
    return entry;
  }
}

/** The variable of the colour of a kind. */
export function markOf(kind: number): string {
  return GROUPS.find((group) => group.kinds.includes(kind))?.mark ?? '--event-touch';
}

/** The first event of a later step. */
function firstAfter(events: RunEvent[], step: number): number {
  let low = 0, high = events.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (events[mid].step <= step) low = mid + 1;
    else high = mid;
  }
  return low;
}
