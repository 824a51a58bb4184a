import {
  type DescribedRole,
  isAllowed,
  may,
  provisionSynthesis,
  SECRET_ACTIONS,
} from '../../support/lib/provisioned';
import { parseConfiguration } from '../../../lib/config/load';
import { addSecret } from '../../support/lib/provisioned';
import { ACCOUNT_ID, ALL_TOKENS, REGION, tenant, written } from '../../support/lib/configuration';
import { synthesizeOnce } from '../../support/lib/synthesis';

const place = { account: ACCOUNT_ID, region: REGION };
const { account, roles } = provisionSynthesis(
  synthesizeOnce(
    parseConfiguration(
      {
        ...written(),
        deployments: [
          {
            ...place,
            environment: 'staging',
            tenants: [tenant('a', ALL_TOKENS), tenant('b', ALL_TOKENS)],
          },
          { ...place, environment: 'staging', platformRegion: 'mea', tenants: [tenant('m', ALL_TOKENS)] },
        ],
      },
      'test configuration',
    ),
  ),
);
const ours = [...account.secrets.values()];
const secrets = [...ours, addSecret(account, 'team/other', ours[0]!.kmsKeyArn)];

const roleOf = (name: string): DescribedRole =>
  roles.find(({ description }) => description === `Role of ${name} of staging global`)!;
const rightsOf = (name: string) =>
  secrets.flatMap((secret) =>
    SECRET_ACTIONS.filter((action) =>
      may({ account, roleArn: roleOf(name).arn }, action, account, secret),
    ).map((action) => `${action} ${secret.name}`),
  );

describe('the restore function', () => {
  it('reads the api/write tokens of its own cell, and has no other right to any secret', () => {
    expect(rightsOf('restore').sort()).toEqual([
      'GetSecretValue latchkey/staging/global/a/token/content/api-write',
      'GetSecretValue latchkey/staging/global/b/token/content/api-write',
    ]);
  });

  it('invokes the token-refresh function of its own cell, and no other function', () => {
    const invoked = [...account.functions.values()].filter(({ arn, resourcePolicy }) =>
      isAllowed({ account, roleArn: roleOf('restore').arn }, 'lambda:InvokeFunction', {
        arn,
        owner: account,
        policy: resourcePolicy,
      }),
    );

    expect(invoked.map(({ roleArn }) => roleArn)).toEqual([roleOf('token-refresh').arn]);
  });
});

describe('the authorizer function', () => {
  it('reads the API keys and content tokens of its own cell, never a client secret', () => {
    const rights = ['a', 'b'].flatMap((tenantId) =>
      [
        'DescribeSecret %/api-key',
        'GetSecretValue %/api-key',
        'GetSecretValue %/token/content/api-all',
        'GetSecretValue %/token/content/api-read',
        'GetSecretValue %/token/content/api-write',
      ].map((right) => right.replace('%', `latchkey/staging/global/${tenantId}`)),
    );

    expect(rightsOf('authorizer').sort()).toEqual(rights.sort());
  });

  it('invokes no function', () => {
    const invoked = [...account.functions.values()].filter(({ arn, resourcePolicy }) =>
      isAllowed({ account, roleArn: roleOf('authorizer').arn }, 'lambda:InvokeFunction', {
        arn,
        owner: account,
        policy: resourcePolicy,
      }),
    );

    expect(invoked).toEqual([]);
  });
});
