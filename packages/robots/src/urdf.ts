import type { Vector } from '@gradsim/base';
import { GradsimError } from '@gradsim/core';
import type { Element } from './element.ts';

import type { Masses } from './masses.ts';
import { MASSLESS, massesInParent } from './masses.ts';
import { MeshFiles } from './mesh-files.ts';
import { checkOptions } from './options.ts';
import { frictionOf, limitsOf, onlyGiven } from './passive.ts';
import type { Pose } from './pose.ts';
import { ORIGIN, ofRollPitchYaw, unit } from './pose.ts';
import type { Actuator, LinkValues, Mimic, Robot, RobotLink, RobotOptions } from './robot.ts';
import type { Shape } from './shapes.ts';
import { merged, meshOf } from './shapes.ts';
import { parseXml } from './xml.ts';

/**
 * Reads a robot from URDF. Its base, the only link that is not a joint's child, is fixed to the world, or free with
 * `base: 'free'`.
 *
 * ```ts
 * const robot = await readUrdf(text, { file: 'arm.urdf', readFile: (path) => readFile(`robots/${path}`) });
 * for (const sentence of robot.passedOver) console.warn(sentence);
 * addRobot(scene, robot);
 * ```
 *
 * @throws GradsimError naming the file, the line, the element and the attribute.
 */
export async function readUrdf(
  text: string,
  { base = 'fixed', ...options }: RobotOptions & { readonly base?: 'fixed' | 'free' } = {},
): Promise<Robot> {
  checkOptions('readUrdf', options, { base: true });
  if (base !== 'fixed' && base !== 'free')
    throw new GradsimError('robots/unknown-choice', `readUrdf: base is ${String(base)}, but must be fixed or free.`, {
      field: 'base',
    });
  const root = parseXml(text, options.file ?? 'the robot').read();
  if (root.name !== 'robot') root.refuse('is no <robot>; a URDF has one around all.');
  refuseMacros(root);
  const reading: Reading = { options, meshes: new MeshFiles(options.readFile), passedOver: [] };
  const elements = namedOnce(root.all('link'));
  if (elements.size === 0) root.refuseMissing('has no <link>.');
  const joints = namedOnce(root.all('joint'));
  const links: RobotLink[] = [];
  const numbers = new Map<string, number>();
  for (const { name, element, joint } of inOrder(root, elements, [...joints.values()])) {
    const own = await bodyOf(element, reading);
    const moved = joint ? jointOf(joint, reading) : { joint: base, ...ORIGIN_VALUES };
    const parent = joint && numbers.get(joint.requiredChild('parent').needText('link'));
    numbers.set(name, links.length);
    links.push({
      name,
      jointName: joint?.text('name') ?? 'base',
      ...(parent === undefined ? {} : { parent }),
      ...rangeOf(joint, reading),
      values: onlyGiven({ ...moved, ...own }),
    });
  }
  const actuators = [...actuatorsOf(root, links)];
  const mimics = [...mimicsOf(joints, links)];
  return {
    name: root.text('name') ?? 'robot',
    links,
    actuators,
    ...(mimics.length > 0 && { mimics }),
    passedOver: [...reading.passedOver, ...root.leftOver()],
  };
}

/** Refuses xacro, whose macros stand for links and joints. */
function refuseMacros(element: Element): void {
  if (element.name.startsWith('xacro:'))
    element.refuseUnsupported('stands for parts of the robot: write them out, with `xacro FILE > robot.urdf` of ROS.');
  element.children.forEach(refuseMacros);
}

interface Reading {
  readonly options: RobotOptions;
  readonly meshes: MeshFiles;
  readonly passedOver: string[];
}
const ORIGIN_VALUES = { anchor: ORIGIN.position, restOrientation: ORIGIN.orientation };

function namedOnce(elements: readonly Element[]): Map<string, Element> {
  const found = new Map<string, Element>();
  for (const element of elements) {
    const name = element.needText('name');
    if (found.has(name)) element.refuseTakenName(`has the name of another one, of line ${found.get(name)?.line}.`);
    found.set(name, element);
  }
  return found;
}

interface LinkOfJoint {
  readonly name: string;
  readonly element: Element;
  readonly joint?: Element;
}

/**
 * Returns the links with their joints, each parent before its children. @throws GradsimError if the joints do not form
 * a tree.
 */
function inOrder(root: Element, links: ReadonlyMap<string, Element>, joints: readonly Element[]): LinkOfJoint[] {
  const jointOfChild = new Map<string, Element>();
  const children = new Map<string, string[]>();
  for (const joint of joints) {
    const [parent, child] = ['parent', 'child'].map((end) => {
      const link = joint.requiredChild(end).needText('link');
      return links.has(link) ? link : joint.refuseUnknownName(`names the ${end} "${link}", and there is no such link.`);
    });
    const other = jointOfChild.get(child);
    if (other) joint.refuseNoTree(`has the child "${child}", which hangs on the joint of line ${other.line} already.`);
    jointOfChild.set(child, joint);
    const others = children.get(parent);
    if (others) others.push(child);
    else children.set(parent, [child]);
  }
  const roots = [...links.keys()].filter((name) => !jointOfChild.has(name));
  if (roots.length > 1)
    root.refuseNoTree(`has ${roots.length} links that hang on nothing, ${roots.join(', ')}; there is one base.`);
  const order: LinkOfJoint[] = [];
  // Grows while it is walked through.
  for (const name of roots) {
    order.push({ name, element: links.get(name) as Element, joint: jointOfChild.get(name) });
    for (const child of children.get(name) ?? []) roots.push(child);
  }
  if (order.length < links.size) {
    const reached = new Set(order.map(({ name }) => name));
    const lost = [...links.keys()].filter((name) => !reached.has(name));
    root.refuseNoTree(`has joints that lead in a loop, through ${lost.join(', ')}; links form a tree.`);
  }
  return order;
}

function originOf(element: Element): Pose {
  const origin = element.one('origin');
  if (!origin) return ORIGIN;
  return {
    position: origin.vector('xyz') ?? ORIGIN.position,
    orientation: ofRollPitchYaw(origin.vector('rpy') ?? [0, 0, 0]),
  };
}

async function bodyOf(link: Element, { options, meshes, passedOver }: Reading) {
  const inertial = link.one('inertial');
  const { mass, centre, inertia } = inertial ? massesOf(inertial) : MASSLESS;
  const parts = [];
  const wanted = options.shapes ?? 'visual';
  if (wanted === 'none') {
    for (const name of ['visual', 'collision']) for (const shape of link.all(name)) shape.passOver();
    return { mass, centre, inertia };
  }
  const other = wanted === 'visual' ? 'collision' : 'visual';
  const chosen = link.all(wanted);
  const all = chosen.length > 0 ? chosen : link.all(other);
  for (const shape of all) {
    const found = await shapeOf(shape.requiredChild('geometry'), meshes);
    if (typeof found === 'string') passedOver.push(found);
    else parts.push({ mesh: meshOf(found), pose: originOf(shape) });
  }
  return { mass, centre, inertia, mesh: merged(parts) };
}

function massesOf(inertial: Element): Masses {
  const mass = inertial.requiredChild('mass').needNumber('value');
  if (mass < 0) inertial.requiredChild('mass').refuseValue('value', String(mass), 'at least 0');
  const tensor = inertial.requiredChild('inertia');
  const [xx, xy, xz, yy, yz, zz] = ['ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz'].map((name) =>
    name[1] === name[2] ? tensor.needNumber(name) : (tensor.number(name) ?? 0),
  );
  return massesInParent(originOf(inertial), {
    mass,
    centre: [0, 0, 0],
    inertia: [xx, xy, xz, xy, yy, yz, xz, yz, zz],
  });
}

async function shapeOf(geometry: Element, meshes: MeshFiles): Promise<Shape | string> {
  const [element, second] = geometry.children;
  if (!element) return geometry.refuseMissing('has no shape.');
  if (second) return geometry.refuse(`has the shapes <${element.name}> and <${second.name}>; it has one.`);
  const length = (name: string): number => {
    const value = element.needNumber(name);
    return value > 0 ? value : element.refuseValue(name, String(value), 'above 0');
  };
  switch (element.read().name) {
    case 'box': {
      element.needText('size');
      const size = element.vector('size') as Vector;
      if (size.some((side) => side <= 0)) element.refuseValue('size', size.join(' '), 'three lengths above 0');
      return { kind: 'box', size };
    }
    case 'sphere': {
      const radius = length('radius');
      return { kind: 'ellipsoid', radii: [radius, radius, radius] };
    }
    case 'cylinder':
    case 'capsule':
      return {
        kind: element.name as 'cylinder' | 'capsule',
        radius: length('radius'),
        height: length('length'),
      };
    case 'mesh': {
      const mesh = await meshes.mesh(element, element.needText('filename'), element.vector('scale'));
      return typeof mesh === 'string' ? mesh : { kind: 'mesh', mesh };
    }
    default:
      return `${element.placeInFile()} is not read; box, sphere, cylinder, capsule and mesh are.`;
  }
}

const JOINTS = {
  revolute: 'revolute',
  continuous: 'revolute',
  prismatic: 'prismatic',
  fixed: 'fixed',
  floating: 'free',
} as const;

function jointOf(element: Element, { options, passedOver }: Reading): Omit<LinkValues, 'mass' | 'centre' | 'inertia'> {
  const type = element.needText('type');
  if (type === 'planar')
    element.refuseUnsupported(
      'has type="planar", which there is not; write two prismatic joints and a continuous one.',
    );
  if (!Object.hasOwn(JOINTS, type)) element.refuseValue('type', type, `one of ${Object.keys(JOINTS).join(', ')}`);
  const joint = JOINTS[type as keyof typeof JOINTS];
  const { position: anchor, orientation: restOrientation } = originOf(element);
  const frame = { joint, anchor, restOrientation };
  if (joint === 'fixed' || joint === 'free') return frame;
  const axis = unit(element.one('axis')?.vector('xyz') ?? [1, 0, 0]);
  if (!axis) return element.requiredChild('axis').refuseValue('xyz', '0 0 0', 'a vector other than 0');
  const dynamics = element.one('dynamics');
  const limit = element.one('limit');
  if (!limit && type !== 'continuous') element.refuseMissing('has no <limit>; without limits it is type="continuous".');
  const limits =
    limit && type !== 'continuous'
      ? limitsOf(limit, [limit.number('lower') ?? 0, limit.number('upper') ?? 0], options, passedOver)
      : {};
  return {
    ...frame,
    axis,
    ...limits,
    implicitJoint: options.implicitJoints ?? true,
    damping: dynamics?.notNegative('damping'),
    ...(dynamics ? frictionOf(dynamics, dynamics.notNegative('friction'), options, passedOver) : {}),
  };
}

/** Limits of a joint with an axis. Some exporters write a velocity of 0 for none. */
function rangeOf(joint: Element | undefined, { passedOver }: Reading): Pick<RobotLink, 'limits'> {
  const limit = joint?.one('limit');
  const type = joint?.text('type');
  if (!limit || !['revolute', 'continuous', 'prismatic'].includes(type ?? '')) return {};
  const speed = limit.notNegative('velocity') || undefined;
  if (speed !== undefined)
    passedOver.push(
      `${limit.placeInFile()}: its velocity, ${speed}, is a limit for plans of motions; it does not act.`,
    );
  const ends = type === 'continuous' ? {} : { lower: limit.number('lower') ?? 0, upper: limit.number('upper') ?? 0 };
  return { limits: { ...ends, ...(speed === undefined ? {} : { speed }) } };
}

/** Yields the joints that follow another one. @throws for one that follows itself, or a joint that there is not. */
function* mimicsOf(joints: ReadonlyMap<string, Element>, links: readonly RobotLink[]): Generator<Mimic> {
  for (const [joint, element] of joints) {
    const mimic = element.one('mimic');
    if (!mimic) continue;
    const of = mimic.needText('joint');
    const leader = links.find(({ jointName }) => jointName === of);
    if (!joints.has(of) || !leader) mimic.refuseUnknownName(`names the joint "${of}", which there is not.`);
    else if (of === joint || !leader.values.axis)
      mimic.refuseUnsupported(`follows the joint "${of}", which ${of === joint ? 'is its own' : 'has no axis'}.`);
    yield { joint, leader: of, multiplier: mimic.number('multiplier') ?? 1, offset: mimic.number('offset') ?? 0 };
  }
}

/** Yields a motor for the joint of each transmission, and one for each other joint with an effort limit. */
function* actuatorsOf(root: Element, links: readonly RobotLink[]): Generator<Actuator> {
  const joints = new Map(root.all('joint').map((joint) => [joint.needText('name'), joint]));
  const effortOf = (joint: string): Pick<Actuator, 'forceRange'> => {
    const effort = joints.get(joint)?.one('limit')?.notNegative('effort');
    return effort === undefined ? {} : { forceRange: [-effort, effort] };
  };
  const driven = new Set<string>();
  for (const transmission of root.all('transmission')) {
    const joint = transmission.requiredChild('joint').needText('name');
    const link = links.findIndex(({ jointName }) => jointName === joint);
    if (link < 0 || !joints.has(joint))
      transmission.refuseUnknownName(`names the joint "${joint}", which there is not.`);
    if (!links[link].values.axis) transmission.refuseUnsupported(`drives the joint "${joint}", which has no axis.`);
    const actuator = transmission.requiredChild('actuator');
    driven.add(joint);
    yield { name: actuator.needText('name'), kind: 'motor', link, gear: 1, ...effortOf(joint) };
  }
  for (const [link, { jointName, values }] of links.entries())
    if (values.axis && !driven.has(jointName) && joints.get(jointName)?.one('limit')?.firstPresent('effort'))
      yield { name: jointName, kind: 'motor', link, gear: 1, ...effortOf(jointName) };
}
