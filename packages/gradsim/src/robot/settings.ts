import type { Vector } from '@gradsim/base';
import { GradsimError } from '@gradsim/core';
import type { Measures, Value } from '@gradsim/kinds';
import type { IdentifyOptions, Payload, Robot } from '@gradsim/robots';

/** Settings of `gradsim new robot`: those of `identifyRobot`, without laws that robot files cannot hold. */
export const ROBOT = {
  name: 'robot',
  finds: 'masses, centres, inertias and friction of a robot, from logs of its joints (--model FILE --log FILE)',
  measures: {
    gravity: {
      what: "Gravity in the robot's axes, m/s^2; null: that of the model, else 0,0,-9.81.",
      type: 'vector',
      default: null,
    },
    motionBand: {
      what: 'Frequency up to which positions are believed when they are differentiated, Hz.',
      type: 'positive',
      default: 15,
    },
    torqueBand: { what: 'Frequency up to which torques are compared, Hz.', type: 'positive', default: 5 },
    frictionWidth: {
      what: 'Rate at which dry friction reaches three quarters of its maximum, rad/s or m/s.',
      type: 'positive',
      default: 0.02,
    },
    delay: {
      what: 'Greatest delay of torques against positions that is tried, either way, s; 0: none.',
      type: 'tolerance',
      default: 0.03,
    },
    zeros: {
      what: 'Each log has its own zeros of positions; those of a held-out one come from so many seconds at its beginning. 0: all share one.',
      type: 'tolerance',
      default: 0,
    },
    torqueGain: {
      what: "unknown: torques are logged in a unit of their own, such as amperes, and each joint's gain is estimated; a payload tells it, or masses, centres and inertias of the model must be right on the whole.",
      type: ['known', 'unknown'],
      default: 'known',
    },
    torqueBias: {
      what: "unknown: logged torques do not count from zero, and each joint's bias is estimated.",
      type: ['known', 'unknown'],
      default: 'known',
    },
    payload: {
      what: 'Mass of the payload of the logs of --with-payload, kg. With torqueGain=unknown it gives the gains.',
      type: 'positive',
      default: null,
    },
    payloadCentre: { what: 'Its centre in the axes of the link that carries it, m.', type: 'vector', default: null },
    payloadLink: { what: 'Name of that link; null: the last one.', type: 'text', default: null },
    range: {
      what: 'Part by which what the motion does not determine may differ from the calibrated robot, in ranges and --variants.',
      type: 'tolerance',
      default: 0.2,
    },
  } satisfies Measures as Measures,
};

/** Options of `identifyRobot` from the values of {@link ROBOT}. */
export const identifyOptionsOf = (values: Readonly<Record<string, Value>>): IdentifyOptions =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== null && !/^range$|^payload/.test(name)),
  );

/**
 * The payload of logs that are recorded with one.
 * @throws GradsimError if its mass or its centre is missing, and for either without such logs.
 */
export function payloadOf(
  { payload: mass, payloadCentre: centre, payloadLink: link }: Readonly<Record<string, Value>>,
  { links }: Robot,
  logs: number,
): Payload | undefined {
  if (logs === 0 && mass === null && centre === null && link === null) return undefined;
  if (logs === 0 || mass === null || centre === null)
    throw new GradsimError(
      'gradsim/option-missing',
      'A payload needs --with-payload FILE, a log with it, --set payload=KG and --set payloadCentre=X,Y,Z (m, in the axes of its link).',
    );
  return { mass: mass as number, centre: centre as unknown as Vector, link: (link ?? links.at(-1)?.name) as string };
}
