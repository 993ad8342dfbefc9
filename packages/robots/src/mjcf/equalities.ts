import { conjugate, multiplyQuaternions, type Quaternion, rotate, subtract, type Vector } from '@gradsim/base';
import type { Element } from '../element.ts';
import type { Pose } from '../pose.ts';
import { composedPose, ORIGIN } from '../pose.ts';
import type { Mimic, RobotConstraint, RobotLink } from '../robot.ts';
import { isRead } from './refusals.ts';

/** A body or a site: its link, undefined for the world, and its pose in the link's axes. */
export interface LinkPlace {
  readonly link: number | undefined;
  readonly pose: Pose;
}

/** Bodies, sites and joints that equalities of a file name. */
export interface NamedThings {
  readonly links: readonly RobotLink[];
  readonly bodies: ReadonlyMap<string, LinkPlace>;
  readonly sites: ReadonlyMap<string, LinkPlace>;
}

/**
 * Reads the equalities of joints, bodies and sites. Coordinates count from the pose of the file, as those of links do.
 * @throws for a joint that follows by more than a line, or follows itself, and names that there are not.
 */
export function equalitiesOf(root: Element, named: NamedThings): { mimics: Mimic[]; constraints: RobotConstraint[] } {
  const [mimics, constraints]: [Mimic[], RobotConstraint[]] = [[], []];
  for (const group of root.all('equality'))
    for (const element of group.children) {
      if (!isRead(element)) continue;
      if (element.name !== 'joint') constraints.push(loopOf(element, named));
      else {
        const mimic = couplingOf(element, named.links);
        if ('leader' in mimic) mimics.push(mimic);
        else constraints.push(mimic);
      }
    }
  return { mimics, constraints };
}

function couplingOf(element: Element, links: readonly RobotLink[]): Mimic | RobotConstraint {
  const joint = element.needText('joint1');
  const leader = element.text('joint2');
  const indexOf = (name: string): number => {
    const index = links.findIndex(({ jointName, values }) => jointName === name && values.axis);
    if (index < 0) element.refuseUnknownName(`couples the joint "${name}", which there is not, or which has no axis.`);
    return index;
  };
  const link = indexOf(joint);
  if (leader !== undefined) indexOf(leader);
  if (joint === leader) element.refuse(`has the joint "${joint}" follow itself.`);
  const [offset, multiplier, ...higher] = element.numbers('polycoef', 2, 3, 4, 5) ?? [0, 1];
  if (leader === undefined) return { name: nameOf(element), kind: 'gear', link, offset };
  if (higher.some((coefficient) => coefficient !== 0))
    element.refuseUnsupported('couples joints by more than a line; polycoef may have two numbers other than 0.');
  return { joint, leader, multiplier, offset };
}

const nameOf = (element: Element): string => `${element.name} "${element.text('name') ?? `line ${element.line}`}"`;

/** Reads a `connect` or a `weld`, between bodies or sites. */
function loopOf(element: Element, { links, bodies, sites }: NamedThings): RobotConstraint {
  const isSites = element.firstPresent('site1') !== undefined;
  const placeOf = (side: 1 | 2): LinkPlace => {
    const name = isSites || side === 1 ? element.needText(isSites ? `site${side}` : 'body1') : element.text('body2');
    if (name === undefined || (name === 'world' && !isSites)) return { link: undefined, pose: ORIGIN };
    const place = (isSites ? sites : bodies).get(name);
    return place ?? element.refuseUnknownName(`names the ${isSites ? 'site' : 'body'} "${name}", which there is not.`);
  };
  const places = [placeOf(1), placeOf(2)] as const;
  const [first, second] = places.map(({ link, pose }) =>
    composedPose(link === undefined ? ORIGIN : worldPose(links, link), pose),
  );
  const isWeld = element.name === 'weld';
  const relative = isWeld && !isSites ? relativePose(element) : undefined;
  const wanted = relative ? composedPose(first, relative) : second;
  const anchor: Vector = isSites
    ? [0, 0, 0]
    : isWeld
      ? (element.vector('anchor') ?? [0, 0, 0])
      : requiredVector(element, 'anchor');
  // The anchor is in the axes of the first body of a connect, and of the second of a weld.
  const meeting = isWeld ? composedPose(wanted, poseAt(anchor)).position : composedPose(first, poseAt(anchor)).position;
  const own = isSites || relative ? composedPose(second, poseAt(anchor)).position : meeting;
  const sides = [
    { ...places[0], point: meeting, orientation: first.orientation },
    { ...places[1], point: own, orientation: second.orientation },
  ];
  const turn = isSites ? ORIGIN.orientation : multiplyQuaternions(conjugate(first.orientation), wanted.orientation);
  const isTurned = sides[1].link === undefined;
  const [held, holder] = isTurned ? sides : sides.toReversed();
  if (held.link === undefined) return element.refuse('ties the world to itself.');
  const local = ({ link, point }: (typeof sides)[number]): Vector => {
    if (link === undefined) return point;
    const { position, orientation } = worldPose(links, link);
    return rotate(conjugate(orientation), subtract(point, position));
  };
  return {
    name: nameOf(element),
    kind: isWeld ? 'weld' : 'connect',
    link: held.link,
    ...(holder.link !== undefined && { otherLink: holder.link }),
    point: local(held),
    otherPoint: local(holder),
    ...(isWeld && { restOrientation: restOf(places, isTurned ? conjugate(turn) : turn, isTurned) }),
  };
}

const poseAt = (position: Vector): Pose => ({ position, orientation: ORIGIN.orientation });
const requiredVector = (element: Element, name: string): Vector => {
  element.needText(name);
  return element.vector(name) as Vector;
};

/** Returns the orientation of the held link in the holder's axes, from that of its body or site in the holder's. */
function restOf(places: readonly [LinkPlace, LinkPlace], turn: Quaternion, isTurned: boolean): Quaternion {
  const [held, holder] = isTurned ? places : [places[1], places[0]];
  const inHolder = multiplyQuaternions(holder.pose.orientation, turn);
  return multiplyQuaternions(inHolder, conjugate(held.pose.orientation));
}

/** Pose of the second body in the first, if it is given. */
function relativePose(element: Element): Pose | undefined {
  const [x, y, z, w, a, b, c] = element.numbers('relpose', 7) ?? [0, 0, 0, 0, 0, 0, 0];
  const length = Math.hypot(w, a, b, c);
  if (length === 0) return undefined;
  return { position: [x, y, z], orientation: [a / length, b / length, c / length, w / length] };
}

/** Pose of a link in the axes of the file, where all joints are as the file has them. */
function worldPose(links: readonly RobotLink[], k: number): Pose {
  const { parent, values } = links[k];
  const own = { position: values.anchor, orientation: values.restOrientation };
  return parent === undefined ? own : composedPose(worldPose(links, parent), own);
}
