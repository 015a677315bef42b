/** The form's own controls: they show what the state has, also after something else has changed it. */
import { h } from '../ui/dom';

/** A control, and what brings it up to date. */
export interface Control { element: HTMLElement; update(): void }

/** A field that is being typed into is left alone. */
const isBusy = (element: HTMLElement) => document.activeElement === element && element.matches(':focus');

const shown = (value: number, digits = 9) => String(Number(value.toPrecision(digits)) + 0);

export interface NumberSettings { least?: number; most?: number; step?: number; whole?: boolean; above?: boolean; digits?: number }

export function numberControl(label: string, get: () => number, set: (value: number) => void, settings: NumberSettings = {}): Control {
  const input = h('input', { type: 'number', step: 'any', inputmode: 'decimal', min: settings.least, max: settings.most });
  const take = () => {
    const value = input.valueAsNumber;
    const right = Number.isFinite(value) && (settings.least === undefined || value >= settings.least) && (settings.most === undefined || value <= settings.most)
      && (!settings.whole || Number.isInteger(value)) && (!settings.above || value > 0);
    input.setAttribute('aria-invalid', String(!right));
    if (right && value !== get()) set(value);
  };
  input.addEventListener('input', take);
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    const step = (settings.step ?? 0.1) * (event.shiftKey ? 10 : 1) * (event.key === 'ArrowUp' ? 1 : -1);
    const value = Math.min(Math.max(get() + step, settings.least ?? -Infinity), settings.most ?? Infinity);
    if (settings.above && value <= 0) return;
    set(Number(value.toPrecision(12)));
    input.value = shown(get(), settings.digits);
  });
  input.addEventListener('blur', () => update());
  const update = () => {
    if (isBusy(input)) return;
    input.value = shown(get(), settings.digits);
    input.removeAttribute('aria-invalid');
  };
  return { element: h('label', { class: 'number' }, h('span', {}, label), input), update };
}

export function choiceControl(label: string, options: readonly (readonly [string, string])[], get: () => string, set: (value: string) => void): Control {
  const select = h('select', { onchange: () => set(select.value) }, ...options.map(([value, text]) => h('option', { value }, text)));
  return { element: h('label', { class: 'field' }, h('span', {}, label), select), update: () => (select.value = get()) };
}

export function checkControl(label: string, get: () => boolean, set: (value: boolean) => void): Control {
  const input = h('input', { type: 'checkbox', onchange: () => set(input.checked) });
  return { element: h('label', { class: 'check' }, input, h('span', {}, label)), update: () => (input.checked = get()) };
}
