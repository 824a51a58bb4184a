import { LabeledSecret } from '../../../cli/credentials/labeled-secret';
import { type ChosenTenant } from '../../../cli/system';
import { LocalAws } from 'cdk-on-loopback/testing/local-aws';
import { World } from './support/world';

const FIRST = 'a'.repeat(32);
const SECOND = 'b'.repeat(32);

let aws: LocalAws;
let secret: LabeledSecret;

beforeEach(async () => {
  aws = new LocalAws();
  await aws.start();
  const { arn } = aws.addSecret('latchkey/staging/mea/eu-west-2_Acme/api-key');
  const system = await new World().context().system();
  const deployment = { ...system.deployments[0]!, secretsManager: aws.secretsManager() };
  const tenant = { ...deployment.tenants[0]!, secretIds: { 'client-credentials': arn, 'api-key': arn } };
  const chosen: ChosenTenant = { system, deployment, tenant };
  secret = new LabeledSecret(chosen, 'api-key', new AbortController().signal);
});
afterEach(() => aws.stop());

describe('over the wire, a credential secret', () => {
  test('without a version has no labels', async () => {
    await expect(secret.describe()).resolves.toMatchObject({ isRotated: false, versionWith: {} });
  });

  test('distinguishes a repeated write from a version id that is taken', async () => {
    const written = await secret.put(FIRST, { apiKey: 'k' }, 'LATCHKEY_CANDIDATE');
    const repeated = await secret.put(FIRST, { apiKey: 'k' }, 'LATCHKEY_CANDIDATE');
    const other = await secret.put(FIRST, { apiKey: 'other' }, 'LATCHKEY_CANDIDATE');

    expect(written).toMatchObject({ kind: 'written' });
    expect(repeated).toEqual(written);
    expect(other).toEqual({ kind: 'taken' });
    const { versionWith } = await secret.describe();
    expect(versionWith).toEqual({ LATCHKEY_CANDIDATE: FIRST, AWSCURRENT: FIRST });
  });

  test('moves a label only from the given version', async () => {
    await secret.put(FIRST, { apiKey: 'k' }, 'AWSCURRENT');
    await secret.put(SECOND, { apiKey: 'l' }, 'LATCHKEY_CANDIDATE');

    const conflict = await secret.moveLabel('LATCHKEY_CANDIDATE', { from: FIRST });
    const moved = await secret.moveLabel('LATCHKEY_CANDIDATE', { from: SECOND });

    expect([conflict, moved]).toEqual(['conflict', 'moved']);
    expect((await secret.describe()).versionWith).toEqual({ AWSCURRENT: FIRST });
  });

  test('knows when a labeled version was created', async () => {
    await secret.put(FIRST, { apiKey: 'k' }, 'AWSCURRENT');

    const createdAtMs = await secret.createdAtMs(FIRST);

    expect(Math.abs(createdAtMs! - Date.now())).toBeLessThan(60_000);
    await expect(secret.createdAtMs(SECOND)).resolves.toBeUndefined();
  });

  test('without a rotation cannot be rotated, as its state shows', async () => {
    await secret.put(FIRST, { apiKey: 'k' }, 'AWSCURRENT');

    await expect(secret.rotate(SECOND)).resolves.toBe('rejected');
  });

  test('that does not exist is reported with the stack that creates it', async () => {
    aws.account.secrets.clear();

    await expect(secret.describe()).rejects.toMatchObject({
      exitCode: 1,
      code: 'not_found',
      advice: expect.stringContaining('latchkey-staging-mea') as string,
    });
  });
});
