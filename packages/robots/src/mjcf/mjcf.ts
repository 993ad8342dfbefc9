import type { Vector } from '@gradsim/base';
import type { Element } from '../element.ts';
import { MeshFiles } from '../mesh-files.ts';
import { checkOptions } from '../options.ts';
import { ORIGIN } from '../pose.ts';
import type { Robot, RobotLink, RobotOptions } from '../robot.ts';
import { parseXml, refuseDeepElements } from '../xml.ts';
import { actuatorsOf } from './actuators.ts';
import type { ActuatedJoint } from './bodies.ts';
import { addBody } from './bodies.ts';
import { compilerOf } from './compiler.ts';
import { Defaults } from './defaults.ts';
import type { LinkPlace } from './equalities.ts';
import { equalitiesOf } from './equalities.ts';
import { withIncludes } from './include.ts';
import { refuseUnread } from './refusals.ts';
import { meshAssets } from './shapes.ts';

/**
 * Reads a robot from MJCF. A body with several joints becomes as many links, the last of which has its mass and its
 * mesh. Geoms of the world body become a fixed link.
 *
 * ```ts
 * const robot = await readMjcf(text, { file: 'arm.xml', readFile: (path) => readFile(`robots/${path}`) });
 * for (const sentence of robot.passedOver) console.warn(sentence);
 * addRobot(scene, robot);
 * ```
 *
 * What changes the motion and is not read is refused: equality constraints of tendons and flexes, tendons that act, air
 * and water, `gravcomp`, actuators of other laws.
 *
 * @throws GradsimError naming the file, the line, the element and the attribute.
 */
export async function readMjcf(text: string, options: RobotOptions = {}): Promise<Robot> {
  checkOptions('readMjcf', options);
  const files = new MeshFiles(options.readFile);
  const root = (await withIncludes(parseXml(text, options.file ?? 'the robot'), files)).read();
  refuseDeepElements(root);
  if (root.name !== 'mujoco') root.refuse('is no <mujoco>; an MJCF has one around all.');
  refuseUnread(root);
  const compiler = compilerOf(root);
  const defaults = new Defaults(root.all('default'));
  const worlds = root.all('worldbody');
  if (worlds.length === 0) root.refuseMissing('has no <worldbody>.');
  const links: RobotLink[] = [];
  const actuated = new Map<string, ActuatedJoint>();
  const passedOver: string[] = [];
  const reading = {
    options,
    compiler,
    defaults,
    links,
    actuated,
    bodies: new Map<string, LinkPlace>(),
    sites: new Map<string, LinkPlace>(),
    passedOver,
    assets: meshAssets(root, (element) => defaults.apply(element)),
    files,
  };
  for (const world of worlds)
    await addBody(world, reading, {
      pose: ORIGIN,
      origin: [0, 0, 0],
      classAround: undefined,
      parent: undefined,
      isStill: true,
    });
  refuseRepeated(root, links);
  const scaled = ofTotalMass(links, compiler.totalMass);
  const actuators =
    options.actuators === false ? passedOverActuators(root) : actuatorsOf(root, { ...reading, links: scaled });
  const { mimics, constraints } = equalitiesOf(root, { ...reading, links: scaled });
  const option = root.all('option');
  const isWeightless = option.some((each) => each.one('flag')?.text('gravity') === 'disable');
  const gravity: Vector = isWeightless
    ? [0, 0, 0]
    : (option.map((each) => each.vector('gravity')).findLast((given) => given) ?? [0, 0, -9.81]);
  return {
    name: root.text('model') ?? 'robot',
    links: scaled,
    actuators,
    gravity,
    ...(mimics.length > 0 && { mimics }),
    ...(constraints.length > 0 && { constraints }),
    ...inertialUnitOf(root, scaled, reading.sites),
    passedOver: [...passedOver, ...root.leftOver()],
  };
}

/** The site of the first accelerometer on a floating base. */
function inertialUnitOf(
  root: Element,
  [base]: readonly RobotLink[],
  sites: ReadonlyMap<string, LinkPlace>,
): Pick<Robot, 'inertialUnit'> {
  if (base?.values.joint !== 'free') return {};
  const names = root
    .all('sensor')
    .flatMap((group) => group.children)
    .flatMap((element) => (element.name === 'accelerometer' ? (element.text('site') ?? []) : []));
  for (const name of names) {
    const place = sites.get(name);
    if (place?.link === 0) return { inertialUnit: { name, pose: place.pose } };
  }
  return {};
}

function passedOverActuators(root: Element): [] {
  for (const group of root.all('actuator')) group.passOver();
  return [];
}

/** Scales the masses and inertias of all links so that their total mass is the given one, kg. */
function ofTotalMass(links: readonly RobotLink[], total = 0): readonly RobotLink[] {
  const sum = links.reduce((so, { values }) => so + values.mass, 0);
  if (!(total > 0) || sum === 0) return links;
  const factor = total / sum;
  return links.map((link) => {
    const { mass, inertia } = link.values;
    const values = { ...link.values, mass: mass * factor, inertia: inertia.map((entry) => entry * factor) };
    return { ...link, values };
  });
}

function refuseRepeated(root: Element, links: readonly RobotLink[]): void {
  for (const [what, names] of [
    ['joint', links.map(({ jointName }) => jointName)],
    ['body', links.map(({ name }) => name)],
  ] as const) {
    const known = new Set<string>();
    const repeated = names.find((name) => known.size === known.add(name).size);
    if (repeated !== undefined)
      root.refuseTakenName(`has two of the name "${repeated}" for a ${what}; names are unique.`);
  }
}
