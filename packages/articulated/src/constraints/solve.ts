import type { FieldRef, Kernel, KernelPass, Model, Pass, ValueType, Vec3 } from '@gradsim/core';
import { bind, block, conjugateGradients, field, implicit, jacobianProduct, kernel, vec3 } from '@gradsim/core';
import { hasAxis } from '../joint.ts';
import { Link } from '../link.ts';
import type { Rank } from '../ranks.ts';
import { ACCELERATION, accelerate, JOINT_ACCELERATION } from '../sweeps/accelerate.ts';
import { BALANCE_FIELDS, balance, RESPONSE_FIELDS } from '../sweeps/balance.ts';
import type { DragKind } from '../sweeps/inward.ts';
import { BURDEN_FIELDS, GAIN_FIELDS, inward } from '../sweeps/inward.ts';
import { CHANGE_FIELDS, respondToImbalance } from '../sweeps/respond.ts';
import type { PortRenames } from '../sweeps/sweep.ts';
import { CONSTRAINT_ROWS, constraintLoads, movedAccelerations, multiplier, residual } from './fields.ts';
import { addConstraintLoads, addRowResiduals, copyExternalLoads } from './rows.ts';
import { copyAccelerations } from './tell.ts';

/** Names of the fields of depth levels that sweeps write, each of which a second run of them needs once more. */
export const SWEPT_FIELD_NAMES: readonly string[] = [
  ...[BURDEN_FIELDS, ...Object.values(GAIN_FIELDS), ACCELERATION, ...Object.values(JOINT_ACCELERATION)],
  ...[BALANCE_FIELDS, ...Object.values(RESPONSE_FIELDS), CHANGE_FIELDS],
].flatMap((of) => Object.keys(of));

/** Damping and dry friction of joints, and the port renames of sweeps that come of them. */
interface Drag {
  readonly kind: DragKind;
  readonly rebound?: PortRenames;
}

/** Suffixes of the sweeps without multipliers: within the rounds of dry friction, and behind them. */
export const UNCONSTRAINED_SUFFIXES = { rounds: 'Unheld', step: 'Free' } as const;
/** Suffix of the sweeps of a round of dry friction. */
export const TRIAL_SUFFIX = 'Trial';

/** Returns the name of the field that a run of sweeps with a suffix has in place of another. */
const nameOf = ({ name }: FieldRef, suffix: string): string => `${name}${suffix}`;
/** Field of the multipliers that a run of sweeps acts with. Those within rounds of friction have no derivative. */
const multiplierField = (suffix: string): FieldRef<ValueType<Vec3>> =>
  suffix === UNCONSTRAINED_SUFFIXES.rounds || suffix === TRIAL_SUFFIX
    ? field(CONSTRAINT_ROWS, nameOf(multiplier, UNCONSTRAINED_SUFFIXES.rounds), vec3)
    : multiplier;

/** Adds the fields that the sweeps without multipliers write. */
export function addUnconstrainedFields(model: Model): void {
  for (const suffix of ['', TRIAL_SUFFIX, ...Object.values(UNCONSTRAINED_SUFFIXES)])
    for (const of of Object.values(constraintLoads)) model.addComputed(field(Link.domain, nameOf(of, suffix), of.type));
  for (const suffix of Object.values(UNCONSTRAINED_SUFFIXES))
    for (const of of [Link.acceleration, Link.angularAcceleration, Link.linearAcceleration])
      model.addAccumulator(Link.domain, nameOf(of, suffix), of.type);
}

/** Returns the port renames of sweeps of a level that read the loads of constraints too. */
export function renamesUnderConstraints(rank: Rank, rebound: PortRenames | undefined, suffix = ''): PortRenames {
  const { names = [], ofLinks = {} } = rebound ?? {};
  return {
    names,
    suffix: rebound?.suffix ?? '',
    ofLinks: {
      ...ofLinks,
      linkForce: `${constraintLoads.force.name}${suffix}`,
      linkTorque: `${constraintLoads.torque.name}${suffix}`,
      ...(hasAxis(rank.joint) && { linkEffort: `${constraintLoads.effort.name}${suffix}` }),
    },
  };
}

/** Returns the passes that set the loads with those of constraints. */
export const loadPasses = (suffix = ''): KernelPass[] => {
  const names = Object.fromEntries(
    Object.entries(constraintLoads).map(([port, { name }]) => [port, `${name}${suffix}`]),
  );
  return [
    bind(copyExternalLoads, names),
    bind(addConstraintLoads(), { ...names, multiplier: multiplierField(suffix) }),
  ];
};

/**
 * Returns the passes from multipliers to residuals, in running order. Those of derivatives are among them: products with
 * the matrix of the multipliers are tangents of these passes.
 */
function residualPasses(ranks: readonly Rank[], drag: Drag, suffix: string): KernelPass[] {
  const own: PortRenames = {
    names: SWEPT_FIELD_NAMES,
    suffix,
    ofLinks: {
      ...drag.rebound?.ofLinks,
      sumAcceleration: nameOf(Link.acceleration, suffix),
      sumAngularAcceleration: nameOf(Link.angularAcceleration, suffix),
      sumLinearAcceleration: nameOf(Link.linearAcceleration, suffix),
      sumLinkAlpha: `${movedAccelerations.alpha.name}${suffix}`,
      sumLinkAcceleration: `${movedAccelerations.acceleration.name}${suffix}`,
    },
  };
  const of = (rank: Rank): PortRenames => renamesUnderConstraints(rank, own, suffix);
  const inwards = [...ranks].reverse();
  const options = { isLoaded: true, drag: drag.kind };
  const passes = [
    ...loadPasses(suffix),
    ...inwards.map((rank) => inward(rank, options, of(rank))),
    ...ranks.map((rank) => accelerate(rank, of(rank))),
    ...inwards.map((rank) => balance(rank, options, of(rank))),
    ...ranks.map((rank) => respondToImbalance(rank, of(rank))),
    ...ranks.map((rank) => copyAccelerations(rank, of(rank))),
    bind(addRowResiduals(), {
      alpha: `${movedAccelerations.alpha.name}${suffix}`,
      linear: `${movedAccelerations.acceleration.name}${suffix}`,
      jointAcceleration: nameOf(Link.acceleration, suffix),
      residual: nameOf(residual, suffix),
      multiplier: multiplierField(suffix).name,
    }),
  ];
  // A fixed link on the world passes nothing on.
  return passes.filter(({ kernel: { form } }) => form.ports.some(({ access }) => access !== 'read'));
}

const zeroMultipliers = kernel('releaseConstraints', { domain: multiplier.domain, writes: { multiplier } }, () => ({
  multiplier: vec3(0, 0, 0),
}));

/** Returns passes that find the multipliers by conjugate gradients: the residual is linear in them. */
function multiplierSolve(ranks: readonly Rank[], drag: Drag, suffix: string): { passes: Pass[]; all: KernelPass[] } {
  const all = residualPasses(ranks, drag, suffix);
  const of = field(CONSTRAINT_ROWS, `${residual.name}${suffix}`, vec3);
  const unknown = multiplierField(suffix);
  const side = field(CONSTRAINT_ROWS, `missing${suffix}`, vec3);
  const turn: Kernel = kernel(
    `missing${suffix}`,
    { domain: multiplier.domain, reads: { of }, writes: { side } },
    (row) => ({ side: row.of.neg() }),
  );
  const passes = [
    bind(zeroMultipliers, { multiplier: unknown }),
    ...all,
    bind(turn),
    ...conjugateGradients({
      rightSide: side,
      solution: unknown,
      product: (from, into) => jacobianProduct(of, { along: { [unknown.key]: from }, into, differentiatedPasses: all }),
      name: `constraints${suffix}`,
      advice: 'See whether constraints contradict each other.',
    }),
  ];
  return { passes, all };
}

/** Returns passes that find the multipliers under the current linearisation of dry friction, a constant in derivatives. */
export const constraintRounds = (ranks: readonly Rank[], drag: Drag): Pass[] => [
  block(multiplierSolve(ranks, drag, UNCONSTRAINED_SUFFIXES.rounds).passes, {
    vjp: [],
    name: 'constraints within friction',
  }),
];

/** Returns the pass that finds the multipliers of a substep. Its derivative is that of the implicit function theorem. */
export function constraintStep(ranks: readonly Rank[], drag: Drag): Pass {
  const { passes, all } = multiplierSolve(ranks, drag, UNCONSTRAINED_SUFFIXES.step);
  return implicit(passes, {
    unknown: multiplier,
    residual: field(CONSTRAINT_ROWS, `${residual.name}${UNCONSTRAINED_SUFFIXES.step}`, vec3),
    equations: all,
    symmetric: true,
    name: 'constraints',
  });
}
