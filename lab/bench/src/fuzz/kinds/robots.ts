import { type Robot, readMjcf, readUrdf } from '@gradsim/robots';
import type { Draw } from '../draw.ts';
import type { Case, Kind } from '../kind.ts';
import { WronglyAccepted } from '../kind.ts';
import type { KnownText } from '../text-case.ts';
import { anyText, reading, spoiltText, wholeText } from '../text-case.ts';

/**
 * Robots in URDF and MJCF: chains and trees of links, with one invalid attribute, nested too deeply, or randomly
 * changed.
 */
export const robots: Kind = { name: 'robots', limit: 30, draw };

interface Link {
  readonly name: string;
  readonly parent: number | undefined;
  readonly mass: number;
  readonly joint: 'revolute' | 'prismatic';
  /** Number of the link whose joint its own follows by `mimic`, of a URDF. */
  readonly follows?: number;
}

/** An attribute to be made invalid, named by element and attribute as in the error message, and its invalid value. */
type SpoiltAttribute = { element: string; attribute: string; value: string } | undefined;

async function draw(random: Draw): Promise<Case> {
  const format = random.pick(['URDF', 'MJCF'] as const);
  const read = format === 'URDF' ? readUrdf : readMjcf;
  const links = Array.from(
    { length: random.whole(1, 8) },
    (_, k): Link => ({
      name: `link${k}`,
      parent: k === 0 ? undefined : random.whole(Math.max(0, k - 3), k - 1),
      mass: Number((0.1 + random.next()).toFixed(4)),
      joint: random.pick(['revolute', 'prismatic']),
      ...(format === 'URDF' && k > 0 && random.chance(0.3) && { follows: random.whole(0, k - 1) }),
    }),
  );
  let spoilt: SpoiltAttribute;
  const known: KnownText<Robot> = {
    description: `${format} of ${links.length} links`,
    text: () => textOf(format, links, spoilt),
    read: async (text) => checked(await read(text, { file: 'drawn.xml' })),
    isSame: (robot) => {
      // A URDF has a base that is fixed to the world.
      const moved = robot.links.filter(({ name }) => name !== 'base');
      return (
        moved.length === links.length &&
        (robot.mimics?.length ?? 0) === links.filter(({ follows }) => follows !== undefined).length &&
        links.every(({ name, mass, joint }) =>
          moved.some(({ name: n, values }) => n === name && values.mass === mass && values.joint === joint),
        )
      );
    },
  };
  const way = random.pick(['none', 'spoil', 'spoil', 'deep', 'change', 'change'] as const);
  if (way === 'none') return wholeText(known, random);
  if (way === 'spoil') {
    const places = links.some(({ follows }) => follows !== undefined) ? PLACES[format] : PLACES[format].slice(0, 6);
    spoilt = { ...random.pick<Place>(places), value: random.pick(NO_NUMBERS) };
    const about = `${spoilt.attribute} of ${spoilt.element} is ${JSON.stringify(spoilt.value.slice(0, 20))}`;
    return spoiltText(known, { about, names: [`<${spoilt.element}`, spoilt.attribute] }, random);
  }
  return way === 'deep' ? deepText(format, known, random) : anyText(known, random);
}

/** Case of elements nested more than 400 deep. */
function deepText(format: 'URDF' | 'MJCF', known: KnownText<Robot>, random: Draw): Case {
  const tag = random.pick(['<body>', '<body name="/>">', "<body name='>'>", '<link>', '<a:b xmlns:a="c">', '<é>']);
  const depth = random.whole(401, 10_000);
  const end = `</${tag.slice(1).split(/[ >]/)[0]}>`;
  const inside = `${tag.repeat(depth)}${random.chance(0.5) ? end.repeat(depth) : ''}`;
  const root =
    format === 'URDF' ? `<robot name="r">${inside}</robot>` : `<mujoco><worldbody>${inside}</worldbody></mujoco>`;
  return {
    about: `${format}: ${tag} ${depth} deep`,
    expected: 'refused',
    names: ['drawn.xml'],
    read: reading({ ...known, isSame: () => false }, root),
  };
}

type Place = { readonly element: string; readonly attribute: string };

const NO_NUMBERS = ['x', 'null', 'nan', '1e999', '--1', '0x10', `${'1'.repeat(20_000)}x`, '1,5'];

/** Attributes that can be made invalid, of the first link, joint or body that has them. */
const PLACES = {
  URDF: [
    { element: 'mass', attribute: 'value' },
    { element: 'inertia', attribute: 'ixx' },
    { element: 'axis', attribute: 'xyz' },
    { element: 'origin', attribute: 'rpy' },
    { element: 'dynamics', attribute: 'damping' },
    { element: 'box', attribute: 'size' },
    { element: 'mimic', attribute: 'multiplier' },
  ],
  MJCF: [
    { element: 'inertial', attribute: 'mass' },
    { element: 'inertial', attribute: 'diaginertia' },
    { element: 'joint', attribute: 'axis' },
    { element: 'joint', attribute: 'damping' },
    { element: 'body', attribute: 'pos' },
    { element: 'geom', attribute: 'size' },
  ],
} as const;

function textOf(format: 'URDF' | 'MJCF', links: readonly Link[], spoilt: SpoiltAttribute): string {
  let isSpoilt = false;
  /** Returns the text of an attribute; the first one that matches `spoilt` gets the invalid value. */
  const own = (element: string, attribute: string, value: string | number): string => {
    const isHere = !isSpoilt && spoilt?.element === element && spoilt.attribute === attribute;
    if (isHere) isSpoilt = true;
    return `${attribute}="${isHere ? spoilt.value : value}"`;
  };
  if (format === 'URDF') {
    const body = ({ name, mass }: Link): string =>
      `  <link name="${name}">\n    <inertial>\n      <origin xyz="0 0 0.1" ${own('origin', 'rpy', '0 0 0')}/>\n      <mass ${own('mass', 'value', mass)}/>\n      <inertia ${own('inertia', 'ixx', 0.01)} iyy="0.01" izz="0.01"/>\n    </inertial>\n    <visual><geometry><box ${own('box', 'size', '0.1 0.1 0.2')}/></geometry></visual>\n  </link>\n`;
    const joint = ({ name, parent, joint: type, follows }: Link): string =>
      `  <joint name="to ${name}" type="${type}">\n    <parent link="${parent === undefined ? 'base' : links[parent].name}"/>\n    <child link="${name}"/>\n    <axis ${own('axis', 'xyz', '0 1 0')}/>\n    <dynamics ${own('dynamics', 'damping', 0.1)}/>\n    <limit lower="-1" upper="1"/>\n${follows === undefined ? '' : `    <mimic joint="to link${follows}" ${own('mimic', 'multiplier', 2)}/>\n`}  </joint>\n`;
    return `<robot name="drawn">\n  <link name="base"/>\n${links.map(body).join('')}${links.map(joint).join('')}</robot>\n`;
  }
  const body = (k: number): string => {
    const { name, mass, joint } = links[k];
    const type = joint === 'revolute' ? 'hinge' : 'slide';
    const inner = links.map(({ parent }, c) => (parent === k ? body(c) : '')).join('');
    return `<body name="${name}" ${own('body', 'pos', '0 0 0.2')}>\n<joint type="${type}" ${own('joint', 'axis', '0 1 0')} ${own('joint', 'damping', 0.1)}/>\n<inertial pos="0 0 0.1" ${own('inertial', 'mass', mass)} ${own('inertial', 'diaginertia', '0.01 0.01 0.01')}/>\n<geom type="box" ${own('geom', 'size', '0.05 0.05 0.1')}/>\n${inner}</body>\n`;
  };
  return `<mujoco model="drawn">\n<worldbody>\n${body(0)}</worldbody>\n</mujoco>\n`;
}

/** Returns the robot after checking it. @throws if it violates what the reader guarantees. */
function checked(robot: Robot): Robot {
  robot.links.forEach(({ name, parent, values }, k) => {
    const numbers = [values.mass, ...values.centre, ...values.inertia, ...values.anchor, ...values.restOrientation];
    if (!numbers.every(Number.isFinite) || (parent !== undefined && !(parent < k)))
      throw new WronglyAccepted(`with the link ${name}: ${JSON.stringify(values)}`);
  });
  return robot;
}
