// What a simulation costs as an operation of TensorFlow.js, beside the simulation alone: balls that fly for 50 substeps, a
// boxes that are tossed onto the ground for 1920. Forward, and forward with the derivatives of what goes in. The three take turns.
import { createSimulation } from '@gradsim/core';
import { createOperation, randomNumbers } from '@gradsim/optim';
import { tensorOperation } from '@gradsim/tensorflow';
import * as tf from '@tensorflow/tfjs';
import { benchOptions, least, median, print } from './support/options.ts';
import { TOSSED, tossedBoxes } from './support/tossed-box.ts';

const options = await benchOptions(['runs', 'worlds']);
const { device } = options;
const runs = options.number('runs', 40);
const random = randomNumbers(1);
