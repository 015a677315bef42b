/** Panels of which one is shown, with the keys that tabs have. */
import { h } from './dom';

export interface Tab { id: string; label: string; panel: HTMLElement }

export class Tabs {
  readonly element: HTMLElement;
  private readonly buttons: HTMLButtonElement[];
  private readonly handlers: ((id: string) => void)[] = [];
  current: string;

  constructor(private readonly tabs: Tab[], label: string) {
    this.current = tabs[0].id;
    this.buttons = tabs.map((tab) => h('button', {
      type: 'button', role: 'tab', id: `tab-${tab.id}`, 'aria-controls': `panel-${tab.id}`, onclick: () => this.show(tab.id),
    }, tab.label));
    for (const tab of tabs) {
      tab.panel.id = `panel-${tab.id}`;
      tab.panel.setAttribute('role', 'tabpanel');
      tab.panel.setAttribute('aria-labelledby', `tab-${tab.id}`);
    }
    const bar = h('div', { role: 'tablist', class: 'tabs', 'aria-label': label }, ...this.buttons);
    bar.addEventListener('keydown', (event) => {
      const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!way) return;
      const at = tabs.findIndex((tab) => tab.id === this.current), next = (at + way + tabs.length) % tabs.length;
      this.show(tabs[next].id);
      this.buttons[next].focus();
      event.preventDefault();
    });
    this.element = h('div', { class: 'tabbed' }, bar, ...tabs.map((tab) => tab.panel));
    this.show(this.current);
  }

  onShow(handler: (id: string) => void): void {
    this.handlers.push(handler);
  }

  show(id: string): void {
    this.current = id;
    this.tabs.forEach((tab, i) => {
      const chosen = tab.id === id;
      tab.panel.hidden = !chosen;
      this.buttons[i].setAttribute('aria-selected', String(chosen));
      this.buttons[i].tabIndex = chosen ? 0 : -1;
    });
    for (const handler of this.handlers) handler(id);
  }
}
