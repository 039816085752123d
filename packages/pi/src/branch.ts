import { basename } from 'node:path'
import type { ExtensionContext, SessionEntry } from '@earendil-works/pi-coding-agent'

export interface Branch {
  /** The session's id, and the entry at which the branch left the oldest one. Stable across restarts. */
  readonly key: string
  readonly relatives: readonly string[]
  readonly entries: readonly SessionEntry[]
}

export function readBranch({ sessionManager }: Pick<ExtensionContext, 'sessionManager'>): Branch {
  const id = sessionManager.getSessionId()
  const path = sessionManager.getBranch()
  const oldest = new Map<string | null, string>()
  for (const entry of sessionManager.getEntries())
    if (!oldest.has(entry.parentId)) oldest.set(entry.parentId, entry.id)
  const turns = path.filter((entry) => oldest.get(entry.parentId) !== entry.id)
  const leaf = path.at(-1)
  if (leaf !== undefined && oldest.has(leaf.id) && turns.at(-1) !== leaf) turns.push(leaf)
  const keys = [id, ...turns.map((entry) => `${id}#${entry.id}`)].reverse()
  const [key = id, ...relatives] = keys
  const forked = sessionManager.getHeader()?.parentSession
  if (forked !== undefined) relatives.push(basename(forked, '.jsonl').replace(/^.*_/, ''))
  return { key, relatives, entries: path.filter(isSent) }
}

/** Pi leaves failed and aborted answers out of requests, and sends the system prompt separately. */
function isSent(entry: SessionEntry): boolean {
  if (entry.type !== 'message') return true
  const { message } = entry
  if (message.role === 'system') return false
  return message.role !== 'assistant' || (message.stopReason !== 'error' && message.stopReason !== 'aborted')
}
