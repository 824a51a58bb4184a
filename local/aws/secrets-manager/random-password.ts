import { randomInt } from 'node:crypto';
import { AwsError } from '../aws-error';
import { type Input } from '../input';
import { type Operation, requireAllowed } from '../operation';

const LOWERCASE = 'abcdefghijklmnopqrstuvwxyz';

/** The characters of each type, and the switch that leaves it out. */
const TYPES = [
  { characters: LOWERCASE, excludedBy: 'ExcludeLowercase' },
  { characters: LOWERCASE.toUpperCase(), excludedBy: 'ExcludeUppercase' },
  { characters: '0123456789', excludedBy: 'ExcludeNumbers' },
  { characters: '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', excludedBy: 'ExcludePunctuation' },
];

/** @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetRandomPassword.html */
export const getRandomPassword: Operation = {
  parameters: [
    'PasswordLength',
    'ExcludeCharacters',
    'IncludeSpace',
    'RequireEachIncludedType',
    ...TYPES.map(({ excludedBy }) => excludedBy),
  ],
  run(input, call) {
    requireAllowed(call, { action: 'secretsmanager:GetRandomPassword', resource: '*' });
    const length = input.optionalInteger('PasswordLength', { min: 1, max: 4096 }) ?? 32;
    const types = includedTypes(input);
    const all = types.join('') + (input.optionalBoolean('IncludeSpace') ? ' ' : '');
    if (all === '') throw invalid('The password would have no characters: all types are excluded.');
    const required = (input.optionalBoolean('RequireEachIncludedType') ?? true) ? types : [];
    if (length < required.length)
      throw invalid(`The password is too short for one character of each of ${required.length} types.`);
    const rest = Array.from({ length: length - required.length }, () => all);
    return { RandomPassword: shuffled([...required, ...rest].map(pick)).join('') };
  },
};

function includedTypes(input: Input): string[] {
  const excluded = input.optionalText('ExcludeCharacters', { min: 0, max: 4096 }) ?? '';
  return TYPES.filter(({ excludedBy }) => !input.optionalBoolean(excludedBy))
    .map(({ characters }) => [...characters].filter((each) => !excluded.includes(each)).join(''))
    .filter((characters) => characters !== '');
}

function pick(characters: string): string {
  return characters[randomInt(characters.length)]!;
}

function shuffled(characters: string[]): string[] {
  for (let last = characters.length - 1; last > 0; last--) {
    const other = randomInt(last + 1);
    [characters[last], characters[other]] = [characters[other]!, characters[last]!];
  }
  return characters;
}

function invalid(message: string): AwsError {
  return new AwsError('InvalidParameterException', message);
}
