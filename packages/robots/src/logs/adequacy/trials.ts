import { choleskyFactor, solveByFactor, sum, sumOfProducts } from '@gradsim/base';
import { type Block, blocksOf, studentGrowth, total } from '../covariance.ts';
import type { DelayDirection } from '../delay.ts';
import type { Recording } from '../recording/recording.ts';
import { type Channel, type Fit, product, residualsOf } from '../robust-fit.ts';
import type { Term, TermKind } from './terms.ts';

/** What a term would change, if the model had it. */
export interface Trial {
  readonly kind: TermKind;
  readonly joint: string;
  readonly name: string;
  /** Largest coefficient of its columns, in standard errors. */
  readonly significance: number;
  /** Part of the squared errors of foretold blocks that it takes away, each foretold by the fit to the others. */
  readonly gain: number;
  /** Largest change of a parameter that it makes, in standard errors. */
  readonly shift: number;
}

/** Least number of blocks that are foretold in a recording: a short one is much like its neighbours, which any term foretells. */
const MIN_PREDICTED_BLOCKS = 8;
/**
 * Part of a block's weight that is left out where it is foretold: of what it alone determines the others say nothing, and a
 * right model would foretell it by any number.
 */
const LEFT_OUT = 0.9;
/** Part of a column that others do not explain, squared, below which it says nothing. */
const MIN_UNEXPLAINED = 1e-3;

/** Columns by channel; an empty one is zero. */
type Column = readonly Float64Array[];
/** Sums of products of columns over each block: [block][row][column]. */
type Sums = number[][][];

/**
 * Tries terms one by one beside a fit, with its weights, and whether each foretells blocks of the recordings better that were
 * not fitted. The delay is as free as base parameters are. All comes of sums of products over blocks, of which a term adds
 * those of its own columns. Weights stay those of the fit, by which what a block outweighs is bounded: second derivatives of a
 * robust loss are negative where a law is wrong, and leaving a block out then led anywhere.
 * @param errors standard errors of the base parameters; infinite of unknowns that no answer has.
 */
export function tryTerms(
  terms: readonly Term[],
  fit: Fit,
  direction: DelayDirection | undefined,
  channels: readonly Channel[],
  recordings: readonly Recording[],
  errors: readonly number[],
): Trial[] {
  const { weights } = fit;
  const blocks = blocksOf(recordings, MIN_PREDICTED_BLOCKS);
  const delay = direction ? [direction.slopes.map((slope) => slope.map((x) => -x))] : [];
  const known: Column[] = [...fit.base.independent.map((p) => channels.map(({ columns }) => columns[p])), ...delay];
  const residuals = channels.map((channel) => residualsOf(channel, fit));
  const ofWeights = sumsOf(blocks, known, known, weights);
  const right = sumsOf(blocks, known, [residuals], weights);
  const squares = sum(sumsOf(blocks, [residuals], [residuals], weights).map(([[x]]) => x));
  const plain = fitWithColumns([]);
  if (!plain) return [];
  return terms.flatMap(({ columns, ...term }): Trial[] => {
    const kept = columns.filter(isNew);
    const own = kept.length > 0 ? fitWithColumns(kept) : undefined;
    if (!own) return [];
    return [
      {
        ...term,
        significance: Math.max(...own.significance),
        gain: 1 - own.foretold / plain.foretold,
        shift: Math.max(...fit.values.map((_, i) => Math.abs(own.change[i] - plain.change[i]) / errors[i])),
      },
    ];
  });

  /** The fit with columns more: the change of its values, and how it foretells blocks; undefined if some depend on others. */
  function fitWithColumns(more: readonly Column[]) {
    const across = sumsOf(blocks, more, known, weights);
    const own = sumsOf(blocks, more, more, weights);
    const normals = ofWeights.map((rows, b) => [
      ...rows.map((row, i) => [...row, ...more.map((_, k) => across[b][k][i])]),
      ...more.map((_, k) => [...across[b][k], ...own[b][k]]),
    ]);
    const whole = total(normals);
    const ofMore = sumsOf(blocks, more, [residuals], weights);
    const rights = right.map((rows, b) => [...rows, ...ofMore[b]].map(([x]) => x));
    const factor = choleskyFactor(whole);
    if (!factor) return undefined;
    const all = normals[0].map((_, i) => sum(rights.map((one) => one[i])));
    const change = solveByFactor(factor, all);
    const spread = more.map(() => 0);
    let foretold = squares;
    for (const [b, normal] of normals.entries()) {
      const gradient = rights[b].map((x, i) => x - sumOfProducts(normal[i], change));
      const without = choleskyFactor(whole.map((row, i) => row.map((x, k) => x - LEFT_OUT * normal[i][k])));
      const by = solveByFactor(without ?? factor, gradient);
      const left = change.map((x, i) => x - by[i]);
      for (const k of more.keys()) spread[k] += by[known.length + k] ** 2;
      foretold += sum(left.map((x, i) => x * (sumOfProducts(normal[i], left) - 2 * rights[b][i])));
    }
    const others = Math.max(blocks.length - 1, 1);
    const widening = studentGrowth(others) * Math.sqrt(others / blocks.length);
    return {
      change,
      foretold,
      significance: spread.map((x, k) => Math.abs(change[known.length + k]) / (widening * Math.sqrt(x))),
    };
  }

  /** True if the columns of the fit do not explain a column. */
  function isNew(column: Column): boolean {
    const size = total(sumsOf(blocks, [column], [column], weights))[0][0];
    if (!(size > 0)) return false;
    const base = known.slice(0, fit.values.length);
    const [across] = total(sumsOf(blocks, [column], base, weights));
    return size - sumOfProducts(across, solveByFactor(fit.factor, across)) > MIN_UNEXPLAINED * size;
  }
}

/** Sums of weighted products of columns over blocks. */
function sumsOf(
  blocks: readonly Block[],
  rows: readonly Column[],
  columns: readonly Column[],
  weights: readonly Float64Array[],
): Sums {
  const sums = blocks.map(() => rows.map(() => columns.map(() => 0)));
  for (const [r, row] of rows.entries())
    for (const [c, own] of row.entries()) {
      if (own.length === 0) continue;
      const weighted = own.map((x, s) => weights[c][s] * x);
      const inside = [...blocks.entries()].filter(([, { channels }]) => channels.includes(c));
      for (const [k, { [c]: other }] of columns.entries())
        if (other.length > 0)
          for (const [b, { first, end }] of inside)
            sums[b][r][k] += product(weighted, other, first, Math.min(end, other.length));
    }
  return sums;
}
