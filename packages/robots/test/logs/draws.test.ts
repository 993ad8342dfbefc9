import { sum } from '@gradsim/base';
import type { Identification, Robot } from '@gradsim/robots';
import {
  identifyRobot,
  isaacLabEvents,
  posteriorJson,
  rangesOf,
  readJointLog,
  readMjcf,
  writeCalibrated,
} from '@gradsim/robots';
import { beforeAll, expect, it } from 'vitest';
import { seedOfRun } from '../../../../scripts/vitest/draws.ts';
import { apart, swungByMujoco, swungHere } from '../support/swing.ts';
import { PLANAR, simulatedLog } from './support.ts';

/** Drawn robots, and the part by which what is not determined may differ. */
const [COUNT, RANGE] = [400, 0.2];
const seed = seedOfRun('drawn robots');
let found: Identification;
let drawn: Robot[];

beforeAll(async () => {
  // Coefficients far from 0, where they would be cut off.
  const model = await readMjcf(PLANAR.replaceAll('damping=', 'frictionloss="0.06" damping='));
  found = identifyRobot(model, [readJointLog(await simulatedLog(model), model)], { delay: 0 });
  drawn = found.draw({ count: COUNT, seed, range: RANGE });
});

it('draws combinations with their covariance', () => {
  const { combinations, covariance } = found;
  const values = drawn.map((robot) => combinations.map(({ valueFor }) => valueFor(robot)));
  for (const [i, { name, estimate, standardError }] of combinations.entries()) {
    expect(Math.sqrt(covariance[i][i])).toBeCloseTo(standardError, 12);
    const own = values.map((row) => (row[i] - estimate) / standardError);
    const said = `${name}, seed ${seed}`;
    // Five standard deviations of the mean, and of the standard deviation, of so many normal numbers.
    expect(Math.abs(sum(own) / COUNT), said).toBeLessThan(5 / Math.sqrt(COUNT));
    expect(Math.abs(Math.sqrt(sum(own.map((x) => x * x)) / COUNT) - 1), said).toBeLessThan(5 / Math.sqrt(2 * COUNT));
    for (const [k, other] of combinations.entries()) {
      if (k >= i) continue;
      const both = values.map((row, d) => (own[d] * (row[k] - other.estimate)) / other.standardError);
      const expected = covariance[i][k] / (standardError * other.standardError);
      expect(Math.abs(sum(both) / COUNT - expected), `${said}, ${other.name}`).toBeLessThan(5 * Math.sqrt(2 / COUNT));
    }
  }
});

it('draws what is not determined from the range around the calibrated robot, and bodies that stay physical', () => {
  for (const { links } of drawn)
    for (const [k, { values }] of links.entries()) {
      const [x, y, z] = [0, 4, 8].map((i) => values.inertia[i]);
      expect(Math.min(values.mass, x + y - z, y + z - x, z + x - y)).toBeGreaterThan(0);
      const calibrated = found.robot.links[k].values;
      expect(Math.abs(Math.log(values.mass / calibrated.mass)), `seed ${seed}`).toBeLessThan(1.5 * RANGE);
    }
  const ranges = rangesOf(found, drawn);
  const mass = ranges.find(({ of, parameter }) => of === 'upper' && parameter === 'mass');
  expect(mass).toMatchObject({ unit: 'kg', isDetermined: false });
  // The middle 95 % of a box reach 0.95 of its half width; extents of the body take a part of it.
  expect(Math.log((mass?.high ?? 0) / (mass?.calibrated ?? 1)), `seed ${seed}`).toBeGreaterThan(RANGE / 3);
  const damping = ranges.find(({ of, parameter }) => of === 'elbow' && parameter === 'damping');
  expect(damping).toMatchObject({ unit: 'N m s/rad', isDetermined: true });
  const error = found.combinations.find(({ name }) => name === 'damping of elbow')?.standardError ?? 0;
  const width = ((damping?.high ?? 0) - (damping?.low ?? 0)) / error;
  expect(width, `seed ${seed}`).toBeGreaterThan(2.5);
  expect(width, `seed ${seed}`).toBeLessThan(5.5);
  const told = JSON.parse(posteriorJson(found, ranges, 'a box'));
  expect(told.combinations.map(({ unit }: { unit: string }) => unit)).not.toContain(undefined);
  expect(told.covariance).toHaveLength(told.combinations.length);
  expect(told.undetermined.directions.map(({ name }: { name: string }) => name)).toContain('m of upper');
});

it('writes drawn robots that MuJoCo opens and that move there as here', async () => {
  for (const robot of drawn.slice(0, 4)) {
    const text = writeCalibrated(PLANAR, found, robot).replace(/frictionloss="[^"]*"/g, 'frictionloss="0"');
    const read = await readMjcf(text);
    expect(read.links[0].values.mass).toBeCloseTo(robot.links[0].values.mass, 8);
    expect(apart(await swungHere(read, [0.8, -0.4]), await swungByMujoco(text, [0.8, -0.4]))).toBeLessThan(1e-12);
  }
});

it('writes an event of Isaac Lab for each number of a link and of a joint, with names that are patterns there', () => {
  const [range] = rangesOf(found, drawn);
  const text = isaacLabEvents(
    rangesOf(found, drawn).map((one) => (one.of === 'elbow' ? { ...one, of: 'arm.elbow' } : one)),
    'arm.xml',
  );
  expect(text.match(/EventTerm\(/g)).toHaveLength(2 * 4);
  expect(text).toContain('joint_names="arm\\\\.elbow"');
  expect(text).toContain('    armature_arm_elbow = EventTerm(');
  const set = /mass_upper[\s\S]*?"mass_distribution_params": \(([\d.]+), ([\d.]+)\)/.exec(text);
  expect(Number(set?.[1])).toBeCloseTo(range.low, 4);
  expect(Number(set?.[2])).toBeCloseTo(range.high, 4);
});
