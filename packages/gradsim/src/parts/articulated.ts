export * from '@gradsim/articulated';
