import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { offerChromium } from './chromium.js';
import { root } from './root.js';
import { orExit, setUp } from './setup.js';
import { offerSoftwareVulkan } from './vulkan.js';

/**
 * Runs a built program of the workspace in this process, as if it had been started by itself, after a set-up
 * that leaves standard output alone. Its signals, output and exit code are its own.
 * @param {string} file path of the program from the repository's root
 * @param {string[]} args
 */
export async function runProgram(file, args) {
  // Programs of packages need no apps.
  orExit(() => setUp(file.startsWith('packages/') ? ['packages'] : undefined));
  offerSoftwareVulkan();
  offerChromium();
  const program = join(root, file);
  process.argv = [process.execPath, program, ...args];
  await import(pathToFileURL(program).href);
}
