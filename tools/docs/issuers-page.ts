import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

import { basisOf, lifetimeText, PROFILE_PARTS, shapeOf } from '../../core/issuers/describe-profile';
import { type IssuerProfile } from '../../core/issuers/issuer-profile';
import { readShelfProfile, shelfNames } from '../../lib/options/issuer-shelf';
import { tableLines, withLines } from './markdown-table';

const FORM = join(__dirname, '../../core/issuers/issuer-profile.ts');

/** `docs/issuers.md`: its tables are those of the shipped profiles and of the form of a profile, and the rest is kept. */
export function issuersPage(current: string): string {
  return withLines(
    withLines(current, '## Shipped profiles', issuersTable()),
    '## Every field',
    fieldsTable(),
  );
}

function issuersTable(): string[] {
  return tableLines(
    ['Issuer', 'Shape', 'A tenant or token says', 'Lifetime', 'Endpoint', 'Request', 'Answer', 'Errors'],
    shelfNames().map((name) => cellsOf(readShelfProfile(name)!)),
  );
}

function cellsOf(profile: IssuerProfile): string[] {
  const { name, title, answer = {}, parameters = {}, regions, environments } = profile;
  const configured = [
    ...(environments === undefined ? [] : [`environment: ${environments.join(', ')}`]),
    ...(regions === undefined ? [] : [`region: ${regions.join(', ')}`]),
    ...Object.keys(parameters).map((parameter) => `\`${parameter}\``),
  ];
  return [
    `[\`${name}\`](../core/issuers/shelf/${name}.json): ${title}`,
    shapeOf(profile),
    configured.length === 0 ? '–' : configured.join('; '),
    answer.lifetimeSec === undefined ? '–' : lifetimeText(answer.lifetimeSec),
    ...PROFILE_PARTS.map((part) => basisOf(profile, part)),
  ];
}

/** The fields of a profile, from the docstrings of its form. */
function fieldsTable(): string[] {
  const form = ts.createSourceFile(FORM, readFileSync(FORM, 'utf8'), ts.ScriptTarget.Latest, true);
  const interfaces = new Map(
    form.statements.filter(ts.isInterfaceDeclaration).map((each) => [each.name.text, each]),
  );
  const aliases = new Map(
    form.statements.filter(ts.isTypeAliasDeclaration).map(({ name, type }) => [name.text, textOf(type)]),
  );
  const rowsOf = (name: string, path: string): string[][] =>
    interfaces
      .get(name)!
      .members.filter(ts.isPropertySignature)
      // Only the learning platform's own profile says what it offers.
      .filter((member) => member.name.getText() !== 'offers')
      .flatMap((member) => {
        const at = `${path}${member.name.getText()}`;
        const { type, prefix, suffix } = containerOf(member.type!.getText().replaceAll('readonly ', ''));
        const isObject = interfaces.has(type);
        const required = member.questionToken === undefined ? ' (required)' : '';
        const row = [
          `\`${at}\`${required}`,
          `${prefix}${isObject ? 'object' : (aliases.get(type) ?? `\`${type}\``)}`,
          meaningOf(member) || meaningOf(interfaces.get(type)),
        ];
        return [
          row.map((cell) => cell.replaceAll('|', '\\|')),
          ...(isObject ? rowsOf(type, `${at}${suffix}.`) : []),
        ];
      });
  return tableLines(['Field', 'Form', 'Meaning'], rowsOf('IssuerProfile', ''));
}

/** The type of the values in a type, the words for what holds them, and the end of their path. */
function containerOf(type: string): { type: string; prefix: string; suffix: string } {
  const [, named] = /^Readonly<Record<string, (.*)>>$/.exec(type) ?? [];
  if (named !== undefined) return { type: named, prefix: 'by name: ', suffix: '.*' };
  const [, listed] = /^(.*)\[\]$/.exec(type) ?? [];
  return listed === undefined
    ? { type, prefix: '', suffix: '' }
    : { type: listed, prefix: 'list of ', suffix: '[]' };
}

/** An alias, where it is short enough for a cell. */
function textOf(type: ts.TypeNode): string {
  return type.getText().includes('{') ? 'text, or object of texts' : `\`${type.getText()}\``;
}

function meaningOf(field: ts.Node | undefined): string {
  if (field === undefined) return '';
  const [text = '', value] = ts
    .getJSDocCommentsAndTags(field)
    .flatMap((comment) =>
      ts.isJSDoc(comment)
        ? [comment, ...(comment.tags ?? [])].map((each) => ts.getTextOfJSDocComment(each.comment) ?? '')
        : [],
    );
  const meaning = value === undefined ? text : `${text} Default: ${value}.`;
  return meaning
    .replace(/\{@link \w+\.(\w+)\}/g, '`$1`')
    .replace(/\s+/g, ' ')
    .trim();
}
