/** Counts events, and measures the longest interval between two of them, ms. */
export class Gaps {
  longest = 0;
  count = 0;
  #last = performance.now();

  mark(): void {
    const now = performance.now();
    this.longest = Math.max(this.longest, now - this.#last);
    this.#last = now;
    this.count++;
  }
}

/**
 * Measures the responsiveness of this thread until `end` is called: gaps between 10 ms timers, and between animation
 * frames if any are shown.
 */
export function liveliness(): { readonly timers: Gaps; readonly pictures: Gaps; end(): void } {
  const [timers, pictures] = [new Gaps(), new Gaps()];
  let isOver = false;
  const again = (gaps: Gaps, wait: (then: () => void) => void): void =>
    wait(() => {
      if (isOver) return;
      gaps.mark();
      again(gaps, wait);
    });
  again(timers, (then) => void setTimeout(then, 10));
  again(pictures, (then) => void requestAnimationFrame(then));
  return {
    timers,
    pictures,
    end: () => {
      isOver = true;
    },
  };
}
