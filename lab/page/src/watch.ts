/** Counts events, and measures the longest interval between two of them, ms. */
export class TimerGaps {
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
export function watchLiveness(): { readonly timers: TimerGaps; readonly pictures: TimerGaps; end(): void } {
  const [timers, pictures] = [new TimerGaps(), new TimerGaps()];
  let isOver = false;
  const again = (gaps: TimerGaps, wait: (then: () => void) => void): void =>
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
