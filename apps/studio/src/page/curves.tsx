import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Motion } from '../answer/motion.ts';

/** Height of a chart, CSS pixels. */
const HEIGHT = 190;

type Column = readonly (number | null)[];

/** Charts of the motion over time: what the film shows as points, the fitted model as a line. */
export function Curves({ motion }: { motion: Motion }): JSX.Element {
  const { seconds, x, y, speed, energy, seenX, seenY, seenSpeed, seenEnergy } = motion;
  return (
    <div class="curves">
      <Curve title="To the right, m" seconds={seconds} seen={seenX} fitted={x} />
      <Curve title="Upwards, m" seconds={seconds} seen={seenY} fitted={y} />
      <Curve title="Speed, m/s" seconds={seconds} seen={seenSpeed} fitted={speed} />
      <Curve
        title="Energy of motion and height, J per kg"
        seconds={seconds}
        seen={seenEnergy}
        fitted={energy}
        from={0}
      />
    </div>
  );
}

interface CurveProps {
  readonly title: string;
  readonly seconds: readonly number[];
  readonly seen: Column;
  readonly fitted: Column;
  /** Lower end of the axis; default: by the data. */
  readonly from?: number;
}

function Curve({ title, seconds, seen, fitted, from }: CurveProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current!;
    const colour = (name: string): string => getComputedStyle(element).getPropertyValue(name).trim();
    const axis = {
      stroke: colour('--quiet'),
      grid: { stroke: colour('--line-colour'), width: 1 },
      ticks: { show: false },
      font: '12px system-ui, sans-serif',
    };
    const chart = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        scales: {
          x: { time: false },
          ...(from === undefined ? {} : { y: { range: (_, __, most) => [from, 1.1 * most] } }),
        },
        axes: [
          { ...axis, size: 28, values: (_, ticks) => ticks.map((tick) => `${tick} s`) },
          { ...axis, size: 52 },
        ],
        series: [
          {},
          { stroke: colour('--seen'), paths: () => null, points: { show: true, size: 6, width: 1.5 } },
          { stroke: colour('--model'), width: 2, points: { show: false } },
        ],
      },
      [[...seconds], [...seen], [...fitted]],
      element,
    );
    const watch = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
    watch.observe(element);
    return () => {
      watch.disconnect();
      chart.destroy();
    };
  }, [seconds, seen, fitted]);
  return (
    <figure class="curve">
      <figcaption>{title}</figcaption>
      <div
        ref={place}
        role="img"
        aria-label={`${title}, over time: points from the film, the fitted model as a line`}
      />
    </figure>
  );
}
