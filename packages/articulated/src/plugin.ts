import type { BuildContext, Model, Pass, Plugin, ValueType } from '@gradsim/core';
import { definePlugin, field, GradsimError, refuseUnknownOptions, Surfaces } from '@gradsim/core';
import type { IntegratorOptions } from '@gradsim/dynamics';
import { addGravity, BodiesThatTouch, Gravity, intervalOf, isOwnIntegrator, unitOrientation } from '@gradsim/dynamics';
import { treesOf } from './check.ts';
import { addConstraints } from './constraints/build.ts';
import { Constraint } from './constraints/constraint.ts';
import {
  addUnconstrainedFields,
  constraintStep,
  loadPasses,
  renamesUnderConstraints,
  SWEPT_FIELD_NAMES,
  UNCONSTRAINED_SUFFIXES,
} from './constraints/solve.ts';
import { COASTING_FIELDS, coastingAccelerations } from './constraints/tell.ts';
import { Actuator, addActuatorEfforts, checkActuator } from './efforts/actuator.ts';
import { frictionRounds, TRIAL_RENAMES } from './implicit/friction-rounds.ts';
import type { DragFields } from './implicit/joints.ts';
import { addImplicitJoints } from './implicit/joints.ts';
import { addImplicitSpin } from './implicit/spin.ts';
import { hasAxis, turnsFreely } from './joint.ts';
import type { JointKind } from './link.ts';
import { Link } from './link.ts';
import { LogCholesky, massesOfFactors } from './log-cholesky.ts';
import { addMeshes, CONTACT_STATE } from './meshes.ts';
import { moveAxis, moveBall, moveFree } from './move.ts';
import type { Rank } from './ranks.ts';
import { ranksOf } from './ranks.ts';
import { addFreeSpinRates } from './stability/free-spin.ts';
import { addJointRates } from './stability/joints.ts';
import { ACCELERATION, accelerate, JOINT_ACCELERATION } from './sweeps/accelerate.ts';
import { BALANCE_FIELDS, balance, RESPONSE_FIELDS } from './sweeps/balance.ts';
import { BURDEN_FIELDS, GAIN_FIELDS, inward } from './sweeps/inward.ts';
import { LUMP_FIELDS, lump } from './sweeps/lump.ts';
import { MOTION_FIELDS, outward } from './sweeps/outward.ts';
import { CONTACT_POSE, FRAME_POSE, placeForContact, poseForFrames } from './sweeps/place.ts';
import { BODY_FIELDS, FRAME_FIELDS, prepare } from './sweeps/prepare.ts';
import { CHANGE_FIELDS, respondToImbalance } from './sweeps/respond.ts';
import type { PortRenames } from './sweeps/sweep.ts';
import { levelFieldName } from './sweeps/sweep.ts';

const unitJoint = unitOrientation(Link.jointOrientation);

/** Options of {@link articulated}. */
export interface ArticulatedOptions extends IntegratorOptions {
  /**
   * Default of `Link.implicitJoint`: evaluates damping and dry friction at the end of the substep, by the new rates w
   * that minimise 1/2 dw^T M dw - dt dw^T tau + dt Phi(w), with dw the change of the rates, Phi the potential of
   * damping and dry friction, and the inertia M and all other torques tau at the old state. Then neither damping nor
   * dry friction limits the substep, and dry friction needs no coefficient besides its maximum torque. Default false;
   * robots read from files set it to true.
   */
  readonly implicitJoints?: boolean;
  /**
   * True to take the gyroscopic term of free joints on the world by the implicit midpoint rule, as `implicitSpin` of
   * `rigid()` does of bodies. Default false.
   */
  readonly implicitSpin?: boolean;
}

/**
 * Articulated bodies: trees of links in reduced coordinates, pendula among them.
 *
 * ```ts
 * const scene = createScene([articulated()]);
 * scene.add(Link, { joint: 'revolute', axis: [0, 0, 1], mass: 1, centre: [0, -1, 0], coordinate: 1.2 });
 * ```
 */
export function articulated(options: ArticulatedOptions = {}): Plugin {
  refuseUnknownOptions<ArticulatedOptions>('articulated', options, {
    integrator: 'semiImplicit',
    implicitJoints: false,
    implicitSpin: false,
  });
  const { implicitJoints = false, implicitSpin = false, ...rest } = options;
  const isMoved = isOwnIntegrator('articulated', rest);
  if (implicitSpin && !isMoved)
    throw new GradsimError(
      'articulated/option-unused',
      "articulated: implicitSpin is true, and another plugin moves joints (integrator 'none').",
      { field: 'implicitSpin', hint: 'Leave out one of them.' },
    );
  const built = new WeakMap<Model, ArticulatedBuild>();
  return definePlugin({
    name: '@gradsim/articulated',
    contract: 1,
    components: [Link, Gravity, LogCholesky, Actuator, Constraint],
    offers: [Surfaces, BodiesThatTouch],
    build: (context) => {
      built.set(context.model, build(context, { isMoved, implicitJoints, implicitSpin }));
    },
    finish: ({ model }) => addSweeps(model, built.get(model)!),
  });
}

interface ArticulatedBuild {
  readonly ranks: readonly Rank[];
  readonly drag: DragFields;
  readonly spinsImplicitly: boolean;
  readonly isConstrained: boolean;
}

function build(
  context: BuildContext,
  { isMoved, implicitJoints, implicitSpin }: Record<'isMoved' | 'implicitJoints' | 'implicitSpin', boolean>,
): ArticulatedBuild {
  const { scene, model, entities } = context;
  const links = entities(Link);
  addGravity(context);
  addFactors(context);
  addMeshes(context);
  const trees = treesOf(scene, links);
  const ranks = ranksOf(trees);
  const isConstrained = addConstraints(context, trees, isMoved);
  if (isConstrained) addUnconstrainedFields(model);
  for (const rank of ranks) addRank(model, rank, isConstrained);
  const joints = new Set(ranks.map(({ joint }) => joint));
  const drag = addImplicitJoints(context, trees, { implicitJoints, isMoved });
  addActuators(context);
  if ([...joints].some(turnsFreely)) model.addPass('setup', unitJoint);
  const spinsImplicitly = implicitSpin && joints.has('free');
  if (isMoved) {
    addMotion(model, [...joints], spinsImplicitly);
    if (spinsImplicitly) addImplicitSpin(context, trees);
    addJointRates(context, trees, drag);
    addFreeSpinRates(context, trees, spinsImplicitly);
  }
  return { ranks, drag, spinsImplicitly, isConstrained };
}

/** Adds the kernel that converts log-Cholesky factors, if links have them. */
function addFactors({ model, entities }: BuildContext): void {
  const own = new Set(entities(LogCholesky));
  if (own.size === 0) return;
  const has = entities(Link).map((link) => (own.has(link) ? 1 : 0));
  model.addField(LogCholesky.hasLogCholesky, { values: has });
  model.addPass('setup', massesOfFactors);
}

function addActuators({ scene, model, entities }: BuildContext): void {
  const actuators = entities(Actuator);
  for (const actuator of actuators) checkActuator(scene, actuator, scene.get(actuator, Actuator, 'link')[0]);
  if (actuators.length > 0) model.addPass('force', addActuatorEfforts);
}

/** Adds the semi-implicit Euler passes for those kinds of joint that the scene has. */
function addMotion(model: Model, joints: readonly JointKind[], spinsImplicitly: boolean): void {
  if (joints.some(hasAxis)) {
    model.addField(Link.coordinateCarry, { fill: 0, carryOf: Link.coordinate });
    model.addField(Link.rateCarry, { fill: 0, carryOf: Link.rate });
    model.addPass('integrate', moveAxis);
  }
  if (joints.some(turnsFreely)) {
    model.addField(Link.orientationCarry, { fill: 0 });
    model.addField(Link.angularVelocityCarry, { fill: 0, carryOf: Link.angularVelocity });
    if (!spinsImplicitly) model.addPass('integrate', moveBall);
  }
  if (joints.includes('free')) {
    model.addField(Link.translationCarry, { fill: 0, carryOf: Link.translation });
    model.addField(Link.velocityCarry, { fill: 0, carryOf: Link.velocity });
    if (!spinsImplicitly) model.addPass('integrate', moveFree);
  }
}

/** Fields of depth levels that sweeps write. Not every kind of joint has each of them, nor do the leaves of a tree. */
const RANK_FIELDS: Readonly<Record<string, ValueType>> = {
  ...FRAME_FIELDS,
  ...BODY_FIELDS,
  ...MOTION_FIELDS,
  ...BURDEN_FIELDS,
  ...ACCELERATION,
  ...JOINT_ACCELERATION.axis,
  ...JOINT_ACCELERATION.ball,
  ...GAIN_FIELDS.axis,
  ...GAIN_FIELDS.ball,
  ...GAIN_FIELDS.free,
  ...BALANCE_FIELDS,
  ...RESPONSE_FIELDS.axis,
  ...RESPONSE_FIELDS.ball,
  ...RESPONSE_FIELDS.free,
  ...CHANGE_FIELDS,
  ...LUMP_FIELDS,
  ...FRAME_POSE,
  ...CONTACT_POSE,
  ...COASTING_FIELDS,
};

/** Adds a depth level's domain, and the indices of the link and of the parent of each of its elements. */
function addRank(model: Model, rank: Rank, isConstrained: boolean): void {
  const { domain, access, links, parent, parents } = rank;
  if (access !== 'same')
    model.addDomain(domain, links.length, { describe: (element) => model.describe(Link.domain, links[element]) });
  for (const [name, type] of Object.entries(RANK_FIELDS)) {
    model.addComputed(field(domain, levelFieldName(rank, name), type));
    if (TRIAL_RENAMES.names.includes(name))
      model.addComputed(field(domain, `${levelFieldName(rank, name)}${TRIAL_RENAMES.suffix}`, type));
    if (isConstrained && SWEPT_FIELD_NAMES.includes(name))
      for (const suffix of Object.values(UNCONSTRAINED_SUFFIXES))
        model.addComputed(field(domain, `${levelFieldName(rank, name)}${suffix}`, type));
  }
  model.addIndex(domain, levelFieldName(rank, 'link'), Link.domain, 1, links);
  if (access === 'indexed') model.addIndex(domain, levelFieldName(rank, 'above'), parent!.domain, 1, parents);
}

/**
 * Adds the sweeps; which ones depends on whether other plugins' passes add forces to links, and whether any read their
 * poses.
 */
function addSweeps(model: Model, { ranks, drag, spinsImplicitly, isConstrained }: ArticulatedBuild): void {
  const joints = ranks.map(({ joint }) => joint);
  // By now all integrators have said how many stages they take.
  const interval = intervalOf(model);
  if (joints.some(hasAxis)) model.addPass('force', drag.axisEffort(interval));
  if (joints.includes('ball')) model.addPass('force', drag.ballEffort(interval));
  const touches = (key: string, access: 'read' | 'add'): boolean =>
    model
      .kernels()
      .some(({ kernel }) => kernel.form.ports.some((port) => port.access === access && port.field?.key === key));
  const isLoaded = isConstrained || [Link.force, Link.torque].some(({ key }) => touches(key, 'add'));
  const isPlaced = isConstrained || CONTACT_STATE.some(({ key }) => touches(key, 'read'));
  const add = (phase: 'setup' | 'force' | 'stage' | 'pose', passes: readonly Pass[]): void => {
    for (const pass of passes) model.addPass(phase, pass);
  };
  add(
    'setup',
    ranks.map((rank) => prepare(rank)),
  );
  add('force', ranks.map(outward));
  if (isPlaced) add('force', ranks.map(placeForContact));
  if (isConstrained) add('force', ranks.map(coastingAccelerations));
  if (spinsImplicitly)
    add(
      'stage',
      [...ranks].reverse().map((rank) => lump(rank)),
    );
  if (drag.kind === 'friction') add('stage', [frictionRounds(ranks, { isLoaded, isConstrained }, drag)]);
  if (isConstrained) add('stage', [constraintStep(ranks, drag), ...loadPasses()]);
  const rebound = (rank: Rank): PortRenames | undefined =>
    isConstrained ? renamesUnderConstraints(rank, drag.rebound) : drag.rebound;
  add(
    'stage',
    [...ranks].reverse().map((rank) => inward(rank, { isLoaded, drag: drag.kind }, rebound(rank))),
  );
  add(
    'stage',
    ranks.map((rank) => accelerate(rank)),
  );
  for (const pass of [
    ...[...ranks].reverse().map((rank) => balance(rank, { isLoaded, drag: drag.kind }, rebound(rank))),
    ...ranks.map((rank) => respondToImbalance(rank)),
  ])
    model.addPass('stage', pass, { derivativeOnly: true });
  add('pose', ranks.map(poseForFrames));
}
