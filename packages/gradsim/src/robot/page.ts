import type { Robot } from '@gradsim/robots';
import { type Html, html, list, table } from '../components/index.ts';
import { type CurveChart, curvesPage } from '../report/curves-page.ts';
import type { ForetoldRecording, RobotCalibration } from './calibration.ts';
import { parameterRows, torqueHeading, torqueRows, undeterminedLines } from './tables.ts';
import { middleOf } from './torque-errors.ts';
import { verdictLine } from './verdict.ts';

/** Points of a curve, at most. */
const MAX_POINTS = 500;

/** HTML page of a calibrated robot: verdict, tables, and measured, predicted and residual torques by log and joint. */
export function robotPage(
  name: string,
  model: Robot,
  { found, torques, verdict, recordings }: RobotCalibration,
  band: number,
): string {
  const joints = [...new Set(torques.map(({ joint }) => joint))];
  const rest = verdict.findings.map(({ note }) => note);
  const before = html`${list(rest)}
<h3>What the motion determines</h3>${tableOf(parameterRows(found, model))}
${list(undeterminedLines(found))}
<h3>${torqueHeading(band)}</h3>${tableOf(torqueRows(torques))}
<h3>Measured and predicted, without the ends</h3>`;
  return curvesPage(
    name,
    verdictLine(verdict),
    recordings.flatMap((recording) => joints.flatMap((joint, j) => chartsOf(recording, joint, j, band))),
    before,
  );
}

const tableOf = ([head, ...rows]: readonly (readonly string[])[]): Html => table(head, rows);

function chartsOf(
  { log, isHeldOut, torques }: ForetoldRecording,
  joint: string,
  j: number,
  band: number,
): CurveChart[] {
  const { time, predicted, inBand } = torques;
  const { first, end } = middleOf(time, band);
  const stride = Math.ceil((end - first) / MAX_POINTS);
  const points = (of: (s: number) => number) =>
    Array.from({ length: Math.ceil((end - first) / stride) }, (_, k) => {
      const s = first + k * stride;
      return { x: time[s], y: of(s) };
    });
  const of = `${log}${isHeldOut ? ', held out' : ''}: ${joint}`;
  const axes = { xLabel: 'time, s', yLabel: 'torque, N m or N' };
  return [
    {
      ...axes,
      title: of,
      curves: [
        { name: 'predicted', points: points((s) => predicted[j][s]) },
        { name: 'measured', points: points((s) => inBand[j][s]), isReference: true },
      ],
    },
    {
      ...axes,
      title: `${of}, residual`,
      curves: [{ name: 'measured less predicted', points: points((s) => inBand[j][s] - predicted[j][s]) }],
    },
  ];
}
