import { adam } from '@gradsim/optim';
import { numpy as np, vjp } from '@jax-js/jax';
import type { Flight, Shots } from './launcher.ts';
import { drawWeights, FRAMES, LAYERS, REACH, SETTINGS, SPEED } from './launcher.ts';

/** Converts numbers to a jax-js array of a shape, in single precision. */
const arrayOf = (values: ArrayLike<number>, shape: number[]): np.Array =>
  np.array(Float32Array.from(values)).reshape(shape);

/** A network of two layers, with tanh after the first. Operations of jax-js consume their arguments. */
const network = (x: np.Array, w1: np.Array, b1: np.Array, w2: np.Array, b2: np.Array): np.Array =>
  np.add(np.matmul(np.tanh(np.add(np.matmul(x, w1), b1)), w2), b2);

/**
 * The network of {@link LAYERS} and the flight, with jax-js, in which an operation cannot bring its own derivative. So
 * a step has phases: forward through launcher, flight and camera, then back through the camera (`vjp`), the flight
 * (`pullback`) and the launcher (`vjp`).
 */
export class JaxLauncher {
  weights: readonly Float32Array[];
  readonly #flown: Flight;

  constructor(flown: Flight, random: () => number) {
    this.#flown = flown;
    this.weights = drawWeights(random);
  }

  /**
   * Loss, the mean squared difference of predicted and seen picture coordinates, and its derivatives with respect to
   * all weights and biases.
   */
  async lossAndGradient({ count, settings, seen }: Shots): Promise<{ loss: number; gradient: Float32Array[] }> {
    const weights = this.weights.map((values, k) => arrayOf(values, k % 2 ? [values.length] : [...LAYERS[k / 2]]));
    const [w1, b1, w2, b2, w3, b3, w4, b4] = weights;

    const [launched, backToSettings] = vjp(
      (...of: [np.Array, np.Array, np.Array, np.Array]) =>
        network(arrayOf(settings, [count, SETTINGS]), ...of).mul(SPEED),
      [w1, b1, w2, b2],
    );
    const { value, pullback } = await this.#flown.atAsync({ velocity: await launched.data() });
    const [loss, backToPath] = vjp(
      (path: np.Array, ...of: [np.Array, np.Array, np.Array, np.Array]) => {
        const off = network(path.div(REACH), ...of).sub(arrayOf(seen, [count * FRAMES, 2]));
        return np.mean(np.square(off));
      },
      [arrayOf(value.path, [count * FRAMES, 3]), w3, b3, w4, b4],
    );

    const [path, ...ofCamera] = backToPath(np.array(1));
    const { velocity } = await pullback({ path: await path.data() });
    const ofLauncher = backToSettings(arrayOf(velocity, [count, 3]));
    backToPath.dispose();
    backToSettings.dispose();

    const gradient = await Promise.all([...ofLauncher, ...ofCamera].map((each) => each.data()));
    return { loss: (await loss.data())[0], gradient: gradient as Float32Array[] };
  }

  /** Trains on one batch after another; returns the loss of each batch before its step. */
  async train(batches: Iterable<Shots>, learningRate: number): Promise<number[]> {
    const losses: number[] = [];
    const descents = this.weights.map(() => adam({ learningRate }));
    for (const shots of batches) {
      const { loss, gradient } = await this.lossAndGradient(shots);
      losses.push(loss);
      this.weights = this.weights.map((values, k) =>
        Float32Array.from(descents[k].step(Float64Array.from(values), Float64Array.from(gradient[k]))),
      );
    }
    return losses;
  }

  /** Returns the loss for shots without training on them. */
  async test(shots: Shots): Promise<number> {
    return (await this.lossAndGradient(shots)).loss;
  }
}
