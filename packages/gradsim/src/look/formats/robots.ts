import { readRobotFile } from '../../robot/read-files.ts';
import { formatNumber } from '../../terminal/numbers.ts';
import type { FileDescription, LookedFile } from './format.ts';

/** A robot: its links, joints and mass. */
export async function describeRobot({ path }: LookedFile): Promise<FileDescription> {
  const { robot, isUrdf } = await readRobotFile(path);
  const moved = robot.links.filter(({ values }) => values.joint !== 'fixed');
  const mass = robot.links.reduce((sum, { values }) => sum + values.mass, 0);
  const joints = moved.map(({ jointName, values }) => `${jointName} (${values.joint})`);
  return {
    format: isUrdf ? 'urdf' : 'mjcf',
    lines: [
      `A robot, ${isUrdf ? 'URDF' : 'MJCF'}: ${robot.name}, ${robot.links.length} links of ${formatNumber(mass, 4)} kg together, ${moved.length} joints that move`,
      ...(joints.length > 0 ? [`Joints: ${joints.join(', ')}`] : []),
      ...robot.passedOver,
    ],
    next: [`npx gradsim new robot --model ${path} --log LOG.csv --hold-out OTHER.csv`],
  };
}
