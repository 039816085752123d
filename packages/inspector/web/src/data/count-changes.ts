import type { ViewMessage } from '../../../src/view/session-view.ts'
import type { ContextLine } from './context-change.ts'

interface ChangeCounts {
  readonly kept: number
  readonly added: number
  readonly changed: number
  readonly removed: number
  /** Tokens of what came. */
  readonly addedTokens: number
  /** Tokens of what went. */
  readonly removedTokens: number
}

/** How much of a context is new, gone, another version, or the same. */
export function countChanges(lines: readonly ContextLine[], messages: readonly ViewMessage[]): ChangeCounts {
  const tokens = (index: number) => messages[index]?.tokens ?? 0
  let [kept, added, changed, removed, addedTokens, removedTokens] = [0, 0, 0, 0, 0, 0]
  for (const line of lines) {
    switch (line.type) {
      case 'kept':
        kept += 1
        break
      case 'removed':
        removed += line.indexes.length
        for (const index of line.indexes) removedTokens += tokens(index)
        break
      case 'added':
        added += 1
        addedTokens += tokens(line.index)
        break
      case 'changed':
        changed += 1
        addedTokens += tokens(line.index)
        removedTokens += tokens(line.before)
        break
    }
  }
  return { kept, added, changed, removed, addedTokens, removedTokens }
}
