import { dot, f32, normalize, outer, quat, vec3 } from '@gradsim/core';
import { Link } from '../link.ts';
import { symmetricFromEntries } from '../spatial.ts';
import { sweep } from './sweep.ts';

/** Constants of links, copied to depth levels once per run. */
export const FRAME_FIELDS = { anchor: vec3, restOrientation: quat, axis: vec3 };
export const BODY_FIELDS = {
  mass: f32,
  /** Mass times centre, kg m, and the inertia about the link's origin, kg m^2, in the link's axes. */
  firstMoment: vec3,
  inertiaDiagonal: vec3,
  inertiaOff: vec3,
  armature: f32,
};

const NO_WORLD_READS = { reads: {}, of: () => ({}) };

/**
 * Computes joint constants, and inertias about link origins by Steiner's theorem, I + m (c^2 1 - c c^T), level by
 * level, once per run.
 */
export const prepare = sweep({
  name: 'prepareLink',
  own: {},
  parent: {},
  world: NO_WORLD_READS,
  link: {
    anchor: Link.anchor,
    restOrientation: Link.restOrientation,
    axis: Link.axis,
    mass: Link.mass,
    centre: Link.centre,
    inertia: Link.inertia,
    armature: Link.armature,
  },
  writes: { ...FRAME_FIELDS, ...BODY_FIELDS },
  lifts: {},
  sums: {},
  run: ({ link: { anchor, restOrientation, axis, mass, centre, inertia, armature } }) => {
    const away = outer(centre, centre);
    const square = dot(centre, centre);
    // A matrix that is symmetric except for rounding counts by its symmetric part.
    const about = symmetricFromEntries((i, j) => {
      const steiner = i === j ? square.sub(away.entry(i, i)) : away.entry(i, j).neg();
      const given = i === j ? inertia.entry(i, i) : inertia.entry(i, j).add(inertia.entry(j, i)).mul(0.5);
      return given.add(steiner.mul(mass));
    });
    return {
      own: {
        anchor,
        restOrientation: normalize(restOrientation),
        axis: normalize(axis),
        mass,
        firstMoment: centre.mul(mass),
        armature,
        inertiaDiagonal: about.diagonal,
        inertiaOff: about.offDiagonal,
      },
      lifted: {},
      link: {},
    };
  },
});
