import type { Entity, Plugin, Scene } from '@gradsim/core';
import {
  clamp,
  column,
  defineComponent,
  definePlugin,
  f32,
  field,
  fieldOn,
  GradsimError,
  kernel,
  reference,
  refuseUnknownChoice,
  refuseUnknownOptions,
} from '@gradsim/core';
import { hasAxis } from '../joint.ts';
import type { JointKind } from '../link.ts';
import { Link } from '../link.ts';

/** Absolute value above which a limit of a control or a force counts as absent. */
const UNLIMITED = 1e9;

/**
 * An actuator on a joint that has an axis. With its length l = gear q, q the joint's coordinate, and its control u,
 * clamped to its range, it exerts the force
 *
 * f = gain u + bias - stiffness l - damping l',
 *
 * clamped to its range, and on the joint the torque or force gear f. A motor has only a gain (1); a position servo has
 * gain = stiffness = kp and damping = kv, and u is the target of l; a velocity servo has gain = damping = kv, and u is
 * the target of l'. A controller is a kernel of phase `control` that writes `Actuator.control`; {@link controlSchedule}
 * sets one value for each substep or frame.
 *
 * ```ts
 * scene.add(Actuator, { link: elbow, gain: 40, stiffness: 40, damping: 2, control: 0.5, lowerForce: -8, upperForce: 8
 * });
 * ```
 */
export const Actuator = defineComponent(
  'actuators',
  {
    /** The driven link; its joint must have an axis. */
    link: reference(Link),
    /**
     * Gear ratio: length l of the actuator per coordinate q of the joint, such as turns of the motor per turn of the
     * joint.
     */
    gear: column(f32, { default: 1 }),
    /**
     * Force per unit of control: for motors N m or N per unit of control; for position servos N m/rad or N/m; for
     * velocity servos N m s/rad or N s/m.
     */
    gain: column(f32, { default: 1 }),
    /** Constant part of the force f, N m or N. */
    bias: column(f32, { default: 0 }),
    /** Stiffness of the force f against the length l, N m/rad or N/m: part -stiffness l. */
    stiffness: column(f32, { default: 0 }),
    /** Damping of the force f against the rate l', N m s/rad or N s/m: part -damping l'. */
    damping: column(f32, { default: 0 }),
    /** Control input u, written by a controller; its unit follows from `gain`. */
    control: column(f32, { default: 0 }),
    lowerControl: column(f32, { default: -UNLIMITED }),
    upperControl: column(f32, { default: UNLIMITED }),
    /** Lower and upper limit of the force f, N m or N. */
    lowerForce: column(f32, { default: -UNLIMITED }),
    upperForce: column(f32, { default: UNLIMITED }),
  },
  {},
  { noun: 'actuator' },
);

export const addActuatorEfforts = kernel(
  'actuate',
  {
    domain: Actuator,
    reads: {
      link: Actuator.link,
      gear: Actuator.gear,
      gain: Actuator.gain,
      bias: Actuator.bias,
      stiffness: Actuator.stiffness,
      damping: Actuator.damping,
      control: Actuator.control,
      lowerControl: Actuator.lowerControl,
      upperControl: Actuator.upperControl,
      lowerForce: Actuator.lowerForce,
      upperForce: Actuator.upperForce,
      coordinate: fieldOn(Link.coordinate),
      rate: fieldOn(Link.rate),
    },
    adds: { effort: fieldOn(Link.effort) },
  },
  (a) => {
    const u = clamp(a.control, a.lowerControl, a.upperControl);
    const l = a.coordinate.at(a.link).mul(a.gear);
    const rate = a.rate.at(a.link).mul(a.gear);
    const f = a.gain.mul(u).add(a.bias).sub(a.stiffness.mul(l)).sub(a.damping.mul(rate));
    a.effort.add(a.link, clamp(f, a.lowerForce, a.upperForce).mul(a.gear));
  },
);

/** @throws for an actuator on a joint without an axis, and for a lower limit above the upper one. */
export function checkActuator(scene: Scene, entity: Entity, link: Entity): void {
  const who = scene.describe(entity);
  const joint = scene.object(link, Link, 'joint') as JointKind;
  if (!hasAxis(joint))
    throw new GradsimError(
      'articulated/joint-not-driven',
      `actuators.link is ${scene.describe(link)}, on a ${joint} joint; actuators drive revolute and prismatic ones. For a ball joint, write Link.ballDrive.`,
      { field: 'actuators.link', element: who },
    );
  for (const of of ['Control', 'Force']) {
    const [lower, upper] = [`lower${of}`, `upper${of}`].map((name) => scene.get(entity, Actuator, name)[0]);
    if (lower > upper)
      throw new GradsimError(
        'articulated/limits-reversed',
        `actuators.lower${of} is ${lower}, and actuators.upper${of} ${upper}.`,
        { element: who, hint: 'Lower must not be above upper.' },
      );
  }
}

/** Field of the controls of a whole run: a value for each actuator and each substep or frame. */
export const schedule = field('actuators', 'schedule', f32);

const readScheduledControl = kernel(
  'followSchedule',
  { domain: Actuator, reads: { schedule }, writes: { control: Actuator.control } },
  ({ schedule }) => ({ control: schedule }),
);

/**
 * Plugin that sets the control of every actuator from the input `schedule`, one value for each substep or frame,
 * [moment][actuator]. It can be set, or be an unknown array of an estimate.
 *
 * ```ts
 * const scene = createScene([articulated(), controlSchedule({ variesBy: 'frame' })]);
 * const unknown = { name: 'torques', field: schedule, window: 4, initial: 0 };
 * ```
 * @throws for anything but 'substep' and 'frame'.
 */
export function controlSchedule(options: { readonly variesBy?: 'substep' | 'frame' } = {}): Plugin {
  refuseUnknownOptions('controlSchedule', options, { variesBy: 'substep' });
  const { variesBy = 'substep' } = options;
  refuseUnknownChoice('controlSchedule: variesBy', variesBy, ['substep', 'frame']);
  return definePlugin({
    name: '@gradsim/articulated/schedule',
    contract: 1,
    requires: ['@gradsim/articulated'],
    build: ({ model }) => {
      model.addField(schedule, { variesBy, fill: 0 });
      model.addPass('control', readScheduledControl);
    },
  });
}
