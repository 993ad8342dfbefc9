// A tensegrity prism, three bars and nine cables that only pull, by the classical Runge-Kutta method.
import * as gradsim from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import { addParticles, classical, explicitSteps, Particle, particles } from '@gradsim/particles';
import { Spring, springs } from '@gradsim/springs';

const { column, createScene, defineComponent, definePlugin, f32, fieldOn, kernel, max, norm, reference } = gradsim;

const Cable = defineComponent('cables', {
  ends: reference(Particle, 2),
  stiffness: column(f32, { unit: 'N/m', range: 'nonNegative' }),
  restLength: column(f32, { unit: 'm', range: 'positive' }),
});
const { ends, stiffness, restLength } = Cable;
const reads = { ends, stiffness, restLength, position: fieldOn(Particle.position) };
const pull = kernel('pull', { domain: Cable, reads, adds: { force: Particle.force } }, (fields) => {
  const { stiffness, restLength, position, force } = fields;
  const [i, j] = fields.ends;
  const d = position.at(j).sub(position.at(i));
  const length = norm(d);
  const f = d.mul(max(length.sub(restLength), 0).mul(stiffness).div(length));
  force.add(i, f);
  force.add(j, f.neg());
});
const cables = definePlugin({
  name: 'cables',
  contract: 1,
  requires: ['@gradsim/particles'],
  components: [Cable],
  build: ({ model }) => model.addPass('force', pull),
});

const scene = createScene([particles(), explicitSteps(classical), springs(), cables]);
const ring = (/** @type {number} */ y, /** @type {number} */ turn) =>
  [0, 1, 2].flatMap((k) => [0.3 * Math.cos(2.094 * k + turn), y, 0.3 * Math.sin(2.094 * k + turn)]);
// The upper ring is turned by 150 degrees, where the prism is in balance.
const places = [...ring(0.3, 0), ...ring(0.8, 2.618)];
const nodes = addParticles(scene, places, { mass: 0.2 });
const distance = (/** @type {number} */ a, /** @type {number} */ b) =>
  Math.hypot(...[0, 1, 2].map((c) => places[3 * a + c] - places[3 * b + c]));
for (const k of [0, 1, 2]) {
  scene.add(Spring, { ends: [nodes[k], nodes[k + 3]], stiffness: 5e3, damping: 2, restLength: distance(k, k + 3) });
  for (const [a, b] of [
    [k, (k + 1) % 3],
    [k + 3, ((k + 1) % 3) + 3],
    [k, ((k + 2) % 3) + 3],
  ])
    scene.add(Cable, { ends: [nodes[a], nodes[b]], stiffness: 800, restLength: 0.9 * distance(a, b) });
}

const run = { frames: 4, frameRate: 30, substeps: 20, outputs: [Particle.position, Particle.velocity] };
const parameters = [Cable.stiffness, Cable.restLength, Particle.mass, Particle.velocity];
const checked = await checkGradients(gradsim.buildModel(scene), { ...run, parameters, seed: 1 });
const gradientError = Math.max(...Object.values(checked.parameters).map((p) => p.differenceError));
console.log(JSON.stringify({ program: 'tensegrity', gradientError, seconds: performance.now() / 1000 }));
