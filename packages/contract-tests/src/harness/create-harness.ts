import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ContextEngine, type EngineCapability, errorText, type Store } from '@palimpsest/core'
import fc from 'fast-check'
import { type ContractHost, type ContractTarget, TARGET_DEFAULTS } from '../contract-target.ts'
import { createFakeClock } from './fake-clock.ts'
import { fixedTokenCounter } from './fixed-token-counter.ts'
import { type CaseCalls, guardEngine } from './guard-engine.ts'
import { withinLimit } from './processor-time.ts'
import { createScriptedModel } from './scripted-model.ts'
import { type WatchedSession, watchSession } from './watch-session.ts'

export const WINDOW_TOKENS = 16_000
export const ANSWER_TOKENS = 1_000

/** The tools of a case. Everything that they create is disposed of after the case. */
export type Harness = ReturnType<typeof createHarness>['harness']

/** Time limit of disposing of an engine, in milliseconds. Other cases test dispose(). */
const DISPOSE_MS = 2_000

export function createHarness(target: ContractTarget, capabilities: ReadonlySet<EngineCapability>) {
  const calls: CaseCalls = { pending: [], isOver: false }
  const folders = createTemporaryFolders()
  const engines: ContextEngine[] = []

  const host = (parts: Partial<ContractHost> = {}): ContractHost => {
    const storage = parts.storage ?? folders.create()
    return {
      ...doubles(),
      ...(target.store && { store: () => target.store?.({ storage }) as Store }),
      ...parts,
      storage,
    }
  }
  const doubles = () => ({
    contextLength: WINDOW_TOKENS,
    maxOutputTokens: ANSWER_TOKENS,
    tokens: fixedTokenCounter,
    clock: createFakeClock(),
    model: createScriptedModel(),
    sessionId: 'contract-session',
    options: {},
  })

  const guarded = (make: ContractTarget['create'], on: ContractHost): ContextEngine => {
    if (calls.isOver) throw new Error('the time of the case is over')
    const engine = make.call(target, on)
    engines.push(engine)
    return guardEngine(engine, calls)
  }
  const create = (parts?: Partial<ContractHost>) => guarded(target.create, host(parts))

  const disposeOf = async (gone: readonly ContextEngine[]): Promise<void> => {
    const disposed = Promise.allSettled(gone.map(async (engine) => engine.dispose()))
    await withinLimit(disposed, DISPOSE_MS).catch(() => {})
  }

  const harness = {
    target,
    capabilities,
    host,
    create,
    reopen: (gone: ContractHost) => guarded(target.reopen ?? target.create, gone),
    session(parts?: Partial<ContractHost>): WatchedSession {
      const inner = host(parts)
      return watchSession(inner, (log) => guarded(target.create, { ...inner, ...log }))
    },
    reopenSession: (gone: ContractHost): WatchedSession =>
      watchSession(gone, (log) => guarded(target.reopen ?? target.create, { ...gone, ...log })),
    /** Checks a claim on generated values. A failure names the seed and the smallest counterexample. */
    property: <Value>(values: fc.Arbitrary<Value>, claim: (value: Value) => Promise<void>): Promise<void> =>
      checkProperty(target, values, async (value) => {
        const others = engines.length
        await claim(value).finally(() => disposeOf(engines.splice(others)))
      }),
  }

  const cleanUp = async (): Promise<void> => {
    await disposeOf(engines)
    folders.remove()
  }
  return { harness, calls, cleanUp }
}

export function createTemporaryFolders() {
  let parent: string | undefined
  let count = 0
  const remove = (): void => {
    if (parent !== undefined) rmSync(parent, { recursive: true, force: true })
    parent = undefined
    process.off('exit', remove)
  }
  return {
    create(): string {
      if (parent === undefined) {
        parent = mkdtempSync(join(tmpdir(), 'palimpsest-contract-'))
        process.once('exit', remove)
      }
      const folder = join(parent, String(++count))
      mkdirSync(folder)
      return folder
    },
    remove,
  }
}

/** Smaller values that are tried after a failure; the first few find most. */
const MAX_SHRINKS = 100
const VALUE_CHARACTERS = 4_000

async function checkProperty<Value>(
  target: ContractTarget,
  values: fc.Arbitrary<Value>,
  claim: (value: Value) => Promise<void>,
): Promise<void> {
  const { seed = TARGET_DEFAULTS.seed, propertyRuns: numRuns = TARGET_DEFAULTS.propertyRuns } = target
  let shrinks: number | undefined
  const property = fc.asyncProperty(values, async (value) => {
    // The claim counts as true once shrinking has tried enough.
    if (shrinks !== undefined && ++shrinks > MAX_SHRINKS) return
    try {
      await claim(value)
    } catch (error) {
      shrinks ??= 0
      throw error
    }
  })
  const details = await fc.check(property, { numRuns, seed })
  if (!details.failed) return
  const { counterexamplePath, errorInstance, counterexample } = details
  throw new Error(
    `${errorText(errorInstance)}\n  value ${details.numRuns} of ${numRuns}, seed ${seed}, path "${counterexamplePath}", for ${valueText(counterexample)}`,
    { cause: errorInstance },
  )
}

function valueText(counterexample: unknown): string {
  const text = fc.stringify(counterexample)
  return text.length <= VALUE_CHARACTERS
    ? text
    : `${text.slice(0, VALUE_CHARACTERS)} … (${text.length} characters)`
}
