import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ContextEngine, EngineCapability } from '@palimpsest/core'
import fc from 'fast-check'
import { type ContractHost, type ContractTarget, TARGET_DEFAULTS } from '../contract-target.ts'
import type { CallLog } from './call-log.ts'
import { createFakeClock } from './fake-clock.ts'
import { fixedTokenCounter } from './fixed-token-counter.ts'
import { createScriptedModel } from './scripted-model.ts'
import { type Patience, SETTLE_MS, withTimeLimit } from './time-limit.ts'
import { type WatchedSession, watchSession } from './watch-session.ts'

/** The window of the engines under test unless a case says otherwise, in tokens. */
export const WINDOW_TOKENS = 16_000
/** Tokens that they reserve for the answer. */
export const ANSWER_TOKENS = 1_000

/** The tools of a case. Everything that it makes is disposed of when the case is over. */
export interface Harness {
  readonly target: ContractTarget
  /** The capabilities that a new engine of the target declares. */
  readonly capabilities: ReadonlySet<EngineCapability>
  /** A host whose parts are doubles: fixed counts, a fake clock, a model that answers, a folder of its own. */
  host(parts?: Partial<ContractHost>): ContractHost
  /** A new engine on that host, or on a fresh one with these parts. Its calls fail instead of never settling. */
  create(host?: Partial<ContractHost>): ContextEngine
  /** The engine again, on the storage of a host whose engine is gone. */
  reopen(host: ContractHost): ContextEngine
  /** A session around a new engine, as hosts have it. */
  session(host?: Partial<ContractHost>): WatchedSession
  /** Tries a claim on generated values. A failure names the seed and the smallest value that breaks it. */
  property<Value>(
    values: fc.Arbitrary<Value>,
    claim: (value: Value) => Promise<void>,
    options?: { readonly runs?: number },
  ): Promise<void>
  /** Tells the reader of the report something, such as how many conversations were tried. */
  note(line: string): void
}

export interface HarnessInput {
  readonly target: ContractTarget
  readonly capabilities: ReadonlySet<EngineCapability>
  readonly patience: Patience
  /** Hears of each call of the case's engines. Default: nothing does. */
  readonly log?: CallLog
}

/** A harness for one case, and how to clean up behind it. */
export function createHarness({ target, capabilities, patience, log }: HarnessInput): {
  readonly harness: Harness
  readonly notes: readonly string[]
  cleanUp(): Promise<void>
} {
  const notes: string[] = []
  const folders = createTemporaryFolders()
  const engines: ContextEngine[] = []

  const host = (parts: Partial<ContractHost> = {}): ContractHost => ({
    contextLength: WINDOW_TOKENS,
    maxOutputTokens: ANSWER_TOKENS,
    tokens: fixedTokenCounter,
    clock: createFakeClock(),
    model: createScriptedModel(),
    sessionId: 'contract-session',
    options: {},
    ...parts,
    storage: parts.storage ?? folders.create(),
  })

  const watched = (make: ContractTarget['create'], on: ContractHost): ContextEngine => {
    log?.assertOpen()
    const end = log?.begin('create()')
    try {
      const engine = make.call(target, on)
      engines.push(engine)
      return withTimeLimit(engine, patience, log)
    } finally {
      end?.()
    }
  }
  const create = (parts?: Partial<ContractHost>) => watched(target.create, host(parts))

  const harness: Harness = {
    target,
    capabilities,
    host,
    create,
    reopen: (gone) => watched(target.reopen ?? target.create, gone),
    session(parts) {
      const inner = host(parts)
      return watchSession(create(inner), inner)
    },
    property: (values, claim, options) =>
      checkProperty({
        target,
        patience,
        values,
        claim: async (value) => {
          const others = engines.length
          await claim(value).finally(() => disposeOf(engines.splice(others)))
        },
        ...options,
      }),
    note: (line) => notes.push(line),
  }

  /** Other cases are about faults of dispose(). */
  const disposeOf = (gone: readonly ContextEngine[]) =>
    Promise.allSettled(gone.map(async (engine) => withTimeLimit(engine, patience).dispose()))

  const cleanUp = async (): Promise<void> => {
    await disposeOf(engines)
    folders.remove()
  }
  return { harness, notes, cleanUp }
}

/** Folders for one case. They are gone at the latest when the process ends, even if the case never does. */
export function createTemporaryFolders() {
  let parent: string | undefined
  let count = 0
  const remove = (): void => {
    if (parent !== undefined) rmSync(parent, { recursive: true, force: true })
    parent = undefined
    process.off('exit', remove)
  }
  return {
    /** A new, empty folder. */
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

/** Smaller values that are tried after a failure. The first few find most of what is to be found. */
const MAX_SHRINKS = 100
/** The most that is printed of a value, in characters. */
const VALUE_CHARACTERS = 4_000

interface PropertyInput<Value> {
  readonly target: ContractTarget
  readonly patience: Patience
  readonly values: fc.Arbitrary<Value>
  readonly claim: (value: Value) => Promise<void>
  /** The number of values. Default: the target's `propertyRuns`. */
  readonly runs?: number
}

/** Tries a claim on generated values; rejects with the smallest value that breaks it and the seed to repeat it. */
async function checkProperty<Value>({
  target,
  patience,
  values,
  claim,
  runs = target.propertyRuns ?? TARGET_DEFAULTS.propertyRuns,
}: PropertyInput<Value>): Promise<void> {
  const property = fc.asyncProperty(values, boundShrinking(claim, patience))
  const details = await fc.check(property, {
    numRuns: runs,
    seed: target.seed ?? TARGET_DEFAULTS.seed,
  })
  if (!details.failed) return
  const { seed, counterexamplePath, errorInstance, counterexample, numRuns } = details
  const found = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
  throw new Error(
    `${found}\n  value ${numRuns} of ${runs}, seed ${seed}, path "${counterexamplePath}", for ${valueText(counterexample)}`,
    { cause: errorInstance },
  )
}

/** The claim, which holds for everything as soon as enough was tried to make a failure smaller. */
function boundShrinking<Value>(
  claim: (value: Value) => Promise<void>,
  patience: Patience,
): (value: Value) => Promise<void> {
  let shrinks: number | undefined
  return async (value) => {
    // Each step would wait for an engine that hangs.
    if (shrinks !== undefined && (++shrinks > MAX_SHRINKS || patience.limitMs < SETTLE_MS)) return
    try {
      await claim(value)
    } catch (error) {
      shrinks ??= 0
      throw error
    }
  }
}

function valueText(counterexample: unknown): string {
  const text = fc.stringify(counterexample)
  return text.length <= VALUE_CHARACTERS
    ? text
    : `${text.slice(0, VALUE_CHARACTERS)} … (${text.length} characters)`
}
