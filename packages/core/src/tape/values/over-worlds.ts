/** Returns the gradient with respect to a field that all worlds share: the sum over worlds. */
export function summedOverWorlds(gradient: Float64Array, copies: number, worlds: number): Float64Array {
  const each = gradient.length / copies / worlds;
  const sum = new Float64Array(copies * each);
  for (let copy = 0; copy < copies; copy++)
    for (let world = 0; world < worlds; world++)
      for (let k = 0; k < each; k++) sum[copy * each + k] += gradient[(copy * worlds + world) * each + k];
  return sum;
}
