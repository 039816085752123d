import { columns } from '../../engines/engine-lines.ts'
import type { ChatListing } from '../records/list-chats.ts'
import { safeLine } from './safe-text.ts'

/** Characters of how a conversation began. */
const FIRST_WORDS = 60

/** The sessions that can be resumed, as a table or as JSON. */
export function listSessions(chats: readonly ChatListing[], { json }: { readonly json: boolean }): string {
  if (json) return `${JSON.stringify({ sessions: chats }, undefined, 2)}\n`
  if (chats.length === 0) return 'There is no session yet: palimpsest chat begins one.\n'
  const lines = chats.map(({ id, at, messages, firstWords, workspace }) => [
    id,
    new Date(at).toISOString().slice(0, 16).replace('T', ' '),
    messages.toLocaleString('en-US'),
    safeLine(workspace),
    safeLine(firstWords.slice(0, FIRST_WORDS)),
  ])
  return columns([['SESSION', 'LAST CHANGE', 'MESSAGES', 'WORKSPACE', 'BEGAN WITH'], ...lines])
}
