import { randomUUID } from 'node:crypto';
import { LocalAws } from '../../../src/testing/local-aws';
import { signedFetch } from '../../../src/testing/signed-fetch';
import { SEQUENCES, type Step } from './cases/recorded';

const WITH_TOKEN = ['CreateSecret', 'UpdateSecret', 'PutSecretValue', 'RotateSecret'];
const DAY_SEC = 24 * 60 * 60;

type Values = Map<string, unknown>;

/** Puts the values known so far into a text, a list or an object. */
function filled(part: unknown, values: Values): unknown {
  if (typeof part === 'string')
    return part.replace(/\$\w+/g, (name) => (values.has(name) ? String(values.get(name)) : name));
  if (Array.isArray(part)) return part.map((item) => filled(item, values));
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [filled(key, values), filled(value, values)]),
  );
}

/** Sets the values that an answer gives for the first time, and replaces the dates that are as expected. */
function seen(actual: unknown, expected: unknown, values: Values): unknown {
  if (typeof expected === 'string' && /^\$\w+$/.test(expected) && typeof actual === 'string') {
    if (!values.has(expected)) values.set(expected, actual);
    return values.get(expected) === actual ? expected : actual;
  }
  if (expected === '<date>') return typeof actual === 'number' ? expected : actual;
  if (expected === '<day>') return typeof actual === 'number' && actual % DAY_SEC === 0 ? expected : actual;
  if (Array.isArray(actual) && Array.isArray(expected))
    return actual.map((item, n) => seen(item, expected[n], values));
  if (typeof actual !== 'object' || typeof expected !== 'object' || !actual || !expected) return actual;
  const members = new Map(Object.entries(expected));
  return Object.fromEntries(
    Object.entries(actual).map(([key, value]) => {
      const name = [...members.keys()].find((member) => filled(member, values) === key) ?? key;
      return [name, seen(value, members.get(name), values)];
    }),
  );
}

// Each step is one request to one endpoint, without a client, so that the answers are those on the wire.
const aws = new LocalAws();

beforeAll(() => aws.start());
afterAll(() => aws.stop());
beforeEach(() => aws.account.secrets.clear());

async function answerTo({ call, input, raw }: Step, values: Values): Promise<Record<string, unknown>> {
  const token = !raw && WITH_TOKEN.includes(call) ? { ClientRequestToken: randomUUID() } : {};
  const answer = await signedFetch(aws.url, aws.administrator, 'secretsmanager', {
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `secretsmanager.${call}` },
    body: JSON.stringify({ ...token, ...(filled(input ?? {}, values) as object) }),
  });
  return (await answer.json()) as Record<string, unknown>;
}

it.each(SEQUENCES)('$title ($source)', async ({ steps }) => {
  const values: Values = new Map();
  for (const step of steps) {
    const answer = await answerTo(step, values);

    if (step.error === undefined) expect(answer).not.toHaveProperty('__type');
    else {
      const [code, message = answer.message] = [step.error].flat();
      expect([answer.__type, answer.message]).toEqual([code, filled(message, values)]);
    }
    const { names } = (step.answer ?? {}) as { names?: string[] };
    if (names) expect((answer.SecretList as { Name: string }[]).map(({ Name }) => Name)).toEqual(names);
    else if (step.answer) expect(seen(answer, step.answer, values)).toEqual(step.answer);
  }
});
