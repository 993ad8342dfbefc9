import type { JSX } from 'preact';
import type { KindName } from '../kinds.ts';

/** Drawing of a kind: the thing, its path, and the lengths that must be measured. */
export function Drawing({ kind }: { kind: KindName }): JSX.Element {
  return (
    <svg class="drawing" viewBox="0 0 160 90" aria-hidden="true">
      {DRAWINGS[kind]}
    </svg>
  );
}

const DRAWINGS: Readonly<Record<KindName, JSX.Element>> = {
  ball: (
    <g>
      <path class="ground" d="M6 80H154" />
      <path class="path" d="M14 18C34 14 46 40 54 70C64 28 84 28 94 70C102 44 112 44 120 62" />
      <circle class="thing" cx="120" cy="60" r="13" />
      <path class="length" d="M120 60L132 56" />
      <text x="156" y="42" text-anchor="end">
        radius
      </text>
    </g>
  ),
  slide: (
    <g>
      <path class="ground" d="M10 20L150 80H10" />
      <path class="path" d="M34 18L112 52" />
      <g transform="translate(58 29) rotate(23.2)">
        <rect class="thing" x="-14" y="-8" width="28" height="16" />
        <path class="length" d="M-14 -13H14" />
      </g>
      <text x="66" y="16">
        size
      </text>
      <path class="length" d="M116 80A34 34 0 0 1 119 66" />
      <text x="88" y="76">
        angle
      </text>
    </g>
  ),
  pendulum: (
    <g>
      <path class="ground" d="M50 8H110" />
      <path class="path" d="M32 58A62 62 0 0 0 128 58" />
      <path class="length" d="M80 8L112 62" />
      <circle class="thing" cx="112" cy="62" r="11" />
      <text x="102" y="34">
        length
      </text>
      <text x="156" y="86" text-anchor="end">
        radius
      </text>
    </g>
  ),
};
