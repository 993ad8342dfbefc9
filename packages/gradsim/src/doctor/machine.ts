import { listDevices } from '@gradsim/core';
import { commandPackage } from '../modules/installed.ts';
import type { Finding } from './finding.ts';

/** Oldest Node that the packages run on, by their `engines`. */
const OLDEST_NODE: readonly [major: number, minor: number] = [20, 19];

/** Checks a version of Node, such as `22.3.0`. */
export function checkNode(version: string): Finding {
  const [major, minor] = version.split('.').map(Number);
  const isNewEnough = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  const { name, version: own, folder } = commandPackage();
  const running = `Node ${version} runs ${name} ${own} in ${folder}.`;
  return isNewEnough
    ? { about: 'node', state: 'ok', text: running }
    : {
        about: 'node',
        state: 'wrong',
        text: `${running} It needs Node ${OLDEST_NODE.join('.')} or newer.`,
        command: 'nvm install 22',
      };
}

/** Checks each device of this machine: how many threads, which adapter, or why there is none. */
export async function checkDevices(list: typeof listDevices = listDevices): Promise<Finding[]> {
  const devices = await list();
  return devices.map(({ name, description, isAvailable, isDefault, isSoftware }): Finding => {
    const about = `device ${name}`;
    if (isAvailable) {
      const slow = name === 'webgpu' && isSoftware ? ' It computes on the CPU, slower than the device cpu.' : '';
      return { about, state: 'ok', text: `${asSentence(description)}${isDefault ? ' Taken by auto.' : ''}${slow}` };
    }
    // A GPU is a choice; what runs without one is the device cpu.
    if (name !== 'webgpu') return { about, state: 'wrong', text: asSentence(description) };
    const isUninstalled = description.includes('npm install webgpu');
    return { about, state: 'missing', text: description, ...(isUninstalled && { command: 'npm install webgpu' }) };
  });
}

const asSentence = (text: string): string => `${text[0].toUpperCase()}${text.slice(1)}${/[.?]$/.test(text) ? '' : '.'}`;
