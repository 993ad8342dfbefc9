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
import { hasAxis } from './joint.ts';
import type { JointKind } from './link.ts';
import { Link } from './link.ts';

/** Value beyond which a control or a force counts as unlimited. */
const UNLIMITED = 1e9;

/**
 * An actuator on a joint that has an axis. With its length l = gear q and its control u, each within its range, it
 * gives the force
 *
 * f = gain u + bias - stiffness l - damping l',
 *
 * and the joint the torque or force gear f. A motor has a gain alone (1); a servo of positions has gain = stiffness =
 * kp and damping kv, and u is where it wants l; one of rates has gain = damping = kv. A controller is a kernel of phase
 * `control` that writes `Actuator.control`; {@link controlSchedule} gives each moment a value of its own.
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
    /** Gear ratio: turns of the motor over turns of the joint. */
    gear: column(f32, { default: 1 }),
    /**
     * Force per control: of motors in N m (or N) per unit of control; of servos in N m/rad or N m s/rad, or N/m or N s/m.
     */
    gain: column(f32, { default: 1 }),
    /** Constant force, N m or N. */
    bias: column(f32, { default: 0 }),
    /** Stiffness: force -stiffness l, N m/rad or N/m. */
    stiffness: column(f32, { default: 0 }),
    /** Damping: force -damping l', N m s/rad or N s/m. */
    damping: column(f32, { default: 0 }),
    /** Control input u, written by a controller. */
    control: column(f32, { default: 0 }),
    lowerControl: column(f32, { default: -UNLIMITED }),
    upperControl: column(f32, { default: UNLIMITED }),
    /** Limits of the force f, N m or N. */
    lowerForce: column(f32, { default: -UNLIMITED }),
    upperForce: column(f32, { default: UNLIMITED }),
  },
  {},
  { noun: 'actuator' },
);

export const actuate = kernel(
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

/** @throws for one on a joint without an axis, and for limits out of order. */
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

/** Controls of a whole run: a value for each actuator and each substep or frame. */
export const schedule = field('actuators', 'schedule', f32);

const follow = kernel(
  'followSchedule',
  { domain: Actuator, reads: { schedule }, writes: { control: Actuator.control } },
  ({ schedule }) => ({ control: schedule }),
);

/**
 * Gives every actuator a control for each substep or frame, `schedule`, [moment][actuator]: to be set, or an unknown
 * array of an estimate.
 *
 * ```ts
 * const scene = createScene([articulated(), controlSchedule({ over: 'frame' })]);
 * const unknown = { name: 'torques', field: schedule, window: 4, initial: 0 };
 * ```
 * @throws for anything but 'substep' and 'frame'.
 */
export function controlSchedule(options: { readonly over?: 'substep' | 'frame' } = {}): Plugin {
  refuseUnknownOptions('controlSchedule', options, { over: 'substep' });
  const { over = 'substep' } = options;
  refuseUnknownChoice('controlSchedule: over', over, ['substep', 'frame']);
  return definePlugin({
    name: '@gradsim/articulated/schedule',
    contract: 1,
    requires: ['@gradsim/articulated'],
    build: ({ model }) => {
      model.addField(schedule, { over, fill: 0 });
      model.addPass('control', follow);
    },
  });
}
