import { stiffnessOf } from '@gradsim/fem';
import type { Problem, TieSpec } from '@gradsim/optim';
import { DASHPOT_TIME, type SoftMaterial } from './material.ts';

type Values = Readonly<Record<string, number>>;

/**
 * Ties of the elements' fields to a material's unknowns, for copies of a body one after another: without an unknown among those
 * that a tie needs, the scene has its value. Derived is `damping`, that of a soft body with this dashpot, Pa s.
 */
export function materialTies(
  material: SoftMaterial,
  unknown: readonly (keyof SoftMaterial)[],
  { bodies, elements }: { readonly bodies: number; readonly elements: number },
): Required<Pick<Problem, 'ties' | 'derived'>> {
  const hasArm = material.armRatio > 0;
  const stride = elements * (hasArm ? 2 : 1);
  const armElements = (which: number): number[] =>
    Array.from({ length: bodies * elements }, (_, k) => {
      const body = Math.floor(k / elements);
      return body * stride + which * elements + (k - body * elements);
    });
  const value = (values: Values, name: keyof SoftMaterial): number =>
    unknown.includes(name) ? values[name] : material[name];
  const stiffness = (values: Values): ReturnType<typeof stiffnessOf> =>
    stiffnessOf({ youngsModulus: value(values, 'youngsModulus'), poissonRatio: value(values, 'poissonRatio') });
  const tied = (needs: readonly (keyof SoftMaterial)[], tie: TieSpec): TieSpec[] =>
    needs.some((name) => unknown.includes(name)) ? [tie] : [];
  const elastic = ['youngsModulus', 'poissonRatio'] as const;
  const ratio = { field: 'quadraticTetArms.ratio' };
  const time = { field: 'quadraticTetArms.relaxationTime' };
  const [dashpots, arms] = [armElements(0), hasArm ? armElements(1) : []];
  return {
    ties: [
      ...tied(elastic, { field: 'quadraticTets.mu', compute: (v) => stiffness(v).mu }),
      ...tied(elastic, { field: 'quadraticTets.lambda', compute: (v) => stiffness(v).lambda }),
      ...tied(['dashpot'], { ...ratio, elements: dashpots, compute: (v) => value(v, 'dashpot') / DASHPOT_TIME }),
      ...(hasArm
        ? [
            ...tied(['armRatio'], { ...ratio, elements: arms, compute: (v) => value(v, 'armRatio') }),
            ...tied(['relaxationTime'], { ...time, elements: arms, compute: (v) => value(v, 'relaxationTime') }),
          ]
        : []),
    ],
    derived: { damping: { compute: (v) => 0.75 * stiffness(v).mu * value(v, 'dashpot'), unit: 'Pa s' } },
  };
}
