/**
 * The bar below the picture: play and pause, steps from frame to frame, a slider over all frames, speed, repetition, and the time in words. Space plays and
 * pauses wherever nothing else has a use for it; comma and full stop step; Home and End are the slider's own.
 */
import './timeline.css';
import type { Player } from './player';
import { button, format, h } from './dom';

export interface TimelineOptions {
  speeds: number[];
  /** what is said of the moment: the step, for example */
  describe?: () => string;
}

/** Places in the bar that marks can have. */
const MARKS = 1000;

export class Timeline {
  private readonly play: HTMLButtonElement;
  private readonly slider: HTMLInputElement;
  private readonly readout: HTMLOutputElement;
  private readonly speed: HTMLSelectElement;
  private readonly repeat: HTMLButtonElement;
  private readonly digits: () => number;
  private readonly marks = document.createElementNS('http://www.w3.org/2000/svg', 'svg');

  constructor(private readonly host: HTMLElement, private readonly player: Player, private readonly options: TimelineOptions) {
    const icon = (path: string) => {
      const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
      svg.setAttribute('viewBox', '0 0 16 16');
      svg.setAttribute('aria-hidden', 'true');
      svg.innerHTML = `<path d="${path}"/>`;
      return svg;
    };
    const iconButton = (label: string, path: string, press: () => void, keys?: string) => {
      const made = button('', press, keys ? `${label} (${keys})` : label);
      made.setAttribute('aria-label', label);
      made.classList.add('icon');
      made.append(icon(path));
      return made;
    };
    this.play = iconButton('Play', '', () => player.toggle(), 'space');
    this.play.classList.add('main');
    this.slider = h('input', {
      type: 'range', class: 'time', min: 0, max: Math.max(player.count - 1, 1), step: 1, value: 0, 'aria-label': 'Frame',
      oninput: () => player.seekIndex(Number(this.slider.value)),
    });
    this.marks.setAttribute('viewBox', `0 0 ${MARKS} 1`);
    this.marks.setAttribute('preserveAspectRatio', 'none');
    this.marks.setAttribute('aria-hidden', 'true');
    this.readout = h('output', { class: 'readout' });
    this.speed = h('select', { 'aria-label': 'Speed', title: 'Speed', onchange: () => player.setSpeed(Number(this.speed.value)) },
      ...options.speeds.map((speed) => h('option', { value: speed, selected: speed === player.speed }, speedText(speed))));
    this.repeat = iconButton('Repeat', 'M3 7V6a2 2 0 0 1 2-2h6V2l3 3-3 3V6H5v1zm10 2v1a2 2 0 0 1-2 2H5v2l-3-3 3-3v2h6V9z', () => player.setLoop(!player.loop));
    host.classList.add('timeline');
    host.replaceChildren(
      h('div', { class: 'transport' },
        iconButton('Frame before', 'M3 3h2v10H3zM13 3v10L6 8z', () => player.step(-1), ','), this.play,
        iconButton('Next frame', 'M11 3h2v10h-2zM3 3l7 5-7 5z', () => player.step(1), '.')),
      h('div', { class: 'track' }, this.marks as unknown as HTMLElement, this.slider), this.readout, h('div', { class: 'transport' }, this.speed, this.repeat));
    this.digits = () => Math.min(Math.max(Math.ceil(-Math.log10(Math.max((player.end - player.start) / Math.max(player.count - 1, 1), 1e-12))) + 1, 0), 9);
    document.addEventListener('keydown', (event) => this.onKey(event));
    player.on('time', () => this.showTime());
    player.on('state', () => this.showState());
    this.showState();
    this.showTime();
  }

  /** Marks frames: groups of one colour, each a list of indices. Those that fall on one place are one mark. */
  mark(groups: { colour: string; frames: number[] }[]): void {
    const last = Math.max(this.player.count - 1, 1);
    this.marks.replaceChildren(...groups.map(({ colour, frames }) => {
      const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
      path.setAttribute('d', [...new Set(frames.map((frame) => Math.round((MARKS * frame) / last)))].map((x) => `M${x} 0V1`).join(''));
      path.style.stroke = colour;
      return path;
    }));
  }

  private showTime(): void {
    const { player } = this;
    const time = `${player.time.toFixed(this.digits())} s`;
    const rest = this.options.describe?.();
    this.slider.value = String(player.index);
    this.slider.style.setProperty('--done', `${(100 * player.index) / Math.max(player.count - 1, 1)}%`);
    this.slider.setAttribute('aria-valuetext', `${time}, frame ${player.index} of ${player.count - 1}`);
    this.readout.replaceChildren(h('strong', {}, time), h('span', {}, rest ?? `frame ${player.index} of ${player.count - 1}`));
  }

  private showState(): void {
    const { player } = this, label = player.playing ? 'Pause' : 'Play';
    this.slider.max = String(Math.max(player.count - 1, 1));
    this.slider.disabled = player.count < 2;
    this.play.disabled = player.count < 2;
    this.play.setAttribute('aria-label', label);
    this.play.title = `${label} (space)`;
    this.play.querySelector('path')?.setAttribute('d', player.playing ? 'M4 2h3v12H4zM9 2h3v12H9z' : 'M4 2l10 6-10 6z');
    this.repeat.setAttribute('aria-pressed', String(player.loop));
    this.speed.value = String(player.speed);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (this.host.closest('[hidden]')) return;
    const target = event.target as HTMLElement;
    if (target.closest('textarea, select, [contenteditable]') || (target instanceof HTMLInputElement && !['range', 'checkbox'].includes(target.type))) return;
    if (event.key === ' ') {
      if (target.closest('button, summary, input[type="checkbox"], a, [role="tab"]')) return;
      this.player.toggle();
    } else if (event.key === ',' || event.key === '.') {
      this.player.step(event.key === ',' ? -1 : 1);
    } else if (target === this.slider && ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'].includes(event.key)) {
      this.player.pause(); // and the slider moves
      return;
    } else {
      return;
    }
    event.preventDefault();
  }
}

/** "1/8 x", "2 x", "1e-4 x" */
export function speedText(speed: number): string {
  const inverse = 1 / speed;
  return speed < 1 && Math.abs(inverse - Math.round(inverse)) < 1e-6 && inverse < 1000 ? `1/${Math.round(inverse)} ×` : `${format(speed, 3)} ×`;
}
