import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import {
  checkAddresses,
  checkRestorePath,
  HostileAddressError,
} from '../../../core/deployment/deployment-addresses';
import { restoringDeploymentOf } from '../../support/lambdas/restore-functions';

const { platform, restore } = restoringDeploymentOf();
const check = (deployment: Pick<DeploymentFile, 'platform' | 'restore'>) => {
  checkAddresses(deployment);
  checkRestorePath(deployment);
};
const LOOPBACK = 'https://127.0.0.1:8443/base';

test.each([
  ['as it was synthesized', {}, {}],
  ['with all addresses on loopback, each with a port', { contentBaseUrl: LOOPBACK }, {}],
])('a deployment file %s is accepted', (_, changedPlatform, changedRestore) => {
  const changed = {
    platform: { ...platform, ...changedPlatform },
    restore: { ...restore, ...changedRestore },
  };

  expect(() => check(changed)).not.toThrow();
});

test.each([
  ['contentTokenBaseUrl', { contentTokenBaseUrl: 'http://token.example' }, {}],
  ['webhooksTokenBaseUrl', { webhooksTokenBaseUrl: 'https://127.0.0.1/base' }, {}],
  ['contentBaseUrl', { contentBaseUrl: 'nowhere' }, {}],
  ['contentBaseUrl', { contentBaseUrl: 'https://content.example:8443' }, {}],
  ['restore.path', {}, { path: 'contents/{contentId}/restore' }],
  ['restore.path', {}, { path: '@elsewhere.example/' }],
  ['restore.path', {}, { path: '/contents/{contentId}/../restore' }],
  ['restore.path', {}, { path: '/contents/{other}/restore' }],
])(
  'a deployment file with a hostile %s is refused, and the error names it: %j %j',
  (name, changedPlatform, changedRestore) => {
    const changed = {
      platform: { ...platform, ...changedPlatform },
      restore: { ...restore, ...changedRestore },
    };

    expect(() => check(changed)).toThrow(HostileAddressError);
    expect(() => check(changed)).toThrow(new RegExp(`^${name} in deployment.json: `));
  },
);
