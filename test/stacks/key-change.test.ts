import { Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';

import { TokenSecret } from '../../lib/constructs/tokens/token-secret';
import { type DeploymentStack } from '../../lib/stacks/deployment-stack';
import { addStacks } from '../../lib/stacks/add-stacks';
import { type TenantStack } from '../../lib/stacks/tenant-stack';
import { Account } from 'cdk-on-loopback/testing';
import {
  ACCOUNT_ID,
  ALL_TOKENS,
  configuration,
  REGION,
  tenant,
  TOKEN_KEY,
  type WrittenDeployment,
} from '../support/lib/configuration';
import {
  addKey,
  may,
  type ProvisionedAccount,
  provisionSynthesis,
  SECRET_ACTIONS,
} from '../support/lib/provisioned';
import { Synthesis, temporaryApp } from '../support/lib/synthesis';

const keyArn = (id: string): string => `arn:aws:kms:${REGION}:${ACCOUNT_ID}:key/${id.repeat(8)}`;
const FIRST = keyArn('1');
const SECOND = keyArn('2');
const STACK = 'latchkey-staging-global';

/** A deployment with an operator and readers: one in the tenant's stack, and one elsewhere that may also use `otherKeyArns`. */
function synthesisOf(deployment: Partial<WrittenDeployment>, otherKeyArns: string[] = []): Synthesis {
  const app = temporaryApp();
  addStacks(app, configuration({ tenants: [tenant('tenant-a', ALL_TOKENS)], ...deployment }));
  const stack = app.node.findChild(STACK) as DeploymentStack;
  const tenantStack = app.node.findChild(`${STACK}-tenant-a`) as TenantStack;
  const roleIn = (scope: Stack, description: string) =>
    new iam.Role(scope, description, { description, assumedBy: new iam.AccountRootPrincipal() });
  stack.latchkey.operatorPolicy.grantOperate(roleIn(stack, 'operator'));
  tenantStack.tenant.token('content', 'api/read').grantReadToken(roleIn(tenantStack, 'own reader'));
  const readers = new Stack(app, 'readers', { env: { account: ACCOUNT_ID, region: REGION } });
  readers.addStackDependency(stack);
  TokenSecret.fromKey(readers, TOKEN_KEY, { otherKeyArns }).grantReadToken(roleIn(readers, 'reader'));
  return new Synthesis(app);
}

function provision(synthesis: Synthesis): ProvisionedAccount {
  const account = new Account(ACCOUNT_ID, REGION);
  for (const arn of [FIRST, SECOND]) addKey(account, arn);
  return provisionSynthesis(synthesis, account);
}

/** What each role may do with each secret while all of them are encrypted with one key, a line each. */
function rightsWith({ account, roles }: ProvisionedAccount, kmsKeyArn: string): string[] {
  return roles.flatMap(({ arn, description }) =>
    [...account.secrets.values()].flatMap((secret) =>
      SECRET_ACTIONS.filter((action) =>
        may({ account, roleArn: arn }, action, account, { ...secret, kmsKeyArn }),
      ).map((action) => `${description}: ${action} ${secret.name}`),
    ),
  );
}

/** The deployment's own key, as the stack created it. */
const ownKeyOf = ({ account }: ProvisionedAccount): string =>
  account.parameters.get('/latchkey/staging/global/key-arn')!.value;

/**
 * Stacks deploy in this order: the deployment's, with the policies, then each tenant's, with the keys of its secrets. In
 * between, a secret still has its former key.
 */
describe('a change of the key', () => {
  it('from the deployment’s own one to another fails no read and no write, before and after the tenants’ stacks', () => {
    const before = provision(synthesisOf({}, [SECOND]));
    const usual = rightsWith(before, ownKeyOf(before));
    expect(usual.some((line) => line.startsWith('reader: GetSecretValue '))).toBe(true);
    expect(usual.some((line) => line.startsWith('Role of token-sweep '))).toBe(true);
    const change = synthesisOf({ kmsKeyArn: SECOND, formerKmsKeyArns: [FIRST] }, [FIRST]);
    const changed = provision(change);

    // The retained key has the ARN FIRST here.
    expect(rightsWith(changed, FIRST)).toEqual(usual);
    expect(rightsWith(changed, SECOND)).toEqual(usual);
    for (const { KmsKeyId } of change.properties('AWS::SecretsManager::Secret'))
      expect(KmsKeyId).toBe(SECOND);
  });

  it('from one key to another, and back to an own one, fails none either', () => {
    const usual = rightsWith(provision(synthesisOf({ kmsKeyArn: FIRST })), FIRST);
    const changed = provision(synthesisOf({ kmsKeyArn: SECOND, formerKmsKeyArns: [FIRST] }, [FIRST]));
    const back = provision(synthesisOf({ formerKmsKeyArns: [SECOND] }, [SECOND]));

    expect(rightsWith(changed, FIRST)).toEqual(usual);
    expect(rightsWith(changed, SECOND)).toEqual(usual);
    expect(rightsWith(back, SECOND)).toEqual(usual);
    expect(rightsWith(back, ownKeyOf(back))).toEqual(usual);
  });

  it('fails reads if the former key is not listed', () => {
    const changed = provision(synthesisOf({ kmsKeyArn: SECOND }));

    expect(rightsWith(changed, FIRST).filter((line) => line.includes('GetSecretValue'))).toEqual([]);
  });

  it('lets readers use the next key beforehand', () => {
    const prepared = provision(synthesisOf({ kmsKeyArn: FIRST }, [SECOND]));

    expect(rightsWith(prepared, SECOND).filter((line) => line.startsWith('reader'))).toEqual([
      'reader: GetSecretValue latchkey/staging/global/tenant-a/token/content/api-read',
    ]);
  });

  it('changes nothing in templates without former keys', () => {
    const none = synthesisOf({ kmsKeyArn: FIRST });
    const empty = synthesisOf({ kmsKeyArn: FIRST, formerKmsKeyArns: [] });

    expect(empty.template(STACK)).toEqual(none.template(STACK));
  });
});
