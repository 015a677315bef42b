/** The numbers of what is picked, in each run: of a body, its joints and its contacts, of a joint, or of a contact. Also the way to pick without a pointer. */
import { ASLEEP, CONTACT_NORMAL_CHOSEN, CONTACT_WITNESS, contactId, FEATURE_NAMES, REMOVED, type ContactTable, type Frame, type Run } from '../run/run';
import { button, checkBox, format, formatVector, h } from '../ui/dom';
import { jointName, jointRows } from '../ui/joints';
import { throttled } from '../ui/throttle';
import { contactAt, type Selection } from './selection';
import type { RunView } from './view';

/** Contacts of a body that are listed; there may be hundreds. */
const LISTED = 100;

/** The largest number of names to choose from. */
const SUGGESTED = 500;

type Row = [name: string, value: string];

export class Inspector {
  private readonly input: HTMLInputElement;
  private readonly names = h('datalist', { id: 'bodies' });
  private readonly numbers = h('div', { class: 'picked' });
  private readonly list = h('ul', { class: 'contacts' });
  private readonly jointList = h('ul', { class: 'contacts joints' });
  private readonly jointHeading = h('h2', {}, 'Joints of it');
  private readonly heading = h('h2', {}, 'Contacts of it');
  private readonly more = h('p', { class: 'hint' });
  private readonly hint = h('p', { class: 'hint' }, 'Click a body, a joint or a contact in the picture, or choose a body here.');
  private readonly clear = button('Clear', () => this.selection.set(null), 'Escape');
  private readonly rows: { item: HTMLElement; press: HTMLButtonElement; row: number; table: ContactTable | null }[] = [];
  private pending = 0;
  /** the camera goes along with the body */
  follows = false;

  constructor(host: HTMLElement, private readonly views: RunView[], private readonly selection: Selection, isPlaying: () => boolean) {
    this.input = h('input', { type: 'text', list: 'bodies', autocomplete: 'off', spellcheck: 'false', placeholder: 'Name of a body', oninput: () => this.suggest(), onchange: () => this.choose() });
    this.suggest();
    host.append(
      h('div', { class: 'row search' }, h('label', { class: 'grow' }, h('span', { class: 'unseen' }, 'Body'), this.input), this.clear),
      this.names,
      checkBox('The camera goes along with it', false, (on) => (this.follows = on)),
      this.hint, this.numbers, this.jointHeading, this.jointList, this.heading, this.list, this.more);
    selection.onChange(() => {
      for (const view of views) view.redraw();
      this.update();
    });
    // People do not read numbers sixty times a second.
    const soon = throttled(120, () => this.update());
    for (const view of views) {
      view.onFrame(() => {
        if (isPlaying()) soon();
        else this.pending ||= requestAnimationFrame(() => this.update());
      });
    }
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && selection.current) selection.set(null);
    });
    this.update();
  }

  /** Names to choose from: of many bodies, the first ones with the text that has been typed. */
  private suggest(): void {
    const text = this.input.value.trim(), { bodies } = this.views[0].run, found: HTMLOptionElement[] = [];
    for (let i = 0; i < bodies.length && found.length < SUGGESTED; i++) {
      if (bodies.length <= SUGGESTED || bodies[i].name.includes(text)) found.push(h('option', { value: bodies[i].name }));
    }
    this.names.replaceChildren(...found);
  }

  private choose(): void {
    const name = this.input.value.trim();
    const body = this.views[0].run.bodies.findIndex((other) => other.name === name);
    this.input.setCustomValidity(name && body < 0 ? 'There is no body of that name.' : '');
    this.input.reportValidity();
    if (body >= 0) this.selection.set({ run: 0, body, contact: null });
    else if (!name) this.selection.set(null);
  }

  private update(): void {
    cancelAnimationFrame(this.pending);
    this.pending = 0;
    const { current } = this.selection;
    this.hint.hidden = current !== null;
    this.clear.disabled = !current;
    this.numbers.hidden = this.heading.hidden = this.list.hidden = this.jointHeading.hidden = this.jointList.hidden = !current;
    this.more.textContent = '';
    if (!current) {
      if (document.activeElement !== this.input) this.input.value = '';
      return;
    }
    if (document.activeElement !== this.input) this.input.value = this.views[current.run].run.bodies[current.body].name;
    const columns = this.views.map((view, i) => ({ view, body: this.selection.bodyIn(i), row: this.selection.contactIn(i, view.frame?.contacts ?? null) }));
    const ofBody = columns.map(({ view, body }) => bodyRows(view.run, view.frame, body));
    const tables = [this.table(`Body`, ofBody)];
    if (current.contact) {
      const { a, b } = current.contact, names = [a, b].map((body) => this.views[current.run].run.bodies[body].name);
      tables.unshift(this.table(`Contact of ${names[0]} (A) with ${names[1]} (B)`, columns.map(({ view, row }) => contactRows(view.run, view.frame, row)),
        'Not in this frame.'));
    }
    const joint = this.selection.jointIn(current.run);
    if (joint >= 0) {
      const rows = columns.map(({ view }, i) => jointRows(view.run, view.frame, this.selection.jointIn(i)));
      tables.unshift(this.table('Joint', rows, 'This run has no such joint.'));
    }
    this.numbers.replaceChildren(...tables);
    this.listJoints(columns[current.run].body, this.views[current.run].run, joint);
    this.listContacts(columns[current.run].body, this.views[current.run]);
  }

  /** A column for each run. */
  private table(title: string, columns: Row[][], none = 'This run has no such body.'): HTMLElement {
    const names = columns.find((rows) => rows.length > 0)?.map(([name]) => name) ?? [];
    if (this.views.length === 1) {
      return h('section', {}, h('h2', {}, title), names.length === 0 ? h('p', { class: 'hint' }, none)
        : h('dl', { class: 'numbers' }, ...columns[0].flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])));
    }
    return h('section', {}, h('h2', {}, title), h('table', { class: 'both' },
      h('thead', {}, h('tr', {}, h('td', {}), ...this.views.map(({ run }) => h('th', { scope: 'col' }, run.name)))),
      h('tbody', {}, ...names.map((name, i) => h('tr', {}, h('th', { scope: 'row' }, name), ...columns.map((rows) => h('td', {}, rows[i]?.[1] ?? '–'))))),
    ), names.length === 0 && h('p', { class: 'hint' }, none));
  }

  /** The joints of a body do not change, so they are listed when another body, or another joint, is picked. */
  private listJoints(body: number, run: Run, chosen: number): void {
    const own = (run.joints ?? []).flatMap(({ a, b }, index) => (a === body || b === body ? [index] : []));
    const key = [body, chosen, ...own].join();
    this.jointHeading.hidden = this.jointList.hidden = own.length === 0;
    if (this.jointList.dataset['key'] === key) return;
    this.jointList.dataset['key'] = key;
    this.jointHeading.textContent = own.length === 1 ? '1 joint of it' : `${own.length} joints of it`;
    this.jointList.replaceChildren(...own.slice(0, LISTED).map((index) => {
      const press = button(jointName(run, index), () => this.selection.set({ run: this.selection.current?.run ?? 0, body, contact: null, joint: index }));
      press.setAttribute('aria-pressed', String(index === chosen));
      return h('li', {}, press);
    }));
  }

  /** Elements stay from frame to frame, so that one can be pressed while the run plays. */
  private listContacts(body: number, view: RunView): void {
    const table = view.frame?.contacts ?? null, own: number[] = [];
    for (let i = 0; table && i < table.count; i++) if (table.a[i] === body || table.b[i] === body) own.push(i);
    const chosen = this.selection.contactIn(view.number, table);
    this.heading.textContent = own.length === 1 ? '1 contact of it' : `${own.length} contacts of it`;
    this.heading.hidden = !view.run.hasContacts;
    own.slice(0, LISTED).forEach((row, i) => {
      const entry = (this.rows[i] ??= this.makeEntry(view.number));
      const other = table!.a[row] === body ? table!.b[row] : table!.a[row];
      entry.row = row;
      entry.table = table;
      entry.press.replaceChildren(h('span', {}, `with ${view.run.bodies[other].name}`), h('span', {}, `gap ${format(table!.gap[row], 3)} m`),
        h('span', {}, `${format(table!.normalForce[row], 3)} N`));
      entry.press.setAttribute('aria-pressed', String(row === chosen));
      if (!entry.item.isConnected) this.list.append(entry.item);
    });
    for (const entry of this.rows.slice(Math.min(own.length, LISTED))) entry.item.remove();
    if (own.length > LISTED) this.more.textContent = `The first ${LISTED} are listed.`;
  }

  private makeEntry(run: number): { item: HTMLElement; press: HTMLButtonElement; row: number; table: ContactTable | null } {
    const press = button('', () => {
      const body = this.selection.current?.body ?? -1;
      if (entry.table && body >= 0) this.selection.set({ run: this.selection.current?.run ?? run, body, contact: contactAt(entry.table, entry.row) });
    });
    const entry = { item: h('li', {}, press), press, row: -1, table: null as ContactTable | null };
    return entry;
  }
}

/** What a body is and does; nothing when the run has none. */
export function bodyRows(run: Run, frame: Frame | null, index: number): Row[] {
  if (index < 0 || !frame) return [];
  const body = run.bodies[index], presence = frame.presence[index], here = presence !== REMOVED;
  const v = frame.velocities, contacts = frame.contacts;
  let touching = 0;
  for (let i = 0; contacts && i < contacts.count; i++) if (contacts.a[i] === index || contacts.b[i] === index) touching++;
  const state = !here ? 'removed' : presence === ASLEEP ? (body.kind === 'dynamic' ? 'asleep' : 'at rest') : 'awake';
  const missing = '–';
  return [
    ['name', body.name],
    ['kind', `${body.kind}${body.sensor ? ' sensor' : ''}, ${run.shapes[body.shape].kind}`],
    ['state', body.sensor && here ? (frame.lit?.has(index) ? 'something is in it' : 'nothing is in it') : state],
    ['mass', body.kind === 'dynamic' ? `${format(body.mass)} kg` : missing],
    ['friction', format(body.friction)],
    ['restitution', format(body.restitution)],
    ['position', here ? `${formatVector(frame.poses, 7 * index)} m` : missing],
    ['quaternion', here ? formatVector(frame.poses, 7 * index + 3, 4) : missing],
    ...(v ? [
      ['velocity', here ? `${formatVector(v, 6 * index)} m/s` : missing],
      ['angular velocity', here ? `${formatVector(v, 6 * index + 3)} rad/s` : missing],
    ] as Row[] : []),
    ...(contacts ? [['contacts', String(touching)] as Row] : []),
  ];
}

/** What is known of a contact; nothing when it is not there. */
export function contactRows(run: Run, frame: Frame | null, row: number): Row[] {
  const c = frame?.contacts;
  if (!c || row < 0) return [];
  const feature = (kind: number, index: number, part: number, body: number) => {
    const compound = run.shapes[run.bodies[body].shape].kind === 'compound';
    return `${FEATURE_NAMES[kind] ?? `kind ${kind}`}${kind === 0 ? '' : ` ${index}`}${compound ? ` of part ${part}` : ''}`;
  };
  const flags = [c.flags[row] & CONTACT_NORMAL_CHOSEN && 'normal chosen', c.flags[row] & CONTACT_WITNESS && 'witness'].filter(Boolean).join(', ');
  return [
    ['gap', `${format(c.gap[row])} m`],
    ['normal', formatVector(c.normal, 3 * row)],
    ['point of A', `${formatVector(c.onA, 3 * row)} m`],
    ['point of B', `${formatVector(c.onB, 3 * row)} m`],
    ['feature of A', feature(c.kindA[row], c.indexA[row], c.partA[row], c.a[row])],
    ['feature of B', feature(c.kindB[row], c.indexB[row], c.partB[row], c.b[row])],
    ['area', `${format(c.area[row])} m²`],
    ['normal force', `${format(c.normalForce[row])} N`],
    ['friction', `${formatVector(c.friction, 3 * row)} N`],
    ['patch', String(c.patch[row])],
    ['flags', flags || 'none'],
    ['id', contactId(c, row)],
  ];
}
