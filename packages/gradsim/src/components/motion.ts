import type { MotionCurve } from '../experiment/record/motion.ts';
import { type Html, html, nothing } from './html.ts';
import { lineChart } from './line-chart.ts';

/** HTML section of curves of the motion; empty where there are none. */
export function motionSection(curves: readonly MotionCurve[]): Html {
  if (curves.length === 0) return nothing;
  return html`<section class="motion"><h3>Motion</h3>
<div class="charts">${curves.map(({ fitted, seen, ...chart }) =>
    lineChart({ ...chart, points: fitted, measured: seen, width: 420, height: 230 }),
  )}</div>
<p class="legend">○ observed, and the fitted model as a line</p></section>`;
}
