/** A step rule of gradient descent, which may keep state between steps, such as momentum. */
export interface Optimizer {
  /** Returns the point after one step from `x`. `gradient` is d loss / d coordinate. */
  step(x: Float64Array, gradient: ArrayLike<number>): Float64Array;
}

/**
 * Adam. `learningRate` (default 0.05) is roughly the distance that a coordinate moves in one step; it is multiplied by
 * `decay` (default 1) after every step.
 *
 * Source: Kingma and Ba, 2015, with its bias correction.
 */
export function adam({ learningRate = 0.05, decay = 1, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-12 } = {}): Optimizer {
  let mean: Float64Array | null = null;
  let square: Float64Array | null = null;
  let t = 0;
  return {
    step(x, gradient) {
      mean ??= new Float64Array(x.length);
      square ??= new Float64Array(x.length);
      t++;
      const rate = (learningRate * decay ** (t - 1)) / (1 - beta1 ** t);
      const bias = 1 - beta2 ** t;
      return x.map((value, k) => {
        const g = gradient[k];
        mean![k] = beta1 * mean![k] + (1 - beta1) * g;
        square![k] = beta2 * square![k] + (1 - beta2) * g * g;
        return value - (rate * mean![k]) / (Math.sqrt(square![k] / bias) + epsilon);
      });
    },
  };
}

/**
 * Gradient descent with momentum: each step is -`learningRate` (default 0.05) times the gradient plus `momentum`
 * (default 0.9) times the previous step. `learningRate` is multiplied by `decay` (default 1) after every step.
 */
export function sgd({ learningRate = 0.05, decay = 1, momentum = 0.9 } = {}): Optimizer {
  let velocity: Float64Array | null = null;
  let rate = learningRate / decay;
  return {
    step(x, gradient) {
      velocity ??= new Float64Array(x.length);
      rate *= decay;
      return x.map((value, k) => {
        velocity![k] = momentum * velocity![k] - rate * gradient[k];
        return value + velocity![k];
      });
    },
  };
}
