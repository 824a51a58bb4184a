import { matchesPattern } from 'cdk-on-loopback/testing';
import {
  type WrittenDeployment,
  ACCOUNT_ID,
  configuration,
  REGION,
  tenant,
} from '../support/lib/configuration';
import { byRole, byUser, call, rulesOf } from '../support/lib/event-rules';
import { synthesizeOnce } from '../support/lib/synthesis';

const LEGACY = `arn:aws:secretsmanager:${REGION}:${ACCOUNT_ID}:secret:legacy/client-AbCdEf`;
const PATH = 'latchkey/staging/global/tenant-a';

const hearing = (deployment: Partial<WrittenDeployment> = {}) =>
  synthesizeOnce(
    configuration({
      trailEvents: true,
      tenants: [tenant('tenant-a'), { ...tenant('tenant-b'), adopt: { clientCredentials: LEGACY } }],
      ...deployment,
    }),
  );

const arnOf = (name: string) => `arn:aws:secretsmanager:${REGION}:${ACCOUNT_ID}:secret:${name}`;
const ANYBODY = byUser(`arn:aws:iam::${ACCOUNT_ID}:user/somebody`);

describe('trailEvents', () => {
  const synthesis = hearing();
  const { rules, roleOf } = rulesOf(synthesis);
  /** The functions that hear of a change, by their queues. */
  const heardBy = (eventName: string, secretId: string, by: object = ANYBODY): string[] => {
    const event = call('secretsmanager', eventName, { requestParameters: { secretId }, ...by });
    const targets = synthesis.properties('AWS::Events::Rule').map(({ Targets }) => JSON.stringify(Targets));
    const queues = targets.filter((_, index) => matchesPattern(rules[index]!.EventPattern, event));
    return queues.map((queue) => (queue.includes('Tokens') ? 'token-sweep' : 'rotate-credentials'));
  };

  it.each([
    ['by name', `${PATH}/client-credentials`],
    ['by ARN', arnOf(`${PATH}/client-credentials-AbCdEf`)],
    ['by ARN without its last characters', arnOf(`${PATH}/client-credentials`)],
    ['an adopted one by name', 'legacy/client'],
    ['an adopted one by ARN', LEGACY],
    ['an adopted one by ARN without its last characters', LEGACY.slice(0, -7)],
  ])('tells token-sweep of changed client credentials: %s', (_, secretId) => {
    expect(heardBy('PutSecretValue', secretId)).toEqual(['token-sweep']);
  });

  it.each([
    'PutSecretValue',
    'UpdateSecret',
    'UpdateSecretVersionStage',
    'DeleteSecret',
    'RestoreSecret',
    'UntagResource',
  ])('tells rotate-credentials of %s on an API key', (eventName) => {
    expect(heardBy(eventName, arnOf(`${PATH}/api-key-AbCdEf`))).toEqual(['rotate-credentials']);
  });

  it('tells token-sweep of tokens that others changed, and not of its own', () => {
    const token = `${PATH}/token/content/api-read`;

    expect(heardBy('PutSecretValue', token)).toEqual(['token-sweep']);
    expect(heardBy('PutSecretValue', arnOf(`${token}-AbCdEf`), byRole('another'))).toEqual(['token-sweep']);
    expect(heardBy('PutSecretValue', token, byRole(roleOf('token-sweep')))).toEqual([]);
    expect(heardBy('PutSecretValue', token, byRole(roleOf('token-refresh')))).toEqual([]);
  });

  it.each([
    ['reads', 'GetSecretValue', `${PATH}/client-credentials`],
    ['secrets of another deployment', 'PutSecretValue', 'latchkey/staging/mea/tenant-a/api-key'],
    ['secrets of others', 'PutSecretValue', 'team/database'],
  ])('tells nobody of %s', (_, eventName, secretId) => {
    expect(heardBy(eventName, secretId)).toEqual([]);
  });

  it('hands changes over in batches, to few runs at a time', () => {
    const mappings = synthesis.properties('AWS::Lambda::EventSourceMapping');

    expect(mappings).toHaveLength(2);
    for (const mapping of mappings) {
      expect(mapping).toMatchObject({ BatchSize: 1_000, ScalingConfig: { MaximumConcurrency: 2 } });
    }
  });

  it('without API keys that open a restore API, hears of no API key', () => {
    const { rules: fewer } = rulesOf(hearing({ restoreApi: { enabled: false } }));

    expect(fewer).toHaveLength(2);
  });

  it('is off by default', () => {
    const off = hearing({ trailEvents: false });

    expect(off.resources('AWS::Events::Rule')).toEqual([]);
    expect(off.resources('AWS::Lambda::EventSourceMapping')).toEqual([]);
  });
});
