import type { KernelPass } from '@gradsim/core';
import { cross, field, index, kernel, quat, rotate, vec3 } from '@gradsim/core';
import { orientationOf, toWorld } from '../attitude.ts';
import { jointPose } from '../joint.ts';
import type { JointKind } from '../link.ts';
import { Link } from '../link.ts';
import type { Rank } from '../ranks.ts';
import { IDENTITY, ZERO } from '../spatial.ts';
import { JOINT_STATE, MOTION_FIELDS } from './outward.ts';
import { FRAME_FIELDS } from './prepare.ts';
import { sweep } from './sweep.ts';

const perJoint = (sweepOf: (joint: JointKind) => (rank: Rank) => KernelPass) => {
  const sweeps = {
    revolute: sweepOf('revolute'),
    prismatic: sweepOf('prismatic'),
    ball: sweepOf('ball'),
    free: sweepOf('free'),
    fixed: sweepOf('fixed'),
  };
  return (rank: Rank): KernelPass => sweeps[rank.joint](rank);
};

/** Fields of a depth level from which frames (`FRAME_POSE`) and contact (`CONTACT_POSE`) are computed. */
export const FRAME_POSE = { shownOrientation: quat, shownTurn: vec3, shownPosition: vec3 };
export const CONTACT_POSE = { origin: vec3, originVelocity: vec3 };

/** Sweep that computes the pose of links in the world, for frames. */
export const poseForFrames = perJoint((joint) =>
  sweep({
    name: 'showLink',
    own: FRAME_FIELDS,
    parent: FRAME_POSE,
    world: { reads: {}, of: () => ({ shownOrientation: IDENTITY(), shownTurn: ZERO(), shownPosition: ZERO() }) },
    link: JOINT_STATE,
    writes: FRAME_POSE,
    lifts: {},
    sums: { position: Link.position, worldOrientation: Link.worldOrientation },
    run: ({ own, parent, link }) => {
      const above = { orientation: parent.shownOrientation, turn: parent.shownTurn };
      const { attitude, arm } = jointPose(joint, above, own, link);
      const { orientation, turn } = attitude;
      const position = parent.shownPosition.add(arm);
      return {
        own: { shownOrientation: orientation, shownTurn: turn, shownPosition: position },
        lifted: {},
        link: { position, worldOrientation: orientationOf(attitude) },
      };
    },
  }),
);

const { orientation, turn, spin, arm, direction } = MOTION_FIELDS;
/**
 * Sweep that computes positions and velocities of centres of mass within a substep, for contact. Runs after the sweep
 * {@link outward}.
 */
export const placeForContact = perJoint((joint) =>
  sweep({
    name: 'placeLink',
    own: { orientation, turn, spin, arm, direction },
    parent: { ...CONTACT_POSE, spin, orientation, turn },
    world: {
      reads: {},
      of: () => ({ origin: ZERO(), originVelocity: ZERO(), spin: ZERO(), orientation: IDENTITY(), turn: ZERO() }),
    },
    link: { rate: Link.rate, velocity: Link.velocity, centre: Link.centre },
    writes: CONTACT_POSE,
    lifts: {},
    sums: {
      centrePosition: Link.centrePosition,
      centreVelocity: Link.centreVelocity,
      bodyOrientation: Link.bodyOrientation,
      bodyAngularVelocity: Link.bodyAngularVelocity,
    },
    run: ({ own, parent, link }) => {
      const slide =
        joint === 'prismatic'
          ? own.direction.mul(link.rate)
          : joint === 'free'
            ? toWorld(parent, link.velocity)
            : ZERO();
      const origin = parent.origin.add(own.arm);
      const originVelocity = parent.originVelocity.add(cross(parent.spin, own.arm)).add(slide);
      const centre = toWorld(own, link.centre);
      return {
        own: { origin, originVelocity },
        lifted: {},
        link: {
          centrePosition: origin.add(centre),
          centreVelocity: originVelocity.add(cross(own.spin, centre)),
          bodyOrientation: orientationOf(own),
          bodyAngularVelocity: own.spin,
        },
      };
    },
  }),
);

/**
 * Fields of the vertices of the links' meshes: their link, their position in the link's axes (`local`) and there from
 * its centre of mass (`fromCentre`), and their position in the world.
 */
export const vertexLink = field('linkVertices', 'link', index(Link.domain));
export const local = field('linkVertices', 'local', vec3, { unit: 'm' });
export const fromCentre = field('linkVertices', 'fromCentre', vec3, { unit: 'm' });
export const vertexPosition = field('linkVertices', 'position', vec3, { unit: 'm' });

export const poseLink = kernel(
  'poseLink',
  {
    domain: 'linkVertices',
    reads: { link: vertexLink, local, origin: Link.position, orientation: Link.worldOrientation },
    writes: { position: vertexPosition },
  },
  ({ link, local, origin, orientation }) => ({
    position: origin.at(link).add(rotate(orientation.at(link), local)),
  }),
);

/** Computes the positions of contact vertices relative to the centre of mass, once per run. */
export const centreVertex = kernel(
  'centreVertex',
  {
    domain: 'linkVertices',
    reads: { link: vertexLink, local, centre: Link.centre },
    writes: { fromCentre },
  },
  ({ link, local, centre }) => ({ fromCentre: local.sub(centre.at(link)) }),
);
