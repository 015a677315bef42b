/**
 * The time that is shown: plays, pauses, steps from frame to frame, goes faster or slower, begins again at the end. It knows the times of the frames and
 * nothing else; with several runs they are the times of all of them.
 */

export type PlayerEvent = 'time' | 'state';

export class Player {
  /** Index of the frame that is shown: the last one whose time has come. */
  index = 0;
  time: number;
  playing = false;
  speed = 1;
  loop = false;
  /** false: what is to be shown is not at hand yet, so time waits for it */
  isReady: () => boolean = () => true;
  private readonly handlers: Record<PlayerEvent, (() => void)[]> = { time: [], state: [] };
  private ticking = false;
  private lastTick = 0;

  /** times: ascending, at least one. */
  constructor(public times: ArrayLike<number>) {
    this.time = times[0];
  }

  get count(): number {
    return this.times.length;
  }

  get start(): number {
    return this.times[0];
  }

  get end(): number {
    return this.times[this.times.length - 1];
  }

  /** More frames, or others: a run that is still being made grows. */
  setTimes(times: ArrayLike<number>): void {
    this.times = times;
    this.seek(this.time);
    this.emit('state');
  }

  /** 'time': another moment is shown; 'state': playing, speed, loop or the frames have changed. */
  on(event: PlayerEvent, handler: () => void): void {
    this.handlers[event].push(handler);
  }

  play(): void {
    if (this.playing || this.count < 2) return;
    if (this.index === this.count - 1) this.seekIndex(0);
    this.playing = true;
    this.lastTick = 0;
    this.emit('state');
    this.schedule();
  }

  pause(): void {
    if (!this.playing) return;
    this.playing = false;
    this.emit('state');
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.emit('state');
  }

  setLoop(loop: boolean): void {
    this.loop = loop;
    this.emit('state');
  }

  seek(time: number): void {
    this.time = Math.min(Math.max(time, this.start), this.end);
    this.index = lastAt(this.times, this.time);
    this.emit('time');
  }

  seekIndex(index: number): void {
    this.index = Math.min(Math.max(Math.round(index), 0), this.count - 1);
    this.time = this.times[this.index];
    this.emit('time');
  }

  /** So many frames on, or back; playing ends. */
  step(frames: number): void {
    this.pause();
    this.seekIndex(this.index + frames);
  }

  /** So much of the clock has passed. */
  advance(seconds: number): void {
    if (!this.playing || !this.isReady()) return;
    const time = this.time + this.speed * seconds;
    if (time < this.end) {
      this.seek(time);
    } else if (this.loop) {
      const length = this.end - this.start;
      this.seek(length > 0 ? this.start + ((time - this.start) % length) : this.start);
    } else {
      this.seek(this.end);
      this.pause();
    }
  }

  private schedule(): void {
    if (this.ticking || typeof requestAnimationFrame === 'undefined') return;
    this.ticking = true;
    requestAnimationFrame((now) => {
      this.ticking = false;
      if (!this.playing) return;
      // After a pause of the browser's the run goes on where it was.
      if (this.lastTick > 0) this.advance(Math.min((now - this.lastTick) / 1000, 0.1));
      this.lastTick = now;
      if (this.playing) this.schedule();
    });
  }

  private emit(event: PlayerEvent): void {
    for (const handler of this.handlers[event]) handler();
  }
}

/** The last of the ascending times that is not after `time`; 0 when all are. */
export function lastAt(times: ArrayLike<number>, time: number): number {
  // What differs by rounding alone is the same time.
  const slack = 1e-9 * Math.max(Math.abs(time), Math.abs(times[times.length - 1]) * 1e-3);
  let low = 0, high = times.length - 1;
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if (times[mid] <= time + slack) low = mid;
    else high = mid - 1;
  }
  return low;
}

/** The times of several runs as one ascending list; those that differ by rounding alone count once. */
export function mergeTimes(lists: ArrayLike<number>[]): Float64Array {
  const all = Float64Array.from(lists.flatMap((list) => Array.from(list))).sort();
  const slack = 1e-9 * Math.max(...lists.map((list) => Math.abs(list[list.length - 1])), 1e-300);
  let used = 0;
  for (const time of all) if (used === 0 || time > all[used - 1] + slack) all[used++] = time;
  return all.slice(0, used);
}

/** Speeds that suit a run of so many seconds: halves and doubles of 1, and of the power of ten with which a short or a long run takes some seconds. */
export function speedsFor(seconds: number): { speeds: number[]; usual: number } {
  const steps = [1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8];
  if (seconds >= 1 || seconds <= 0) return { speeds: steps, usual: 1 };
  const unit = 10 ** Math.floor(Math.log10(seconds / 5));
  return { speeds: [...steps.map((step) => step * unit), 1].filter((speed, i, all) => all.indexOf(speed) === i).sort((p, q) => p - q), usual: unit };
}
