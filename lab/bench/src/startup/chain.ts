// A serial chain of links, prepared for a run forward and back: how long that took since the packages were loaded, in
// milliseconds of the processor's time, all threads included, and on the clock; and the most memory that the process had.
import { articulated, Link } from '@gradsim/articulated';
import { buildModel, createScene, createSimulation, selectDevice } from '@gradsim/core';
import { addChain } from '../support/chain.ts';

const [kind, count] = process.argv.slice(2);
const links = Number(count);
const began = { cpu: process.cpuUsage().user, wall: performance.now() };
const sinceBegan = () => ({ cpu: (process.cpuUsage().user - began.cpu) / 1000, wall: performance.now() - began.wall });

const scene = createScene([articulated()]);
addChain(scene, links);
const model = buildModel(scene);
const built = sinceBegan();
const simulation = await createSimulation(model, {
  device: await selectDevice(kind as 'cpu'),
  frames: 2,
  frameRate: 30,
  substeps: 4,
  parameters: [Link.mass, Link.centre, Link.damping, Link.coordinate],
  outputs: [Link.coordinate],
});
const prepared = sinceBegan();
simulation.forward();
await simulation.read(Link.coordinate);
const ran = sinceBegan();
simulation.backward({ [Link.coordinate.key]: new Float64Array(links).fill(1) });
await simulation.gradient(Link.mass);
const back = sinceBegan();
const mostMemoryMiB = Math.round(process.resourceUsage().maxRSS / 1024);
console.log(JSON.stringify({ links, built, prepared, ran, back, mostMemoryMiB }));
process.exit(0);
