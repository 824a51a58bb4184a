/**
 * The record of the versions of an API key that the platform accepted. rotate-credentials alone writes it, as tags of the
 * secret: operators may set any staging label, but no tag. Without these tags the record is empty, and a key opens nothing until
 * it is proven again. A drift-aware change set keeps tags that the template lacks.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/drift-aware-change-sets.html (External tag keys)
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_TagResource.html (values: 255 characters of
 *   letters, digits, spaces and + - = . _ : / @)
 */

/** Up to three proven versions; the first serves while the current one is not among them. */
export const PROVEN_TAG = 'latchkey:proven';
/** The current version, if the platform refused it. */
export const REFUSED_TAG = 'latchkey:refused';

/** The tags of a record. */
export const RECORD_TAGS = [PROVEN_TAG, REFUSED_TAG] as const;

const MAX_PROVEN = 3;
const MAX_TAG_LENGTH = 255;
const NOTHING = '-';

/** A version that the platform was asked about. */
export interface JudgedVersion {
  id: string;
  /** When it was created, in whole seconds since the epoch: another version may get the id of one that AWS deleted. */
  createdSec: number;
}

export interface ProofRecord {
  proven: readonly JudgedVersion[];
  refused: JudgedVersion | undefined;
}

export function judgedVersion(versionId: string, createdAtMs: number): JudgedVersion {
  return { id: versionId, createdSec: Math.floor(createdAtMs / 1000) };
}

export function isSameVersion(one: JudgedVersion | undefined, other: JudgedVersion | undefined): boolean {
  return one !== undefined && one.id === other?.id && one.createdSec === other.createdSec;
}

/** Reads the record from a secret's tags. Ignores what is not an entry. */
export function parseProofRecord(tags: Readonly<Record<string, string>>): ProofRecord {
  return {
    proven: parseEntries(tags[PROVEN_TAG] ?? NOTHING),
    refused: parseEntries(tags[REFUSED_TAG] ?? NOTHING)[0],
  };
}

/** The tags of a record: always both, so that one call replaces the former record. */
export function proofRecordTags({ proven, refused }: ProofRecord): Record<string, string> {
  return {
    [PROVEN_TAG]: formatEntries(proven.slice(0, MAX_PROVEN)),
    [REFUSED_TAG]: formatEntries(refused === undefined ? [] : [refused]),
  };
}

function parseEntries(text: string): JudgedVersion[] {
  return text.split(' ').flatMap((entry) => {
    const [, written = '', createdSec] = /^([^@]+)@(\d{1,12})$/.exec(entry) ?? [];
    const id = decodeId(written);
    return id === undefined ? [] : [{ id, createdSec: Number(createdSec) }];
  });
}

/**
 * Leaves out an entry that does not fit, as if the version had not been tried. A writer may choose an id of 64 unusual characters,
 * which must not keep the other entries from being written.
 */
function formatEntries(entries: readonly JudgedVersion[]): string {
  const fitting = entries.reduce((text, { id, createdSec }) => {
    const longer = `${text} ${encodeId(id)}@${createdSec}`.trimStart();
    return longer.length > MAX_TAG_LENGTH ? text : longer;
  }, '');
  return fitting || NOTHING;
}

/** An id in characters that a tag allows and that do not separate entries. Unchanged unless its writer chose an unusual one. */
function encodeId(id: string): string {
  return id.replace(/[^\w.-]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `=${byte.toString(16).padStart(2, '0')}`).join(''),
  );
}

/** Returns undefined for what no version can have as its id. */
function decodeId(written: string): string | undefined {
  try {
    const id = decodeURIComponent(written.replaceAll('=', '%'));
    return id.length >= 32 && id.length <= 64 ? id : undefined;
  } catch {
    return undefined;
  }
}
