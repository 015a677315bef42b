/** Elements in one expression, and the few controls that all pages share. */

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | EventListener | undefined>;

/** An element: attributes, listeners (names that begin with "on"), and children. An attribute that is false or undefined is left out. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
  return element;
}

/** The element of the page with that id; the page is wrong without it. */
export function need<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element '${id}'`);
  return found as T;
}

/** A labelled check box. */
export function checkBox(label: string, checked: boolean, change: (checked: boolean) => void): HTMLLabelElement {
  const input = h('input', { type: 'checkbox', checked, onchange: () => change(input.checked) });
  return h('label', { class: 'check' }, input, h('span', {}, label));
}

/** A labelled choice. */
export function choice(label: string, options: [value: string, text: string][], value: string, change: (value: string) => void): HTMLLabelElement {
  const select = h('select', { onchange: () => change(select.value) }, ...options.map(([v, text]) => h('option', { value: v, selected: v === value }, text)));
  return h('label', { class: 'field' }, h('span', {}, label), select);
}

/** A labelled slider. */
export function slider(
  label: string, range: { min: number; max: number; step: number }, value: number, change: (value: number) => void,
): HTMLLabelElement {
  const input = h('input', { type: 'range', ...range, value, oninput: () => change(Number(input.value)) });
  return h('label', { class: 'field' }, h('span', {}, label), input);
}

export function button(label: string, press: () => void, title?: string): HTMLButtonElement {
  return h('button', { type: 'button', title, onclick: press }, label);
}

/** A number for people: six digits, no more zeros than needed. */
export function format(value: number, digits = 6): string {
  if (!Number.isFinite(value)) return String(value);
  const text = Number(value.toPrecision(digits));
  const size = Math.abs(text);
  return size !== 0 && (size < 1e-4 || size >= 1e7) ? text.toExponential().replace('e+', 'e') : String(text);
}

export function formatVector(values: ArrayLike<number>, at = 0, width = 3, digits = 5): string {
  return Array.from({ length: width }, (_, k) => format(values[at + k], digits)).join('  ');
}
