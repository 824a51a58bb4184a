import { join } from 'node:path';

import { loadConfiguration } from '../../lib/options/load';
import { ALL_TOKENS, tenant } from '../support/lib/configuration';
import { synthesisWith, synthesizeOnce } from '../support/lib/synthesis';

const synthesis = synthesizeOnce(loadConfiguration(join(__dirname, '../../config/local.json')));

const WHY =
  'CloudFormation knows a resource by its logical id: under another one it creates a new resource and deletes or abandons ' +
  'the old. Loaded credentials would be cut off from their stack, and where the name stays, the deployment fails because ' +
  'the name is taken. So ids and names of what keeps state, or is found by its name, do not change. A new one is added here.';

/**
 * What keeps state: every such resource stands in the table. Parameters and schedules keep none, but are found by their names; every
 * credential secret knows its rotation function by its ARN.
 */
const STATEFUL = /^AWS::(SecretsManager::Secret|KMS::Key|SQS::Queue|SNS::Topic|ApiGateway::RestApi)$/;

const FROZEN: Record<string, string> = {
  'latchkey-staging-global': `
    AlarmTopicC2164170                      AWS::SNS::Topic          (generated)
    Key961B73FD                             AWS::KMS::Key            (generated)
    Parameteralarmtopicarn5AAE5250               AWS::SSM::Parameter      /latchkey/staging/global/alarm-topic-arn
    Parameterauthorizerarn6BBEB4A1          AWS::SSM::Parameter      /latchkey/staging/global/authorizer-arn
    Parametercredentialwatcharn7D03F42E     AWS::SSM::Parameter      /latchkey/staging/global/credential-watch-arn
    ParameterdeadletterqueueurlB454FC92     AWS::SSM::Parameter      /latchkey/staging/global/dead-letter-queue-url
    ParameterkeyarnB26C5BDA                 AWS::SSM::Parameter      /latchkey/staging/global/key-arn
    Parameteroperatorpolicyarn088C5317      AWS::SSM::Parameter      /latchkey/staging/global/operator-policy-arn
    ParameterrestoreapiurlA70E7E85          AWS::SSM::Parameter      /latchkey/staging/global/restore-api-url
    ParameterrestorearnCD87F4CB             AWS::SSM::Parameter      /latchkey/staging/global/restore-arn
    ParameterrotatecredentialsarnE88AA463   AWS::SSM::Parameter      /latchkey/staging/global/rotate-credentials-arn
    ParametertokenrefresharnA51DF944        AWS::SSM::Parameter      /latchkey/staging/global/token-refresh-arn
    ParametertokensweeparnE36578AF          AWS::SSM::Parameter      /latchkey/staging/global/token-sweep-arn
    RestoreApi1A132984                      AWS::ApiGateway::RestApi latchkey-staging-global
    RotationRotateCredentialsFunction2D321328 AWS::Lambda::Function  (generated)
    TokensDeadLetters043E7815               AWS::SQS::Queue          (generated)
    TokensSchedule4BD47E2C                  AWS::Scheduler::Schedule latchkey-staging-global-token-sweep
    WatchSchedule61B8702D                   AWS::Scheduler::Schedule latchkey-staging-global-credential-watch`,
  'latchkey-staging-global-eu-west-2-StagingOne-69620b7e': `
    ApiKeyShellSecret26FCB36F                 AWS::SecretsManager::Secret latchkey/staging/global/eu-west-2_StagingOne/api-key
    ClientCredentialsShellSecret77A5A1FF      AWS::SecretsManager::Secret latchkey/staging/global/eu-west-2_StagingOne/client-credentials
    TokencontentapireadShellSecret002D4A9A    AWS::SecretsManager::Secret latchkey/staging/global/eu-west-2_StagingOne/token/content/api-read
    TokencontentapiwriteShellSecret7E57F658   AWS::SecretsManager::Secret latchkey/staging/global/eu-west-2_StagingOne/token/content/api-write
    TokenwebhooksapiwebhooksShellSecret40760C3B AWS::SecretsManager::Secret latchkey/staging/global/eu-west-2_StagingOne/token/webhooks/api-webhooks`,
};

describe('logical ids and names of stateful resources', () => {
  it.each(Object.entries(FROZEN))('in %s never change', (stack, table) => {
    const frozen = table
      .trim()
      .split('\n')
      .map((row) => row.trim().replace(/ +/g, ' '));
    const kept = synthesis
      .resourcesOf(stack)
      .map(({ logicalId, Type, Properties }) => ({
        Type,
        row: `${logicalId} ${Type} ${(Properties.Name ?? '(generated)') as string}`,
      }))
      .filter(({ Type, row }) => STATEFUL.test(Type) || frozen.includes(row))
      .map(({ row }) => row);
    expect({ WHY, rows: kept.sort() }).toEqual({ WHY, rows: frozen });
  });

  it('are in stacks with these names and ids', () => {
    expect({ WHY, found: synthesis.stackNames().sort() }).toEqual({
      WHY,
      found: [
        'latchkey-api-gateway',
        'latchkey-production-global',
        'latchkey-production-global-eu-west-2-LiveGlobal-de4de745',
        'latchkey-production-mea',
        'latchkey-production-mea-me-south-1-LiveMea-24a69418',
        'latchkey-staging-global',
        'latchkey-staging-global-eu-west-2-StagingOne-69620b7e',
        'latchkey-staging-global-eu-west-2-StagingTwo-830dcabd',
        'latchkey-staging-mea',
        'latchkey-staging-mea-me-south-1-StagingMea-68c3cd52',
      ],
    });
  });

  it('do not depend on the order of tokens and tenants', () => {
    const before = synthesisWith({ tenants: [tenant('b', [ALL_TOKENS[2]!])] });
    const after = synthesisWith({ tenants: [tenant('a'), tenant('b', ALL_TOKENS)] });

    const ids = (of: typeof before, stack: string) => of.resourcesOf(stack).map(({ logicalId }) => logicalId);
    const of = 'latchkey-staging-global';
    expect(ids(after, `${of}-b`)).toEqual(expect.arrayContaining(ids(before, `${of}-b`)));
    expect(ids(after, of)).toEqual(ids(before, of));
  });
});
