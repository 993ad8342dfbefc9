import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Html } from '../../../../packages/gradsim/src/components/index.ts';

/** Graphs whose values are read off under a pointer or a finger. */
export function Graphs({ of, class: name }: { readonly of: Html; readonly class?: string }): JSX.Element {
  const [value, setValue] = useState('');
  const marked = useRef<Element>();
  const read = ({ target, clientX }: PointerEvent): void => {
    const svg = (target as Element).closest?.('.chart svg') as SVGSVGElement | null;
    if (!svg) return;
    const at = new DOMPoint(clientX, 0).matrixTransform(svg.getScreenCTM()!.inverse()).x;
    const away = (circle: Element): number => Math.abs(Number(circle.getAttribute('cx')) - at);
    const [nearest] = [...svg.querySelectorAll('circle.measured')].sort((a, b) => away(a) - away(b));
    if (!nearest) return;
    marked.current?.classList.remove('read');
    nearest.classList.add('read');
    marked.current = nearest;
    const title = svg.closest('figure')?.querySelector('figcaption')?.textContent ?? '';
    setValue(`${title} at ${nearest.querySelector('title')?.textContent}`);
  };
  return (
    <div class={name} onPointerMove={read} onPointerDown={read}>
      <output class="read-off">{value || 'Point at a graph, or touch it, to read a value off.'}</output>
      <div dangerouslySetInnerHTML={{ __html: of.markup }} />
    </div>
  );
}
