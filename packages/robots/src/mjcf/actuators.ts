import type { Element } from '../element.ts';
import { onlyGiven } from '../passive.ts';
import type { Actuator, RobotLink } from '../robot.ts';
import type { Reading } from './bodies.ts';
import { rangeOf } from './joints.ts';
import { reflectedInertia } from './reflected-inertia.ts';

type Limits = readonly [number, number];
/** Attributes of actuators by which their force is another or comes later. */
const REFUSED_FORCE_ATTRIBUTES = ['timeconst', 'delay', 'armature', 'damping'];
/** Elements that are read. */
const ELEMENTS = ['motor', 'position', 'velocity', 'general', 'pid', 'dcmotor'] as const;
/** Attributes of motors and controllers that give them a state, or a law that is not linear. */
const REFUSED_STATE_ATTRIBUTES = ['ki', 'inductance', 'cogging', 'controller', 'thermal', 'lugre'];

/**
 * Reads the actuators of joints with an axis whose force is linear in control, length and rate.
 * @throws for others.
 */
export function actuatorsOf(
  root: Element,
  reading: Omit<Reading, 'links'> & { readonly links: readonly RobotLink[] },
): Actuator[] {
  const { links, compiler, defaults, actuated, passedOver } = reading;
  const found: Actuator[] = [];
  const disabled = root
    .all('option')
    .flatMap((option) => option.text('actuatorgroupdisable')?.trim().split(/\s+/) ?? []);
  for (const group of root.all('actuator'))
    for (const element of group.children) {
      if (disabled.includes(String(defaults.apply(element).number('group') ?? 0))) {
        element.passOver();
        passedOver.push(`${element.placeInFile()} is of a group that actuatorgroupdisable turns off.`);
        continue;
      }
      const law = ELEMENTS.find((each) => each === element.name);
      if (!law || !defaults.apply(element).firstPresent('joint') || !isLinear(element))
        return element.refuseUnsupported(
          'drives the model by a law or at a place that there is not: actuators of joints are read, whose force is linear in control, length and rate. Remove it, or read the file with actuators: false.',
        );
      const joint = element.read().needText('joint');
      for (const name of [...REFUSED_FORCE_ATTRIBUTES, ...REFUSED_STATE_ATTRIBUTES])
        if (
          element
            .text(name)
            ?.split(/\s+/)
            .some((word) => Number(word) !== 0)
        )
          element.refuseUnsupported(
            `has ${name}, by which its force is another, and which is not read; remove it, or read the file with actuators: false.`,
          );
      const link = links.findIndex(({ jointName }) => jointName === joint);
      if (link < 0) element.refuseUnknownName(`drives the joint "${joint}", which there is not.`);
      const { axis } = links[link].values;
      if (!axis)
        element.refuseUnsupported(
          `drives the joint "${joint}", which has no axis; give Link.ballDrive in the program.`,
        );
      const [gear = 1, ...rest] = element.numbers('gear', 1, 2, 3, 4, 5, 6) ?? [];
      if (rest.some((value) => value !== 0)) element.refuseValue('gear', element.text('gear') ?? '', 'one number');
      const own = actuated.get(joint);
      if (own?.actuatorRange && found.some((other) => other.link === link))
        passedOver.push(
          `${element.placeInFile()}: actuatorfrcrange of the joint "${joint}" limits each of its actuators, not their sum.`,
        );
      found.push(
        onlyGiven({
          name: element.text('name') ?? joint,
          kind: law === 'pid' ? 'position' : law === 'dcmotor' ? 'general' : law,
          link,
          gear,
          ...coefficientsOf(element, law, () => reflectedInertia(links, link) / gear ** 2),
          controlRange: controlRangeOf(element, reading, own?.element),
          forceRange: narrowerLimits(
            law === 'dcmotor' ? saturationOf(element) : rangeOf(element, compiler, ['forcerange', 'forcelimited']),
            own?.actuatorRange && overGear(own.actuatorRange, gear),
          ),
        }),
      );
    }
  return found;
}

/** True if an actuator's force is a fixed gain times its control plus an affine bias, without activation dynamics. */
const isLinear = (element: Element): boolean =>
  element.name !== 'general' ||
  ((element.text('dyntype') ?? 'none') === 'none' &&
    (element.text('gaintype') ?? 'fixed') === 'fixed' &&
    ['none', 'affine'].includes(element.text('biastype') ?? 'none'));

/**
 * Coefficients of an actuator's force.
 * @param inertia of what it moves, along its own length: with it a damping ratio says a damping.
 */
function coefficientsOf(element: Element, law: (typeof ELEMENTS)[number], inertia: () => number): Partial<Actuator> {
  const damped = (stiffness: number, ratio: number): number => 2 * ratio * Math.sqrt(stiffness * inertia());
  switch (law) {
    case 'motor':
      return {};
    case 'dcmotor':
      return dcMotorOf(element);
    case 'pid':
      if (element.text('input')?.trim() !== 'pos' || (element.number('inheritrange') ?? 0) !== 0)
        element.refuseUnsupported(
          'is read with a position as its only control, input="pos", and without inheritrange; write a position and motors for others.',
        );
      if (!element.firstPresent('kp')) element.refuseMissing('has no kp.');
      return servoOf(element, damped);
    case 'position':
      return servoOf(element, damped);
    case 'velocity':
      return { kv: element.notNegative('kv') ?? 1 };
    case 'general': {
      const some = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
      const [gain = 1] = element.numbers('gainprm', ...some) ?? [];
      const [constant = 0, ofLength = 0, ofRate = 0] = element.numbers('biasprm', ...some) ?? [];
      if (element.text('biastype') !== 'affine') return { gain };
      // A positive rate of what is like a position servo is a damping ratio.
      const isServo = gain === -ofLength && ofRate > 0;
      return { gain, bias: [constant, ofLength, isServo ? -damped(gain, ofRate) : ofRate] };
    }
  }
}

/**
 * A DC motor without a state: torque = K (V - K rate) / R, with the control V (quasi-static law: MuJoCo's DC motor model).
 * Constants are given, or come from the stall torque and the speed without load at a voltage.
 */
function dcMotorOf(element: Element): Partial<Actuator> {
  if ((element.text('input') ?? 'voltage').trim() !== 'voltage')
    element.refuseUnsupported('has another control than a voltage; set input="voltage".');
  const constants = element.numbers('motorconst', 1, 2);
  const resistance = element.number('resistance');
  const nominal = element.numbers('nominal', 3);
  if (nominal && (constants || resistance !== undefined))
    element.refuse('has nominal beside motorconst or resistance; give nominal alone, or both of those.');
  const positive = (values: readonly number[], name: string): void => {
    const wrong = values.find((value) => !(value > 0));
    if (wrong !== undefined) element.refuseValue(name, String(wrong), 'above 0');
  };
  if (nominal) {
    positive(nominal, 'nominal');
    const [voltage, stall, free] = nominal;
    return { gain: stall / voltage, bias: [0, 0, -stall / free] };
  }
  if (!constants || resistance === undefined)
    return element.refuseMissing('needs motorconst and resistance, or nominal.');
  positive([...constants, resistance], 'motorconst or resistance');
  // Torque and back-EMF have one constant; two that differ by errors of measurement have a mean.
  const K = Math.sqrt(constants[0] * (constants[1] ?? constants[0]));
  return { gain: K / resistance, bias: [0, 0, (-K * K) / resistance] };
}

/** Range of the torque of a DC motor by its saturation. */
function saturationOf(element: Element): Limits | undefined {
  const [torque = 0, ...others] = element.numbers('saturation', 1, 2, 3) ?? [];
  if (others.some((value) => value !== 0))
    element.refuseUnsupported('saturates by more than its torque, the first number of saturation; give that alone.');
  return torque > 0 ? [-torque, torque] : undefined;
}

/** Gains of a position servo, of which a damping ratio may say the derivative one. */
function servoOf(element: Element, damped: (stiffness: number, ratio: number) => number): Partial<Actuator> {
  const kp = element.notNegative('kp') ?? 1;
  const ratio = element.notNegative('dampratio') ?? 0;
  if (ratio > 0 && element.notNegative('kv')) element.refuse('has kv and dampratio; one of them says the damping.');
  return { kp, kv: ratio > 0 ? damped(kp, ratio) : (element.notNegative('kv') ?? 0) };
}

/** Range of an actuator's control: the given one or, with `inheritrange`, the joint's range scaled about its centre. */
function controlRangeOf(
  element: Element,
  { compiler }: Pick<Reading, 'compiler'>,
  joint: Element | undefined,
): Limits | undefined {
  const given = rangeOf(element, compiler, ['ctrlrange', 'ctrllimited']);
  const part = element.name === 'position' ? element.number('inheritrange') : undefined;
  if (given || !part) return given;
  const range = joint && rangeOf(joint, compiler);
  if (!range || !joint) return element.refuseMissing('has an inheritrange, and its joint has no range.');
  const unit = joint.text('type') === 'slide' ? 1 : compiler.angle;
  const [middle, half] = [((range[0] + range[1]) / 2) * unit, ((range[1] - range[0]) / 2) * unit * part];
  return [middle - half, middle + half];
}

const overGear = ([low, high]: Limits, gear: number): Limits | undefined =>
  gear === 0 ? undefined : gear > 0 ? [low / gear, high / gear] : [high / gear, low / gear];

const narrowerLimits = (a: Limits | undefined, b: Limits | undefined): Limits | undefined =>
  a && b ? [Math.max(a[0], b[0]), Math.min(a[1], b[1])] : (a ?? b);
