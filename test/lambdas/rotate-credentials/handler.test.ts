import { type Context } from 'aws-lambda';

import { type handler as Handler } from '../../../lambdas/rotate-credentials/handler';
import { type RotationError } from '../../../lambdas/rotate-credentials/rotation-error';
import { ROTATION_STEPS } from '../../../core/rotation/rotation';
import { CANDIDATE_LABEL } from '../../../core/secrets/credential-labels';
import { CREDENTIAL_KINDS, type CredentialKind } from '../../../core/secrets/secret-names';
import { findCanaries } from '../../support/canaries';
import { BundledFunctions } from '../../support/lambdas/bundled-functions';
import { captureOutput } from '../../support/lambdas/captured-output';
import { currentValue, loadBundle, useAwsEndpoint, useSilentAws } from '../../support/lambdas/restore-bundle';
import { deploymentOf, TENANT_ID } from '../../support/lambdas/token-functions';
import { oauthError } from '../../support/platform/credential-platform';

/** Too short to test a refused key again, which would take half a minute of real time. */
const REMAINING_MS = 1_500 + 8_000 + 900;

function contextWith(remainingMs: number): Context {
  return { awsRequestId: 'request-1', getRemainingTimeInMillis: () => remainingMs } as Context;
}

/** Rotates a secret to a staged credential. @returns the code of the step that failed, or `done` */
async function rotateTo(value: string, kind: CredentialKind, functions: BundledFunctions): Promise<string> {
  const { aws, credentials } = functions;
  const { [kind]: secret } = credentials;
  const ClientRequestToken = 'version-of-the-rotation-number-1';
  aws.addVersion(secret, 'version-that-an-operator-staged-1', value, [CANDIDATE_LABEL]);
  aws.addVersion(secret, ClientRequestToken, undefined, ['AWSPENDING']);
  try {
    for (const Step of ROTATION_STEPS) {
      const event = { SecretId: secret.arn, ClientRequestToken, Step };
      await functions.invoke('rotate-credentials', event, REMAINING_MS);
    }
    return 'done';
  } catch (error) {
    return (error as RotationError).code;
  }
}

describe.each(CREDENTIAL_KINDS)('the function, bundled, with a secret of %s', (kind) => {
  test('T1: sends a credential to no other server, whatever the platform says', () =>
    BundledFunctions.use(async (functions) => {
      const { platform, elsewhere, credentials } = functions;
      platform.trouble = () => oauthError(307, 'x', { location: elsewhere.url });
      const old = currentValue(credentials[kind]);

      expect(await rotateTo(platform.issueValue(kind), kind, functions)).toBe('could_not_test');

      expect(elsewhere.connections).toBe(0);
      expect(currentValue(credentials[kind])).toBe(old);
    }));

  test('rotates the secret under the prefix of its deployment', () =>
    BundledFunctions.use(async (functions) => {
      const { platform, credentials } = functions;
      const staged = platform.issueValue(kind);

      expect(await rotateTo(staged, kind, functions)).toBe('done');

      expect(credentials[kind].name).toMatch(/^acme-secrets\//);
      expect(currentValue(credentials[kind])).toBe(staged);
      expect(findCanaries(platform.canaries, [{ place: 'output', text: functions.output() }])).toEqual([]);
    }, 'acme-secrets'));
});

test.each(['sweep', 'announce'])(
  'without events, the action %s is refused with what is allowed',
  async (action) => {
    useAwsEndpoint('http://127.0.0.1:1');
    const loaded = loadBundle<typeof Handler>('rotate-credentials', deploymentOf([TENANT_ID]));

    await expect(loaded.handler({ action }, contextWith(1_800))).rejects.toMatchObject({
      name: 'EventError',
      message: expect.stringContaining('allowed: "prove"') as string,
    });
    loaded.remove();
  },
);

describe('the function, bundled, while Secrets Manager never answers', () => {
  test('fails the step before Lambda’s timeout, and names the call that failed', async () => {
    const silent = await useSilentAws();
    const output = captureOutput();
    const loaded = loadBundle<typeof Handler>('rotate-credentials', deploymentOf([TENANT_ID]));
    const event = { SecretId: 'arn', ClientRequestToken: 'run-1', Step: 'testSecret' };
    const startMs = performance.now();

    await expect(loaded.handler(event, contextWith(1_800))).rejects.toMatchObject({
      name: 'RotationError',
      code: 'store_unavailable',
      message: expect.stringContaining(
        'secretsmanager:DescribeSecret on arn failed: no answer in time',
      ) as string,
    });

    expect(performance.now() - startMs).toBeLessThan(1_500);
    expect(output()).toContain('RotationFailed');
    loaded.remove();
    silent.close();
    jest.restoreAllMocks();
  });
});
