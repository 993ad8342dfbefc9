import { subtract, type Vector } from '@gradsim/base';
import { GradsimError } from '@gradsim/core';
import type { Element } from '../element.ts';
import type { Masses } from '../masses.ts';
import { diagonal, MASSLESS, massesInParent, sumOfMasses } from '../masses.ts';
import type { MeshFiles } from '../mesh-files.ts';
import { onlyGiven } from '../passive.ts';
import type { Pose } from '../pose.ts';
import { composedPose, ORIGIN } from '../pose.ts';
import type { RobotLink, RobotOptions } from '../robot.ts';
import { merged } from '../shapes.ts';
import type { Compiler } from './compiler.ts';
import { poseOf } from './compiler.ts';
import type { Defaults } from './defaults.ts';
import type { LinkPlace } from './equalities.ts';
import type { BodyJoint } from './joints.ts';
import { jointOf } from './joints.ts';
import { bounded } from './mass-bounds.ts';
import { refuseUnreadForces } from './refusals.ts';
import type { Geom } from './shapes.ts';
import { geomOf } from './shapes.ts';

/** State shared while all bodies of an MJCF file are read. */
export interface Reading {
  readonly options: RobotOptions;
  readonly compiler: Compiler;
  readonly defaults: Defaults;
  readonly assets: ReadonlyMap<string, Element>;
  readonly files: MeshFiles;
  readonly links: RobotLink[];
  /** Elements of the joints read, by name, with the `actuatorfrcrange` of each. */
  readonly actuated: Map<string, ActuatedJoint>;
  /** Bodies and sites by name, with their poses in the axes of links. */
  readonly bodies: Map<string, LinkPlace>;
  readonly sites: Map<string, LinkPlace>;
  readonly passedOver: string[];
}

export interface ActuatedJoint {
  readonly element: Element;
  readonly actuatorRange?: readonly [number, number];
}

/** Context of a body in the tree: where it is attached, and to which link. */
interface Around {
  /** Pose, in the axes of the parent body, of the frame that the body's own pose is relative to. */
  readonly pose: Pose;
  /** Origin of the parent link, which is at the parent body's last joint, in the axes of the parent body, m. */
  readonly origin: Vector;
  readonly classAround: string | undefined;
  /** Index of the parent link in `links`; undefined for the world. */
  readonly parent: number | undefined;
  /** True if no joint moves what is attached there. */
  readonly isStill: boolean;
}

interface HeldElement {
  readonly element: Element;
  readonly pose: Pose;
  readonly classAround: string | undefined;
}
interface Contents {
  readonly joints: BodyJoint[];
  readonly geoms: Geom[];
  readonly bodies: HeldElement[];
  /** Named sites, in the axes of the body. */
  readonly sites: (readonly [string, Pose])[];
  /** Unsupported geoms whose mass would count as part of the body's. */
  readonly unweighed: Element[];
}

/** Adds the links of a body, or of the world body, and those of all its descendants. */
export async function addBody(element: Element, reading: Reading, around: Around): Promise<void> {
  const isWorld = element.name === 'worldbody';
  const classAround = element.text('childclass') ?? around.classAround;
  refuseUnreadForces(element);
  const pose = isWorld ? ORIGIN : composedPose(around.pose, poseOf(element, reading.compiler));
  const contents: Contents = { joints: [], geoms: [], bodies: [], sites: [], unweighed: [] };
  const { inertiaFromShapes } = reading.compiler;
  // True if no mass is computed from the body's geoms.
  const isWeighed =
    isWorld ||
    inertiaFromShapes === 'false' ||
    (inertiaFromShapes === 'auto' && element.children.some(({ name }) => name === 'inertial'));
  await gather({ element, pose: ORIGIN, classAround }, reading, contents, isWeighed);
  const isStill = around.isStill && contents.joints.length === 0;
  const { parent, origin } = isWorld
    ? addWorld(contents, reading)
    : addLinks(element, pose, contents, reading, { ...around, isStill });
  const inLink = ({ position, orientation }: Pose): LinkPlace => ({
    link: parent,
    pose: { position: subtract(position, origin), orientation },
  });
  if (!isWorld) reading.bodies.set(element.text('name') ?? '', inLink(ORIGIN));
  for (const [name, place] of contents.sites) reading.sites.set(name, inLink(place));
  for (const body of contents.bodies)
    await addBody(body.element, reading, { pose: body.pose, origin, classAround: body.classAround, parent, isStill });
}

/** Collects joints, geoms and child bodies of a body, including those inside `<frame>` elements, which add a pose. */
async function gather(
  { element, pose, classAround }: HeldElement,
  reading: Reading,
  into: Contents,
  isWeighed = false,
): Promise<void> {
  const { compiler, defaults, options, passedOver, assets, files } = reading;
  for (const child of element.children)
    if (child.name === 'joint' || child.name === 'freejoint') {
      if (element.name !== 'body') child.refuse('moves nothing; a joint stands in a <body>.');
      refuseUnreadForces(defaults.apply(child.read(), classAround));
      into.joints.push(jointOf(defaults.apply(child.read(), classAround), compiler, options, passedOver));
    } else if (child.name === 'geom') {
      if (options.shapes === 'none' && isWeighed) {
        child.passOver();
        continue;
      }
      const whole = defaults.apply(child.read(), classAround);
      const geom = await geomOf(whole, compiler, assets, files);
      if (typeof geom !== 'string') into.geoms.push(geomWithin(pose, geom));
      else {
        passedOver.push(geom);
        if (!isWeightless(whole)) into.unweighed.push(whole);
      }
    } else if (child.name === 'site' && child.firstPresent('name') !== undefined) {
      const place = composedPose(pose, poseOf(defaults.apply(child.read(), classAround), compiler));
      into.sites.push([child.needText('name'), place]);
      child.passOver();
    } else if (child.name === 'plugin')
      child.refuseUnsupported('acts on its body by a program that is not read; remove it to have the model without.');
    else if (child.name === 'body') into.bodies.push({ element: child.read(), pose, classAround });
    else if (child.name === 'frame') {
      const inner = composedPose(pose, poseOf(child.read(), compiler));
      const innerClass = child.text('childclass') ?? classAround;
      await gather({ element: child, pose: inner, classAround: innerClass }, reading, into, isWeighed);
    }
}

const isWeightless = (geom: Element): boolean =>
  geom.text('type') === 'plane' || [geom.number('mass'), geom.number('density')].includes(0);

const geomWithin = (pose: Pose, geom: Geom): Geom => ({
  ...geom,
  pose: composedPose(pose, geom.pose),
  masses: () => massesInParent(pose, geom.masses()),
});

function addWorld({ geoms }: Contents, { links, options }: Reading): { parent: undefined; origin: Vector } {
  const mesh = meshFrom(geoms, options, [0, 0, 0]);
  const name = `world ${links.length}`;
  if (mesh)
    links.push({
      name,
      jointName: name,
      values: {
        joint: 'fixed',
        anchor: ORIGIN.position,
        restOrientation: ORIGIN.orientation,
        ...MASSLESS,
        mesh,
      },
    });
  return { parent: undefined, origin: [0, 0, 0] };
}

/**
 * Adds one link per joint of a body: the first is attached to the parent link, each other one to the link before it.
 */
function addLinks(
  element: Element,
  pose: Pose,
  contents: Contents,
  { links, options, compiler, actuated }: Reading,
  around: Around,
): { parent: number; origin: Vector } {
  const name = element.text('name') ?? `body ${links.length}`;
  const joints: readonly (Omit<BodyJoint, 'element'> & { readonly element?: Element })[] =
    contents.joints.length > 0 ? contents.joints : [{ position: [0, 0, 0], values: { joint: 'fixed' } }];
  const free = contents.joints.find(({ values }) => values.joint === 'free');
  if (free && (contents.joints.length > 1 || around.parent !== undefined))
    free.element.refuseUnsupported('is free; a free joint is the only one of its body, and that is one of the world.');
  const last = joints[joints.length - 1];
  // Terrain that stands still needs no mass, unless all masses together are given.
  const needsMass = (geom: Element): boolean =>
    !around.isStill || compiler.totalMass !== undefined || geom.text('type') !== 'hfield';
  const masses = massesIn(element, { ...contents, unweighed: contents.unweighed.filter(needsMass) }, compiler);
  let [parent, origin] = [around.parent, around.origin];
  joints.forEach(({ name: jointName, element: joint, position, reference, actuatorRange, limits, values }, k) => {
    const isLast = k === joints.length - 1;
    const [anchor, restOrientation] =
      k === 0
        ? [subtract(composedPose(pose, { ...ORIGIN, position }).position, origin), pose.orientation]
        : [subtract(position, origin), ORIGIN.orientation];
    const held = isLast
      ? {
          ...masses,
          centre: subtract(masses.centre, position),
          mesh: meshFrom(contents.geoms, options, position),
        }
      : MASSLESS;
    const own = jointName ?? (joints.length > 1 ? `joint ${k + 1} of ${name}` : `joint of ${name}`);
    if (joint) actuated.set(own, { element: joint, actuatorRange });
    links.push({
      name: isLast ? name : `${own}, within ${name}`,
      jointName: own,
      ...(parent === undefined ? {} : { parent }),
      ...(reference === undefined ? {} : { reference }),
      ...(limits && { limits }),
      values: onlyGiven({ ...values, anchor, restOrientation, ...held }),
    });
    [parent, origin] = [links.length - 1, position];
  });
  return { parent: links.length - 1, origin: last.position };
}

function meshFrom(geoms: readonly Geom[], { shapes }: RobotOptions, origin: Vector) {
  if (shapes === 'none') return undefined;
  const chosen = shapes === 'collision' ? geoms.filter(({ isTouched }) => isTouched) : geoms;
  return merged(
    chosen.map(({ mesh, pose }) => ({ mesh, pose: { ...pose, position: subtract(pose.position, origin) } })),
  );
}

/**
 * Returns the mass properties of a body: those of its `<inertial>`, or else the sum over its geoms, in the bounds of the
 * compiler.
 */
function massesIn(element: Element, contents: Contents, compiler: Compiler): Masses {
  return bounded(ownMasses(element, contents, compiler), compiler, element);
}

function ownMasses(element: Element, { geoms, unweighed }: Contents, compiler: Compiler): Masses {
  const inertial = element.one('inertial');
  const isFromShapes = compiler.inertiaFromShapes;
  if (inertial && isFromShapes !== 'true') return inertialOf(inertial, compiler);
  if (isFromShapes === 'false') return MASSLESS;
  const [first, last] = compiler.massGroups;
  const counts = (group: number): boolean => group >= first && group <= last;
  const unread = unweighed.find((geom) => counts(geom.number('group') ?? 0));
  if (unread)
    throw new GradsimError(
      'robots/mass-unknown',
      `${unread.placeInFile()} is not read, and the mass of its body is computed from it.`,
      { hint: 'Give the body an <inertial>, or for a mesh a readFile.' },
    );
  return sumOfMasses(geoms.filter(({ group }) => counts(group)).map((geom) => geom.masses()));
}

function inertialOf(inertial: Element, compiler: Compiler): Masses {
  inertial.needText('pos');
  const mass = inertial.needNumber('mass');
  if (mass < 0) inertial.refuseValue('mass', String(mass), 'at least 0');
  const full = inertial.numbers('fullinertia', 6);
  const principal = inertial.vector('diaginertia');
  if (full && principal) inertial.refuse('has diaginertia and fullinertia; one of them says all.');
  if (!full && !principal) return inertial.refuseMissing('has neither diaginertia="..." nor fullinertia="...".');
  const [xx, yy, zz, xy, xz, yz] = full ?? [];
  const inertia = principal ? diagonal(...principal) : [xx, xy, xz, xy, yy, yz, xz, yz, zz];
  return massesInParent(poseOf(inertial, compiler), { mass, centre: [0, 0, 0], inertia });
}
