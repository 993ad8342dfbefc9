import type { Estimate, Iteration } from '@gradsim/optim';
import type { JSX } from 'preact';
import { formatNumber } from '../../../../packages/gradsim/src/terminal/numbers.ts';
import { answerOf } from '../answer/sentences.ts';
import { OUTLINE } from '../kinds.ts';
import type { Observed } from '../work/problem-messages.ts';
import { Zoom } from './zoom.tsx';
import './deeper.css';

/** Number of unknowns that pictures of all of them show. */
const MOST = 6;

/** Bars: which part of the answer's variance each measured quantity causes, the film itself the rest. */
export function Causes({ kind, estimate }: { readonly kind: string; readonly estimate: Estimate }): JSX.Element | null {
  const [name, { ofGiven = {}, standardError }] = answerOf(kind, estimate);
  if (!standardError || !Number.isFinite(standardError)) return null;
  const shares = Object.entries(ofGiven)
    .map(([given, part]) => [given, (part / standardError) ** 2] as const)
    .sort(([, a], [, b]) => b - a);
  const largest = shares.filter(([, share]) => share > 0.01).slice(0, MOST);
  const rest = Math.max(0, 1 - largest.reduce((sum, [, share]) => sum + share, 0));
  return (
    <figure class="part">
      <figcaption>What the bar of {name} comes from</figcaption>
      <dl class="causes">
        {[...largest, ['the film itself', rest] as const].map(([cause, share]) => (
          <>
            <dt>{cause}</dt>
            <dd>
              <meter min={0} max={1} value={share} aria-label={cause} /> {Math.round(100 * share)} %
            </dd>
          </>
        ))}
      </dl>
    </figure>
  );
}

/** Pairs of unknowns that trade off: an ellipse for each, narrow where only a combination is determined. */
export function Corner({ estimate }: { readonly estimate: Estimate }): JSX.Element | null {
  const names = Object.keys(estimate.parameters);
  const shown = names.map((_, k) => k).slice(0, MOST);
  if (estimate.correlation.length < 2) return null;
  const cell = 60;
  const width = shown.length * cell;
  return (
    <figure class="part">
      <figcaption>What trades off</figcaption>
      <svg
        class="corner"
        viewBox={`-90 -4 ${width + 94} ${width + 8}`}
        role="img"
        aria-label="Ellipses of pairs of unknowns; a narrow one is a pair of which only a combination is known"
      >
        {shown.map((row) => (
          <>
            <text x={-6} y={(row + 0.5) * cell + 4} text-anchor="end">
              {shortened(names[row])}
            </text>
            {shown
              .filter((column) => column <= row)
              .map((column) => (
                <g transform={`translate(${(column + 0.5) * cell} ${(row + 0.5) * cell})`}>
                  <title>
                    {column === row
                      ? names[row]
                      : `${names[column]} and ${names[row]}: correlation ${estimate.correlation[row][column]?.toFixed(2) ?? 'unknown'}`}
                  </title>
                  <rect x={-cell / 2 + 2} y={-cell / 2 + 2} width={cell - 4} height={cell - 4} />
                  {column === row ? (
                    <path class="bell" d={bell(cell - 12)} />
                  ) : (
                    <Ellipse correlation={estimate.correlation[row][column]} radius={cell / 2 - 8} />
                  )}
                </g>
              ))}
          </>
        ))}
      </svg>
      <p class="what">{tradeOff(estimate, names)}</p>
    </figure>
  );
}

const shortened = (name: string): string => (name.length > 13 ? `${name.slice(0, 12)}…` : name);

/** Path of a normal density. */
const bell = (width: number): string =>
  `M${Array.from({ length: 25 }, (_, k) => {
    const x = k / 12 - 1;
    return `${(x * width) / 2} ${width / 3 - (width / 1.5) * Math.exp(-4.5 * x * x)}`;
  }).join('L')}`;

function Ellipse({
  correlation,
  radius,
}: {
  readonly correlation: number | null;
  readonly radius: number;
}): JSX.Element {
  if (correlation === null) return <text text-anchor="middle">?</text>;
  // Upwards in the picture is more of the row's unknown.
  return (
    <ellipse
      class={Math.abs(correlation) > 0.8 ? 'strong' : ''}
      rx={radius * Math.sqrt(1 + Math.abs(correlation))}
      ry={radius * Math.sqrt(Math.max(0.002, 1 - Math.abs(correlation)))}
      transform={`rotate(${correlation > 0 ? -45 : 45}) scale(0.7)`}
    />
  );
}

/** Sentence on the pair with the strongest correlation. */
function tradeOff({ correlation }: Estimate, names: readonly string[]): string {
  let [most, pair]: [number, string] = [0, ''];
  correlation.forEach((row, i) => {
    row.slice(0, i).forEach((value, j) => {
      if (value === null || Math.abs(value) <= Math.abs(most)) return;
      [most, pair] = [value, `${names[j]} and ${names[i]}`];
    });
  });
  if (Math.abs(most) < 0.5) return 'No two unknowns trade off by much.';
  return `Most of all, ${pair} trade off: the film fits almost as well with more of one and ${most > 0 ? 'more' : 'less'} of the other (correlation ${most.toFixed(2)}).`;
}

/** Loss and unknowns over the iterations, each on its own scale. */
export function History({ estimate: { history, parameters } }: { readonly estimate: Estimate }): JSX.Element | null {
  if (history.length < 2) return null;
  const lines: readonly (readonly [string, (line: Iteration) => number])[] = [
    ['loss, logarithm', ({ loss }) => Math.log10(Math.max(loss, 1e-300))],
    ...Object.keys(parameters)
      .slice(0, MOST)
      .map((name) => [name, (line: Iteration) => line.parameters[name]] as const),
  ];
  return (
    <figure class="part">
      <figcaption>Over the iterations</figcaption>
      <div class="sparks">
        {lines.map(([name, of]) => {
          const values = history.map(of);
          return (
            <figure>
              <figcaption class="what">
                {name}: {formatNumber(values[0], 3)} to {formatNumber(values[values.length - 1], 3)}
              </figcaption>
              <svg viewBox="0 0 200 60" role="img" aria-label={`${name} over the iterations`}>
                <path d={lineOf(values)} />
              </svg>
            </figure>
          );
        })}
      </div>
    </figure>
  );
}

function lineOf(values: readonly number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const height = high - low || 1;
  const point = (value: number, k: number): string =>
    `${((200 * k) / Math.max(1, values.length - 1)).toFixed(1)} ${(56 - (52 * (value - low)) / height).toFixed(1)}`;
  return `M${values.map(point).join('L')}`;
}

/** Enlargement of residuals in their map. */
const ENLARGED = 20;

interface ResidualsProps {
  readonly estimate: Estimate;
  readonly observed: Observed;
  readonly size: { readonly width: number; readonly height: number };
}

/** Map of residuals: at each place of the model, an arrow to where the film shows the thing, enlarged. */
export function Residuals({ estimate, observed, size }: ResidualsProps): JSX.Element | null {
  const model = estimate.predicted[OUTLINE];
  if (!model) return null;
  const arrows = observed.isSeen.flatMap((isSeen, frame) => {
    const [x, y] = [model[3 * frame], model[3 * frame + 1]];
    return isSeen ? [[x, y, observed.outlines[3 * frame] - x, observed.outlines[3 * frame + 1] - y]] : [];
  });
  const rms = Math.sqrt(arrows.reduce((sum, [, , u, v]) => sum + u * u + v * v, 0) / Math.max(1, arrows.length));
  return (
    <figure class="part">
      <figcaption>How far film and model are apart</figcaption>
      <Zoom label="The map">
        <svg
          class="residuals"
          viewBox={`0 0 ${size.width} ${size.height}`}
          role="img"
          aria-label={`Distances between film and model along the path, ${rms.toFixed(2)} pixels`}
          style={{ '--line': `${size.width / 320}px` }}
        >
          {arrows.map(([x, y, u, v]) => (
            <>
              <circle cx={x} cy={y} r={size.width / 200} />
              <path d={`M${x} ${y}l${ENLARGED * u} ${ENLARGED * v}`} />
            </>
          ))}
        </svg>
      </Zoom>
      <p class="what">
        Lines go from the model to the film, {ENLARGED} times enlarged; the distance is {rms.toFixed(2)} pixels. Lines
        that point all ways are noise; a pattern is something that the model lacks.
      </p>
    </figure>
  );
}
