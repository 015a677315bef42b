/**
 * How many steps are due: simulated time keeps up with the clock. Time that a slow machine cannot make up is given up, not owed, so that steps never
 * pile up; how much that is, is measured.
 */

/** No more steps than this are owed at any time. */
export const MOST_OWED = 8;

export class Pace {
  private last = 0;
  private owed = 0;

  constructor(private dt: number, private speed = 1) {}

  /** Begin, or go on after a pause: time that passed before is not owed. */
  restart(now: number): void {
    this.last = now;
    this.owed = 0;
  }

  setStep(dt: number): void {
    this.dt = dt;
    this.owed = 0;
  }

  setSpeed(speed: number, now: number): void {
    this.speed = speed;
    this.restart(now);
  }

  /** Steps that should be made now; Infinity when as many as there can be. */
  due(now: number): number {
    if (this.speed === Infinity) return Infinity;
    this.owed += (Math.max(now - this.last, 0) / 1000) * this.speed;
    this.last = now;
    this.owed = Math.min(this.owed, this.most() * this.dt);
    // A step that is due but for rounding is due.
    return Math.floor(this.owed / this.dt + 1e-6);
  }

  made(steps: number): void {
    if (this.speed !== Infinity) this.owed = Math.max(this.owed - steps * this.dt, 0);
  }

  /** Milliseconds from now until the next step is due. */
  wait(): number {
    return this.speed === Infinity ? 0 : Math.max(((this.dt - this.owed) / this.speed) * 1000, 0);
  }

  /** At high speeds what passes between two pictures may be more steps. */
  private most(): number {
    return Math.max(MOST_OWED, Math.ceil((this.speed * 0.05) / this.dt));
  }
}

/** Steps and the time they took, over the last half second or so. */
export class Meter {
  private from = 0;
  private steps = 0;
  private busy = 0;
  private known = { stepsPerSecond: 0, millisecondsPerStep: 0 };

  restart(now: number): void {
    this.from = now;
    this.steps = this.busy = 0;
  }

  count(steps: number, milliseconds: number): void {
    this.steps += steps;
    this.busy += milliseconds;
  }

  read(now: number): { stepsPerSecond: number; millisecondsPerStep: number } {
    const span = now - this.from;
    if (span >= 500 || (this.known.millisecondsPerStep === 0 && this.steps > 0)) {
      if (span >= 500) this.known.stepsPerSecond = (1000 * this.steps) / span;
      if (this.steps > 0) this.known.millisecondsPerStep = this.busy / this.steps;
      if (span >= 500) this.restart(now);
    }
    return this.known;
  }

  /** While nothing runs. */
  stand(): void {
    this.known.stepsPerSecond = 0;
  }
}
