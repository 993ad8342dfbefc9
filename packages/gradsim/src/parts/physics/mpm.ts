export * from '@gradsim/mpm';
