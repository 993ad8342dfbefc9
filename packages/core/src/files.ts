export * from '@gradsim/kernel/files';
