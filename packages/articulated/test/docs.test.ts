import * as articulated from '@gradsim/articulated';
import * as core from '@gradsim/core';
import * as rigid from '@gradsim/rigid';
import { testPages } from '../../contact/test/pages.ts';

testPages(['packages/articulated/README.md'], {
  '@gradsim/articulated': articulated,
  '@gradsim/core': core,
  '@gradsim/rigid': rigid,
});
