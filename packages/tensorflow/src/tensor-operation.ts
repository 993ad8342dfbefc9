import { GradsimError } from '@gradsim/core';
import type { Operation } from '@gradsim/optim';
import { customGrad, type Tensor, Tensor as TensorClass } from '@tensorflow/tfjs-core';
import type { Shapes } from './packing.ts';
import { packed, partsOf, unpacked } from './packing.ts';

/** Tensors by name. */
export type Tensors<Name extends string> = Readonly<Record<Name, Tensor>>;

/** Function from input tensors to output tensors by name; TensorFlow.js differentiates through it. */
export type TensorOperation<Input extends string, Output extends string> = (inputs: Tensors<Input>) => Tensors<Output>;

/**
 * Wraps a simulation as an operation of TensorFlow.js, from tensors to tensors: `tf.grad`, `tf.variableGrads` and the
 * optimizers of `tf.train` differentiate through it with the simulation's own derivatives.
 *
 * Shapes are those of `operation.shapes`: [element][component] of a field, over frames or time that axis before it, and
 * with
 * `worlds` the batch first. Units are those of the fields. Tensors are float32, so the simulation gets its inputs, and
 * TensorFlow.js its derivatives, in single precision, whatever the device computes in.
 *
 * Derivatives are those of inputs that the loss depends on, all found by one run backward; of the first order only.
 * Results are the caller's to dispose of (`tf.tidy`), and the operation is too.
 *
 * ```ts
 * import { createOperation } from '@gradsim/optim';
 * import { tensorOperation } from '@gradsim/tensorflow';
 *
 * const fly = tensorOperation(
 *   await createOperation(model, {
 *     device: cpuDevice(), frames: 2, frameRate: 1, substeps: 50, worlds: 8,
 *     inputs: { velocity: 'bodies.velocity' },
 *     outputs: { end: { field: 'bodies.position', frames: 'last' } },
 *   }),
 * );
 * const slope = tf.grad((velocity) => tf.sum(fly({ velocity }).end))(tf.zeros([8, 1, 3]));
 * ```
 * @throws for an operation on an asynchronous device, since TensorFlow.js does not wait within a derivative. The
 * returned function throws for a missing or unknown input, one that is not a float32 tensor or has another shape, and
 * if the run fails; computing a derivative of second order throws too.
 */
export function tensorOperation<Input extends string, Output extends string>(
  operation: Operation<Input, Output>,
): TensorOperation<Input, Output> {
  if (typeof operation?.at !== 'function')
    throw new GradsimError(
      'tensorflow/not-an-operation',
      'tensorOperation takes what `await createOperation(model, options)` gives.',
    );
  if (operation.waits)
    throw new GradsimError(
      'tensorflow/device-only-records',
      'The operation is on a device that only records its work, such as webgpu, and TensorFlow.js cannot wait for it within a derivative.',
      {
        hint: 'Create it on the device cpu, or take derivatives by `operation.atAsync` between two parts of the network.',
      },
    );
  const shapes: { readonly inputs: Shapes; readonly outputs: Shapes } = operation.shapes;
  const names = Object.keys(shapes.inputs);

  return (given) => {
    refuseInputs(shapes.inputs, given);
    const value = customGrad((...all) => {
      const save = all[names.length] as (tensors: Tensor[]) => void;
      const inputs = all.slice(0, names.length) as Tensor[];
      // Within tf.tidy they would be disposed of when the derivative is requested.
      save(inputs);
      const arrays = names.map((name, k) => [name, inputs[k].dataSync()]);
      const { value, pullback } = operation.at(Object.fromEntries(arrays));
      const back = (slopes: Float32Array): Readonly<Record<string, Float64Array>> =>
        pullback(partsOf(shapes.outputs, slopes) as Partial<Record<Output, Float32Array>>);
      return {
        value: packed(shapes.outputs, value),
        gradFunc: (slopes: Tensor, saved: Tensor[]) => {
          const gradient = derivative(shapes.inputs, back)(slopes, ...saved);
          return Object.values(unpacked(shapes.inputs, gradient));
        },
      };
    })(...names.map((name) => (given as Readonly<Record<string, Tensor>>)[name]));
    return unpacked(shapes.outputs, value) as Record<Output, Tensor>;
  };
}

/**
 * The backward pass as an operation that refuses to be differentiated. If it returned a plain tensor, TensorFlow.js
 * would treat values that depend on the inputs as constants, and second derivatives would lack terms without notice.
 */
const derivative = (shapes: Shapes, back: (slopes: Float32Array) => Readonly<Record<string, Float64Array>>) =>
  customGrad((slopes) => ({
    value: packed(shapes, back((slopes as Tensor).dataSync<'float32'>())),
    gradFunc: () => {
      throw new GradsimError(
        'tensorflow/second-derivative',
        'A derivative of second order through a simulation was asked for; it gives derivatives of the first order only.',
      );
    },
  }));

/** @throws if an input is missing or unknown, is not a float32 tensor, or has another shape. */
function refuseInputs(shapes: Shapes, given: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(shapes);
  const other = Object.keys(given ?? {}).find((name) => !names.includes(name));
  if (other !== undefined)
    throw new GradsimError(
      'tensorflow/unknown-input',
      `The operation has no input "${other}"; it has ${names.join(', ')}.`,
    );
  for (const name of names) {
    const tensor = given?.[name];
    if (!(tensor instanceof TensorClass))
      throw new GradsimError(
        'tensorflow/wrong-shape',
        `The input ${name} must be a tensor of shape [${shapes[name].join(', ')}], not ${tensor === null || typeof tensor !== 'object' ? tensor : 'another object'}.`,
      );
    if (tensor.dtype !== 'float32')
      throw new GradsimError('tensorflow/wrong-type', `The input ${name} is ${tensor.dtype}.`, {
        hint: "It must be float32: tf.cast(x, 'float32').",
      });
    if (tensor.shape.join() !== shapes[name].join())
      throw new GradsimError('tensorflow/wrong-shape', otherShape(name, shapes[name], tensor));
  }
}

function otherShape(name: string, shape: readonly number[], { shape: has, size }: Tensor): string {
  const wanted = `[${shape.join(', ')}]`;
  const count = shape.reduce((product, length) => product * length, 1);
  return (
    `The input ${name} is of shape [${has.join(', ')}]; the operation takes ${wanted}` +
    (size === count
      ? `: tf.reshape(x, ${wanted}).`
      : '. How many worlds it takes at a time is the option `worlds` of createOperation.')
  );
}
