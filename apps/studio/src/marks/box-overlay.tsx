import type { JSX } from 'preact';
import type { BoxScene } from '../camera/box-settings.ts';
import type { Pictures } from '../work/film-messages.ts';
import { type Handle, Handles } from './handles.tsx';

interface BoxOverlayProps {
  readonly scene: BoxScene;
  readonly size: { readonly width: number; readonly height: number };
  readonly pictures: Pictures;
  readonly frame: number;
  readonly onMove: (corner: number, at: readonly [number, number]) => void;
}

/** Box over the film with handles at its corners, the plane on which it stands as a grid, and gravity as an arrow. */
export function BoxOverlay({ scene, onMove, ...film }: BoxOverlayProps): JSX.Element {
  const handles = scene.corners
    .filter(({ isHidden, isMarked }) => isMarked || !isHidden)
    .map(
      ({ corner, at, isMarked }): Handle => ({
        id: String(corner),
        label: `Corner of the box, ${nameOf(corner)}`,
        at,
        isPlaced: isMarked,
      }),
    );
  const unit = film.size.width / 60;
  return (
    <Handles {...film} handles={handles} onMove={(id, at) => onMove(Number(id), at)}>
      <g>
        {scene.grid.map((line) => (
          <polyline class="grid" points={line.map((point) => point.join(',')).join(' ')} />
        ))}
        {scene.edges.map(({ from, to, isHidden }) => (
          <path class={isHidden ? 'edge hidden' : 'edge'} d={`M${from.join(' ')}L${to.join(' ')}`} />
        ))}
        <Arrow class="gravity" word="gravity" ends={scene.gravity} unit={unit} />
        <Arrow class="downhill" word="slides" ends={scene.downhill} unit={unit} />
        {scene.corners.flatMap(({ at, fitted, isMarked }) =>
          isMarked ? [<path class="off" d={`M${at.join(' ')}L${fitted.join(' ')}`} />] : [],
        )}
      </g>
    </Handles>
  );
}

/** Words for a corner, by the bits of its number. */
const nameOf = (corner: number): string =>
  [corner & 2 ? 'upper' : 'lower', corner & 4 ? 'front' : 'back', corner & 1 ? 'right' : 'left'].join(' ');

interface ArrowProps {
  readonly class: string;
  readonly word: string;
  readonly ends: BoxScene['gravity'];
  readonly unit: number;
}

function Arrow({ class: name, word, ends: [a, b], unit }: ArrowProps): JSX.Element {
  const angle = Math.atan2(b[1] - a[1], b[0] - a[0]);
  const head = [2.6, -2.6].map(
    (turn) => `L${b[0] + unit * Math.cos(angle + turn)} ${b[1] + unit * Math.sin(angle + turn)}M${b.join(' ')}`,
  );
  return (
    <g class={name}>
      <path d={`M${a.join(' ')}L${b.join(' ')}${head.join('')}`} />
      <text x={b[0] + unit} y={b[1]} font-size={1.6 * unit}>
        {word}
      </text>
    </g>
  );
}
