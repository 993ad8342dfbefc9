export * from '@gradsim/core';
