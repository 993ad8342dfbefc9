import { HalfSpace, impactOf, impacts } from 'gradsim/contact';
import { buildModel, createScene, createSimulation, selectDevice } from 'gradsim/core';
import { icosphere } from 'gradsim/mesh';
import { Body, rigid } from 'gradsim/rigid';

const scene = createScene([rigid(), impacts()]);
const ball = scene.add(Body, {
  mesh: icosphere({ radius: 0.1 }),
  mass: 0.1,
  position: [0, 1, 0],
  velocity: [0.3, 0, 0],
});
scene.attach(ball, impactOf(Body), { radius: 0.1, restitution: 0.8, mu: 0.2 });
scene.add(HalfSpace, {});

const device = await selectDevice('cpu');
const simulation = await createSimulation(buildModel(scene), { device, frameRate: 60, substeps: 4 });

const canvas = document.body.appendChild(document.createElement('canvas'));
canvas.width = 600;
canvas.height = 240;
const context = canvas.getContext('2d')!;
const position = new Float32Array(3);

// 200 pixels a metre, the floor at the lower edge.
function draw(): void {
  simulation.step();
  simulation.readSync(Body.position, { into: position });
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.beginPath();
  context.arc(100 + 200 * position[0], canvas.height - 200 * position[1], 20, 0, 2 * Math.PI);
  context.fill();
  requestAnimationFrame(draw);
}
draw();
