import type { Estimate } from '@gradsim/optim';
import type { JSX } from 'preact';
import { explainedAnswer } from '../../../../packages/gradsim/src/components/index.ts';
import { Zoom } from '../film/zoom.tsx';
import { OUTLINE } from '../kinds.ts';
import type { ObservedFrames } from '../work/problem-messages.ts';
import './deeper.css';

/** Number of causes that are shown. */
const MOST = 6;

interface CausesProps {
  /** Answers with their meanings, of which the first estimated one is explained. */
  readonly answers: Readonly<Record<string, string>>;
  readonly estimate: Estimate;
}

/** Bars: which part of the answer's variance each measured quantity causes, the film or what was known before the rest. */
export function Causes({ answers, estimate: { parameters } }: CausesProps): JSX.Element | null {
  const name = explainedAnswer(answers, parameters);
  const { ofGiven = {}, standardError, determinedBy } = parameters[name];
  const others = determinedBy === 'priors' ? 'what was known before the film' : 'the film itself';
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
        {[...largest, [others, rest] as const].map(([cause, share]) => (
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

/** Enlargement of residuals in their map. */
const ENLARGED = 20;

interface ResidualsProps {
  readonly estimate: Estimate;
  readonly observed: ObservedFrames;
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
          style={{ '--stroke': `${size.width / 320}px` }}
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
