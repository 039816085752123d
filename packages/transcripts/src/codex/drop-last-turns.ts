import { messageText } from '@palimpsest/core'
import type { RecordedItem } from '../recorded-item.ts'

/** What Codex itself sends in the user's name: environment, project instructions, notices. */
const injected = /^\s*(<[a-z_]+>|# AGENTS\.md instructions)/

/**
 * Takes the last `count` user turns back, as Codex does when the user rolls a thread back. A turn begins at a
 * message that the user wrote. Returns how many messages were dropped.
 */
export function dropLastTurns(items: RecordedItem[], count: unknown): number {
  const before = items.length
  for (let left = typeof count === 'number' ? count : 0; left >= 1; left--) {
    const start = items.findLastIndex(beginsTurn)
    if (start === -1) break
    items.length = start
  }
  return before - items.length
}

function beginsTurn(item: RecordedItem): boolean {
  if (item.kind !== 'message' || item.message.role !== 'user') return false
  return !injected.test(messageText(item.message))
}
