/** Maximum intervals between two events, ms. */
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

/** Responsiveness of this thread: gaps between timers, and between pictures if any are shown. */
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
