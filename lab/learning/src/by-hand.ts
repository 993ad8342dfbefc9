import type { Operation } from '@gradsim/optim';
import { adam, randomNumbers } from '@gradsim/optim';
import type { Task } from './throw.ts';
import { drags, goals, INPUTS, networkInputs, OUTPUTS } from './throw.ts';
import type { Thrower } from './trained.ts';

/** Number of units in each hidden layer. */
const HIDDEN = 32;
/** Number of inputs and number of outputs of each layer. */
const LAYERS = [
  [INPUTS, HIDDEN],
  [HIDDEN, HIDDEN],
  [HIDDEN, OUTPUTS],
] as const;
/** Factor from outputs of the last layer to components of the velocity, m/s. */
const SPEED = 5;

/**
 * The thrower's network in plain JavaScript: its layers are differentiated by hand, and the simulated flight that
 * follows them by `pullback`.
 */
export class PlainThrower implements Thrower {
  /** All weights and biases in one array, layer by layer: the weights of a layer [input][output], then its biases. */
  #weights: Float64Array;
  readonly #throwing: Operation<'velocity' | 'drag', 'end'>;

  constructor(throwing: Operation<'velocity' | 'drag', 'end'>, seed: number) {
    const random = randomNumbers(seed);
    this.#throwing = throwing;
    this.#weights = Float64Array.from(
      LAYERS.flatMap(([inputs, outputs]) => [
        ...Array.from({ length: inputs * outputs }, () => (2 * random() - 1) * Math.sqrt(3 / inputs)),
        ...Array.from({ length: outputs }, () => 0),
      ]),
    );
  }

  decide(tasks: readonly Task[]): Float64Array {
    return this.#forward(tasks)
      .at(-1)!
      .map((value) => SPEED * value);
  }

  train(batches: Iterable<readonly Task[]>, learningRate: number): number[] {
    const descent = adam({ learningRate });
    const losses: number[] = [];
    for (const tasks of batches) {
      const values = this.#forward(tasks);
      const { value, pullback } = this.#throwing.at({
        velocity: values.at(-1)!.map((x) => SPEED * x),
        drag: drags(tasks),
      });
      const goal = goals(tasks);
      const off = value.end.map((x, k) => x - goal[k]);
      losses.push(off.reduce((sum, d) => sum + d * d, 0) / tasks.length);
      const { velocity } = pullback({ end: off.map((d) => (2 * d) / tasks.length) });
      const gradient = this.#backward(
        values,
        velocity.map((slope) => SPEED * slope),
      );
      this.#weights = descent.step(this.#weights, gradient);
    }
    return losses;
  }

  /** Forward pass: inputs of each layer, and last the outputs of the last one, each [task][unit]. */
  #forward(tasks: readonly Task[]): Float64Array[] {
    const values = [Float64Array.from(networkInputs(tasks))];
    eachLayer(({ inputs, outputs, weights, biases, isLast }) => {
      const from = values.at(-1)!;
      const to = new Float64Array(tasks.length * outputs);
      for (let n = 0; n < tasks.length; n++) {
        for (let o = 0; o < outputs; o++) {
          let sum = this.#weights[biases + o];
          for (let i = 0; i < inputs; i++) sum += from[n * inputs + i] * this.#weights[weights + i * outputs + o];
          to[n * outputs + o] = isLast ? sum : Math.tanh(sum);
        }
      }
      values.push(to);
    });
    return values;
  }

  /** Backward pass: from d loss / d outputs of the last layer (`slopes`) to d loss / d weights and biases. */
  #backward(values: readonly Float64Array[], slopes: Float64Array): Float64Array {
    const gradient = new Float64Array(this.#weights.length);
    const layers: Layer[] = [];
    eachLayer((layer) => layers.push(layer));
    let after = slopes;
    for (const [k, { inputs, outputs, weights, biases, isLast }] of [...layers.entries()].reverse()) {
      const [from, to] = [values[k], values[k + 1]];
      const before = new Float64Array(from.length);
      for (let n = 0; n * outputs < to.length; n++) {
        for (let o = 0; o < outputs; o++) {
          const at = n * outputs + o;
          const slope = isLast ? after[at] : after[at] * (1 - to[at] ** 2);
          gradient[biases + o] += slope;
          for (let i = 0; i < inputs; i++) {
            gradient[weights + i * outputs + o] += slope * from[n * inputs + i];
            before[n * inputs + i] += slope * this.#weights[weights + i * outputs + o];
          }
        }
      }
      after = before;
    }
    return gradient;
  }
}

/** A layer: its numbers of inputs and outputs, and the indices at which its weights and biases begin. */
interface Layer {
  readonly inputs: number;
  readonly outputs: number;
  readonly weights: number;
  readonly biases: number;
  readonly isLast: boolean;
}

function eachLayer(visit: (layer: Layer) => void): void {
  let at = 0;
  LAYERS.forEach(([inputs, outputs], k) => {
    const biases = at + inputs * outputs;
    visit({ inputs, outputs, weights: at, biases, isLast: k === LAYERS.length - 1 });
    at = biases + outputs;
  });
}
