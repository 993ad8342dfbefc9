import { expect, it } from 'vitest';
import { FALLING_MOTE, gradsim } from '../support.ts';

// Read by the Vulkan loader when a process first asks for an adapter; this file has a process of its own.
process.env.VK_DRIVER_FILES = '/nowhere.json';
process.env.VK_ICD_FILENAMES = '/nowhere.json';
delete process.env.VK_ADD_DRIVER_FILES;

it('gradsim devices --json prints one line per device, and marks one as the default', async () => {
  const { code, stdout } = await gradsim(['devices', '--json']);
  expect(code).toBe(0);
  const devices = stdout.map((line) => JSON.parse(line));
  expect(devices.map(({ name }) => name)).toEqual(['cpu', 'webgpu', 'f64']);
  expect(devices.filter(({ isDefault }) => isDefault)).toHaveLength(1);
});

it('gradsim devices prints the names of devices with descriptions', async () => {
  const { stdout } = await gradsim(['devices']);
  expect(stdout[0]).toMatch(/^cpu {5}\S/);
  expect(stdout[2]).toMatch(/^f64 {5}double precision/);
});

it('gradsim estimate --device webgpu is refused without an adapter, with the advice to use "cpu"', async () => {
  const { stdout } = await gradsim(['devices', '--json']);
  if (JSON.parse(stdout[1]).isAvailable)
    return console.warn('Not tested: this machine has an adapter that is no Vulkan one.');
  const { code, stderr } = await gradsim(['estimate', FALLING_MOTE, '--device', 'webgpu']);
  expect(code).toBe(1);
  expect(stderr).toEqual([expect.stringMatching(/finds no adapter.*Or use the device "cpu"/)]);
});
