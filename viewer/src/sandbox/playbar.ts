/** The bar below the picture: run and pause, step, reset, speed, record; or, while a recording is shown, the way through it. */
import { Player } from '../ui/player';
import { button, choice, h } from '../ui/dom';
import { Timeline } from '../ui/timeline';

export interface PlayEvents {
  play(on: boolean): void;
  step(): void;
  reset(): void;
  speed(value: number): void;
  record(on: boolean): void;
  replay(on: boolean): void;
  seek(index: number): void;
  saveCsv(): void;
}

const SPEEDS: [string, string][] = [['0.1', '1/10'], ['0.25', '1/4'], ['0.5', '1/2'], ['1', '1 ×'], ['2', '2 ×'], ['4', '4 ×'], ['Infinity', 'fastest']];

export class PlayBar {
  private playing = false;
  private recording = false;
  private readonly playButton: HTMLButtonElement;
  private readonly recordButton: HTMLButtonElement;
  private readonly replayButton: HTMLButtonElement;
  private readonly time = h('span', { class: 'time' });
  private readonly stepText = h('span', { class: 'time more' });
  private readonly rate = h('span', { class: 'rate', id: 'rate' });
  private readonly slow = h('span', { class: 'rate bad' });
  private readonly live: HTMLElement;
  private readonly past: HTMLElement;
  private readonly way = h('div', { class: 'way' });
  private player: Player | null = null;

  constructor(host: HTMLElement, private readonly events: PlayEvents) {
    this.playButton = button('Run', () => events.play(!this.playing), 'Space');
    this.playButton.classList.add('main');
    this.playButton.id = 'play';
    const step = button('Step', () => events.step(), 'One step: full stop key');
    step.id = 'step';
    const reset = button('Reset', () => events.reset(), 'From the beginning: R');
    reset.id = 'reset';
    const speed = choice('Speed', SPEEDS, '1', (value) => events.speed(Number(value)));
    speed.classList.add('speed');
    this.recordButton = button('Record', () => events.record(!this.recording), 'Keep every step in memory, to go through it and to save it');
    this.recordButton.id = 'record';
    this.recordButton.setAttribute('aria-pressed', 'false');
    this.replayButton = button('Look back', () => events.replay(true), 'Go through the recording');
    this.replayButton.id = 'replay';
    this.replayButton.disabled = true;
    this.live = h('div', { class: 'row bar', role: 'group', 'aria-label': 'Simulation' }, this.playButton, step, reset, speed, this.recordButton, this.replayButton,
      h('span', { class: 'says' }, this.time, this.stepText, this.rate, this.slow));

    const back = button('Back to the sandbox', () => events.replay(false));
    back.id = 'back';
    const csv = button('Save table', () => events.saveCsv(), 'Poses and velocities as CSV, as abut export --table bodies writes them');
    csv.id = 'save-csv';
    this.past = h('div', { class: 'row bar', role: 'group', 'aria-label': 'Recording' }, this.way, csv, back);
    this.past.hidden = true;
    host.append(this.live, this.past);
  }

  setPlaying(on: boolean): void {
    if (on === this.playing) return;
    this.playing = on;
    this.playButton.textContent = on ? 'Pause' : 'Run';
  }

  setRecording(on: boolean, text: string, frames: number): void {
    this.recording = on;
    this.recordButton.setAttribute('aria-pressed', String(on));
    if (this.recordButton.textContent !== text) this.recordButton.textContent = text;
    this.replayButton.disabled = frames === 0;
  }

  /** slow: by how much the machine does not keep up, or nothing. */
  show(time: string, step: string, rate: string, slow: string): void {
    this.time.textContent = time;
    this.stepText.textContent = step;
    this.rate.textContent = rate;
    this.slow.textContent = slow;
  }

  /** Go through a recording whose frames have these times. */
  lookBack(times: Float64Array): void {
    this.live.hidden = true;
    this.past.hidden = false;
    if (this.player) {
      this.player.setTimes(times);
    } else {
      this.player = new Player(times);
      new Timeline(this.way, this.player, { speeds: [1 / 8, 1 / 4, 1 / 2, 1, 2, 4] });
      this.player.on('time', () => this.player && this.events.seek(this.player.index));
    }
    this.player.seekIndex(0);
    this.way.querySelector('input')?.focus();
  }

  lookAhead(): void {
    this.player?.pause();
    this.live.hidden = false;
    this.past.hidden = true;
  }
}
