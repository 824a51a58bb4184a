import { LabeledSecret } from '../../../cli/credentials/labeled-secret';
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
  secret = new LabeledSecret({ system, deployment, tenant }, 'api-key', new AbortController().signal);
});
afterEach(() => aws.stop());

describe('over the wire, a credential secret', () => {
  test('without a version has no labels, and without a rotation cannot be rotated', async () => {
    await expect(secret.describe()).resolves.toMatchObject({ isRotated: false, versionWith: {} });
    await secret.put(FIRST, { apiKey: 'k' }, 'AWSCURRENT');
    await expect(secret.rotate(SECOND)).resolves.toBe('rejected');
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
});
