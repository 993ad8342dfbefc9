import type { BuildContext, Entity, Kernel, KernelPass, Scene } from '@gradsim/core';
import { bind, GradsimError, kernel } from '@gradsim/core';
import type { ForceInterval } from '@gradsim/dynamics';
import { lockedJointInertias, treesAtRest } from '../at-rest/dynamics.ts';
import { axisEffort, axisEffortWithoutDrag, ballEffort, ballEffortWithoutDrag } from '../efforts/effort.ts';
import { slopeOfFriction } from '../efforts/friction.ts';
import {
  dragParts,
  endRates,
  freedoms,
  frictionInertia,
  frictionTurn,
  isImplicit,
  LINK_TREES,
  trialIterate,
} from '../efforts/implicit-fields.ts';
import { hasAxis } from '../joint.ts';
import { Link } from '../link.ts';
import type { TreeLink } from '../ranks.ts';
import type { DragKind } from '../sweeps/inward.ts';
import type { PortRenames } from '../sweeps/sweep.ts';

/** Makes the pass that sets efforts, given the time that they stand for. */
type Effort = (interval: ForceInterval) => KernelPass;
const bindEffort =
  (effort: (interval: ForceInterval) => Kernel, fields?: Readonly<Record<string, string>>): Effort =>
  (interval) =>
    bind(effort(interval), fields);

/** Passes and fields by which a model computes damping and dry friction of its joints. */
export interface DragFields {
  readonly kind: DragKind;
  /** For each link, true if its joint is implicit. */
  readonly isImplicit: readonly boolean[];
  /**
   * Fields that kernels for explicit joints read instead of `Link.damping` and `Link.dryFriction`, by port; empty if
   * all joints are explicit, undefined if none is.
   */
  readonly explicitParts?: Readonly<Record<string, string>>;
  /**
   * Field that kernels for implicit joints read instead of `Link.damping`, by port; empty if all joints are implicit,
   * undefined if none is.
   */
  readonly implicitDamping?: Readonly<Record<string, string>>;
  readonly axisEffort: Effort;
  readonly ballEffort: Effort;
  /** Port renames of sweeps to the implicit parts of damping and dry friction; undefined if all joints are alike. */
  readonly rebound?: PortRenames;
  /**
   * Port renames of kernels that read `dryFriction` of implicit joints: to its implicit part where some joints are
   * explicit.
   */
  readonly ofFriction: Readonly<Record<string, string>>;
}

const { implicitDamping, implicitFriction, explicitDamping, explicitFriction, explicitSlope } = dragParts;

/** Splits damping and dry friction into their implicit and explicit parts, for models with both kinds of joints. */
const splitDrag = kernel(
  'splitDrag',
  {
    domain: Link,
    reads: {
      isImplicit,
      damping: Link.damping,
      dryFriction: Link.dryFriction,
      frictionStiffness: Link.frictionStiffness,
    },
    writes: { implicitDamping, implicitFriction, explicitDamping, explicitFriction, explicitSlope },
  },
  ({ isImplicit, damping, dryFriction, frictionStiffness }) => {
    const isExplicit = isImplicit.neg().add(1);
    return {
      implicitDamping: damping.mul(isImplicit),
      implicitFriction: dryFriction.mul(isImplicit),
      explicitDamping: damping.mul(isExplicit),
      explicitFriction: dryFriction.mul(isExplicit),
      explicitSlope: frictionStiffness.mul(isExplicit),
    };
  },
);
const EXPLICIT_PARTS = {
  damping: explicitDamping.name,
  dryFriction: explicitFriction.name,
  frictionStiffness: explicitSlope.name,
};
const IMPLICIT_PARTS: PortRenames = {
  names: [],
  suffix: '',
  ofLinks: { linkDamping: implicitDamping.name, linkDryFriction: implicitFriction.name },
};

/** Returns whether a joint can have damping and dry friction: one with an axis, or a ball joint. */
const canHaveDrag = ({ joint }: TreeLink): boolean => hasAxis(joint) || joint === 'ball';

/**
 * Decides which joints are implicit, and adds the fields and passes that these need.
 * @throws for implicit joints that another plugin integrates, and for a `frictionWidth` of a joint that does not use
 * it.
 */
export function addImplicitJoints(
  { scene, model, entities }: BuildContext,
  trees: readonly TreeLink[],
  { implicitJoints, isMoved }: { readonly implicitJoints: boolean; readonly isMoved: boolean },
): DragFields {
  const links = entities(Link);
  const isChosen = links.map(
    (entity, k) =>
      canHaveDrag(trees[k]) && ((scene.object(entity, Link, 'implicitJoint') as boolean | undefined) ?? implicitJoints),
  );
  links.forEach((entity, k) => {
    checkWidth(scene, entity, isChosen[k]);
    if (canHaveDrag(trees[k]) && !isChosen[k]) checkStiffness(scene, entity);
  });
  const explicit = { axisEffort: bindEffort(axisEffort), ballEffort: bindEffort(ballEffort), ofFriction: {} };
  if (!isChosen.includes(true)) return { kind: 'explicit', isImplicit: isChosen, explicitParts: {}, ...explicit };
  if (!isMoved)
    throw new GradsimError(
      'articulated/implicit-joint-unused',
      "is on an implicit joint, and another plugin moves joints (integrator 'none'): implicit joints are part of this package's own step.",
      {
        element: scene.describe(links[isChosen.indexOf(true)]),
        hint: 'Give `implicitJoint: false`, or leave out `integrator`.',
      },
    );
  const isMixed = trees.some((tree, k) => canHaveDrag(tree) && !isChosen[k]);
  if (isMixed) {
    model.addField(isImplicit, { values: isChosen.map(Number), shared: true });
    model.addPass('setup', splitDrag);
  }
  const effort = isMixed
    ? { axisEffort: bindEffort(axisEffort, EXPLICIT_PARTS), ballEffort: bindEffort(ballEffort, EXPLICIT_PARTS) }
    : { axisEffort: bindEffort(axisEffortWithoutDrag), ballEffort: bindEffort(ballEffortWithoutDrag) };
  const ofFriction: Readonly<Record<string, string>> = isMixed ? { dryFriction: implicitFriction.name } : {};
  const implicitPart: Readonly<Record<string, string>> = isMixed ? { damping: implicitDamping.name } : {};
  const own = {
    isImplicit: isChosen,
    implicitDamping: implicitPart,
    ofFriction,
    ...effort,
    ...(isMixed && { rebound: IMPLICIT_PARTS, explicitParts: EXPLICIT_PARTS }),
  };
  // Without dry friction in the scene no pass reads it, so that asking for its derivative is refused.
  const hasFriction = isMixed || links.some((entity) => scene.get(entity, Link, 'dryFriction')[0] > 0);
  if (!hasFriction) return { kind: 'damping', ...own };
  const freedomsOf = ({ joint }: TreeLink): number => (hasAxis(joint) ? 1 : joint === 'ball' ? 3 : 0);
  model.addField(freedoms, { values: trees.map(freedomsOf), shared: true });
  model.addField(frictionInertia, { values: lockedJointInertias(treesAtRest(scene, links, trees)), shared: true });
  model.addPass('setup', bind(slopeOfFriction, ofFriction));
  for (const field of [endRates, frictionTurn]) model.addField(field, { fill: 0 });
  for (const field of [trialIterate.acceleration, trialIterate.angularAcceleration]) model.addAccumulator(field);
  model.addComputed(trialIterate.linearAcceleration);
  addTrees(model, trees);
  return { kind: 'friction', ...own };
}

/** Adds the domain of trees of links, and the index of each link's tree. */
function addTrees(model: BuildContext['model'], trees: readonly TreeLink[]): void {
  const numbers = new Map<number, number>();
  const rootOf = (k: number): number => {
    let root = k;
    while (trees[root].parent >= 0) root = trees[root].parent;
    return root;
  };
  const roots = trees.map((_, k) => rootOf(k));
  for (const root of roots) if (!numbers.has(root)) numbers.set(root, numbers.size);
  model.addDomain(LINK_TREES, numbers.size);
  const of = roots.map((root) => numbers.get(root)!);
  model.addIndex(Link.domain, 'tree', LINK_TREES, 1, of);
}

/** @throws for dry friction of an explicit joint without a slope, which would be none. */
function checkStiffness(scene: Scene, entity: Entity): void {
  const [friction, slope] = ['dryFriction', 'frictionStiffness'].map((name) => scene.get(entity, Link, name)[0]);
  if (!(friction > 0) || slope > 0) return;
  throw new GradsimError(
    'articulated/idle-value',
    `links.dryFriction is ${friction}, which an explicit joint without frictionStiffness has no use for.`,
    {
      field: 'links.dryFriction',
      element: scene.describe(entity),
      hint: 'Give `implicitJoint: true`, or frictionStiffness too.',
    },
  );
}

function checkWidth(scene: Scene, entity: Entity, isImplicitJoint: boolean): void {
  const [width, slope] = ['frictionWidth', 'frictionStiffness'].map((name) => scene.get(entity, Link, name)[0]);
  if (width > 0 && !isImplicitJoint)
    throw new GradsimError(
      'articulated/idle-value',
      `links.frictionWidth is ${width}, which only an implicit joint has a use for.`,
      {
        field: 'links.frictionWidth',
        element: scene.describe(entity),
        hint: 'Give `implicitJoint: true`, or frictionStiffness in its place.',
      },
    );
  if (width > 0 && slope > 0)
    throw new GradsimError(
      'articulated/two-ways-given',
      `links.frictionWidth is ${width}, and links.frictionStiffness ${slope}.`,
      {
        field: 'links.frictionWidth',
        element: scene.describe(entity),
        hint: 'Give one of them, as the width is dryFriction / frictionStiffness.',
      },
    );
}
