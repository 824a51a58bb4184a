import { type PlatformUnderTest } from '../platform-under-test';
import { type ModelContent } from './model-records';

interface StoredItem {
  readonly id: string;
  readonly type: string;
  readonly rank: number;
  readonly summary: string;
  readonly status: string;
  readonly failureReason?: string;
}
type Stored = Omit<ModelContent, 'items' | 'status'> & { status: string; items: StoredItem[] };

/** The contents of a tenant in staging/mea, as control returns them. */
export async function storedContents(platform: PlatformUnderTest, tenantId: string): Promise<Stored[]> {
  const answer = await platform.control('GET', `contents/staging/mea/${tenantId}`);
  return (answer.body as { contents: Stored[] }).contents;
}

/** A seeded content. The status of its items never changes. */
export function fromSeed({ status, items, ...content }: Stored): ModelContent {
  return {
    ...content,
    status: status === 'ready' ? 'draft' : (status as ModelContent['status']),
    items: items.map(({ status: state, ...item }) => ({
      ...item,
      startsMs: state === 'pending' ? Infinity : 0,
      doneMs: state === 'pending' || state === 'processing' ? Infinity : 0,
    })),
  };
}

/** The ids of the content and its items. */
export function idsOf({ id, items }: ModelContent): string[] {
  return [id, ...items.map((item) => item.id)];
}
