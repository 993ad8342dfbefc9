import type { BuildContext, EvaluationAt, Kernel, Model, Plugin, Tolerance } from '@gradsim/core';
import {
  bind,
  conjugateResiduals,
  definePlugin,
  evaluateAt,
  field,
  GradsimError,
  implicit,
  kernel,
  max,
  pow,
  select,
  toleranceAt,
  vec2,
  vec3,
  when,
} from '@gradsim/core';
import { Integrators } from '@gradsim/dynamics';
import { Particle } from '@gradsim/particles';
import type { Solve, VectorsOfParticles } from './motion.ts';
import {
  acceptStep,
  extrapolateMiddle,
  firstOfTwoSolves,
  firstOrderSolve,
  inertiaOfStep,
  middleVelocity,
  momentumBalance,
  predictPosition,
  rememberVelocity,
  secondOfTwoSolves,
  substepFraction,
} from './motion.ts';
import {
  derivativeTolerance,
  newton,
  REJECTION_REASONS,
  rejectionReason,
  relativeResidual,
  tolerance,
} from './newton.ts';
import type { StepOptions } from './options.ts';
import { checkOptions } from './options.ts';
import { addPieces, pieceKernels } from './pieces.ts';
import { precondition } from './precondition.ts';

const PLUGIN_NAME = '@gradsim/implicit';

/**
 * Moves particles by backward Euler, v' = v + dt (g + f(x + dt v', v') / m), x' = x + dt v', with the forces f of all
 * plugins; or, with `order: 2`, by two such solves per substep, which is of second order. Substeps may be as long as
 * the motion of interest allows, however stiff the forces are.
 *
 * The derivative is that of the equation, by the implicit function theorem: one linear solve per substep, and no
 * iteration of Newton's method is stored.
 *
 * ```ts
 * const scene = createScene([particles(), springs(), implicitSteps()]);
 * ```
 * @throws for an unknown option; in `createSimulation`, where there are no particles, or forces come from groups of
 * passes, which have no derivative kernel by kernel. A run throws where a substep is not solved, naming the substep and
 * the reason; where a tolerance is below the precision of the device; and where a particle has no mass.
 */
export function implicitSteps(options: StepOptions = {}): Plugin {
  checkOptions(options);
  return definePlugin({
    name: PLUGIN_NAME,
    contract: 1,
    offers: [Integrators],
    build: ({ model }) => model.offer(Integrators, { component: Particle, isImplicit: true }),
    // Forces are known once every plugin has added its own.
    finish: (context) => addSteps(context, options),
  });
}

function addSteps({ model }: BuildContext, options: StepOptions): void {
  if (!model.domains.has(Particle.domain))
    throw new GradsimError('implicit/nothing-to-move', 'implicitSteps: there are no particles to move.', {
      field: 'there',
      hint: 'Register @gradsim/particles.',
    });
  const count = model.domain(Particle.domain).size;
  const { order = 1, newtonSteps = 30, products = Math.min(1000, 6 * count + 200) } = options;
  const part = substepFraction(order);
  // Passes that solves evaluate are found before any of the solves' own is added.
  const solves = (order === 1 ? [firstOrderSolve] : [firstOfTwoSolves, secondOfTwoSolves]).map((solve) => ({
    solve,
    there: forcesAt(model, solve),
  }));
  addMassCheck(model);
  model.addPass('setup', toleranceOfSteps(options.tolerance));
  addPieces(model);
  // Elements that move before forces are evaluated do so in phase control, after controllers.
  const controls = new Set(
    model.passes.flatMap(({ phase, owner }) => (phase === 'control' && owner !== undefined ? [owner] : [])),
  );
  const after = [...controls];
  for (const pass of [inertiaOfStep(part), rememberVelocity, ...pieceKernels])
    model.addPass('control', pass, { after });
  if (order === 2) model.addField(middleVelocity, { fill: 0 });
  model.addAlarm(stuckRecord, ([why, left]) => rejectionText(why, left, solves[0].there.alarmKeys));
  for (const { solve, there } of solves) {
    if (solve === secondOfTwoSolves)
      model.addPass('control', extrapolateMiddle(part), { after: [firstOfTwoSolves.name] });
    const balance = bind(momentumBalance(there.result, solve, part));
    const equations = [bind(predictPosition(solve, part)), ...there.passes, balance];
    const found = newton(solve, part, equations, [...there.passes, balance], there, {
      newtonSteps,
      products,
      tolerance: options.tolerance,
    });
    const step = implicit(found, {
      unknown: solve.unknown,
      residual: solve.momentumResidual,
      equations,
      name: solve.name,
      maxRounds: 4 * products,
      solve: (system) =>
        conjugateResiduals({
          ...system,
          precondition,
          tolerance: derivativeTolerance,
          relaxation: WORST_ROUNDING_FACTOR,
        }),
    });
    model.addPass('control', step, { after });
    model.addPass('control', reportRejection());
  }
  model.addPass('control', acceptStep(part), { after: [solves.at(-1)!.solve.name] });
}

/** Returns the passes of plugins that compute the forces where a solve evaluates them. */
function forcesAt(
  model: Model,
  { name, nextPosition, nextCarry, nextVelocity }: Solve,
): EvaluationAt & { result: VectorsOfParticles } {
  // Read by forces that use the compensation of positions, if there are any.
  model.addComputed(nextCarry);
  const there = evaluateAt(model, {
    phase: 'force',
    field: Particle.force,
    name,
    replacedFields: {
      [Particle.position.key]: nextPosition,
      [Particle.positionCarry.key]: nextCarry,
      [Particle.velocity.key]: nextVelocity,
    },
  });
  return { ...there, result: field('particles', there.result.name, vec3) };
}

const stuckRecord = field('world', 'implicitStuck', vec3);
/** Kernel that raises the alarm of a substep in which Newton's method is stuck. */
const reportRejection = (): Kernel =>
  kernel(
    'reportHindrance',
    {
      domain: 'world',
      reads: { hindrance: rejectionReason, remaining: relativeResidual, stuck: stuckRecord },
      writes: { stuck: stuckRecord },
    },
    ({ hindrance, remaining, stuck }, { substep }) => ({
      stuck: when(
        hindrance.gt(0).and(stuck.x.eq(0)),
        () => vec3(substep.add(1).toF32(), hindrance, remaining),
        () => stuck,
      ),
    }),
  );

function rejectionText(why: number, left: number, watched: readonly string[]): string {
  const what = `implicitSteps found no velocity for the end of the substep: ${left.toPrecision(3)} of the momentum is missing`;
  const { alarm, infinite } = REJECTION_REASONS;
  if (why === alarm)
    return `${what}, and every try to come closer raises an alarm of a plugin (${watched.join(', ')}). Take more substeps a second`;
  if (why === infinite)
    return `${what}, and forces on the way to it are not finite. Take more substeps a second, and see that nothing starts where a force has no value`;
  return `${what}, and no part of Newton's step makes that less. Take more substeps a second: forces may change too suddenly within one`;
}

/** Usual rounding error of a linear solve of many iterations, in units of machine epsilon. */
const SOLVE_ROUNDING = 300;
/** Ratio of the worst rounding error of a linear solve to the usual one. */
const WORST_ROUNDING_FACTOR = 30;
/** Exponent p of the default tolerance epsilon^p, with epsilon the relative rounding error. */
const TOLERANCE_EXPONENT = 0.8;
const massless = field('particles', 'withoutMass', vec2);

function addMassCheck(model: Model): void {
  model.addAlarm(
    massless,
    ([mass], particle) =>
      `${particle} has a mass of ${mass} kg, and an implicit step needs one that is positive; give it a mass, or fix it`,
  );
  model.addPass('setup', checkMass);
}

const toleranceOfSteps = (given: Tolerance | undefined): Kernel =>
  kernel('toleranceOfSteps', { domain: 'world', writes: { tolerance, derivativeTolerance } }, (_, { epsilon }) => {
    const asked = given === undefined ? pow(epsilon, TOLERANCE_EXPONENT) : toleranceAt(epsilon, given);
    return { tolerance: asked, derivativeTolerance: max(asked, epsilon.mul(SOLVE_ROUNDING)) };
  });

const checkMass = kernel(
  'checkMass',
  {
    domain: Particle,
    reads: { totalMass: Particle.totalMass, fixed: Particle.fixed, massless },
    writes: { massless },
  },
  ({ totalMass, fixed, massless }) => ({
    massless: select(fixed.eq(0).and(totalMass.gt(0).not()), vec2(1, totalMass), massless),
  }),
);
