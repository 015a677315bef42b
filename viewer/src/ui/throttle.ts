/** Runs something at most every so many milliseconds: at once, or as soon as the time has passed, so that what was called for last is never left out. */
export function throttled(milliseconds: number, run: () => void): () => void {
  let last = -Infinity, waiting = false;
  return () => {
    if (waiting) return;
    const rest = last + milliseconds - performance.now();
    const now = () => {
      waiting = false;
      last = performance.now();
      run();
    };
    if (rest <= 0) {
      now();
    } else {
      waiting = true;
      setTimeout(now, rest);
    }
  };
}
