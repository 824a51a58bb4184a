import { optionsOf } from '../../../lib/options/checked-options';
import { deploymentFileOf } from '../../../lib/options/compose-deployment-file';
import { parseConfiguration } from '../../../lib/options/load';
import { configuration, tenant, written } from '../../support/lib/configuration';
import { synthesizeOnce } from '../../support/lib/synthesis';

const FULL = configuration({
  platformRegion: 'mea',
  account: '222233334444',
  kmsKeyArn: 'arn:aws:kms:eu-west-1:222233334444:key/0f0f',
  tags: { team: 'learning' },
  restore: {
    available: true,
    method: 'PATCH',
    actingUserIn: 'header',
    successStatus: 202,
    actingUserHeaders: { authorRef: 'Acting-Author' },
  },
  restoreApi: { apiKeyGraceHours: 2 },
  credentials: { maxAgeDays: 365 },
  tenants: [
    tenant('tenant-a', [
      { interface: 'content', scope: 'api/write', readerAccounts: ['333344445555'] },
      { interface: 'webhooks', scope: 'api/webhooks' },
    ]),
  ],
});

describe('deployment.json in every function’s bundle', () => {
  it('contains only what the functions need of the configuration', () => {
    const files = synthesizeOnce(FULL).deploymentFiles();

    expect(files.length).toBeGreaterThanOrEqual(1);
    for (const file of files) {
      expect(file).toEqual({
        prefix: 'latchkey',
        environment: 'staging',
        platformRegion: 'mea',
        profile: {
          tokenEndpoint: { path: '/oauth2/token/{tenantId}' },
          request: expect.objectContaining({ body: 'json' }) as object,
          offers: ['api-keys', 'restore'],
        },
        platform: written().endpoints.staging!.mea,
        restore: {
          available: true,
          method: 'PATCH',
          path: '/contents/{contentId}/restore',
          successStatus: 202,
          actingUserIn: 'header',
          actingUserHeaders: { authorRef: 'Acting-Author', collaborationId: 'X-Collaboration-Id' },
          failureReasonField: 'failureReason',
        },
        restoreApi: { apiKeyGraceSec: 7200, acceptsApiKeys: true },
        credentials: { maxAgeDays: 365, rotationSchedule: 'cron(0 8 1 */3 ? *)' },
        tenants: [
          {
            tenantId: 'tenant-a',
            tokens: [
              { interface: 'content', scope: 'api/write' },
              { interface: 'webhooks', scope: 'api/webhooks' },
            ],
            adopted: {},
          },
        ],
      });
    }
  });

  it('has addresses without a trailing slash', () => {
    const value = written();
    value.endpoints.staging!.global!.contentBaseUrl = 'https://API.staging.platform.example/rest/v1/';

    const [file] = synthesizeOnce(parseConfiguration(value, 'test configuration')).deploymentFiles();

    expect(file!.platform.contentBaseUrl).toBe('https://api.staging.platform.example/rest/v1');
  });

  it('lifts the rate of token requests on the laptop only, unless one is configured', () => {
    const rateOf = (local: boolean, tokenRequestsPerSec?: number) => {
      const value = configuration({ tokenRequestsPerSec });
      return deploymentFileOf(optionsOf({ ...value, local }, value.deployments[0]!)).tokenRequestsPerSec;
    };

    expect(rateOf(false)).toBeUndefined();
    expect(rateOf(true)).toBe(1_000);
    expect([rateOf(false, 5), rateOf(true, 5)]).toEqual([5, 5]);
  });
});
