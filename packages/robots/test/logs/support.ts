import { articulated, controlSchedule, Gravity, Link, schedule } from '@gradsim/articulated';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import type { Robot } from '@gradsim/robots';
import { addActuators, addRobot } from '@gradsim/robots';

/** Two links in a vertical plane: an arm of 0.3 m with a lower arm. */
export const PLANAR = `<mujoco model="planar">
  <option gravity="0 0 -9.81"/>
  <worldbody>
    <body name="upper">
      <joint name="shoulder" axis="0 -1 0" damping="0.02" armature="0.002"/>
      <!-- weighed on a kitchen scale -->
      <inertial pos="0 0 -0.2" mass="0.5" diaginertia="0.005 0.005 0.001"/>
      <body name="lower" pos="0 0 -0.3">
        <joint name="elbow" axis="0 -1 0" damping="0.01" armature="0.003"/>
        <inertial pos="0 0 -0.1" mass="0.4" diaginertia="0.003 0.003 0.001"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="shoulder"/><motor joint="elbow"/></actuator>
</mujoco>
`;

const [FRAMES, RATE] = [1200, 200];

/** A log of the robot under torques of several frequencies, by the simulation in doubles. */
export async function simulatedLog(robot: Robot): Promise<string> {
  const scene = createScene([articulated(), controlSchedule({ variesBy: 'frame' })]);
  scene.add(Gravity, { acceleration: [0, 0, -9.81] });
  addActuators(scene, robot, addRobot(scene, robot));
  const simulation = await createSimulation(buildModel(scene), {
    device: f64Device(),
    frames: FRAMES,
    frameRate: RATE,
    substeps: 10,
    record: [Link.coordinate],
  });
  const torques = Array.from({ length: FRAMES }, (_, f) => [
    1.2 * Math.sin((2 * Math.PI * 0.7 * f) / RATE) + 0.5 * Math.sin((2 * Math.PI * 1.9 * f) / RATE),
    0.4 * Math.sin((2 * Math.PI * 1.1 * f) / RATE + 1),
  ]);
  simulation.set(schedule, torques.flat());
  simulation.forward();
  const q = await simulation.readFrames(Link.coordinate);
  simulation.dispose();
  const lines = torques.map(([t1, t2], f) => [f / RATE, q[2 * f], q[2 * f + 1], t1, t2].join(','));
  return ['time,pos_shoulder,pos_elbow,tau_shoulder,tau_elbow', ...lines].join('\n');
}
