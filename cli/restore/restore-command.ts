import { CONTENT_ID_RULE, isContentId } from '../../core/restore/content-id';
import { type ActingUser } from '../../core/restore/restore-operation';
import { type CommandContext, type TenantFlags } from '../command';
import { usageError } from '../command-error';
import { flagOf } from '../command-text';
import { type ExitCode } from '../exit-codes';
import { showArgument } from '../safe-text';
import { checkedReference } from './item';
import { type ListFlags, restoreMany } from './restore-many';
import { restoreOne } from './restore-one';
import { type FlagsOf } from '../options';

export type RestoreFlags = TenantFlags &
  ListFlags &
  FlagsOf<'contentId' | 'from' | 'authorRef' | 'collaborationId'>;

const LIST_FLAGS = ['results', 'parallel', 'retryUnknown', 'retryFailed', 'dryRun', 'yes'] as const;

/** `latchkey restore`: restores one content, or a list, through the restore API. @throws {CommandError} */
export async function restore(context: CommandContext, flags: RestoreFlags): Promise<ExitCode> {
  const { contentId, from, authorRef, collaborationId } = flags;
  const actingUser: ActingUser = {
    ...(authorRef !== undefined && { authorRef: checkedReference('--author-ref', authorRef) }),
    ...(collaborationId !== undefined && {
      collaborationId: checkedReference('--collaboration-id', collaborationId),
    }),
  };
  if (from !== undefined) {
    if (contentId !== undefined) throw usageError('arguments', 'a content id and --from', 'only one of them');
    return restoreMany(context, { ...flags, from }, actingUser);
  }
  const listFlag = LIST_FLAGS.find((name) => flags[name] !== undefined);
  if (listFlag !== undefined) throw usageError(flagOf(listFlag), 'without --from', 'with it');
  if (contentId === undefined) {
    throw usageError('arguments', 'no content id', 'a content id, or --from with a list');
  }
  if (!isContentId(contentId)) {
    throw usageError('content id', showArgument(contentId), CONTENT_ID_RULE);
  }
  if (Object.keys(actingUser).length === 0) {
    throw usageError('arguments', 'neither --author-ref nor --collaboration-id', 'either or both');
  }
  return restoreOne(context, flags, { contentId, actingUser });
}
