import { type ContextEngine, defineContextEngine, type EngineParts, type Message } from '@palimpsest/core'
import type { ContractHost, ContractTarget } from '../../src/index.ts'
import { assembleProjection } from '../reference/assemble-projection.ts'
import { type WrittenSummary, writeSummary } from '../reference/write-summary.ts'
import { createReferenceParts, REFERENCE_STEPS, type ReferenceSteps } from '../reference-engine.ts'
import { lossyTarget, referenceTarget } from '../reference-target.ts'

/** The reference engine with one mistake in it. */
export interface BrokenEngine {
  /** The author's mistake, in plain words. */
  readonly name: string
  /** The cases that it must fail, in the order of the suite. It passes all others. */
  readonly fails: readonly string[]
  readonly target: ContractTarget
}

/** Generated conversations of each property: as few as find what they have to. */
const PROPERTY_RUNS = 5

/** Where a mistake is put in. */
export interface Mistake {
  /** Steps that do something else. */
  readonly steps?: (host: ContractHost) => Partial<ReferenceSteps>
  /** Parts that the author wrote, in the place of those of the reference engine. */
  readonly parts?: (parts: EngineParts, host: ContractHost) => Partial<EngineParts>
  /** Members of the finished engine, which core does not guard. */
  readonly members?: (engine: ContextEngine, host: ContractHost) => Partial<ContextEngine>
  /** Whether it keeps messages and has tools. Default false, because most mistakes have nothing to do with it. */
  readonly keeps?: boolean
  /** Whether it takes options without a look at their names. Default false. */
  readonly takesAnyOption?: boolean
  /** For an engine that hangs: the time limit of a case, in milliseconds. Default: that of the suite. */
  readonly caseTimeoutMs?: number
}

/** A broken engine: the name of the mistake, the ids of the cases that find it, and the mistake. */
export function broken(name: string, fails: string, mistake: Mistake): BrokenEngine {
  const { steps, parts, members, keeps = false, takesAnyOption = false } = mistake
  const { caseTimeoutMs } = mistake
  const definitionFor = (host: ContractHost) =>
    defineContextEngine({
      name: 'reference',
      apiVersion: 1,
      description: name,
      create(_, engineHost) {
        const changed = { ...REFERENCE_STEPS, ...steps?.(host) }
        const options = { ...(keeps && { folder: host.storage }), ...(!takesAnyOption && host.options) }
        const right = createReferenceParts(options, engineHost, changed)
        return parts === undefined ? right : withMembers(right, parts(right, host))
      },
    })
  const create = (host: ContractHost): ContextEngine => {
    const engine = definitionFor(host).create({}, host)
    return withMembers(engine, members?.(engine, host) ?? {})
  }
  const target = {
    ...(keeps ? referenceTarget : lossyTarget),
    ...(caseTimeoutMs !== undefined && { caseTimeoutMs }),
    ...{ name, create, propertyRuns: PROPERTY_RUNS },
  }
  return { name, fails: fails.split(' '), target }
}

/** A mistake in the projection that comes out of a compaction. */
export function projecting(change: (messages: Message[]) => Message[]): Mistake {
  return { steps: () => ({ assembleProjection: (...plan) => change(assembleProjection(...plan)) }) }
}

/** A mistake in the summary that is written. */
export function summarizing(change: (written: WrittenSummary) => WrittenSummary): Mistake {
  return { steps: () => ({ writeSummary: async (input) => change(await writeSummary(input)) }) }
}

/** Other members in front of those of an object; getters stay getters. */
function withMembers<T extends object>(object: T, members: Partial<T>): T {
  return Object.create(object, Object.getOwnPropertyDescriptors(members) as PropertyDescriptorMap)
}
