import { articulated, Gravity, Link } from '@gradsim/articulated';
import type { Device } from '@gradsim/core';
import { buildModel, createScene, createSimulation } from '@gradsim/core';
import { addActuators, addRobot, readMjcf, readUrdf } from '@gradsim/robots';

/** Contents of robot description files, by path. */
export const ROBOT_FILES: Readonly<Record<string, string>> = {
  'crane.urdf': `<robot name="crane"><link name="tower"/><link name="jib">
  <inertial><origin xyz="0.4 0 0"/><mass value="3"/><inertia ixx="0.01" iyy="0.2" izz="0.2"/></inertial>
  <visual><geometry><mesh filename="package://meshes/jib.obj"/></geometry></visual></link>
  <joint name="turn" type="continuous"><parent link="tower"/><child link="jib"/><axis xyz="0 1 0.2"/></joint></robot>`,
  'meshes/jib.obj': 'v 0 0 0\nv 1 0 0\nv 0 0.2 0\nv 0 0 0.2\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n',
  'arm.xml': `<mujoco><include file="arm-bodies.xml"/>
  <actuator><position name="hold" joint="elbow" kp="5" kv="0.4"/></actuator></mujoco>`,
  'arm-bodies.xml': `<mujoco><worldbody><body pos="0 0 1"><joint name="shoulder" axis="0 1 0"/>
  <geom type="capsule" fromto="0 0 0 0 0 -0.4" size="0.04"/>
  <body pos="0 0 -0.4"><joint name="elbow" axis="0 1 0"/><geom type="box" size="0.03 0.03 0.2" pos="0 0 -0.2"/>
  </body></body></worldbody></mujoco>`,
};

/** Reads a robot of each file format, simulates both, and returns the final coordinates of their joints. */
export async function moveRobots(
  device: Device,
  readFile: (path: string) => Uint8Array | Promise<Uint8Array>,
): Promise<number[]> {
  const text = async (path: string): Promise<string> => new TextDecoder().decode(await readFile(path));
  const scene = createScene([articulated()]);
  scene.add(Gravity, { acceleration: [0, 0, -9.81] });
  const crane = await readUrdf(await text('crane.urdf'), { readFile });
  if (crane.links[1].values.mesh?.positions.length !== 12) throw new Error('The crane has lost its mesh.');
  addRobot(scene, crane, { joints: { turn: { coordinate: 0.7 } } });
  const arm = await readMjcf(await text('arm.xml'), { readFile });
  const links = addRobot(scene, arm, { joints: { shoulder: { rate: 2 } } });
  addActuators(scene, arm, links, { hold: 1 });
  const simulation = await createSimulation(buildModel(scene), {
    device,
    frames: 11,
    frameRate: 20,
    substeps: 20,
    outputs: [Link.coordinate],
  });
  simulation.forward();
  return Array.from(await simulation.read(Link.coordinate));
}
