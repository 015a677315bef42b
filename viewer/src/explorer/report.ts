/** The answer as numbers: what the command said, rounded for reading; all digits are in its JSON, which can be copied. */
import type { Vec3 } from '../run/run';
import { scaleGradient } from '../scene/palette';
import { format, formatVector, h } from '../ui/dom';
import type { Answered, CollideAnswer, Contact, DepthAnswer, Feature, Growth } from './question';
import type { CollideState, DepthState } from './state';

type Row = [name: string, value: string, title?: string];

const list = (rows: (Row | null)[]) => h('dl', { class: 'numbers' }, ...rows.filter((row): row is Row => row !== null).flatMap(([name, value, title]) =>
  [h('dt', { title }, name), h('dd', {}, value)]));

const vector = (v: Vec3) => formatVector(v.map((x) => (Math.abs(x) < 1e-12 ? 0 : x)));

const featureText = ({ kind, index, part }: Feature, parts: boolean) => `${kind} ${index}${parts ? ` of ${part}` : ''}`;

export interface ReportActions { select(contact: number): void; selected: number }

const counted = (count: number, one: string, more = `${one}s`) => `${count} ${count === 1 ? one : more}`;

/** One line about the answer. */
export function summary({ answer, problem }: Answered<CollideAnswer>, state: CollideState): string {
  if (!answer) return problem ?? '';
  if (answer.contacts.length === 0) return `Apart: no contact${state.settings.margin > 0 ? ' within the margin' : ''}`;
  const least = Math.min(...answer.contacts.map(({ gap }) => gap));
  return `${counted(answer.contacts.length, 'contact')} in ${counted(answer.patches.length, 'patch', 'patches')}, least gap ${format(least)}`;
}

function growthPart(growth: Growth | null): HTMLElement {
  if (!growth) return h('section', {}, h('h2', {}, 'Growth distance'), h('p', { class: 'hint' }, 'Of two bounded convex shapes only.'));
  const meaning = growth.alpha < 1 ? 'they overlap' : growth.alpha > 1 ? 'they are apart' : 'they touch';
  return h('section', {}, h('h2', {}, 'Growth distance'), list([
    ['alpha', `${format(growth.alpha, 9)} (${meaning})`, 'The factor by which both must grow about their contraction points until they touch'],
    ['gap', format(growth.gap), 'Separation along its normal'],
    ['normal', vector(growth.normal)],
    ['iterations', String(growth.iterations), 'Support evaluations; of round and smooth bodies pairs of closest points'],
    ['exact', growth.exact ? `yes, within ${format(Math.max(growth.alpha - growth.alpha_lower, 0), 2)}` : 'no: the iteration limit was reached'],
    growth.normal_chosen ? ['note', 'the normal was chosen among equals'] : null,
  ]));
}

function contactRow(contact: Contact, i: number, parts: [boolean, boolean], areas: boolean, actions: ReportActions): HTMLTableRowElement {
  const flags = [contact.witness ? 'witness' : '', contact.normal_chosen ? 'normal chosen' : ''].filter(Boolean).join(', ');
  const row = h('tr', { 'data-contact': i, class: i === actions.selected ? 'selected' : '' },
    h('td', {}, h('button', { type: 'button', class: 'index', 'aria-pressed': String(i === actions.selected), 'aria-label': `Contact ${i + 1}`, onclick: () => actions.select(i === actions.selected ? -1 : i) }, String(i + 1))),
    h('td', { class: 'real' }, format(contact.gap, 4)), h('td', {}, featureText(contact.feature_a, parts[0])), h('td', {}, featureText(contact.feature_b, parts[1])),
    areas ? h('td', { class: 'real' }, format(contact.area, 3)) : null);
  if (flags) row.title = flags;
  return row;
}

export function contactNumbers(contact: Contact): Row[] {
  return [
    ['gap', format(contact.gap, 12)], ['area', format(contact.area, 9)], ['on A', vector(contact.on_a)], ['on B', vector(contact.on_b)],
    ['normal', vector(contact.normal)], ['id', contact.id, 'Survives motion and the exchange of A and B'],
    ['of A', `${contact.feature_a.kind} ${contact.feature_a.index}`], ['of B', `${contact.feature_b.kind} ${contact.feature_b.index}`],
    ...(contact.witness ? [['note', 'a witness: the features do not overlap seen along the normal'] as Row] : []),
    ...(contact.normal_chosen ? [['note', 'its normal was chosen among equals'] as Row] : []),
  ];
}

const MOST_ROWS = 200;

function contactsPart(answer: CollideAnswer, actions: ReportActions): HTMLElement {
  const parts: [boolean, boolean] = [answer.a.kind === 'compound', answer.b.kind === 'compound' || (answer.meshes?.length ?? 0) > 1];
  const areas = answer.contacts.some(({ area }) => area > 0);
  const deepest = Math.max(0, ...answer.contacts.map(({ gap }) => -gap)), chosen = answer.contacts[actions.selected];
  return h('section', {}, h('h2', {}, 'Contacts'),
    h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Table of contacts' }, h('table', {},
      h('thead', {}, h('tr', {}, h('th', {}, '#'), h('th', {}, 'gap'), h('th', {}, 'of A'), h('th', {}, 'of B'), areas ? h('th', {}, 'area') : null)),
      h('tbody', {}, ...answer.contacts.slice(0, MOST_ROWS).map((contact, i) => contactRow(contact, i, parts, areas, actions))))),
    answer.contacts.length > MOST_ROWS ? h('p', { class: 'hint' }, `and ${answer.contacts.length - MOST_ROWS} more, in the JSON`) : null,
    chosen ? list([['contact', String(actions.selected + 1)], ...contactNumbers(chosen)]) : null,
    deepest > 0 ? h('div', { class: 'scale' }, h('span', {}, 'depth 0'), h('span', { class: 'legend', style: `background:${scaleGradient()}` }), h('span', {}, format(deepest, 3))) : null);
}

function patchesPart(answer: CollideAnswer): HTMLElement {
  return h('section', {}, h('h2', {}, answer.patches.length === 1 ? 'Patch' : `Patches (${answer.patches.length})`), ...answer.patches.slice(0, 12).map((patch) => {
    const before = patch.support_area_before, after = patch.support_area_after;
    return list([
      answer.patches.length > 1 ? ['patch', String(answer.contacts[patch.first].patch)] : null,
      ['normal', vector(patch.normal), 'From B into A'],
      ['area', format(patch.area, 9)],
      before !== undefined && after !== undefined
        ? ['kept', `${patch.count} of ${patch.found}; support area ${format(after, 5)} of ${format(before, 5)}${before > 0 ? `: ${format(100 * (1 - after / before), 3)} % lost` : ''}`] : null,
    ]);
  }));
}

/** Many patches come last: those of rounded triangles have one contact each. */
function parts(answer: CollideAnswer, actions: ReportActions): HTMLElement[] {
  if (answer.contacts.length === 0) return [growthPart(answer.growth)];
  const patches = patchesPart(answer), contacts = contactsPart(answer, actions), growth = growthPart(answer.growth);
  return answer.patches.length > 2 ? [contacts, growth, patches] : [patches, contacts, growth];
}

export function reportCollide(host: HTMLElement, answered: Answered<CollideAnswer>, state: CollideState, actions: ReportActions): void {
  const { answer, problem } = answered;
  // Which row had the focus, so that it does not go astray when the table is made anew.
  const focused = document.activeElement?.closest('tr')?.getAttribute('data-contact');
  host.replaceChildren(
    h('p', { class: problem ? 'status bad' : 'status', id: 'status' }, summary(answered, state)),
    ...(answer ? parts(answer, actions) : []));
  if (focused) host.querySelector<HTMLButtonElement>(`tr[data-contact="${focused}"] button`)?.focus();
}

const DIRECTIONS: Record<string, (a: number, b: number) => string> = {
  face_a: (a) => `face ${a} of A`, face_b: (_, b) => `face ${b} of B`, edges: (a, b) => `edge ${a} of A and edge ${b} of B`, plane: () => 'a plane', search: () => 'a search',
};

export function reportDepth(host: HTMLElement, { answer, problem }: Answered<DepthAnswer>, state: DepthState): void {
  const pair = answer?.pairs[0];
  const said = problem ?? pair?.problem ?? null;
  if (!pair || said) {
    host.replaceChildren(h('p', { class: 'status bad', id: 'status' }, said ?? 'no answer'));
    return;
  }
  const direction = (d: { direction: string; feature_a: number; feature_b: number }) => DIRECTIONS[d.direction]?.(d.feature_a, d.feature_b) ?? d.direction;
  const words = pair.relation === 'intersecting' ? `They intersect: depth ${format(pair.depth)}` : pair.relation === 'touching' ? 'They touch' : 'They are apart';
  host.replaceChildren(
    h('p', { class: 'status', id: 'status' }, words),
    h('section', {}, h('h2', {}, 'Deformable depth'), list([
      ['depth', format(pair.depth, 9), 'The least root mean square displacement that brings them to either side of a plane'],
      ['of rigid depth', pair.rigid.depth > 0 ? `${format((100 * pair.depth) / pair.rigid.depth, 5)} %` : 'none'],
      ['sigma of A', format(pair.sigma_a), 'Mean square displacement of its points'], ['sigma of B', format(pair.sigma_b)],
      ['weights', `${state.weightA}, ${state.weightB}`],
      ['normal', vector(pair.normal), 'From B into A'], ['offset', format(pair.offset)],
      ['direction of', direction(pair)], ['certified', pair.certified ? 'yes: the least of all normals' : 'no'],
    ])),
    h('section', {}, h('h2', {}, 'Rigid depth'), list([
      ['depth', format(pair.rigid.depth, 9), 'The least translation that separates them'], ['normal', vector(pair.rigid.normal)], ['direction of', direction(pair.rigid)],
    ])),
    h('section', {}, h('h2', {}, 'How far corners move'), h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Table of displacements' }, h('table', {},
      h('thead', {}, h('tr', {}, h('th', {}, 'corner'), h('th', {}, 'x'), h('th', {}, 'y'), h('th', {}, 'z'))),
      h('tbody', {}, ...[...pair.displacement_a, ...pair.displacement_b].map((d, i) => h('tr', {}, h('td', {}, `${i % 4} of ${i < 4 ? 'A' : 'B'}`),
        ...d.map((x) => h('td', { class: 'real' }, format(x, 4)))))))),
    ));
}
