// A square of jelly that falls on a floor: moving least squares material points (Hu et al. 2018) in two dimensions.
import * as gradsim from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import { grid } from '@gradsim/dynamics';

const { column, createScene, defineComponent, definePlugin, determinant, f32, field, fieldOn, identity } = gradsim;
const { kernel, mat22, max, outer, select, transpose, vec2, vec3 } = gradsim;
const H = 1 / 16;
const [VOLUME, DENSITY, SHEAR] = [(H / 2) ** 2, 1000, 4e4];

const Point = defineComponent('points', {
  position: column(vec2, { unit: 'm' }),
  velocity: column(vec2, { default: 0, unit: 'm/s' }),
  affine: column(mat22, { default: 0, unit: '1/s' }),
  deformation: column(mat22, { default: [1, 0, 0, 1] }),
});
const stiffness = field('world', 'stiffness', f32, { unit: 'Pa' });

const jelly = definePlugin({
  name: 'jelly',
  contract: 1,
  components: [Point],
  build: ({ model }) => {
    const { position, velocity, affine, deformation } = Point;
    const nodes = grid(model, 'nodes', { size: [16, 16], spacing: H, edge: 'clamp', contains: position });
    model.addField(stiffness, { fill: 1e5 });
    // Mass and momentum, one sum for both.
    const own = { position, velocity, affine, deformation };
    const adds = { momentum: fieldOn('nodes', vec3) };
    const spread = kernel('spread', { domain: Point, reads: { ...own, stiffness }, adds }, (fields, { dt }) => {
      const { position, velocity, affine, deformation: F, stiffness, momentum } = fields;
      const J = determinant(F);
      // P F^T of psi = SHEAR/2 (tr F^T F - 2 - 2 log J) + stiffness/2 (J - 1)^2.
      const shear = F.mul(transpose(F)).sub(identity(2)).mul(SHEAR);
      const stress = shear.add(identity(2).mul(stiffness.mul(J).mul(J.sub(1))));
      const carried = affine.mul(VOLUME * DENSITY).sub(stress.mul(dt.mul((4 * VOLUME) / H ** 2)));
      for (const { node, weight, offset } of nodes.spline2(position)) {
        const p = velocity.mul(VOLUME * DENSITY).add(carried.mul(offset));
        momentum.add(node, vec3(p.x, p.y, VOLUME * DENSITY).mul(weight));
      }
    });
    const flowing = { domain: nodes, reads: { momentum: vec3 }, writes: { flow: vec2 } };
    const fall = kernel('fall', flowing, ({ momentum }, { element, dt }) => {
      const mass = max(momentum.z, 1e-30);
      const v = vec2(momentum.x.div(mass), momentum.y.div(mass).sub(dt.mul(9.81)));
      const isFloor = nodes.at(element).position.y.lt(2.5 * H);
      return { flow: select(isFloor, vec2(0, max(v.y, 0)), v) };
    });
    const reads = { position, deformation, flow: fieldOn('nodes', vec2) };
    const move = kernel('move', { domain: Point, reads, writes: own }, ({ position, deformation, flow }, { dt }) => {
      const near = nodes.spline2(position);
      const v = near.sum(({ node, weight }) => flow.at(node).mul(weight));
      const C = near.sum(({ node, weight, offset }) => outer(flow.at(node), offset).mul(weight.mul(4 / H ** 2)));
      const F = deformation.add(C.mul(deformation).mul(dt));
      return { position: position.add(v.mul(dt)), velocity: v, affine: C, deformation: F };
    });
    model.addPass('force', spread);
    model.addPass('integrate', fall);
    model.addPass('integrate', move);
  },
});

const scene = createScene([jelly]);
for (let k = 0; k < 64; k++)
  scene.add(Point, { position: [0.41 + ((k % 8) * H) / 2, 0.21 + (Math.floor(k / 8) * H) / 2], velocity: [0.3, -1] });
const run = { frames: 6, frameRate: 60, substeps: 12, outputs: [Point.position] };
const parameters = [stiffness, Point.velocity, Point.position];
const found = await checkGradients(gradsim.buildModel(scene), { ...run, parameters, seed: 1 });
const gradientError = Math.max(...Object.values(found.parameters).map((p) => p.differenceError));
console.log(JSON.stringify({ program: 'material-points', gradientError, seconds: performance.now() / 1000 }));
