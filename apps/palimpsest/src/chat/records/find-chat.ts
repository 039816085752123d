import { UsageError } from '../../usage-error.ts'
import { listChats } from './list-chats.ts'

/**
 * The id that `resume` means: `latest` is the last chat that began in the workspace.
 *
 * @param workspace its real path.
 * @throws UsageError when there is none.
 */
export async function findChat(home: string, resume: string, workspace: string): Promise<string> {
  if (resume !== 'latest') return resume
  const chats = await listChats(home)
  const latest = chats.find((chat) => chat.workspace === workspace)
  if (latest !== undefined) return latest.id
  throw new UsageError(
    `there is no session to resume that began in ${workspace}; palimpsest chat --list shows those of other folders`,
  )
}
