import { articulated, Gravity, Link } from '@gradsim/articulated';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import type { Robot } from '@gradsim/robots';
import { addRobot } from '@gradsim/robots';
import loadMujoco from '@mujoco/mujoco';

const SECONDS = 1;
/** Frames a second at which coordinates are compared. */
const RATE = 50;
/** Substep of both, s. */
const STEP = 2e-3;

/** Coordinates of joints with an axis, rad or m: [frame][joint]. */
type Path = readonly (readonly number[])[];

const mujoco = await loadMujoco();

/** A second of free swing of a URDF or MJCF from given coordinates, by MuJoCo and its default integrator. */
export async function swungByMujoco(text: string, start: readonly number[]): Promise<Path> {
  const model = mujoco.MjModel.from_xml_string(text);
  if (!model) throw new Error('MuJoCo does not open the model.');
  model.opt.timestep = STEP;
  const data = new mujoco.MjData(model);
  try {
    data.qpos.set(start);
    const path = [[...data.qpos]];
    for (let k = 1; k <= SECONDS / STEP; k++) {
      mujoco.mj_step(model, data);
      if (k % Math.round(1 / (RATE * STEP)) === 0) path.push([...data.qpos]);
    }
    return path;
  } finally {
    data.delete();
    model.delete();
  }
}

/** The same by gradsim, in doubles. */
export async function swungHere(robot: Robot, start: readonly number[]): Promise<Path> {
  const scene = createScene([articulated()]);
  scene.add(Gravity, { acceleration: [0, 0, -9.81] });
  const moved = robot.links.flatMap(({ values }, k) => (values.joint === 'fixed' ? [] : [k]));
  const joints = Object.fromEntries(moved.map((k, j) => [robot.links[k].jointName, { coordinate: start[j] }]));
  addRobot(scene, robot, { joints });
  const frames = SECONDS * RATE + 1;
  const simulation = await createSimulation(buildModel(scene), {
    device: f64Device(),
    frames,
    frameRate: RATE,
    substeps: Math.round(1 / (RATE * STEP)),
    record: [Link.coordinate],
  });
  simulation.forward();
  const all = await simulation.readFrames(Link.coordinate);
  simulation.dispose();
  const count = robot.links.length;
  return Array.from({ length: frames }, (_, f) => moved.map((k) => all[count * f + k]));
}

/** Greatest difference of coordinates. */
export const apart = (a: Path, b: Path): number =>
  Math.max(...a.flatMap((row, f) => row.map((x, j) => Math.abs(x - b[f][j]))));
