import { tenantKeyOf } from '../choose-tenant';
import { CommandError, errorDocument } from '../command-error';
import { EXIT, type ExitCode } from '../exit-codes';
import { type ChosenTenant } from '../system';
import { table } from '../table';
import { type Style } from '../terminal';
import { placeText } from './places';
import { type CredentialSource, type Place } from './source-map';

/** What an import, or the way back, does with one credential, or has done. */
export interface ImportRow {
  readonly chosen: ChosenTenant;
  readonly source: CredentialSource;
  readonly outcome: 'load' | 'rotate' | 'write' | 'none' | 'failed' | 'done' | 'left';
  /** For people: why, or what. */
  readonly note: string;
  readonly error?: CommandError;
}

/** A row with what it needs to run, if there is anything to do. */
export interface PlannedRow extends ImportRow {
  /** Returns what was done, for people. @throws {CommandError} */
  readonly run?: () => Promise<string>;
}

/** The places of a credential, each once. */
export function placesOf({ fields }: CredentialSource): Place[] {
  const places = Object.values(fields).flatMap((field) => ('literal' in field ? [] : [field.place]));
  return places.filter(
    (place, index) => places.findIndex((each) => placeText(each) === placeText(place)) === index,
  );
}

/**
 * A tenant's own secret is adopted where it is, and only a rotation writes it.
 * @throws {CommandError} if one of the places is the secret with this ARN
 */
export function requireOther(source: CredentialSource, own: string): void {
  // The end that AWS adds to a name.
  const withoutEnd = own.replace(/-[A-Za-z0-9]{6}$/, '');
  const names = [own, withoutEnd, withoutEnd.replace(/^arn:.*:secret:/, '')];
  const same = placesOf(source).find(({ type, name }) => type === 'secret' && names.includes(name));
  if (same === undefined) return;
  throw new CommandError(
    EXIT.failed,
    'unusable_source',
    `${placeText(same)} is the one that it would be loaded into`,
    { advice: 'Remove it from the file: Latchkey uses this secret as it is.' },
  );
}

/** For programs. Has no value of a credential. */
export function rowDocument({ chosen, source, outcome, note, error }: ImportRow): object {
  return {
    ...tenantKeyOf(chosen),
    credential: source.kind,
    places: placesOf(source),
    outcome,
    note,
    ...(error !== undefined && { error: errorDocument(error) }),
  };
}

/** For people. */
export function rowLines(rows: readonly ImportRow[], isBack: boolean, style: Style): string[] {
  const head = ['TENANT', 'CREDENTIAL', isBack ? 'TO' : 'FROM', isBack ? 'WRITE' : 'LOAD'];
  const lines = rows.map(({ chosen, source, outcome, note, error }) => [
    chosen.tenant.tenantId,
    source.kind,
    placesOf(source).map(placeText).join(', '),
    { text: error?.message ?? note, paint: paintOf(outcome, style) },
  ]);
  const advice = new Set(rows.flatMap(({ error }) => error?.advice ?? []));
  return [...table([head, ...lines]), ...advice];
}

/** 0 if nothing failed, the exit code of what failed if there is one for all, else 1. */
export function exitCodeOf(rows: readonly ImportRow[]): ExitCode {
  const codes = new Set(rows.flatMap(({ error }) => error?.exitCode ?? []));
  const [first = EXIT.done, ...others] = codes;
  return others.length === 0 ? first : EXIT.failed;
}

function paintOf(outcome: ImportRow['outcome'], style: Style): (text: string) => string {
  if (outcome === 'failed') return style.bad;
  if (outcome === 'left') return style.warning;
  return outcome === 'done' ? style.good : outcome === 'none' ? style.dim : (text) => text;
}
