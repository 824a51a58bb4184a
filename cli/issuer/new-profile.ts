import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { shellWord } from '../../core/commands/shell-word';
import { type IssuerParameter, type IssuerProfile } from '../../core/issuers/issuer-profile';
import { NAME, NAME_RULE } from '../../core/tokens/key-check';
import { checkShape } from '../../lib/options/check-shape';
import { issueLine } from '../../lib/options/configuration-issue';
import {
  issuerProfile,
  issuerProfileJsonSchema,
  lifetimeSec,
} from '../../lib/options/issuer-profile-settings';
import { type CommandContext } from '../command';
import { CommandError, usageError } from '../command-error';
import { EXIT, type ExitCode } from '../exit-codes';
import { writeAtomically } from '../init/write-atomically';
import { type Terminal } from '../terminal';
import { profileNames } from '../../lib/options/issuers';

/** The schema for editors, beside the profile. */
const SCHEMA_FILE = 'issuer.schema.json';
const DEFAULT_LIFETIME = '3600';
/** An address, perhaps with placeholders: base and path. */
const ADDRESS = /^(https:\/\/[\w.{}-]+)((?:\/[\w.~{}-]+)+)$/;
const ADDRESS_RULE =
  'an https URL with a path, with what differs between tenants in braces, such as https://{host}/oauth/token';
const PAIR = /^([\w.-]+)=(.+)$/;

/**
 * `latchkey issuer new`: asks for what an issuer's documents say, and writes a profile. Replaces no profile.
 * @throws {CommandError} usage, if nobody can be asked; `not_written`, if the file exists
 */
export async function newProfile({ terminal }: CommandContext): Promise<ExitCode> {
  if (!terminal.isInteractive) {
    throw usageError(
      'issuer new',
      'nobody to ask',
      'a terminal; or write the file, as docs/issuers.md shows',
    );
  }
  const profile = await askProfile(terminal);
  const { issues } = checkShape(issuerProfile, profile);
  if (issues.length > 0) {
    const lines = issues.map(issueLine).join('\n');
    throw new CommandError(EXIT.usage, 'usage', `${lines}\nnothing was written`);
  }
  const file = await terminal.ask('File to write', {
    initial: `./${profile.name}.json`,
    check: (path) =>
      path.endsWith('.json') && !existsSync(path) ? undefined : 'the path of a new file that ends with .json',
  });
  write(file, profile);
  const next = `latchkey issuer test ${shellWord(file)}`;
  terminal.result({ file: resolve(file), profile, next }, (style) =>
    [
      `${style.good('✓')} Wrote ${file}`,
      'It can say more, such as environments, regions and codes of errors: docs/issuers.md has every field',
      `Next: ${next}`,
    ].join('\n'),
  );
  return EXIT.done;
}

function write(file: string, profile: IssuerProfile): void {
  const schema = join(dirname(file), SCHEMA_FILE);
  try {
    const text = JSON.stringify({ $schema: `./${SCHEMA_FILE}`, ...profile }, null, 2);
    writeFileSync(file, `${text}\n`, { flag: 'wx' });
    writeAtomically(schema, issuerProfileJsonSchema());
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new CommandError(EXIT.failed, 'not_written', `${file} cannot be written (${code})`, {
      cause: error,
    });
  }
}

/** Asks in the order in which documents say it: where, how, scopes, the answer. */
async function askProfile(terminal: Terminal): Promise<IssuerProfile> {
  const taken = profileNames();
  const name = await terminal.ask('Name of the profile, for the names of secrets and stacks', {
    check: (text) =>
      !NAME.test(text) ? NAME_RULE : taken.includes(text) ? `another name than ${text}` : undefined,
  });
  const title = await terminal.ask('Title of the issuer, for texts', { initial: name });
  const address = await terminal.ask(
    'Address of the token endpoint, with what differs between tenants in braces, such as https://{host}/oauth/token',
    { check: (text) => (ADDRESS.test(text) ? undefined : ADDRESS_RULE) },
  );
  const [, base = '', path = ''] = ADDRESS.exec(address)!;
  const body = await choose(terminal, 'What is sent', [
    ['form', 'A form (application/x-www-form-urlencoded), as in RFC 6749'],
    ['json', 'JSON'],
  ]);
  const isBasic =
    (await choose(terminal, 'Where client id and secret are sent', [
      ['body', 'In the body (client_secret_post)'],
      ['header', 'In an Authorization header (client_secret_basic)'],
    ])) === 'header';
  const defaultNames = ['client_id', 'client_secret'];
  const [idName, secretName] = isBasic
    ? defaultNames
    : [
        await terminal.ask('Name of the field with the client id', { initial: defaultNames[0]! }),
        await terminal.ask('Name of the field with the client secret', { initial: defaultNames[1]! }),
      ];
  const grant = await terminal.ask('Value of grant_type', { initial: 'client_credentials' });
  const hasScopes = await terminal.confirm('Does the request name scopes?');
  const scopeName = hasScopes ? await terminal.ask('Name of the field with them', { initial: 'scope' }) : '';
  const separator = hasScopes
    ? await choose(terminal, 'What stands between scopes', [
        ['space', 'A space'],
        ['comma', 'A comma'],
        ['one', 'Nothing: a token has one scope'],
      ])
    : 'space';
  const more = await askPairs(terminal);
  const fields = {
    grant_type: grant,
    ...(hasScopes && { [scopeName]: '{scope}' }),
    ...(!isBasic && { [idName!]: '{clientId}', [secretName!]: '{clientSecret}' }),
    ...more,
  };
  const parameters = await askParameters(terminal, [base, path, ...Object.values(more)]);
  const answer = await askAnswer(terminal);
  return {
    name,
    title,
    ...(Object.keys(parameters).length > 0 && { parameters }),
    tokenEndpoint: { bases: [{ url: base }], path },
    request: {
      ...(body === 'json' && { body: 'json' as const }),
      ...(isBasic && { clientAuthentication: 'client_secret_basic' as const }),
      fields,
      ...(separator === 'comma' && { scopeSeparator: ',' }),
      ...(separator === 'one' && { oneScope: true }),
    },
    answer,
  };
}

/** Further fields of the body. */
async function askPairs(terminal: Terminal): Promise<Record<string, string>> {
  const pairs: Record<string, string> = {};
  for (;;) {
    const pair = await terminal.ask(
      'Another field of the body, such as audience={audience} (leave empty to go on)',
      { initial: '', check: (text) => (text === '' || PAIR.test(text) ? undefined : 'name=value') },
    );
    const [, name, value] = PAIR.exec(pair) ?? [];
    if (name === undefined) return pairs;
    pairs[name] = value!;
  }
}

/** Asks for the meaning of each placeholder whose value the configuration has to give. */
async function askParameters(
  terminal: Terminal,
  texts: readonly string[],
): Promise<Record<string, IssuerParameter>> {
  const builtIn = ['tenantId', 'scope', 'clientId', 'clientSecret'];
  const names = new Set(texts.flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)));
  const parameters: Record<string, IssuerParameter> = {};
  for (const name of [...names].filter((each) => !builtIn.includes(each)))
    parameters[name] = { description: await terminal.ask(`What is {${name}}?`, { initial: name }) };
  return parameters;
}

async function askAnswer(terminal: Terminal): Promise<NonNullable<IssuerProfile['answer']>> {
  const ask = (what: string, initial: string) =>
    terminal.ask(`Field of the answer with ${what}`, { initial });
  const [accessToken, tokenType, expiresIn] = [
    await ask('the token; dots lead into objects', 'access_token'),
    await ask('its type (- if there is none)', 'token_type'),
    await ask('its lifetime in seconds (- if there is none)', 'expires_in'),
  ];
  const lifetime = await terminal.ask('How many seconds a token is valid, by the documents', {
    initial: DEFAULT_LIFETIME,
    check: (text) => lifetimeSec.safeParse(Number(text)).error?.issues[0]?.message,
  });
  const isSame = await terminal.confirm('Does a second request get the same token, until it has expired?');
  return {
    ...(accessToken !== 'access_token' && { accessToken }),
    ...(tokenType !== 'token_type' && { tokenType: tokenType === '-' ? (false as const) : tokenType }),
    ...(expiresIn !== 'expires_in' && { expiresIn: expiresIn === '-' ? (false as const) : expiresIn }),
    lifetimeSec: Number(lifetime),
    ...(isSame && { sameTokenUntilSec: 0 }),
  };
}

function choose<T extends string>(
  terminal: Terminal,
  question: string,
  choices: readonly (readonly [T, string])[],
): Promise<T> {
  return terminal.choose(
    question,
    choices.map(([value, label]) => ({ value, label })),
  );
}
