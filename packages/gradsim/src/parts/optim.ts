export * from '@gradsim/optim';
