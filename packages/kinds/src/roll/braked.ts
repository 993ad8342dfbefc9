import { Link } from '@gradsim/articulated';
import { GradsimError } from '@gradsim/core';
import { givenAngle, type PlacedCamera, type Roll } from '@gradsim/film';
import type { MeasuredBy } from '@gradsim/kinds/define';
import type { GivenSpec, NamedValues, ParameterSpec, Problem, TieSpec } from '@gradsim/optim';
import type { measures } from './measures.ts';

/** Rolling friction of hard balls on hard boards, and its standard deviation: judged. */
const USUAL_FRICTION = 0.005;
/** Standard deviation of a measured friction, as a part of it. */
const FRICTION_TOLERANCE = 0.1;
const FRICTION = 'rolling friction';
const RADIANS = Math.PI / 180;
/** Time in which a ball that was at rest moves clearly, s. */
const CLEAR_MOTION_TIME = 0.1;

/** Bow of a way over time, in its residuals, above which it tells the side to which an incline descends. Judged. */
const CLEAR_BOW = 5;

/**
 * The start with the side to which it speeds up, as all that rolls on an incline does: the slope of its way in the picture is that of
 * an incline which the camera sees from the front, and may be perspective's.
 * @param seconds duration of the film.
 */
export function downhillOf(start: Roll, seconds: number): Roll {
  const { side, speed, acceleration, residual } = start;
  const isUphill = (-acceleration * seconds ** 2) / 8 > CLEAR_BOW * residual;
  return isUphill ? { ...start, side: -side, speed: -speed, acceleration: -acceleration } : start;
}

/** Angle, inertia factor and rolling friction of a ball that rolls: given, or unknown. */
interface RollUnknowns extends Pick<Problem, 'derived'> {
  /** Values at which the search starts: degrees, and parts. */
  readonly angle: number;
  readonly factor: number;
  readonly friction: number;
  readonly parameters: readonly ParameterSpec[];
  readonly given: readonly GivenSpec[];
  readonly ties: readonly TieSpec[];
  /** Unknown angles of the camera: level as the tolerance of angles says where these tell the incline's. */
  readonly camera: readonly ParameterSpec[];
}

/**
 * Inertia factor, or rolling friction where factor and gravity were measured, as unknowns; the others as given.
 * @throws where neither factor nor gravity was measured.
 */
export function rollUnknowns(measured: MeasuredBy<typeof measures>, start: Roll, camera: PlacedCamera): RollUnknowns {
  if (measured.factor === null && measured.gravity === null)
    throw new GradsimError('kinds/one-of-two', 'roll: factor and gravity are both null.', {
      field: 'factor',
      hint: 'A film shows one acceleration: give the factor, 0.4 of a solid ball, to find gravity, or gravity to find the factor.',
    });
  const pull = measured.gravity ?? 9.81;
  // Downhill or uphill at first, also from a rest that a track shows as a small speed.
  const heads = Math.sign(start.speed + CLEAR_MOTION_TIME * start.acceleration) || 1;
  const angle = measured.angle ?? start.angle / RADIANS;
  const shown = (pull * Math.sin(angle * RADIANS)) / start.acceleration - 1;
  const factor = measured.factor ?? (shown > 0.1 && shown < 1.5 ? shown : 0.4);
  const friction = measured.friction ?? USUAL_FRICTION;
  const findsFriction = measured.factor !== null && measured.gravity !== null && measured.friction === null;
  const usual = {
    range: [0.4, 1] as const,
    of: 'that of what rolls, from a solid ball to a hoop,',
    question: 'Is the angle right, and the radius a radius? Are all lengths right? Does it slide, or roll in a groove?',
  };
  const parameters: ParameterSpec[] = [
    ...(measured.factor === null
      ? [{ name: 'factor', field: Link.armature, initial: factor, transform: 'log', usual } as const]
      : []),
    ...(findsFriction ? [{ name: FRICTION, initial: friction, transform: 'log' } as const] : []),
    ...(measured.angle === null ? [{ name: 'angle', initial: angle, scale: 5, unit: 'degrees' }] : []),
  ];
  const tolerance = measured.friction === null ? USUAL_FRICTION : FRICTION_TOLERANCE * friction;
  const level = { mean: 0, standardDeviation: Math.max(measured.angleTolerance, 0.01) * RADIANS };
  const frictionAt = (v: NamedValues): number => (friction === 0 ? 0 : v[FRICTION]);
  const pullAt = (v: NamedValues): number => measured.gravity ?? v.gravity;
  return {
    angle,
    factor,
    friction,
    parameters,
    given: [
      ...(measured.angle === null ? [] : [givenAngle('angle', angle, measured)]),
      ...(findsFriction || friction === 0
        ? []
        : [{ name: FRICTION, value: friction, tolerance, range: [0, 1] } as const]),
    ],
    ties: [{ field: Link.dryFriction, compute: (v) => frictionAt(v) * pullAt(v) * Math.cos(v.angle * RADIANS) }],
    derived: {
      acceleration: {
        unit: 'm/s^2',
        compute: (v) => {
          const tilt = v.angle * RADIANS;
          const along = Math.sin(tilt) - heads * frictionAt(v) * Math.cos(tilt);
          return (pullAt(v) * along) / (1 + (measured.factor ?? v.factor));
        },
      },
    },
    camera: camera.parameters.map((spec) =>
      measured.angle === null && spec.name === 'roll of the camera' ? { ...spec, prior: level } : spec,
    ),
  };
}
