import {
  ADMIN_SESSION_FIELDS,
  API_KEY_FIELDS,
  CLIENT_CREDENTIALS_FIELDS,
  readFields,
  utcTime,
} from '../../../cli/credentials/credential-input';
import { FakeTerminal } from '../support/fake-terminal';
import { failureOf } from '../support/operated-system';

const SECRET = 'Zq7canarySecret9';

/** The error for input that must be refused. It quotes no secret. */
async function refusalOf(input: string, fields: Parameters<typeof readFields>[1]): Promise<string> {
  const { exitCode, message } = await failureOf(() => readFields(new FakeTerminal({ input }), fields));
  expect(exitCode).toBe(2);
  expect(message).not.toContain(SECRET.slice(0, 8));
  return message;
}

describe('credentials on standard input', () => {
  test.each([
    ['are read from a JSON document', '\uFEFF{"clientId":"app","clientSecret":"s"}\n', []],
    [
      'lose surrounding whitespace, with a message that does not quote them',
      '{"clientId":"app","clientSecret":" s\\n"}',
      ['clientSecret: removed the surrounding whitespace'],
    ],
  ])('%s', async (_, input, said) => {
    const terminal = new FakeTerminal({ input });

    expect(await readFields(terminal, CLIENT_CREDENTIALS_FIELDS)).toEqual({
      clientId: 'app',
      clientSecret: 's',
    });
    expect(terminal.said).toEqual(said);
  });

  test.each([
    ['', 'standard input: found nothing; allowed: {"clientId":"…","clientSecret":"…"}'],
    [SECRET, 'standard input: found something else'],
    [`{"clientId":"a"}`, 'clientSecret: found nothing; allowed: a non-empty text'],
    [`{"clientId":"a","clientSecret":7}`, 'clientSecret: found no text; allowed: a non-empty text'],
    [`{"clientId":"a","clientSecret":"  "}`, 'clientSecret: found nothing; allowed: a non-empty text'],
    [`{"clientId":"a","clientSecret":"b","scope":"x"}`, 'found the field scope; allowed: only the fields'],
    [`{"clientId":"a","${SECRET}":"b"}`, 'found an unknown field'],
    [
      `{"clientId":"a","clientSecret":"${SECRET}\\r\\nX: y"}`,
      'clientSecret: found something else; allowed: a',
    ],
    [
      `{"clientId":"a\\u0085z","clientSecret":"${SECRET}"}`,
      'clientId: found something else; allowed: a single',
    ],
    [`{"clientId":"${'a'.repeat(65_536)}"}`, 'standard input'],
  ])('are refused if the input is %.80j', async (input, message) => {
    expect(await refusalOf(input, CLIENT_CREDENTIALS_FIELDS)).toContain(message);
  });
});

test.each(['2027', '2027-13-01T00:00:00Z', `2027-01-01T00:00:00 ${SECRET}`])(
  'an API key valid until %j is refused',
  async (validUntil) => {
    expect(await refusalOf(JSON.stringify({ apiKey: SECRET, validUntil }), API_KEY_FIELDS)).toBe(
      'validUntil: found something else; allowed: a time such as 2027-03-31T00:00:00Z',
    );
  },
);

test.each([
  ['2027-03-31T02:00:00+02:00', '2027-03-31T00:00:00.000Z'],
  ['2027-03-31T02:00:00.123456+0200', '2027-03-31T00:00:00.123Z'],
  // Without an offset, in any time zone.
  ['2027-03-31T00:00:00', '2027-03-31T00:00:00.000Z'],
  ['2027-03-31', '2027-03-31T00:00:00.000Z'],
])('the time %s is stored as %s', (given, kept) => {
  expect(utcTime(given)).toBe(kept);
});

test.each([
  ['authorization', `bearer ${SECRET}`, 'c-1'],
  ['authorization', `Bearer ${SECRET} ${SECRET}`, 'c-1'],
  ['correlationId', `Bearer ${SECRET}`, 'c 1'],
  ['correlationId', `Bearer ${SECRET}`, SECRET],
])(
  'an administrator session is refused for its %s: %j and %j',
  async (field, authorization, correlationId) => {
    const message = await refusalOf(JSON.stringify({ authorization, correlationId }), ADMIN_SESSION_FIELDS);

    expect(message).toMatch(new RegExp(`^${field}: `));
  },
);

test('a person is asked for secrets without echo', async () => {
  const terminal = new FakeTerminal({ isInteractive: true, answers: ['app', `${SECRET}\n`] });

  const read = await readFields(terminal, CLIENT_CREDENTIALS_FIELDS);

  expect(read).toEqual({ clientId: 'app', clientSecret: SECRET });
  expect(terminal.questions.map(({ isHidden }) => isHidden)).toEqual([true, true]);
});
