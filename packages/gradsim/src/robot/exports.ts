import { extname } from 'node:path';
import type { Identification } from '@gradsim/robots';
import { isaacLabEvents, posteriorJson, rangesOf, writeCalibrated } from '@gradsim/robots';

/** Robots that are drawn for ranges, at least. */
const MIN_DRAWN_ROBOTS = 64;

/** Files for other programs. */
export interface RobotExports {
  /** Mean, covariance and ranges, JSON. */
  readonly posterior: string;
  /** Event terms of Isaac Lab, Python. */
  readonly isaacLab: string;
  /** The robot's file with the numbers of each drawn robot. */
  readonly variants: readonly string[];
}

/**
 * Draws robots that the logs allow, and writes them and their ranges.
 * @param text of the model's file. `range`: part by which what the motion does not determine may differ.
 */
export function exportsOf(
  found: Identification,
  {
    text,
    name,
    range,
    variants,
  }: { readonly text: string; readonly name: string; readonly range: number; readonly variants: number },
): RobotExports {
  const drawn = found.draw({ count: Math.max(MIN_DRAWN_ROBOTS, variants), range });
  const ranges = rangesOf(found, drawn);
  const bounds = `Not determined by the motion: drawn from masses, extents of bodies and coefficients of joints up to a factor of e^${range} from the calibrated robot's, and centres up to ${range} extents of the body from its. The calibrated robot is the physical one that is nearest to the model as given and has the combinations.`;
  return {
    posterior: posteriorJson(found, ranges, bounds),
    isaacLab: isaacLabEvents(ranges, name),
    variants: drawn.slice(0, variants).map((robot) => writeCalibrated(text, found, robot)),
  };
}

/** Paths of drawn robots beside the calibrated one: `arm-1.xml` and so on beside `arm.xml`. */
export const variantPaths = (path: string, count: number): string[] => {
  const end = extname(path);
  return Array.from({ length: count }, (_, k) => `${path.slice(0, path.length - end.length)}-${k + 1}${end}`);
};
