import { announce as announceChange } from '../../../lambdas/optional/announce';
import { type ChangeEvents, type DescribedSecret } from '../../../lambdas/shared/ports';
import { deploymentOf, TENANT_ID } from '../../support/lambdas/token-functions';
import { VirtualClock } from '../../support/lambdas/virtual-clock';

const ARN = 'arn:of-the-key';
const VERSION = { tenantId: TENANT_ID, credential: 'api-key', versionId: 'version-1' };
const EVENT = { ...VERSION, action: 'announce', change: 'revoked' };
const CHANGE = { ...VERSION, secretArn: ARN };

let announced: unknown[][];
let labels: Map<string, readonly string[]>;
let described: string[];

beforeEach(() => {
  announced = [];
  described = [];
  labels = new Map([['version-2', ['AWSCURRENT']]]);
});

function announce(part: object = {}) {
  const events = {
    credentialChanged: (...change: unknown[]) => announced.push(change),
  } as unknown as ChangeEvents;
  const describe = (secretId: string) => {
    described.push(secretId);
    return Promise.resolve({ arn: ARN, labels } as unknown as DescribedSecret);
  };
  const ports = { deployment: deploymentOf([TENANT_ID]), versions: { describe }, clock: new VirtualClock() };
  return announceChange({ ...ports, events }, { ...EVENT, ...part }, 10_000);
}

test('a revoked version, which has neither label anymore, is announced', async () => {
  expect(await announce()).toEqual({ sent: true });

  expect(described).toEqual([`latchkey/staging/mea/${TENANT_ID}/api-key`]);
  expect(announced).toEqual([['Credential Revoked', CHANGE]]);
});

test('the current version is announced as rotated', async () => {
  expect(await announce({ change: 'rotated', versionId: 'version-2' })).toEqual({ sent: true });

  expect(announced).toEqual([['Credential Rotated', { ...CHANGE, versionId: 'version-2' }]]);
});

test.each<[string, object, [string, string[]][]]>([
  ['a revocation of the version that is previous', {}, [['version-1', ['AWSPREVIOUS']]]],
  ['a revocation of the version that is current', {}, [['version-1', ['AWSCURRENT']]]],
  ['a rotation to a version that is not current', { change: 'rotated' }, [['version-1', ['AWSPREVIOUS']]]],
])('%s did not happen, so it is not announced', async (_, part, held) => {
  labels = new Map(held);

  expect(await announce(part)).toEqual({ sent: false });
  expect(announced).toEqual([]);
});

test.each<[string, object, string]>([
  ['an unknown field', { extra: 1 }, 'extra: found a field of this name; allowed: action, change'],
  ['another change', { change: 'made' }, 'change: found "made"; allowed: "rotated", "revoked"'],
  ['a tenant that is not declared', { tenantId: 'x' }, `tenantId: found "x"; allowed: "${TENANT_ID}"`],
  [
    'another kind',
    { credential: 'token' },
    'credential: found "token"; allowed: "client-credentials", "api-key"',
  ],
  ['a text that is no version id', { versionId: 'v'.repeat(65) }, 'allowed: a version id'],
  ['no version', { versionId: undefined }, 'versionId: found nothing; allowed: a version id'],
])('an event with %s is refused', async (_, part, message) => {
  await expect(announce(part)).rejects.toThrow(message);
  expect(described).toEqual([]);
});
