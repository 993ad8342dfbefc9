import * as core from '@gradsim/core';
import * as implicit from '@gradsim/implicit';
import * as mesh from '@gradsim/mesh';
import * as particles from '@gradsim/particles';
import * as springs from '@gradsim/springs';
import { testPages } from '../../contact/test/pages.ts';

testPages(['packages/implicit/README.md'], {
  '@gradsim/core': core,
  '@gradsim/implicit': implicit,
  '@gradsim/mesh': mesh,
  '@gradsim/particles': particles,
  '@gradsim/springs': springs,
});
