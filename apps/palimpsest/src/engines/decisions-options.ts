import type { EngineDefinition } from '@palimpsest/core'
import { UsageError } from '../usage-error.ts'

export const DECISIONS = 'decisions'
export const LCM = 'lcm'

const COMPACTIONS = ['lcm', 'compressor', 'own'] as const
type CompactionName = (typeof COMPACTIONS)[number]

interface DecisionsOptionsInput {
  readonly options: Readonly<Record<string, unknown>>
  readonly optionsOf: (engine: string) => Readonly<Record<string, unknown>>
}

export async function decisionsOptions({
  options: { compaction, ...options },
  optionsOf,
}: DecisionsOptionsInput): Promise<Record<string, unknown>> {
  const name = compactionName(compaction ?? (options.profile === 'seed' ? 'own' : 'lcm'))
  const engine = await loadCompaction(name)
  return {
    ...options,
    ...(engine && { compaction: { engine, options: optionsOf(name) } }),
  }
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
