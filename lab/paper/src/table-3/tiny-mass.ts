import { OBJECTS, randomToss, TOSS_TIMELINE, tossModel } from '@gradsim/examples';
import { filmModel } from '@gradsim/film';
import { estimate, randomNumbers } from '@gradsim/optim';
import { Body } from '@gradsim/rigid';
import type { Case, DrawCase } from './case.ts';

/** Smallest mass drawn, kg; masses are drawn uniformly in their logarithm. */
const LIGHTEST = 1e-3;
/** Largest mass drawn, kg; masses are drawn uniformly in their logarithm. */
const HEAVIEST = 0.1;

/**
 * Case of the mass of a tossed object of 1 to 100 g (the paper's appendix K), from an initial value 0.1 to 10 times the
 * truth. Impulse and contact stiffness are those of an object of some kilograms scaled with the mass, so that it moves
 * in the same way.
 */
export const tinyMass: DrawCase = async (instance, device): Promise<Case> => {
  const random = randomNumbers(3000 + instance);
  const shapes = Object.keys(OBJECTS);
  const toss = randomToss(random, shapes[instance % shapes.length], 64);
  const mass = LIGHTEST * (HEAVIEST / LIGHTEST) ** random();
  const part = mass / toss.mass;
  const { ke, kd, kf, mu } = toss.material;
  const model = tossModel({
    ...toss,
    mass,
    impulse: toss.impulse.map((j) => part * j),
    material: { ke: part * ke, kd: part * kd, kf: part * kf, mu },
  });
  const initial = mass * 10 ** (-1 + 2 * random());
  const film = await filmModel(model, TOSS_TIMELINE, { device });
  const { problem } = film.stage(model, {
    name: 'mass',
    parameters: [
      {
        name: 'mass',
        field: Body.mass,
        transform: 'log',
        initial,
        range: [initial / 30, initial * 30],
        unit: 'kg',
        truth: mass,
      },
    ],
    options: { search: { horizons: [0.3, 1], scan: 64, hops: 8 } },
  });
  return {
    problem,
    estimate: () => estimate(problem, { device }),
    errors: ({ parameters }) => ({ mass: Math.abs(parameters.mass.estimate / mass - 1) }),
    unknownOf: () => 'mass',
  };
};
