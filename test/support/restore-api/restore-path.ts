import { RESTORE_PATH } from '../../../core/restore/restore-operation';

/** The path of a restore request as a client sends it. Half of a surrogate pair, which no path can hold, becomes U+FFFD. */
export function restorePath(tenantId: string, contentId: string): string {
  const [tenant, content] = [tenantId, contentId].map((id) =>
    encodeURIComponent(id.replace(/\p{Surrogate}/gu, '\ufffd')),
  );
  return RESTORE_PATH.replace('{tenantId}', () => tenant!).replace('{contentId}', () => content!);
}
