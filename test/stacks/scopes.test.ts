import { Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import * as iam from 'aws-cdk-lib/aws-iam';

import { type TokenType } from '../../core/deployment/platform';
import { TokenSecret } from '../../lib/constructs/tokens/token-secret';
import { addStacks } from '../../lib/stacks/add-stacks';
import { ACCOUNT_ID, ALL_TOKENS, configuration, REGION, tenant, written } from '../support/lib/configuration';
import { faultsOf } from '../support/lib/faults';
import { may, provisionSynthesis } from '../support/lib/provisioned';
import { Synthesis, temporaryApp } from '../support/lib/synthesis';

/** One tenant with a token of every scope, and a role that may read each. */
const app = temporaryApp();
addStacks(app, configuration({ tenants: [tenant('tenant-a', ALL_TOKENS)] }));
const readers = new Stack(app, 'readers', { env: { account: ACCOUNT_ID, region: REGION } });
const nameOf = (token: TokenType) => `${token.interface}/${token.scope.replace('/', '-')}`;
for (const token of ALL_TOKENS) {
  const description = `reader of ${nameOf(token)}`;
  const role = new iam.Role(readers, nameOf(token), {
    description,
    assumedBy: new iam.AccountRootPrincipal(),
  });
  TokenSecret.fromKey(readers, {
    environment: 'staging',
    platformRegion: 'global',
    tenantId: 'tenant-a',
    ...token,
  }).grantReadToken(role);
}
const PATH = 'latchkey/staging/global/tenant-a/token/';

describe('the configuration', () => {
  it.each([
    ['content', 'api/webhooks', 'on the content interface api/all, api/read, api/write'],
    ['content', 'api/admin', 'on the content interface api/all, api/read, api/write'],
    ['content', 'api/read api/write', 'on the content interface api/all, api/read, api/write'],
    ['content', 'api/*', 'on the content interface api/all, api/read, api/write'],
    ['webhooks', 'api/write', 'on the webhooks interface api/webhooks, api/all'],
  ])('refuses, on the interface %s, the scope %s', (name, scope, allowed) => {
    const value = written({ tenants: [tenant('tenant-a', [{ interface: name, scope } as TokenType])] });

    expect(faultsOf(value)).toEqual([
      `deployments[0].tenants[0].tokens[0].scope: found "${scope}"; allowed: ${allowed}`,
    ]);
  });

  it('accepts each scope of both interfaces', () => {
    expect(faultsOf(written({ tenants: [tenant('tenant-a', ALL_TOKENS)] }))).toEqual([]);
  });
});

describe('the template', () => {
  it('has a secret for each declared scope, and none for others', () => {
    const secrets = Template.fromStack(
      app.node.findChild('latchkey-staging-global-tenant-a') as Stack,
    ).findResources('AWS::SecretsManager::Secret', { Properties: { Name: Match.stringLikeRegexp(PATH) } });

    expect(Object.values(secrets).map(({ Properties }) => (Properties as { Name: string }).Name)).toEqual(
      ALL_TOKENS.map((token) => PATH + nameOf(token)),
    );
  });

  it('lets the restore function read the tokens of api/write alone', () => {
    const deployment = Template.fromStack(app.node.findChild('latchkey-staging-global') as Stack);

    deployment.hasResourceProperties('AWS::IAM::Policy', {
      Roles: [{ Ref: Match.stringLikeRegexp('^RestoreRole') }],
      PolicyDocument: {
        Statement: Match.arrayWith([
          {
            Effect: 'Allow',
            Action: 'secretsmanager:GetSecretValue',
            Resource: {
              'Fn::Join': ['', Match.arrayWith([Match.stringLikeRegexp('/token/content/api-write-\\?{6}$')])],
            },
          },
        ]),
      },
    });
  });
});

describe('the policy', () => {
  const { account, roles } = provisionSynthesis(new Synthesis(app));
  const readableBy = (description: string) => {
    const { arn } = roles.find((role) => role.description === description)!;
    return [...account.secrets.values()]
      .filter((secret) => may({ account, roleArn: arn }, 'GetSecretValue', account, secret))
      .map(({ name }) => name);
  };

  it.each(ALL_TOKENS.map(nameOf))('of a reader of %s denies every other secret', (name) => {
    expect(readableBy(`reader of ${name}`)).toEqual([PATH + name]);
  });

  it('of the restore function denies every scope but api/write', () => {
    expect(readableBy('Role of restore of staging global')).toEqual([`${PATH}content/api-write`]);
  });
});
