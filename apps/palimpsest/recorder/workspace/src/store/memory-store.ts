import type { Entry } from '../entry.ts'
import type { Store } from './store.ts'

/** Keeps entries until the process ends. */
export function createMemoryStore(): Store {
  const entries: Entry[] = []
  const byId = new Map<string, Entry>()
  return {
    append(added) {
      for (const entry of added) {
        entries.push(entry)
        byId.set(entry.id, entry)
      }
    },
    get: (id) => byId.get(id),
    all: () => entries,
    lastId: () => entries.at(-1)?.id,
    close() {},
  }
}
