import {
  checkAddresses,
  checkRestorePath,
  HostileAddressError,
} from '../../../core/deployment/deployment-addresses';
import { restoringDeploymentOf } from '../../support/lambdas/restore-functions';

const { platform, restore } = restoringDeploymentOf();
const checking = (change: Partial<typeof platform> & { path?: string }) => () => {
  const { path = restore.path, ...addresses } = change;
  checkAddresses({ platform: { ...platform, ...addresses } });
  checkRestorePath({ restore: { ...restore, path } });
};

test.each([{}, { contentBaseUrl: 'https://127.0.0.1:8443/base' }])(
  'a deployment file as synthesized, for AWS or for loopback, is accepted: %j',
  (change) => expect(checking(change)).not.toThrow(),
);

test.each([
  ['contentTokenBaseUrl', { contentTokenBaseUrl: 'http://token.example' }],
  ['webhooksTokenBaseUrl', { webhooksTokenBaseUrl: 'https://127.0.0.1/base' }],
  ['contentBaseUrl', { contentBaseUrl: 'nowhere' }],
  ['contentBaseUrl', { contentBaseUrl: 'https://content.example:8443' }],
  ['restore.path', { path: '' }],
  ['restore.path', { path: 'contents/{contentId}/restore' }],
  ['restore.path', { path: '/contents/{other}/restore' }],
  ['restore.path', { path: '/{contentId}#' }],
  ['restore.path', { path: '/a//{contentId}' }],
  ['restore.path', { path: '/contents/{contentId}/../restore' }],
  ['restore.path', { path: '/../{contentId}' }],
  ['restore.path', { path: '/%2e%2e/{contentId}' }],
  ['restore.path', { path: '@elsewhere.example/{contentId}' }],
  ['restore.path', { path: ':8443/{contentId}' }],
  ['restore.path', { path: '\\\\elsewhere.example/{contentId}' }],
])('a deployment file with a hostile %s is refused, and the error names it: %j', (name, change) => {
  expect(checking(change)).toThrow(HostileAddressError);
  expect(checking(change)).toThrow(new RegExp(`^${name} in deployment.json: `));
});
