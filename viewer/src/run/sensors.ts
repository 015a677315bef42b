/** Which sensors have something in them, by what their events say. */
import { SENSOR_BEGINS, SENSOR_ENDS, type RunEvent } from './run';

export class Sensors {
  readonly lit = new Set<number>();
  /** of each sensor: the number of bodies in it */
  private readonly counts = new Map<number, number>();
  private next = 0;
  private step = -1;

  /** events: in the order of the steps, for at(). */
  constructor(private readonly events: RunEvent[] = []) {}

  take({ kind, a }: RunEvent): void {
    if (kind !== SENSOR_BEGINS && kind !== SENSOR_ENDS) return;
    const count = (this.counts.get(a) ?? 0) + (kind === SENSOR_BEGINS ? 1 : -1);
    this.counts.set(a, count);
    if (count > 0) this.lit.add(a);
    else this.lit.delete(a);
  }

  forget(): void {
    this.lit.clear();
    this.counts.clear();
    this.next = 0;
  }

  /** Those that have something in them after a step. */
  at(step: number): ReadonlySet<number> {
    if (step < this.step) this.forget();
    this.step = step;
    while (this.next < this.events.length && this.events[this.next].step <= step) this.take(this.events[this.next++]);
    return this.lit;
  }
}
