import type { F32, Mat33, Pass } from '@gradsim/core';
import {
  adjointOf,
  block,
  column,
  defineComponent,
  exp,
  expm1,
  f32,
  kernel,
  log1p,
  max,
  min,
  select,
  tangentOf,
  traceOf,
} from '@gradsim/core';
import { memoise } from '@gradsim/dynamics';
import { material, POINT_COLUMNS, POINT_FIELDS } from '../material.ts';
import { alongAxes, fromAxes, inAxes, principalOf, symmetric, tensorOf } from '../principal.ts';
import { henckyAfter, spherical, squareStretch, strainOf } from '../tensors.ts';
import { lameOf, MODULI, pressureModulus } from './moduli.ts';

/** A point of snow. Its `strain` is the elastic Hencky strain. */
export const SnowPoint = defineComponent(
  'snowPoints',
  {
    ...POINT_COLUMNS,
    ...MODULI,
    /** xi: packed to a plastic volume ratio J, snow is stiffer by exp(xi (1 - J)). */
    hardening: column(f32, { default: 10, range: 'nonNegative' }),
    /** theta_c, theta_s: by how much it can be compressed and stretched, as parts of a length, before it flows. */
    criticalCompression: column(f32, {
      default: 0.025,
      range: { requirement: 'be at least 0 and below 1', isMet: ([x]: readonly number[]) => x >= 0 && x < 1 },
    }),
    criticalStretch: column(f32, { default: 0.0075, range: 'nonNegative' }),
    /** Logarithm of the plastic volume ratio: below 0 where snow is packed. */
    plasticVolume: column(f32, { default: 0 }),
  },
  POINT_FIELDS,
  { noun: 'snow point' },
);

const { youngsModulus, poissonRatio, hardening, criticalCompression, criticalStretch, plasticVolume, strain } =
  SnowPoint;

const hardeningFactor = ({ hardening, plasticVolume }: { hardening: F32; plasticVolume: F32 }): F32 =>
  exp(hardening.mul(expm1(plasticVolume)).neg());

/** Principal strains between log(1 - theta_c) and log(1 + theta_s), and how these limits change. */
function limitStretch(strain: Mat33, criticalCompression: F32, criticalStretch: F32) {
  const { values, axes } = principalOf(strain);
  const [low, high] = [log1p(criticalCompression.neg()), log1p(criticalStretch)];
  const [zero, one] = [f32(0), f32(1)];
  const [isLow, isHigh] = [values.map((v) => v.lt(low)), values.map((v) => v.gt(high))];
  return {
    values,
    axes,
    results: values.map((v) => min(max(v, low), high)),
    slopes: values.map((_, k) => select(isLow[k].or(isHigh[k]), zero, one)),
    /** d result / d theta_c and d result / d theta_s. */
    byCompression: isLow.map((is) => select(is, one.div(criticalCompression.sub(1)), zero)),
    byStretch: isHigh.map((is) => select(is, one.div(criticalStretch.add(1)), zero)),
  };
}

/** Lets snow flow: clamps its principal strains; what is lost of the volume is plastic. */
const yieldSnow = memoise(() =>
  kernel(
    'yieldSnow',
    {
      domain: SnowPoint,
      reads: { strain, plasticVolume, criticalCompression, criticalStretch },
      writes: { strain, plasticVolume },
    },
    ({ strain, plasticVolume, criticalCompression, criticalStretch }) => {
      const { results, axes } = limitStretch(strain, criticalCompression, criticalStretch);
      const after = tensorOf(results, axes);
      return { strain: after, plasticVolume: plasticVolume.add(traceOf(strain)).sub(traceOf(after)) };
    },
  ),
);

const diagonal = (m: Mat33, by: readonly F32[]): F32 =>
  by.map((b, k) => b.mul(m.entry(k, k))).reduce((sum, term) => sum.add(term));

const yieldSnowBack = memoise(() =>
  kernel(
    'yieldSnowBack',
    {
      domain: SnowPoint,
      reads: {
        strain,
        criticalCompression,
        criticalStretch,
        after: adjointOf(strain),
        volumeAfter: adjointOf(plasticVolume),
      },
      adds: {
        before: adjointOf(strain),
        volumeBefore: adjointOf(plasticVolume),
        compression: adjointOf(criticalCompression),
        stretch: adjointOf(criticalStretch),
      },
    },
    ({
      strain,
      criticalCompression,
      criticalStretch,
      after,
      volumeAfter,
      before,
      volumeBefore,
      compression,
      stretch,
    }) => {
      const { values, axes, results, slopes, byCompression, byStretch } = limitStretch(
        strain,
        criticalCompression,
        criticalStretch,
      );
      const own = inAxes(symmetric(after).sub(spherical(volumeAfter)), axes);
      before.add(fromAxes(alongAxes(own, values, results, slopes), axes).add(spherical(volumeAfter)));
      volumeBefore.add(volumeAfter);
      compression.add(diagonal(own, byCompression));
      stretch.add(diagonal(own, byStretch));
    },
  ),
);

const yieldSnowAlong = memoise(() =>
  kernel(
    'yieldSnowAlong',
    {
      domain: SnowPoint,
      reads: {
        strain,
        criticalCompression,
        criticalStretch,
        before: tangentOf(strain),
        volumeBefore: tangentOf(plasticVolume),
        compression: tangentOf(criticalCompression),
        stretch: tangentOf(criticalStretch),
      },
      writes: { after: tangentOf(strain), volumeAfter: tangentOf(plasticVolume) },
    },
    ({ strain, criticalCompression, criticalStretch, before, volumeBefore, compression, stretch }) => {
      const { values, axes, results, slopes, byCompression, byStretch } = limitStretch(
        strain,
        criticalCompression,
        criticalStretch,
      );
      const moved = alongAxes(inAxes(symmetric(before), axes), values, results, slopes);
      const limits = byCompression.map((by, k) => by.mul(compression).add(byStretch[k].mul(stretch)));
      const after = fromAxes(moved, axes).add(tensorOf(limits, axes));
      return { after, volumeAfter: volumeBefore.add(traceOf(before)).sub(traceOf(after)) };
    },
  ),
);

/**
 * Fixed corotated elasticity, tau = 2 mu (V - 1) V + lambda (J - 1) J with the left stretch V = exp(e) and J = det V, mu
 * and lambda harder by exp(xi (1 - Jp)). Source: A. Stomakhin et al., A Material Point Method for Snow Simulation, 2013.
 */
export const snow = material({
  component: SnowPoint,
  columns: { youngsModulus, poissonRatio, hardening, plasticVolume },
  stress: (strain, _, own) => {
    const { G, L } = lameOf(own);
    const u = squareStretch(strain.mul(0.5));
    const j = expm1(traceOf(strain));
    return u
      .add(u.mul(u))
      .mul(G.mul(2))
      .add(spherical(L.mul(j).mul(j.add(1))))
      .mul(hardeningFactor(own));
  },
  advance: (strain, step) => strainOf(henckyAfter(strain, step)),
  growth: (strain, { plasticVolume }) => expm1(traceOf(strain).add(plasticVolume)),
  modulus: (own) => pressureModulus(lameOf(own)).mul(hardeningFactor(own)),
  after: memoise((): Pass => block([yieldSnow()], { vjp: [yieldSnowBack()], jvp: [yieldSnowAlong()], name: 'snow' })),
});
