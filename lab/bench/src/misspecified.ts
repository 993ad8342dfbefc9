// How honest verdicts and error bars are where the model is wrong: films with a fault that the model does not know, each
// estimated as if there were none. A JSON line a trial and unknown, and a summary. `--count 200`, `--seed 1`;
// `--kinds toss,ball` and `--faults none,size` choose; with `--given no` problems do not say what was measured to which
// tolerance; with `--clock 0.0005` they state that of the frame rate too.
import { drawTrials, FAULT_NAMES, KIND_NAMES } from './misspecified/drawn.ts';
import { linesOf } from './misspecified/lines.ts';
import { summaryOf } from './misspecified/summary.ts';
import type { Outcome } from './misspecified/trial.ts';
import { runTrial } from './misspecified/trial.ts';
import { benchOptions, chosenNames, print } from './support/options.ts';

const options = await benchOptions(['count', 'seed', 'kinds', 'faults', 'given', 'clock']);
const { device } = options;
const count = options.number('count', 200);
const seed = options.number('seed', 1);
const kinds = chosenNames('kinds', options.text('kinds', ''), KIND_NAMES);
const faults = chosenNames('faults', options.text('faults', ''), FAULT_NAMES);

const isGiven = options.text('given', 'yes') !== 'no';
const clock = Number(options.text('clock', '0'));

const outcomes: Outcome[] = [];
const failures: Record<string, number> = {};
for (const drawn of drawTrials({ count, seed }, kinds, faults)) {
  try {
    const outcome = await runTrial(drawn, { device, isGiven, clock });
    outcomes.push(outcome);
    for (const line of linesOf(outcome)) print({ bench: 'misspecified', ...line });
  } catch (error) {
    const failed = error instanceof Error ? error.message : String(error);
    failures[failed] = (failures[failed] ?? 0) + 1;
    const { trial, kind, fault } = drawn;
    print({ bench: 'misspecified', trial, kind, fault, failed });
  }
}
print({
  bench: 'misspecified',
  summary: true,
  device: device.kind,
  count,
  seed,
  isGiven,
  clock,
  failures,
  ...summaryOf(outcomes),
});
device.dispose();
