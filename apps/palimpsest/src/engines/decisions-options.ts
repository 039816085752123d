import type { EngineDefinition } from '@palimpsest/core'
import { decisionStoreOpener } from '../stores/open-engine-store.ts'
import { besidePlace, type StorePlace } from '../stores/store-place.ts'
import { UsageError } from '../usage-error.ts'
import { LCM, lcmOptions } from './lcm-options.ts'
import { memorySource } from './memory-source.ts'

/** The name of the engine, and of its block in `config.yaml`. */
export const DECISIONS = 'decisions'

/** The engines that may compact inside, by `compaction` in its block. */
const COMPACTIONS = ['lcm', 'compressor', 'own'] as const
type CompactionName = (typeof COMPACTIONS)[number]

/** Behind the name of the engine's file, if it is one: where the lossless engine inside of it keeps its messages. */
export const LCM_SUFFIX = '.lcm'

interface DecisionsOptionsInput {
  /** The block `decisions:`, and what the command line says. */
  readonly options: Readonly<Record<string, unknown>>
  /** The options of each engine that may compact inside. */
  readonly optionsOf: (engine: string) => Readonly<Record<string, unknown>>
  /** Where the store is; undefined keeps everything in memory. */
  readonly place: StorePlace | undefined
}

/**
 * The options of the engine with a store in the place of its name, and an engine in the place of its name: over `lcm`
 * unless the block says otherwise, whose messages lie in a file beside. The profile `seed` compacts on its own.
 */
export async function decisionsOptions({
  options: { compaction, memory, store: _, ...options },
  optionsOf,
  place,
}: DecisionsOptionsInput): Promise<Record<string, unknown>> {
  const name = compactionName(compaction ?? (options.profile === 'seed' ? 'own' : 'lcm'))
  const engine = await loadCompaction(name)
  const inner =
    name === 'lcm'
      ? await lcmOptions({ ...ownerOf(options), ...optionsOf(LCM) }, place && besidePlace(place, LCM_SUFFIX))
      : optionsOf(name)
  return {
    ...options,
    ...(engine && { compaction: { engine, options: inner } }),
    ...(memory !== undefined && { memory: await memorySource(memory, options) }),
    ...(place !== undefined && { store: await decisionStoreOpener(place) }),
  }
}

/** The owner of the messages, unless the block `lcm:` says otherwise: those of two principals never meet in one store. */
function ownerOf({ principal }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return principal === undefined ? {} : { principal }
}

function compactionName(value: unknown): CompactionName {
  const name = COMPACTIONS.find((known) => known === value)
  if (name !== undefined) return name
  throw new UsageError(
    `decisions.compaction must be one of ${COMPACTIONS.join(', ')}, and is ${JSON.stringify(value)}`,
  )
}

async function loadCompaction(name: CompactionName): Promise<EngineDefinition | undefined> {
  if (name === 'lcm') return (await import('@palimpsest/lcm')).lcm as unknown as EngineDefinition
  if (name === 'compressor')
    return (await import('@palimpsest/compressor')).default as unknown as EngineDefinition
  return undefined
}
