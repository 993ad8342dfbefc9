// Set-up of each test file. While the npm package `webgpu` waits for a device it polls in a loop of setImmediate, which
// takes a core from the software driver and half of the processor time of tests on WebGPU: here it polls every millisecond.
import timers from 'node:timers';

/** Functions of native code and without a name, as that package makes for each poll. @param {Function} callback */
const isPoll = (callback) =>
  callback.name === '' && Function.prototype.toString.call(callback).includes('[native code]');

globalThis.setImmediate = new Proxy(timers.setImmediate, {
  apply: (setImmediate, self, args) =>
    isPoll(args[0]) ? setTimeout(args[0], 1) : Reflect.apply(setImmediate, self, args),
});
