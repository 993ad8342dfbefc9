export * from '@gradsim/mesh';
