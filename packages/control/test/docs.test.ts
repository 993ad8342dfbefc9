import * as articulated from '@gradsim/articulated';
import * as control from '@gradsim/control';
import * as core from '@gradsim/core';
import * as mesh from '@gradsim/mesh';
import * as optim from '@gradsim/optim';
import * as particles from '@gradsim/particles';
import * as springs from '@gradsim/springs';
import { testPages } from '../../contact/test/pages.ts';

testPages(['packages/control/README.md'], {
  '@gradsim/articulated': articulated,
  '@gradsim/control': control,
  '@gradsim/core': core,
  '@gradsim/mesh': mesh,
  '@gradsim/optim': optim,
  '@gradsim/particles': particles,
  '@gradsim/springs': springs,
});
