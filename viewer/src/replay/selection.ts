/** What is picked: a body, a joint, or a contact, which is followed from frame to frame by its bodies and its id. With two runs, bodies go by their names. */
import type { ContactTable, Run } from '../run/run';

export interface PickedContact { a: number; b: number; idLow: number; idHigh: number }

export interface Picked {
  /** the run in which it was picked */
  run: number;
  body: number;
  contact: PickedContact | null;
  /** of the run; missing when none is picked. The body is one of its two */
  joint?: number;
}

export class Selection {
  private picked: Picked | null = null;
  private readonly handlers: (() => void)[] = [];

  constructor(private readonly runs: Run[]) {}

  get current(): Picked | null {
    return this.picked;
  }

  set(picked: Picked | null): void {
    this.picked = picked;
    for (const handler of this.handlers) handler();
  }

  onChange(handler: () => void): void {
    this.handlers.push(handler);
  }

  /** The picked body in a run; -1 when none is picked or the run has none of that name. */
  bodyIn(run: number): number {
    return this.picked ? this.match(this.picked.body, run) : -1;
  }

  /** The row of the picked contact among a run's contacts; -1 for none. */
  contactIn(run: number, contacts: ContactTable | null): number {
    const wanted = this.picked?.contact;
    if (!wanted || !contacts) return -1;
    const a = this.match(wanted.a, run), b = this.match(wanted.b, run);
    for (let i = 0; i < contacts.count; i++) {
      if (contacts.a[i] === a && contacts.b[i] === b && contacts.idLow[i] === wanted.idLow && contacts.idHigh[i] === wanted.idHigh) return i;
    }
    return -1;
  }

  /** The picked joint in a run; -1 for none. With two runs it is the one of the same number, if it joins bodies of the same names. */
  jointIn(run: number): number {
    const wanted = this.picked?.joint ?? -1, from = this.picked?.run ?? run;
    if (wanted < 0 || from === run) return wanted;
    const there = this.runs[from].joints![wanted], here = this.runs[run].joints?.[wanted];
    return here && here.kind === there.kind && this.match(there.a, run) === here.a && this.match(there.b, run) === here.b ? wanted : -1;
  }

  private match(body: number, run: number): number {
    const from = this.picked?.run ?? run;
    if (from === run || body < 0) return body;
    const { name } = this.runs[from].bodies[body];
    return this.runs[run].bodies.findIndex((other) => other.name === name);
  }
}

export function contactAt(contacts: ContactTable, row: number): PickedContact {
  return { a: contacts.a[row], b: contacts.b[row], idLow: contacts.idLow[row], idHigh: contacts.idHigh[row] };
}
