import { basename } from 'node:path'
import type { ExtensionContext, SessionEntry } from '@earendil-works/pi-coding-agent'

/** The way through pi's tree of entries that the conversation takes now. */
export interface Branch {
  /** Names the way: the session, and where it left the oldest one. The same after a restart. */
  readonly key: string
  /** Ways that it shares its beginning with, the closest first. */
  readonly relatives: readonly string[]
  /** From the root to the leaf, without what pi sends to no model. */
  readonly entries: readonly SessionEntry[]
}

/** Reads the branch that ends in the current leaf. Linear in the entries of the session. */
export function readBranch({ sessionManager }: Pick<ExtensionContext, 'sessionManager'>): Branch {
  const id = sessionManager.getSessionId()
  const path = sessionManager.getBranch()
  const oldest = new Map<string | null, string>()
  for (const entry of sessionManager.getEntries())
    if (!oldest.has(entry.parentId)) oldest.set(entry.parentId, entry.id)
  const turns = path.filter((entry) => oldest.get(entry.parentId) !== entry.id)
  const leaf = path.at(-1)
  // A leaf that others go on from will be left by what comes next.
  if (leaf !== undefined && oldest.has(leaf.id) && turns.at(-1) !== leaf) turns.push(leaf)
  const keys = [id, ...turns.map((entry) => `${id}#${entry.id}`)].reverse()
  const [key = id, ...relatives] = keys
  const forked = sessionManager.getHeader()?.parentSession
  if (forked !== undefined) relatives.push(basename(forked, '.jsonl').replace(/^.*_/, ''))
  return { key, relatives, entries: path.filter(isSent) }
}

/** Pi leaves failed and aborted answers out of requests; the system prompt goes another way. */
function isSent(entry: SessionEntry): boolean {
  if (entry.type !== 'message') return true
  const { message } = entry
  if (message.role === 'system') return false
  return message.role !== 'assistant' || (message.stopReason !== 'error' && message.stopReason !== 'aborted')
}
