import { type TenantKey } from '../../contract/token-key';
import { table } from '../table';
import { type Style } from '../terminal';
import { type RestoreItem } from './item';
import { type Tally } from './plan';

const FIRST_SHOWN = 5;

/** What a bulk restore would send. */
export interface BulkPreview {
  readonly tenant: TenantKey;
  /** The contents that would be sent. */
  readonly left: readonly RestoreItem[];
  /** What earlier runs have settled. */
  readonly settled: Tally;
  readonly duplicates: number;
  readonly parallel: number;
  /** Address of the restore API. */
  readonly api: string;
  /** Path of the results, as given. */
  readonly results: string;
  /** The command that sends them. */
  readonly command: string;
}

/** For programs. */
export function previewDocument(preview: BulkPreview): object {
  const { tenant, left, settled, duplicates, parallel, api, results, command } = preview;
  const { restored, failed, unknown } = settled;
  return {
    ...tenant,
    dryRun: true,
    toSend: left.length,
    first: firstIds(left),
    parallel,
    ...{ restored, failed, unknown, duplicates },
    api,
    results,
    next: left.length > 0 ? [command] : [],
  };
}

/** For people. */
export function previewText(preview: BulkPreview, style: Style): string {
  const { tenant, left, settled, duplicates, parallel, api, command } = preview;
  const { restored, failed, unknown } = settled;
  const total = restored + failed + unknown + settled.left;
  const isAny = left.length > 0;
  const more = left.length - FIRST_SHOWN;
  const rows = [
    ...(isAny ? [['first', `${firstIds(left).join(', ')}${more > 0 ? ` and ${more} more` : ''}`]] : []),
    ...(isAny ? [['pace', `at most ${parallel} requests at a time; a 429 pauses all of them`]] : []),
    ['to', api],
    ...(restored + failed + unknown > 0
      ? [['settled', `${restored} restored, ${failed} failed, ${unknown} unknown`]]
      : []),
    ...(duplicates > 0
      ? [['skipping', `${duplicates} duplicate ${duplicates === 1 ? 'line' : 'lines'}`]]
      : []),
  ];
  return [
    `${style.bold('Would send')} ${left.length} of ${total} contents, ${ownerText(tenant)}`,
    ...table(rows, '  '),
    ...(isAny ? ['Nothing was sent. To restore them:', `  ${command}`] : ['Nothing was sent']),
  ].join('\n');
}

/** The question before a bulk restore. */
export function bulkQuestion({ tenant, left }: Pick<BulkPreview, 'tenant' | 'left'>): string {
  return `Restore ${left.length} ${left.length === 1 ? 'content' : 'contents'} of ${ownerText(tenant)}?`;
}

function ownerText({ tenantId, environment, platformRegion }: TenantKey): string {
  return `tenant ${tenantId}, ${environment} ${platformRegion}`;
}

function firstIds(items: readonly RestoreItem[]): string[] {
  return items.slice(0, FIRST_SHOWN).map(({ contentId }) => contentId);
}
