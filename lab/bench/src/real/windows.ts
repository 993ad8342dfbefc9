import { articulated, controlSchedule, Gravity, Link, schedule } from '@gradsim/articulated';
import type { Device } from '@gradsim/core';
import { buildModel, createScene, createSimulation } from '@gradsim/core';
import type { JointLog, Robot } from '@gradsim/robots';
import { addActuators, addRobot, foretellTorques } from '@gradsim/robots';

const SUBSTEPS = 8;

/**
 * Root mean square error of joint coordinates, rad, in windows that each start from the measured state and are driven by
 * the measured torques.
 * @param seconds length of a window.
 */
export async function windowErrors(
  device: Device,
  robot: Robot,
  log: JointLog,
  { from, seconds, delay }: { readonly from: number; readonly seconds: number; readonly delay: number },
): Promise<number> {
  const { time, positions, rates } = foretellTorques(robot, log, { delay });
  const step = time[1] - time[0];
  // A simulation holds a frame's torque until the next, so it takes that of half a step later.
  const { measured } = foretellTorques(robot, log, { delay: delay + step / 2 });
  const frames = Math.round(seconds / step) + 1;
  const starts: number[] = [];
  const first = time.findIndex((t) => t >= from);
  for (let k = first; k + frames <= time.length; k += frames - 1) starts.push(k);
  const scene = createScene([articulated(), controlSchedule({ variesBy: 'frame' })]);
  scene.add(Gravity, { acceleration: [...(robot.gravity ?? [0, 0, -9.81])] });
  addActuators(scene, robot, addRobot(scene, robot));
  const simulation = await createSimulation(buildModel(scene), {
    device,
    frames,
    frameRate: 1 / step,
    substeps: SUBSTEPS,
    worlds: starts.length,
    record: [Link.coordinate],
  });
  try {
    starts.forEach((start, world) => {
      const at = (of: readonly Float64Array[]): number[] => of.map((values) => values[start]);
      simulation.set(Link.coordinate, at(positions), world);
      simulation.set(Link.rate, at(rates), world);
      const drives = Array.from({ length: frames }, (_, f) => measured.map((torque) => torque[start + f]));
      simulation.set(schedule, drives.flat(), world);
    });
    simulation.forward();
    const found = await simulation.readFrames(Link.coordinate);
    let squares = 0;
    const joints = positions.length;
    for (let f = 0; f < frames; f++)
      starts.forEach((start, world) => {
        for (let j = 0; j < joints; j++)
          squares += (found[(f * starts.length + world) * joints + j] - positions[j][start + f]) ** 2;
      });
    return Math.sqrt(squares / (frames * starts.length * joints));
  } finally {
    simulation.dispose();
  }
}
