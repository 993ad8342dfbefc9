export * from '@gradsim/study';
