/**
 * Unpacks blocks in a worker, or in the page where workers are not to be had: two at a time, what is waited for before what may be wanted next, and of
 * those the newest first.
 */
import { readBlock, type Block, type BlockSpec } from './blocks';
import DecodeWorker from './decode.worker?worker&inline';
import { fromBase64, inflate } from './inflate';
import { BadData } from './planes';

/** What waits: the less, the sooner. */
export const NOW = 0, SOON = 1, BACKGROUND = 2;

interface Job {
  /** asked for when its turn has come */
  text: () => string;
  dropped: boolean;
  spec: BlockSpec;
  urgency: number;
  resolve: (block: Block) => void;
  reject: (error: Error) => void;
}

/** What a caller holds of its job: it can become more urgent, or be given up while it waits: drop() says whether it did. */
export interface Order { promise: Promise<Block>; hurry(urgency: number): void; drop(): boolean }

const AT_ONCE = 2;

export class Decoder {
  private readonly waiting: Job[] = [];
  private readonly answers = new Map<number, (data: { block?: Block; error?: string }) => void>();
  private running = 0;
  private sent = 0;
  private worker: Worker | null = null;

  constructor(useWorker = true) {
    if (!useWorker) return;
    try {
      this.worker = new DecodeWorker();
      this.worker.onmessage = (event: MessageEvent<{ id: number; block?: Block; error?: string }>) => {
        const answer = this.answers.get(event.data.id);
        this.answers.delete(event.data.id);
        answer?.(event.data);
      };
      this.worker.onerror = (event) => {
        event.preventDefault();
        this.worker = null; // what it was asked is done here instead
        for (const answer of this.answers.values()) answer({});
        this.answers.clear();
      };
    } catch {
      this.worker = null;
    }
  }

  /** ready: when the text is there; jobs whose text is there do not wait for it. */
  order(text: () => string, spec: BlockSpec, urgency: number, ready: Promise<void> = Promise.resolve()): Order {
    let job!: Job, queued = false;
    const promise = new Promise<Block>((resolve, reject) => {
      job = { text, spec, urgency, resolve, reject, dropped: false };
    });
    promise.catch(() => undefined); // said by whoever waits for it
    void ready.then(() => {
      if (job.dropped) return;
      queued = true;
      this.waiting.push(job);
      this.next();
    });
    return {
      promise,
      hurry: (now) => (job.urgency = Math.min(job.urgency, now)),
      drop: () => {
        const at = this.waiting.indexOf(job);
        if (queued && at < 0) return false;
        if (queued) this.waiting.splice(at, 1);
        job.dropped = true;
        job.reject(new Dropped());
        return true;
      },
    };
  }

  private next(): void {
    while (this.running < AT_ONCE && this.waiting.length > 0) {
      let best = this.waiting.length - 1;
      for (let i = best - 1; i >= 0; i--) if (this.waiting[i].urgency < this.waiting[best].urgency) best = i;
      const [job] = this.waiting.splice(best, 1);
      this.running++;
      this.run(job).then(job.resolve, job.reject).finally(() => {
        this.running--;
        this.next();
      });
    }
  }

  private async run(job: Job): Promise<Block> {
    const text = job.text();
    const { worker } = this;
    if (worker) {
      const id = this.sent++;
      const answer = await new Promise<{ block?: Block; error?: string }>((resolve) => {
        this.answers.set(id, resolve);
        worker.postMessage({ id, text, spec: job.spec });
      });
      if (answer.block) return answer.block;
      if (answer.error !== undefined) throw new BadData(answer.error);
    }
    return readBlock(await inflate(fromBase64(text), job.spec.entry.bytes), job.spec);
  }
}

/** Given up before its turn came. */
export class Dropped extends Error {}
