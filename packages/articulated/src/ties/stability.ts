import type { BuildContext, F32, FieldOf, Kernel } from '@gradsim/core';
import { bind, f32, field, fieldOn, index, kernel } from '@gradsim/core';
import type { BodiesThatTouch } from '@gradsim/dynamics';
import { leastRateOf, memoise, pointMobilityRatio } from '@gradsim/dynamics';
import type { TieEnd, TieEndElement } from './tie.ts';
import { Tie } from './tie.ts';

/*
 * A tie of stiffness k adds up to k / m, times what `pointMobilityRatio` says of its point, to the square of the frequency with
 * which a body moves. Between two that move, either gives way to the other: by Gershgorin's theorem twice as much
 * counts. What ties there are of a body is added up, as that of a particle is with what else is around it.
 */

interface StiffnessSums {
  readonly stiffness: FieldOf<F32>;
  readonly damping: FieldOf<F32>;
}
const sumsOfBodies = memoise(({ component: { domain } }: BodiesThatTouch) => ({
  stiffness: field(domain, 'tieStiffness', f32, { unit: 'N/m' }),
  damping: field(domain, 'tieDamping', f32, { unit: 'N s/m' }),
}));

/** Returns the fields that sum the stiffness and damping around an end; undefined if no limit is computed from them. */
function sumsOf(end: TieEnd): StiffnessSums | undefined {
  if (end.kind === 'world') return undefined;
  if (end.kind === 'point') return end.of.around;
  return end.of.gyrationOf && end.of.mass && sumsOfBodies(end.of);
}

/** A tie of a group: the elements at its two ends, and its points in their axes, m. */
export interface GroupedTie {
  readonly ends: readonly [TieEndElement, TieEndElement];
  readonly points: readonly [ArrayLike<number>, ArrayLike<number>];
}

/** Adds the stiffness and damping of ties with the same two kinds of ends to the sums around these ends. */
export function addStiffnessOfTies(context: BuildContext, domain: string, group: readonly GroupedTie[]): void {
  const kinds = group[0].ends;
  const yielding = kinds.every(({ end }) => end.kind !== 'world') ? 2 : 1;
  kinds.forEach(({ end }, side) => {
    const sums = sumsOf(end);
    if (end.kind === 'world' || !sums) return;
    const name = ['first', 'second'][side];
    const grip = field(domain, `${name}Grip`, f32);
    const values = group.map(
      ({ ends, points }) => yielding * tieMobilityRatio(context, end, ends[side].number, points[side]),
    );
    context.model.addField(grip, { values, shared: true });
    const around = kernel(
      `stiffnessOfTies_${domain}_${name}`,
      {
        domain,
        reads: {
          tie: index(Tie.domain),
          held: index(end.of.component.domain),
          grip,
          tieStiffness: fieldOn(Tie.stiffness),
          tieDamping: fieldOn(Tie.damping),
        },
        adds: { stiffness: fieldOn(sums.stiffness), damping: fieldOn(sums.damping) },
      },
      ({ tie, held, grip, tieStiffness, tieDamping, stiffness, damping }) => {
        stiffness.add(held, tieStiffness.at(tie).mul(grip));
        damping.add(held, tieDamping.at(tie).mul(grip));
      },
    );
    context.model.addPass('setup', bind(around, { held: name }));
  });
}

/** Adds a limit of the stable substep for bodies that ties hold. */
export function addTieRates({ model }: BuildContext, ends: Iterable<TieEnd>): void {
  const held = new Set([...ends].flatMap((end) => (end.kind === 'body' && sumsOf(end) ? [end.of] : [])));
  for (const bodies of held) {
    const sums = sumsOfBodies(bodies);
    const rate = field(bodies.component.domain, 'leastTieRate', f32, { unit: '1/s' });
    model.addField(rate);
    model.addPass('setup', leastTieRate(bodies, rate));
    model.addStepLimit(rate, [sums.stiffness, sums.damping]);
  }
}

const leastTieRate = (bodies: BodiesThatTouch, rate: FieldOf<F32>): Kernel =>
  kernel(
    `leastTieRate_${bodies.component.domain}`,
    {
      domain: bodies.component,
      reads: { ...sumsOfBodies(bodies), mass: bodies.mass! },
      writes: { rate },
    },
    ({ stiffness, damping, mass }) => ({ rate: leastRateOf(damping.div(mass), stiffness.div(mass)) }),
  );

/**
 * Returns the ratio of the mobility of a body at its tie point to that of its mass alone, see `pointMobilityRatio`; 1 for a
 * particle.
 */
function tieMobilityRatio(context: BuildContext, end: TieEnd, number: number, point: ArrayLike<number>): number {
  if (end.kind !== 'body') return 1;
  const { component, gyrationOf } = end.of;
  return pointMobilityRatio(gyrationOf!(context, context.entities(component)[number]), point);
}
