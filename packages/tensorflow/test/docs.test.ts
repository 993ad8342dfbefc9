import * as core from '@gradsim/core';
import * as mesh from '@gradsim/mesh';
import * as optim from '@gradsim/optim';
import * as rigid from '@gradsim/rigid';
import * as tensorflow from '@gradsim/tensorflow';
import * as tf from '@tensorflow/tfjs';
import { testPages } from '../../contact/test/pages.ts';

testPages(['packages/tensorflow/README.md'], {
  '@gradsim/core': core,
  '@gradsim/mesh': mesh,
  '@gradsim/optim': optim,
  '@gradsim/rigid': rigid,
  '@gradsim/tensorflow': tensorflow,
  '@tensorflow/tfjs': tf,
});
