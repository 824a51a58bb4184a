import { type KeyProof } from '../deployment/deployment-snapshot';
import { holderOf, isFormerUnrevoked, type Labels } from '../secrets/former-version';
import { isSameVersion, type JudgedVersion, judgedVersion, type ProofRecord } from './proof-record';
import { type CallerVersion } from '../restore/restore-audit';

/** A version of an API key that opens the restore API. */
export interface OpeningVersion {
  versionId: string;
  label: CallerVersion;
  /** Whether it opens only for the grace period after the current version became current. */
  isInGrace: boolean;
  /** What the record says about it. */
  judged: JudgedVersion;
}

/** The entry of a version in the record; undefined if it is not proven. */
export function provenEntry(
  { proven }: ProofRecord,
  versionId: string | undefined,
): JudgedVersion | undefined {
  return versionId === undefined ? undefined : proven.find(({ id }) => id === versionId);
}

/**
 * The proven version that serves without a time limit: the current one, otherwise the one that an unproven version replaced. That
 * one holds AWSPREVIOUS until a second unproven version is stored; from then on, it is the first of the record.
 */
export function servingEntry(record: ProofRecord, labels: Labels): JudgedVersion | undefined {
  const [current, previous] = ['AWSCURRENT', 'AWSPREVIOUS'].map((label) =>
    provenEntry(record, holderOf(labels, label)),
  );
  const [first] = record.proven;
  return current ?? previous ?? (first && isFormerUnrevoked(first.id, labels) ? first : undefined);
}

/** The versions that open the restore API. */
export function openingVersions(record: ProofRecord, labels: Labels): OpeningVersion[] {
  const currentId = holderOf(labels, 'AWSCURRENT');
  if (currentId === undefined) return [];
  const opening = (judged: JudgedVersion, isInGrace: boolean): OpeningVersion => ({
    versionId: judged.id,
    label: judged.id === currentId ? 'current' : 'previous',
    isInGrace,
    judged,
  });
  const current = provenEntry(record, currentId);
  const previous = provenEntry(record, holderOf(labels, 'AWSPREVIOUS'));
  const serving = servingEntry(record, labels);
  const opens = (entry: JudgedVersion | undefined): entry is JudgedVersion =>
    entry !== undefined && !isSameVersion(entry, record.refused);
  return [
    ...(opens(serving) ? [opening(serving, false)] : []),
    ...(current !== undefined && opens(previous) ? [opening(previous, true)] : []),
  ];
}

/** The state of the current version, for reports. */
export function keyProofOf(
  record: ProofRecord,
  labels: Labels,
  currentCreatedMs: number | undefined,
): KeyProof | undefined {
  const currentId = holderOf(labels, 'AWSCURRENT');
  if (currentId === undefined) return undefined;
  const isServed = openingVersions(record, labels).some(({ isInGrace }) => !isInGrace);
  const version = judgedVersion(currentId, currentCreatedMs ?? 0);
  if (isSameVersion(record.refused, version)) return { current: 'refused', isServed };
  const isProven = isSameVersion(provenEntry(record, currentId), version);
  return { current: isProven ? 'proven' : 'unproven', isServed };
}

/**
 * The record without what opens nothing any more: versions that were revoked, replaced, or refused before they were
 * replaced. Keeps a version in rotation, which becomes current next.
 */
export function settledRecord({ proven, refused }: ProofRecord, labels: Labels): ProofRecord {
  const currentId = holderOf(labels, 'AWSCURRENT');
  if (refused !== undefined && refused.id !== currentId) {
    const others = proven.filter((entry) => !isSameVersion(entry, refused));
    return settledRecord({ proven: others, refused: undefined }, labels);
  }
  const record = { proven, refused };
  const current = provenEntry(record, currentId);
  const kept = [
    servingEntry(record, labels),
    current === undefined ? undefined : provenEntry(record, holderOf(labels, 'AWSPREVIOUS')),
    provenEntry(record, holderOf(labels, 'AWSPENDING')),
  ].filter((entry) => entry !== undefined);
  return { proven: [...new Set(kept)], refused };
}

/** The record after the platform accepted a version: the current one, or one that may become current. */
export function withProven(record: ProofRecord, version: JudgedVersion, labels: Labels): ProofRecord {
  const others = record.proven.filter(({ id }) => id !== version.id);
  const refused = isSameVersion(record.refused, version) ? undefined : record.refused;
  return settledRecord({ proven: [...others, version], refused }, labels);
}

/**
 * The record after the platform refused a version. One that was current and proven stays in it, so that the previous version
 * does not serve in its place for longer than its grace period.
 */
export function withRefused(record: ProofRecord, version: JudgedVersion, labels: Labels): ProofRecord {
  const isCurrent = version.id === holderOf(labels, 'AWSCURRENT');
  if (isCurrent) return settledRecord({ ...record, refused: version }, labels);
  const proven = record.proven.filter(({ id }) => id !== version.id);
  return settledRecord({ ...record, proven }, labels);
}
