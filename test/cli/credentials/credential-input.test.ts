import {
  ADMIN_SESSION_FIELDS,
  API_KEY_FIELDS,
  CLIENT_CREDENTIALS_FIELDS,
  readFields,
  utcTime,
} from '../../../cli/credentials/credential-input';
import { FakeTerminal } from '../support/fake-terminal';

const SECRET = 'Zq7canarySecret9';

async function refusalOf(input: string, fields: Parameters<typeof readFields>[1]): Promise<Error> {
  return readFields(new FakeTerminal({ input }), fields).then(
    () => new Error('it was read'),
    (error: Error) => error,
  );
}

describe('credentials on standard input', () => {
  test('are read from a JSON document', async () => {
    const terminal = new FakeTerminal({ input: '\uFEFF{"clientId":"app","clientSecret":"s"}\n' });

    const read = await readFields(terminal, CLIENT_CREDENTIALS_FIELDS);

    expect(read).toEqual({ clientId: 'app', clientSecret: 's' });
    expect(terminal.said).toEqual([]);
  });

  test('lose surrounding whitespace, with a message that does not quote them', async () => {
    const terminal = new FakeTerminal({ input: `{"clientId":"app","clientSecret":" ${SECRET}\\n"}` });

    const read = await readFields(terminal, CLIENT_CREDENTIALS_FIELDS);

    expect(read.clientSecret).toBe(SECRET);
    expect(terminal.said).toEqual(['clientSecret: removed the surrounding whitespace']);
  });

  test.each([
    ['', 'standard input: found nothing; allowed: {"clientId":"…","clientSecret":"…"}'],
    [SECRET, 'standard input: found something else'],
    [`["${SECRET}"]`, 'standard input: found something else'],
    ['null', 'standard input: found something else'],
    [`{"clientId":"a","clientSecret":"${SECRET}"`, 'standard input: found something else'],
    [`{"clientId":"a"}`, 'clientSecret: found nothing; allowed: a non-empty text'],
    [`{"clientId":"a","clientSecret":7}`, 'clientSecret: found no text; allowed: a non-empty text'],
    [`{"clientId":"a","clientSecret":null}`, 'clientSecret: found no text'],
    [`{"clientId":"a","clientSecret":"  "}`, 'clientSecret: found nothing; allowed: a non-empty text'],
    [`{"clientId":"","clientSecret":"${SECRET}"}`, 'clientId: found nothing'],
    [
      `{"clientId":"a","clientSecret":"${SECRET}","scope":"x"}`,
      'found the field scope; allowed: only the fields',
    ],
    [`{"clientId":"a","${SECRET}":"b"}`, 'found an unknown field'],
    [`{"clientId":"a","clientSecret":"b","__proto__":{}}`, 'found the field __proto__'],
    [
      `{"clientId":"a","clientSecret":"${SECRET}\\r\\nX: y"}`,
      'clientSecret: found something else; allowed: a single line',
    ],
    [
      `{"clientId":"a","clientSecret":"${SECRET}\\u0000z"}`,
      'clientSecret: found something else; allowed: a single line',
    ],
    [
      `{"clientId":"a\\u0085z","clientSecret":"${SECRET}"}`,
      'clientId: found something else; allowed: a single line',
    ],
  ])('are refused if the input is %j', async (input, message) => {
    const error = await refusalOf(input, CLIENT_CREDENTIALS_FIELDS);

    expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining(message) as string });
    expect(error.message).not.toContain(SECRET.slice(0, 8));
  });

  test('are refused above 64 KiB', async () => {
    const error = await refusalOf(`{"clientId":"${'a'.repeat(65_536)}"}`, CLIENT_CREDENTIALS_FIELDS);

    expect(error).toMatchObject({ exitCode: 2 });
  });
});

test.each(['tomorrow', '2027', '1e9', '2027-13-01T00:00:00Z', `2027-01-01T00:00:00 ${SECRET}`])(
  'an API key valid until %j is refused',
  async (validUntil) => {
    const error = await refusalOf(JSON.stringify({ apiKey: SECRET, validUntil }), API_KEY_FIELDS);

    expect(error.message).toBe(
      'validUntil: found something else; allowed: a time such as 2027-03-31T00:00:00Z',
    );
  },
);

test.each([
  ['2027-03-31T00:00:00Z', '2027-03-31T00:00:00.000Z'],
  ['2027-03-31T02:00:00+02:00', '2027-03-31T00:00:00.000Z'],
  ['2027-03-31T02:00:00.123456+0200', '2027-03-31T00:00:00.123Z'],
  // Without an offset, in any time zone.
  ['2027-03-31T00:00:00', '2027-03-31T00:00:00.000Z'],
  ['2027-03-31', '2027-03-31T00:00:00.000Z'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
])('the time %s is stored as %s', (given, kept) => {
  expect(utcTime(given)).toBe(kept);
});

test.each([
  [SECRET, 'c-1', 'authorization'],
  [`bearer ${SECRET}`, 'c-1', 'authorization'],
  [`Bearer ${SECRET} ${SECRET}`, 'c-1', 'authorization'],
  [`Bearer ${SECRET}`, 'c 1', 'correlationId'],
  [`Bearer ${SECRET}`, SECRET, 'correlationId'],
  [`Bearer ${SECRET}`, '6c6b5ee59e8d4ae49d1c21b1c3b1a111', 'correlationId'],
  [`Bearer ${SECRET}`, 'ü', 'correlationId'],
])(
  'an administrator session of %j and %j is refused for its %s',
  async (authorization, correlationId, field) => {
    const error = await refusalOf(JSON.stringify({ authorization, correlationId }), ADMIN_SESSION_FIELDS);

    expect(error).toMatchObject({ exitCode: 2, message: expect.stringMatching(`^${field}: `) as string });
    expect(error.message).not.toContain(SECRET.slice(0, 8));
  },
);

test('a person is asked for secrets without echo', async () => {
  const terminal = new FakeTerminal({ isInteractive: true, answers: ['app', `${SECRET}\n`] });

  const read = await readFields(terminal, CLIENT_CREDENTIALS_FIELDS);

  expect(read).toEqual({ clientId: 'app', clientSecret: SECRET });
  expect(terminal.questions.map(({ isHidden }) => isHidden)).toEqual([true, true]);
});
