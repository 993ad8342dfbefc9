import type { Measures, Value } from '@gradsim/kinds';
import type { IdentifyOptions } from '@gradsim/robots';

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
      what: "unknown: torques are logged in a unit of their own, such as amperes, and each joint's gain is estimated; masses, centres and inertias of the model must be right on the whole.",
      type: ['known', 'unknown'],
      default: 'known',
    },
    torqueBias: {
      what: "unknown: logged torques do not count from zero, and each joint's bias is estimated.",
      type: ['known', 'unknown'],
      default: 'known',
    },
    range: {
      what: 'Part by which what the motion does not determine may differ from the calibrated robot, in ranges and --variants.',
      type: 'tolerance',
      default: 0.2,
    },
  } satisfies Measures as Measures,
};

/** Options of `identifyRobot` from the values of {@link ROBOT}. */
export const identifyOptionsOf = (values: Readonly<Record<string, Value>>): IdentifyOptions =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== null && name !== 'range'));
