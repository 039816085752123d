import { DECISIONS } from '../engines/decisions-options.ts'
import { LCM } from '../engines/lcm-options.ts'

/** Options whose stores all conversations of a service share, so that one comes back to what it left when it is loaded again. */
export interface SharedStores {
  readonly options: Record<string, unknown>
  close(): Promise<void>
}

interface Closable {
  close(): Promise<void>
}

/**
 * Makes each store once that the options of a built-in engine would make for every session; one in memory where they
 * name none.
 */
export async function shareStores(name: string, options: Record<string, unknown>): Promise<SharedStores> {
  const opened: Closable[] = []
  const share = async (engine: string, given: Record<string, unknown>): Promise<Record<string, unknown>> => {
    const store = typeof given.store === 'function' ? given.store() : await memoryStore(engine)
    if (store === undefined) return given
    opened.push(store)
    return { ...given, store }
  }
  const close = async () => {
    await Promise.all(opened.map((store) => store.close()))
  }
  const shared = await share(name, options)
  const { compaction } = shared
  if (!isCompaction(compaction)) return { options: shared, close }
  const inner = await share(compaction.engine.name, compaction.options ?? {})
  return { options: { ...shared, compaction: { ...compaction, options: inner } }, close }
}

async function memoryStore(engine: string): Promise<Closable | undefined> {
  if (engine === LCM) return (await import('@palimpsest/lcm')).createMemoryStore()
  if (engine === DECISIONS) return (await import('@palimpsest/decisions')).createMemoryDecisionStore()
  return undefined
}

interface Compaction {
  readonly engine: { readonly name: string }
  readonly options?: Record<string, unknown>
}

function isCompaction(value: unknown): value is Compaction {
  return typeof value === 'object' && value !== null && 'engine' in value
}
