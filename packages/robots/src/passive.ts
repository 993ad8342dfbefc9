import type { Element } from './element.ts';
import type { LinkValues, RobotOptions } from './robot.ts';

/**
 * Columns of a link for its joint limits; reports them as not acting without `limitStiffness`. @throws GradsimError if
 * the lower limit is not below the upper one.
 */
export function limitsOf(
  element: Element,
  [lower, upper]: readonly [number | undefined, number],
  { limitStiffness, limitDamping }: RobotOptions,
  passedOver: string[],
): Partial<LinkValues> {
  if ((lower ?? 0) >= upper)
    element.refuse(
      lower === undefined
        ? `has the limit ${upper}, which must be above 0.`
        : `has the limits ${lower} and ${upper}; the lower one must be below the upper one.`,
    );
  if (!limitStiffness)
    passedOver.push(`${element.placeInFile()}: its limits do not act, since there is no limitStiffness.`);
  return { ...(lower === undefined ? {} : { lower }), upper, limitStiffness, limitDamping };
}

/** Columns of a link for the dry friction of its joint; reports it if it does not act. */
export function frictionOf(
  element: Element,
  dryFriction: number | undefined,
  { frictionStiffness, implicitJoints = true }: RobotOptions,
  passedOver: string[],
): Partial<LinkValues> {
  if (!dryFriction) return {};
  if (!frictionStiffness && !implicitJoints)
    passedOver.push(
      `${element.placeInFile()}: its dry friction does not act, since its joint is not implicit and there is no frictionStiffness.`,
    );
  return { dryFriction, frictionStiffness };
}

/** Copies an object without its undefined properties, which a scene would reject. */
export const onlyGiven = <T extends object>(values: T): T =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
