// @ts-nocheck: plain JavaScript for visitors to change; a test runs each demo and checks its derivatives.
import { Actuator, articulated, Link } from 'gradsim/articulated';
import { buildModel, createScene } from 'gradsim/core';

const lengths = [0.5, 0.4, 0.25];
const targets = [0.9, -1.1, -0.6];

export default {
  title: 'An arm on servos',
  run: { frames: 46, frameRate: 30, substeps: 32 },
  model() {
    const scene = createScene([articulated()]);
    let parent;
    lengths.forEach((length, k) => {
      const link = scene.add(Link, {
        ...(parent === undefined ? {} : { parent, anchor: [lengths[k - 1], 0, 0] }),
        joint: 'revolute',
        axis: [0, 0, 1],
        mass: 0.8 - 0.2 * k,
        centre: [length / 2, 0, 0],
        inertia: [1e-3, 0, 0, 0, 1e-2, 0, 0, 0, 1e-2],
        damping: 0.1,
      });
      // A servo: torque = gain (control - angle) - damping rate, of at most 15 N m.
      const [gain, limit] = [[60, 40, 15][k], 15];
      const servo = { gain, stiffness: gain, damping: 3, lowerForce: -limit, upperForce: limit };
      scene.add(Actuator, { link, ...servo, control: targets[k] });
      parent = link;
    });
    return buildModel(scene);
  },
  sliders: [
    ...['shoulder', 'elbow', 'wrist'].map((name, k) => ({
      name,
      unit: 'rad',
      field: Actuator.control,
      elements: [k],
      range: [-2, 2],
      value: targets[k],
    })),
    { name: 'mass of the hand', unit: 'kg', field: Link.mass, elements: [2], range: [0.1, 3], value: 0.4 },
  ],
  output: { name: 'angle of the hand', unit: 'rad', field: Link.coordinate, weights: () => [1, 1, 1] },
  view: { centre: [0.3, 0.15, 0], width: 2.6 },
  reads: [Link.coordinate],
  draw(pen, [angles]) {
    let [x, y, turn] = [0, 0, 0];
    const path = [0, 0, 0];
    lengths.forEach((length, k) => {
      turn += angles[k];
      [x, y] = [x + length * Math.cos(turn), y + length * Math.sin(turn)];
      path.push(x, y, 0);
    });
    pen.trail([x, y, 0]);
    pen.line(path, [130, 140, 145], 9);
    for (let k = 0; k < path.length; k += 3) pen.ball(path.slice(k, k + 3), 0.045);
  },
};
