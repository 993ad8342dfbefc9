import { median } from '@gradsim/base';
import { KINDS } from './draw.ts';
import type { Estimate, RobotAnswer } from './trial.ts';

/** Answer for an arm of a kind. */
export interface Outcome extends RobotAnswer {
  readonly kind: string;
}

/** Bars of right answers beyond which an answer is wrong. */
const WRONG = 5;

const errorOf = ({ estimate, truth }: Estimate): number => Math.abs(estimate - truth);
const share = <T>(of: readonly T[], is: (one: T) => boolean): number | null =>
  of.length === 0 ? null : of.filter(is).length / of.length;
const rms = (values: readonly number[]): number => Math.sqrt(values.reduce((sum, x) => sum + x * x, 0) / values.length);

/** True if what the model is said to lack is what it lacks. */
function isNamed(kind: string, findings: RobotAnswer['findings']): boolean {
  const { named } = KINDS[kind];
  const [best = ''] = findings.find((one) => one.kind === 'lacking')?.note.split('Nearly as much') ?? [];
  return named !== undefined && best.includes(named);
}

/** Figures over all outcomes: how honest verdicts and bars are. A plain bar is the median one of right arms. */
export function summaryOf(outcomes: readonly Outcome[], pieces: readonly (readonly RobotAnswer[])[]) {
  const right = outcomes.filter(({ kind }) => kind === 'right');
  const names = [...new Set(right.flatMap(({ estimates }) => estimates.map(({ name }) => name)))];
  const of = (all: readonly RobotAnswer[], name: string): Estimate[] =>
    all.flatMap(({ estimates }) => estimates.filter((one) => one.name === name));
  const plain = new Map(names.map((name) => [name, median(of(right, name).map((one) => one.standardError))]));
  const isWrong = ({ estimates }: RobotAnswer): boolean =>
    estimates.some((one) => errorOf(one) > WRONG * (plain.get(one.name) ?? Number.POSITIVE_INFINITY));
  const trusted = outcomes.filter((one) => one.trusted === true);
  const answers = trusted.flatMap(({ estimates }) => estimates);
  const within = (all: readonly Estimate[], bars: number) =>
    share(all, (one) => errorOf(one) <= bars * one.standardError);
  const ofRight = right.flatMap(({ estimates }) => estimates);
  return {
    trusted: { arms: trusted.length, withinTwo: within(answers, 2), withinFour: within(answers, 4) },
    wrong: {
      arms: outcomes.filter(isWrong).length,
      notTrusted: share(outcomes.filter(isWrong), (one) => one.trusted !== true),
      trustedByKind: outcomes.filter((one) => isWrong(one) && one.trusted === true).map(({ kind }) => kind),
    },
    right: {
      arms: right.length,
      trusted: share(right, (one) => one.trusted === true),
      coverage: within(ofRight, 2),
      barOverError:
        names.length > 0
          ? median(
              names.map((name) => rms(of(right, name).map((x) => x.standardError)) / rms(of(right, name).map(errorOf))),
            )
          : null,
    },
    pieces: { logs: pieces.length, scatterOverBar: pieces.length > 0 ? median(pieces.flatMap(scatterOverBar)) : null },
    byKind: Object.fromEntries(
      [...new Set(outcomes.map(({ kind }) => kind))].map((kind) => {
        const own = outcomes.filter((one) => one.kind === kind);
        return [
          kind,
          {
            arms: own.length,
            trusted: own.filter((one) => one.trusted === true).length,
            wrong: own.filter(isWrong).length,
            named: own.filter(({ findings }) => isNamed(kind, findings)).length,
            wrongAndTrusted: own.filter((one) => isWrong(one) && one.trusted === true).length,
          },
        ];
      }),
    ),
  };

  /** Standard deviation of the estimates of pieces of one log over the bar that they claim, by parameter. */
  function scatterOverBar(parts: readonly RobotAnswer[]): number[] {
    return names.flatMap((name) => {
      const own = of(parts, name);
      if (own.length < 2) return [];
      const middle = own.reduce((sum, { estimate }) => sum + estimate, 0) / own.length;
      const scatter = Math.sqrt(
        own.reduce((sum, { estimate }) => sum + (estimate - middle) ** 2, 0) / (own.length - 1),
      );
      return [scatter / rms(own.map(({ standardError }) => standardError))];
    });
  }
}
