import { StoreError } from '../../../lambdas/shared/domain/store-error';
import { KEY_ARN } from '../../local/aws/local-account';
import { denialText, changeRole, injectAwsFault, type SecretsManagerOperation } from '../support/aws-faults';
import { assertCommonSet } from '../support/common-set';
import { alterStoreFailures } from '../support/holes';
import { tokenRow } from '../support/token-row';
import { type VirtualWorld } from '../support/virtual-world';
import { type WireWorld } from '../support/wire-world';
import { drawSituation, type Situation, type World } from '../support/world';

interface Variant extends Situation {
  secret: 'token' | 'client credentials';
  operation: SecretsManagerOperation;
  /** `key`: the role may not use the secret's key; `decryption`: KMS itself fails. */
  denied: 'action' | 'key' | 'decryption';
}

/** F16: the role lacks a permission, or the key cannot decrypt the secret. */
export const DENIED = tokenRow<Variant>({
  id: 'F16',
  fault: 'IAM or KMS denies the function a secret',
  variant: (draw) => ({
    ...drawSituation(draw),
    ...draw.oneOf([
      { secret: 'token', operation: 'GetSecretValue' },
      { secret: 'token', operation: 'PutSecretValue' },
      { secret: 'client credentials', operation: 'GetSecretValue' },
    ]),
    denied: draw.oneOf(['action', 'key', 'decryption']),
  }),
  async virtual(world, variant) {
    const { operation, denied } = variant;
    const { name: secretName, arn } = secretOf(world, variant);
    world.secrets.faults.push({
      ...{ operation, secret: secretName },
      ...{
        action: { name: 'AccessDeniedException', message: denialText(`secretsmanager:${operation}`, arn) },
        key: { name: 'AccessDeniedException', message: 'Access to KMS is not allowed' },
        decryption: { name: 'DecryptionFailure' },
      }[denied],
    });

    await world.invoke();

    expectNamed(world, variant, arn);
    expect(world.secrets.commandsOf('PutSecretValue').length).toBeLessThanOrEqual(1);
    expect(world.clock.sleepsMs).toEqual([]);
  },
  async wire(world, variant) {
    const { arn } = secretOf(world, variant);
    await deny(world, variant);

    await world.invoke();

    expectNamed(world, variant, arn);
    const asked = world.gate.calls.filter(
      ({ operation, secretId }) =>
        operation === variant.operation && (secretId === arn || arn.includes(`:${secretId}-`)),
    );
    expect(asked).toHaveLength(1);
  },
  hole: {
    words: 'an error of the store does not name the denied action',
    with: { secret: 'token' },
    open: (world) => alterStoreFailures(world, () => new StoreError('access_denied', 'access was denied')),
  },
});

function secretOf(world: VirtualWorld | WireWorld, { secret }: Pick<Variant, 'secret'>) {
  return secret === 'token' ? world.tokenSecret : world.credentialSecret;
}

async function deny(world: WireWorld, { secret, operation, denied }: Variant): Promise<void> {
  const meant = secretOf(world, { secret });
  const action = `secretsmanager:${operation}`;
  if (denied === 'action') changeRole(world.aws, { Effect: 'Deny', Action: action, Resource: meant.arn });
  if (denied === 'decryption') {
    const secretId = secret === 'token' ? '/token/' : 'client-credentials';
    await injectAwsFault(world.aws, { operation, error: 'DecryptionFailure', secretId });
  }
  if (denied === 'key') {
    meant.kmsKeyArn = KEY_ARN;
    // Otherwise the read before the write would be denied.
    if (operation === 'PutSecretValue')
      changeRole(world.aws, { Effect: 'Allow', Action: 'kms:Decrypt', Resource: KEY_ARN });
  }
}

/** The log names the action and the secret's ARN, so that the missing permission is known. */
function expectNamed(world: World, { operation, denied, secret, action }: Variant, arn: string): void {
  const failures = world.log().filter(({ code }) => code === 'store_unavailable');
  expect(failures).toHaveLength(1);
  const { detail } = failures[0]!;
  expect(detail).toContain(`secretsmanager:${operation} on `);
  if (denied === 'action') expect(detail).toContain(`lacks secretsmanager:${operation} on ${arn}`);
  else expect(detail).toMatch(/lacks kms:(Decrypt|GenerateDataKey) /);
  if (secret === 'token' && operation === 'GetSecretValue' && action === 'ensure') {
    expect(world.platform.requests).toEqual([]);
  }
  expect(world.versions()).toEqual(world.before);
  assertCommonSet(world, { store_access_denied: 1 });
}
