// Derivatives through touches at 40 phases within a substep, against closed forms or 64 times finer substeps: least and
// greatest, mean, worst and root-mean-square error, with 20 to 160 substeps a touch, by the law of contact and by the one
// before it, taken at the instant. `--cases A,B` of those that begin with these names; `--law new` leaves out the old one.
// `--picture FILE` draws the last derivative of each case with 40 substeps a touch.
import { writeFileSync } from 'node:fs';
import { f64Device } from '@gradsim/core';
import { armAtLimit, boxOnCorners, clothOnSphere, softBlock, stackPushed } from './contact-gradients/bodies.ts';
import type { Derivatives } from './contact-gradients/case.ts';
import {
  derivativesOf,
  REFERENCE_FACTOR,
  STEP_PHASES,
  SUBSTEPS,
  substepsOf,
  touchDelays,
} from './contact-gradients/case.ts';
import { withOldLaw } from './contact-gradients/old-law.ts';
import type { Panel } from './contact-gradients/picture.ts';
import { pictureOf } from './contact-gradients/picture.ts';
import { points, twoBalls } from './contact-gradients/points.ts';
import { benchOptions, print } from './support/options.ts';

const options = await benchOptions(['cases', 'law', 'picture']);
const picture = options.text('picture', '');
const panels: Panel[] = [];
const asked = options.text('cases', '').split(',');
const law = options.text('law', 'both');
const cases = [
  ...[1e3, 1e4, 1e5].flatMap((ke) => [0, 20].map((kd) => twoBalls(ke, kd))),
  ...points(),
  ...[boxOnCorners(), armAtLimit(), clothOnSphere(), softBlock(), stackPushed()],
].filter(({ name }) => asked.some((start) => name.startsWith(start)));

const device = f64Device();
const rms = (values: readonly number[]): number => Math.sqrt(values.reduce((sum, x) => sum + x * x, 0) / values.length);
const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;

for (const of of law === 'old' ? [] : cases) {
  const delays = touchDelays(of);
  const exact = of.exact;
  const truth = exact
    ? delays.map((later) => exact(later))
    : await derivativesOf(of, REFERENCE_FACTOR * substepsOf(of, SUBSTEPS[0]), delays, device);
  const found: { new: Derivatives[][]; old?: Derivatives[][] } = {
    new: await bySubsteps(of),
    ...(law === 'both' && { old: oldLaw(of.name) }),
  };
  if (picture && found.old) {
    const at = SUBSTEPS.indexOf(40);
    const span = of.seconds / substepsOf(of, SUBSTEPS[at]);
    const dots = (runs: Derivatives[]) =>
      runs.map((all, k): [number, number] => [(delays[k] / span) % 1, all.at(-1)![0]]);
    panels.push({
      title: of.name,
      truth: mean(truth.map((all) => all.at(-1)![0])),
      before: dots(found.old[at]),
      now: dots(found.new[at]),
    });
  }
  const pairs = of.outputs.flatMap((output) => of.unknowns.map((unknown) => ({ output, unknown })));
  for (const [which, runs] of Object.entries(found))
    pairs.forEach(({ output, unknown }, k) => {
      const right = truth.map((all) => all[k]);
      const axis = right[0].map((_, j) => (right[0].length > 1 ? mean(right.map((one) => one[j])) : 1));
      const typical = rms(right.map((one) => Math.hypot(...one)));
      const size = of.bound?.of === 'worst' ? Math.max(typical, 1) : typical;
      const lines = runs.map((run, level) => {
        const found = run.map((all) => all[k]);
        const errors = found.map((one, phase) => (100 * Math.hypot(...one.map((d, j) => d - right[phase][j]))) / size);
        // Of a vector, along its mean direction.
        const values = found.map((one) => one.reduce((sum, d, j) => sum + (d * axis[j]) / Math.hypot(...axis), 0));
        return {
          substepsATouch: SUBSTEPS[level],
          least: Math.min(...values),
          greatest: Math.max(...values),
          mean: mean(values),
          worstPercent: Math.max(...errors),
          rmsPercent: rms(errors),
          // About the mean over the phases: what depends on the phase. The rest is the error of the steps.
          spreadPercent: (100 * rms(values.map((value) => value - mean(values)))) / size,
        };
      });
      const worst = lines.map(({ worstPercent }) => worstPercent);
      const halving = (worst[0] / worst.at(-1)!) ** (1 / (worst.length - 1));
      const common = {
        bench: 'contact-gradients',
        case: of.name,
        derivative: `${output.name} by ${unknown.name}`,
        law: which,
      };
      for (const line of lines)
        print({ ...common, truth: right[0].length > 1 ? Math.hypot(...axis) : mean(right.map(([d]) => d)), ...line });
      print({
        ...common,
        phases: STEP_PHASES,
        worstOverThatOfHalfTheSubstep: halving,
        ...judged(of, output.contactAxis, lines),
      });
    });
}
if (picture) writeFileSync(picture, pictureOf(panels));
if (law === 'old') for (const of of cases) print({ case: of.name, runs: await bySubsteps(of) });
device.dispose();

/** Derivatives of a case by substeps a touch, then delays, then outputs and unknowns. */
async function bySubsteps(of: (typeof cases)[number]): Promise<Derivatives[][]> {
  const runs: Derivatives[][] = [];
  for (const each of SUBSTEPS) runs.push(await derivativesOf(of, substepsOf(of, each), touchDelays(of), device));
  return runs;
}

/** The same by the old law. */
function oldLaw(name: string): Derivatives[][] {
  const args = ['--law', 'old', '--cases', name];
  const lines = withOldLaw<{ case: string; runs: Derivatives[][] }>(import.meta.url, args);
  return lines.find((line) => line.case === name)!.runs;
}

/** The bound of a case at 40 substeps a touch or more, and whether it holds. */
function judged(
  { bound }: (typeof cases)[number],
  along: 'normal' | 'friction',
  lines: readonly { substepsATouch: number; worstPercent: number; rmsPercent: number }[],
) {
  if (!bound) return {};
  const values = lines
    .filter(({ substepsATouch }) => substepsATouch >= 40)
    .map((line) => (bound.of === 'worst' ? line.worstPercent : line.rmsPercent));
  const percent = Math.max(...values);
  return { [`${bound.of}From40Percent`]: percent, boundPercent: bound[along], holds: percent <= bound[along] };
}
