import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import {
  DescribeParametersCommand,
  GetParameterCommand,
  PutParameterCommand,
  SSMClient,
} from '@aws-sdk/client-ssm';

import { Places, withValues } from '../../../cli/import/places';
import { type Place } from '../../../cli/import/source-map';
import { type Deployment } from '../../../cli/system';
import { type PolicyStatement } from '../../../local/account';
import { ACCOUNT_ID, KEY_ARN, LocalAws, REGION } from '../../local/aws/local-account';
import { failureOf, OperatedSystem } from '../support/operated-system';

const CANARY = 'Qw7placedCanary';
const PARAMETER: Place = { type: 'parameter', name: '/app/client' };
const SECRET: Place = { type: 'secret', name: 'app/client' };
const OURS_TO_ANYONE = { Effect: 'Allow', Resource: '*' } as const;

let aws: LocalAws;
beforeEach(async () => {
  aws = new LocalAws();
  await aws.start();
  await aws.ssm().send(
    new PutParameterCommand({
      ...{ Name: PARAMETER.name, Value: CANARY, Type: 'SecureString' },
      ...{ KeyId: KEY_ARN, Tier: 'Advanced' },
    }),
  );
  aws.addVersion(aws.addSecret(SECRET.name, { kmsKeyArn: KEY_ARN }), 'v1', JSON.stringify({ key: CANARY }));
});
afterEach(() => aws.stop());

/** The places as a principal with these actions has them. */
function placesFor(actions?: readonly string[], env: Record<string, string> = {}): Places {
  const statements = (actions ?? []).map((Action): PolicyStatement => ({ ...OURS_TO_ANYONE, Action }));
  const key = actions === undefined ? undefined : aws.roleKey(...statements);
  const clients = { ssm: aws.ssm(key), secretsManager: aws.secretsManager(key) };
  const deployment: Deployment = { ...new OperatedSystem().deployment(), ...clients };
  return new Places(deployment, env, new AbortController().signal);
}

/** What reading and writing a place needs, by the advice of a denial. */
const NEEDED: [Place, string[]][] = [
  [
    PARAMETER,
    ['ssm:GetParameter', 'kms:Decrypt', 'ssm:DescribeParameters', 'ssm:PutParameter', 'kms:GenerateDataKey'],
  ],
  [
    SECRET,
    ['secretsmanager:GetSecretValue', 'kms:Decrypt', 'secretsmanager:PutSecretValue', 'kms:GenerateDataKey'],
  ],
];
async function readAndWrite(place: Place, actions: readonly string[]): Promise<string> {
  const places = placesFor(actions);
  const text = await places.text(place);
  await places.write(place, `${text}, again`);
  return placesFor().text(place);
}

describe.each(NEEDED)('%j', (place, actions) => {
  it('is read and written with exactly these rights', async () => {
    expect(await readAndWrite(place, actions)).toMatch(/, again$/);
  });

  it.each(actions)('needs %s, and says so without its value', async (missing) => {
    const failure = await failureOf(async () =>
      readAndWrite(
        place,
        actions.filter((each) => each !== missing),
      ),
    );

    expect(failure).toMatchObject({ exitCode: 77, code: 'access_denied' });
    expect(`${failure.advice}`).toContain(missing);
    expect(`${failure.message} ${failure.advice}`).not.toContain(CANARY);
  });
});

it('keeps type, key and tier of a parameter', async () => {
  await placesFor().write(PARAMETER, 'other');

  const { Parameters } = await aws.ssm().send(new DescribeParametersCommand({}));
  expect(Parameters).toMatchObject([{ Type: 'SecureString', KeyId: KEY_ARN, Tier: 'Advanced', Version: 2 }]);
});

it('finds the type, key and tier of a parameter on a later page', async () => {
  const ssm = aws.ssm();
  const send = ssm.send.bind(ssm) as (command: object) => Promise<object>;
  const isDescription = (command: object) => command instanceof DescribeParametersCommand;
  // A page can be empty although another one follows.
  const paging = (command: object) =>
    isDescription(command) && command.input.NextToken === undefined
      ? Promise.resolve({ Parameters: [], NextToken: 'more' })
      : send(isDescription(command) ? new DescribeParametersCommand({}) : command);
  const clients = { ssm: Object.assign(ssm, { send: paging }), secretsManager: aws.secretsManager() };
  const deployment: Deployment = { ...new OperatedSystem().deployment(), ...clients };

  await new Places(deployment, {}, new AbortController().signal).write(PARAMETER, 'other');

  const { Parameters } = await aws.ssm().send(new DescribeParametersCommand({}));
  expect(Parameters).toMatchObject([{ Type: 'SecureString', KeyId: KEY_ARN, Tier: 'Advanced' }]);
});

it.each(['ParameterPatternMismatchException', 'ParameterMaxVersionLimitExceeded', 'InvalidKeyId'])(
  'says that AWS rejects what it will not take later either: %s',
  async (name) => {
    const places = placesFor();
    const send = jest.spyOn(SSMClient.prototype, 'send') as jest.SpyInstance;
    send.mockRejectedValue(Object.assign(new Error(CANARY), { name }));

    const failure = await failureOf(() => places.text(PARAMETER));
    send.mockRestore();

    expect(failure).toMatchObject({ code: 'rejected_by_aws', exitCode: 1 });
    expect(failure.message).not.toContain(CANARY);
  },
);

it('takes names and ARNs', async () => {
  const name = `arn:aws:ssm:${REGION}:${ACCOUNT_ID}:parameter${PARAMETER.name}`;

  await placesFor().write({ type: 'parameter', name }, 'by its ARN');

  const { Parameter } = await aws
    .ssm()
    .send(new GetParameterCommand({ Name: PARAMETER.name, WithDecryption: true }));
  expect(Parameter?.Value).toBe('by its ARN');
});

it('makes what it writes current in a secret', async () => {
  await placesFor().write(SECRET, '{"key":"other"}');

  const { SecretString } = await aws
    .secretsManager()
    .send(new GetSecretValueCommand({ SecretId: SECRET.name }));
  expect(SecretString).toBe('{"key":"other"}');
});

it.each<[Place, string]>([
  [{ type: 'parameter', name: '/none' }, 'parameter /none does not exist'],
  [{ type: 'secret', name: 'none' }, 'secret none does not exist'],
  [{ type: 'environment', name: 'NONE' }, 'environment NONE is not set'],
  [
    { type: 'secret', name: `arn:aws:secretsmanager:us-east-1:${ACCOUNT_ID}:secret:x-AbCdEf` },
    `is in us-east-1, and the deployment in ${REGION}: give its value another way`,
  ],
])('says why %j is of no use', async (place, message) => {
  const failure = await failureOf(async () => placesFor().text(place));

  expect(failure).toMatchObject({ exitCode: 1, code: 'unusable_source' });
  expect(failure.message).toContain(message);
});

it('reads each place once', async () => {
  const places = placesFor();
  const first = await places.value({ place: SECRET, field: 'key' });
  await placesFor().write(SECRET, '{"key":"other"}');

  expect([first, await places.value({ place: SECRET, field: 'key' })]).toEqual([CANARY, CANARY]);
  expect(await places.textNow(SECRET)).toBe('{"key":"other"}');
});

it.each([
  [{ place: SECRET, field: 'none' }, 'secret app/client has no field none'],
  [{ place: PARAMETER, field: 'key' }, 'parameter /app/client is no JSON object'],
  [{ place: { type: 'environment' as const, name: 'E' }, field: 'n' }, 'has no text in its field n'],
])('finds no value in %j', async (source, message) => {
  const failure = await failureOf(async () => placesFor(undefined, { E: '{"n":3}' }).value(source));

  expect(failure.message).toContain(message);
  expect(failure.message).not.toContain(CANARY);
});

describe('the text with other values', () => {
  const wanted = (value: string) => ({ value, isSame: (text: string) => text.trim() === value });

  it('changes the fields only, and not the form of the others', () => {
    const text = '{\n\t"id": "a",\n\t"n":   1.0\n}\n';

    expect(withValues(SECRET, text, new Map([['id', wanted('b')]]))).toBe(
      '{\n\t"id": "b",\n\t"n":   1.0\n}\n',
    );
    expect(withValues(SECRET, text, new Map([['id', wanted('a')]]))).toBe(text);
  });

  it('keeps the last line end of a plain text', () => {
    expect(withValues(PARAMETER, 'a\n', new Map([[undefined, wanted('b')]]))).toBe('b\n');
    expect(withValues(PARAMETER, ' b\n', new Map([[undefined, wanted('b')]]))).toBe(' b\n');
  });

  it('does not guess where there is no object', () => {
    expect(() => withValues(SECRET, CANARY, new Map([['id', wanted('b')]]))).toThrow('is no JSON object');
  });
});
