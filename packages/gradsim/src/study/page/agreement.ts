import { mean, median } from '@gradsim/base';
import { formatNumber } from '../../terminal/numbers.ts';
import type { PageData } from './data.ts';

/** Agreement of the trials of a study on an unknown whose true value nobody knows. */
export interface Agreement {
  readonly unknown: string;
  readonly unit: string;
  /** Number of trials that determine it and are trusted. */
  readonly count: number;
  /**
   * Mean of those that are like the others, weighted by their standard errors, and its standard error; of trials that
   * disagree the plain mean, and the standard error by their spread.
   */
  readonly mean: number;
  readonly standardError: number;
  /** True if they differ by far more than their standard errors say: not all measured one thing, or errors are wrong. */
  readonly isDisagreement: boolean;
  /** All that were found, with their standard errors. */
  readonly found: readonly FoundByTrial[];
  /** Spread of these over what their standard errors say: about 1 where all measured one thing and the errors hold. */
  readonly spreadOverErrors: number;
  /** Names of the trials that are unlike the others, with what they found. */
  readonly unlike: readonly FoundByTrial[];
}

/** Fewest trials that can agree or not. */
const MIN_TRIALS = 3;
/** Distance from the median, in standard errors and at least in their usual spread, from which a trial is unlike others. */
const MIN_UNLIKE_DISTANCE = 3.5;
/** Spread over what standard errors say from which trials disagree: of three that agree, one class in 8000 has it. */
const MIN_DISAGREEMENT = 3;
/** Standard deviation over the median of absolute deviations, of normal errors. */
const NORMAL_DEVIATION_PER_MEDIAN = 1.4826;

const columnOf = ({ columns }: PageData, name: string) => columns.find((each) => each.name === name)?.cells;

/** Name of a row: whose it is, or its film. */
const nameOf = (data: PageData, row: number): string =>
  String((columnOf(data, 'group') ?? columnOf(data, 'film'))?.[row] ?? `trial ${row + 1}`);

/** Names of the trials whose estimates are not to be trusted. */
export const distrustedIn = (data: PageData): string[] =>
  data.ids.flatMap((_, row) => (columnOf(data, 'trusted')?.[row] === false ? [nameOf(data, row)] : []));

/** Estimate of an unknown by a trial. */
export interface FoundByTrial {
  readonly trial: string;
  readonly estimate: number;
  readonly standardError: number;
}

/** Agreement of the trials of one study of a page, for each unknown of which some determine it and are trusted. */
export function agreementsOf(data: PageData, which = 0): Agreement[] {
  const trusted = columnOf(data, 'trusted');
  return Object.entries(data.unknowns).flatMap(([unknown, { unit, estimate, standardError }]): Agreement[] => {
    const found = data.ids.flatMap((_, row): FoundByTrial[] => {
      const [value, error] = [estimate[row], standardError[row]];
      const counts =
        data.study[row] === which && trusted?.[row] !== false && value !== null && error !== null && error > 0;
      return counts ? [{ trial: nameOf(data, row), estimate: value, standardError: error }] : [];
    });
    const agreement = agreementOf(found);
    return agreement ? [{ unknown, unit, ...agreement }] : [];
  });
}

/** Agreement of trials that determine an unknown and are trusted; undefined for fewer than three. */
export function agreementOf(found: readonly FoundByTrial[]): Omit<Agreement, 'unknown' | 'unit'> | undefined {
  if (found.length < MIN_TRIALS) return undefined;
  const middle = median(found.map(({ estimate }) => estimate));
  const away = found.map(({ estimate, standardError }) => Math.abs(estimate - middle) / standardError);
  const most = MIN_UNLIKE_DISTANCE * Math.max(1, NORMAL_DEVIATION_PER_MEDIAN * median(away));
  const like = found.filter((_, k) => away[k] <= most);
  const weight = like.reduce((sum, { standardError: error }) => sum + error ** -2, 0);
  const weighted = like.reduce((sum, { estimate, standardError: error }) => sum + estimate / error ** 2, 0) / weight;
  const squaresAbout = (centre: number, errorOf: (own: FoundByTrial) => number): number =>
    like.reduce((sum, own) => sum + ((own.estimate - centre) / errorOf(own)) ** 2, 0) / Math.max(1, like.length - 1);
  const spreadOverErrors = Math.sqrt(squaresAbout(weighted, ({ standardError }) => standardError));
  const isDisagreement = spreadOverErrors > MIN_DISAGREEMENT;
  // Errors that do not hold are no weights: those that grow with the value would prefer the smallest.
  const plain = mean(like.map(({ estimate }) => estimate));
  return {
    count: found.length,
    mean: isDisagreement ? plain : weighted,
    standardError: isDisagreement
      ? Math.sqrt(squaresAbout(plain, () => 1) / like.length)
      : Math.max(1, spreadOverErrors) / Math.sqrt(weight),
    spreadOverErrors,
    isDisagreement,
    found,
    unlike: found.filter((_, k) => away[k] > most),
  };
}

/** Line about an unknown on which trials agree or not. */
export function agreementLine(agreement: Agreement): string {
  const {
    unknown,
    unit,
    count,
    mean: middle,
    standardError,
    spreadOverErrors,
    isDisagreement,
    found,
    unlike,
  } = agreement;
  const value = (estimate: number, error: number): string =>
    `${formatNumber(estimate, 4)} +- ${formatNumber(error, 2)}`;
  const listed = (of: readonly FoundByTrial[]): string =>
    of.map((own) => `${own.trial} (${value(own.estimate, own.standardError)})`).join(', ');
  const differ = `differ by ${formatNumber(spreadOverErrors, 2)} times what their standard errors say`;
  const others = unlike.length > 0 ? [`unlike the others: ${listed(unlike)}`] : [];
  if (!isDisagreement)
    return [
      `${unknown}: ${`${value(middle, standardError)} ${unit}`.trimEnd()} of ${count}; they ${differ}`,
      ...others,
    ].join('; ');
  return [
    `${unknown}: the ${count} ${differ}, so that they did not measure one thing, or a length or a clock is wrong`,
    listed(found.filter((own) => !unlike.includes(own))),
    ...others,
    `their plain mean is ${value(middle, standardError)} ${unit}`.trimEnd(),
  ].join('; ');
}
