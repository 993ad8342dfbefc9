// A renderer of its own: particles as soft discs of light. What they weigh, and how stiff the string between them is,
// comes from the pictures alone.
import assert from 'node:assert/strict';
import {
  buildModel,
  column,
  createScene,
  createSimulation,
  defineAspect,
  definePlugin,
  dot,
  f32,
  f64Device,
  fieldOn,
  forRange,
  kernel,
  perWorld,
  sigmoid,
  vec2,
  vec3,
} from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import { chain } from '@gradsim/mesh';
import { estimate } from '@gradsim/optim';
import { Gravity, particles } from '@gradsim/particles';
import { addSprings, springs } from '@gradsim/springs';

const Disc = defineAspect('particles', 'discs', {
  radius: column(f32, { default: 0.08, unit: 'm', range: 'positive' }),
});

/**
 * Plugin that draws particles as soft discs: pictures of `side` x `side` pixels of the square of `view` x `view` metres
 * in the plane z = 0 about the origin, as the field `image.coverage`, row by row from the top: 1 - prod (1 -
 * sigmoid((r^2 - d^2) / softness)) over discs of radius r at distance d from the pixel.
 * @param {{ side: number, view: number }} options
 */
const discs = ({ side, view }) =>
  definePlugin({
    name: 'discs',
    contract: 1,
    requires: ['@gradsim/particles'],
    components: [Disc],
    build: ({ model }) => {
      const count = model.domain('particles').size;
      model.addDomain('image', side * side);
      model.addField('world', 'softness', f32, { fill: 2e-3, unit: 'm^2' });
      const draw = kernel(
        'draw',
        {
          domain: 'image',
          reads: { position: fieldOn('particles', vec3), radius: fieldOn('particles', f32), softness: perWorld(f32) },
          writes: { coverage: f32 },
        },
        ({ position, radius, softness }, { element }) => {
          const size = view / side;
          const pixel = vec2(
            element
              .rem(side)
              .toF32()
              .add(0.5 - side / 2)
              .mul(size),
            element
              .div(side)
              .toF32()
              .add(0.5 - side / 2)
              .mul(-size),
          );
          const clear = forRange(0, count, f32(1), (k, clear) => {
            const p = position.at(k);
            const d = vec2(p.x, p.y).sub(pixel);
            const inside = radius.at(k).mul(radius.at(k)).sub(dot(d, d)).div(softness);
            return clear.mul(sigmoid(inside.neg()));
          });
          return { coverage: f32(1).sub(clear) };
        },
      );
      model.addPass('render', draw);
    },
  });

const over = { frames: 16, frameRate: 20, substeps: 10 };
const scene = createScene([particles(), springs(), discs({ side: 24, view: 1.6 })]);
scene.add(Gravity, { acceleration: [0, -3, 0] });
const string = addSprings(scene, chain({ from: [-0.5, 0.5, 0], to: [0.5, 0.5, 0], segments: 4 }), {
  mass: 0.05,
  stiffness: 15,
  damping: 0.05,
  fixed: [0, 4],
});
string.particles.forEach((particle, k) => scene.attach(particle, Disc, { radius: 0.06 + 0.01 * k }));
const model = buildModel(scene);

const { parameters } = await checkGradients(model, {
  ...over,
  parameters: ['springs.stiffness', 'world.gravity', 'particles.radius', 'world.softness', 'particles.mass'],
  outputs: ['image.coverage'],
  seed: 1,
});
const gradientError = Math.max(...Object.values(parameters).map((p) => p.differenceError));

const film = await createSimulation(model, { ...over, device: f64Device(), record: ['image.coverage'] });
film.forward();
const target = await film.readFrames('image.coverage');
film.dispose();
const found = await estimate(
  {
    model,
    ...over,
    parameters: [
      {
        name: 'stiffness',
        field: 'springs.stiffness',
        transform: 'log',
        initial: 30,
        range: [5, 100],
        unit: 'N/m',
      },
      { name: 'gravity', field: 'world.gravity', component: 1, initial: -5, range: [-10, 0], unit: 'm/s^2' },
    ],
    observations: [{ field: 'image.coverage', target }],
  },
  { device: f64Device() },
);
const errors = {
  stiffness: Math.abs(found.parameters.stiffness.estimate / 15 - 1),
  gravity: Math.abs(found.parameters.gravity.estimate / -3 - 1),
};
assert(errors.stiffness < 1e-6 && errors.gravity < 1e-6, JSON.stringify(found.parameters));
const seconds = performance.now() / 1000;
console.log(JSON.stringify({ program: 'discs', gradientError, errors, seconds }));
