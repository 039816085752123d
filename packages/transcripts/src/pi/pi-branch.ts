import type { Loose } from '@palimpsest/core'
import { assemble } from '../assemble.ts'
import { createReadingLog } from '../reading-log.ts'
import type { RecordedItem } from '../recorded-item.ts'
import type { TranscriptEntry } from '../transcript.ts'
import { createPiReader } from './pi-reader.ts'

/**
 * Reads a branch of a session that pi has open: its entries from the root to a leaf, as pi's session manager returns
 * them. The messages are those of `readTranscript`, and `line` is an entry's place in the list, from 1. What was read
 * before is the same object the next time. Entries are not to be changed, which pi does not do.
 */
export function createPiBranchReader(): (branch: readonly object[]) => TranscriptEntry[] {
  const known = new WeakMap<Loose, RecordedItem>()
  return (branch) => {
    const log = createReadingLog()
    const reader = createPiReader(log, known)
    branch.forEach((entry, index) => {
      reader.read(entry, index + 1)
    })
    return assemble(reader.finish().items, log).entries
  }
}
