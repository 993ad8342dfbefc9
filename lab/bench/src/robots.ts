// How honest the verdict and the bars of `gradsim new robot` are: arms of two joints by a simulator that shares no code with
// the packages, of ten kinds of physics, nine of which the model is without or logs are damaged by. A JSON line an arm, and
// a summary. `--count 10` arms of each kind, `--pieces 4` logs that are fitted in quarters, `--seed 1`; `--kinds right,load`.
import { drawFrom, KINDS } from './robots/draw.ts';
import { type Outcome, summaryOf } from './robots/summary.ts';
import { calibrate, drawTrial, type RobotAnswer, refusal } from './robots/trial.ts';
import { benchOptions, chosenNames, print } from './support/options.ts';

const PARTS = 4;

const options = await benchOptions(['count', 'pieces', 'seed', 'kinds']);
options.device.dispose();
const count = options.number('count', 10);
const seed = options.number('seed', 1);
const names = Object.keys(KINDS);
const outcomes: Outcome[] = [];
for (const kind of chosenNames('kinds', options.text('kinds', ''), names))
  for (let k = 0; k < count; k++) {
    const { arm, logs } = drawTrial(KINDS[kind], drawFrom(1000 * seed + 100 * names.indexOf(kind) + k));
    const told = await calibrate(arm, [logs[0]], { heldOut: logs[1] }).catch(refusal);
    outcomes.push({ kind, ...told });
    const bars = told.estimates.map(({ estimate, truth, standardError }) => Math.abs(estimate - truth) / standardError);
    print({
      bench: 'robots',
      kind,
      arm: k,
      trusted: told.trusted,
      findings: told.findings.filter(({ isCritical }) => isCritical).map(({ note }) => note),
      mostBars: Math.max(0, ...bars),
      physics: arm.physics,
    });
  }
const pieces: RobotAnswer[][] = [];
for (let k = 0; k < options.number('pieces', 4); k++) {
  const { arm, logs } = drawTrial(KINDS.right, drawFrom(1000 * seed + 900_000 + k));
  const [head, ...rows] = logs[0].split('\n');
  const own: RobotAnswer[] = [];
  for (let part = 0; part < PARTS; part++) {
    const [from, to] = [part, part + 1].map((x) => Math.round((x * rows.length) / PARTS));
    own.push(await calibrate(arm, [[head, ...rows.slice(from, to)].join('\n')]));
  }
  pieces.push(own);
}
print({ bench: 'robots', summary: true, seed, count, ...summaryOf(outcomes, pieces) });
