import type { ComponentChildren, JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';

/** Enlargements, and the factor between neighbours. */
const [MOST, FACTOR] = [8, 2];

interface ZoomProps {
  readonly label: string;
  readonly children: ComponentChildren;
  /** What is shown beside the buttons. */
  readonly beside?: ComponentChildren;
}

/** A picture that can be enlarged within its place, and moved there by scrolling: mouse, finger, or arrow keys. */
export function Zoom({ label, beside, children }: ZoomProps): JSX.Element {
  const [by, setBy] = useState(1);
  const pane = useRef<HTMLElement>(null);
  const zoom = (next: number): void => {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = pane.current!;
    const [x, y] = [(scrollLeft + clientWidth / 2) / by, (scrollTop + clientHeight / 2) / by];
    setBy(next);
    requestAnimationFrame(() => {
      const place = pane.current;
      if (!place) return;
      // What was in the middle stays there, but where there is an outline it comes there.
      place.scrollTo(x * next - clientWidth / 2, y * next - clientHeight / 2);
      const outline = place.querySelector('.model, .chosen polygon')?.getBoundingClientRect();
      if (!outline) return;
      const box = place.getBoundingClientRect();
      place.scrollBy(
        outline.left + outline.width / 2 - box.left - box.width / 2,
        outline.top + outline.height / 2 - box.top - box.height / 2,
      );
    });
  };
  return (
    <div class="zoom">
      <section ref={pane} class="pane" data-scrolls={by > 1} tabIndex={by > 1 ? 0 : undefined} aria-label={label}>
        <div class="enlarged" style={{ '--zoom': by }}>
          {children}
        </div>
      </section>
      <div class="zoom-buttons">
        {beside}
        <button type="button" aria-label={`${label}: smaller`} disabled={by <= 1} onClick={() => zoom(by / FACTOR)}>
          −
        </button>
        <output aria-label="Enlargement">{by} ×</output>
        <button type="button" aria-label={`${label}: larger`} disabled={by >= MOST} onClick={() => zoom(by * FACTOR)}>
          +
        </button>
      </div>
    </div>
  );
}
