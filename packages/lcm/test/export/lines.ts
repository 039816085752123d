import { exportStore } from '../../src/export/export-store.ts'
import type { LcmStore } from '../../src/store/lcm-store.ts'

export async function exportLines(...given: Parameters<typeof exportStore>): Promise<string[]> {
  const lines: string[] = []
  for await (const line of exportStore(...given)) lines.push(line)
  return lines
}

/** A list as something that is read piece by piece. */
export async function* eachOf<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values
}

/** A store that ends after so many writes, as a process does that is killed between two of them. */
export function endingAfter(store: LcmStore, writes: number): LcmStore {
  let left = writes
  return {
    ...store,
    async session(...given) {
      const session = await store.session(...given)
      const write = <T>(work: () => Promise<T>): Promise<T> => {
        if (left-- <= 0) throw new Error('killed')
        return work()
      }
      return {
        ...session,
        append: async (input) => write(() => session.append(input)),
        commit: async (input) => write(() => session.commit(input)),
      }
    },
  }
}
