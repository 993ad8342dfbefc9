import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findChromium } from './chromium.js';

const icdName = 'vk_swiftshader_icd.json';

/**
 * The ICD file of the software Vulkan driver that comes with Chromium, on which the package `webgpu`
 * finds an adapter where there is no GPU; undefined if there is no Chromium.
 */
export function findSoftwareVulkan() {
  const chromium = findChromium();
  const folders = ['/usr/lib/chromium', '/usr/lib64/chromium-browser', '/opt/google/chrome'];
  if (chromium) folders.unshift(dirname(chromium));
  return folders.map((folder) => join(folder, icdName)).find((file) => existsSync(file));
}

/**
 * Lets Vulkan find the software driver beside the machine's own drivers: it is added, not put in their
 * place, so that a hardware GPU stays visible. A choice the user has made is kept.
 */
export function offerSoftwareVulkan() {
  const { env } = process;
  if (env.VK_DRIVER_FILES || env.VK_ICD_FILENAMES || env.VK_ADD_DRIVER_FILES) return;
  const icd = findSoftwareVulkan();
  if (icd) env.VK_ADD_DRIVER_FILES = icd;
}
