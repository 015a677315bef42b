/** The bar below the picture: run and pause, step, reset, speed, record; or, while a recording is shown, the way through it. */
import { button, choice, h } from '../ui/dom';

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
  private readonly rate = h('span', { class: 'rate', id: 'rate' });
  private readonly live: HTMLElement;
  private readonly past: HTMLElement;
  private readonly scrub: HTMLInputElement;
  private readonly pastTime = h('span', { class: 'time' });
  private readonly pastPlay: HTMLButtonElement;

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
    this.live = h('div', { class: 'row bar', role: 'group', 'aria-label': 'Simulation' }, this.playButton, step, reset, speed, this.recordButton, this.replayButton, this.time, this.rate);

    this.pastPlay = button('Play', () => this.playPast());
    this.pastPlay.classList.add('main');
    this.scrub = h('input', { type: 'range', id: 'scrub', min: 0, max: 0, step: 1, value: 0, 'aria-label': 'Frame of the recording', oninput: () => {
      this.stopPast();
      events.seek(Number(this.scrub.value));
    } });
    const back = button('Back to the sandbox', () => events.replay(false));
    back.id = 'back';
    const csv = button('Save table', () => events.saveCsv(), 'Poses and velocities as CSV, as abut export --table bodies writes them');
    csv.id = 'save-csv';
    this.past = h('div', { class: 'row bar', role: 'group', 'aria-label': 'Recording' }, this.pastPlay, this.scrub, this.pastTime, csv, back);
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

  show(time: string, rate: string, slow: boolean): void {
    this.time.textContent = time;
    this.rate.textContent = rate;
    this.rate.classList.toggle('bad', slow);
  }

  // ---- a recording ----

  private timer = 0;
  private frames = 0;
  private timeOf: (index: number) => number = () => 0;

  lookBack(frames: number, timeOf: (index: number) => number): void {
    this.live.hidden = true;
    this.past.hidden = false;
    this.frames = frames;
    this.timeOf = timeOf;
    this.scrub.max = String(frames - 1);
    this.seek(0);
    this.scrub.focus();
  }

  lookAhead(): void {
    this.stopPast();
    this.live.hidden = false;
    this.past.hidden = true;
  }

  get past_(): boolean {
    return !this.past.hidden;
  }

  togglePast(): void {
    this.playPast();
  }

  private seek(index: number): void {
    this.scrub.value = String(index);
    this.showPast(index);
    this.events.seek(index);
  }

  showPast(index: number): void {
    const text = `${this.timeOf(index).toFixed(2)} s · ${index + 1} / ${this.frames}`;
    this.pastTime.textContent = text;
    this.scrub.setAttribute('aria-valuetext', text);
  }

  private playPast(): void {
    if (this.timer) {
      this.stopPast();
      return;
    }
    let index = Number(this.scrub.value) >= this.frames - 1 ? 0 : Number(this.scrub.value);
    const begin = performance.now(), from = this.timeOf(index);
    this.pastPlay.textContent = 'Pause';
    const go = () => {
      const now = from + (performance.now() - begin) / 1000;
      while (index + 1 < this.frames && this.timeOf(index + 1) <= now) index++;
      this.seek(index);
      if (index >= this.frames - 1) this.stopPast();
      else this.timer = requestAnimationFrame(go);
    };
    this.timer = requestAnimationFrame(go);
  }

  private stopPast(): void {
    cancelAnimationFrame(this.timer);
    this.timer = 0;
    this.pastPlay.textContent = 'Play';
  }
}
